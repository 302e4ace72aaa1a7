// Tests random descriptions (wire/descriptions.py, wire/words.py). The first byte selects a
// description. The second byte selects whether the other bytes are also truncated at every byte.
// The seeds are bytes that many descriptions accept.
#include <algorithm>

#include "wire/random_checks.hpp"

namespace fuzz::wire_descriptions {
namespace {
void run(view in) {
  const unsigned which = take_byte(in), how = take_byte(in);
  const std::size_t d = which % (described_count + worded_count);
  const auto check = [d](view bytes) {
    if (d < described_count)
      check_described(d, bytes);
    else
      check_worded(d - described_count, bytes);
  };
  check(in);
  if ((how & 1U) != 0)
    for (std::size_t n = std::min<std::size_t>(in.size(), 96); n-- > 0;) check(in.first(n));
}
const fuzz::target registered("wire_descriptions", run);
}  // namespace
}  // namespace fuzz::wire_descriptions
