// Properties of an x86 instruction that simulators need: its kind, and the registers and memory
// that it reads and writes. The properties depend neither on the instruction's address nor on the
// disassembler.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "registers.hpp"

namespace tracecodec::x86 {

// Effect of an instruction on control flow. Values 0 to 7 equal ChampSim's branch classes.
enum class kind : std::uint8_t {
  direct_jump = 0,
  indirect_jump = 1,  // through a register or memory, near or far
  conditional = 2,    // jcc, jcxz, jecxz, jrcxz, loop, loope, loopne
  direct_call = 3,
  indirect_call = 4,
  return_ = 5,     // near and far ret, iret
  other = 6,       // sysret, sysexit, uiret, rsm, xbegin, xabort
  not_branch = 7,  // also for bytes that are not an instruction
  // syscall, sysenter, int and into. They are not branches, because a trace continues with the
  // next instruction.
  system = 8
};

// Condition of a conditional branch. Values 0 to 15 are the condition codes of Intel's manual.
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
  loop,            // the count minus 1 is not 0
  loop_equal,      // the count minus 1 is not 0, and the zero flag is set
  loop_not_equal,  // the count minus 1 is not 0, and the zero flag is clear
  none             // not a conditional branch
};

// Kind of a memory operand, which determines its address and size.
enum class memory_kind : std::uint8_t {
  plain,
  push,        // below the stack pointer: push, call, pusha, pushf
  pop,         // at the stack pointer: pop, ret, popa, popf, iret
  string,      // one element of movs, cmps, scas, lods, stos, ins, outs
  table,       // xlat, whose index is the low byte of rax
  bit_string,  // bt, bts, btr, btc with a bit number in a register, which changes the address
  frame,       // enter: several words, depending on the nesting level
  hint,        // prefetch, cache line flush, invlpg, ud0, ud1: neither reads nor writes data
  scattered    // gather, scatter, tiles, bndldx, bndstx, PadLock: not a single range of bytes
};

// Memory operand. The address of the operand's first byte is
// segment + ((base + index * scale + displacement) modulo 2^(8 * address_bytes)).
struct memory_operand {
  // Displacement in bytes. It includes the operand size that push subtracts and pop [rsp] adds,
  // and the instruction length that rip-relative addressing adds.
  std::int64_t displacement = 0;
  std::uint16_t size = 0;  // size in bytes; for a string operand, size of one element
  reg base = reg::none;
  reg index = reg::none;    // may be a vector register if `kind` is `scattered`
  reg segment = reg::none;  // segment after overrides
  std::uint8_t scale = 0;
  std::uint8_t address_bytes = 0;
  memory_kind kind = memory_kind::plain;
  bool reads = false;
  bool writes = false;
  bool conditional = false;  // true if a mask may exclude some or all bytes of the operand
};

// Decoded instruction. The lists contain whole registers, each once, in the order of the
// operands, with the flags last. An instruction that writes part of a register writes the whole
// register. An instruction that may preserve the old value of a destination (cmov) also reads
// the destination. Flat segments (cs, ds, es, ss) are not listed for addressing.
struct instruction {
  // vzeroupper writes 16 registers. No known instruction reads more than 12.
  static constexpr std::size_t largest_read = 12, largest_written = 16, largest_memory = 2;

  // Distance from the end of the instruction to the target of a direct branch. If `absolute`,
  // the target itself.
  std::int64_t branch_offset = 0;
  std::array<memory_operand, largest_memory> memory = {};  // operands that are read come first
  std::array<reg, largest_read> read = {};
  std::array<reg, largest_written> written = {};
  std::uint8_t length = 0;  // 1 to 15 bytes; 0 if the bytes are not an instruction
  x86::kind kind = x86::kind::not_branch;
  x86::condition condition = x86::condition::none;
  std::uint8_t read_count = 0;
  std::uint8_t written_count = 0;
  std::uint8_t memory_count = 0;
  std::uint8_t pointer_bytes = 8;  // 4 or 8, depending on the mode
  std::uint8_t address_bytes = 8;  // number of bytes of rcx and of addresses used: 2, 4 or 8
  std::uint8_t target_bytes = 8;   // number of bytes of a branch target that are used
  std::uint8_t frame_level = 0;    // nesting level of enter, 0 to 31
  // Register with the bit number of a bit_string, or with the target of a branch to a register.
  reg operand = reg::none;
  // True if the instruction has the prefix rep, repe or repne. A step is then one iteration, or
  // no iteration if the count is 0.
  bool repeated = false;
  bool absolute = false;  // true if branch_offset is the target (far branches)

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

  // Adds an operand, for disassemblers that fill in an instruction. A register that is reg::none
  // or is already listed is not added. An operand is dropped if its list is full, which does not
  // happen for known instructions.
  constexpr void add_read(reg r) noexcept { add(read, read_count, r); }
  constexpr void add_written(reg r) noexcept { add(written, written_count, r); }
  constexpr void add_memory(const memory_operand& m) noexcept {
    if (memory_count == memory.size()) return;
    memory[memory_count++] = m;
    // Put operands that are read first, because the machine accesses them first.
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
