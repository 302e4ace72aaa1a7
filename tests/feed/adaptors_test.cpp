// Tests of the adaptors: separately and composed, on mapped and on streamed traces, with the
// lookahead preserved.
#include <doctest/doctest.h>

#include <ranges>
#include <utility>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/feed/adaptors.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
using tracecodec::trace_errc;
using tracecodec::trace_error;

static_assert(feed::stream<champsim::trace_feed<>>);
static_assert(feed::stream<champsim::trace_feed<test::cloudsuite_instruction>>);
static_assert(std::ranges::input_range<champsim::trace_feed<>>);
static_assert(std::ranges::input_range<feed::take_feed<champsim::trace_feed<>>>);

namespace {
// Ip and target of every instruction. A range and batches must return the same values.
using flow = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
template <class Make> flow run(Make make) {
  flow by_range, by_batch;
  auto first = make();
  for (const auto& i : first) by_range.emplace_back(i.ip(), i.target());
  auto second = make();
  feed::for_each(second, [&](const auto& i) { by_batch.emplace_back(i.ip(), i.target()); });
  CHECK(by_range == by_batch);
  return by_range;
}

// Trace in which every instruction is a jump, so that each target is the next ip.
struct jumps {
  explicit jumps(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      test::instruction r{};
      r.ip = ip(i);
      r.is_branch = r.branch_taken = 1;
      r.destination_registers = {26, 0};
      r.source_registers = {26, 0, 0, 0};
      records.push_back(r);
    }
    path = dir.file("t", test::bytes_of(records));
  }
  static std::uint64_t ip(std::size_t i) { return 0x1000 + 16 * i; }
  // Opens the trace as trusted, because no real program jumps in every instruction.
  champsim::trace_feed<> open(bool map) const {
    return champsim::trace_feed<>(path, {.map = map}, {.trust = true});
  }
  // Returns the expected ips and targets of instructions [from, to) of the trace.
  flow expect(std::size_t from, std::size_t to) const {
    flow f;
    for (std::size_t i = from; i < to; ++i)
      f.emplace_back(ip(i), i + 1 < records.size() ? ip(i + 1) : 0);
    return f;
  }
  test::folder dir;
  std::vector<test::instruction> records;
  std::string path;
};
}  // namespace

TEST_CASE("skip and limit preserve the trace's targets") {
  const jumps t(9000);
  for (const bool map : {true, false}) {
    CHECK(run([&] { return t.open(map); }) == t.expect(0, 9000));
    for (const std::size_t s : {0u, 1u, 4095u, 4096u, 5000u, 8999u})
      for (const std::size_t n : {0u, 1u, 2u, 96u, 4096u, 100000u})
        CHECK(run([&] { return t.open(map) | feed::skip{s} | feed::limit{n}; }) ==
              t.expect(s, std::min<std::size_t>(9000, s + n)));
    CHECK(run([&] { return t.open(map) | feed::skip{9000}; }).empty());
    CHECK(run([&] { return t.open(map) | feed::skip{~0ull}; }).empty());
  }
}

TEST_CASE("repeat: the last branch of a pass leads to the first instruction of the next pass") {
  for (const std::size_t n : {1u, 2u, 4096u, 4097u, 5000u}) {
    const jumps t(n);
    for (const bool map : {true, false}) {
      flow wrapped = t.expect(0, n), expected;
      wrapped.back().second = jumps::ip(0);
      for (int pass = 0; pass < 2; ++pass)
        expected.insert(expected.end(), wrapped.begin(), wrapped.end());
      const flow last = t.expect(0, n);
      expected.insert(expected.end(), last.begin(), last.end());
      CHECK(run([&] { return t.open(map) | feed::repeat{3}; }) == expected);
      CHECK((t.open(map) | feed::repeat{3}).count() == 3 * n);
      CHECK_FALSE((t.open(map) | feed::repeat{}).count());
    }
  }
}

