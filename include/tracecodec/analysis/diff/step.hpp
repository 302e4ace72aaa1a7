// An instruction of a trace, kept to be compared with another's.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../config.hpp"
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

// But values, which steps do not hold. What one of them does not tell differs from nothing: code, an
// operation, and a target of 0, which is not known, as that of a trace's last instruction.
TRACECODEC_FUNC differences differences_of(const diff_step& a, const diff_step& b) noexcept;

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/step.ipp"
#endif
