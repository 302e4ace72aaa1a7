// Registers of an Arm instruction in a feed.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../feed/composed.hpp"
#include "decode.hpp"

namespace tracecodec::arm {

// Returns the operands of the decoded instruction `i`, which is a branch of class `c` in the trace.
// `recorded` are the registers that the trace lists as written. If it lists none, and the instruction
// was executed, the code determines them.
inline feed::register_operands operands_of(const x86::instruction& i, feed::branch_class c,
                                           bool executed,
                                           feed::register_numbers recorded) noexcept {
  std::array<std::uint8_t, 16> written{}, read{};
  const auto copy = [](std::span<const x86::reg> from, std::array<std::uint8_t, 16>& to) {
    for (std::size_t n = 0; n != from.size(); ++n) to[n] = x86::number(from[n]);
    return feed::register_numbers(to).first(from.size());
  };
  const feed::register_numbers of_code = copy(i.registers_written(), written);
  return feed::register_operands(c, recorded.empty() && executed ? of_code : recorded,
                                 copy(i.registers_read(), read));
}

// Decodes the code of an instruction.
inline void decode_known(instruction_set set, feed::known_code& to) noexcept {
  const x86::instruction i = decode(set, to.code());
  to.decoded = i.valid();
  if (to.decoded) to.operands = operands_of(i, to.branch, true, {});
  to.target = arm::direct_target(i, to.ip);
}

}  // namespace tracecodec::arm
