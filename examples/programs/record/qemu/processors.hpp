// Decoders for processors other than x86. They convert instructions to the form of x86
// instructions. The result contains the kind of an instruction and its registers, from which
// ChampSim derives branch classes.
#pragma once
#include <tracecodec/x86/instruction.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace record::qemu {

namespace x86 = tracecodec::x86;

// Numbering of registers. Three registers have a meaning for simulators and therefore x86's
// numbers:
//   6        the stack pointer: sp, x2 of RISC-V
//   25, 26   the flags (nzcv), the instruction pointer
//   32 + n   general register n, without AArch64's zero register, RISC-V's x0 and mode registers
//   64 + n   register n of vectors or of floating-point numbers
inline constexpr std::size_t general_registers = 32, other_registers = 64;

// Function that decodes the instruction at the start of `code`. It lists only memory operands that
// the instruction reads and writes in one operation. An unknown instruction has no registers. If an
// unknown instruction may be a branch, it is not valid().
using decode_function = x86::instruction (*)(std::span<const std::byte> code);

// Decodes an AArch64 instruction with Capstone.
x86::instruction decode_aarch64(std::span<const std::byte> code);
// Decodes a 64-bit RISC-V instruction: IMAFDC and vectors. The decoder follows the formats in the
// manual (The RISC-V Instruction Set Manual I, 2.2, 16.8 and 24), because Capstone 4 does not
// support RISC-V.
x86::instruction decode_riscv64(std::span<const std::byte> code);

}  // namespace record::qemu
