// Small files that decompress to much: each reader and check takes constant memory, and what cannot
// be done in that is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "bombs.hpp"
#include "child.hpp"
#include "files.hpp"
#include "growth.hpp"
#include "tracecodec/champsim/check.hpp"
#include "tracecodec/feed/open.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/umtracer/memory_at.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/rapidbin/read_metadata.hpp"
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/repair.hpp"
#include "x64dbg/support.hpp"
#endif

using namespace test;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace rapidbin = tracecodec::rapidbin;

namespace {

constexpr std::size_t size = 80 * mebibyte;

io::input open(const bytes& packed) {
  return io::open_source(std::make_unique<io::memory_source>(packed), "bomb");
}

// Lets use(input) do its work on a bomb in a child process, which must end well without much more
// memory than one that does nothing, but for the file's `window`.
template <class Use>
void in_memory(io::codec kind, const bytes& packed, std::size_t window, Use use) {
  CAPTURE(io::codec_name(kind));
  CHECK(packed.size() < size / 200);
  const auto [idle, idle_status] = in_child([] { return true; });
  const auto [peak, status] = in_child([&, &file = packed] {
    use(open(file));
    return true;
  });
  MESSAGE(io::codec_name(kind) << ": " << packed.size() << " bytes, "
                               << (peak - std::min(peak, idle)) / 1024 << " KiB more than idle");
  CHECK(idle_status == 0);
  CHECK(status == 0);
  if (!sanitized) CHECK(peak < idle + window + 48 * mebibyte);  // it keeps what was freed
}

// The same of a bomb whose content is `front` and many times `filling`.
template <class Use>
void in_little_memory(io::codec kind, const bytes& front, std::byte filling, Use use) {
  bytes all(size, filling);
  std::copy(front.begin(), front.end(), all.begin());
  const bytes packed = compressed(kind, all);
  if (!packed.empty()) in_memory(kind, packed, 0, use);
}

}  // namespace

TEST_CASE("zeros: ChampSim") {
  for (const io::codec kind : all_codecs)
    in_little_memory(kind, {}, {}, [](io::input in) {
      champsim::check<champsim::instruction>(std::move(in), no_report);
    });
  in_little_memory(io::codec::gzip, {}, {}, [](io::input in) {
    champsim::trace_feed<> all(std::move(in));
    std::uint64_t sum = 0;
    for (const auto& i : all) sum += i.ip();
    if (sum != 0) std::abort();
  });
}

#if defined(TRACECODEC_WITH_XZ) || defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("zeros behind the largest window that is read by default") {
  const bytes all(320 * mebibyte);
  const auto check = [&all](io::input in) {
    const auto found = champsim::check<champsim::instruction>(std::move(in), no_report);
    if (found.records != all.size() / 64) std::abort();
  };
#if defined(TRACECODEC_WITH_XZ)
  in_memory(io::codec::xz, xz_of_large_dictionary(all), 256 * mebibyte, check);
#endif
#if defined(TRACECODEC_WITH_ZSTD)
  in_memory(io::codec::zstd, zstd_of_large_window(all), 256 * mebibyte, check);
#endif
}
#endif

TEST_CASE("zeros, and a line without an end: RapidBin and its text") {
  in_little_memory(io::codec::zstd, {}, {},
                   [](io::input in) { rapidbin::check(std::move(in), no_report); });
  in_little_memory(io::codec::xz, {}, std::byte{'x'},
                   [](io::input in) { rapidbin::check_std(std::move(in), no_report); });
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("user blocks of 4 GiB: x64dbg") {
  const bytes front = header(x64) + snapshot<x64>() + from_hex("80 ffffffff");
  in_little_memory(io::codec::gzip, front, {},
                   [](io::input in) { tracecodec::x64dbg::check(std::move(in), no_report); });
  in_little_memory(io::codec::zstd, front, {}, [](io::input in) {
    bytes out;
    const auto e = error_of([&] {
      x64dbg::repair(std::move(in), std::make_unique<vector_sink>(out), "out", no_report);
    });
    if (!e || e->code() != trace_errc::refused || e->file() != "bomb") std::abort();
  });
}

TEST_CASE("JSON of gigabytes: RapidBin's metadata, x64dbg's header" * doctest::skip(!with_gzip)) {
  constexpr std::byte space{' '};
  const bytes front = from_hex("54524143 ffffffff");
  in_little_memory(io::codec::gzip, front, space, [](io::input in) {
    const auto e = error_of([&] { x64dbg::block_reader<x64> r(std::move(in)); });
    if (!e || e->field() != "length") std::abort();
  });
  // 64 MiB are read, and the buffer that they are read into doubles.
  const bytes packed = compressed(io::codec::gzip, bytes(size, space));
  const auto e = error_of([&] { (void)rapidbin::read_metadata(open(packed)); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::unsupported);
  CHECK(peak_of([&] { (void)error_of([&] { (void)rapidbin::read_metadata(open(packed)); }); }) <
        260 * mebibyte);
}
#endif

TEST_CASE("more memory of an UMTracer trace than is given at once") {
  const tracecodec::umtracer::reader trace(data("umtracer/plain64"));
  constexpr auto most = tracecodec::umtracer::largest_memory;
  const auto ask = [&] { (void)tracecodec::umtracer::memory_at(trace, 0, {0, most + 1}); };
  const auto e = error_of(ask);
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
  CHECK(peak_of([&] { (void)error_of(ask); }) < mebibyte);
}

TEST_CASE("what was compressed twice is decompressed once" * doctest::skip(!with_gzip)) {
  const bytes inner = compressed(io::codec::gzip, bytes(mebibyte));
  const bytes outer = compressed(io::codec::gzip, inner);
  io::input in = open(outer);
  bytes all(mebibyte);
  all.resize(in.read(all));
  CHECK(all == inner);
  CHECK_THROWS_AS(feed::trace_source(open(outer)), trace_error);
}

TEST_CASE("many members that hold nothing") {
  for (const io::codec kind : all_codecs) {
    const bytes one = compressed(kind, {});
    if (one.empty()) continue;
    const std::string name(io::codec_name(kind));
    grows_with_size(
        name.c_str(), 500,
        [&](std::size_t n) {
          bytes all;
          for (std::size_t i = 0; i < n; ++i) all += one;
          return all;
        },
        [](const bytes& all) {
          io::input in = open(all);
          bytes chunk(1024);
          while (in.read(chunk) != 0) continue;
        });
  }
}
