// Registers of an x86 instruction in a feed of composed instructions (feed/composed.hpp).
#pragma once
#include "../feed/composed.hpp"
#include "any_disassembler.hpp"
#include "branch.hpp"
#include "operands.hpp"

namespace tracecodec::x86 {

// Returns the operands of `i`. The trace, not the code, determines the class `c` of the branch.
constexpr feed::register_operands composed_operands(const instruction& i,
                                                    feed::branch_class c) noexcept {
  feed::register_operands all;
  if (static_cast<feed::branch_class>(i.kind) == c ||
      (i.kind == kind::system && c == feed::branch_class::not_branch)) {
    const auto lists = simulator_registers<16, 16>(i);
    for (const std::uint8_t r : lists.destinations) all.add_written(r);
    for (const std::uint8_t r : lists.sources) all.add_read(r);
    return all;
  }
  for (const reg r : i.registers_written())
    if (!detail::is_control(r)) all.add_written(number(r));
  for (const reg r : i.registers_read())
    if (!detail::is_control(r)) all.add_read(number(r));
  return feed::register_operands(c, all.written(), all.read());
}

// Decodes the bytes of `to`.
inline void decode(any_disassembler& with, feed::known_code& to) {
  const instruction i = with.decode(to.code());
  to.decoded = i.valid();
  if (to.decoded) to.operands = composed_operands(i, to.branch);
  to.target = direct_target(i, to.ip).value_or(0);
}

}  // namespace tracecodec::x86
