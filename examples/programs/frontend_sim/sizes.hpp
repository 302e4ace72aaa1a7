// How large the tables are that predict branches. The defaults are ChampSim's.
#pragma once
#include <cstddef>
#include <optional>

namespace frontend {

// `table`, `btb_sets` and `indirect` are powers of two, the others from 1.
struct sizes {
  std::optional<std::size_t> table = {};  // of the direction predictor; its default if not set
  std::size_t btb_sets = 1024, btb_ways = 8;
  std::size_t ras = 64;         // calls that the return stack remembers
  std::size_t indirect = 4096;  // targets of indirect jumps and calls
};

// How many bits an index of a table has whose size is a power of two.
constexpr unsigned bits_of_index(std::size_t size) {
  unsigned bits = 0;
  while (std::size_t{1} << bits < size) ++bits;
  return bits;
}

}  // namespace frontend
