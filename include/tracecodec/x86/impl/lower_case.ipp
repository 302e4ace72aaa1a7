// The function of x86/lower_case.hpp.
#pragma once
#include <string>
#include <string_view>

#include "../lower_case.hpp"

namespace tracecodec::x86 {

TRACECODEC_FUNC std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return lower;
}

}  // namespace tracecodec::x86
