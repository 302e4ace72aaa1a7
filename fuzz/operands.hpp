// Reads the operands of an instruction of a feed.
#pragma once
#include <cstdint>

#include "tracecodec/feed/instruction.hpp"

namespace fuzz {

// Returns a number that depends on every register and access, so that no read is optimised away.
template <class Instruction> std::uint64_t sum_of_operands(const Instruction& i) {
  std::uint64_t sum = 0;
  for (const auto r : i.destination_registers()) sum += r;
  for (const auto r : i.source_registers()) sum += r;
  tracecodec::feed::for_each_access(
      i, [&](std::uint64_t address, std::uint64_t size, bool) { sum += address ^ size; });
  return sum;
}

}  // namespace fuzz
