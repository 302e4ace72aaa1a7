// Names of registers and instructions in any case of letters.
#pragma once
#include <string>
#include <string_view>

namespace tracecodec::x86 {

// With a to z for A to Z; other letters as they are, whatever the locale.
inline std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return lower;
}

}  // namespace tracecodec::x86
