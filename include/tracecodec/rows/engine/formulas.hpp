// Which text a spreadsheet takes for a formula.
#pragma once
#include <string_view>

namespace tracecodec::rows::detail {

// Whether a cell with this text is a formula: by its first character, also in quotes.
constexpr bool begins_formula(std::string_view s) noexcept {
  return !s.empty() && std::string_view("=+-@\t\r\n").find(s[0]) != s.npos;
}

}  // namespace tracecodec::rows::detail
