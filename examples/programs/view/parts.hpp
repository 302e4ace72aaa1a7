// Parts of a row that are the same for every format.
#pragma once
#include <tracecodec/feed/instruction.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/text.hpp"

namespace view {

// Adds text such as " | LABEL[26, 67]". Calls add(v) to add each element of `range`. Adds nothing
// if the range is empty.
template <class Range, class Add>
void add_part(std::string& s, std::string_view label, const Range& range, Add add) {
  using namespace std::string_view_literals;
  if (range.begin() == range.end()) return;
  s += " | "sv;
  s += label;
  s += '[';
  bool first = true;
  for (const auto v : range) {
    if (!first) s += ", "sv;
    first = false;
    add(v);
  }
  s += ']';
}

// Adds an address in single quotes, such as '0x33fca08'.
inline void add_quoted(std::string& s, std::uint64_t address) {
  s += '\'';
  examples::add_hex(s, address);
  s += '\'';
}

// Adds the start of a compact row, such as "[     7] 0x0000000000671e84".
inline void add_start(std::string& s, std::uint64_t index, std::uint64_t ip) {
  using namespace std::string_view_literals;
  std::array<char, 20> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), index).ptr;
  s += '[';
  examples::add_right(
      s, std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())), 6);
  s += "] "sv;
  examples::add_hex(s, ip, 16);
}

// Adds a member to the JSON object whose line ends `s`. add(json) adds its value.
template <class Add> void add_member(std::string& s, std::string_view key, Add add) {
  s.resize(s.size() - 2);  // "}\n"
  ((s += ",\"") += key) += "\":";
  examples::json j(s);
  add(j);
  s += "}\n";
}

// Adds the indented name that begins a line of the detailed view.
inline void add_label(std::string& s, std::string_view name) {
  s += "  ";
  examples::add_left(s, name, 23);
}

// Adds the last lines of the detailed view: the branch class and the branch target.
template <tracecodec::feed::instruction I> void add_outcome(std::string& s, const I& i) {
  using tracecodec::feed::branch_class;
  add_label(s, "class");
  s += tracecodec::feed::name(i.branch());
  if (i.branch() != branch_class::not_branch) s += i.taken() ? ", taken" : ", not taken";
  s += '\n';
  add_label(s, "target");
  if (i.target() != 0)
    examples::add_hex(s, i.target(), 16);
  else
    s += i.taken() ? "unknown: the trace ends" : "none";
  s += "\n\n";
}

}  // namespace view
