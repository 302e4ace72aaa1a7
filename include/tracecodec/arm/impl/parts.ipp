#pragma once
#include "../parts.hpp"

#include <array>

namespace tracecodec::arm {

namespace detail {
// Name in lower case without the suffix of a bank.
struct short_name {
  std::array<char, 8> letters = {};
  std::size_t size = 0;

  constexpr explicit short_name(std::string_view name) noexcept {
    if (const std::size_t bank = name.find('_'); bank != name.npos) name = name.substr(0, bank);
    if (name.size() > letters.size()) return;
    for (const char c : name)
      letters[size++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return {letters.data(), size}; }
};
// Returns the number after the first letter of `name` if it is below `count`, otherwise `count`.
constexpr unsigned numbered(std::string_view name, unsigned count) noexcept {
  unsigned n = 0;
  if (name.size() < 2 || name.size() > 3 || (name.size() == 3 && name[1] == '0')) return count;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return count;
    n = 10 * n + static_cast<unsigned>(c - '0');
  }
  return n < count ? n : count;
}
constexpr auto words_of_registers = [] {
  std::array<feed::register_part, word_count> all{};
  std::size_t n = 0;
  for (std::uint8_t r = 0; r <= stack_register; ++r) all[n++] = {number_of(r), 0, 8};
  all[n++] = {number_of(flags_register), 0, 8};
  for (std::uint8_t r = first_vector; r != first_vector + 32; ++r)
    for (std::uint8_t half = 0; half != 16; half = static_cast<std::uint8_t>(half + 8))
      all[n++] = {number_of(r), half, 8};
  return all;
}();
}  // namespace detail

TRACECODEC_FUNC std::optional<feed::register_part> find_part(std::string_view name,
                                                             instruction_set set) noexcept {
  using part = std::optional<feed::register_part>;
  const detail::short_name lower(name);
  const std::string_view s = lower.text();
  if (s.empty()) return std::nullopt;
  const bool wide = set == instruction_set::a64;
  const auto general = [](unsigned n, unsigned size) {
    return part({number_of(static_cast<std::uint8_t>(n)), 0, static_cast<std::uint8_t>(size)});
  };
  const unsigned word = wide ? 8 : 4;
  if (s == "sp" || s == "msp" || s == "psp") return general(stack_register, word);
  if (s == "lr") return general(wide ? link_register : 14, word);
  if (s == "fp") return general(wide ? 29 : 11, word);
  if (s == "wsp") return general(stack_register, 4);
  if (s == "cpsr" || s == "xpsr" || s == "apsr" || s == "psr" || s == "nzcv" || s == "flags")
    return general(flags_register, 4);
  const char letter = s.front();
  if (letter == 'r') {
    const unsigned n = detail::numbered(s, 15);
    return n == 15 ? std::nullopt : general(n == 13 ? stack_register : n, 4);
  }
  if (letter == 'x' || letter == 'e' || letter == 'w') {
    const unsigned n = detail::numbered(s, stack_register);
    return n == stack_register ? std::nullopt : general(n, letter == 'w' ? 4 : 8);
  }
  const unsigned n = detail::numbered(s, 32);
  if (n == 32) return std::nullopt;
  const auto vector = [](unsigned v, unsigned offset, unsigned size) {
    return part({number_of(static_cast<std::uint8_t>(first_vector + v)),
                 static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(size)});
  };
  switch (letter) {
    case 'z':
    case 'v':
    case 'q':
      return vector(n, 0, 16);
    case 'd':
      return wide ? vector(n, 0, 8) : vector(n / 2, n % 2 * 8, 8);
    case 's':
      return wide ? vector(n, 0, 4) : vector(n / 4, n % 4 * 4, 4);
    default:
      return std::nullopt;
  }
}

TRACECODEC_FUNC const feed::register_set& registers() noexcept {
  static constexpr feed::register_set all{detail::words_of_registers,
                                          [](std::string_view name) {
                                            auto found = find_part(name, instruction_set::a64);
                                            if (found && found->size > 8)
                                              found->size = 8;  // a word
                                            return found;
                                          },
                                          name_of};
  return all;
}

}  // namespace tracecodec::arm
