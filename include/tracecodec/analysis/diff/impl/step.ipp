// Implementation of analysis/diff/step.hpp, and steps that are moved.
#pragma once
#include <cstddef>
#include <utility>

#include "../../relocation.hpp"
#include "../step.hpp"

namespace tracecodec::analysis {

// Each list in ascending order, of four at most. (g++ -O3 sees std::sort leave them, and warns.)
inline void sort_operands(diff_record& record) {
  const auto sort = [](auto& list) {
    for (std::size_t n = 1; n < list.size() && list[n] != 0; ++n)
      for (std::size_t k = n; k != 0 && list[k - 1] > list[k]; --k) std::swap(list[k - 1], list[k]);
  };
  sort(record.destination_registers);
  sort(record.source_registers);
  sort(record.destination_memory);
  sort(record.source_memory);
}

// `s` with its addresses moved.
inline void relocate(diff_step& s, const relocation& moved) {
  const auto move = [&moved](auto& list) {
    for (auto& address : list)
      if (address != 0) address = moved(address);
  };
  s.record.ip = moved(s.record.ip);
  if (s.target != 0) s.target = moved(s.target);
  move(s.record.destination_memory);
  move(s.record.source_memory);
  sort_operands(s.record);
}

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
