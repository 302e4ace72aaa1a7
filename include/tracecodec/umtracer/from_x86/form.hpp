// The decoded form (7.2) of an x86::instruction: which registers and memory its execution records
// show, and where in them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../config.hpp"
#include "../../x86/accesses.hpp"
#include "../../x86/branch.hpp"
#include "code.hpp"
#include "registers.hpp"

namespace tracecodec::umtracer {

// Made of an opcode, for every address that has it.
//
// Slots: what is read, before; then what is only written, before; then what is written, after.
// Registers are whole ones, in the order of x86::instruction, memory is behind them: MEM0 and MEM1,
// STACKPUSH, STACKPOP, each 8 bytes of address and the value. What push, call and enter store has
// no value before. fs and gs of an address are FSBASE and GSBASE. Registers that contexts do not
// hold have slots without bytes. Gather, scatter, prefetched lines and lea's address have none.
//
// x86::instruction does not tell the explicit operands, but those of branches: a constant target,
// or the register or memory that it comes from. Names of XED (category, mnemonic, form) are 0.
struct x86_form {
  static constexpr std::uint16_t none = 0xFFFF;

  // The low `size` bytes of a register, or the base of a segment.
  struct register_value {
    x86::reg which;
    bool base;
    std::uint16_t offset, size;
  };
  // An operand in memory: its address is at these offsets, its value 8 bytes behind.
  struct memory_value {
    std::uint8_t operand;  // of x86::instruction
    std::uint16_t size;
    std::uint16_t before = none, after = none;
  };

  x86::instruction what = {};
  instruction_type type = instruction_type::normal;
  x86::condition move = x86::condition::none;  // of cmovcc, fcmovcc
  bool segmented = false;                      // has an operand in fs or gs
  std::uint8_t untraced = 0;         // exec_flags of operands whose addresses cannot be known
  decoded_instruction decoded = {};  // constants: see constants_at()
  std::vector<slot> slots = {};
  std::vector<register_value> before = {}, after = {};
  std::vector<memory_value> memory = {};
  bool relative = false;  // constants depend on where it lies

  // The form as a row at address `ip` has it: branch targets and addresses relative to the
  // instruction pointer are absolute.
  [[nodiscard]] decoded_instruction decoded_at(std::uint64_t ip) const noexcept;
};

// The form of `i`, which x86/ decoded from `code`. One that is invalid has no slots.
TRACECODEC_FUNC x86_form form_of(const x86_register_map& map, bool code64,
                                 const x86::instruction& i, std::span<const std::byte> code);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/form.ipp"
#endif
