// Compares xz.hpp with liblzma's single-threaded decoder: multi-block files, damage, memory
// limits.
#ifdef TRACECODEC_WITH_XZ
#include "tracecodec/io/compression/xz.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes xz_of(const bytes& data, const output_options& options = {}) {
  bytes out;
  xz_sink to(std::make_unique<vector_sink>(out), options);
  to.write(data);
  to.finish();
  return out;
}

drained from_xz(bytes file, const xz_options& options = {}, std::size_t chunk = 100'000) {
  xz_source from(std::make_unique<test_source>(std::move(file)), "file", options);
  return drain(from, chunk);
}

// Returns the output of liblzma's plain decoder for `file`, and its final status.
std::pair<bytes, lzma_ret> reference(const bytes& file, std::size_t capacity) {
  lzma_stream s = LZMA_STREAM_INIT;
  REQUIRE(lzma_stream_decoder(&s, UINT64_MAX, LZMA_CONCATENATED) == LZMA_OK);
  bytes out(capacity + 1);
  s.next_in = reinterpret_cast<const std::uint8_t*>(file.data());
  s.avail_in = file.size();
  s.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  s.avail_out = out.size();
  lzma_ret ret = LZMA_OK;
  while (ret == LZMA_OK) ret = lzma_code(&s, LZMA_FINISH);
  out.resize(out.size() - s.avail_out);
  lzma_end(&s);
  return {out, ret};
}

// Returns the number of blocks in the index of `file`.
std::uint64_t blocks(const bytes& file) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(file.data());
  lzma_stream_flags footer{};
  REQUIRE(lzma_stream_footer_decode(&footer, p + file.size() - LZMA_STREAM_HEADER_SIZE) == LZMA_OK);
  CHECK(footer.check == LZMA_CHECK_CRC64);
  lzma_index* index = nullptr;
  std::uint64_t limit = UINT64_MAX;
  std::size_t at = file.size() - LZMA_STREAM_HEADER_SIZE - footer.backward_size;
  REQUIRE(lzma_index_buffer_decode(&index, &limit, nullptr, p, &at, file.size()) == LZMA_OK);
  const std::uint64_t n = lzma_index_block_count(index);
  lzma_index_end(index, nullptr);
  return n;
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("xz: writes and reads several blocks, which liblzma's own decoder reads, too") {
  const bytes data = sample(10 * mebibyte);
  const bytes file = xz_of(data, {.level = 1});
  CHECK(blocks(file) == 3);
  const auto [plain, ret] = reference(file, data.size());
  CHECK(ret == LZMA_STREAM_END);
  CHECK(plain == data);
  for (const unsigned threads : {0U, 1U, 3U}) {
    const drained result = from_xz(file, {.threads = threads});
    CHECK_FALSE(result.error.has_value());
    CHECK(result.data == data);
  }
  CHECK(from_xz(file + bytes(12) + file).data == data + data);
}

