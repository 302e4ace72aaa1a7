// Branch classes, and operands with ChampSim's register numbers.
#pragma once
#include <cstdint>

#include "../feed/operand_list.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

using arm::renumbered_x0;
// Returns ChampSim's number of register `r`, or 0 for the zero register.
constexpr std::uint8_t champsim_number(std::uint8_t r) noexcept {
  return r == zero_register ? 0 : arm::number_of(r);
}

// Returns the class of an instruction. CVP-1 does not store whether a branch is a call or a return:
// a call writes only x30, and a return only reads x30.
template <dialect D> constexpr feed::branch_class class_of(const instruction<D>& i) noexcept {
  using feed::branch_class;
  using kind = instruction_class;
  if (!i.branches()) return branch_class::not_branch;
  if (i.what == kind::direct_call) return branch_class::direct_call;
  if (i.what == kind::indirect_call) return branch_class::indirect_call;
  if (i.what == kind::return_) return branch_class::return_;
  if (i.what == kind::conditional) return branch_class::conditional;
  const bool direct = i.what == kind::direct_jump;
  const auto is_link = [](const auto& all) { return all.size() == 1 && all[0] == link_register; };
  if (D == dialect::cvp1 && is_link(i.outputs))
    return direct ? branch_class::direct_call : branch_class::indirect_call;
  if (D == dialect::cvp1 && i.outputs.empty() && is_link(i.inputs)) return branch_class::return_;
  return direct ? branch_class::direct_jump : branch_class::indirect;
}

// Return the registers that an instruction writes and reads. CVP-1 does not store the flags, which
// instructions without output registers write.
template <dialect D> constexpr auto written_registers(const instruction<D>& i) noexcept {
  const bool computes = i.what == instruction_class::alu || i.what == instruction_class::fp;
  if (D == dialect::cvp1 && computes && i.outputs.empty())
    return feed::operand_list<registers<D>, champsim_number>({feed::flags}, {});
  return feed::written_registers<champsim_number>(class_of(i), i.outputs);
}
template <dialect D> constexpr auto read_registers(const instruction<D>& i) noexcept {
  return feed::read_registers<champsim_number>(class_of(i), i.inputs);
}

}  // namespace tracecodec::cvp
