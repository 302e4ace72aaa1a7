// Sizes of the branch predictors' tables. The defaults are the same as in ChampSim.
#pragma once
#include <cstddef>
#include <optional>

namespace frontend {

// Sizes of the tables. `table`, `btb_sets` and `indirect` must be powers of two. The other sizes
// must be at least 1.
struct sizes {
  // Size of the direction predictor's tables; nullopt selects the predictor's default.
  std::optional<std::size_t> table = {};
  std::size_t btb_sets = 1024, btb_ways = 8;
  std::size_t ras = 64;         // maximum number of calls on the return stack
  std::size_t indirect = 4096;  // number of entries for indirect jumps and calls
};

// Returns the number of bits in an index of a table with `size` entries. `size` must be a power of
// two.
constexpr unsigned bits_of_index(std::size_t size) {
  unsigned bits = 0;
  while (std::size_t{1} << bits < size) ++bits;
  return bits;
}

}  // namespace frontend
