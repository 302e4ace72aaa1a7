// The functions of umtracer/reader/addresses.hpp.
#pragma once
#include "../addresses.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::uint64_t instruction_address(const reader& trace, std::size_t row) noexcept {
  const instruction_record i = trace.instructions()[row];
  if (i.module_id < 0 || static_cast<std::size_t>(i.module_id) >= trace.modules().size())
    return i.address;
  const module_record m = trace.modules()[static_cast<std::size_t>(i.module_id)];
  const bool inside = m.start_address <= i.address && i.address <= m.end_address;
  if (inside || m.end_address < m.start_address || i.address > m.end_address - m.start_address)
    return i.address;
  return m.start_address + i.address;
}

TRACECODEC_FUNC std::vector<std::size_t> rows_at(const reader& trace, std::uint64_t address) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < trace.instructions().size(); ++i)
    if (instruction_address(trace, i) == address) rows.push_back(i);
  return rows;
}

}  // namespace tracecodec::umtracer
