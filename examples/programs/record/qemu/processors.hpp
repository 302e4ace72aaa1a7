// Instructions of other processors in the form of x86's: their kind, and the registers that they read and
// write, by which ChampSim tells branches apart.
#pragma once
#include <tracecodec/x86/instruction.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace record::qemu {

namespace x86 = tracecodec::x86;

// How registers are numbered. Simulators ask of three what they are; they have the numbers of x86's.
//   6        the stack pointer: sp, x2 of RISC-V
//   25, 26   the flags (nzcv), the instruction pointer
//   32 + n   general register n; AArch64's zero register, RISC-V's x0, and what sets modes are left out
//   64 + n   register n of vectors or of floating-point numbers
inline constexpr std::size_t general_registers = 32, other_registers = 64;

// Of the instruction at the front of `code`. Of its memory operands
// only those that are read and written at once are told. An instruction that is not
// known has no registers; and if it may be a branch it is not valid().
using decode_function = x86::instruction (*)(std::span<const std::byte> code);

// AArch64, by Capstone.
x86::instruction decode_aarch64(std::span<const std::byte> code);
// RISC-V of 64 bits: IMAFDC and vectors, by the manual's formats (The RISC-V Instruction Set Manual I, 2.2, 16.8
// and 24), as Capstone 4 does not know it.
x86::instruction decode_riscv64(std::span<const std::byte> code);

}  // namespace record::qemu
