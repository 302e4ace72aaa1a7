// Decodes details of x86 instructions that x86::instruction does not contain: prefixes, the kind of
// system call, and the condition of a conditional move.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../x86/instruction.hpp"
#include "../layout/instruction.hpp"

namespace tracecodec::umtracer {

// Prefixes of an instruction, and the first two bytes of its opcode. An opcode byte is 0x100 if the
// code ends before that byte.
struct x86_code {
  bool rep = false, repne = false, lock = false;
  bool operand16 = false;  // prefix 66
  bool rex_w = false;
  unsigned opcode = 0x100, second = 0x100;

  constexpr x86_code(std::span<const std::byte> code, bool code64) noexcept {
    const auto at = [code](std::size_t i) {
      return i < code.size() ? std::to_integer<unsigned>(code[i]) : 0x100U;
    };
    std::size_t i = 0;
    while (take(at(i))) ++i;
    if (code64 && (at(i) & 0x1F0U) == 0x40) rex_w = (at(i++) & 8) != 0;
    opcode = at(i);
    second = at(i + 1);
  }

 private:
  // Sets the member for prefix `b` and returns true. Returns false if `b` is not a legacy prefix.
  // If rep and repne both occur, the last one applies.
  constexpr bool take(unsigned b) noexcept {
    switch (b) {
      case 0xF3:
      case 0xF2:
        rep = b == 0xF3;
        repne = b == 0xF2;
        return true;
      case 0xF0:
        return lock = true;
      case 0x66:
        return operand16 = true;
      case 0x67:
      case 0x2E:
      case 0x36:
      case 0x3E:
      case 0x26:
      case 0x64:
      case 0x65:
        return true;
      default:
        return false;
    }
  }
};

// Returns the value of insRec::Type for `i`. The code bytes do not identify the operating system,
// so int 2e is always classified as the alternate system call of Windows.
constexpr instruction_type type_of(const x86::instruction& i, const x86_code& code, bool code64) {
  using type = instruction_type;
  if (i.kind == x86::kind::system) {
    if (code.opcode == 0x0F) return code64 ? type::fast_syscall64 : type::fast_syscall32;
    return code.opcode == 0xCD && code.second == 0x2E ? type::alternate_syscall
                                                      : type::software_interrupt;
  }
  const bool hints = code.opcode == 0x0F && (code.second == 0x0D || code.second == 0x18);
  const bool wide_nop = code.opcode == 0x0F && code.second >= 0x18 && code.second <= 0x1F;
  if (hints && i.memory_count != 0) return type::prefetch;
  const bool idle = i.valid() && i.kind == x86::kind::not_branch && i.memory_count == 0 &&
                    i.read_count == 0 && i.written_count == 0;
  // F3 90 is pause, which is not a nop.
  return idle && (wide_nop || (code.opcode == 0x90 && !code.rep)) ? type::nop : type::normal;
}

// Returns the condition of cmovcc or fcmovcc. Returns condition::none for other instructions.
constexpr x86::condition move_condition(const x86_code& code) noexcept {
  using x86::condition;
  if (code.opcode == 0x0F && (code.second & 0x1F0U) == 0x40)
    return static_cast<condition>(code.second & 15);
  // The codes DA C0 to DA DF move if below, equal, not above or unordered (the parity flag). The
  // codes DB C0 to DB DF move under the opposite conditions.
  if ((code.opcode == 0xDA || code.opcode == 0xDB) && code.second >= 0xC0 && code.second <= 0xDF) {
    constexpr condition straight[]{condition::below, condition::equal, condition::not_above,
                                   condition::parity};
    const auto c = static_cast<unsigned>(straight[code.second >> 3 & 3]);
    return static_cast<condition>(c + (code.opcode == 0xDB ? 1 : 0));
  }
  return condition::none;
}

// Returns the effective operand size in bytes, according to the prefixes and the mode. For branches
// and stack operations without prefixes, the operand size is the pointer size of the mode.
constexpr std::uint8_t operand_size_of(const x86::instruction& i, const x86_code& code) noexcept {
  if (code.rex_w) return 8;
  if (code.operand16) return 2;
  bool stack = i.kind < x86::kind::not_branch;
  for (const x86::memory_operand& m : i.memory_operands())
    stack |= m.kind == x86::memory_kind::push || m.kind == x86::memory_kind::pop;
  return stack ? i.pointer_bytes : 4;
}

}  // namespace tracecodec::umtracer
