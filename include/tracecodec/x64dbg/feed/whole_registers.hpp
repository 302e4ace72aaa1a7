// Finds the registers that an instruction changes. Each register is reported once, although REGDUMP
// contains several copies of many registers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../layout/registers.hpp"
#include "../reader/state.hpp"
#include "executed_instruction.hpp"

namespace tracecodec::x64dbg {

// Returns the whole registers except the instruction pointer. The first `general_count` registers
// are the general registers and the flags. They are followed by the segments, dr, x87, mxcsr,
// last_error, xmm, ymm and mm. Copies, such as the separate byte for each flag, are left out.
template <target T> std::span<const register_name> whole_registers() noexcept;
template <target T> inline constexpr std::size_t general_count = T == target::x64 ? 17 : 9;

// Returns byte `i` of the register `r` in a register file.
template <target T> constexpr std::uint8_t byte_in(const register_file<T>& file,
                                                   const register_name& r, std::size_t i) noexcept {
  constexpr std::size_t size = sizeof(wire::word_t<T>);
  const std::size_t at = r.offset + i;
  return static_cast<std::uint8_t>(file[at / size] >> 8 * (at % size));
}

// Returns the value of the register `r`, which must have at most 8 bytes.
template <target T>
constexpr std::uint64_t value_in(const register_file<T>& file, const register_name& r) noexcept {
  std::uint64_t v = 0;
  for (std::size_t i = r.size; i-- != 0;) v = v << 8U | byte_in<T>(file, r, i);
  return v;
}

// Calls f(register) for each whole register that differs between two register files. For ymm
// registers, only the upper halves are compared, because the lower halves are the xmm registers.
template <target T, class F>
TRACECODEC_INLINE void for_each_changed_register(const register_file<T>& before,
                                                 const register_file<T>& after, F&& f) {
  // First word after the instruction pointer (cip) and the flags.
  constexpr std::size_t general = register_state<T>::cip_word + 2;
  const auto all = whole_registers<T>();
  for (const register_name& r : all.first(general_count<T>)) {
    const std::size_t w = r.template word<T>();
    if (before[w] != after[w]) f(r);
  }
  // Most instructions do not change the remaining words, so first compare all of these words at
  // once.
  bool same = true;
  for (std::size_t w = general; w != before.size(); ++w) same &= before[w] == after[w];
  if (same) [[likely]]
    return;
  for (const register_name& r : all.subspan(general_count<T>)) {
    bool changed = false;
    for (std::size_t i = r.size == 32 ? 16 : 0; i < r.size; ++i)
      changed |= byte_in<T>(before, r, i) != byte_in<T>(after, r, i);
    if (changed) f(r);
  }
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/whole_registers.ipp"
#endif
