// Small files that decompress to a large size. Readers and checks must take constant memory, and
// refuse files that need more.
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
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/umtracer/query/memory_at.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracepack/costly.hpp"
#endif
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/rapidbin/read_metadata.hpp"
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/repair.hpp"
#include "x64dbg/support.hpp"
#endif

using namespace test;
namespace champsim = tracecodec::champsim;
namespace trace = tracecodec::trace;
namespace rapidbin = tracecodec::rapidbin;

namespace {

constexpr std::size_t size = 80 * mebibyte;

io::input open(const bytes& packed) {
  return io::open_source(std::make_unique<io::memory_source>(packed), "bomb");
}

// Runs use(input) on a bomb in a child process. The child must succeed. Apart from the file's
// `window`, it may use only a little more memory than an idle process.
template <class Use>
void in_memory(io::codec kind, const bytes& packed, std::size_t window, Use use) {
  CAPTURE(io::codec_name(kind));
  // Snappy copies at most 64 bytes with 3 bytes.
  CHECK(packed.size() < size / (kind == io::codec::snappy ? 20 : 200));
  const auto [idle, idle_status] = in_child([] { return true; });
  const auto [peak, status] = in_child([&, &file = packed] {
    use(open(file));
    return true;
  });
  MESSAGE(io::codec_name(kind) << ": " << packed.size() << " bytes, "
                               << (peak - std::min(peak, idle)) / 1024 << " KiB more than idle");
  CHECK(idle_status == 0);
  CHECK(status == 0);
  if (!sanitized) CHECK(peak < idle + window + 48 * mebibyte);  // sanitizers keep freed memory
}

// Runs use(input) on a bomb that contains `front` and then `filling` many times.
template <class Use>
void in_little_memory(io::codec kind, const bytes& front, std::byte filling, Use use) {
  bytes all(size, filling);
  std::copy(front.begin(), front.end(), all.begin());
  const bytes packed = compressed(kind, all);
  if (!packed.empty()) in_memory(kind, packed, 0, use);
}

}  // namespace

TEST_CASE("ChampSim: zeros take constant memory") {
  for (const io::codec kind : all_codecs)
    in_little_memory(kind, {}, {}, [](io::input in) {
      champsim::check<champsim::instruction>(std::move(in), no_report);
    });
  in_little_memory(io::codec::gzip, {}, {}, [](io::input in) {
    champsim::trace_feed<> all(std::move(in), {.trust = true});
    std::uint64_t sum = 0;
    for (const auto& i : all) sum += i.ip();
    if (sum != 0) std::abort();
  });
}

#if defined(TRACECODEC_WITH_XZ) || defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("zeros after the largest default window take constant memory") {
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

