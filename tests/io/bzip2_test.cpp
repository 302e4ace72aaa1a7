// Tests bzip2.hpp: large data, several streams, damage.
#ifdef TRACECODEC_WITH_BZIP2
#include "tracecodec/io/compression/bzip2.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes bzip2_of(bytes data) {
  bytes out(data.size() + data.size() / 100 + 600);
  auto size = static_cast<unsigned>(out.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size,
                                   reinterpret_cast<char*>(data.data()),
                                   static_cast<unsigned>(data.size()), 1, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

drained from_bzip2(bytes file, std::size_t chunk = 100'000) {
  bzip2_source from(std::make_unique<test_source>(std::move(file)), "file");
  return drain(from, chunk);
}

}  // namespace

TEST_CASE("bzip2: reads large data that libbz2's own function made") {
  const bytes data = sample(2'000'000);
  const bytes file = bzip2_of(data);
  CHECK(from_bzip2(file).data == data);
  CHECK(from_bzip2(file, 100).data == data);
  CHECK(from_bzip2(file + file).data == data + data);
}

TEST_CASE("bzip2: a truncated or damaged file delivers its whole blocks first") {
  const bytes data = sample(2'000'000);
  bytes file = bzip2_of(data);
  const auto half = static_cast<std::ptrdiff_t>(file.size() / 2);
  const drained cut = from_bzip2({file.begin(), file.begin() + half});
  CHECK(is_prefix(cut.data, data));
  CHECK(cut.data.size() > 600'000);  // a block holds 100 kB after run-length coding
  REQUIRE(cut.error.has_value());
  CHECK(cut.error->code() == trace_errc::truncated);

  file[static_cast<std::size_t>(half)] ^= std::byte{1};
  const drained damaged = from_bzip2(file);
  CHECK(damaged.data.size() > 600'000);
  REQUIRE(damaged.error.has_value());
  CHECK(damaged.error->code() == trace_errc::corrupt);
}
#endif
