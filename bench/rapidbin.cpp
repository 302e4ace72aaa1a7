// Measures decoding RapidBin events into a structure of arrays and back, against the best of
// several hand-written loops. Built for the baseline instruction set, and again for x86-64-v3
// (BENCH_V3).
#include <benchmark/benchmark.h>
#include <tracecodec/rapidbin/bulk.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rapidbin/by_hand.hpp"

namespace {

namespace rapidbin = tracecodec::rapidbin;

constexpr std::size_t header = 18;  // size of the file header, which makes the events unaligned

// Events as bytes and as columns.
struct data {
  explicit data(std::size_t n)
      : bytes(header + 8 * n), thread(n), location(n), operation(n), decor(n) {
    std::uint64_t state = 1;
    for (std::byte& b : bytes) {
      state = state * 6364136223846793005 + 1442695040888963407;
      b = static_cast<std::byte>(state >> 56);
    }
    // Clears the sign.
    for (std::size_t i = 0; i < n; ++i) bytes[header + 8 * i] &= std::byte{0x7F};
    rapidbin::decode(events(), columns());
  }
  rapidbin::event_array events() const {
    return rapidbin::event_array(std::span(bytes).subspan(header));
  }
  rapidbin::columns columns() { return {thread, operation, decor, location}; }
  by_hand::out out() { return {thread.data(), operation.data(), decor.data(), location.data()}; }
  by_hand::in in() const {
    return {thread.data(), operation.data(), decor.data(), location.data()};
  }

  std::vector<std::byte> bytes;
  std::vector<std::uint16_t> thread, location;
  std::vector<std::uint8_t> operation;
  std::vector<std::uint64_t> decor;
};

// Samples of 1 MiB and of 64 MiB.
data& small() {
  static data d(std::size_t{1} << 17);
  return d;
}
data& large() {
  static data d(std::size_t{1} << 23);
  return d;
}

template <class Work> void add(const std::string& name, data& (*get)(), Work work) {
  benchmark::RegisterBenchmark(name.c_str(), [get, work](benchmark::State& state) {
    data& d = get();
    for ([[maybe_unused]] auto _ : state) {
      auto done = work(d);
      benchmark::DoNotOptimize(done);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(d.thread.size()));
  });
}

void add_size(const std::string& size, data& (*get)()) {
  const auto decode = [&](const char* how, auto loop) {
    add("decode_" + size + "/by_hand/" + how, get,
        [loop](data& d) { return loop(d.bytes.data() + header, d.thread.size(), d.out()); });
  };
  decode("fused", by_hand::fused);
  decode("fused_blocks", by_hand::fused_blocks);
  decode("columns", by_hand::columns);
  decode("words", by_hand::words);
  add("decode_" + size + "/library", get,
      [](data& d) { return rapidbin::decode(d.events(), d.columns()).signs; });

  const auto encode = [&](const char* how, auto loop) {
    add("encode_" + size + "/by_hand/" + how, get,
        [loop](data& d) { return loop(d.in(), d.thread.size(), d.bytes.data() + header); });
  };
  encode("one_by_one", by_hand::encode_one_by_one);
  encode("blocks", by_hand::encode_blocks);
  encode("columns", by_hand::encode_columns);
  add("encode_" + size + "/library", get, [](data& d) {
    return rapidbin::encode({d.thread, d.operation, d.decor, d.location},
                            std::span(d.bytes).subspan(header))
        .events;
  });
}

}  // namespace

int main(int argc, char** argv) {
#if defined(BENCH_V3)
  if (!__builtin_cpu_supports("avx2")) {
    std::fprintf(stderr, "not run: this processor has no AVX2\n");
    std::puts("{\"benchmarks\":[]}");
    return 0;
  }
  const std::string set = "v3_";
#else
  const std::string set;
#endif
  add_size(set + "1MiB", small);
  add_size(set + "64MiB", large);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
