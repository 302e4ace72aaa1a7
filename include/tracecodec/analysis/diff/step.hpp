// Instruction of a trace, stored for comparison with another trace.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../feed/instruction.hpp"
#include "../instruction_code.hpp"

namespace tracecodec::analysis {

// Instruction whose operands are limited to the capacity of a ChampSim record. Each list of operands
// is sorted in ascending order and padded with zeros.
struct diff_record {
  std::uint64_t ip = 0;
  std::uint8_t is_branch = 0, branch_taken = 0;
  std::array<std::uint8_t, 2> destination_registers = {};
  std::array<std::uint8_t, 4> source_registers = {};
  std::array<std::uint64_t, 2> destination_memory = {};
  std::array<std::uint64_t, 4> source_memory = {};
};

struct diff_step {
  static constexpr std::uint8_t no_operation = 0xFF;

  std::uint64_t index = 0;  // index in the comparison, counted from 0
  // Index in the trace, if the trace stores text (column_source::assembly_at).
  std::uint64_t number = 0;
  std::uint64_t target = 0;
  std::uint64_t operand = 0;  // value of the column event_operand (only for events)
  feed::branch_class branch = feed::branch_class::not_branch;
  std::uint8_t operation = no_operation;  // operation (only for events)
  diff_record record = {};
  instruction_code reads = {};  // machine code, or empty if the code is unknown or damaged
};

// Flags for the differences between two instructions at the same ip. A flag is true if the property
// differs.
struct differences {
  bool registers = false;  // registers read or written
  bool memory = false;     // addresses read or written
  bool outcome = false;    // branch flag, branch class, outcome or target
  bool values = false;     // a value of a register or of memory becomes different
  bool code = false;       // bytes of the instruction
  bool events = false;     // operation or operand of an event
  [[nodiscard]] constexpr bool any() const noexcept {
    return registers || memory || outcome || values || code || events;
  }
};

namespace detail {
// Returns true if two arrays differ, without a branch per element and without a call to memcmp.
template <class T, std::size_t N>
constexpr bool unequal(const std::array<T, N>& a, const std::array<T, N>& b) noexcept {
  T different = 0;
  for (std::size_t i = 0; i != N; ++i) different |= static_cast<T>(a[i] ^ b[i]);
  return different != 0;
}
}  // namespace detail

// Returns all differences except differences in values, which steps do not contain. If the code,
// operation or target is missing in one step, it does not count as different. A target of 0 is
// unknown, for example for a trace's last instruction.
inline differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  using detail::unequal;
  const auto &x = a.record, &y = b.record;
  const bool targets = a.target != b.target && a.target != 0 && b.target != 0;
  const bool code = a.reads.size != 0 && b.reads.size != 0;
  const bool events =
      a.operation != diff_step::no_operation && b.operation != diff_step::no_operation;
  return {.registers = unequal(x.destination_registers, y.destination_registers) ||
                       unequal(x.source_registers, y.source_registers),
          .memory = unequal(x.destination_memory, y.destination_memory) ||
                    unequal(x.source_memory, y.source_memory),
          .outcome = a.branch != b.branch || x.is_branch != y.is_branch ||
                     x.branch_taken != y.branch_taken || targets,
          .code = code && a.reads != b.reads,
          .events = events && (a.operation != b.operation || a.operand != b.operand)};
}

}  // namespace tracecodec::analysis
