// Tests of the feed as a stream: batches, skip, rewind, count, and adaptors.
#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "input_instr.hpp"
#include "support.hpp"
#include "tracecodec/champsim/record_of.hpp"
#include "tracecodec/champsim/tracereader.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/x64dbg/feed.hpp"

using namespace test;

namespace {
using list = std::vector<seen>;
list part(const list& all, std::size_t from, std::size_t to) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from),
          all.begin() + static_cast<std::ptrdiff_t>(to)};
}
template <class Feed> list see_range(Feed&& f) {
  list all;
  for (const auto& i : f) all.push_back(see(i));
  return all;
}

// Calls f with a function that opens a feed: of both samples, of a single thread, as a stream and
// mapped.
template <class F> void with_each(F&& f) {
  const folder dir;
  for (const bool map : {true, false}) {
    const auto place = [&](const std::string& name) {
      return map ? dir.file(name, content(data(name))) : data(name);
    };
    CAPTURE(map);
    f([path = place("work32.trace32.xz")] { return x64dbg::trace_feed<x86>(path); });
    f([path = place("threads3_64.trace64.xz")] { return x64dbg::trace_feed<x64>(path); });
    f([path = place("threads3_64.trace64.xz")] {
      return x64dbg::trace_feed<x64>(path, {.thread = 6704});
    });
  }
}
}  // namespace

TEST_CASE("range and batches agree, and the last batch ends with the trace") {
  with_each([](auto open) {
    const auto all = see_all(open());
    CHECK(see_range(open()) == all);
    auto f = open();
    CHECK(f.count() == all.size());
    std::size_t n = 0, wrong = 0;
    for (auto b = f.next(); b.size() != 0; b = f.next()) {
      CHECK(b.last_batch() == (n + b.size() == all.size()));
      // Parts of a batch contain the same instructions.
      const std::size_t half = b.size() / 2;
      const auto front = b.first(half), back = b.drop(half);
      CHECK(front.size() + back.size() == b.size());
      if (half != 0 && half != b.size()) CHECK(!front.last_batch());
      CHECK(back.last_batch() == b.last_batch());
      for (std::size_t i = 0; i < half; ++i) wrong += !(see(front[i]) == all[n + i]);
      for (std::size_t i = half; i < b.size(); ++i) wrong += !(see(back[i - half]) == all[n + i]);
      n += b.size();
    }
    CHECK(wrong == 0);
    CHECK(n == all.size());
    CHECK(f.next().size() == 0);
    CHECK(f.progress().value_or(0) > 0.99);
  });
}

TEST_CASE("skips and rewinds") {
  with_each([](auto open) {
    const auto all = see_all(open());
    auto f = open();
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1023},
                                std::size_t{4000}, all.size() - 1, all.size()}) {
      CAPTURE(n);
      f.rewind();
      CHECK(f.skip(n) == n);
      CHECK(see_all(f) == part(all, n, all.size()));
    }
    // Skip repeatedly, beginning amid the instructions that the feed holds back.
    f.rewind();
    list some;
    std::size_t at = 0;
    while (at < all.size()) {
      const auto b = f.next();
      for (std::size_t i = 0; i < b.size(); ++i) some.push_back(see(b[i]));
      CHECK(some == part(all, at, at + some.size()));
      at += some.size();
      some.clear();
      at += f.skip(7);
    }
    CHECK(at == all.size());
    CHECK(f.skip(std::numeric_limits<std::uint64_t>::max()) == 0);
    f.rewind();
    CHECK(f.skip(std::numeric_limits<std::uint64_t>::max()) == all.size());
    CHECK(f.next().size() == 0);
    f.rewind();
    f.next();
    CHECK(f.skip(std::numeric_limits<std::uint64_t>::max()) < all.size());
    CHECK(f.next().size() == 0);
  });
}

TEST_CASE("an index makes skipping faster and changes no result") {
  const folder dir;
  const auto path = dir.file("t", content(data("threads3_64.trace64.xz")));
  x64dbg::block_reader<x64> blocks(io::open_input(path));
  const auto index = x64dbg::index_of(blocks, 1);
  const auto all = see_all(x64dbg::trace_feed<x64>(path));
  x64dbg::trace_feed<x64> f(path, {.index = &index});
  CHECK(f.count() == all.size());
  for (const std::size_t n : {5U, 5000U, 29000U, 30000U}) {
    CAPTURE(n);
    f.rewind();
    f.next();
    f.rewind();
    CHECK(f.skip(n) == n);
    CHECK(see_all(f) == part(all, n, all.size()));
  }
  f.rewind();
  CHECK(f.skip(40000) == 30000);
}