TEST_CASE("xz: the output does not depend on threads or on the size of the pieces") {
  const bytes data = sample(mebibyte);
  const output_options small{.level = 0, .threads = 1, .block_size = 100'000};
  const bytes file = xz_of(data, small);
  CHECK(blocks(file) == 11);
  CHECK(xz_of(data, {.level = 0, .threads = 4, .block_size = 100'000}) == file);
  bytes pieces;
  xz_sink to(std::make_unique<vector_sink>(pieces), small);
  for (std::size_t at = 0; at < data.size(); at += 999) {
    to.write(std::span(data).subspan(at, std::min<std::size_t>(999, data.size() - at)));
  }
  to.finish();
  CHECK(pieces == file);
  CHECK(from_xz(file, {}, 33).data == data);
}

TEST_CASE("xz: empty input becomes an empty stream") {
  const bytes file = xz_of({});
  const drained result = from_xz(file);
  CHECK(result.data.empty());
  CHECK_FALSE(result.error.has_value());
}

TEST_CASE(
    "xz: a truncated file delivers the bytes of the single-threaded decoder, then the error") {
  const bytes data = sample(mebibyte);
  const bytes file = xz_of(data, {.level = 0, .block_size = 200'000});
  for (std::size_t length = 1; length < file.size(); length += 1 + file.size() / 50) {
    CAPTURE(length);
    bytes cut = file;
    cut.resize(length);
    const bytes expected = reference(cut, data.size()).first;
    for (const std::size_t chunk : {std::size_t{5000}, data.size()}) {
      const drained result = from_xz(cut, {.threads = 4}, chunk);
      CHECK(result.data.size() == expected.size());
      CHECK(is_prefix(result.data, data));
      REQUIRE(result.error.has_value());
      CHECK(result.error->code() == trace_errc::truncated);
      CHECK(result.error->offset() == length);
    }
  }
}

TEST_CASE("xz: a damaged file delivers the bytes of the single-threaded decoder, then the error") {
  const bytes data = sample(mebibyte);
  const bytes file = xz_of(data, {.level = 0, .block_size = 200'000});
  for (std::size_t at = 12; at < file.size(); at += 1 + file.size() / 50) {
    CAPTURE(at);
    bytes damaged = file;
    damaged[at] ^= std::byte{0x20};
    const bytes expected = reference(damaged, data.size()).first;
    const drained result = from_xz(damaged, {.threads = 4}, 5000);
    CHECK(result.data == expected);
    REQUIRE(result.error.has_value());
    CHECK(*result.error->offset() <= file.size());
  }
}

TEST_CASE("xz: refuses a file that needs more memory than allowed, and names both sizes") {
  const bytes file = xz_of(sample(mebibyte), {.block_size = 64 * mebibyte});  // dictionary of 8 MiB
  const drained result = from_xz(file, {.memory = 2 * mebibyte});
  CHECK(result.data.empty());
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == trace_errc::unsupported);
  CHECK(std::string(result.error->what()).find("needs 8 MiB of memory, but the limit is 2 MiB") !=
        std::string::npos);
  // A limit on threading memory only makes decoding slower.
  CHECK_FALSE(from_xz(file, {.threading_memory = 1}).error.has_value());
}

TEST_CASE("xz: reads a dictionary as large as the limit") {
  // Output of xz --lzma2=preset=0,dict=256MiB for abcabc, and with dict=384MiB.
  const bytes usual = from_hex(
      "fd377a585a000004e6d6b44602002101200000000988a576010005616263616263000000e91270540bb712e70001"
      "1e06c12fa41d1fb6f37d010000000004595a");
  const bytes larger = from_hex(
      "fd377a585a000004e6d6b44602002101210000006cef19ce010005616263616263000000e91270540bb712e70001"
      "1e06c12fa41d1fb6f37d010000000004595a");
  const bytes content = from_hex("616263616263");
  for (const unsigned threads : {0U, 1U}) {
    CHECK(from_xz(usual, {.threads = threads}).data == content);
    const drained refused = from_xz(larger, {.threads = threads});
    REQUIRE(refused.error.has_value());
    CHECK(refused.error->message() ==
          "xz data: needs 384 MiB of memory, but the limit is 256 MiB; raise the memory limit");
    CHECK(from_xz(larger, {.threads = threads, .memory = 384 * mebibyte}).data == content);
    CHECK(from_xz(larger, {.threads = threads, .memory = 383 * mebibyte}).error.has_value());
  }
}

TEST_CASE("xz: accepts levels 0 to 9") {
  bytes out;
  CHECK_THROWS_AS(xz_sink(std::make_unique<vector_sink>(out), {.level = 10}), trace_error);
  CHECK_THROWS_AS(xz_sink(std::make_unique<vector_sink>(out), {.level = -1}), trace_error);
  const bytes data = sample(mebibyte);
  CHECK(from_xz(xz_of(data, {.level = 9})).data == data);
}
#endif
