// Lines of Tenet's traces: registers and memory with values, such as
//   rsp=0x13ff28,rip=0x1400045dc,mw=0x13ff28:a541004001000000
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../arm/parts.hpp"
#include "../feed/recorded_state.hpp"
#include "../io/text/hex.hpp"
#include "../x86/general_registers.hpp"

namespace tracecodec::tenet {

// Registers of a processor. The instruction pointer is the last one.
struct dialect {
  std::span<const std::string_view> names = {};  // in lower case, in the order of registers.words
  feed::register_set registers = {};

  [[nodiscard]] constexpr std::string_view pc() const noexcept { return names.back(); }
  // Returns true if a register or an address can have the value `v`.
  [[nodiscard]] constexpr bool fits(std::uint64_t v) const noexcept {
    return v <= ~std::uint64_t{0} >> (64 - 8 * registers.words.back().size);
  }
  // Returns the index of the register with a name in lower case, or names.size().
  [[nodiscard]] constexpr std::size_t find(std::string_view name) const noexcept {
    std::size_t n = 0;
    while (n != names.size() && names[n] != name) ++n;
    return n;
  }
};
inline constexpr std::size_t most_registers = 33;

namespace detail {
inline constexpr std::array<std::string_view, 17> amd64_names{
    "rax", "rbx", "rcx", "rdx", "rbp", "rsp", "rsi", "rdi", "r8",
    "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
inline constexpr std::array<std::string_view, 9> x86_names{"eax", "ebx", "ecx", "edx", "ebp",
                                                           "esp", "esi", "edi", "eip"};
inline constexpr std::array<std::string_view, most_registers> aarch64_names{
    "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
    "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
    "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc"};
}  // namespace detail

// Lines do not list the flags, which are the last word of x86.
inline constexpr dialect amd64{
    detail::amd64_names,
    {std::span(x86::general_words_64).first<17>(), x86::find_general, x86::name_of}};
inline constexpr dialect x86_32{
    detail::x86_names,
    {std::span(x86::general_words_32).first<9>(), x86::find_general, x86::name_of_32}};
// Dialect of forks of Tenet, and of Qiling.
inline constexpr dialect aarch64{detail::aarch64_names,
                                 {arm::general_words, arm::find_part_64, arm::name_of}};
inline constexpr std::array dialects{&amd64, &x86_32, &aarch64};

// Item of a line, NAME=VALUE. Names have at most 3 characters.
struct item {
  std::array<char, 4> lower = {};  // name in lower case, or empty if the item is malformed
  std::string_view name = {}, value = {};

  [[nodiscard]] constexpr std::string_view key() const noexcept { return lower.data(); }
};
// Removes and returns the first item of a line.
constexpr item next_item(std::string_view& line) noexcept {
  const std::string_view text = line.substr(0, line.find(','));
  line.remove_prefix(text.size() == line.size() ? text.size() : text.size() + 1);
  item i;
  const std::size_t at = text.find('=');
  i.name = text.substr(0, at);
  if (at == text.npos || at > 3) return i;
  i.value = text.substr(at + 1);
  for (std::size_t n = 0; n != at; ++n)
    i.lower[n] = static_cast<char>(text[n] >= 'A' && text[n] <= 'Z' ? text[n] + 32 : text[n]);
  return i;
}
// Returns the dialect that the instruction pointer of a line determines, or null.
constexpr const dialect* dialect_of(std::string_view line) noexcept {
  while (!line.empty()) {
    const item i = next_item(line);
    for (const dialect* const d : dialects)
      if (i.key() == d->pc()) return d;
  }
  return nullptr;
}

// Memory that an item lists, 0xADDRESS:BYTES.
struct listed_memory {
  std::uint64_t address = 0;
  std::string_view digits = {};  // two for each byte, in the order of the addresses

  // Returns nullopt if `value` is malformed.
  static std::optional<listed_memory> of(std::string_view value) noexcept {
    const std::size_t at = value.find(':');
    if (at == value.npos) return std::nullopt;
    const auto address = io::hex_number(value.substr(0, at));
    const std::string_view digits = value.substr(at + 1);
    if (!address || !io::is_hex_bytes(digits)) return std::nullopt;
    return listed_memory{*address, digits};
  }
};
constexpr bool is_memory(std::string_view key) noexcept {
  return key == "mr" || key == "mw" || key == "mrw";
}

// Returns true if `text` begins with one or two lines of a Tenet trace. The text may end inside a
// line.
inline bool begins_like_a_trace(std::string_view text) noexcept {
  const dialect* const d = dialect_of(text.substr(0, text.find_first_of("\r\n")));
  for (int n = 0; d != nullptr && n != 2 && !text.empty(); ++n) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (end != text.npos && dialect_of(line) != d) return false;
    while (!line.empty()) {
      const item i = next_item(line);
      if (line.empty() && end == std::string_view::npos) break;
      const bool known = is_memory(i.key()) ? listed_memory::of(i.value).has_value()
                                            : d->find(i.key()) != d->names.size() &&
                                                  io::hex_number(i.value).has_value();
      if (!known || !i.value.starts_with("0x")) return false;
    }
  }
  return d != nullptr;
}

}  // namespace tracecodec::tenet
