// ChampSim record as an instruction, with its branch class and target.
#pragma once
#include <cstdint>

#include "../champsim/layout.hpp"
#include "../feed/instruction.hpp"

namespace tracecodec::trace {

// Branch class, outcome and target of an instruction, as in feed::instruction.
struct record_branch {
  std::uint64_t target = 0;
  feed::branch_class branch = feed::branch_class::not_branch;
  bool taken = false;

  constexpr record_branch() noexcept = default;
  template <feed::instruction I> constexpr explicit record_branch(const I& i)
      : target(i.target()), branch(i.branch()), taken(i.taken()) {}
};

// ChampSim record with its branch. It models feed::instruction. `record` must outlive this object.
class record_instruction {
 public:
  static constexpr bool has_threads = false;

  constexpr record_instruction(const champsim::instruction& record, record_branch goes) noexcept
      : record_(&record), goes_(goes) {}

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept { return record_->ip; }
  [[nodiscard]] constexpr feed::branch_class branch() const noexcept { return goes_.branch; }
  // Returns true if branch() returns a class other than not_branch, or if the flag is_branch of the
  // record is set.
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return goes_.branch != feed::branch_class::not_branch || record_->is_branch != 0;
  }
  [[nodiscard]] constexpr bool taken() const noexcept { return goes_.taken; }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept { return goes_.target; }
  // Returns 0, because records do not store the number of an address space or a thread.
  [[nodiscard]] constexpr std::uint32_t asid() const noexcept { return 0; }
  [[nodiscard]] constexpr auto destination_registers() const noexcept {
    return feed::nonzero_range(record_->destination_registers);
  }
  [[nodiscard]] constexpr auto source_registers() const noexcept {
    return feed::nonzero_range(record_->source_registers);
  }
  [[nodiscard]] constexpr auto destination_memory() const noexcept {
    return feed::nonzero_range(record_->destination_memory);
  }
  [[nodiscard]] constexpr auto source_memory() const noexcept {
    return feed::nonzero_range(record_->source_memory);
  }
  [[nodiscard]] constexpr const champsim::instruction& record() const noexcept { return *record_; }

 private:
  const champsim::instruction* record_;
  record_branch goes_;
};
static_assert(feed::instruction<record_instruction>);

}  // namespace tracecodec::trace
