// Computes the effective address of a memory operand from the register values before the
// instruction.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>

#include "../wire/types/bytes.hpp"
#include "instruction.hpp"

namespace tracecodec::x86 {

// Register state before an instruction.
// value(r)          returns the value of a general register, the flags or the ip, zero-extended to
//                   64 bits
// segment_base(r)   returns the base of fs or gs, the only segments that are not flat
template <class S>
concept machine_state = requires(const S& s, reg r) {
  { s.value(r) } -> std::convertible_to<std::uint64_t>;
  { s.segment_base(r) } -> std::convertible_to<std::uint64_t>;
};

// Returns a mask of the low `bytes` bytes. `bytes` must be from 1 to 8.
TRACECODEC_INLINE constexpr std::uint64_t low_bytes(unsigned bytes) noexcept {
  return ~std::uint64_t{0} >> (64 - 8 * bytes);
}

namespace detail {
// Returns the offset in bytes that bt and similar instructions add to the address of an operand of
// `size` bytes to access bit number `bit`. The offset is a multiple of `size`, and may be negative.
constexpr std::uint64_t bit_string_offset(std::uint64_t bit, unsigned size) noexcept {
  const unsigned unused = 64 - 8 * size;
  const std::int64_t number = static_cast<std::int64_t>(bit << unused) >> unused;
  const int shift = size == 2 ? 4 : size == 4 ? 5 : 6;
  return static_cast<std::uint64_t>(number >> shift) * size;
}
}  // namespace detail

// Returns the offset of an operand of `i` in its segment, which is the operand's address minus the
// segment's base. The index of a `scattered` operand is not included.
template <machine_state S>
TRACECODEC_INLINE constexpr std::uint64_t segment_offset(const instruction& i,
                                                         const memory_operand& m, const S& s) {
  std::uint64_t a = static_cast<std::uint64_t>(m.displacement);
  if (m.base != reg::none) a += s.value(m.base);
  if (m.index != reg::none && m.kind != memory_kind::scattered) {
    const std::uint64_t index = s.value(m.index);
    a += m.kind == memory_kind::table ? index & 0xff : index * m.scale;
  }
  if (m.kind == memory_kind::bit_string) [[unlikely]]
    a += detail::bit_string_offset(s.value(i.operand), m.size);
  return a & low_bytes(m.address_bytes);
}

// Returns the address of the first byte of an operand of `i`.
template <machine_state S>
TRACECODEC_INLINE constexpr std::uint64_t address(const instruction& i, const memory_operand& m,
                                                  const S& s) {
  const std::uint64_t a = segment_offset(i, m, s);
  if (m.segment != reg::fs && m.segment != reg::gs) [[likely]]
    return a;
  return (a + s.segment_base(m.segment)) & low_bytes(i.pointer_bytes);
}

// Returns the base of fs or gs, given that the only memory operand of `i` is at address `at`.
// Returns nullopt if `i` does not have exactly one memory operand. Also returns nullopt if the
// operand is not relative to fs or gs, or if its kind is `scattered` or `hint`. Intended for traces
// that record addresses but not segment bases.
template <machine_state S>
constexpr std::optional<std::uint64_t> segment_base_from(const instruction& i, const S& s,
                                                         std::uint64_t at) {
  if (i.memory_count != 1) return std::nullopt;
  const memory_operand& m = i.memory[0];
  if (m.segment != reg::fs && m.segment != reg::gs) return std::nullopt;
  if (m.kind == memory_kind::scattered || m.kind == memory_kind::hint) return std::nullopt;
  return (at - segment_offset(i, m, s)) & low_bytes(i.pointer_bytes);
}

}  // namespace tracecodec::x86
