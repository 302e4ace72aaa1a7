// Lower-case names of registers and instructions, for searches in any letter case.
#pragma once
#include <string>
#include <string_view>

namespace tracecodec::x86 {

// Returns `name` with A to Z replaced by a to z. Other characters are unchanged, whatever the
// locale.
inline std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return lower;
}

}  // namespace tracecodec::x86
