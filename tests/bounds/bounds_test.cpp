// What a hostile file can cost: memory stays within a constant and what its own size justifies, and
// time grows with its size. Each number in each header is made huge, one after the other.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>

#include "memory_meter.hpp"
#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/std_reader.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/query.hpp"
#include "umtracer/tiny_trace.hpp"
#include "umtracer/walk.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/reader.hpp"
#include "x64dbg/support.hpp"
#endif

using namespace test;

namespace {

// 2^63 - 1, -1 and others at which sums and products overflow.
constexpr std::array<std::uint64_t, 6> huge{0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF,
                                            0x8000000000000000, 0x1FFFFFFFFFFFFFFF,
                                            0x00000000FFFFFFFF, 0x000000007FFFFFFF};

// Calls f() with each of these numbers, of 8, 4 and 2 bytes and in both byte orders, at each place
// of the first `n` bytes of `all`, which is changed meanwhile.
template <class F> void with_huge_numbers(bytes& all, std::size_t n, F f) {
  const bytes sound = all;
  for (std::size_t at = 0; at < std::min(n, all.size()); ++at)
    for (const std::uint64_t value : huge)
      for (const std::size_t size : {8U, 4U, 2U})
        for (const bool big : {false, true}) {
          for (std::size_t i = 0; i < size && at + i < all.size(); ++i)
            all[at + i] = static_cast<std::byte>(value >> 8 * (big ? size - 1 - i : i));
          f();
          std::copy(sound.begin(), sound.end(), all.begin());
        }
}

// What f() needs, whether or not it throws a trace_error. Nothing else may be thrown.
template <class F> std::size_t cost(F&& f) {
  return peak_of([&] { (void)error_of(f); });
}
struct worst {
  std::size_t bytes = 0;
  void add(std::size_t n) { bytes = std::max(bytes, n); }
};

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr auto no_report = [](const auto&) {};

}  // namespace

TEST_CASE("the meter sees what is allocated") {
  CHECK(peak_of([] { bytes(12345); }) == 12345);
  CHECK(peak_of([] {}) == 0);
  CHECK_THROWS_AS(bytes(SIZE_MAX / 2), std::exception);
}

TEST_CASE("RapidBin: a header's counts reserve nothing") {
  bytes all = every_operation_bytes();
  worst reading, checking;
  with_huge_numbers(all, 26, [&] {
    reading.add(cost([&] {
      rapidbin::reader r(input_of(all));
      while (!r.next().empty()) {
      }
    }));
    checking.add(cost([&] { rapidbin::check(input_of(all), no_report); }));
  });
  MESSAGE("reader " << reading.bytes << ", check " << checking.bytes);
  CHECK(reading.bytes < 2 * mebibyte);
  CHECK(checking.bytes < 3 * mebibyte);
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("x64dbg: a header's length and a block's counts reserve nothing") {
  namespace x64dbg = tracecodec::x64dbg;
  bytes all = small_trace();
  worst reading, checking;
  with_huge_numbers(all, all.size(), [&] {
    reading.add(cost([&] {
      x64dbg::reader<x64> r(input_of(all));
      for (const auto& i : r) static_cast<void>(i);
    }));
    checking.add(cost([&] { x64dbg::check(input_of(all), no_report); }));
  });
  MESSAGE("reader " << reading.bytes << ", check " << checking.bytes);
  CHECK(reading.bytes < 2 * mebibyte);
  CHECK(checking.bytes < 8 * mebibyte);
}
#endif

TEST_CASE("UMTracer: counts and pointers of all files reserve nothing") {
  worst reading, checking, asking, indexing;
  for (std::size_t f = 0; f < umtracer::file_count; ++f) {
    tiny_trace t;
    bytes& all = t[static_cast<umtracer::file>(f)];
    with_huge_numbers(all, 400, [&] {
      for (const bool lenient : {false, true}) reading.add(cost([&] { walk(t.open(lenient)); }));
      checking.add(cost([&] { umtracer::check(t.files(), no_report); }));
      asking.add(cost([&] {
        const umtracer::reader r = t.open();
        for (std::uint64_t n = 0; n < r.size(); ++n) {
          (void)error_of([&] { (void)umtracer::memory_at(r, n, {0, 4096}); });
          (void)error_of([&] { (void)umtracer::registers_at(r, n).all(); });
        }
      }));
      indexing.add(cost([&] { (void)umtracer::build_index(t.open()); }));
      indexing.add(cost([&] { (void)umtracer::build_register_index(t.open()); }));
    });
  }
  MESSAGE("reader " << reading.bytes << ", check " << checking.bytes << ", queries " << asking.bytes
                    << ", indexes " << indexing.bytes);
  CHECK(reading.bytes < mebibyte);
  CHECK(checking.bytes < mebibyte);
  CHECK(asking.bytes < mebibyte);
  CHECK(indexing.bytes < mebibyte);
}
