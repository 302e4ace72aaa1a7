// Tests zstd.hpp: compression and decompression of large data, damage between blocks, windows,
// levels.
#ifdef TRACECODEC_WITH_ZSTD
#include "tracecodec/io/compression/zstd.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes zstd_of(const bytes& data, const output_options& options = {}) {
  bytes out;
  zstd_sink to(std::make_unique<vector_sink>(out), options);
  to.write(data);
  to.finish();
  return out;
}

drained from_zstd(bytes file, std::size_t chunk = 100'000, const zstd_options& options = {}) {
  zstd_source from(std::make_unique<test_source>(std::move(file)), "file", options);
  return drain(from, chunk);
}

unsigned u24(const bytes& file, std::size_t at) {
  return std::to_integer<unsigned>(file[at]) | std::to_integer<unsigned>(file[at + 1]) << 8 |
         std::to_integer<unsigned>(file[at + 2]) << 16;
}

}  // namespace

TEST_CASE("zstd: writes and reads large data, which libzstd's own function reads, too") {
  const bytes data = sample(5'000'000);
  const bytes file = zstd_of(data);
  CHECK(from_zstd(file).data == data);
  CHECK(from_zstd(file, 100).data == data);
  CHECK(from_zstd(file, data.size() + 1).data == data);
  CHECK(from_zstd(file + file).data == data + data);
  bytes plain(data.size());
  CHECK(ZSTD_decompress(plain.data(), plain.size(), file.data(), file.size()) == data.size());
  CHECK(plain == data);
  // The file has frames of 4 MiB.
  constexpr std::size_t frame = std::size_t{4} << 20;
  CHECK(ZSTD_getFrameContentSize(file.data(), file.size()) == frame);
  const std::size_t first = ZSTD_findFrameCompressedSize(file.data(), file.size());
  REQUIRE(first < file.size());
  CHECK(ZSTD_getFrameContentSize(file.data() + first, file.size() - first) == data.size() - frame);
}

TEST_CASE("zstd: delivers every whole block before an error in the next block's header") {
  const bytes data = sample(1'000'000);
  const bytes file = zstd_of(data);
  // RFC 8878: magic number, descriptor (here: a content size of 4 bytes, no window descriptor,
  // a checksum), content size; then blocks. Each block has a 24-bit header: bits 1-2 are the
  // type (3 is reserved), bits 3-23 the size. A block holds up to 128 KiB.
  REQUIRE(std::to_integer<unsigned>(file[4]) == 0xA4);
  std::size_t at = 9;
  for (std::size_t block = 0; block < 7; ++block) {
    CAPTURE(block);
    bytes damaged = file;
    damaged[at] |= std::byte{6};
    for (const std::size_t chunk : {std::size_t{1000}, std::size_t{2'000'000}}) {
      const drained result = from_zstd(damaged, chunk);
      CHECK(result.data.size() == block << 17);
      CHECK(is_prefix(result.data, data));
      REQUIRE(result.error.has_value());
      CHECK(result.error->code() == trace_errc::corrupt);
      CHECK(result.error->offset() == at);
    }
    at += 3 + (u24(file, at) >> 3);
  }
}

TEST_CASE("zstd: reports a wrong checksum after all bytes") {
  const bytes data = sample(1'000'000);
  bytes file = zstd_of(data);
  const std::size_t seek_table = 8 + 8 + 9;  // size of the table of one frame
  file[file.size() - seek_table - 1] ^= std::byte{1};
  const drained result = from_zstd(file, 2'000'000);
  CHECK(result.data == data);
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == trace_errc::corrupt);
}

TEST_CASE(
    "zstd: reads skippable frames, and frames with a known size from libzstd's own function") {
  const bytes data = sample(2'000'000);
  bytes frame(ZSTD_compressBound(data.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), data.data(), data.size(), 5));
  bytes skip = from_hex("5a2a4d1840420f00");
  skip.resize(8 + 1'000'000);
  CHECK(from_zstd(skip + frame + skip + frame + skip).data == data + data);
  const drained only = from_zstd(skip);
  CHECK(only.data.empty());
  CHECK_FALSE(only.error.has_value());
  skip.pop_back();
  CHECK(from_zstd(frame + skip).data == data);
  CHECK(from_zstd(frame + skip).error->code() == trace_errc::truncated);
}

// libzstd does not detect the error, because the last block is empty (RFC 8878, 3.1.1.2).
TEST_CASE("zstd: reports a frame whose content differs from its header's size, after the frame") {
  // A window of 1 KiB, a content size of 4 bytes, no checksum; "ab", "c", and an empty block.
  const bytes head = from_hex("28b52ffd8000");
  const bytes blocks = from_hex("1000006162") + from_hex("08000063") + from_hex("010000");
  const bytes abc = from_hex("616263");
  const bytes right = head + from_hex("03000000") + blocks;
  CHECK(from_zstd(right + right).data == abc + abc);
  CHECK_FALSE(from_zstd(right + right).error.has_value());
  for (const std::string said : {"00000000", "02000000", "04000000", "ffffff00"}) {
    CAPTURE(said);
    // libzstd may not deliver more bytes than the header states.
    const bool may_be_cut = said == "00000000" || said == "02000000";
    const bytes wrong = head + from_hex(said) + blocks;
    for (const std::size_t chunk : {1U, 2U, 3U, 100U}) {
      CAPTURE(chunk);
      for (const bool first : {false, true}) {
        CAPTURE(first);
        const drained got = from_zstd((first ? bytes() : right) + wrong + right, chunk);
        const bytes all = first ? abc : abc + abc;
        REQUIRE(got.error.has_value());
        CHECK(got.error->code() == trace_errc::corrupt);
        if (may_be_cut) {
          CHECK(is_prefix(got.data, all));
          continue;
        }
        CHECK(got.data == all);
        CHECK(got.error->offset() == (first ? 1 : 2) * right.size());
      }
    }
  }
}

TEST_CASE("zstd: reads a window as large as the limit, and refuses a larger one") {
  // Output of zstd --long=28 and --long=29 for abcabc from a pipe.
  const bytes usual = from_hex("28b52ffd0490310000616263616263e6415fb1");
  const bytes larger = from_hex("28b52ffd0498310000616263616263e6415fb1");
  const bytes content = from_hex("616263616263");
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  CHECK(from_zstd(usual).data == content);
  const drained refused = from_zstd(usual + larger);
  CHECK(refused.data == content);
  REQUIRE(refused.error.has_value());
  CHECK(refused.error->code() == trace_errc::unsupported);
  CHECK(refused.error->message() ==
        "zstd data: needs 512 MiB of memory, but the limit is 256 MiB; raise the memory limit");
  for (const std::size_t chunk : {1U, 100U}) {
    CHECK(from_zstd(usual + larger, chunk, {.memory = 512 * mebibyte}).data == content + content);
    CHECK(from_zstd(larger, chunk, {.memory = 512 * mebibyte - 1}).error.has_value());
  }
}

TEST_CASE("zstd: accepts levels 1 to 22") {
  bytes out;
  CHECK_THROWS_AS(zstd_sink(std::make_unique<vector_sink>(out), {.level = 0}), trace_error);
  CHECK_THROWS_AS(zstd_sink(std::make_unique<vector_sink>(out), {.level = 23}), trace_error);
  const bytes data = sample(300'000);
  CHECK(from_zstd(zstd_of(data, {.level = 22})).data == data);
  CHECK(zstd_of(data) == zstd_of(data));
  CHECK(from_zstd(zstd_of({})).data.empty());
}
#endif
