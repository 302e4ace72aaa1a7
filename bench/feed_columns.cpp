// Measures columns of a mapped trace, and a front end over them, against hand-written loops
// over the feed. ratios.py compares the benchmarks NAME/library... with NAME/by_hand.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include <tracecodec/feed/column_source.hpp>

#include "front_end.hpp"
#include "trace.hpp"

namespace {

namespace feed = tracecodec::feed;
using feed::column;
using trace_feed = bench::champsim::trace_feed<>;

// Trace of this process in the temporary folder, removed when the program ends.
struct temporary_trace {
  explicit temporary_trace(std::size_t n)
      : path((std::filesystem::temp_directory_path() /
              ("tracecodec_columns_" + std::to_string(::getpid()) + ".champsimtrace"))
                 .string()),
        records(n) {
    bench::write_trace(path, n, n);
  }
  temporary_trace(const temporary_trace&) = delete;
  temporary_trace& operator=(const temporary_trace&) = delete;
  ~temporary_trace() { std::remove(path.c_str()); }
  std::string path;
  std::size_t records;
};
const temporary_trace& trace() {
  static const temporary_trace t(4'000'000);
  return t;
}
void count(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace().records));
}

// Counts branch classes and sums up outcomes and targets.
void flow_over_feed(benchmark::State& state) {
  trace_feed from(trace().path);
  for ([[maybe_unused]] auto _ : state) {
    from.rewind();
    benchmark::DoNotOptimize(bench::run_for_each(from));
  }
  count(state);
}
[[gnu::noinline]] bench::front_end run_columns(feed::column_source& from, feed::columns& batch) {
  bench::front_end f;
  while (from.next(batch)) {
    const auto ip = batch.ip();
    const auto branch = batch.branch();
    const auto taken = batch.taken();
    const auto target = batch.target();
    for (std::size_t row = 0, n = batch.size(); row != n; ++row)
      f.step(ip[row], branch[row], taken[row] != 0, target[row]);
  }
  return f;
}
void flow_over_columns(benchmark::State& state) {
  const auto from = feed::make_column_source(
      trace_feed(trace().path), {column::ip, column::branch, column::taken, column::target});
  feed::columns batch;
  trace_feed same(trace().path);
  if (run_columns(*from, batch) != bench::run_for_each(same))
    state.SkipWithError("columns and feed differ");
  for ([[maybe_unused]] auto _ : state) {
    from->rewind();
    benchmark::DoNotOptimize(run_columns(*from, batch));
  }
  count(state);
}

// Sums up the addresses of all instructions and of their memory accesses.
void memory_over_feed(benchmark::State& state) {
  trace_feed from(trace().path);
  for ([[maybe_unused]] auto _ : state) {
    from.rewind();
    std::uint64_t sum = 0;
    feed::for_each(from, [&](const auto& i) {
      sum += i.ip();
      for (const std::uint64_t a : i.source_memory()) sum ^= a;
      for (const std::uint64_t a : i.destination_memory()) sum ^= a;
    });
    benchmark::DoNotOptimize(sum);
  }
  count(state);
}
void memory_over_columns(benchmark::State& state) {
  const auto from =
      feed::make_column_source(trace_feed(trace().path), {column::ip, column::memory});
  feed::columns batch;
  for ([[maybe_unused]] auto _ : state) {
    from->rewind();
    std::uint64_t sum = 0;
    while (from->next(batch)) {
      for (const std::uint64_t ip : batch.ip()) sum += ip;
      for (const std::uint64_t a : batch.memory().address) sum ^= a;
    }
    benchmark::DoNotOptimize(sum);
  }
  count(state);
}

BENCHMARK(flow_over_feed)->Name("column_flow/by_hand")->Unit(benchmark::kMillisecond);
BENCHMARK(flow_over_columns)->Name("column_flow/library")->Unit(benchmark::kMillisecond);
BENCHMARK(memory_over_feed)->Name("column_memory/by_hand")->Unit(benchmark::kMillisecond);
BENCHMARK(memory_over_columns)->Name("column_memory/library")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
