// The random descriptions, by number: those of descriptions.py, and those of words.py.
#pragma once
#include <string_view>

#include "../target.hpp"

namespace fuzz {

extern const std::size_t described_count, worded_count;

// Ends the program if a property does not hold. Whether the record was whole.
bool check_described(std::size_t which, view in);
void check_worded(std::size_t which, view in);

// Whether decode and encode do what words.py says of these bytes; if not, stderr says what they do.
bool compare_worded(std::size_t which, view in, std::string_view expected);

}  // namespace fuzz
