// Tests snappy.hpp: large data of libsnappy, damaged chunks, sizes, checksums.
#ifdef TRACECODEC_WITH_SNAPPY
#include "tracecodec/io/compression/snappy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "containers.hpp"
#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes chunk(unsigned kind, const bytes& body) {
  bytes out{static_cast<std::byte>(kind)};
  for (unsigned i = 0; i < 3; ++i) out.push_back(static_cast<std::byte>(body.size() >> (8 * i)));
  return out + body;
}

bytes start() { return chunk(0xFF, to_bytes("sNaPpY")); }

// Returns a chunk of DynamoRIO's type 2, compressed by libsnappy.
bytes compressed_chunk(const bytes& content) {
  std::size_t n = snappy_max_compressed_length(content.size());
  bytes body(n);
  REQUIRE(snappy_compress(reinterpret_cast<const char*>(content.data()), content.size(),
                          reinterpret_cast<char*>(body.data()), &n) == SNAPPY_OK);
  body.resize(n);
  return chunk(2, body);
}

bytes snappy_of(const bytes& data, std::size_t block) {
  bytes out = start();
  for (std::size_t at = 0; at < data.size(); at += block) {
    const auto from = data.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t n = std::min(block, data.size() - at);
    out = std::move(out) + compressed_chunk({from, from + static_cast<std::ptrdiff_t>(n)});
  }
  return out;
}

drained from_snappy(bytes file, std::size_t chunk = 100'000) {
  snappy_source from(std::make_unique<test_source>(std::move(file)), "file");
  return drain(from, chunk);
}

void check_corrupt(const bytes& file, const std::string& message, std::uint64_t offset) {
  CAPTURE(message);
  const drained result = from_snappy(file);
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == trace_errc::corrupt);
  CHECK(result.error->message() == "corrupt snappy data: " + message);
  CHECK(result.error->offset() == offset);
}

}  // namespace

TEST_CASE("snappy: reads large data that libsnappy's own function made") {
  const bytes data = sample(3'000'000);
  for (const std::size_t block : {std::size_t{1000}, std::size_t{65536}}) {
    const bytes file = snappy_of(data, block);
    CHECK(from_snappy(file).data == data);
    CHECK(from_snappy(file, 100).data == data);
    CHECK(from_snappy(file + file).data == data + data);
  }
}

TEST_CASE("snappy: the largest chunks, and chunks that are too large") {
  const bytes random = [] {
    bytes all(65536);
    std::mt19937 numbers(1);
    for (std::byte& b : all) b = static_cast<std::byte>(numbers());
    return all;
  }();
  CHECK(from_snappy(start() + compressed_chunk(random)).data == random);
  CHECK(from_snappy(start() + chunk(3, random)).data == random);
  bytes larger = random;
  larger.push_back({});
  check_corrupt(start() + chunk(3, larger),
                "a chunk is longer than its format allows (chunk at offset 10)", 14);
  check_corrupt(start() + chunk(2, bytes(80'000)),
                "a chunk is longer than its format allows (chunk at offset 10)", 14);
  // A compressed chunk whose content is larger than 64 KiB.
  const bytes wide = compressed_chunk(bytes(65537));
  check_corrupt(start() + wide, "a chunk states a wrong size of its content (chunk at offset 10)",
                10 + wide.size());
}

TEST_CASE("snappy: checksums and damaged chunks, after all bytes of the earlier chunks") {
  bytes file = from_hex(containers::snappy_checked);
  const std::size_t second = containers::snappy_checked_ends[1];
  bytes damaged = file;
  damaged[second + 4] ^= std::byte{1};
  CHECK(from_snappy(damaged).data == lines(1, 60));
  check_corrupt(damaged, "wrong checksum (chunk at offset " + std::to_string(second) + ")",
                file.size());
  damaged = file;
  damaged[second + 8] ^= std::byte{1};
  CHECK(from_snappy(damaged).data == lines(1, 60));
  check_corrupt(damaged, "wrong checksum (chunk at offset " + std::to_string(second) + ")",
                file.size());
  check_corrupt(start() + chunk(1, bytes(3)),
                "a chunk is too short for its checksum (chunk at offset 10)", 14);
  check_corrupt(start() + chunk(2, from_hex("05ff")),
                "a chunk cannot be decompressed (chunk at offset 10)", 16);
  check_corrupt(start() + chunk(0xFF, to_bytes("sNaPpX")),
                "wrong stream identifier (chunk at offset 10)", 20);
  check_corrupt(start() + chunk(0xFF, to_bytes("sNaPp")),
                "a stream identifier has a length of 6 bytes (chunk at offset 10)", 14);
}

TEST_CASE("snappy: chunk types") {
  const bytes content = to_bytes("content");
  for (unsigned kind = 2; kind < 0x100; ++kind) {
    if (kind == 0xFF) continue;
    CAPTURE(kind);
    const drained result = from_snappy(start() + chunk(3, content) + chunk(kind, bytes(1000)));
    const bool data = kind <= 3, known = data || kind >= 0x80;
    CHECK(is_prefix(content, result.data));
    if (known && kind != 2) {
      CHECK_FALSE(result.error.has_value());
      CHECK(result.data.size() == content.size() + (data ? 1000 : 0));
    } else if (!known) {
      REQUIRE(result.error.has_value());
      CHECK(result.error->code() == trace_errc::corrupt);
      CHECK(result.error->message() == "expected more snappy data or the end of the file");
      CHECK(result.error->offset() == 10 + 4 + content.size());
    }
  }
}
#endif
