// Measures decoding execution records with operand values over mapped UMTracer traces, against
// a hand-written loop. Also measures access to a record by its number, opening a trace, and
// the feed, without a reference. ratios.py compares the benchmarks NAME/library... with
// NAME/by_hand.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/umtracer/feed.hpp>
#endif

#include "umtracer/by_hand.hpp"
#include "umtracer/decode.hpp"
#include "umtracer/trace.hpp"

namespace {

namespace umtracer = tracecodec::umtracer;

const std::string& folder() {
  static const bench::umtracer_trace trace(1000);
  static const std::string path = trace.path();
  return path;
}

void count(benchmark::State& state, std::uint64_t records) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}

void decode_by_hand(benchmark::State& state) {
  const umtracer::trace_files files(folder());
  const bench::umtracer_by_hand from{files[umtracer::file::exec_records],
                                     files[umtracer::file::exec_offsets],
                                     files[umtracer::file::instructions]};
  bench::digest d;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(d = *from.decode());
  count(state, d.records);
}
void decode_with_library(benchmark::State& state) {
  const umtracer::reader trace(folder());
  const umtracer::trace_files& files = trace.files();
  const bench::umtracer_by_hand by_hand{files[umtracer::file::exec_records],
                                        files[umtracer::file::exec_offsets],
                                        files[umtracer::file::instructions]};
  bench::digest d;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(d = bench::decode_umtracer(trace));
  if (d != by_hand.decode()) state.SkipWithError("what was found is not the same");
  count(state, d.records);
}

// Reads records at random positions of a trace whose pages are in memory.
void by_number(benchmark::State& state) {
  const umtracer::reader trace(folder());
  bench::decode_umtracer(trace);
  std::uint64_t at = 1, sum = 0;
  for ([[maybe_unused]] auto _ : state) {
    at = at * 6364136223846793005 + 1442695040888963407;
    const umtracer::record_view r = trace[(at >> 33) % trace.size()];
    const umtracer::operand_values all = operands_of(trace, r);
    if (all.size() != 0) sum += all.value(0).bytes.size();
    benchmark::DoNotOptimize(sum);
  }
  count(state, 1);
}

void open(benchmark::State& state) {
  const std::string path = folder();
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(umtracer::reader(path).size());
  count(state, 1);
}

#if defined(TRACECODEC_WITH_ZYDIS)
void feed(benchmark::State& state) {
  umtracer::trace_feed trace(folder());
  std::uint64_t n = 0, sum = 0;
  for ([[maybe_unused]] auto _ : state) {
    trace.rewind();
    n = 0;
    for (auto b = trace.next(); b.size() != 0; b = trace.next())
      for (std::size_t i = 0; i < b.size(); ++i, ++n) {
        const auto instruction = b[i];
        sum += instruction.ip() + instruction.target();
        for (const std::uint64_t a : instruction.source_memory()) sum ^= a;
      }
    benchmark::DoNotOptimize(sum);
  }
  count(state, n);
}
#endif

void add(const char* name, void (*f)(benchmark::State&), benchmark::TimeUnit unit) {
  benchmark::RegisterBenchmark(name, f)->Unit(unit);
}

}  // namespace

int main(int argc, char** argv) {
  add("exec/by_hand", decode_by_hand, benchmark::kMillisecond);
  add("exec/library", decode_with_library, benchmark::kMillisecond);
  add("by_number", by_number, benchmark::kNanosecond);
  add("open", open, benchmark::kMicrosecond);
#if defined(TRACECODEC_WITH_ZYDIS)
  add("feed", feed, benchmark::kMillisecond);
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
