// Tests of find_relocation.hpp on traces whose moves are known. trace_diff_test.py has more.
#include "tracecodec/analysis/find_relocation.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/analysis/run.hpp"
#include "tracecodec/feed/column_source.hpp"

namespace champsim = tracecodec::champsim;
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

namespace {

// Returns `n` instructions with steps of 1 to 7 bytes, the same for each `seed`, from `base` on.
std::vector<test::instruction> straight_code(std::size_t n, std::uint64_t base, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<test::instruction> all;
  for (std::uint64_t ip = base; all.size() != n; ip += 1 + random() % 7) {
    test::instruction i{};
    i.ip = ip;
    all.push_back(i);
  }
  return all;
}
void append(std::vector<test::instruction>& to, const std::vector<test::instruction>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

analysis::code_anchors anchors_in(const std::vector<test::instruction>& all) {
  const auto bytes = test::bytes_of(all);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"), {.trust = true}));
  analysis::code_anchors anchors(from->has());
  analysis::run(*from, anchors);
  return anchors;
}

}  // namespace

TEST_CASE("a trace with more anchors than fit is sampled") {
  const auto a = anchors_in(straight_code(300'000, 0x400000, 1));
  const auto b = anchors_in(straight_code(300'000, 0x7f0000400000, 1));
  CHECK(a.result().size() <= analysis::code_anchors::most_anchors);
  CHECK(a.threshold() < ~std::uint64_t{0} / 4);
  // Both samples have the same sequences. A few of them occur twice.
  const auto found = analysis::find_relocation(a, b);
  REQUIRE(found.regions.size() == 1);
  CHECK(found.moves());
  std::size_t single = 0;
  for (const auto& [hash, anchor] : b.result()) single += anchor.repeated ? 0 : 1;
  CHECK(found.instructions == single);
  CHECK(found.instructions_agree == found.instructions);
  const auto moved = found.relocation();
  for (const std::uint64_t offset : {0U, 5U, 400'000U, 1'199'999U})
    CHECK(moved(0x7f0000400000 + offset) == 0x400000 + offset);
  CHECK(moved(0x1000) == 0x1000);
}

TEST_CASE("two samples of different sizes have a common part") {
  auto all = straight_code(20'000, 0x400000, 1);
  const auto a = anchors_in(all);
  for (test::instruction& i : all) i.ip += 0x10000000;
  append(all, straight_code(400'000, 0x90000000, 2));
  const auto b = anchors_in(all);
  CHECK(a.threshold() == ~std::uint64_t{0});
  const auto found = analysis::find_relocation(a, b);
  REQUIRE(found.regions.size() == 1);
  CHECK(found.regions[0].where.to - found.regions[0].where.from == 0 - std::uint64_t{0x10000000});
  CHECK(found.instructions_agree < found.instructions / 10);
  CHECK(found.regions[0].instructions_agree == found.regions[0].instructions);
}

TEST_CASE("sequences at several places are not anchors, and other code has none in common") {
  auto all = straight_code(100, 0x400000, 1);
  append(all, straight_code(100, 0x500000, 1));
  CHECK(analysis::find_relocation(anchors_in(all), anchors_in(all)).instructions < 30);
  const auto found = analysis::find_relocation(anchors_in(straight_code(5000, 0x400000, 1)),
                                               anchors_in(straight_code(5000, 0x400000, 2)));
  CHECK(found.regions.empty());
  CHECK_FALSE(found.moves());
  CHECK(found.relocation().empty());
}
