// Measures columns and arrays of ChampSim records in both byte orders, and a single array
// member, against hand-written loops. A batch of big-endian records is compared with a copy of
// its bytes. Built for the baseline instruction set, and again for x86-64-v3 (BENCH_V3).
// ratios.py interprets the names.
#include <benchmark/benchmark.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/columns/columns.hpp>
#include <tracecodec/wire/columns/decode_array.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

namespace wire = tracecodec::wire;
using tracecodec::champsim::instruction;
using addresses = std::array<std::uint64_t, 4>;

constexpr std::size_t records = 4096;  // one batch of the reader

struct columns {
  std::uint64_t* __restrict ip;
  std::uint8_t* __restrict is_branch, * __restrict taken;
  addresses* __restrict memory;
};

template <wire::order O> struct by_hand {
  static std::uint64_t load(const std::byte* p) {
    std::uint64_t v;
    std::memcpy(&v, p, 8);
    return O == wire::order::native ? v : __builtin_bswap64(v);
  }
  [[gnu::noinline]] static void decode(const std::byte* __restrict p, columns to) {
    for (std::size_t i = 0; i < records; ++i, p += 64) {
      to.ip[i] = load(p);
      to.is_branch[i] = std::to_integer<std::uint8_t>(p[8]);
      to.taken[i] = std::to_integer<std::uint8_t>(p[9]);
      for (std::size_t k = 0; k < 4; ++k) to.memory[i][k] = load(p + 32 + 8 * k);
    }
  }
  [[gnu::noinline]] static void memory(const std::byte* __restrict p, addresses* __restrict to) {
    for (std::size_t i = 0; i < records; ++i, p += 64)
      for (std::size_t k = 0; k < 4; ++k) to[i][k] = load(p + 32 + 8 * k);
  }
};

template <wire::order O> struct library {
  using codec = wire::record<instruction, O>;
  [[gnu::noinline]] static void decode(const std::byte* p, columns to) {
    wire::columns<codec, &instruction::ip, &instruction::is_branch, &instruction::branch_taken,
                  &instruction::source_memory>::decode(wire::array_view<codec>(p, records),
                                                       {to.ip, records}, {to.is_branch, records},
                                                       {to.taken, records}, {to.memory, records});
  }
  static auto record(const std::byte* p) {
    return wire::record_view<codec>(std::span<const std::byte, 64>(p, 64));
  }
  [[gnu::noinline]] static void get(const std::byte* __restrict p, addresses* __restrict to) {
    for (std::size_t i = 0; i < records; ++i)
      to[i] = record(p + 64 * i).template get<&instruction::source_memory>();
  }
  [[gnu::noinline]] static void get_into(const std::byte* __restrict p, addresses* __restrict to) {
    for (std::size_t i = 0; i < records; ++i)
      record(p + 64 * i).template get_into<&instruction::source_memory>(to[i]);
  }
};

// Records, and the memory into which they are decoded. All competitors share this memory,
// because the relative placement of arrays within a page changes the time by a third.
struct data {
  std::vector<std::byte> bytes = std::vector<std::byte>(64 * records);
  std::vector<std::uint64_t> ip = std::vector<std::uint64_t>(records);
  std::vector<std::uint8_t> is_branch = std::vector<std::uint8_t>(records);
  std::vector<std::uint8_t> taken = std::vector<std::uint8_t>(records);
  std::vector<addresses> memory = std::vector<addresses>(records);
  std::vector<instruction> instructions = std::vector<instruction>(records);
  data() {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 & 0xff);
  }
  columns out() { return {ip.data(), is_branch.data(), taken.data(), memory.data()}; }
};

data& shared_data() {
  static data d;
  return d;
}

template <class Work> void add(const std::string& name, Work work) {
  benchmark::RegisterBenchmark(name.c_str(), [work](benchmark::State& state) {
    data& d = shared_data();
    for ([[maybe_unused]] auto _ : state) {
      work(d);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
  });
}

template <wire::order O> void add_order(const std::string& name) {
  const auto decode = [&](const char* way, auto loop) {
    add("columns_of_" + name + way, [loop](data& d) { loop(d.bytes.data(), d.out()); });
  };
  decode("/by_hand", by_hand<O>::decode);
  decode("/library", library<O>::decode);
  const auto get = [&](const char* way, auto loop) {
    add("member_of_" + name + way, [loop](data& d) { loop(d.bytes.data(), d.memory.data()); });
  };
  get("/by_hand", by_hand<O>::memory);
  get("/library/get", library<O>::get);
  get("/library/get_into", library<O>::get_into);
}

void add_array(const std::string& name) {
  add("array_of_" + name + "/by_hand/copy",
      [](data& d) { std::memcpy(d.instructions.data(), d.bytes.data(), d.bytes.size()); });
  add("array_of_" + name + "/library", [](data& d) {
    using codec = wire::record<instruction, wire::order::big>;
    wire::decode_array(wire::array_view<codec>(d.bytes), std::span(d.instructions));
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
  add_order<wire::order::little>(set + "champsim");
  add_order<wire::order::big>(set + "big_champsim");
  add_array(set + "big_champsim");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
