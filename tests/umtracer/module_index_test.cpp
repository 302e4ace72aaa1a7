// module_index.hpp finds what a scan of the table finds.
#include "tracecodec/umtracer/query/module_index.hpp"

#include <doctest/doctest.h>

#include <random>

#include "umtracer/tiny_trace.hpp"

using namespace test;
using umtracer::file;

TEST_CASE("finds the module that a scan of the table finds, for each address and time") {
  // NOLINTNEXTLINE: the same in each run
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    tiny_trace t;
    bytes& all = t[file::modules];
    all.resize(tiny_trace::module_row);
    const std::size_t n = random() % 12;
    t.put(file::modules, 8, n);
    const auto below = [&](std::uint64_t limit) { return std::uint64_t{random()} % limit; };
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t load = below(10), unload = below(3) == 0 ? minus_one : below(12);
      // Some modules are at the end of memory, some cover all of it, and some end
      // before they begin.
      const std::uint64_t base = below(4) == 0 ? minus_one - 31 : 0;
      const std::uint64_t first = base + below(20), last = base + below(32);
      all += fields({{load, 8}, {unload, 8}, {first, 8}, {last, 8}, {48, 8}, {48, 8}, {0, 16}});
    }
    const umtracer::reader in = t.open();
    const auto index = umtracer::build_module_index(in.modules());
    for (std::int64_t eid = 0; eid < 14; ++eid)
      for (std::uint64_t i = 0; i < 70; ++i) {
        const std::uint64_t address = i < 36 ? i : minus_one - (i - 36);
        CHECK(index.at(address, eid) == in.modules().at(address, eid));
      }
  }
}
