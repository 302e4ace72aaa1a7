// Measures decoding and encoding of whole buffers with the library and with hand-written code.
// ratios.py interprets the names.
#include <benchmark/benchmark.h>

#include <span>
#include <type_traits>
#include <vector>

#include "instructions/by_hand.hpp"
#include "instructions/samples.hpp"

namespace {

// The records fit into the second-level cache, so that the codec is measured, not memory.
constexpr std::size_t records = 2000;

template <class Result> std::size_t used(const Result& r) {
  if constexpr (std::is_integral_v<Result>)
    return r;
  else
    return r ? r.used : 0;
}

template <class Library> std::vector<std::byte> sample() {
  if constexpr (Library::fixed)
    return samples::of_size(Library::size, records);
  else
    return samples::blocks(records);
}

template <class Library, class Codec> void decode(benchmark::State& state) {
  const std::vector<std::byte> bytes = sample<Library>();
  typename Codec::value_type s{};
  for ([[maybe_unused]] auto _ : state) {
    std::span<const std::byte> in = bytes;
    while (const std::size_t n = in.empty() ? 0 : used(Codec::decode(in, s))) {
      asm volatile("" : : "m"(s));  // makes the compiler compute all of s
      in = in.subspan(n);
    }
    if (!in.empty()) state.SkipWithError("does not decode");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}

template <class Library, class Codec> void encode(benchmark::State& state) {
  const std::vector<std::byte> bytes = sample<Library>();
  std::vector<typename Codec::value_type> values(records);
  std::span<const std::byte> in = bytes;
  for (auto& v : values) in = in.subspan(Library::decode(in, v).used);
  std::vector<std::byte> buffer(bytes.size());
  for ([[maybe_unused]] auto _ : state) {
    std::span<std::byte> out = buffer;
    for (const auto& v : values) out = out.subspan(used(Codec::encode(v, out)));
    benchmark::ClobberMemory();
    if (!out.empty()) state.SkipWithError("does not encode");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}

template <class Library, class ByHand> void both(const std::string& format) {
  benchmark::RegisterBenchmark(("decode_" + format + "/by_hand").c_str(), decode<Library, ByHand>);
  benchmark::RegisterBenchmark(("decode_" + format + "/library").c_str(), decode<Library, Library>);
  benchmark::RegisterBenchmark(("encode_" + format + "/by_hand").c_str(), encode<Library, ByHand>);
  benchmark::RegisterBenchmark(("encode_" + format + "/library").c_str(), encode<Library, Library>);
}

}  // namespace

int main(int argc, char** argv) {
  both<formats::champsim::instruction_codec, by_hand::champsim>("champsim");
  both<formats::champsim::cloudsuite_codec, by_hand::cloudsuite>("cloudsuite");
  both<formats::big_champsim, by_hand::big_champsim>("big_champsim");
  both<formats::rapidbin, by_hand::rapidbin>("rapidbin");
  both<formats::x64dbg, by_hand::x64dbg>("x64dbg");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
