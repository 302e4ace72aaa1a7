// Looks up several granules of an index.
#pragma once
#include <cstdint>
#include <optional>

#include "../../analysis/address_span.hpp"
#include "../accesses.hpp"
#include "../posting_set.hpp"

namespace tracecodec::query::detail {

// Granules up to this number are looked up one by one. If there are more, the directory is read.
inline constexpr std::uint64_t most_looked_up = 4;

// Calls lookup(granule or list, mask) for each granule of `bytes`, and returns the best of the results.
template <class Lookup, class Better>
std::optional<std::uint64_t> best_of_granules(const posting_set& set,
                                              const analysis::address_span& bytes, Lookup lookup,
                                              Better better) {
  std::optional<std::uint64_t> best;
  const unsigned bits = set.form().granule_bits;
  const auto take = [&](const auto& of, std::uint64_t granule) {
    if (const std::optional<std::uint64_t> at = lookup(of, mask_of(bytes, granule, bits));
        at && (!best || better(*at, *best)))
      best = at;
  };
  const std::uint64_t first = bytes.first >> bits, last = bytes.last >> bits;
  if (last - first < most_looked_up) {
    for (std::uint64_t granule = first;; ++granule) {
      take(granule, granule);
      if (granule == last) return best;
    }
  }
  set.each_list(first, last, [&](const posting_list& list) { take(list, list.granule); });
  return best;
}

}  // namespace tracecodec::query::detail
