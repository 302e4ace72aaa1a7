// Tests of column sources: lists, skipping, rewinding, adaptors, damage, missing columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "champsim/support.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/feed/column_row.hpp"
#include "tracecodec/feed/column_source.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
using feed::column;
using feed::column_set;
using tracecodec::trace_errc;
using tracecodec::trace_error;

TEST_CASE("lists have Arrow's layout") {
  std::vector<test::instruction> all(3);
  all[0].ip = 1;
  all[0].source_memory = {0, 0x10, 0, 0x20};
  all[0].destination_memory = {0x30, 0};
  all[1].ip = 2;
  all[2].ip = 3;
  all[2].destination_memory = {0, 0x40};
  all[2].destination_registers = {7, 8};
  const auto bytes = test::bytes_of(all);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")), feed::operand_columns);
  feed::columns batch;
  REQUIRE(from->next(batch));
  const auto m = batch.memory();
  CHECK(std::ranges::equal(m.offsets, std::vector<std::int32_t>{0, 3, 3, 4}));
  CHECK(std::ranges::equal(m.address, std::vector<std::uint64_t>{0x10, 0x20, 0x30, 0x40}));
  CHECK(std::ranges::equal(m.size, std::vector<std::uint64_t>(4, 0)));
  CHECK(std::ranges::equal(m.write, std::vector<std::uint8_t>{0, 0, 1, 1}));
  const auto r = batch.destination_registers();
  CHECK(std::ranges::equal(r.offsets, std::vector<std::int32_t>{0, 0, 0, 2}));
  CHECK(std::ranges::equal(r.values, std::vector<std::uint8_t>{7, 8}));
  CHECK(batch.source_registers().offsets.size() == 4);
  CHECK(batch.source_registers().values.empty());
  CHECK(batch.last_batch());
  CHECK(!from->next(batch));
  CHECK(batch.size() == 0);
}

TEST_CASE("skips and rewinds inside the feed's batches and beyond the end") {
  const auto bytes = test::bytes_of(test::records(10000));
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")), {column::ip});
  feed::columns b;
  const auto ip = [](std::uint64_t n) { return 0x401000 + 4 * n; };
  REQUIRE(from->next(b, 3));
  CHECK(from->skip(4) == 4);
  CHECK(from->position() == 7);
  REQUIRE(from->next(b, 2));
  CHECK(b.first() == 7);
  CHECK(b.ip()[1] == ip(8));
  CHECK(from->skip(5000) == 5000);
  REQUIRE(from->next(b));
  CHECK(b.size() == feed::columns::most_rows);
  CHECK(b.ip()[0] == ip(5009));
  CHECK(from->skip(~std::uint64_t{0}) == 10000 - 5009 - b.size());
  CHECK(!from->next(b));
  CHECK(from->count() == 10000);
  from->rewind();
  REQUIRE(from->next(b, 1));
  CHECK(b.first() == 0);
  CHECK(b.ip()[0] == ip(0));
  CHECK(from->progress());
}

TEST_CASE("with adaptors, a batch ends with each pass") {
  const auto bytes = test::bytes_of(test::records(5000));
  const auto open = [&] {
    return champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")) | feed::skip{100} |
           feed::limit{4500} | feed::repeat{2};
  };
  auto trace = open();
  std::vector<std::uint64_t> expected, found;
  feed::for_each(trace, [&](const auto& i) { expected.push_back(i.ip() + i.target()); });
  const auto from = feed::make_column_source(open(), {column::ip, column::target});
  std::vector<std::size_t> sizes;
  for (feed::columns b; from->next(b);) {
    for (std::size_t row = 0; row != b.size(); ++row)
      found.push_back(b.ip()[row] + b.target()[row]);
    sizes.push_back(b.size());
    CHECK(b.last_batch() == (sizes.size() % 2 == 0));
  }
  CHECK(found == expected);
  CHECK(sizes == std::vector<std::size_t>{4096, 404, 4096, 404});
  CHECK(from->name().empty());
}

