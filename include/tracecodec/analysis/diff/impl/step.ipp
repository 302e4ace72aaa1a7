// Implementation of analysis/diff/step.hpp.
#pragma once
#include "../step.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  const auto &x = a.record, &y = b.record;
  const bool targets = a.target != b.target && a.target != 0 && b.target != 0;
  const bool code = a.reads.size != 0 && b.reads.size != 0;
  const bool events =
      a.operation != diff_step::no_operation && b.operation != diff_step::no_operation;
  return {
      .registers = x.destination_registers != y.destination_registers ||
                   x.source_registers != y.source_registers,
      .memory = x.destination_memory != y.destination_memory || x.source_memory != y.source_memory,
      .outcome = a.branch != b.branch || x.is_branch != y.is_branch ||
                 x.branch_taken != y.branch_taken || targets,
      .code = code && (a.reads.size != b.reads.size || a.reads.bytes != b.reads.bytes),
      .events = events && (a.operation != b.operation || a.operand != b.operand)};
}

}  // namespace tracecodec::analysis
