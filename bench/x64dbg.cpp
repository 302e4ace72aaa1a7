// Measures the index pass, and decoding with register state, over mapped x64dbg traces,
// against hand-written loops. ratios.py compares the benchmarks NAME/library... with
// NAME/by_hand.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "x64dbg/work.hpp"

namespace {

using bench::target;

// Trace of this process in the temporary folder, removed when the program ends.
template <target T> struct temporary_trace {
  temporary_trace(const std::string& name, const std::string& sample, std::size_t times)
      : path((std::filesystem::temp_directory_path() /
              ("tracecodec_" + std::to_string(::getpid()) + "_" + name))
                 .string()) {
    bench::write_blocks<T>(path, sample, times);
  }
  temporary_trace(const temporary_trace&) = delete;
  temporary_trace& operator=(const temporary_trace&) = delete;
  ~temporary_trace() { std::remove(path.c_str()); }
  std::string path;
};

// Traces of 55 and 46 MB. Like real traces, they are larger than caches.
template <target T> const std::string& path_of();
template <> const std::string& path_of<target::x64>() {
  static const temporary_trace<target::x64> trace("trace64", "threads3_64.trace64.xz", 40);
  return trace.path;
}
template <> const std::string& path_of<target::x86>() {
  static const temporary_trace<target::x86> trace("trace32", "work32.trace32.xz", 30);
  return trace.path;
}

void count(benchmark::State& state, std::uint64_t blocks) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks));
}

template <target T> void index_by_hand(benchmark::State& state) {
  const bench::trace<T> from(path_of<T>());
  bench::indexed r;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(r = bench::index_by_hand<T>(from));
  count(state, r.instructions);
}
template <target T> void index_with_library(benchmark::State& state) {
  bench::x64dbg::block_reader<T> blocks(tracecodec::io::open_input(path_of<T>()));
  bench::indexed r;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(r = bench::index_with_library<T>(blocks));  // also rewinds
  count(state, r.instructions);
}
template <target T> void decode_by_hand(benchmark::State& state) {
  const bench::trace<T> from(path_of<T>());
  bench::digest d;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(d = bench::decode_by_hand<T>(from));
  count(state, d.instructions);
}
template <target T> void decode_with_library(benchmark::State& state) {
  bench::x64dbg::reader<T> reader(tracecodec::io::open_input(path_of<T>()));
  bench::digest d;
  for ([[maybe_unused]] auto _ : state) {
    reader.seek(0);
    benchmark::DoNotOptimize(d = bench::decode_with_library<T>(reader));
  }
  count(state, d.instructions);
}

void add(const char* name, void (*f)(benchmark::State&)) {
  benchmark::RegisterBenchmark(name, f)->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  add("index64/by_hand", index_by_hand<target::x64>);
  add("index64/library", index_with_library<target::x64>);
  add("index32/by_hand", index_by_hand<target::x86>);
  add("index32/library", index_with_library<target::x86>);
  add("decode64/by_hand", decode_by_hand<target::x64>);
  add("decode64/library", decode_with_library<target::x64>);
  add("decode32/by_hand", decode_by_hand<target::x86>);
  add("decode32/library", decode_with_library<target::x86>);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
