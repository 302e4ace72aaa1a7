// Branch classes, and operands with ChampSim's register numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "../feed/instruction.hpp"
#include "improvements.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

// Numbers with a fixed meaning in ChampSim, where 0 is no register. Registers 26, 6, 25 and 0 have
// the numbers from 64 to 67 instead. `unnamed_source` stands for the register that an indirect
// branch reads.
inline constexpr std::uint8_t instruction_pointer = 26, stack_pointer = 6, flags = 25,
                              renumbered_x0 = 67, unnamed_source = 56;

// Returns ChampSim's number of register `r`, or 0 for the zero register. `flag_reg` is
// improvements::flag_reg: without it, the flags keep their number.
constexpr std::uint8_t champsim_number(std::uint8_t r, bool flag_reg) noexcept {
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
      return flag_reg ? flags : r;
    case zero_register:
      return 0;
    default:
      return r;
  }
}

// Returns the class of an instruction. CBP2025 stores whether a branch is a call or a return. In
// CVP-1 traces, or without improvements::call_stack, the registers determine this.
template <dialect D>
constexpr feed::branch_class class_of(const instruction<D>& i, bool call_stack = true) noexcept {
  using feed::branch_class;
  using kind = instruction_class;
  if (!i.branches()) return branch_class::not_branch;
  if (i.what == kind::conditional) return branch_class::conditional;
  if (D == dialect::cbp2025 && call_stack) {
    if (i.what == kind::direct_call) return branch_class::direct_call;
    if (i.what == kind::indirect_call) return branch_class::indirect_call;
    if (i.what == kind::return_) return branch_class::return_;
    return i.what == kind::direct_jump ? branch_class::direct_jump : branch_class::indirect;
  }
  const bool direct = i.what == kind::direct_jump || i.what == kind::direct_call;
  const bool reads_link = i.inputs.size() == 1 && i.inputs[0] == link_register;
  const bool writes_link = i.outputs.size() == 1 && i.outputs[0] == link_register;
  if (reads_link && (!call_stack || i.outputs.empty())) return branch_class::return_;
  if (writes_link) return direct ? branch_class::direct_call : branch_class::indirect_call;
  return direct ? branch_class::direct_jump : branch_class::indirect;
}

// ChampSim's numbers of registers: up to three fixed ones, then those of a record without zeros.
// Iterators are valid as long as the list.
template <dialect D> class operand_list {
 public:
  constexpr operand_list() = default;
  constexpr operand_list(std::initializer_list<std::uint8_t> fixed, const registers<D>& rest,
                         bool flag_reg) noexcept
      : fixed_count_(fixed.size()), rest_(rest), flag_reg_(flag_reg) {
    std::copy(fixed.begin(), fixed.end(), fixed_.begin());
  }

  class iterator {
   public:
    using value_type = std::uint8_t;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    constexpr iterator(const operand_list& of, std::size_t at) noexcept : of_(&of), at_(at) {
      to_register();
    }
    constexpr std::uint8_t operator*() const noexcept { return of_->slot(at_); }
    constexpr iterator& operator++() noexcept {
      ++at_;
      to_register();
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.at_ == b.at_;
    }

   private:
    constexpr void to_register() noexcept {
      while (at_ != of_->slots() && of_->slot(at_) == 0) ++at_;
    }
    const operand_list* of_ = nullptr;
    std::size_t at_ = 0;
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {*this, slots()}; }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return static_cast<std::size_t>(std::distance(begin(), end()));
  }

 private:
  [[nodiscard]] constexpr std::size_t slots() const noexcept { return fixed_count_ + rest_.size(); }
  [[nodiscard]] constexpr std::uint8_t slot(std::size_t n) const noexcept {
    return n < fixed_count_ ? fixed_[n] : champsim_number(rest_[n - fixed_count_], flag_reg_);
  }

  std::array<std::uint8_t, 3> fixed_ = {};
  std::size_t fixed_count_ = 0;
  registers<D> rest_ = {};
  bool flag_reg_ = true;
};

// Return the registers that an instruction writes and reads. A branch has the registers from which
// ChampSim derives its class. Without improvements, branches have only these registers, and other
// instructions write one register, which is x0 if the record has none.
template <dialect D>
constexpr operand_list<D> written_registers(const instruction<D>& i,
                                            const improvements& how = {}) noexcept {
  using feed::branch_class;
  const auto list = [&](std::initializer_list<std::uint8_t> fixed, bool all) {
    const std::size_t first = fixed.size() == 0 && !i.outputs.empty() ? 1 : 0;
    return operand_list<D>(fixed, all ? i.outputs : i.outputs.subview(0, first), how.flag_reg);
  };
  switch (class_of(i, how.call_stack)) {
    case branch_class::not_branch:
      break;
    case branch_class::direct_call:
    case branch_class::indirect_call:
    case branch_class::return_:
      return list({instruction_pointer, stack_pointer}, how.branch_regs);
    default:
      return list({instruction_pointer}, how.branch_regs);
  }
  const bool computes =
      i.what == instruction_class::alu || i.what == instruction_class::fp;
  if (i.outputs.empty() && D == dialect::cvp1 && computes && how.flag_reg) return list({flags}, true);
  if (i.outputs.empty() && !how.mem_regs) return list({renumbered_x0}, true);
  // CBP2025 stores the flags as a second output register.
  return list({}, i.accesses() ? how.mem_regs : how.flag_reg);
}
template <dialect D>
constexpr operand_list<D> read_registers(const instruction<D>& i,
                                         const improvements& how = {}) noexcept {
  using feed::branch_class;
  const operand_list<D> own({}, i.inputs, how.flag_reg);
  const bool named = how.branch_regs && !own.empty();
  const auto list = [&](std::initializer_list<std::uint8_t> fixed, bool all) {
    return operand_list<D>(fixed, all ? i.inputs : registers<D>(), how.flag_reg);
  };
  switch (class_of(i, how.call_stack)) {
    case branch_class::direct_jump:
      return list({}, false);
    case branch_class::conditional:
      return named ? list({instruction_pointer}, true) : list({instruction_pointer, flags}, false);
    case branch_class::direct_call:
      return list({instruction_pointer, stack_pointer}, false);
    case branch_class::indirect_call:
      return named ? list({instruction_pointer, stack_pointer}, true)
                   : list({instruction_pointer, stack_pointer, unnamed_source}, false);
    case branch_class::return_:
      return list({stack_pointer}, named);
    case branch_class::indirect:
      return named ? own : list({unnamed_source}, false);
    default:
      return own;
  }
}

}  // namespace tracecodec::cvp
