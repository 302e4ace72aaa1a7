// page_set.hpp: accessed pages as ranges.
#include "tracecodec/umtracer/writer/impl/page_set.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using tracecodec::umtracer::address_range;
using tracecodec::umtracer::page_set;

namespace {
std::vector<address_range> ranges_of(const page_set& p) {
  std::vector<address_range> all;
  p.for_each([&](const address_range& r) { all.push_back(r); });
  CHECK(all.size() == p.size());
  return all;
}
}  // namespace

TEST_CASE("joins consecutive pages into one range") {
  page_set p;
  CHECK(ranges_of(p).empty());
  p.add(0x5123, 1);
  CHECK(ranges_of(p) == std::vector<address_range>{{0x5000, 0x5FFF}});
  p.add(0x7FFF, 2);  // two pages, after one that is not in the set
  CHECK(ranges_of(p) == std::vector<address_range>{{0x5000, 0x5FFF}, {0x7000, 0x8FFF}});
  p.add(0x6000, 0);
  CHECK(ranges_of(p) == std::vector<address_range>{{0x5000, 0x8FFF}});
  p.add(0x0, 0x20000);
  CHECK(ranges_of(p) == std::vector<address_range>{{0, 0x1FFFF}});
}

TEST_CASE("omits pages above the last address") {
  page_set p;
  p.add(0xFFFFFFFFFFFFFFFF, 8);
  p.add(0xFFFFFFFFFFFFD000, 1);
  CHECK(ranges_of(p) == std::vector<address_range>{{0xFFFFFFFFFFFFD000, 0xFFFFFFFFFFFFDFFF},
                                                   {0xFFFFFFFFFFFFF000, 0xFFFFFFFFFFFFFFFF}});
}

TEST_CASE("ranges contain exactly the added pages") {
  std::mt19937 random(11);
  for (unsigned round = 0; round < 50; ++round) {
    page_set p;
    std::set<std::uint64_t> pages;
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t first = random() % 600, n = random() % (round % 7 + 1) + 1;
      p.add(first * 4096 + 1 + random() % 4095, (n - 1) * 4096);
      for (std::uint64_t k = 0; k < n; ++k) pages.insert(first + k);
    }
    std::set<std::uint64_t> got;
    std::uint64_t end = 0;
    bool apart = true;
    for (const address_range& r : ranges_of(p)) {
      apart &= end == 0 || r.first > end + 1;
      end = r.last;
      for (std::uint64_t at = r.first; at < r.last; at += 4096) got.insert(at / 4096);
    }
    CHECK(apart);
    CHECK(got == pages);
  }
}
