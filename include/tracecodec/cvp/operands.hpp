// Branch classes, and operands with ChampSim's register numbers.
#pragma once
#include <cstdint>
#include <initializer_list>

#include "../feed/instruction.hpp"
#include "../feed/operand_list.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

// Numbers with a fixed meaning in ChampSim, where 0 is no register. Registers 26, 6, 25 and 0 have
// the numbers from 64 to 67 instead. `unnamed_source` stands for the register that an indirect
// branch reads if the record has none.
inline constexpr std::uint8_t instruction_pointer = 26, stack_pointer = 6, flags = 25,
                              unnamed_source = 56, renumbered_x0 = 67;

// Returns ChampSim's number of register `r`, or 0 for the zero register.
constexpr std::uint8_t champsim_number(std::uint8_t r) noexcept {
  switch (r) {
    case instruction_pointer:
      return 64;
    case stack_pointer:
      return 65;
    case flags:
      return 66;
    case 0:
      return renumbered_x0;
    case flags_register:
      return flags;
    default:
      return r == zero_register ? 0 : r;
  }
}

// Returns the class of an instruction. CVP-1 does not store whether a branch is a call or a return:
// a call writes only x30, and a return only reads x30.
template <dialect D> constexpr feed::branch_class class_of(const instruction<D>& i) noexcept {
  using feed::branch_class;
  using kind = instruction_class;
  if (!i.branches()) return branch_class::not_branch;
  const bool direct = i.what == kind::direct_jump;
  if (i.what == kind::direct_call) return branch_class::direct_call;
  if (i.what == kind::indirect_call) return branch_class::indirect_call;
  if (i.what == kind::return_) return branch_class::return_;
  if (i.what == kind::conditional) return branch_class::conditional;
  if (D == dialect::cvp1 && is_only(i.outputs, link_register))
    return direct ? branch_class::direct_call : branch_class::indirect_call;
  if (D == dialect::cvp1 && i.outputs.empty() && is_only(i.inputs, link_register))
    return branch_class::return_;
  return direct ? branch_class::direct_jump : branch_class::indirect;
}

template <dialect D> using operand_list = feed::operand_list<registers<D>, champsim_number, 3>;

// Return the registers that an instruction writes and reads. A branch begins with those from which
// ChampSim derives its class. In CVP-1, instructions without output registers write the flags.
template <dialect D> constexpr operand_list<D> written_registers(const instruction<D>& i) noexcept {
  using feed::branch_class;
  const branch_class c = class_of(i);
  const bool computes = i.what == instruction_class::alu || i.what == instruction_class::fp;
  if (c == branch_class::not_branch && D == dialect::cvp1 && computes && i.outputs.empty())
    return {{flags}, {}};
  if (c == branch_class::not_branch) return {{}, i.outputs};
  if (c >= branch_class::direct_call) return {{instruction_pointer, stack_pointer}, i.outputs};
  return {{instruction_pointer}, i.outputs};
}
template <dialect D> constexpr operand_list<D> read_registers(const instruction<D>& i) noexcept {
  using feed::branch_class;
  const operand_list<D> own{{}, i.inputs};
  const bool none = own.empty();
  switch (class_of(i)) {
    case branch_class::direct_jump:
      return {};
    case branch_class::conditional:
      if (none) return {{instruction_pointer, flags}, {}};
      return {{instruction_pointer}, i.inputs};
    case branch_class::direct_call:
      return {{instruction_pointer, stack_pointer}, {}};
    case branch_class::indirect_call:
      if (none) return {{instruction_pointer, stack_pointer, unnamed_source}, {}};
      return {{instruction_pointer, stack_pointer}, i.inputs};
    case branch_class::return_:
      return {{stack_pointer}, i.inputs};
    case branch_class::indirect:
      if (none) return {{unnamed_source}, {}};
      return own;
    default:
      return own;
  }
}

}  // namespace tracecodec::cvp
