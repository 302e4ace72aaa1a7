// Values of two traces that differ.
#pragma once
#include <cstdint>

#include "../../x86/registers.hpp"

namespace tracecodec::analysis {

// Up to 8 bytes of a register or of memory that are different in two traces. Byte n of them is bits
// 8n to 8n+7 of `a` and of `b`.
struct value_difference {
  bool memory = false;
  bool after = false;               // what the instruction left, not what it found
  x86::reg which = x86::reg::none;  // the register, if it is no memory
  std::uint64_t at = 0;             // address, or byte of the register; a multiple of 8
  std::uint8_t known = 0;           // bit n: both traces tell byte n
  std::uint64_t a = 0, b = 0;       // 0 where not known
};

}  // namespace tracecodec::analysis
