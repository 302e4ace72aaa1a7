// Formats numbers for messages.
#pragma once
#include <cstdint>
#include <string>

#include "../../config.hpp"

namespace tracecodec {

// Returns `v` in hexadecimal, for example "0x1f".
inline std::string hex(std::uint64_t v) {
  std::string s = "0x";
  for (int shift = 60; shift >= 0; shift -= 4)
    if (v >> shift != 0 || shift == 0) s += "0123456789abcdef"[v >> shift & 15U];
  return s;
}

}  // namespace tracecodec
