// Compares the library with alternatives on the same bytes. table.py runs this program. Benchmarks
// are named FORMAT/WAY. The ways are the library, a hand-written loop, and Boost.Endian types laid
// over the bytes. The lower bound is a copy of the bytes without interpretation.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "../instructions/by_hand.hpp"
#include "../instructions/samples.hpp"
#include "overlays.hpp"

namespace {

// Decodes an operand of a UMTracer instruction by hand.
struct slot_by_hand {
  using value_type = tracecodec::umtracer::slot;
  static std::size_t decode(std::span<const std::byte> in, value_type& s) noexcept {
    if (in.size() < 12) [[unlikely]]
      return 0;
    std::memcpy(&s.name, in.data(), 2);
    std::memcpy(&s.common_name, in.data() + 2, 2);
    std::memcpy(&s.value_size, in.data() + 4, 2);
    std::memcpy(&s.offset, in.data() + 6, 2);
    std::memcpy(&s.address_width, in.data() + 8, 1);
    return 12;
  }
};

// The records fit into the second-level cache, so that memory is not measured.
constexpr std::size_t records = 2000;

template <class Result> std::size_t used(const Result& r) {
  if constexpr (std::is_integral_v<Result>)
    return r;
  else
    return r ? r.used : 0;
}

template <class Value, class Decode>
void run(benchmark::State& state, std::size_t size, Decode decode) {
  const std::vector<std::byte> bytes = samples::of_size(size, records);
  Value s{};
  for ([[maybe_unused]] auto _ : state) {
    std::span<const std::byte> in = bytes;
    while (const std::size_t n = in.empty() ? 0 : decode(in, s)) {
      asm volatile("" : : "m"(s));  // makes the compiler compute all of s
      in = in.subspan(n);
    }
    if (!in.empty()) state.SkipWithError("does not decode");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(records));
}

template <class Codec> void with(const std::string& name, std::size_t size) {
  using value = typename Codec::value_type;
  benchmark::RegisterBenchmark(name.c_str(), [size](benchmark::State& state) {
    run<value>(state, size, [](auto in, auto& s) { return used(Codec::decode(in, s)); });
  });
}

template <class Library, class ByHand, class Overlay> void all_of(const std::string& format) {
  static constexpr std::size_t size = Library::size;
  with<Library>(format + "/library", size);
  with<ByHand>(format + "/by_hand", size);
  with<Overlay>(format + "/boost_endian", size);
  benchmark::RegisterBenchmark((format + "/memcpy").c_str(), [](benchmark::State& state) {
    run<std::array<std::byte, size>>(state, size, [](auto in, auto& s) {
      std::memcpy(s.data(), in.data(), size);
      return size;
    });
  });
}

// True if the three ways decode every record to the same values.
template <class Library, class ByHand, class Overlay> bool agree() {
  const std::vector<std::byte> bytes = samples::of_size(Library::size, records);
  for (std::size_t i = 0; i < records; ++i) {
    const auto in = std::span(bytes).subspan(i * Library::size);
    typename Library::value_type a{}, b{}, c{};
    Library::decode(in, a);
    ByHand::decode(in, b);
    Overlay::decode(in, c);
    if (!(a == b) || !(a == c)) return false;
  }
  return true;
}

template <class Library, class ByHand, class Overlay> bool compared(const std::string& format) {
  all_of<Library, ByHand, Overlay>(format);
  return agree<Library, ByHand, Overlay>();
}

}  // namespace

int main(int argc, char** argv) {
  bool same = compared<formats::champsim::instruction_codec, by_hand::champsim, overlays::champsim>(
      "champsim");
  same &= compared<formats::big_champsim, by_hand::big_champsim, overlays::big_champsim>(
      "champsim_big");
  same &= compared<formats::champsim::cloudsuite_codec, by_hand::cloudsuite, overlays::cloudsuite>(
      "cloudsuite");
  same &= compared<tracecodec::umtracer::slot_codec, slot_by_hand, overlays::slot>("slot");
  same &= compared<formats::rapidbin, by_hand::rapidbin, overlays::rapidbin>("rapidbin");
  if (!same) {
    std::fprintf(stderr, "they do not decode the same\n");
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
