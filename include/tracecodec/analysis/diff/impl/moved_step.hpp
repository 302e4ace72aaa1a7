// Steps whose operands are put in order, and whose addresses are moved.
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

}  // namespace tracecodec::analysis
