// Tests of a packed trace as a feed: the instructions are those of the trace, however they are
// reached.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/feed/stream.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/tracepack/feed.hpp>
#include <vector>

#include "support.hpp"

namespace {

using test::bytes;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace tp = tracecodec::tracepack;

// Properties of an instruction that a feed returns.
struct reported {
  std::uint64_t ip, target;
  feed::branch_class branch;
  bool taken;
  std::vector<std::uint64_t> reads;
  friend bool operator==(const reported&, const reported&) = default;
};
template <class Feed> std::vector<reported> all_of(Feed& from) {
  std::vector<reported> all;
  for (auto b = from.next(); b.size() != 0; b = from.next())
    for (std::size_t i = 0; i != b.size(); ++i) {
      const auto v = b[i];
      reported t{v.ip(), v.target(), v.branch(), v.taken(), {}};
      for (const std::uint64_t a : v.source_memory()) t.reads.push_back(a);
      all.push_back(std::move(t));
    }
  return all;
}
tracecodec::io::input in_memory(std::span<const std::byte> of) {
  return tracecodec::io::open_bytes(of, "memory");
}
bytes in_frames(std::span<const std::byte> content, std::uint32_t frame_records, tp::level level) {
  return test::packed(content, test::options_of(frame_records, level));
}
// Returns the records of a sample.
bytes sample(const char* name) {
  tracecodec::io::input in = tracecodec::io::open_input(TRACECODEC_TEST_DATA "/" +
                                                        std::string(name) + ".champsimtrace.xz");
  bytes all(std::size_t{1} << 23);
  all.resize(in.read(all));
  return all;
}

}  // namespace

TEST_CASE("the feed of a pack equals the feed of its trace") {
  for (const char* name : {"sed64", "work32"}) {
    const bytes raw = sample(name);
    for (const auto rules : {champsim::branch_rules::current, champsim::branch_rules::of_2022})
      for (const auto level : {tp::level::fast, tp::level::high}) {
        const bytes file = in_frames(raw, 700, level);
        tp::trace_feed<> from(tp::reader(in_memory(file)), rules);
        const auto got = all_of(from);
        std::vector<reported> want;
        if (rules == champsim::branch_rules::current) {
          champsim::trace_feed<> of(in_memory(raw));
          want = all_of(of);
        } else {
          champsim::trace_feed<champsim::instruction, champsim::branch_rules::of_2022> of(
              in_memory(raw));
          want = all_of(of);
        }
        CHECK(got == want);
        CHECK(from.count() == want.size());
      }
  }
}

TEST_CASE("a feed can be skipped, rewound and moved") {
  const bytes raw = sample("work32");
  const bytes file = in_frames(raw, 1000, tp::level::fast);
  tp::trace_feed<champsim::instruction, true> from(in_memory(file));
  champsim::trace_feed<> of(in_memory(raw));
  const auto all = all_of(of);
  for (const std::uint64_t n :
       {1U, 2U, 999U, 1000U, 1001U, 4097U, 31999U, 49999U, 50000U, 60000U}) {
    from.rewind();
    auto moved = std::move(from);
    const std::uint64_t skipped = moved.skip(n);
    CHECK(skipped == std::min<std::uint64_t>(n, all.size()));
    const auto rest = all_of(moved);
    CHECK(std::equal(rest.begin(), rest.end(), all.begin() + static_cast<std::ptrdiff_t>(skipped),
                     all.end()));
    from = std::move(moved);
  }
  // Skip after reading some.
  from.rewind();
  auto b = from.next();
  const std::size_t first = b.size();
  CHECK(from.skip(1500) == 1500);
  b = from.next();
  REQUIRE(b.size() != 0);
  CHECK(b[0].ip() == all[first + 1500].ip);
}

TEST_CASE("delivers the records before a truncated record") {
  bytes raw = sample("work32");
  raw.resize(64 * 100 + 17);
  const bytes file = in_frames(raw, 0, tp::level::fast);
  tp::trace_feed<> from(in_memory(file));
  std::size_t n = 0;
  bool failed = false;
  try {
    for (auto batch = from.next(); batch.size() != 0; batch = from.next()) n += batch.size();
  } catch (const tracecodec::trace_error& e) {
    failed = true;
    CHECK(e.code() == tracecodec::trace_errc::truncated);
  }
  CHECK(n == 100);
  CHECK(failed);
}

TEST_CASE("refuses records of another size") {
  const bytes file = in_frames(sample("work32"), 0, tp::level::fast);
  CHECK_THROWS_AS((tp::trace_feed<champsim::cloudsuite_instruction>(in_memory(file))),
                  tracecodec::trace_error);
}
