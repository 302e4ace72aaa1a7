// Sizes of the tables that predict branches. The defaults are ChampSim's.
#pragma once
#include <cstddef>
#include <optional>

namespace frontend {

// Sizes of the tables. `table`, `btb_sets` and `indirect` must be powers of two, and the other
// sizes at least 1.
struct sizes {
  // Size of the direction predictor's tables; nullopt for the predictor's default.
  std::optional<std::size_t> table = {};
  std::size_t btb_sets = 1024, btb_ways = 8;
  std::size_t ras = 64;         // number of calls on the return stack
  std::size_t indirect = 4096;  // number of targets of indirect jumps and calls
};

// Returns the number of bits in an index of a table whose size is a power of two.
constexpr unsigned bits_of_index(std::size_t size) {
  unsigned bits = 0;
  while (std::size_t{1} << bits < size) ++bits;
  return bits;
}

}  // namespace frontend
