// Converts names of registers and instructions to lower case, for searches that ignore case.
#pragma once
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::x86 {

// Returns `name` with A to Z replaced by a to z. All other characters are unchanged, regardless of
// the locale.
inline std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return lower;
}

}  // namespace tracecodec::x86
