// Level-1 instruction cache with 32 KiB, 8 ways, lines of 64 bytes and least-recently-used
// replacement. The cache stores which lines are present, but no data.
#pragma once
#include <cstdint>

#include "lru_table.hpp"

namespace frontend {

// Cache policy of front_end. Such a policy has a line size, and the function bool access(address),
// which returns true for a hit.
class instruction_cache {
 public:
  static constexpr std::uint64_t line_size = 64;  // bytes

  bool access(std::uint64_t address) {
    const std::uint64_t line = address / line_size;
    if (lines_.find(line) != nullptr) return true;
    lines_.insert(line, {});
    return false;
  }

 private:
  static constexpr std::size_t ways = 8, capacity = 32 << 10;
  struct no_data {};
  lru_table<no_data> lines_{capacity / (ways * line_size), ways};
};

}  // namespace frontend
