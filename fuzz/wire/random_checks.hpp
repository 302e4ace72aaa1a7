// The random descriptions by number, from descriptions.py and from words.py.
#pragma once
#include <string_view>

#include "../target.hpp"

namespace fuzz {

extern const std::size_t described_count, worded_count;

// Check a description, and end the program if a property does not hold. check_described() returns
// true if the record was complete.
bool check_described(std::size_t which, view in);
void check_worded(std::size_t which, view in);

// Returns true if decode and encode treat these bytes as words.py expects. Otherwise prints
// the differences to stderr.
bool compare_worded(std::size_t which, view in, std::string_view expected);

}  // namespace fuzz
