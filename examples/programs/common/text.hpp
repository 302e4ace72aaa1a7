// Numbers as text, appended to a string: what the programs print and no standard function does.
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

// Appends `n` to the right of a column. What is longer than the column is not cut, and does not touch a column before.
inline void add_right(std::string& s, std::string_view n, std::size_t width) {
  constexpr std::string_view apart = " \n[";
  if (n.size() < width)
    s.append(width - n.size(), ' ');
  else if (!s.empty() && apart.find(s.back()) == apart.npos)
    s += ' ';
  s += n;
}
// Appends `n` to the left of a column, which another one follows: at least a blank is between them.
inline void add_left(std::string& s, std::string_view n, std::size_t width) {
  s += n;
  s.append(n.size() < width ? width - n.size() : 1, ' ');
}

// "1 record", "2 records".
inline std::string some(std::uint64_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

// Text that others wrote - of a trace, of a file's name, of the command line - as every program
// prints it: in one line, and it does not steer the terminal.
inline std::string printable(std::string_view s) {
  std::string out;
  tracecodec::io::add_shown(out, s);
  return out;
}

// "102,632,256"
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

// Of `whole`, in percent; 0 of nothing.
inline double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole) * 100;
}

}  // namespace examples
