// Decoder of 64-bit RISC-V instructions: their kind and the registers that they read and write.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../config.hpp"
#include "../x86/instruction.hpp"
#include "registers.hpp"

namespace tracecodec::riscv {

// Decodes an instruction of 2 or 4 bytes (IMAFDC and vectors). The result has the numbers of
// registers.hpp, and a memory operand only if the instruction reads the operand and then writes it.
// For an unknown instruction, the result has no registers. For code of another size, the result is
// not valid. Capstone 4 does not support RISC-V, so the decoder implements the instruction formats
// itself (The RISC-V Instruction Set Manual, Volume I, sections 2.2 and 16.8, chapter 24).
TRACECODEC_FUNC x86::instruction decode(std::span<const std::byte> code) noexcept;

// Returns the size in bytes of the memory that an instruction of 2 or 4 bytes accesses. Returns 0 for
// other instructions, for vectors and for unknown code.
TRACECODEC_FUNC unsigned access_bytes(std::span<const std::byte> code) noexcept;

}  // namespace tracecodec::riscv

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decode.ipp"
#endif
