// Flow of data through an x86 instruction: which bytes it writes, and from which bytes these come.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../config.hpp"
#include "registers.hpp"

namespace tracecodec::x86 {

// Bytes of a register or of a memory operand.
struct flow_bytes {
  reg which = reg::none;  // reg::none for memory
  // Number of the access among those that read memory, or among those that write it.
  std::uint8_t access = 0;
  std::uint16_t offset = 0, size = 0;  // in the register or in the operand
  friend constexpr bool operator==(const flow_bytes&, const flow_bytes&) = default;
};

// Bytes that an instruction writes, and the bytes before the instruction on which they depend.
struct data_flow {
  flow_bytes to = {};
  std::vector<flow_bytes> from = {};  // empty if the result is constant
  // True if byte n of `to` is byte n of the only element of `from`.
  bool copies = false;
};

// Flows of an instruction. Registers that only form an address are not sources of the data, except
// of the result of lea.
//
// - Moves, push, pop, xchg, bswap and string instructions copy bytes. Other results depend on all
//   inputs, except pointers of string instructions and the stack pointer, which depend only on
//   themselves. A result that does not depend on its inputs (xor eax, eax) is constant.
// - A write to a 32-bit register in 64-bit mode sets the upper half to 0, and VEX and EVEX clear
//   the rest of a vector register. Other writes to parts leave the rest.
// - The flags are one register. An instruction that leaves some of CF, PF, AF, ZF, SF and OF also
//   reads the flags. Other flags are ignored.
// - The x87 stack is one register, st0, to which all instructions of the x87 unit add.
// - A branch that depends on data writes reg::ip.
struct instruction_flow {
  std::vector<data_flow> flows = {};
  std::vector<flow_bytes> addresses = {};  // registers that form the addresses of memory operands
  // Numbers of memory accesses that are read and written.
  std::uint8_t reads = 0, writes = 0;
  // True if the results come from outside the program: system calls, cpuid, rdtsc, in and similar.
  bool outside = false;
  // True if the number of accesses depends on the state (enter, gather, scatter, xsave), so that
  // the numbers of accesses have no meaning.
  bool varies = false;
  bool masks = false;     // true if a mask may exclude bytes of the memory that is written
  bool repeated = false;  // true for a string instruction with rep, which may have no iteration
};

}  // namespace tracecodec::x86
