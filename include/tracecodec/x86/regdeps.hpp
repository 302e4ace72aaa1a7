// Codec of DR_ISA_REGDEPS, the synthetic instruction set in which DynamoRIO publishes traces: an
// encoding contains only the registers, the use of the flags, and a category.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../feed/composed.hpp"
#include "../wire/types/scalar.hpp"

namespace tracecodec::x86 {

// Returns ChampSim's number of register `r` of a REGDEPS encoding. Numbers with a meaning in ChampSim
// are replaced: 6 by 254, 25 by 255 and 26 by 1. DynamoRIO does not use the numbers 254 and 255. In
// traces that this library writes, they are the stack pointer and the instruction pointer.
constexpr std::uint8_t regdeps_number(std::uint8_t r) noexcept {
  switch (r) {
    case feed::stack_pointer:
      return 254;
    case feed::flags:
      return 255;
    case feed::instruction_pointer:
      return 1;
    case 254:
      return feed::stack_pointer;
    case 255:
      return feed::instruction_pointer;
    default:
      return r;
  }
}
// Returns the register of a REGDEPS encoding for which regdeps_number() returns `number`. The flags
// and 0 are not registers of an encoding.
constexpr std::uint8_t regdeps_register(std::uint8_t number) noexcept {
  switch (number) {
    case feed::stack_pointer:
      return 254;
    case feed::instruction_pointer:
      return 255;
    case 254:
      return feed::stack_pointer;
    case 255:
      return feed::flags;
    case 1:
      return feed::instruction_pointer;
    default:
      return number;
  }
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
    if (r < 2) return std::nullopt;
    if (n < written)
      plain.add_written(regdeps_number(r));
    else
      plain.add_read(regdeps_number(r));
  }
  if (writes_flags) plain.add_written(feed::flags);
  if (reads_flags) plain.add_read(feed::flags);
  feed::register_operands operands(c, plain.written(), plain.read());
  // A direct jump may read the instruction pointer, but no other register.
  if (std::ranges::count(plain.read(), feed::instruction_pointer) != 0)
    operands.add_read(feed::instruction_pointer);
  return operands;
}

// Bits of the category of an encoding (core/ir/instr_api.h, DR_INSTR_CATEGORY_*).
struct regdeps_category {
  static constexpr std::uint32_t load = 2, store = 4, branch = 8;
};

// Encoding, and the number of registers that did not fit.
struct regdeps_code {
  feed::code_bytes bytes = {};
  std::size_t dropped = 0;
};
// Returns the encoding of an instruction of class `c`, for which regdeps_operands() returns the
// registers `written` and `read` (ChampSim's numbers), up to the order. The size of the operation is
// unknown.
constexpr regdeps_code regdeps_encoding(feed::branch_class c, feed::register_numbers written,
                                        feed::register_numbers read,
                                        std::uint32_t category) noexcept {
  constexpr std::size_t most = 8;
  const feed::register_operands implied(c);
  const bool names_source = std::ranges::any_of(
      read, [&](std::uint8_t r) { return r != 0 && std::ranges::count(implied.read(), r) == 0; });
  std::array<std::uint8_t, most> registers{};
  std::size_t n = 0, dropped = 0;
  std::uint32_t head = category << 10;
  const auto add = [&](feed::register_numbers all, feed::register_numbers shape, bool reads) {
    for (const std::uint8_t r : all) {
      if (r == 0) continue;
      if (r == feed::flags) {
        head |= reads ? 0x200U : 0x100U;
      } else if (std::ranges::count(shape, r) != 0 &&
                 (r != feed::unnamed_source || !names_source)) {
        continue;  // follows from the class
      } else if (n == most) {
        ++dropped;
      } else {
        registers[n++] = regdeps_register(r);
        head += reads ? 0x10U : 1U;
      }
    }
  };
  add(written, implied.written(), false);
  add(read, implied.read(), true);
  regdeps_code made{.dropped = dropped};
  made.bytes.add(head, 4);
  if (n == 0) return made;
  made.bytes.add(0U, 1);  // OPSZ_NA
  for (std::size_t i = 0; i != n; ++i) made.bytes.add(std::uint32_t{registers[i]}, 1);
  made.bytes.add(0U, (4 - (1 + n) % 4) % 4);
  return made;
}

}  // namespace tracecodec::x86
