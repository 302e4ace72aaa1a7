#pragma once
#include "../parts.hpp"

#include <array>

#include "../../x86/lower_case.hpp"

namespace tracecodec::arm {

namespace detail {
// Register with the index `index`, or a part of it.
struct indexed_part {
  std::uint8_t index, offset, size;
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
inline std::optional<indexed_part> find_indexed(std::string_view name,
                                                instruction_set set) noexcept {
  const x86::short_name lower(name.substr(0, name.find('_')));  // without the suffix of a bank
  const std::string_view s = lower.text();
  if (s.empty()) return std::nullopt;
  const bool wide = set == instruction_set::a64;
  const auto part = [](unsigned n, unsigned offset, unsigned size) {
    return std::optional(indexed_part{static_cast<std::uint8_t>(n),
                                      static_cast<std::uint8_t>(offset),
                                      static_cast<std::uint8_t>(size)});
  };
  const auto vector = [&part](unsigned n, unsigned offset, unsigned size) {
    return part(first_vector + n, offset, size);
  };
  const unsigned word = wide ? 8 : 4;
  if (s == "sp" || s == "msp" || s == "psp") return part(stack_register, 0, word);
  if (s == "lr") return part(wide ? link_register : 14, 0, word);
  if (s == "fp") return part(wide ? 29 : 11, 0, word);
  if (s == "wsp") return part(stack_register, 0, 4);
  if (s == "cpsr" || s == "xpsr" || s == "apsr" || s == "psr" || s == "nzcv" || s == "flags")
    return part(flags_register, 0, 4);
  const char letter = s.front();
  if (letter == 'r') {
    const unsigned n = numbered(s, 15);
    return n == 15 ? std::nullopt : part(n == 13 ? stack_register : n, 0, 4);
  }
  if (letter == 'x' || letter == 'e' || letter == 'w') {
    const unsigned n = numbered(s, stack_register);
    return n == stack_register ? std::nullopt : part(n, 0, letter == 'w' ? 4 : 8);
  }
  const unsigned n = numbered(s, 32);
  if (n == 32) return std::nullopt;
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
}  // namespace detail

TRACECODEC_FUNC std::optional<feed::register_part> find_part(std::string_view name,
                                                             instruction_set set) noexcept {
  const std::uint8_t word = set == instruction_set::a64 ? 8 : 4;
  if (x86::short_name(name).text() == "pc")
    return feed::register_part{feed::instruction_pointer, 0, word};
  const auto found = detail::find_indexed(name, set);
  if (!found) return std::nullopt;
  return feed::register_part{number_of(found->index), found->offset, found->size};
}

TRACECODEC_FUNC std::optional<std::uint8_t> find_register(std::string_view name) noexcept {
  const auto found = detail::find_indexed(name, instruction_set::a64);
  if (!found) return std::nullopt;
  const std::uint8_t r = found->index;
  const unsigned whole = r == flags_register ? 4 : r < first_vector ? 8 : 16;
  return found->size == whole ? std::optional(r) : std::nullopt;
}

TRACECODEC_FUNC const feed::register_set& registers() noexcept {
  static constexpr feed::register_set all{detail::words_of_registers,
                                          [](std::string_view name) {
                                            auto found = find_part_64(name);
                                            if (found && found->size > 8)
                                              found->size = 8;  // a word
                                            return found;
                                          },
                                          name_of};
  return all;
}

}  // namespace tracecodec::arm
