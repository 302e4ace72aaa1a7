// An instruction of a trace, kept to be compared with another's.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../feed/instruction.hpp"
#include "../instruction_code.hpp"

namespace tracecodec::analysis {

// What an instruction names, as many operands as a ChampSim record has: each list in ascending order, then
// zeros.
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

  std::uint64_t index = 0;   // in what is compared, from 0
  std::uint64_t number = 0;  // in the trace, if that holds text (feed::column_source::assembly_at)
  std::uint64_t target = 0;
  std::uint64_t operand = 0;  // of an event: the column event_operand
  feed::branch_class branch = feed::branch_class::not_branch;
  std::uint8_t operation = no_operation;  // of an event
  diff_record record = {};
  instruction_code reads = {};  // without code that is damaged
};

// In what two instructions at the same ip may differ.
struct differences {
  bool registers = false;  // which ones are read or written
  bool memory = false;     // addresses that are read or written
  bool outcome = false;    // whether it is a branch, its class, taken or not, its target
  bool values = false;     // a register or memory becomes different in its value
  bool code = false;       // its bytes
  bool events = false;     // the operation of an event, and what event_operand() says
  [[nodiscard]] constexpr bool any() const noexcept {
    return registers || memory || outcome || values || code || events;
  }
};

namespace detail {
// Without a branch for each, nor a call of memcmp.
template <class T, std::size_t N>
constexpr bool unequal(const std::array<T, N>& a, const std::array<T, N>& b) noexcept {
  T different = 0;
  for (std::size_t i = 0; i != N; ++i) different |= static_cast<T>(a[i] ^ b[i]);
  return different != 0;
}
}  // namespace detail

// But values, which steps do not hold. What one of them does not tell differs from nothing: code, an
// operation, and a target of 0, which is not known, as that of a trace's last instruction.
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
