// Cost of comparing two traces, whatever their content. Time must grow linearly with their length,
// and memory must not exceed the memory of the windows.
#include <algorithm>
#include <cstdint>
#include <span>

#include "bytes.hpp"
#include "champsim/support.hpp"
#include "growth.hpp"
#include "tracecodec/analysis/diff.hpp"
#if defined(TRACECODEC_WITH_ZYDIS) && defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/x64dbg/feed.hpp"
#include "tracecodec/x64dbg/values.hpp"
#include "x64dbg/example_blocks.hpp"
#define COMPARES_VALUES 1
#else
#define COMPARES_VALUES 0
#endif

using namespace test;

namespace {

namespace champsim = tracecodec::champsim;
namespace analysis = tracecodec::analysis;
namespace input = tracecodec::io;

// Two traces to compare.
struct pair_of_traces {
  bytes a, b;
  [[nodiscard]] std::size_t size() const { return a.size() + b.size(); }
};

analysis::diff_summary run(analysis::diff_source a, analysis::diff_source b,
                           const analysis::diff_options& o) {
  analysis::diff_summary sum;
  analysis::diff(
      std::move(a), std::move(b), o, sum, [](auto&&...) {}, [](auto&&) {});
  return sum;
}

// Returns `n` records with the ips ip(0) to ip(n - 1).
template <class Ip> bytes records(std::size_t n, Ip ip) {
  std::vector<test::instruction> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i].ip = static_cast<std::uint64_t>(ip(i));
  return bytes_of(all);
}
analysis::diff_summary compare(const pair_of_traces& t, const analysis::diff_options& o) {
  const auto open = [](const bytes& all) {
    return analysis::diff_source(
        champsim::trace_feed<>(input::open_bytes(all, "t"), {.trust = true}));
  };
  return run(open(t.a), open(t.b), o);
}

// diff_options::window documents 128 bytes per instruction. Growing vectors allocate up to three
// times the memory of their elements. A table with 16 bytes per instruction finds the meeting
// point.
static_assert(sizeof(analysis::diff_step) <= 128);
constexpr std::size_t of_window(std::size_t n) { return 2 * 3 * 128 * n + 3 * 16 * n; }
// Memory of the feeds and their batches. If the layout of records in the file differs from the
// layout in memory, each feed has encoded and decoded batches.
using record_codec = champsim::codec_of<champsim::instruction>;
constexpr std::size_t few = mebibyte + (record_codec::object_layout ? 0 : 2 * mebibyte);

}  // namespace

TEST_CASE("comparing traces that never meet takes linear time, with and without retries") {
  const auto make = [](std::size_t n) {
    return pair_of_traces{records(n, [](std::size_t i) { return 2 * i + 2; }),
                          records(n, [](std::size_t i) { return 2 * i + 1; })};
  };
  const analysis::diff_options tries{.window = 2000, .retries = 1000000};
  CHECK(compare(make(20000), tries).retries == 9);
  grows_with_size("many windows", 20000, make, [&](const pair_of_traces& t) { compare(t, tries); },
                  {.bytes = 0, .constant = 2 * of_window(2000) + few});
  const analysis::diff_options all{.window = std::size_t{1} << 28};
  CHECK(compare(make(20000), all).only_a == 20000);
  grows_with_size("one window", 20000, make, [&](const pair_of_traces& t) { compare(t, all); },
                  {.bytes = static_cast<double>(of_window(1)) / 128, .constant = few});
}