TEST_CASE("adaptors preserve the target of each branch") {
  with_each([](auto open) {
    const auto all = see_all(open());
    CHECK(see_all(open() | feed::skip{1000} | feed::limit{3000}) == part(all, 1000, 4000));
    CHECK(see_range(open() | feed::skip{1000} | feed::limit{3000}) == part(all, 1000, 4000));
    // The last instruction is not a branch, so its target does not change at the wrap.
    list twice = all;
    twice.insert(twice.end(), all.begin(), all.end());
    CHECK(see_all(open() | feed::repeat{2}) == twice);
    auto three = open() | feed::repeat{3} | feed::skip{all.size() + 10};
    CHECK(three.count() == 2 * all.size() - 10);
    CHECK(see_all(three) == part(twice, 10, twice.size()));
    list together;
    for (std::uint64_t i = 0; i < 4; ++i) {
      const auto one = see_all(open() | feed::shard(i, 4));
      CHECK(one.size() == all.size() * (i + 1) / 4 - all.size() * i / 4);
      together.insert(together.end(), one.begin(), one.end());
    }
    CHECK(together == all);
    CHECK(see_all(open() | feed::as_champsim_reads{}) == part(all, 0, all.size() - 1));
  });
}

TEST_CASE("at a wrap, the look-ahead continues with the first instruction if one thread exists") {
  const folder dir;
  program<x64> one, two;
  one.step(4, 0x1000, "90").step(4, 0x1001, "e900100000");
  two.step(4, 0x1000, "90").step(8, 0x2000, "e900100000");
  const auto targets = [&](program<x64>& p, std::uint64_t times) {
    std::vector<std::uint64_t> t;
    x64dbg::trace_feed<x64> f(dir.file("t", p.trace()));
    for (const auto& s : see_all(std::move(f) | feed::repeat{times})) t.push_back(s.target);
    return t;
  };
  using expected = std::vector<std::uint64_t>;
  CHECK(targets(one, 1) == expected{0, 0x2006});
  CHECK(targets(one, 3) == expected{0, 0x1000, 0, 0x1000, 0, 0x2006});
  CHECK(targets(two, 2) == expected{0, 0x3005, 0, 0x3005});
  // A pass that ends with a limit wraps in the same way.
  x64dbg::trace_feed<x64> f(dir.file("t", one.trace()));
  const auto cut = see_all(std::move(f) | feed::skip{1} | feed::limit{1} | feed::repeat{2});
  REQUIRE(cut.size() == 2);
  CHECK(cut[0].target == 0x1001);
  CHECK(cut[1].target == 0x2006);
}

namespace {
// Simulator's own instruction type, constructed from the simulator's struct for a record.
template <class Record> struct model {
  Record record;
  std::uint64_t branch_target = 0;
  model(std::uint8_t, const Record& r) : record(r) {}
};
}  // namespace

TEST_CASE("an x64dbg trace can deliver ChampSim's records to a simulator") {
  namespace champsim = tracecodec::champsim;
  const auto path = data("threads3_64.trace64.xz");
  std::vector<champsim::instruction> want;
  std::vector<std::uint64_t> targets;
  x64dbg::trace_feed<x64> f(path);
  feed::for_each(f, [&](const auto& i) {
    want.push_back(champsim::record_of(i).record);
    targets.push_back(i.target());
  });
  auto own = champsim::model_reader<model<input_instr>, input_instr>(
      0, x64dbg::trace_feed<x64>(path) | feed::limit{5000});
  auto same =
      champsim::model_reader<model<champsim::instruction>>(0, x64dbg::trace_feed<x64>(path));
  auto wide =
      champsim::model_reader<model<champsim::cloudsuite_instruction>,
                             champsim::cloudsuite_instruction>(0, x64dbg::trace_feed<x64>(path));
  std::size_t n = 0, different = 0;
  for (; !own.eof(); ++n) {
    const auto a = own();
    const auto b = same();
    const auto c = wide();
    different += !(std::bit_cast<champsim::instruction>(a.record) == want[n]) ||
                 !(b.record == want[n]) || a.branch_target != targets[n] ||
                 c.record.ip != want[n].ip || c.record.asid[1] != 6700 / 256;
  }
  CHECK(n == 5000);
  CHECK(different == 0);
}
