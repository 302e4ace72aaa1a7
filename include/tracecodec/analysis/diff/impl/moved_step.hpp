// Sorts the operands of a step, and relocates its addresses.
#pragma once
#include <cstddef>
#include <utility>

#include "../../relocation.hpp"
#include "../step.hpp"

namespace tracecodec::analysis {

// Sorts each list of at most four operands in ascending order. Does not use std::sort, because then
// g++ -O3 would warn about accesses outside the array.
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

// Relocates all addresses of `s`, and sorts its operands again.
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

}  // namespace tracecodec::analysis
