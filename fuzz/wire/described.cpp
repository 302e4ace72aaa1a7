// Compiles the descriptions of sections once, for all programs that check them.
#include "random_descriptions.hpp"

#include "random_checks.hpp"

namespace fuzz {
using described::all;

const std::size_t described_count = described::how_many(all{});
bool check_described(std::size_t which, view in) {
  return described::check_one_of(all{}, which, in);
}
}  // namespace fuzz
