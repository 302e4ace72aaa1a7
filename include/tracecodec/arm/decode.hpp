// Decoder of Arm instructions: their kind and the registers that they read and write.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../config.hpp"
#include "../x86/instruction.hpp"
#include "parts.hpp"

namespace tracecodec::arm {

// Decodes an instruction, whose bytes are in the order of memory. The result has the numbers of
// registers.hpp, and no memory operands. Code of another size is not valid.
// - A64 (4 bytes): branches and registers (Arm Architecture Reference Manual for A-profile, C4.1). SVE
//   and SME instructions, and unknown ones, have no registers.
// - A32 (4 bytes): branches and registers, without those of floating-point and vector instructions.
//   A branch that depends on a condition is conditional, even if it is a call or a return.
// - T32 (2 or 4 bytes): branches and the registers that they read.
TRACECODEC_FUNC x86::instruction decode(instruction_set set,
                                        std::span<const std::byte> code) noexcept;

// Returns the target of `i` at `ip` if `i` is a direct branch, otherwise 0. The target of a call from
// T32 to A32 code, whose target_bytes is 4, is a multiple of 4.
constexpr std::uint64_t direct_target(const x86::instruction& i, std::uint64_t ip) noexcept {
  if ((i.kind != x86::kind::direct_jump && i.kind != x86::kind::direct_call &&
       i.kind != x86::kind::conditional) ||
      i.operand != x86::reg::none)
    return 0;
  std::uint64_t to = ip + i.length + static_cast<std::uint64_t>(i.branch_offset);
  if (i.target_bytes == 4) to &= ~std::uint64_t{3};
  return i.pointer_bytes == 4 ? to & 0xFFFFFFFFU : to;
}

// Returns the number of instructions whose execution depends on the T32 instruction IT, or 0 if the
// code is another instruction.
TRACECODEC_FUNC unsigned conditional_count(std::span<const std::byte> code) noexcept;

}  // namespace tracecodec::arm

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decode.ipp"
#endif
