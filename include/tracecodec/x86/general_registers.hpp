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
// or r8d, ignoring case. Returns nullopt for other names.
inline std::optional<feed::register_part> find_general(std::string_view name) {
  struct base {
    reg which;
    std::string_view name;
    bool has_letters;  // true for a, b, c and d, whose bytes are called al and ah
  };
  constexpr std::array<base, 9> named{{{reg::rax, "a", true},
                                       {reg::rbx, "b", true},
                                       {reg::rcx, "c", true},
                                       {reg::rdx, "d", true},
                                       {reg::rsi, "si", false},
                                       {reg::rdi, "di", false},
                                       {reg::rbp, "bp", false},
                                       {reg::rsp, "sp", false},
                                       {reg::ip, "ip", false}}};
  const std::string lower = lower_case(name);
  const auto part = [](reg r, unsigned size, unsigned offset = 0) {
    return feed::register_part{number(r), static_cast<std::uint8_t>(offset),
                               static_cast<std::uint8_t>(size)};
  };
  for (const base& b : named) {
    const std::string word = std::string(b.name) + (b.has_letters ? "x" : "");
    if (lower == 'r' + word) return part(b.which, 8);
    if (lower == 'e' + word) return part(b.which, 4);
    if (lower == word) return part(b.which, 2);
    if (lower == std::string(b.name) + 'l' && b.which != reg::ip) return part(b.which, 1);
    if (b.has_letters && lower == std::string(b.name) + 'h') return part(b.which, 1, 1);
  }
  for (unsigned n = 8; n != 16; ++n) {
    const std::string word = 'r' + std::to_string(n);
    if (!lower.starts_with(word)) continue;
    const std::string_view end = std::string_view(lower).substr(word.size());
    const reg r = row(reg::r8, n - 8);
    if (end.empty()) return part(r, 8);
    if (end == "d") return part(r, 4);
    if (end == "w") return part(r, 2);
    if (end == "b") return part(r, 1);
  }
  return std::nullopt;
}

// Returns the general registers and the flags, for feed/recorded_state.hpp.
inline const feed::register_set& general_registers() noexcept {
  static constexpr auto words = [] {
    std::array<feed::register_part, 17> all{};
    for (std::uint8_t n = 0; n != 16; ++n)
      all[n] = {static_cast<std::uint8_t>(number(reg::rdi) + n), 0, 8};
    all[16] = {number(reg::flags), 0, 8};
    return all;
  }();
  static constexpr feed::register_set all{
      words,
      [](std::string_view text) {
        return lower_case(text) == "flags" ? std::optional(words[16]) : find_general(text);
      },
      [](std::uint8_t n) { return std::string(name(static_cast<reg>(n)).view()); }};
  return all;
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

// General registers of 64-bit and of 32-bit programs, then the instruction pointer.
template <std::uint8_t Size, std::size_t Count> constexpr auto general_words() {
  using enum reg;
  constexpr std::array first{rax, rbx, rcx, rdx, rbp, rsp, rsi, rdi};
  std::array<feed::register_part, Count + 1> all{};
  for (std::size_t n = 0; n != Count; ++n)
    all[n] = {number(n < first.size() ? first[n] : row(r8, n - first.size())), 0, Size};
  all[Count] = {number(ip), 0, Size};
  return all;
}
inline constexpr auto general_words_64 = general_words<8, 16>();
inline constexpr auto general_words_32 = general_words<4, 8>();

}  // namespace tracecodec::x86
