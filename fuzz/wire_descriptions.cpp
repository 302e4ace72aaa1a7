// Descriptions made at random (wire/descriptions.py): the first byte chooses which, and the second
// whether the rest is also cut at every byte. The seeds are of bytes that many descriptions take.
#include "random_descriptions.hpp"

namespace fuzz::wire_descriptions {
namespace {
void run(view in) {
  const unsigned which = take_byte(in), how = take_byte(in);
  using described::all;
  const std::size_t d = which % described::how_many(all{});
  described::check_one_of(all{}, d, in);
  if ((how & 1U) != 0)
    for (std::size_t n = std::min<std::size_t>(in.size(), 96); n-- > 0;)
      described::check_one_of(all{}, d, in.first(n));
}
const fuzz::target registered("wire_descriptions", run);
}  // namespace
}  // namespace fuzz::wire_descriptions
