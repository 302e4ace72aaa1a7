// Tests lz4.hpp: large data, all block sizes, damage between blocks, skippable frames.
#ifdef TRACECODEC_WITH_LZ4
#include "tracecodec/io/compression/lz4.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes lz4_of(const bytes& data, LZ4F_blockSizeID_t size, LZ4F_blockMode_t mode) {
  LZ4F_preferences_t p{};
  p.frameInfo.blockSizeID = size;
  p.frameInfo.blockMode = mode;
  p.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  p.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
  bytes out(LZ4F_compressFrameBound(data.size(), &p));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), data.data(), data.size(), &p));
  return out;
}

drained from_lz4(bytes file, std::size_t chunk = 100'000) {
  lz4_source from(std::make_unique<test_source>(std::move(file)), "file");
  return drain(from, chunk);
}

}  // namespace

TEST_CASE("lz4: reads large data that liblz4's own function made") {
  const bytes data = sample(6'000'000);
  for (const auto size : {LZ4F_max64KB, LZ4F_max256KB, LZ4F_max1MB, LZ4F_max4MB}) {
    for (const auto mode : {LZ4F_blockLinked, LZ4F_blockIndependent}) {
      const bytes file = lz4_of(data, size, mode);
      CHECK(from_lz4(file).data == data);
      CHECK(from_lz4(file, 10'000'000).data == data);
    }
  }
  const bytes file = lz4_of(data, LZ4F_max64KB, LZ4F_blockLinked);
  CHECK(from_lz4(file, 100).data == data);
  bytes skip = from_hex("5a2a4d1840420f00");
  skip.resize(8 + 1'000'000);
  CHECK(from_lz4(skip + file + skip + file + skip).data == data + data);
  skip.pop_back();
  CHECK(from_lz4(file + skip).data == data);
  CHECK(from_lz4(file + skip).error->code() == trace_errc::truncated);
}

TEST_CASE("lz4: delivers every whole block before an error in the next block's header") {
  const bytes data = sample(500'000);
  const bytes file = lz4_of(data, LZ4F_max64KB, LZ4F_blockIndependent);
  std::size_t at = 7;  // magic, FLG, BD, HC; then blocks: a 32-bit size, the data, a checksum
  for (std::size_t block = 0; block < 7; ++block) {
    CAPTURE(block);
    bytes damaged = file;
    damaged[at + 2] = std::byte{0x7F};  // larger than 64 KiB
    for (const std::size_t chunk : {std::size_t{1000}, std::size_t{2'000'000}}) {
      const drained result = from_lz4(damaged, chunk);
      CHECK(result.data.size() == block << 16);
      CHECK(is_prefix(result.data, data));
      REQUIRE(result.error.has_value());
      CHECK(result.error->code() == trace_errc::corrupt);
      CHECK(result.error->offset() == at);
    }
    at += 8 + (std::to_integer<std::size_t>(file[at]) | std::to_integer<std::size_t>(file[at + 1])
                                                            << 8);
  }
}

TEST_CASE("lz4: reports a wrong content checksum after all bytes") {
  const bytes data = sample(500'000);
  bytes file = lz4_of(data, LZ4F_max64KB, LZ4F_blockLinked);
  file.back() ^= std::byte{1};
  const drained result = from_lz4(file, 1'000'000);
  CHECK(result.data == data);
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == trace_errc::corrupt);
}
#endif
