// Numbers and addresses as the command line says them.
#pragma once
#include <tracecodec/analysis/address_span.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace examples {

// How addresses are told, and that hexadecimal is not guessed: "10" would be both.
inline constexpr auto address_type = "ADDRESS[-LAST|+SIZE]";
inline constexpr auto address_hint = " in decimal, or in hexadecimal with 0x";

// "0x401000", or decimal.
inline std::optional<std::uint64_t> number_of(std::string_view s) {
  const bool hex = s.starts_with("0x") || s.starts_with("0X");
  if (hex) s.remove_prefix(2);
  std::uint64_t n = 0;
  const auto r = std::from_chars(s.data(), s.data() + s.size(), n, hex ? 16 : 10);
  if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
  return n;
}

// "A", "A-B" or "A+SIZE"; nullopt if it is none, or holds nothing.
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
