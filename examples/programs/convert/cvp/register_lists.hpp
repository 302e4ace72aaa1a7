// Registers of ChampSim records that are made from CVP-1 and CBP2025 instructions.
#pragma once
#include <tracecodec/cvp/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace convert {

namespace cvp = tracecodec::cvp;
namespace feed = tracecodec::feed;
using enum cvp::improvement;

// Lists of registers, which are reused for all instructions.
class register_lists {
 public:
  explicit register_lists(const cvp::improvements& how) : how_(how) {}

  // Fills written() and read() with the registers of an instruction. `base` is a register that the
  // record does not write, or no_register.
  template <cvp::dialect D> void fill(const cvp::instruction<D>& i, std::uint8_t base) {
    using tracecodec::feed::branch_class;
    written_.clear();
    read_.clear();
    const branch_class c = branch_ = class_of(i);
    if (c == branch_class::not_branch) return fill_other(i, base);
    written_.push_back(feed::instruction_pointer);
    if (c >= branch_class::direct_call) written_.push_back(feed::stack_pointer);
    const bool direct = c == branch_class::direct_jump || c == branch_class::direct_call;
    const bool indirect = c == branch_class::indirect || c == branch_class::indirect_call;
    if (c == branch_class::conditional || c == branch_class::direct_call ||
        c == branch_class::indirect_call)
      read_.push_back(feed::instruction_pointer);
    if (c >= branch_class::direct_call) read_.push_back(feed::stack_pointer);
    const std::size_t fixed = read_.size();
    if (how_.has(branch_regs)) add(written_, i.outputs);
    if (how_.has(branch_regs) && !direct) add(read_, i.inputs);
    if (read_.size() != fixed) return;
    if (c == branch_class::conditional) read_.push_back(feed::flags);
    if (indirect) read_.push_back(feed::unnamed_source);
  }
  // Returns the branch class that follows from these registers.
  [[nodiscard]] feed::branch_class branch() const noexcept { return branch_; }
  [[nodiscard]] const std::vector<std::uint8_t>& written() const noexcept { return written_; }
  [[nodiscard]] const std::vector<std::uint8_t>& read() const noexcept { return read_; }

  // Returns the number of a register in the records, or 0 for the zero register.
  [[nodiscard]] std::uint8_t number(std::uint8_t r) const noexcept {
    return r == cvp::flags_register && !how_.has(flag_reg) ? r : cvp::champsim_number(r);
  }

 private:
  template <class Registers> static bool is_link(const Registers& all) {
    return all.size() == 1 && all[0] == cvp::link_register;
  }
  // Without call-stack, each branch whose only source is x30 is a return. CBP2025 calls and returns
  // then have the class that a CVP-1 trace stores.
  template <cvp::dialect D>
  [[nodiscard]] tracecodec::feed::branch_class class_of(const cvp::instruction<D>& i) const {
    using kind = cvp::instruction_class;
    using tracecodec::feed::branch_class;
    if (how_.has(call_stack) || !i.branches() || i.what == kind::conditional)
      return cvp::class_of(i);
    if (is_link(i.inputs)) return branch_class::return_;
    const bool direct = i.what == kind::direct_jump || i.what == kind::direct_call;
    if (is_link(i.outputs)) return direct ? branch_class::direct_call : branch_class::indirect_call;
    return direct ? branch_class::direct_jump : branch_class::indirect;
  }

  template <cvp::dialect D> void fill_other(const cvp::instruction<D>& i, std::uint8_t base) {
    using kind = cvp::instruction_class;
    // If a record has too few registers for a load or a store, it keeps the base, not the vectors.
    const bool sorted = i.accesses() && !how_.as_original;
    add_ordered(read_, i.inputs, sorted);
    const bool computes = i.what == kind::alu || i.what == kind::fp;
    if (i.outputs.empty() && how_.has(flag_reg) && D == cvp::dialect::cvp1 && computes) {
      written_.push_back(feed::flags);
      return;
    }
    // CBP2025 stores the flags as a further output of instructions that compute.
    const bool all = i.accesses() ? how_.has(mem_regs) : how_.has(flag_reg);
    const auto found = add_ordered(written_, i.outputs, sorted, base, all ? i.outputs.size() : 1);
    if (found == 0 && !how_.has(mem_regs)) written_.push_back(cvp::renumbered_x0);
  }
  template <class Registers> void add(std::vector<std::uint8_t>& to, const Registers& all) const {
    for (const std::uint8_t r : all)
      if (number(r) != 0) to.push_back(number(r));
  }
  // Adds the first `most` registers other than `without` to `to`, except the zero register. If
  // `sorted` is true, vectors follow the other registers. Returns the number of these registers,
  // including the zero register.
  template <class Registers>
  std::size_t add_ordered(std::vector<std::uint8_t>& to, const Registers& all, bool sorted,
                          std::uint8_t without = cvp::no_register, std::size_t most = 255) const {
    std::size_t found = 0;
    for (const bool vectors : {false, true})
      for (const std::uint8_t r : all) {
        if (r == without || (sorted && cvp::is_vector(r)) != vectors || found == most) continue;
        ++found;
        if (number(r) != 0) to.push_back(number(r));
      }
    return found;
  }

  cvp::improvements how_;
  feed::branch_class branch_ = feed::branch_class::not_branch;
  std::vector<std::uint8_t> written_ = {}, read_ = {};
};

}  // namespace convert
