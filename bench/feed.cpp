// Measures the feed with class and target over a mapped trace and over .xz, against
// hand-written loops. ratios.py compares the benchmarks NAME/library... with NAME/by_hand.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "front_end.hpp"
#include "trace.hpp"

#ifdef TRACECODEC_WITH_XZ
#include "xz_by_hand.hpp"
#endif

namespace {

using bench::champsim::instruction;

// Trace of this process in the temporary folder, removed when the program ends.
struct temporary_trace {
  temporary_trace(const std::string& name, std::size_t n, std::size_t period,
                  const tracecodec::io::output_options& options = {})
      : path((std::filesystem::temp_directory_path() /
              ("tracecodec_" + std::to_string(::getpid()) + "_" + name))
                 .string()),
        records(n) {
    bench::write_trace(path, n, period, options);
  }
  temporary_trace(const temporary_trace&) = delete;
  temporary_trace& operator=(const temporary_trace&) = delete;
  ~temporary_trace() { std::remove(path.c_str()); }
  std::string path;
  std::size_t records;
};

void count(benchmark::State& state, std::size_t records) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}

const temporary_trace& mapped_trace() {
  static const temporary_trace trace("mapped.champsimtrace", 4'000'000, 4'000'000);
  return trace;
}

void mapped_by_hand(benchmark::State& state) {
  const auto input = tracecodec::io::open_input(mapped_trace().path);
  const std::span records(reinterpret_cast<const instruction*>(input.bytes().data()),
                          mapped_trace().records);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(bench::run_by_hand(records));
  count(state, records.size());
}
void mapped_for_each(benchmark::State& state) {
  bench::champsim::trace_feed<> feed(mapped_trace().path);
  for ([[maybe_unused]] auto _ : state) {
    feed.rewind();
    benchmark::DoNotOptimize(bench::run_for_each(feed));
  }
  count(state, mapped_trace().records);
}
void mapped_range(benchmark::State& state) {
  bench::champsim::trace_feed<> feed(mapped_trace().path);
  for ([[maybe_unused]] auto _ : state) {
    feed.rewind();
    benchmark::DoNotOptimize(bench::run_range(feed));
  }
  count(state, mapped_trace().records);
}
BENCHMARK(mapped_by_hand)->Name("mapped/by_hand")->Unit(benchmark::kMillisecond);
BENCHMARK(mapped_for_each)->Name("mapped/library/for_each")->Unit(benchmark::kMillisecond);
BENCHMARK(mapped_range)->Name("mapped/library/range")->Unit(benchmark::kMillisecond);

#ifdef TRACECODEC_WITH_XZ
// The trace compresses 60 to 1, like real traces, because each instruction occurs four times.
constexpr std::size_t xz_records = 400'000, xz_period = 100'000;
const temporary_trace& xz_trace(bool blocks) {
  static const temporary_trace many("many.champsimtrace.xz", xz_records, xz_period);
  static const temporary_trace one("one.champsimtrace.xz", 0, 1);
  static const bool made = [] {
    std::vector<std::byte> all(xz_records * sizeof(instruction));
    auto in = tracecodec::io::open_input(many.path);
    return in.read(all) == all.size() && bench::compress_to_one_block(all, one.path);
  }();
  if (!made) std::abort();
  return blocks ? many : one;
}

void xz_by_hand(benchmark::State& state, bool blocks) {
  const temporary_trace& trace = xz_trace(blocks);
  for ([[maybe_unused]] auto _ : state)
    if (bench::decompress_by_hand(trace.path) != xz_records * sizeof(instruction))
      state.SkipWithError("liblzma failed");
  count(state, xz_records);
}
void xz_feed(benchmark::State& state, bool blocks) {
  const temporary_trace& trace = xz_trace(blocks);
  bench::champsim::trace_feed<> feed(trace.path);
  for ([[maybe_unused]] auto _ : state) {
    feed.rewind();
    benchmark::DoNotOptimize(bench::run_for_each(feed));
  }
  count(state, xz_records);
}
// Measures the CPU time of all threads, because liblzma's own threads do most of the work.
BENCHMARK_CAPTURE(xz_by_hand, one, false)
    ->Name("xz_one_block/by_hand")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(xz_feed, one, false)
    ->Name("xz_one_block/library/for_each")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(xz_by_hand, many, true)
    ->Name("xz_blocks/by_hand")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(xz_feed, many, true)
    ->Name("xz_blocks/library/for_each")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
#endif

}  // namespace

BENCHMARK_MAIN();
