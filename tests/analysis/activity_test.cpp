// Compares the activity of threads, pages and blocks of real traces with unbounded tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/analysis/activity.hpp"
#include "tracecodec/analysis/hot_blocks.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/x64dbg/opens.hpp"

namespace champsim = tracecodec::champsim;
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

namespace {
template <class Line> std::uint64_t total(const Line& line) {
  std::uint64_t n = 0;
  for (const std::uint64_t v : line) n += v;
  return n;
}
}  // namespace

TEST_CASE("counts threads over time") {
  analysis::thread_activity<4, 2> all;
  // Threads 5 5 7 5 9 8 7 7: the width becomes 2 after the fourth and 4 after the eighth.
  for (const std::uint32_t thread : {5U, 5U, 7U, 5U, 9U, 8U, 7U, 7U}) all.add(thread);
  REQUIRE(all.result().size() == 2);
  const auto &five = all.result()[0], &seven = all.result()[1];
  CHECK(five.thread == 5);
  CHECK(five.count == 3);
  CHECK(five.first == 0);
  CHECK(five.last == 3);
  CHECK(five.line == analysis::activity_line<4>{3, 0, 0, 0});
  CHECK(seven.line == analysis::activity_line<4>{1, 2, 0, 0});
  CHECK(seven.first == 2);
  CHECK(seven.last == 7);
  CHECK(all.others().count == 2);
  CHECK(all.others().first == 4);
  CHECK(all.others().last == 5);
  CHECK(all.others().line == analysis::activity_line<4>{0, 2, 0, 0});
  CHECK(all.switches() == 5);
}

TEST_CASE("merges the closest pages into a range") {
  analysis::page_activity<4, 3> all;
  const auto touch = [&](std::uint64_t page) {
    all.add(page * 4096 + 17);
    all.tick();
  };
  touch(100);
  touch(10);
  touch(13);
  REQUIRE(all.size() == 3);
  CHECK(all[0].first == 10);
  CHECK(all[1].first == 13);
  CHECK(all[2].first == 100);
  // 10 and 13 are closer together than 13 and 100, or 100 and 1000.
  touch(1000);
  REQUIRE(all.size() == 3);
  CHECK(all[0].first == 10);
  CHECK(all[0].last == 13);
  CHECK(all[0].count == 2);
  CHECK(all[0].line == analysis::activity_line<4>{1, 1, 0, 0});
  CHECK(all[1].first == 100);
  CHECK(all[1].last == 100);
  CHECK(all[1].line == analysis::activity_line<4>{1, 0, 0, 0});
  CHECK(all[2].line == analysis::activity_line<4>{0, 1, 0, 0});
  touch(12);  // within a range
  CHECK(all[0].count == 3);
  CHECK(all[0].line == analysis::activity_line<4>{1, 1, 1, 0});
  // A new range may be merged immediately: 101 is merged with 100.
  touch(101);
  REQUIRE(all.size() == 3);
  CHECK(all[1].first == 100);
  CHECK(all[1].last == 101);
  CHECK(all[1].count == 2);
  // Both ends of the address space.
  touch(0);
  all.add(~std::uint64_t{0});
  CHECK(all[0].first == 0);
  CHECK(all[2].last == ~std::uint64_t{0} / 4096);
}

TEST_CASE("loses no access, and ranges never overlap") {
  std::mt19937_64 random(2);
  analysis::page_activity<8, 16> all;
  std::map<std::uint64_t, std::uint64_t> exact;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t r = random();
    const std::uint64_t address = i % 3 == 0 ? r : r % 2 == 0 ? r % 200000 : r >> r % 64;
    all.add(address);
    ++exact[address / 4096];
    if (i % 2 == 0) all.tick();
  }
  REQUIRE(all.size() <= 16);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t expected = 0;
    for (auto at = exact.lower_bound(all[i].first); at != exact.end() && at->first <= all[i].last;
         ++at)
      expected += at->second;
    CHECK(all[i].count == expected);
    CHECK(total(all[i].line) == expected);
    CHECK(all[i].first <= all[i].last);
    CHECK((i == 0 || all[i - 1].last < all[i].first));
    CHECK(exact.count(all[i].first) == 1);
    CHECK(exact.count(all[i].last) == 1);
  }
}

TEST_CASE("counts the pages of a program exactly" * doctest::skip(!test::with_xz)) {
  champsim::trace_feed<> trace(test::data("sed64.champsimtrace.xz"));
  analysis::page_activity<240, 64> data;
  std::map<std::uint64_t, std::uint64_t> exact;
  for (const auto& i : trace) {
    for (const std::uint64_t a : i.source_memory()) data.add(a), ++exact[a / 4096];
    for (const std::uint64_t a : i.destination_memory()) data.add(a), ++exact[a / 4096];
    data.tick();
  }
  REQUIRE(data.size() == exact.size());  // there is room for all pages
  std::size_t k = 0;
  for (const auto& [page, n] : exact) {
    CHECK(data[k].first == page);
    CHECK(data[k].last == page);
    CHECK(data[k].count == n);
    CHECK(total(data[k].line) == n);
    ++k;
  }
  CHECK(data.clock().items() == 50000);
}

