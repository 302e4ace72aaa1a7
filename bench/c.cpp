// Measures records per second through libtracecodec, compared with a loop over the feed that
// creates the same records.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <tracecodec/umtracer/opens.hpp>
#include <tracecodec/x64dbg/opens.hpp>
#include "c/records.hpp"

namespace {

// Minimum number of records in a measurement. Shorter traces are read several times.
constexpr std::size_t at_least = 50000;

void compare(const std::string& name, const std::string& path) {
  tracecodec_trace* opened = nullptr;
  std::uint64_t n = 0;
  if (tracecodec_open(path.c_str(), nullptr, &opened) != TRACECODEC_OK ||
      tracecodec_count(opened, &n) != TRACECODEC_OK || n == 0) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(1);
  }
  tracecodec_close(opened);
  const std::size_t passes = at_least / static_cast<std::size_t>(n) + 1;
  const auto items = static_cast<std::int64_t>(n * passes);
  benchmark::RegisterBenchmark(("c_" + name + "/by_hand").c_str(), [=](benchmark::State& state) {
    tracecodec::trace::visit(path, [&](auto from) {
      for (auto _ : state) benchmark::DoNotOptimize(bench::by_hand(from, passes));
    });
    state.SetItemsProcessed(state.iterations() * items);
  });
  benchmark::RegisterBenchmark(("c_" + name + "/library").c_str(), [=](benchmark::State& state) {
    tracecodec_trace* from = nullptr;
    if (tracecodec_open(path.c_str(), nullptr, &from) != TRACECODEC_OK)
      state.SkipWithError("it cannot be opened");
    for (auto _ : state) benchmark::DoNotOptimize(bench::by_library(from, passes));
    state.SetItemsProcessed(state.iterations() * items);
    tracecodec_close(from);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = TRACECODEC_TEST_DATA "/";
  std::vector<std::string> made{bench::unpacked("sed64.champsimtrace.xz")};
  compare("champsim", made.back());
  compare("rapidbin", data + "rapidbin/r6000.data");
#if TRACECODEC_OPENS_X64DBG
  made.push_back(bench::unpacked("threads3_64.trace64.xz"));
  compare("x64dbg", made.back());
#endif
#if TRACECODEC_OPENS_UMTRACER
  compare("umtracer", data + "umtracer/plain64");
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  for (const std::string& file : made) std::remove(file.c_str());
}
