// Tests of reuse.hpp with few lines, compared with the definition of the distance.
#include "tracecodec/analysis/reuse.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace analysis = tracecodec::analysis;

namespace {

// Returns the number of different lines since the last access of the line of access `at`, or -1 for
// its first access.
std::int64_t distance_of(const std::vector<std::uint64_t>& lines, std::size_t at) {
  std::set<std::uint64_t> between;
  for (std::size_t i = at; i-- != 0;) {
    if (lines[i] == lines[at]) return static_cast<std::int64_t>(between.size());
    between.insert(lines[i]);
  }
  return -1;
}

}  // namespace

TEST_CASE("Reuse distances below the limit are exact, and others are counted as far") {
  constexpr std::size_t limit = 32;
  std::mt19937 random(5);
  std::vector<std::uint64_t> lines;
  for (std::size_t i = 0; i != 1500; ++i)
    lines.push_back(random() % (i < 500 ? 20U : i < 1000 ? 80U : 33U) * 1000003U);
  analysis::reuse<limit> reuse;
  analysis::reuse_counts expected;
  for (std::size_t i = 0; i != lines.size(); ++i) {
    reuse.add(lines[i], i);
    const std::int64_t distance = distance_of(lines, i);
    if (distance < 0)
      ++expected.first;
    else if (distance >= static_cast<std::int64_t>(limit))
      ++expected.far;
    else
      expected.distances.add(static_cast<std::uint64_t>(distance));
  }
  const analysis::reuse_counts found = reuse.result();
  CHECK(found.accesses == lines.size());
  CHECK(found.exact);
  CHECK(found.first == expected.first);
  CHECK(found.far == expected.far);
  CHECK(found.far > 100);
  CHECK(found.distances.counts == expected.distances.counts);
}

TEST_CASE("Buckets of a histogram are powers of two") {
  analysis::power_histogram h;
  for (const std::uint64_t v : {0U, 1U, 2U, 3U, 4U, 7U, 8U}) h.add(v);
  h.add(~std::uint64_t{0});
  CHECK(h.counts[0] == 1);
  CHECK(h.counts[1] == 1);
  CHECK(h.counts[2] == 2);
  CHECK(h.counts[3] == 2);
  CHECK(h.counts[4] == 1);
  CHECK(h.counts[64] == 1);
  CHECK(analysis::power_histogram::first_of(3) == 4);
  CHECK(analysis::power_histogram::last_of(3) == 7);
  CHECK(analysis::power_histogram::last_of(64) == ~std::uint64_t{0});
}