namespace {
struct block {
  std::uint64_t executions = 0, instructions = 0, longest = 0;
  std::set<std::uint64_t> ips = {};
};

// Returns all blocks, computed instruction by instruction, with an unbounded table.
template <class Feed> std::map<std::uint64_t, block> all_blocks(Feed& trace) {
  std::map<std::uint64_t, block> all;
  std::uint64_t start = 0, n = 0, behind = 0, before = 0;
  std::uint32_t thread = 0;
  bool ended = true;
  trace.rewind();
  for (const auto& i : trace) {
    bool follows = true;
    if constexpr (requires { i.length(); }) {
      follows = i.ip() == behind || i.ip() == before;
      behind = i.ip() + i.length();
      before = i.ip();
    }
    if (ended || i.asid() != thread || !follows) {
      start = i.ip();
      n = 0;
      ++all[start].executions;
    }
    block& b = all[start];
    ++b.instructions;
    b.longest = std::max(b.longest, ++n);
    b.ips.insert(i.ip());
    thread = i.asid();
    ended = i.is_branch();
  }
  return all;
}

// Adds the rest of `from`.
void add_all(feed::column_source& from, analysis::hot_blocks& to) {
  from.want(to.columns());
  for (feed::columns batch; from.next(batch);) REQUIRE(to.add(batch) == batch.size());
}

template <class Open> void check_blocks(Open open) {
  auto trace = open();
  const auto exact = all_blocks(trace);
  const auto from = feed::make_column_source(open());
  analysis::hot_blocks found(*from, 100000);
  add_all(*from, found);
  CHECK(found.result().error() == 0);
  REQUIRE(found.result().entries().size() == exact.size());
  for (const auto& e : found.result().entries()) {
    const block& b = exact.at(e.key);
    CHECK(e.count == b.instructions);
    CHECK(e.data.executions == b.executions);
    CHECK(e.data.length == b.longest);
    // The code is complete, even if the first execution was interrupted.
    const bool has_code = from->has().has(feed::column::code);
    CHECK(e.data.code.size() ==
          (has_code ? std::min(b.ips.size(), analysis::hot_blocks::most_kept) : 0));
    CHECK(e.data.more == (has_code && b.ips.size() > e.data.code.size()));
  }
  // With a small table the hottest blocks are still found, and no count is too high.
  from->rewind();
  analysis::hot_blocks few(*from, 300);
  add_all(*from, few);
  for (const auto& e : few.result().entries()) {
    CHECK(e.count <= exact.at(e.key).instructions);
    CHECK(e.count + few.result().error() >= exact.at(e.key).instructions);
  }
}
}  // namespace

TEST_CASE("finds blocks and their executions") {
  // Blocks a b j | c j | a b j | x, where j are jumps, at 0x401024 and 0x40104c.
  std::vector<test::instruction> rs;
  const auto add = [&](std::uint64_t ip, bool jump) {
    test::instruction r{};
    r.ip = ip;
    if (jump) {
      r.is_branch = r.branch_taken = 1;
      r.destination_registers = {26, 0};
      r.source_registers = {26, 25, 0, 0};
    }
    rs.push_back(r);
  };
  for (int i = 0; i < 2; ++i) {
    add(0x1000, false);
    add(0x1002, false);
    add(0x1005, true);
    if (i == 0) add(0x2000, false), add(0x2004, true);
  }
  add(0x1007, false);
  const test::folder here;
  const auto from =
      feed::make_column_source(champsim::trace_feed<>(here.file("t", test::bytes_of(rs))));
  analysis::hot_blocks found(*from);
  add_all(*from, found);
  const auto top = found.result().top(9);
  REQUIRE(top.size() == 3);
  CHECK(top[0]->key == 0x1000);
  CHECK(top[0]->count == 6);
  CHECK(top[0]->data.executions == 2);
  CHECK(top[0]->data.length == 3);
  CHECK(top[1]->key == 0x2000);
  CHECK(top[1]->count == 2);
  CHECK(top[2]->key == 0x1007);
  CHECK(top[2]->count == 1);
}

TEST_CASE("the blocks of programs equal an unbounded table" * doctest::skip(!test::with_xz)) {
  check_blocks([] { return champsim::trace_feed<>(test::data("sed64.champsimtrace.xz")); });
#if TRACECODEC_OPENS_X64DBG
  check_blocks([] {
    return tracecodec::x64dbg::trace_feed<tracecodec::x64dbg::target::x64>(
        test::data("threads3_64.trace64.xz"));
  });
#endif
#if TRACECODEC_OPENS_UMTRACER
  check_blocks([] { return tracecodec::umtracer::trace_feed(test::data("umtracer/plain64")); });
#endif
}

#if TRACECODEC_OPENS_X64DBG
TEST_CASE("blocks contain the code of their instructions" * doctest::skip(!test::with_xz)) {
  const auto open = [] {
    return tracecodec::x64dbg::trace_feed<tracecodec::x64dbg::target::x86>(
        test::data("work32.trace32.xz"));
  };
  std::map<std::uint64_t, std::vector<std::byte>> code;
  for (auto trace = open(); const auto& i : trace)
    code[i.ip()].assign(i.code().begin(), i.code().end());
  const auto from = feed::make_column_source(open());
  analysis::hot_blocks found(*from);
  add_all(*from, found);
  std::size_t kept = 0;
  for (const auto& e : found.result().entries()) {
    REQUIRE(!e.data.code.empty());
    CHECK(e.data.code[0].ip == e.key);
    for (std::size_t n = 0; n < e.data.code.size(); ++n) {
      const auto bytes = e.data.code[n].code();
      const auto& expected = code.at(e.data.code[n].ip);
      CHECK(std::vector<std::byte>(bytes.begin(), bytes.end()) == expected);
      const bool together =
          n == 0 || e.data.code[n].ip == e.data.code[n - 1].ip ||
          e.data.code[n].ip == e.data.code[n - 1].ip + code.at(e.data.code[n - 1].ip).size();
      CHECK(together);
      ++kept;
    }
  }
  CHECK(kept > 1000);
}
#endif
