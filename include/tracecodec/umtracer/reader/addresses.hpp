// Addresses of instructions in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../reader.hpp"

namespace tracecodec::umtracer {

// Returns the address of row `row` of the instruction table. The row must exist. According to the
// specification, insRec.Address (7.3.3) is absolute, but some traces may store an address relative
// to the module. An address is treated as relative if it is outside its module and does not exceed
// the module's size. instructions()[row].address is the stored value.
std::uint64_t instruction_address(const reader& trace, std::size_t row) noexcept;

// Returns the rows of all instructions at `address`, in ascending order. Several instructions may
// have the same address, even in different modules. Scans the whole instruction table.
std::vector<std::size_t> rows_at(const reader& trace, std::uint64_t address);

inline std::uint64_t instruction_address(const reader& trace, std::size_t row) noexcept {
  const instruction_record i = trace.instructions()[row];
  if (i.module_id < 0 || static_cast<std::size_t>(i.module_id) >= trace.modules().size())
    return i.address;
  const module_record m = trace.modules()[static_cast<std::size_t>(i.module_id)];
  const bool inside = m.start_address <= i.address && i.address <= m.end_address;
  if (inside || m.end_address < m.start_address || i.address > m.end_address - m.start_address)
    return i.address;
  return m.start_address + i.address;
}

inline std::vector<std::size_t> rows_at(const reader& trace, std::uint64_t address) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < trace.instructions().size(); ++i)
    if (instruction_address(trace, i) == address) rows.push_back(i);
  return rows;
}

}  // namespace tracecodec::umtracer