TEST_CASE("a repeated slice begins again with its first instruction") {
  const jumps t(6000);
  for (const bool map : {true, false}) {
    const flow f =
        run([&] { return t.open(map) | feed::skip{10} | feed::limit{3} | feed::repeat{2}; });
    CHECK(f == flow{{jumps::ip(10), jumps::ip(11)},
                    {jumps::ip(11), jumps::ip(12)},
                    {jumps::ip(12), jumps::ip(10)},
                    {jumps::ip(10), jumps::ip(11)},
                    {jumps::ip(11), jumps::ip(12)},
                    {jumps::ip(12), jumps::ip(13)}});
  }
}

TEST_CASE("a repeated feed rewinds to its first pass, and may be empty") {
  const jumps t(100);
  for (const bool map : {true, false}) {
    auto twice = t.open(map) | feed::repeat{2};
    auto nothing = t.open(map) | feed::skip{100} | feed::repeat{};
    for (int i = 0; i < 3; ++i) {
      std::size_t n = 0;
      for (const auto& x : twice) n += x.ip() != 0;
      CHECK(n == 200);
      twice.rewind();
      CHECK(nothing.next().size() == 0);
      nothing.rewind();
    }
  }
}

TEST_CASE("skip and limit work across passes") {
  const jumps t(5000);
  for (const bool map : {true, false}) {
    const flow all = run([&] { return t.open(map) | feed::repeat{4}; });
    for (const std::size_t s : {0u, 4999u, 5000u, 5001u, 12345u, 19999u, 20000u})
      CHECK(run([&] { return t.open(map) | feed::repeat{4} | feed::skip{s}; }) ==
            flow(all.begin() + static_cast<std::ptrdiff_t>(s), all.end()));
    CHECK(run([&] { return t.open(map) | feed::repeat{} | feed::limit{12345}; }).size() == 12345);
  }
}

TEST_CASE("the shards together equal the whole trace, including targets") {
  const jumps t(5003);
  for (const bool map : {true, false}) {
    for (const std::uint64_t n : {1u, 2u, 3u, 7u, 5003u, 6000u}) {
      if (n > 100 && !map) continue;
      flow together;
      for (std::uint64_t i = 0; i < n; ++i) {
        auto f = t.open(map) | feed::shard{i, n};
        for (const auto& x : f) together.emplace_back(x.ip(), x.target());
      }
      CHECK(together == t.expect(0, 5003));
    }
    CHECK(run([&] {
            return t.open(map) | feed::skip{3} | feed::repeat{2} | feed::limit{7000} |
                   feed::shard{1, 2};
          }).size() == 3500);
  }
  CHECK_THROWS_AS(t.open(true) | feed::shard(2, 2), trace_error);
  CHECK_THROWS_AS(t.open(true) | feed::shard(0, 0), trace_error);
  CHECK_THROWS_AS(t.open(true) | feed::repeat{} | feed::shard(0, 2), trace_error);
}

TEST_CASE("only the last shard reports that a trace is truncated") {
  std::vector<std::byte> bytes(64 * 30 + 7);
  for (std::size_t i = 0; i != 30; ++i) bytes[64 * i] = std::byte{1};
  for (const std::uint64_t k : {0u, 1u, 2u}) {
    auto part = champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "cut"), {.trust = true}) |
                feed::shard{k, 3};
    CHECK(part.count() == 10);
    std::size_t n = 0;
    const auto count = [&] {
      for (const auto& x : part) n += x.ip() != 0;
    };
    if (k == 2)
      CHECK_THROWS_AS(count(), trace_error);
    else
      count();
    CHECK(n == 10);
  }
}

TEST_CASE("computes the ranges of more than 2^32 shards") {
  using range = std::pair<std::uint64_t, std::uint64_t>;
  constexpr std::uint64_t half = std::uint64_t{1} << 63, all = 2 * (half - 1) + 1;
  CHECK(feed::shard(half / 2, half).range(1000) == range{500, 500});
  CHECK(feed::shard(half - 1, half).range(1000) == range{999, 1000});
  CHECK(feed::shard(0, half).range(all) == range{0, 1});
  CHECK(feed::shard(half / 2, half).range(all) == range{half - 1, half + 1});
  CHECK(feed::shard(half - 1, half).range(all) == range{all - 2, all});
  // 10^19 instructions in 3 * 2^32 parts are 776,102,145.5 in each.
  CHECK(feed::shard(6442450944, 12884901888).range(10'000'000'000'000'000'000u) ==
        range{5'000'000'000'000'000'000u, 5'000'000'000'776'102'145u});
  CHECK(feed::shard(all - 1, all).range(all - 1) == range{all - 2, all - 1});
}

