// Decoder of DR_ISA_REGDEPS, the synthetic instruction set in which DynamoRIO publishes traces: an
// encoding contains only the registers, the use of the flags, and a category.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../feed/composed.hpp"
#include "../wire/types/scalar.hpp"

namespace tracecodec::x86 {

// Returns ChampSim's number of register `r` of a REGDEPS encoding. Numbers with a meaning in ChampSim
// are replaced: 6 by 254, 25 by 255 and 26 by 1.
constexpr std::uint8_t regdeps_number(std::uint8_t r) noexcept {
  if (r == feed::stack_pointer) return 254;
  if (r == feed::flags) return 255;
  return r == feed::instruction_pointer ? std::uint8_t{1} : r;
}

// Returns the operands of an encoding (core/ir/isa_regdeps/encoding_common.h), or nullopt if the
// encoding is invalid.
constexpr std::optional<feed::register_operands> regdeps_operands(std::span<const std::byte> code,
                                                                  feed::branch_class c) noexcept {
  constexpr std::size_t most = 8, first_register = 5;
  if (code.size() < 4) return std::nullopt;
  const std::uint32_t head = wire::u32le::load(code.data());
  const std::size_t written = head & 0xFU, all = written + (head >> 4 & 0xFU);
  if (all > most || (all != 0 && code.size() < first_register + all)) return std::nullopt;
  const bool writes_flags = (head >> 8 & 1U) != 0, reads_flags = (head >> 9 & 1U) != 0;
  // ChampSim's records have room for three sources of a conditional branch besides the ip.
  const bool flags_first = reads_flags && c == feed::branch_class::conditional;
  feed::register_operands plain;
  if (flags_first) plain.add_read(feed::flags);
  for (std::size_t n = 0; n != all; ++n) {
    const auto r = std::to_integer<std::uint8_t>(code[first_register + n]);
    if (r < 2 || r > 253) return std::nullopt;
    if (n < written)
      plain.add_written(regdeps_number(r));
    else
      plain.add_read(regdeps_number(r));
  }
  if (writes_flags) plain.add_written(feed::flags);
  if (reads_flags) plain.add_read(feed::flags);
  return feed::register_operands(c, plain.written(), plain.read());
}

}  // namespace tracecodec::x86
