// Formats numbers and text for the programs' output.
#pragma once
#include <tracecodec/io/text/utf8.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace examples {

using tracecodec::rows::add_hex;
using tracecodec::rows::add_number;

// Appends `n`, right-aligned in a column of `width` characters. Text that is too wide is not
// truncated. A space separates it from the previous column.
inline void add_right(std::string& s, std::string_view n, std::size_t width) {
  constexpr std::string_view apart = " \n[";
  if (n.size() < width)
    s.append(width - n.size(), ' ');
  else if (!s.empty() && apart.find(s.back()) == apart.npos)
    s += ' ';
  s += n;
}
// Appends `n`, left-aligned in a column of `width` characters. Always appends at least one space.
inline void add_left(std::string& s, std::string_view n, std::size_t width) {
  s += n;
  s.append(n.size() < width ? width - n.size() : 1, ' ');
}

// Returns a number and a noun, such as "1 record" or "2 records".
inline std::string some(std::uint64_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

// Returns text from a trace, a file name or the command line in printable form: as one line, and
// without terminal control characters.
inline std::string printable(std::string_view s) {
  std::string out;
  tracecodec::io::add_shown(out, s);
  return out;
}

// Returns a number with thousands separators, such as "102,632,256".
inline std::string grouped(std::uint64_t n) {
  std::string s = std::to_string(n);
  for (std::size_t i = s.size(); i > 3; i -= 3) s.insert(i - 3, 1, ',');
  return s;
}

inline std::string fixed(double v, int digits) {
  std::array<char, 64> s{};
  std::snprintf(s.data(), s.size(), "%.*f", digits, v);
  return s.data();
}

// Returns `part` as a percentage of `whole`; 0 if `whole` is 0.
inline double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole) * 100;
}

}  // namespace examples
