// Properties of an x86 instruction that simulators need: its kind, and the registers and memory
// that it reads and writes. The properties do not depend on the instruction's address or on the
// disassembler.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "registers.hpp"

namespace tracecodec::x86 {

// Effect of an instruction on control flow. The values 0 to 7 are equal to ChampSim's branch
// classes.
enum class kind : std::uint8_t {
  direct_jump = 0,
  indirect_jump = 1,  // through a register or memory, near or far
  conditional = 2,    // jcc, jcxz, jecxz, jrcxz, loop, loope, loopne
  direct_call = 3,
  indirect_call = 4,
  return_ = 5,     // near and far ret, iret
  other = 6,       // sysret, sysexit, uiret, rsm, xbegin, xabort
  not_branch = 7,  // also for bytes that are not an instruction
  // syscall, sysenter, int and into. These instructions are not branches, because a trace continues
  // with the next instruction in memory.
  system = 8
};

// Condition of a conditional branch. The values 0 to 15 are the condition codes of Intel's manual.
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
  loop,            // the count is not 0 after it is decremented
  loop_equal,      // the count is not 0 after it is decremented, and the zero flag is set
  loop_not_equal,  // the count is not 0 after it is decremented, and the zero flag is clear
  none             // not a conditional branch
};

// Kind of a memory operand. The kind determines the operand's address and size.
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
  // Displacement in bytes. For push, it includes the negated operand size. For pop [rsp], it
  // includes the operand size. For rip-relative addressing, it includes the instruction length.
  std::int64_t displacement = 0;
  std::uint16_t size = 0;  // size in bytes; the size of one element for a string operand
  reg base = reg::none;
  reg index = reg::none;    // may be a vector register if `kind` is `scattered`
  reg segment = reg::none;  // segment after overrides
  std::uint8_t scale = 0;
  std::uint8_t address_bytes = 0;
  memory_kind kind = memory_kind::plain;
  bool reads = false;
  bool writes = false;
  bool conditional = false;  // true if a mask may exclude bytes of the operand
};

// Decoded instruction. The lists contain whole registers, each only once, in the order of the
// operands, followed by the flags. A write to part of a register is listed as a write to the whole
// register. If an instruction may preserve the old value of a destination (cmov), the destination
// is also listed as read. The segment registers of flat segments (cs, ds, es, ss) are not listed if
// they are only used for addressing.
struct instruction {
  // vzeroupper writes 16 registers. No known instruction reads more than 12.
  static constexpr std::size_t largest_read = 12, largest_written = 16, largest_memory = 2;

  // Distance in bytes from the end of the instruction to the target of a direct branch, or the
  // target itself if `absolute` is true.
  std::int64_t branch_offset = 0;
  // Operands that are read precede other operands.
  std::array<memory_operand, largest_memory> memory = {};
  std::array<reg, largest_read> read = {};
  std::array<reg, largest_written> written = {};
  std::uint8_t length = 0;  // 1 to 15 bytes; 0 if the bytes are not an instruction
  x86::kind kind = x86::kind::not_branch;
  x86::condition condition = x86::condition::none;
  std::uint8_t read_count = 0;
  std::uint8_t written_count = 0;
  std::uint8_t memory_count = 0;
  std::uint8_t pointer_bytes = 8;  // 4 or 8, depending on the mode
  // Size in bytes of an address, and of the part of rcx that counts iterations. The size is 2, 4 or
  // 8.
  std::uint8_t address_bytes = 8;
  std::uint8_t target_bytes = 8;  // number of bytes of a branch target that are used
  std::uint8_t frame_level = 0;   // nesting level of enter, 0 to 31
  // Register that contains the bit number of a bit_string, or the target of a branch to a register.
  reg operand = reg::none;
  // True if the instruction has the prefix rep, repe or repne. A step of this instruction is one
  // iteration, or no iteration if the count is 0.
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

  // Functions that add an operand. Disassemblers call these functions to fill in an instruction. A
  // register is not added if it is reg::none or is already listed. An operand is dropped if its
  // list is full, which does not happen for known instructions.
  constexpr void add_read(reg r) noexcept { add(read, read_count, r); }
  constexpr void add_written(reg r) noexcept { add(written, written_count, r); }
  constexpr void add_memory(const memory_operand& m) noexcept {
    if (memory_count == memory.size()) return;
    memory[memory_count++] = m;
    // Move operands that are read to the front, because the machine accesses them first.
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
