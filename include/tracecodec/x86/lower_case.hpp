// Names of registers and instructions in any case of letters.
#pragma once
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::x86 {

// With a to z for A to Z; other letters as they are, whatever the locale.
TRACECODEC_FUNC std::string lower_case(std::string_view name);

}  // namespace tracecodec::x86

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lower_case.ipp"
#endif
