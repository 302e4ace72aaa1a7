// Compares the most frequent numbers, and the number of distinct numbers, with exact counts.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>

#include "tracecodec/analysis/distinct.hpp"
#include "tracecodec/analysis/frequent.hpp"

namespace analysis = tracecodec::analysis;

TEST_CASE("counts a few different numbers exactly") {
  analysis::frequent<int> all(4);
  for (const std::uint64_t v : {7U, 0U, 7U, 9U, 7U, 0U}) {
    auto& e = all[v];
    ++e.count;
    e.data += 10;
  }
  CHECK(all.error() == 0);
  const auto top = all.top(9);
  REQUIRE(top.size() == 3);
  CHECK(top[0]->key == 7);
  CHECK(top[0]->count == 3);
  CHECK(top[0]->data == 30);
  CHECK(top[1]->key == 0);
  CHECK(top[2]->key == 9);
  CHECK(all.top(1).size() == 1);
  // Equal counts are ordered by key.
  ++all[3].count;
  CHECK(all.top(4)[2]->key == 3);
}

TEST_CASE("subtracts the median if the table is full") {
  analysis::frequent<> all(4);
  for (const std::uint64_t v : {1U, 1U, 1U, 1U, 1U, 2U, 2U, 2U, 3U, 3U, 4U}) ++all[v].count;
  // Counts are 5, 3, 2, 1. The upper median 3 is subtracted, so 1 keeps a count of 2.
  ++all[5].count;
  CHECK(all.error() == 3);
  const auto top = all.top(4);
  REQUIRE(top.size() == 2);
  CHECK(top[0]->key == 1);
  CHECK(top[0]->count == 2);
  CHECK(top[1]->key == 5);
}

TEST_CASE("counts are within the reported error") {
  std::mt19937_64 random(1);
  for (const std::uint64_t spread : {50U, 300U, 100000U}) {
    constexpr std::size_t capacity = 100;
    analysis::frequent<> all(capacity);
    std::map<std::uint64_t, std::uint64_t> exact;
    constexpr std::uint64_t n = 200000;
    for (std::uint64_t i = 0; i < n; ++i) {
      // One number makes up a tenth of the input, and another number a twentieth.
      const std::uint64_t r = random();
      const std::uint64_t v = r % 20 < 2 ? 1 : r % 20 == 2 ? 2 : 3 + (r >> 32) % spread;
      ++all[v].count;
      ++exact[v];
    }
    CAPTURE(spread);
    CHECK((all.error() == 0) == (exact.size() <= capacity));
    CHECK(all.error() <= 2 * n / capacity);
    CHECK(all.entries().size() <= capacity);
    std::set<std::uint64_t> kept;
    for (const auto& e : all.entries()) {
      kept.insert(e.key);
      CHECK(e.count <= exact[e.key]);
      CHECK(e.count + all.error() >= exact[e.key]);
    }
    for (const auto& [v, count] : exact)
      if (kept.count(v) == 0) CHECK(count <= all.error());
    if (spread != 300) CHECK(all.top(1)[0]->key == 1);
  }
}

TEST_CASE("counts distinct numbers exactly, and approximately if there are too many") {
  analysis::distinct<65536> all;
  CHECK(all.count() == 0);
  CHECK(all.insert(0));
  CHECK_FALSE(all.insert(0));
  CHECK(all.insert(4096));
  CHECK_FALSE(all.insert(0));
  CHECK(all.count() == 2);
  // Addresses of consecutive pages.
  for (std::uint64_t i = 0; i < 65536; ++i) all.insert(i * 4096);
  CHECK(all.exact());
  CHECK(all.count() == 65536);
  for (std::uint64_t i = 0; i < 65536; ++i) all.insert(i * 4096);
  CHECK(all.exact());
  all.insert(1);
  CHECK_FALSE(all.exact());
  std::uint64_t n = 65537;
  for (const std::uint64_t wanted : {65537U, 100000U, 300000U, 2000000U}) {
    for (; n < wanted; ++n) all.insert(n * 4096);
    CAPTURE(wanted);
    // Within four standard errors. The test is deterministic: the numbers are always the same.
    CHECK(static_cast<double>(all.count()) > static_cast<double>(wanted) * (1 - 4 * 0.0081));
    CHECK(static_cast<double>(all.count()) < static_cast<double>(wanted) * (1 + 4 * 0.0081));
  }
  const std::uint64_t before = all.count();
  bool changed = false;
  for (std::uint64_t i = 65537; i < n; ++i) changed = all.insert(i * 4096) || changed;
  CHECK_FALSE(changed);
  CHECK(all.count() == before);
}

TEST_CASE("crafted collisions do not take quadratic time") {
  // Inverse of SplitMix64's finalizer; the multipliers are inverses modulo 2^64.
  const auto unmixed = [](std::uint64_t h) {
    h = (h ^ h >> 31 ^ h >> 62) * 0x319642B2D24D8EC3;
    h = (h ^ h >> 27 ^ h >> 54) * 0x96DE1B173F119089;
    return h ^ h >> 30 ^ h >> 60;
  };
  analysis::distinct<> all;
  std::uint64_t n = 0;
  for (; n < 100000 && all.exact(); ++n) {
    CHECK(all.count() == n);
    REQUIRE(tracecodec::io::mixed(unmixed((n + 1) << 20)) == (n + 1) << 20);
    CHECK(all.insert(unmixed((n + 1) << 20)));
  }
  CHECK(n < 5000);
  for (; n < 300000; ++n) all.insert(unmixed((n + 1) << 20));
}
