// Measures rows of text per second, for each format as JSON lines and as CSV.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "rows/passes.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const bench::exported traces;
  bench::for_each_export(traces, [](const std::string& name, const std::string& path, auto pass) {
    const auto run = [path, pass](benchmark::State& state) {
      std::uint64_t written = 0;
      for ([[maybe_unused]] auto _ : state) written += pass(path);
      state.SetItemsProcessed(static_cast<std::int64_t>(written));
    };
    benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
  });
  benchmark::RunSpecifiedBenchmarks();
}