TEST_CASE("comparing traces that meet everywhere takes linear time") {
  // One trace stays at an address that the other trace never or rarely executes.
  const auto equal = [](std::size_t n) {
    return pair_of_traces{records(n, [](std::size_t) { return 0x1000; }),
                          records(n, [](std::size_t) { return 0x2000; })};
  };
  const auto nearly = [](std::size_t n) {
    return pair_of_traces{records(n, [](std::size_t) { return 0x1000; }),
                          records(n, [](std::size_t i) { return i % 15 == 0 ? 0x2000 : 0x1000; })};
  };
  // 40 common instructions, then one that differs.
  const auto often = [](std::size_t n) {
    return pair_of_traces{
        records(n, [](std::size_t i) { return 8 * (i % 41); }),
        records(n, [](std::size_t i) { return i % 41 == 40 ? 0x2000 + i : 8 * (i % 41); })};
  };
  for (const std::size_t window : {std::size_t{4000}, std::size_t{1} << 28}) {
    const analysis::diff_options o{.window = window, .retries = 1000000};
    const growth_limits limits{
        .bytes = window == 4000 ? 0 : static_cast<double>(of_window(1)) / 128,
        .constant = few + (window == 4000 ? 2 * of_window(window) : 0)};
    const auto work = [&](const pair_of_traces& t) { compare(t, o); };
    grows_with_size("all ips equal", 20000, equal, work, limits);
    grows_with_size("runs that are one too short", 20000, nearly, work, limits);
    grows_with_size("many divergences", 20000, often, work, limits);
  }
  CHECK(compare(often(4100), {}).divergences == 100);
}

#if COMPARES_VALUES
TEST_CASE("comparing values takes linear time if every register changes at each instruction") {
  const auto trace = [](std::size_t n, std::uint64_t first) {
    bytes all = header(x64);
    for (std::size_t i = 0; i < n; ++i) all += snapshot<x64>(first + i * 0x1000);
    return all;
  };
  const auto open = [](const bytes& all) {
    return analysis::diff_source(tracecodec::x64dbg::trace_feed<x64>(
        input::open_bytes(all, "t"), tracecodec::x64dbg::feed_options{.registers = true}));
  };
  constexpr std::size_t window = 3000;
  const analysis::diff_options o{.window = window, .retries = 1000000};
  const auto work = [&](const pair_of_traces& t) { run(open(t.a), open(t.b), o); };
  // Values take 240 bytes per instruction of a window, for at least 8,192 instructions, times three
  // as above. The feeds also store register files of 2,048 instructions, 1.7 KB each.
  const growth_limits limits{.bytes = 0,
                             .constant = 2 * of_window(window) + 2 * 3 * 240 * std::size_t{8192} +
                                         (std::size_t{16} << 20)};
  const auto same = [&](std::size_t n) {
    return pair_of_traces{trace(n, 0x1000), trace(n, 0x1000)};
  };
  const auto other = [&](std::size_t n) {
    return pair_of_traces{trace(n, 0x1000), trace(n, 0x1001)};
  };
  CHECK(run(open(same(100).a), open(same(100).b), o).values_compared);
  grows_with_size("at equal ips", 1500, same, work, limits);
  grows_with_size("never at equal ips", 1500, other, work, limits);
}

TEST_CASE("comparing values takes linear time if memory differs everywhere") {
  // mov eax, [..] with a different address each time, and 255 words of memory.
  const auto trace = [](std::size_t n, unsigned char value) {
    bytes all = header(x64) + snapshot<x64>();
    for (std::size_t i = 0; i < n; ++i) {
      // type, registers, memory, flags, code, position and value of cip
      all += from_hex("00 01 ff 02 8b00 10 0010400000000000");
      all.insert(all.end(), 255, std::byte{1});
      for (std::size_t k = 0; k < 255; ++k)
        for (unsigned byte = 0; byte < 8; ++byte)
          all.push_back(static_cast<std::byte>((i * 4096 + k * 8) >> 8 * byte));
      for (std::size_t k = 0; k < 255; ++k) {
        all.push_back(std::byte{value});
        all.insert(all.end(), 7, std::byte{0});
      }
    }
    return all;
  };
  const auto open = [](const bytes& all) {
    return analysis::diff_source(tracecodec::x64dbg::trace_feed<x64>(input::open_bytes(all, "t")));
  };
  const auto make = [&](std::size_t n) { return pair_of_traces{trace(n, 1), trace(n, 2)}; };
  const auto few_of_them = make(10);
  CHECK(run(open(few_of_them.a), open(few_of_them.b), {}).values == 10);
  grows_with_size("memory", 500, make,
                  [&](const pair_of_traces& t) { run(open(t.a), open(t.b), {.window = 3000}); },
                  {.bytes = 0, .constant = std::size_t{24} << 20});
}
#endif
