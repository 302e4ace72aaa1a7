// Decoded form of an x86::instruction (UMTracer specification, 7.2). The form lists the registers
// and memory with values in execution records, and the offsets of these values.
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

// Decoded form of code bytes, shared by all instructions with the same code bytes.
//
// The slots are in three groups:
// - operands that are read, before execution
// - operands that are only written, before execution
// - operands that are written, after execution
//
// In each group, whole registers come first, in the order of x86::instruction. Memory follows, in
// the order MEM0, MEM1, STACKPUSH, STACKPOP. A memory slot contains an 8-byte address, followed by
// the value.
//
// Memory to which push, call and enter store has no slot before execution. If an address uses fs or
// gs, the segment's slot is FSBASE or GSBASE. A register that contexts do not contain has a slot
// without bytes. Gathers, scatters, prefetched lines and the address that lea computes have no
// slots.
//
// The only explicit operand is the target of a branch: a constant, or the register or memory that
// contains the target. Other operands are omitted, because x86::instruction does not distinguish
// explicit operands from implicit ones. The numbers of XED's category, mnemonic and form are 0.
struct x86_form {
  static constexpr std::uint16_t none = 0xFFFF;

  // Register, or base of a segment. The low `size` bytes are at `offset` in the values.
  struct register_value {
    x86::reg which;
    bool base;
    std::uint16_t offset, size;
  };
  // Memory operand. `before` and `after` are the offsets, in a record's values, of the operand's
  // address before and after execution. The operand's value follows the 8 bytes of the address.
  struct memory_value {
    std::uint8_t operand;  // index in x86::instruction::memory
    std::uint16_t size;
    std::uint16_t before = none, after = none;
  };

  x86::instruction what = {};
  instruction_type type = instruction_type::normal;
  x86::condition move = x86::condition::none;  // condition of cmovcc or fcmovcc
  bool segmented = false;                      // true if an operand uses fs or gs
  std::uint8_t untraced = 0;         // exec_flags for operands whose addresses are unknown
  decoded_instruction decoded = {};  // without the final constants; see decoded_at()
  std::vector<slot> slots = {};
  std::vector<register_value> before = {}, after = {};
  std::vector<memory_value> memory = {};
  bool relative = false;  // true if constants depend on the instruction's address

  // Returns the form for a row at address `ip`. In the result, branch targets and addresses
  // relative to the instruction pointer are absolute.
  [[nodiscard]] decoded_instruction decoded_at(std::uint64_t ip) const noexcept;
};

// Returns the form of `i`. A disassembler of x86/ must have decoded `i` from `code`. Invalid
// instructions have no slots.
TRACECODEC_FUNC x86_form form_of(const x86_register_map& map, bool code64,
                                 const x86::instruction& i, std::span<const std::byte> code);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/form.ipp"
#endif