TEST_CASE("as_champsim_reads omits the last record, unless there are 1 or a multiple of 127") {
  // Observed with ChampSim: 300 records become 299.
  for (const auto& [n, kept] : {std::pair{1u, 1u},
                                {2u, 1u},
                                {126u, 125u},
                                {127u, 127u},
                                {128u, 127u},
                                {254u, 254u},
                                {300u, 299u},
                                {4096u, 4095u},
                                {4097u, 4096u},
                                {4098u, 4097u}}) {
    const jumps t(n);
    for (const bool map : {true, false}) {
      CHECK(run([&] { return t.open(map) | feed::as_champsim_reads{}; }) == t.expect(0, kept));
      CHECK((t.open(map) | feed::as_champsim_reads{}).count() == kept);
      CHECK(run([&] { return t.open(map) | feed::as_champsim_reads{} | feed::repeat{2}; }).size() ==
            2 * kept);
      CHECK(run([&] { return t.open(map) | feed::as_champsim_reads{} | feed::skip{1}; }).size() ==
            kept - 1);
    }
  }
}

TEST_CASE("the branch before the omitted record keeps its target in each pass") {
  for (const std::size_t n : {300u, 4096u, 4097u, 4098u, 8193u}) {
    const jumps t(n);
    for (const bool map : {true, false}) {
      flow two = t.expect(0, n - 1);
      CHECK(two.back().second == jumps::ip(n - 1));
      const flow one = two;
      two.insert(two.end(), one.begin(), one.end());
      CHECK(run([&] { return t.open(map) | feed::as_champsim_reads{} | feed::repeat{2}; }) == two);
      for (const std::size_t s : {1u, 298u, 299u})
        CHECK(run([&] { return t.open(map) | feed::as_champsim_reads{} | feed::skip{s}; }) ==
              t.expect(s, std::max<std::size_t>(s, n - 1)));
    }
  }
}

TEST_CASE("rewind returns to the first instruction of the pipeline") {
  const jumps t(5000);
  for (const bool map : {true, false}) {
    auto f = t.open(map) | feed::skip{100} | feed::limit{4500};
    std::size_t n = 0;
    for (const auto& i : f) n += i.ip() != 0;
    CHECK(n == 4500);
    f.rewind();
    CHECK((*f.begin()).ip() == jumps::ip(100));
  }
}

TEST_CASE("adaptors pass on an error after all whole instructions") {
  const jumps t(100);
  auto bytes = test::bytes_of(t.records);
  bytes.resize(bytes.size() - 1);
  const auto path = t.dir.file("cut", bytes);
  for (const bool map : {true, false}) {
    auto f = champsim::trace_feed<>(path, {.map = map}, {.trust = true}) | feed::skip{10} |
             feed::repeat{2};
    std::size_t n = 0;
    try {
      for (const auto& i : f) n += i.ip() != 0;
      FAIL("no error");
    } catch (const trace_error& e) {
      CHECK(e.code() == trace_errc::truncated);
    }
    CHECK(n == 89);
    // A limit before the damage never reaches the error.
    auto g = champsim::trace_feed<>(path, {.map = map}, {.trust = true}) | feed::limit{99};
    CHECK(std::ranges::distance(g.begin(), g.end()) == 99);
  }
}

TEST_CASE("dereferencing an iterator repeatedly returns the same instruction") {
  const jumps t(3);
  auto trace = t.open(true);
  auto it = trace.begin();
  for (std::size_t i = 0; i < 3; ++i, ++it) {
    const auto& first = *it;
    const auto& again = *it;
    CHECK(&first == &again);
    CHECK(it->ip() == jumps::ip(i));
    CHECK(first.ip() == jumps::ip(i));
    CHECK(first.target() == (i < 2 ? jumps::ip(i + 1) : 0));
  }
  CHECK(it == trace.end());
}
