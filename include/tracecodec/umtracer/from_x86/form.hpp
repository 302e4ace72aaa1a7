// Decoded form of an x86::instruction (UMTracer specification, 7.2): the registers and memory whose
// values execution records contain, and the offsets of the values.
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

// Decoded form of an instruction's code bytes, shared by all addresses with the same code bytes.
//
// The slots are in three groups:
// - operands that are read, before execution
// - operands that are only written, before execution
// - operands that are written, after execution
//
// In each group, registers come first, as whole registers in the order of x86::instruction. Memory
// follows: MEM0 and MEM1, STACKPUSH, STACKPOP. Each has an address of 8 bytes, followed by the
// value. Memory that push, call and enter store has no slot before execution. If an address uses fs
// or gs, the slot is FSBASE or GSBASE. Registers that contexts do not contain have slots without
// bytes. Gathers, scatters, prefetched lines and lea's address have no slots.
//
// The only explicit operand is the target of a branch: a constant, or the register or memory that
// contains the target. x86::instruction does not show which other operands are explicit. Numbers
// for XED's names (category, mnemonic, form) are 0.
struct x86_form {
  static constexpr std::uint16_t none = 0xFFFF;

  // Register, or base of a segment, whose low `size` bytes are at `offset` in the values.
  struct register_value {
    x86::reg which;
    bool base;
    std::uint16_t offset, size;
  };
  // Memory operand: offsets of its address in the values, before and after execution. The operand's
  // value follows the 8 bytes of the address.
  struct memory_value {
    std::uint8_t operand;  // index in x86::instruction::memory
    std::uint16_t size;
    std::uint16_t before = none, after = none;
  };

  x86::instruction what = {};
  instruction_type type = instruction_type::normal;
  x86::condition move = x86::condition::none;  // condition of cmovcc or fcmovcc
  bool segmented = false;                      // true if an operand uses fs or gs
  std::uint8_t untraced = 0;  // exec_flags to set if the addresses of some operands are unknown
  decoded_instruction decoded = {};  // decoded_at() returns the final constants
  std::vector<slot> slots = {};
  std::vector<register_value> before = {}, after = {};
  std::vector<memory_value> memory = {};
  bool relative = false;  // true if constants depend on the instruction's address

  // Returns the form for a row at address `ip`: branch targets and addresses relative to the
  // instruction pointer become absolute.
  [[nodiscard]] decoded_instruction decoded_at(std::uint64_t ip) const noexcept;
};

// Returns the form of `i`, which a disassembler of x86/ decoded from `code`. Invalid instructions
// have no slots.
TRACECODEC_FUNC x86_form form_of(const x86_register_map& map, bool code64,
                                 const x86::instruction& i, std::span<const std::byte> code);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/form.ipp"
#endif
