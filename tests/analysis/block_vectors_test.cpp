// Tests of analysis/block_vectors.hpp: blocks of intervals, in SimPoint's format.
#include "tracecodec/analysis/block_vectors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace {
// Run of two blocks: three instructions at 10, and two at 20. Each block ends with a branch.
struct run {
  std::vector<std::uint64_t> ips = {};
  std::vector<std::uint8_t> branches = {};
  void add(std::uint64_t from, std::size_t n) {
    for (std::size_t i = 0; i != n; ++i) {
      ips.push_back(from + i);
      branches.push_back(i + 1 == n ? 1 : 0);
    }
  }
};
}  // namespace

TEST_CASE("counts instructions by block in pieces of any size, and intervals split blocks") {
  run all;
  for (const int which : {0, 0, 1, 0, 1, 1}) all.add(which == 0 ? 10 : 20, which == 0 ? 3 : 2);
  // Lengths: 3 3 | 2 3 1 | 1 2, because the second interval ends inside a block.
  const std::string wanted = "T:1:6 \nT:1:3 :2:3 \nT:2:3 \n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{5}, all.ips.size()}) {
    tracecodec::analysis::block_vectors vectors(6);
    std::string got;
    for (std::size_t at = 0; at < all.ips.size(); at += piece) {
      const std::size_t n = std::min(piece, all.ips.size() - at);
      vectors.add(std::span(all.ips).subspan(at, n), std::span(all.branches).subspan(at, n));
      got += vectors.result();
    }
    vectors.finish();
    got += vectors.result();
    CHECK(got == wanted);
    CHECK(vectors.intervals() == 3);
    CHECK(vectors.blocks() == 2);
    vectors.finish();
    CHECK(vectors.result().empty());
  }
}