TEST_CASE("RapidBin: zeros, and a line of text without an end, take constant memory") {
  in_little_memory(io::codec::zstd, {}, {},
                   [](io::input in) { rapidbin::check(std::move(in), no_report); });
  in_little_memory(io::codec::xz, {}, std::byte{'x'},
                   [](io::input in) { rapidbin::check_std(std::move(in), no_report); });
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("x64dbg: user blocks of 4 GiB take constant memory") {
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

namespace {
constexpr std::byte space{' '};
const auto ends_as = [](trace_errc code) {
  return [code](io::input in) {
    const auto e = error_of([&] { (void)rapidbin::read_metadata(std::move(in)); });
    if (!e || e->code() != code) std::abort();
  };
};
}  // namespace

TEST_CASE("x64dbg: a JSON header of gigabytes takes bounded memory" * doctest::skip(!with_gzip)) {
  const bytes front = from_hex("54524143 ffffffff");
  in_little_memory(io::codec::gzip, front, space, [](io::input in) {
    const auto e = error_of([&] { x64dbg::block_reader<x64> r(std::move(in)); });
    if (!e || e->field() != "length") std::abort();
  });
  // The longest accepted header. Memory is needed for its text, a padded copy, and simdjson.
  bytes longest(x64dbg::prefix_codec::size + x64dbg::largest_header, std::byte{'['});
  x64dbg::prefix_codec::encode({{}, x64dbg::largest_header}, longest);
  const auto open_it = [&] {
    return error_of([&] { x64dbg::block_reader<x64> r(open(longest)); });
  };
  const auto e = open_it();
  REQUIRE(e);
  CHECK(e->field() == "json");
  CHECK(peak_of([&] { (void)open_it(); }) < 320 * mebibyte);
}

TEST_CASE("RapidBin: JSON metadata of gigabytes takes bounded memory" * doctest::skip(!with_gzip)) {
  constexpr auto bad_value = trace_errc::bad_value, unsupported = trace_errc::unsupported;
  in_little_memory(io::codec::gzip, {}, {}, ends_as(bad_value));
  in_little_memory(io::codec::gzip, {}, space, ends_as(bad_value));
  in_little_memory(io::codec::gzip, {}, std::byte{'['}, ends_as(bad_value));
  in_little_memory(io::codec::gzip, {}, std::byte{'"'}, ends_as(bad_value));
  in_little_memory(io::codec::gzip, from_hex("22"), std::byte{'x'}, ends_as(unsupported));
  // The contents are {"a":1111 ... and {"lock_records":[1111 ...
  in_little_memory(io::codec::gzip, from_hex("7b2261223a"), std::byte{'1'}, ends_as(unsupported));
  in_little_memory(io::codec::gzip, from_hex("7b226c6f636b5f7265636f726473223a5b"), std::byte{'1'},
                   ends_as(unsupported));
}

TEST_CASE("refuses metadata with more records than the memory limit allows") {
  // Each record is 30 bytes of text, and about 80 bytes of memory while it is read.
  const auto text = [](std::size_t n) {
    std::string all = R"({"lock_records":[)";
    for (std::size_t i = 0; i < n; ++i)
      all.append(i == 0 ? "" : ",")
          .append(R"({"wasm_id":1,"trace_id":)")
          .append(std::to_string(i))
          .append("}");
    return all + R"(],"shared_variables":{}})";
  };
  const std::string many = text(400'000);
  const auto read = [&](std::size_t memory) {
    return error_of([&] { (void)rapidbin::parse_metadata(many, "m", {.memory = memory}); });
  };
  CHECK(!read(32 * mebibyte));
  const auto e = read(16 * mebibyte);
  REQUIRE(e);
  CHECK(e->code() == trace_errc::unsupported);
  CHECK(e->message().find("16 MiB") != std::string::npos);
  // The 20 MiB that a value of nearly the largest size needs are not needed here.
  CHECK(peak_of([&] { (void)read(16 * mebibyte); }) < (16 + 3) * mebibyte);
  CHECK(peak_of([&] { (void)read(32 * mebibyte); }) < (32 + 3) * mebibyte);
  // Threads that share one variable.
  std::string shared = R"({"shared_variables":{"0":[0)";
  for (int i = 1; i < 100'000; ++i) shared.append(",").append(std::to_string(i));
  shared += "]}}";
  const auto few = [&] { (void)rapidbin::parse_metadata(shared, "m", {.memory = 4 * mebibyte}); };
  CHECK_THROWS_AS(few(), trace_error);
  CHECK(peak_of([&] { (void)error_of(few); }) < (4 + 20) * mebibyte);
}
#endif

TEST_CASE("refuses a UMTracer query for too many bytes") {
  const tracecodec::umtracer::reader trace(data("umtracer/plain64"));
  constexpr auto most = tracecodec::umtracer::largest_memory;
  const auto query = [&] { (void)tracecodec::umtracer::memory_at(trace, 0, {0, most + 1}); };
  const auto e = error_of(query);
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
  CHECK(peak_of([&] { (void)error_of(query); }) < mebibyte);
}

TEST_CASE("reads a limited number of compression layers" * doctest::skip(!with_gzip)) {
  const bytes content(mebibyte);
  bytes outer = compressed(io::codec::gzip, content);
  for (unsigned layers = 1; layers <= io::most_compressions; ++layers) {
    CAPTURE(layers);
    io::input in = open(outer);
    bytes all(mebibyte + 1);
    all.resize(in.read(all));
    CHECK(all == content);
    outer = compressed(io::codec::gzip, outer);
  }
  CHECK_THROWS_AS(open(outer), trace_error);
}

TEST_CASE("many empty compressed members take linear time") {
  for (const io::codec kind : all_codecs) {
    const bytes one = compressed(kind, {});
    if (one.empty() || kind == io::codec::zip) continue;  // joined zip archives are refused
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

#if defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("tracepack: threads share the memory limit for frames") {
  const bytes file = costly_pack(20, 1 << 14);
  const auto [idle, idle_status] = in_child([] { return true; });
  CHECK(idle_status == 0);
  for (const unsigned threads : {1U, 4U, 64U}) {
    const auto [peak, status] = in_child([&] {
      tracepack::reader r(opened(file, way::mapped), {.threads = threads});
      std::size_t read = 0;
      for (auto b = r.next(); !b.bytes.empty(); b = r.next()) read += b.bytes.size();
      return read == (std::size_t{20} << 14) * 96;
    });
    MESSAGE(threads << " threads: " << (peak - std::min(peak, idle)) / mebibyte << " MiB");
    CHECK(status == 0);
    if (!sanitized) CHECK(peak < idle + (threads == 1 ? 112 : 320) * mebibyte);
  }
}
#endif
