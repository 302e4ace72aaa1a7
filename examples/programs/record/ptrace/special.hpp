// Kinds of instructions that need special treatment when they are single-stepped.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace record {

enum class special : std::uint8_t {
  none,
  // System call. A step over a system call ends in the kernel, possibly much later.
  system_call,
  // Instruction that pushes the trap flag, which single-stepping sets.
  push_flags,
  // Instruction F1 (int1). Its SIGTRAP has the same code as the SIGTRAP after a step over a system
  // call.
  debug_trap
};

// Classifies the instruction at the start of `code`. `wide` is true in 64-bit mode.
inline special special_of(std::span<const std::byte> code, bool wide) {
  const auto at = [code](std::size_t i) {
    return i < code.size() ? std::to_integer<unsigned>(code[i]) : 0U;
  };
  std::size_t i = 0;
  const auto is_prefix = [wide](unsigned b) {
    return b == 0x66 || b == 0x67 || b == 0xF2 || b == 0xF3 || b == 0x2E || b == 0x36 ||
           b == 0x3E || b == 0x26 || b == 0x64 || b == 0x65 || (wide && (b & 0xF0U) == 0x40);
  };
  while (is_prefix(at(i))) ++i;
  if (at(i) == 0x9C) return special::push_flags;
  if (at(i) == 0xF1) return special::debug_trap;
  const bool call = (at(i) == 0x0F && (at(i + 1) == 0x05 || at(i + 1) == 0x34)) ||
                    (at(i) == 0xCD && at(i + 1) == 0x80);
  return call ? special::system_call : special::none;
}

}  // namespace record
