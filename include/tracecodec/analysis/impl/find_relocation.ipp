#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "../find_relocation.hpp"

namespace tracecodec::analysis {

namespace detail {

// Address of the second run, and its distance to the address in the first run.
struct address_pair {
  std::uint64_t from = 0, distance = 0;
  bool is_code = false;

  friend bool operator==(const address_pair&, const address_pair&) = default;
  friend bool operator<(const address_pair& x, const address_pair& y) noexcept {
    return std::tie(x.from, x.distance, x.is_code) < std::tie(y.from, y.distance, y.is_code);
  }
};

// Pairs [begin, end), of which the first, the last and `agree` have the distance `distance`.
struct address_segment {
  std::size_t begin = 0, end = 0, agree = 0;
  std::uint64_t distance = 0;
};

// Maximum number of bytes by which a region extends beyond its pairs.
constexpr std::uint64_t region_reach = std::uint64_t{16} << 20;

inline std::vector<address_pair> pairs_of(const code_anchors& a, const code_anchors& b) {
  std::vector<address_pair> pairs;
  const auto add = [&pairs](std::uint64_t to, std::uint64_t from, bool is_code) {
    if ((to - from) % 8 == 0) pairs.push_back({from, to - from, is_code});
  };
  for (const auto& [hash, y] : b.result()) {
    const auto same = a.result().find(hash);
    if (same == a.result().end() || same->second.repeated || y.repeated) continue;
    const code_anchor& x = same->second;
    add(x.ip, y.ip, true);
    if (x.read != 0 && y.read != 0) add(x.read, y.read, false);
    if (x.written != 0 && y.written != 0) add(x.written, y.written, false);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// Splits `pairs` into segments of one distance (find_relocation()).
//
// The cost of the best split that ends with a distance changes only at pairs of that distance, if
// costs are counted relative to the number of pairs. So one step a pair is enough: a pair either
// continues the segment of the last pair of its distance, or begins a segment after the cheapest
// split so far.
inline std::vector<address_segment> segments_of(const std::vector<address_pair>& pairs) {
  constexpr std::size_t none = ~std::size_t{0};
  constexpr std::uint64_t wide_gap = std::uint64_t{1} << 20;
  struct choice {
    std::int64_t cost = 0;
    std::size_t before = none;  // pair of the split before this one
    bool begins = false;        // true if this pair begins a segment
  };
  std::vector<choice> all(pairs.size());
  std::map<std::uint64_t, std::size_t> last_of;
  std::size_t best = none;
  for (std::size_t i = 0; i != pairs.size(); ++i) {
    const bool is_far = i == 0 || pairs[i].from - pairs[i - 1].from >= wide_gap;
    const std::int64_t cheapest = best == none ? 0 : all[best].cost;
    choice c{cheapest + (is_far ? 2 : 8), best, true};
    const auto [last, is_first] = last_of.try_emplace(pairs[i].distance, i);
    if (!is_first && all[last->second].cost <= c.cost)
      c = {all[last->second].cost, last->second, false};
    last->second = i;
    --c.cost;
    all[i] = c;
    if (c.cost <= cheapest) best = i;
  }
  std::vector<address_segment> segments;
  bool ends = true;
  for (std::size_t i = best; i != none; i = all[i].before) {
    if (ends) segments.push_back({.end = i + 1, .distance = pairs[i].distance});
    segments.back().begin = i;
    ++segments.back().agree;
    ends = all[i].begins || pairs[i].from - pairs[all[i].before].from > 2 * region_reach;
  }
  std::reverse(segments.begin(), segments.end());
  return segments;
}

// Returns the regions of `segments` of `pairs`.
inline std::vector<found_region> regions_of(const std::vector<address_segment>& segments,
                                            const std::vector<address_pair>& pairs) {
  constexpr std::uint64_t page = 4096;
  const auto low = [&](std::size_t n) { return pairs[segments[n].begin].from; };
  const auto high = [&](std::size_t n) { return pairs[segments[n].end - 1].from; };
  // Return whether region `n` extends to the next one, and where the next one begins.
  const auto meets_next = [&](std::size_t n) {
    return n + 1 < segments.size() && low(n + 1) - high(n) <= 2 * region_reach;
  };
  const auto next = [&](std::size_t n) {
    const std::uint64_t middle = (high(n) + (low(n + 1) - high(n)) / 2 + page / 2) & ~(page - 1);
    return middle > high(n) && middle <= low(n + 1) ? middle : std::max(low(n + 1), high(n) + 1);
  };
  std::vector<found_region> regions(segments.size());
  for (std::size_t n = 0; n != segments.size(); ++n) {
    const std::uint64_t distance = segments[n].distance;
    std::uint64_t before = std::min(low(n), low(n) + distance),
                  after = std::min(~high(n), ~(high(n) + distance));
    before = std::min(before, n != 0 && meets_next(n - 1) ? low(n) - std::min(low(n), next(n - 1))
                                                          : region_reach + low(n) % page);
    after = std::min(after, meets_next(n) ? next(n) - 1 - high(n) : region_reach + ~high(n) % page);
    std::uint64_t first = low(n) - before;
    if (n != 0 && meets_next(n - 1)) first = std::max(first, next(n - 1));
    regions[n].where = {first, first + distance, high(n) + after - first + 1};
  }
  return regions;
}

// Returns the region that contains `address`, or nullptr. `regions` are in ascending order.
inline found_region* region_at(std::vector<found_region>& regions, std::uint64_t address) {
  const auto next =
      std::upper_bound(regions.begin(), regions.end(), address,
                       [](std::uint64_t at, const found_region& r) { return at < r.where.from; });
  if (next == regions.begin()) return nullptr;
  found_region& r = *std::prev(next);
  return address - r.where.from < r.where.size ? &r : nullptr;
}

// Counts the executions of the second run's anchors, and the addresses that anchors access.
inline void count_agreement(found_relocation& found, const std::vector<address_pair>& pairs,
                            const code_anchors& a, const code_anchors& b) {
  const std::uint64_t threshold = std::min(a.threshold(), b.threshold());
  for (const auto& [hash, anchor] : b.result()) {
    if (hash > threshold || anchor.repeated) continue;
    found.instructions += anchor.executions;
    found_region* const r = region_at(found.regions, anchor.ip);
    if (r == nullptr) continue;
    r->instructions += anchor.executions;
    const auto same = a.result().find(hash);
    if (same != a.result().end() && !same->second.repeated &&
        same->second.ip == anchor.ip - r->where.from + r->where.to)
      r->instructions_agree += anchor.executions;
  }
  for (const address_pair& p : pairs) {
    if (p.is_code) continue;
    found_region* const r = region_at(found.regions, p.from);
    if (r == nullptr) continue;
    ++r->addresses;
    r->addresses_agree += p.distance == r->where.to - r->where.from;
  }
}

}  // namespace detail

TRACECODEC_FUNC bool found_relocation::moves() const noexcept {
  return std::any_of(regions.begin(), regions.end(),
                     [](const found_region& r) { return r.where.from != r.where.to; });
}

TRACECODEC_FUNC relocation found_relocation::relocation() const {
  std::vector<moved_region> moved;
  for (const found_region& r : regions)
    if (r.where.from != r.where.to) moved.push_back(r.where);
  return analysis::relocation(std::move(moved));
}

TRACECODEC_FUNC found_relocation find_relocation(const code_anchors& a, const code_anchors& b) {
  constexpr std::size_t least_pairs = 4, least_anchors = 8, most_regions = 64;
  const std::vector<detail::address_pair> pairs = detail::pairs_of(a, b);
  std::vector<detail::address_segment> segments = detail::segments_of(pairs);
  std::erase_if(segments, [](const detail::address_segment& s) {
    return s.agree < least_pairs || s.agree < (s.end - s.begin) / 4;
  });
  const bool has_code =
      std::any_of(segments.begin(), segments.end(), [&](const detail::address_segment& s) {
        const auto anchors = std::count_if(
            pairs.begin() + static_cast<std::ptrdiff_t>(s.begin),
            pairs.begin() + static_cast<std::ptrdiff_t>(s.end),
            [&](const detail::address_pair& p) { return p.is_code && p.distance == s.distance; });
        return static_cast<std::size_t>(anchors) >= least_anchors;
      });
  if (!has_code) segments.clear();
  if (segments.size() > most_regions) {
    auto agree = segments;
    std::nth_element(agree.begin(), agree.begin() + most_regions, agree.end(),
                     [](const auto& x, const auto& y) { return x.agree > y.agree; });
    std::erase_if(segments, [least = agree[most_regions].agree](const detail::address_segment& s) {
      return s.agree <= least;
    });
  }
  found_relocation found{.regions = detail::regions_of(segments, pairs)};
  detail::count_agreement(found, pairs, a, b);
  std::erase_if(found.regions,
                [](const found_region& r) { return r.instructions_agree < r.instructions / 16; });
  for (const found_region& r : found.regions) found.instructions_agree += r.instructions_agree;
  return found;
}

}  // namespace tracecodec::analysis
