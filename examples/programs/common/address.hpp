// Parses numbers, addresses and address ranges from the command line.
#pragma once
#include <tracecodec/analysis/address_span.hpp>
#include <tracecodec/io/text/hex.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace examples {

// Placeholder for an address option in --help, and a description of the accepted notations.
// Hexadecimal addresses require 0x, because "10" would be ambiguous.
inline constexpr auto address_type = "ADDRESS[-LAST|+SIZE]";
inline constexpr auto address_hint = " in decimal, or in hexadecimal with 0x";

// Parses a decimal number, or a hexadecimal number with 0x. Returns nullopt for other text and for
// numbers that exceed 64 bits.
inline std::optional<std::uint64_t> number_of(std::string_view s) {
  return tracecodec::io::decimal_or_hex(s);
}

// Parses "A", "A-B" (B is included) or "A+SIZE". Returns nullopt for other text and for an empty
// range.
inline std::optional<tracecodec::analysis::address_span> span_of(const std::string& s) {
  using tracecodec::analysis::address_span;
  const std::size_t at = s.find_first_of("-+");
  const auto first = number_of(std::string_view(s).substr(0, at));
  if (!first || at == std::string::npos)
    return first ? std::optional(address_span{*first, *first}) : std::nullopt;
  const auto second = number_of(std::string_view(s).substr(at + 1));
  if (!second) return std::nullopt;
  const std::uint64_t last = s[at] == '-' ? *second : *first + (*second - 1);
  if (last < *first || (s[at] == '+' && *second == 0)) return std::nullopt;
  return address_span{*first, last};
}

}  // namespace examples
