// Counts the instructions of the feed with class and target, against a hand-written loop over
// the same mapped records, under callgrind. Dumps counts like records.cpp. Keeps the trace in
// the current folder while it runs.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <string>

#include "../front_end.hpp"
#include "../trace.hpp"

namespace {

template <class F> bench::front_end measure(const std::string& name, std::size_t n, F&& f) {
  const std::string dump = name + "/" + std::to_string(n);
  CALLGRIND_ZERO_STATS;
  const bench::front_end result = f();
  CALLGRIND_DUMP_STATS_AT(dump.c_str());
  return result;
}

bool compare(const std::string& path, std::size_t n) {
  bench::write_trace(path, n, n);
  const auto input = tracecodec::io::open_input(path);
  const std::span records(
      reinterpret_cast<const bench::champsim::instruction*>(input.bytes().data()), n);
  bench::champsim::trace_feed<> feed(path);
  const auto expected =
      measure("feed/range/by_hand", n, [&] { return bench::run_by_hand(records); });
  measure("feed/for_each/by_hand", n, [&] { return bench::run_by_hand(records); });
  const auto range = measure("feed/range/library", n, [&] { return bench::run_range(feed); });
  feed.rewind();
  const auto each = measure("feed/for_each/library", n, [&] { return bench::run_for_each(feed); });
  return range == expected && each == expected;
}

}  // namespace

int main() {
  // Both sizes are whole batches, so that the ends of batches are counted, too.
  const std::string path = "feed.champsimtrace";
  const bool same = compare(path, 4 * 4096) && compare(path, 12 * 4096);
  std::remove(path.c_str());
  if (!same) std::fprintf(stderr, "the feed and the hand-written loop differ\n");
  return same ? 0 : 1;
}
