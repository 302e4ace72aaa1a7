// Where instructions lie in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../config.hpp"
#include "../reader.hpp"

namespace tracecodec::umtracer {

// The address of row `row` of the instruction table, which must exist. insRec.Address (7.3.3) is
// the address in memory, but traces may exist that have it relative to the module: one that lies
// outside its module, and would lie inside counted from its start, is taken so.
// instructions()[row].address is the number as it is stored.
std::uint64_t instruction_address(const reader& trace, std::size_t row) noexcept;

// The rows of the instructions at `address`, ascending: there may be several, and of several
// modules. Reads the whole instruction table.
std::vector<std::size_t> rows_at(const reader& trace, std::uint64_t address);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/addresses.ipp"
#endif
