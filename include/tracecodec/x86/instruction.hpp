// What one x86 instruction is, as far as a simulator asks: its kind, the registers and the memory
// it reads and writes. Independent of where it lies and of the disassembler that found it out.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "registers.hpp"

namespace tracecodec::x86 {

// What an instruction does to the flow of control. 0 to 7 are numbered as ChampSim's classes.
enum class kind : std::uint8_t {
  direct_jump = 0,
  indirect_jump = 1,  // through a register or memory, near or far
  conditional = 2,    // jcc, jcxz, jecxz, jrcxz, loop, loope, loopne
  direct_call = 3,
  indirect_call = 4,
  return_ = 5,     // near and far ret, iret
  other = 6,       // sysret, sysexit, uiret, rsm, xbegin, xabort
  not_branch = 7,  // also what is not an instruction
  system = 8  // syscall, sysenter, int, into: a trace goes on behind it, so it is no branch there
};

// When a conditional branch is taken. 0 to 15 are the condition codes of Intel's manual.
enum class condition : std::uint8_t {
  overflow,
  not_overflow,
  below,
  not_below,
  equal,
  not_equal,
  not_above,
  above,
  sign,
  not_sign,
  parity,
  not_parity,
  less,
  not_less,
  not_greater,
  greater,
  count_zero,      // jcxz, jecxz, jrcxz
  loop,            // the count less 1 is not 0
  loop_equal,      // and the zero flag is set
  loop_not_equal,  // and the zero flag is clear
  none             // no conditional branch
};

enum class memory_kind : std::uint8_t {
  plain,
  push,        // below the stack pointer, by push, call, pusha, pushf
  pop,         // at the stack pointer, by pop, ret, popa, popf, iret
  string,      // one element of movs, cmps, scas, lods, stos, ins, outs
  table,       // xlat: the index is the low byte of rax
  bit_string,  // bt, bts, btr, btc with a bit number in a register, which moves the address
  frame,       // enter: several words, depending on its level
  hint,        // prefetch, cache line flush, invlpg, ud0, ud1: neither reads nor writes data
  scattered    // gather, scatter, tiles, bndldx, bndstx, PadLock: not one range of bytes
};

// One operand in memory. Its address is that of the first byte:
// segment + ((base + index * scale + displacement) modulo 2^(8 * address_bytes)).
struct memory_operand {
  std::int64_t displacement = 0;  // what push subtracts, pop [rsp] adds, and rip-relative adds for
                                  // the length is in it
  std::uint16_t size = 0;         // bytes; of a string operand those of one element
  reg base = reg::none;
  reg index = reg::none;    // of `scattered` perhaps a vector register
  reg segment = reg::none;  // the effective one
  std::uint8_t scale = 0;
  std::uint8_t address_bytes = 0;
  memory_kind kind = memory_kind::plain;
  bool reads = false;
  bool writes = false;
  bool conditional = false;  // under a mask that may leave out some or all of its bytes
};

// Registers are whole ones, each once, in the order of the operands, flags last. A part that is
// written counts as the register written. The old value of a destination is read where it may
// survive by a condition (cmov). Flat segments (cs ds es ss) are not listed for addressing.
struct instruction {
  // vzeroupper writes 16 registers; no known instruction reads more than 12.
  static constexpr std::size_t largest_read = 12, largest_written = 16, largest_memory = 2;

  std::int64_t branch_offset = 0;  // direct branches: from the end of the instruction; a far one's
                                   // is the target itself
  std::array<memory_operand, largest_memory> memory = {};  // what is read before what is written
  std::array<reg, largest_read> read = {};
  std::array<reg, largest_written> written = {};
  std::uint8_t length = 0;  // bytes, 1 to 15; 0: these bytes are no instruction
  x86::kind kind = x86::kind::not_branch;
  x86::condition condition = x86::condition::none;
  std::uint8_t read_count = 0;
  std::uint8_t written_count = 0;
  std::uint8_t memory_count = 0;
  std::uint8_t pointer_bytes = 8;  // 4 or 8, by the mode
  std::uint8_t address_bytes = 8;  // 2, 4 or 8: how much of rcx and the index registers counts
  std::uint8_t target_bytes = 8;   // how much of a branch target counts
  std::uint8_t frame_level = 0;    // of enter, 0 to 31
  reg operand = reg::none;  // the bit number of bit_string; the target of a branch to a register
  bool repeated = false;    // rep, repe, repne: a step is one iteration, with count 0 it is none
  bool absolute = false;    // branch_offset is the target

  [[nodiscard]] constexpr bool valid() const noexcept { return length != 0; }
  [[nodiscard]] constexpr std::span<const reg> registers_read() const noexcept {
    return {read.data(), read_count};
  }
  [[nodiscard]] constexpr std::span<const reg> registers_written() const noexcept {
    return {written.data(), written_count};
  }
  [[nodiscard]] constexpr std::span<const memory_operand> memory_operands() const noexcept {
    return {memory.data(), memory_count};
  }

  // For a disassembler that fills one in. A register that is there already, or none, is not added;
  // one that has no room is dropped, which no known instruction needs.
  constexpr void add_read(reg r) noexcept { add(read, read_count, r); }
  constexpr void add_written(reg r) noexcept { add(written, written_count, r); }
  constexpr void add_memory(const memory_operand& m) noexcept {
    if (memory_count == memory.size()) return;
    memory[memory_count++] = m;
    // What is read first, as the machine does it.
    if (memory_count == 2 && m.reads && !memory[0].reads) {
      memory[1] = memory[0];
      memory[0] = m;
    }
  }

 private:
  template <std::size_t N>
  static constexpr void add(std::array<reg, N>& list, std::uint8_t& count, reg r) noexcept {
    if (r == reg::none || count == N) return;
    for (std::size_t i = 0; i < count; ++i)
      if (list[i] == r) return;
    list[count++] = r;
  }
};

}  // namespace tracecodec::x86
