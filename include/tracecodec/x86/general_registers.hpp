// Names of the general registers of x86 and of their parts.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../feed/recorded_state.hpp"
#include "lower_case.hpp"
#include "registers.hpp"

namespace tracecodec::x86 {

// Returns the general register, instruction pointer or part called `name`, such as rax, eax, ax, ah
// or r8d, or the flags, ignoring case. Returns nullopt for other names.
constexpr std::optional<feed::register_part> find_general(std::string_view name) noexcept {
  struct names {
    reg which;
    std::string_view word, low, high;  // lowest 2 bytes, and the bytes of this word
  };
  constexpr std::array<names, 9> named{{{reg::rax, "ax", "al", "ah"},
                                        {reg::rbx, "bx", "bl", "bh"},
                                        {reg::rcx, "cx", "cl", "ch"},
                                        {reg::rdx, "dx", "dl", "dh"},
                                        {reg::rsi, "si", "sil", ""},
                                        {reg::rdi, "di", "dil", ""},
                                        {reg::rbp, "bp", "bpl", ""},
                                        {reg::rsp, "sp", "spl", ""},
                                        {reg::ip, "ip", "", ""}}};
  const short_name lower(name);
  const std::string_view s = lower.text();
  const auto part = [](reg r, unsigned size, unsigned offset = 0) {
    return std::optional(feed::register_part{number(r), static_cast<std::uint8_t>(offset),
                                             static_cast<std::uint8_t>(size)});
  };
  if (s.empty()) return std::nullopt;
  if (s == "flags") return part(reg::flags, 8);
  for (const names& n : named) {
    if (s == n.word) return part(n.which, 2);
    if (s == n.low) return part(n.which, 1);
    if (s == n.high) return part(n.which, 1, 1);
    if (s.size() == 3 && s.ends_with(n.word) && (s[0] == 'r' || s[0] == 'e'))
      return part(n.which, s[0] == 'r' ? 8 : 4);
  }
  constexpr std::array<std::string_view, 8> numbered{"r8",  "r9",  "r10", "r11",
                                                     "r12", "r13", "r14", "r15"};
  for (std::size_t n = 0; n != numbered.size(); ++n) {
    if (!s.starts_with(numbered[n])) continue;
    const std::string_view end = s.substr(numbered[n].size());
    if (end.empty()) return part(row(reg::r8, n), 8);
    if (end == "d") return part(row(reg::r8, n), 4);
    if (end == "w") return part(row(reg::r8, n), 2);
    if (end == "b") return part(row(reg::r8, n), 1);
  }
  return std::nullopt;
}

// Return the name of a register, such as "rax". name_of_32() returns the names in 32-bit programs, such
// as "eax".
inline std::string name_of(std::uint8_t number) {
  const auto r = static_cast<reg>(number);
  return r == reg::ip ? "rip" : std::string(name(r).view());
}
inline std::string name_of_32(std::uint8_t number) {
  std::string s = name_of(number);
  if ((number >= 3 && number <= 10) || number == x86::number(reg::ip)) s.front() = 'e';
  return s;
}

// General registers of 64-bit and of 32-bit programs, then the instruction pointer and the flags, for
// feed/recorded_state.hpp.
template <std::uint8_t Size, std::size_t Count> constexpr auto general_words() {
  using enum reg;
  constexpr std::array first{rax, rbx, rcx, rdx, rbp, rsp, rsi, rdi};
  std::array<feed::register_part, Count + 2> all{};
  for (std::size_t n = 0; n != Count; ++n)
    all[n] = {number(n < first.size() ? first[n] : row(r8, n - first.size())), 0, Size};
  all[Count] = {number(ip), 0, Size};
  all[Count + 1] = {number(reg::flags), 0, Size};
  return all;
}
inline constexpr auto general_words_64 = general_words<8, 16>();
inline constexpr auto general_words_32 = general_words<4, 8>();
inline constexpr feed::register_set general_registers{general_words_64, find_general, name_of};

}  // namespace tracecodec::x86
