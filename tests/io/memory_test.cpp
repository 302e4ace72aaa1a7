// Memory stays bounded: 256 MiB of zeros are decompressed by a child process of moderate size.
#include <doctest/doctest.h>

#include <memory>

#include "../child.hpp"
#include "support.hpp"
#include "tracecodec/io/codecs.hpp"

using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("256 MiB out of a small file: memory is that of the codec") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const std::size_t size = 256 * mebibyte;
  for (const codec kind : {codec::xz, codec::gzip, codec::zstd}) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    bytes file;
    {
      const auto to = compress(kind, std::make_unique<vector_sink>(file), "f", {.level = 1});
      const bytes zeros(mebibyte);
      for (std::size_t i = 0; i < size / mebibyte; ++i) to->write(zeros);
      to->finish();
    }
    const auto [idle, idle_status] = ::test::in_child([] { return true; });
    const auto [peak, status] = ::test::in_child([&, &packed = file] {
      const auto from = decompress(kind, std::make_unique<memory_source>(packed), "f");
      bytes chunk(mebibyte);
      std::size_t total = 0;
      while (const std::size_t n = from->read(chunk)) total += n;
      return total == size;
    });
    CHECK(idle_status == 0);
    CHECK(status == 0);
    CHECK(peak < idle + (::test::sanitized ? 128 : 48) * mebibyte);
  }
}
