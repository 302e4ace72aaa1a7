// Compiles the descriptions of all words once, for all programs that check them.
#include "random_words.hpp"

#include "random_checks.hpp"

namespace fuzz {
using worded::all;

const std::size_t worded_count = worded::how_many(all{});
void check_worded(std::size_t which, view in) {
  worded::with_one_of(all{}, which, [&]<class D> { return bool(worded::check<D>(in)); });
}
bool compare_worded(std::size_t which, view in, std::string_view expected) {
  return worded::with_one_of(all{}, which,
                             [&]<class D> { return worded::compare<D>(in, expected); });
}
}  // namespace fuzz
