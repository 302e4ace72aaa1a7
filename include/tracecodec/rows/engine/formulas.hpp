// Detects text that a spreadsheet would treat as a formula.
#pragma once
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::rows::detail {

// Returns true if a spreadsheet treats a cell with the text `s` as a formula. Only the first
// character matters, even if the cell is quoted.
constexpr bool begins_formula(std::string_view s) noexcept {
  return !s.empty() && std::string_view("=+-@\t\r\n").find(s[0]) != s.npos;
}

}  // namespace tracecodec::rows::detail
