// Branch classes, and operands with ChampSim's register numbers.
#pragma once
#include <cstdint>

#include "../feed/operand_list.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

inline constexpr std::uint8_t renumbered_x0 = 67;
// Returns ChampSim's number of register `r`, or 0 for the zero register. Registers whose numbers have
// a fixed meaning in ChampSim have the numbers from 64 to 67 instead.
constexpr std::uint8_t champsim_number(std::uint8_t r) noexcept {
  if (r == 0) return renumbered_x0;
  if (r == feed::flags) return 66;
  if (r == feed::stack_pointer) return 65;
  if (r == feed::instruction_pointer) return 64;
  if (r == flags_register) return feed::flags;
  return r == zero_register ? 0 : r;
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
