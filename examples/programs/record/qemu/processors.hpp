// Decoders for processors other than x86. A decoder converts an instruction to an x86::instruction
// that contains its kind and its registers. ChampSim derives branch classes from these registers.
#pragma once
#include <tracecodec/riscv/decode.hpp>
#include <tracecodec/x86/instruction.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace record::qemu {

namespace x86 = tracecodec::x86;

// Register numbers. Simulators interpret the stack pointer, the flags and the instruction pointer,
// so these three registers have the same numbers as on x86. The numbers are:
//   6        the stack pointer: sp (x2 on RISC-V)
//   25, 26   the flags (nzcv), the instruction pointer
//   32 + n   general register n; zero registers and control registers have no number
//   64 + n   vector register or floating-point register n
inline constexpr std::size_t general_registers = 32, other_registers = 64;

// Function that decodes the instruction at the start of `code`. The result contains a memory
// operand only if a single operation both reads and writes the operand. For an unknown instruction,
// the result has no registers, and valid() returns false if the instruction may be a branch.
using decode_function = x86::instruction (*)(std::span<const std::byte> code);

// Decodes an AArch64 instruction with Capstone.
x86::instruction decode_aarch64(std::span<const std::byte> code);
// Decodes a 64-bit RISC-V instruction (IMAFDC and vectors).
inline x86::instruction decode_riscv64(std::span<const std::byte> code) {
  return tracecodec::riscv::decode(code);
}

}  // namespace record::qemu
