// Tests that memory stays bounded: a child process of moderate size decompresses 256 MiB of
// zeros, and a file that does not fit into the address space is not mapped.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "../child.hpp"
#include "support.hpp"
#include "tracecodec/io/compression/codecs.hpp"
#include "tracecodec/io/window.hpp"

using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("decompressing 256 MiB from a small file uses only the codec's memory") {
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

TEST_CASE("a mapped file that grows beyond the address space continues as a stream") {
  // Sanitizers use additional memory. A 32-bit host does not map files of this size.
  if (::test::sanitized || sizeof(void*) < 8) return;
  const temp_folder folder;
  const std::string path = folder.path("f");
  const bytes first = lines(1, 100);
  write_file(path, first);
  const auto [peak, status] = ::test::in_child([&] {
    window w(open_input(path));
    const bool mapped = w.from().mapped();
    w.consume(100);
    constexpr std::uint64_t tebibyte = std::uint64_t{1} << 40;
    std::filesystem::resize_file(path, tebibyte);
    const rlimit small{tebibyte / 2, tebibyte / 2};
    ::setrlimit(RLIMIT_AS, &small);
    w.resume();
    const auto there = w.look(first.size());
    return mapped && !w.from().mapped() && w.offset() == 100 && there.size() >= first.size() &&
           std::equal(first.begin() + 100, first.end(), there.begin()) &&
           there[first.size() - 100] == std::byte{0} && w.has(tebibyte - 100) == true;
  });
  CHECK(status == 0);
  static_cast<void>(peak);
}
