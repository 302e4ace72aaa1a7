// Tests that all decompressors handle files made by the original programs: complete,
// truncated, damaged, followed by garbage, and read in pieces.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "goldens.hpp"
#include "support.hpp"
#include "tracecodec/io/compression/codecs.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

drained decompressed(codec kind, bytes data, std::size_t chunk = 100'000,
                     std::size_t in_chunk = SIZE_MAX) {
  const auto from =
      decompress(kind, std::make_unique<test_source>(std::move(data), in_chunk), "file");
  drained result = drain(*from, chunk);
  // The source repeats the end or the error.
  const drained again = drain(*from, chunk);
  CHECK(again.data.empty());
  CHECK(again.error.has_value() == result.error.has_value());
  return result;
}

bytes first_bytes(const bytes& data, std::size_t n) {
  return {data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n)};
}

bool about_content(const trace_error& e) {
  return e.code() == trace_errc::truncated || e.code() == trace_errc::corrupt;
}

template <class F> void for_each_golden(F f) {
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    f(g, from_hex(g.hex));
  }
}

}  // namespace

TEST_CASE("decompresses goldens in pieces of any size") {
  for_each_golden([](const golden& g, const bytes& file) {
    for (const std::size_t chunk : {1U, 7U, 292U, 293U, 100'000U}) {
      for (const std::size_t in_chunk : {std::size_t{1}, std::size_t{5}, SIZE_MAX}) {
        CAPTURE(chunk);
        CAPTURE(in_chunk);
        const drained result = decompressed(g.kind, file, chunk, in_chunk);
        CHECK_FALSE(result.error.has_value());
        CHECK(result.data == lines(1, 100));
      }
    }
  });
}

TEST_CASE("a read of no bytes reads nothing") {
  for_each_golden([](const golden& g, const bytes& file) {
    const auto from = decompress(g.kind, std::make_unique<test_source>(file), "file");
    CHECK(from->read({}) == 0);
    CHECK(drain(*from).data == lines(1, 100));
    CHECK(from->read({}) == 0);
  });
}

TEST_CASE("reports a file that is truncated anywhere, except between members") {
  for_each_golden([](const golden& g, const bytes& file) {
    for (std::size_t length = 0; length < file.size(); ++length) {
      CAPTURE(length);
      for (const std::size_t chunk : {1U, 100'000U}) {
        const drained result = decompressed(g.kind, first_bytes(file, length), chunk);
        const auto legal = std::find_if(g.boundaries.begin(), g.boundaries.end(),
                                        [&](const auto& b) { return b.length == length; });
        if (legal != g.boundaries.end()) {
          CHECK_FALSE(result.error.has_value());
          CHECK(result.data == lines(1, legal->last_line));
          continue;
        }
        REQUIRE(result.error.has_value());
        // xz reports padding that is not a multiple of four as corrupt, not as truncated.
        CHECK(about_content(*result.error));
        if (g.kind != codec::xz) CHECK(result.error->code() == trace_errc::truncated);
        CHECK(result.error->offset() == length);
        CHECK(result.error->file() == "file");
        CHECK(is_prefix(result.data, lines(1, 100)));
        for (const auto& b : g.boundaries) {  // complete members are delivered completely
          if (b.length < length) CHECK(is_prefix(lines(1, b.last_line), result.data));
        }
      }
    }
  });
}

TEST_CASE("any flipped bit causes an error or the correct bytes, and reading ends") {
  for_each_golden([](const golden& g, const bytes& file) {
    for (std::size_t at = 0; at < file.size(); ++at) {
      // Each xz decoder starts threads, which are slow with sanitizers, so fewer bits are tested.
      for (unsigned bit = 0; bit < 8; bit += g.kind == codec::xz ? 3 : 1) {
        CAPTURE(at);
        CAPTURE(bit);
        bytes damaged = file;
        damaged[at] ^= static_cast<std::byte>(1U << bit);
        const drained result = decompressed(g.kind, damaged);
        if (!result.error)
          continue;  // flips in names, times and frames without checksums are harmless
        CHECK((about_content(*result.error) || result.error->code() == trace_errc::unsupported));
        REQUIRE(result.error->offset().has_value());
        CHECK(*result.error->offset() <= file.size());
      }
    }
  });
}

TEST_CASE("a flipped bit without an error changes no byte of a file with checksums") {
  for_each_golden([](const golden& g, const bytes& file) {
    if (g.command.find("no-") != std::string_view::npos) return;  // written without a checksum
    for (std::size_t at = 0; at < file.size(); ++at) {
      CAPTURE(at);
      bytes damaged = file;
      damaged[at] ^= std::byte{0x10};
      const drained result = decompressed(g.kind, damaged);
      // The result may have fewer than 100 lines, because a flip in a magic number can make a frame
      // skippable.
      if (!result.error) CHECK(is_prefix(result.data, lines(1, 100)));
    }
  });
}

TEST_CASE("reports garbage after the last member at its offset, after all bytes") {
  for_each_golden([](const golden& g, const bytes& file) {
    for (const char* garbage : {"garbage, and more of it", "\x01garbage", "\xff\xff\xff\xff"}) {
      for (const std::size_t chunk : {1U, 100'000U}) {
        const drained result = decompressed(g.kind, file + to_bytes(garbage), chunk);
        CHECK(result.data == lines(1, 100));
        REQUIRE(result.error.has_value());
        // Not every library can distinguish garbage shorter than a header from a truncated
        // header.
        CHECK(about_content(*result.error));
        CHECK(*result.error->offset() >= file.size());
        CHECK(*result.error->offset() <= file.size() + 12);
        if (std::string_view(garbage).size() > 12) {
          CHECK(result.error->code() == trace_errc::corrupt);
        }
      }
    }
  });
}

TEST_CASE("reports a file of another kind at offset 0") {
  for (const codec kind :
       {codec::xz, codec::gzip, codec::bzip2, codec::zstd, codec::lz4, codec::snappy, codec::zip}) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    const drained result = decompressed(kind, to_bytes("certainly not compressed data"));
    CHECK(result.data.empty());
    REQUIRE(result.error.has_value());
    CHECK(result.error->code() == trace_errc::corrupt);
    CHECK(result.error->what() ==
          "file: offset 0: expected " + std::string(codec_name(kind)) + " data");
  }
}

TEST_CASE("reports an empty file as truncated") {
  for (const codec kind :
       {codec::xz, codec::gzip, codec::bzip2, codec::zstd, codec::lz4, codec::snappy, codec::zip}) {
    if (!built_in(kind)) continue;
    const drained result = decompressed(kind, {});
    REQUIRE(result.error.has_value());
    CHECK(result.error->code() == trace_errc::truncated);
    CHECK(result.error->offset() == 0);
  }
}

TEST_CASE("passes on a disk error unchanged, after the preceding bytes") {
  for_each_golden([](const golden& g, const bytes& file) {
    const auto from = decompress(
        g.kind, std::make_unique<test_source>(first_bytes(file, file.size() - 1), 64, true), "f");
    const drained result = drain(*from, 10);
    CHECK(is_prefix(result.data, lines(1, 100)));
    REQUIRE(result.error.has_value());
    CHECK(result.error->code() == trace_errc::system);
    CHECK(result.error->file() == "disk");
  });
}

TEST_CASE("names the codec that is not built in") {
  const std::pair<codec, std::string> remedies[] = {
      {codec::xz, "define TRACECODEC_WITH_XZ and link lzma"},
      {codec::gzip, "define TRACECODEC_WITH_GZIP and link z"},
      {codec::bzip2, "define TRACECODEC_WITH_BZIP2 and link bz2"},
      {codec::zstd, "define TRACECODEC_WITH_ZSTD and link zstd"},
      {codec::lz4, "define TRACECODEC_WITH_LZ4 and link lz4"},
      {codec::snappy, "define TRACECODEC_WITH_SNAPPY and link snappy"},
      {codec::zip, "define TRACECODEC_WITH_ZIP and link archive"}};
  for (const auto& [kind, remedy] : remedies) {
    if (built_in(kind)) continue;
    try {
      decompress(kind, std::make_unique<test_source>(bytes{}), "t");
      FAIL("no error");
    } catch (const trace_error& e) {
      CHECK(e.code() == trace_errc::unsupported);
      CHECK(e.what() == "t: compressed with " + std::string(codec_name(kind)) +
                            ", which this build cannot read: " + remedy);
    }
  }
}
