// Tests of analysis/run.hpp: the concept of analyses, and several of them in one pass.
#include "tracecodec/analysis/run.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "champsim/support.hpp"
#include "files.hpp"
#include "tracecodec/analysis/activity.hpp"
#include "tracecodec/analysis/block_vectors.hpp"
#include "tracecodec/analysis/find.hpp"
#include "tracecodec/analysis/hot_blocks.hpp"
#include "tracecodec/champsim.hpp"
#include "tracecodec/io/error.hpp"

namespace {
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

// Analysis that counts taken branches. Fails at row `fails_at`.
class counted_branches {
 public:
  explicit counted_branches(std::size_t fails_at = ~std::size_t{0}) : fails_at_(fails_at) {}
  [[nodiscard]] static feed::column_set columns() { return {feed::column::taken}; }
  void add(const feed::columns& batch) {
    for (const std::uint8_t taken : batch.taken()) {
      if (rows_ == fails_at_) {
        failure_ = std::make_exception_ptr(
            tracecodec::trace_error(tracecodec::trace_errc::bad_value, {}, "cannot be read"));
        return;
      }
      ++rows_;
      taken_ += taken;
    }
  }
  [[nodiscard]] std::size_t result() const { return taken_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

 private:
  std::size_t fails_at_, rows_ = 0, taken_ = 0;
  std::exception_ptr failure_ = {};
};

static_assert(analysis::trace_analysis<counted_branches>);
static_assert(analysis::trace_analysis<analysis::hot_blocks>);
static_assert(analysis::trace_analysis<analysis::block_vectors>);
static_assert(analysis::trace_analysis<analysis::thread_activity<>>);
static_assert(analysis::trace_analysis<analysis::finder>);
static_assert(!analysis::trace_analysis<std::vector<int>>);

// Returns 5,000 instructions at 0x1000 to 0x1024, repeated; every tenth is a jump back.
std::unique_ptr<feed::column_source> loop(const test::folder& here) {
  std::vector<test::instruction> all(5000);
  for (std::size_t i = 0; i != all.size(); ++i) {
    all[i].ip = 0x1000 + 4 * (i % 10);
    if (i % 10 != 9) continue;
    all[i].is_branch = all[i].branch_taken = 1;
    all[i].destination_registers = {26, 0};
  }
  return feed::make_column_source(
      tracecodec::champsim::trace_feed<>(here.file("loop", test::bytes_of(all))));
}
}  // namespace

TEST_CASE("runs several analyses in one pass") {
  const test::folder here;
  const auto from = loop(here);
  analysis::hot_blocks blocks(*from);
  analysis::block_vectors vectors(2500);
  analysis::thread_activity<> threads;
  counted_branches branches;
  std::size_t batches = 0;
  analysis::run(
      *from, [&] { ++batches; }, blocks, vectors, threads, branches);
  CHECK(batches > 1);
  CHECK(branches.result() == 500);
  REQUIRE(blocks.result().entries().size() == 1);
  CHECK(blocks.result().entries()[0].key == 0x1000);
  CHECK(blocks.result().entries()[0].count == 5000);
  CHECK(blocks.result().entries()[0].data.executions == 500);
  CHECK(vectors.result() == "T:1:2500 \nT:1:2500 \n");
  REQUIRE(threads.result().size() == 1);
  CHECK(threads.result()[0].count == 5000);
}

TEST_CASE("finds only the requested number of rows, batch by batch") {
  const test::folder here;
  const auto from = loop(here);
  analysis::find_criteria criteria;
  criteria.taken = true;
  analysis::finder wanted(criteria, *from);
  from->want(wanted.columns());
  std::vector<std::uint64_t> found;
  for (feed::columns batch; from->next(batch, 1000);) {
    wanted.add(batch);
    for (const std::size_t row : wanted.result()) found.push_back(batch.first() + row);
  }
  REQUIRE(found.size() == 500);
  for (std::size_t i = 0; i != found.size(); ++i) CHECK(found[i] == 10 * i + 9);
  from->rewind();
  feed::columns batch;
  REQUIRE(from->next(batch, 1000));
  wanted.add(batch, 2);
  REQUIRE(wanted.result().size() == 2);
  CHECK(wanted.result()[1] == 19);
  CHECK(wanted.failure() == nullptr);
}

TEST_CASE("an analysis that throws ends the run after the preceding rows") {
  const test::folder here;
  const auto from = loop(here);
  counted_branches all, fails(1500);
  CHECK_THROWS_AS(analysis::run(*from, all, fails), tracecodec::trace_error);
  CHECK(fails.rows() == 1500);
  CHECK(fails.result() == 150);
  CHECK(all.rows() >= 1500);
}
