// Tests gzip.hpp: compression and decompression of large data, a reproducible header, levels.
#ifdef TRACECODEC_WITH_GZIP
#include "tracecodec/io/compression/gzip.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes gzip_of(const bytes& data, const output_options& options = {}) {
  bytes out;
  gzip_sink to(std::make_unique<vector_sink>(out), options);
  to.write(data);
  to.finish();
  return out;
}

drained from_gzip(bytes file, std::size_t chunk = 100'000) {
  gzip_source from(std::make_unique<test_source>(std::move(file)), "file");
  return drain(from, chunk);
}

}  // namespace

TEST_CASE("gzip: writes and reads large data, which zlib's own function reads, too") {
  const bytes data = sample(5'000'000);
  const bytes file = gzip_of(data);
  CHECK(from_gzip(file).data == data);
  CHECK(from_gzip(file, 100).data == data);
  CHECK(from_gzip(file + file).data == data + data);

  bytes plain(data.size());
  z_stream s{};
  REQUIRE(inflateInit2(&s, 15 + 16) == Z_OK);
  s.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(file.data()));
  s.avail_in = static_cast<uInt>(file.size());
  s.next_out = reinterpret_cast<Bytef*>(plain.data());
  s.avail_out = static_cast<uInt>(plain.size());
  CHECK(inflate(&s, Z_FINISH) == Z_STREAM_END);
  inflateEnd(&s);
  CHECK(plain == data);
}

TEST_CASE("gzip: reports a wrong checksum after all bytes") {
  const bytes data = sample(1'000'000);
  bytes file = gzip_of(data);
  file[file.size() - 8] ^= std::byte{1};
  const drained result = from_gzip(file);
  CHECK(result.data == data);
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == trace_errc::corrupt);
  CHECK(std::string(result.error->what()).find("incorrect data check") != std::string::npos);
}

TEST_CASE("gzip: the header contains no name, time or system (RFC 1952)") {
  const bytes file = gzip_of(lines(1, 100));
  CHECK(bytes(file.begin(), file.begin() + 8) == from_hex("1f8b080000000000"));
  CHECK(file[9] == std::byte{255});
  CHECK(gzip_of(lines(1, 100)) == file);
}

TEST_CASE("gzip: accepts levels 0 to 9") {
  bytes out;
  CHECK_THROWS_AS(gzip_sink(std::make_unique<vector_sink>(out), {.level = 10}), trace_error);
  const bytes data = sample(300'000);
  const bytes stored = gzip_of(data, {.level = 0});
  CHECK(stored.size() > data.size());
  CHECK(from_gzip(stored).data == data);
  CHECK(from_gzip(gzip_of(data, {.level = 9})).data == data);
  CHECK(from_gzip(gzip_of({})).data.empty());
}
#endif
