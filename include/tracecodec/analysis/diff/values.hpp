// Value that differs between two traces.
#pragma once
#include <cstdint>

#include "../../x86/registers.hpp"

namespace tracecodec::analysis {

// Up to 8 bytes of a register or of memory that differ between two traces. Byte n is in bits
// 8n to 8n+7 of `a` and of `b`.
struct value_difference {
  bool memory = false;
  // True for a value after the instruction, false for a value before the instruction.
  bool after = false;
  x86::reg which = x86::reg::none;  // register, or reg::none for memory
  std::uint64_t at = 0;             // address, or byte offset in the register, as a multiple of 8
  std::uint8_t known = 0;           // bit n is set if both traces record byte n
  std::uint64_t a = 0, b = 0;       // values in which unknown bytes are 0
};

}  // namespace tracecodec::analysis
