// Cost of hostile files. Memory must stay below a constant plus a multiple of the file's size, and
// time must grow linearly. Each number in each header is replaced by huge values in turn.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "growth.hpp"
#include "memory_meter.hpp"
#include "rapidbin/support.hpp"
#include "sanitized.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/reader/std_reader.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/query.hpp"
#include "umtracer/tiny_trace.hpp"
#include "umtracer/walk.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/reader.hpp"
#include "tracecodec/x64dbg/reader/index_file.hpp"
#include "x64dbg/support.hpp"
#endif

using namespace test;

namespace {

// 2^63, which is negative as a signed number, 2^63 - 1, -1, and other values for which sums and
// products overflow.
constexpr std::array<std::uint64_t, 5> huge{0x8000000000000000, 0x7FFFFFFFFFFFFFFF,
                                            0xFFFFFFFFFFFFFFFF, 0x1FFFFFFFFFFFFFFF,
                                            0x000000007FFFFFFF};
enum class order : std::uint8_t { little, big };

// Calls f() with each of the huge numbers, in 8, 4 and 2 bytes, at places in the first `n`
// bytes of `all`. Modifies `all` during the calls, and restores it.
template <class F> void with_huge_numbers(bytes& all, std::size_t n, order o, F f) {
  const bytes sound = all;
  // Every place in headers, then places of all alignments.
  for (std::size_t at = 0; at < std::min(n, all.size()); at += sanitized ? 7 : at < 64 ? 1 : 3)
    for (const std::uint64_t value : huge)
      for (const std::size_t size : {8U, 4U, 2U}) {
        for (std::size_t i = 0; i < size && at + i < all.size(); ++i)
          all[at + i] = static_cast<std::byte>(value >> 8 * (o == order::big ? size - 1 - i : i));
        f();
        std::copy(sound.begin(), sound.end(), all.begin());
      }
}

// Maximum cost of several runs.
struct worst {
  std::size_t bytes = 0;
  std::uint64_t allocations = 0;
  // Measures f(), which may throw trace_error but nothing else.
  template <class F> void add(F&& f) {
    const std::uint64_t before = memory_meter.count;
    bytes = std::max(bytes, peak_of([&] { (void)error_of(f); }));
    allocations = std::max(allocations, memory_meter.count - before);
  }
  void check(const char* what, std::size_t most_bytes) const {
    const std::string name = what;
    MESSAGE(name << ": " << bytes << " bytes, " << allocations << " allocations");
    CHECK(bytes < most_bytes);
    CHECK(allocations < 3000);
  }
};

}  // namespace

TEST_CASE("the meter counts allocated memory") {
  CHECK(peak_of([] { bytes(12345); }) == 12345);
  CHECK(peak_of([] {}) == 0);
  CHECK_THROWS_AS(bytes(SIZE_MAX / 2), std::exception);
}

TEST_CASE("RapidBin: a header's counts reserve no memory") {
  bytes all = every_operation_bytes();
  worst reading, checking;
  with_huge_numbers(all, 26, order::big, [&] {
    reading.add([&] {
      rapidbin::reader r(input_of(all));
      while (r.next().size() != 0) continue;
    });
    checking.add([&] { rapidbin::check(input_of(all), no_report); });
  });
  reading.check("reader", 2 * mebibyte);
  checking.check("check", 3 * mebibyte);
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("x64dbg: a header's length and a block's counts reserve no memory") {
  namespace x64dbg = tracecodec::x64dbg;
  bytes all = small_trace();
  worst reading, checking;
  with_huge_numbers(all, all.size(), order::little, [&] {
    reading.add([&] {
      x64dbg::reader<x64> r(input_of(all));
      for (const auto& i : r) static_cast<void>(i);
    });
    checking.add([&] { x64dbg::check(input_of(all), no_report); });
  });
  reading.check("reader", 2 * mebibyte);
  checking.check("check", 4 * mebibyte);
}

TEST_CASE("x64dbg: an index's counts reserve no memory") {
  const folder dir;
  const std::string trace = dir.file("t", small_trace());
  x64dbg::block_reader<x64> blocks(io::open_input(trace));
  x64dbg::save_index(x64dbg::index_of(blocks), trace);
  bytes all = content(x64dbg::index_path(trace));
  worst loading;
  with_huge_numbers(all, x64dbg::index_prefix_codec::size, order::little, [&] {
    dir.file("t.idx", all);
    loading.add([&] { (void)x64dbg::load_index(trace); });
  });
  loading.check("index", mebibyte);
}

TEST_CASE("x64dbg: an index of zeros with a matching size takes bounded memory") {
  const folder dir;
  const std::string trace = dir.file("t", small_trace());
  x64dbg::block_reader<x64> blocks(io::open_input(trace));
  x64dbg::save_index(x64dbg::index_of(blocks), trace);
  bytes all = content(x64dbg::index_path(trace));
  x64dbg::index_prefix p{};
  REQUIRE(x64dbg::index_prefix_codec::decode(all, p));
  p.entries = std::uint64_t{2} << 20;
  x64dbg::index_prefix_codec::encode(p, all);
  all.resize(x64dbg::index_prefix_codec::size);
  const std::string path = dir.file("t.idx", all);
  std::filesystem::resize_file(
      path, x64dbg::index_prefix_codec::size + x64dbg::index_entry_codec::size * p.entries);
  std::string note;
  CHECK(peak_of([&] { note = x64dbg::load_index(trace).note; }) < mebibyte);
  CHECK(note.find("damaged") != std::string::npos);
}
#endif

TEST_CASE("UMTracer: counts and pointers in all files reserve no memory") {
  worst reading, checking, querying, indexing;
  for (std::size_t f = 0; f < umtracer::file_count; ++f) {
    tiny_trace t;
    bytes& all = t[static_cast<umtracer::file>(f)];
    with_huge_numbers(all, 400, order::little, [&] {
      for (const bool lenient : {false, true}) reading.add([&] { walk(t.open(lenient), 20); });
      checking.add([&] { umtracer::check(t.files(), no_report); });
      querying.add([&] {
        const umtracer::reader r = t.open();
        const std::uint64_t n = r.size() - 1;
        (void)error_of([&] { (void)umtracer::memory_at(r, n, {0, 64}); });
        auto registers = umtracer::registers_at(r, n);
        (void)registers.all();
      });
      indexing.add([&] { (void)umtracer::build_module_index(t.open().modules()); });
    });
  }
  reading.check("reader", mebibyte);
  checking.check("check", mebibyte);
  // A context has at most 65,535 bytes, and the state of each byte takes 17 bytes.
  querying.check("queries", 2 * mebibyte);
  indexing.check("indexes", mebibyte);
}
