// Tests of buckets of time. After a run of any length, the buckets contain everything that was
// added.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tracecodec/analysis/time_line.hpp"

namespace analysis = tracecodec::analysis;

TEST_CASE("a clock of four buckets doubles its width") {
  analysis::bucket_clock<4> clock;
  CHECK(clock.used() == 0);
  // Buckets and widths after each item: 4 items of width 1 become 2 of width 2, and so on.
  struct at {
    std::size_t now;
    std::uint64_t width;
    bool folds;
  };
  const std::vector<at> expected{{1, 1, false}, {2, 1, false}, {3, 1, false}, {2, 2, true},
                                 {2, 2, false}, {3, 2, false}, {3, 2, false}, {2, 4, true},
                                 {2, 4, false}, {2, 4, false}, {2, 4, false}, {3, 4, false}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(clock.tick() == expected[i].folds);
    CHECK(clock.now() == expected[i].now);
    CHECK(clock.width() == expected[i].width);
    CHECK(clock.items() == i + 1);
  }
  CHECK(clock.used() == 3);
  CHECK_FALSE(clock.tick());
  CHECK(clock.used() == 4);
  CHECK(clock.items_in(2) == 4);
  CHECK(clock.items_in(3) == 1);
}

TEST_CASE("counts each item in its bucket") {
  for (const std::size_t items : {0U, 1U, 7U, 8U, 9U, 100U, 1000U, 4096U}) {
    CAPTURE(items);
    analysis::time_line<std::uint64_t, 8> line;
    for (std::size_t i = 0; i < items; ++i) {
      line.now() += i;
      line.tick();
    }
    const auto& clock = line.clock();
    REQUIRE(clock.items() == items);
    CHECK((items < 8 || line.size() >= 4));
    std::uint64_t from = 0;
    for (std::size_t b = 0; b < line.size(); ++b) {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < clock.items_in(b); ++i) sum += from + i;
      CHECK(line[b] == sum);
      from += clock.items_in(b);
    }
    CHECK(from == items);
  }
}