namespace {
// Returns the properties that a front end reads from a feed, in order.
template <class Feed> std::vector<std::uint64_t> seen_of(Feed all) {
  std::vector<std::uint64_t> seen;
  feed::for_each(all, [&](const auto& i) {
    for (const std::uint64_t v :
         {std::uint64_t{i.ip()}, std::uint64_t{i.target()}, std::uint64_t{i.taken()},
          std::uint64_t{i.is_branch()}, static_cast<std::uint64_t>(i.branch())})
      seen.push_back(v);
    for (const std::uint64_t a : i.source_memory()) seen.push_back(a);
    seen.push_back(~std::uint64_t{0});
    for (const std::uint64_t a : i.destination_memory()) seen.push_back(a);
    for (const auto r : i.destination_registers()) seen.push_back(r);
    for (const auto r : i.source_registers()) seen.push_back(r);
  });
  return seen;
}
}  // namespace

TEST_CASE("adaptors treat rows of columns like the trace's instructions") {
  std::vector<test::instruction> all = test::records(3001);
  // Calls, including the last instruction of a pass. Their targets depend on the next ip.
  for (std::size_t n = 0; n < all.size(); n += 10) {
    all[n].is_branch = all[n].branch_taken = 1;
    all[n].destination_registers = {champsim::instruction_pointer, champsim::stack_pointer};
    all[n].source_registers = {champsim::instruction_pointer, champsim::stack_pointer};
    all[n].source_memory = {0, n, 0, 1};
  }
  const auto bytes = test::bytes_of(all);
  const auto same = [&](auto adapt) {
    const auto from = feed::make_column_source(
        champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")),
        feed::branch_columns | feed::operand_columns | column_set{column::ip});
    const auto expected =
        seen_of(adapt(champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"))));
    CHECK(!expected.empty());
    CHECK(seen_of(adapt(feed::column_feed(*from, 100))) == expected);
  };
  same([](auto f) { return f; });
  same([](auto f) { return std::move(f) | feed::skip{99} | feed::limit{1002}; });
  same([](auto f) { return std::move(f) | feed::repeat{3}; });
  same([](auto f) { return std::move(f) | feed::as_champsim_reads{} | feed::repeat{2}; });
  same([](auto f) { return std::move(f) | feed::skip{1} | feed::limit{1000} | feed::repeat{2}; });
  same([](auto f) { return std::move(f) | feed::repeat{2} | feed::shard{1, 3}; });
}

TEST_CASE("an error follows the whole rows and repeats until rewind") {
  auto bytes = test::bytes_of(test::records(5000));
  bytes.resize(bytes.size() - 1);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")), {column::ip, column::memory});
  for (int pass = 0; pass != 2; ++pass) {
    feed::columns b;
    std::uint64_t n = 0;
    const auto rest = [&] {
      while (from->next(b)) n += b.size();
    };
    CHECK(test::error_of(rest)->code() == trace_errc::truncated);
    CHECK(n == 4999);
    CHECK(b.size() == 0);
    CHECK(test::error_of(rest)->code() == trace_errc::truncated);
    CHECK(from->skip(1) == 0);
    from->rewind();
  }
}

TEST_CASE("refuses columns that a format does not have, except common columns") {
  const auto bytes = test::bytes_of(test::records(10));
  const auto from =
      feed::make_column_source(champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")));
  CHECK(from->has() == ((feed::common_columns - column_set{column::thread}) |
                        column_set{column::recorded_branch, column::recorded_taken}));
  const auto e = test::error_of([&] { from->want({column::ip, column::code}); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
  CHECK(std::string(e->what()) == "t: a trace of this format has no column code");
  CHECK(from->wanted().empty());
  feed::columns b;
  REQUIRE(from->next(b));
  CHECK(b.size() == 10);
  CHECK(b.ip().empty());
  CHECK(b.memory().offsets.empty());
  from->rewind();
  from->want({column::thread});
  REQUIRE(from->next(b));
  CHECK(std::ranges::equal(b.thread(), std::vector<std::uint32_t>(10, 0)));
  CHECK(!from->select_register("rax"));
  CHECK(!from->match_mnemonic("mov"));
  CHECK(!from->operation_named("read"));
  CHECK(from->operation_name(0).empty());
  CHECK(from->assembly_of({}, 0).empty());
  for (std::size_t n = 0; n != feed::column_count; ++n)
    CHECK(!feed::name(static_cast<column>(n)).empty());
}
