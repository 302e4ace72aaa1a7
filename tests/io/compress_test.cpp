// Tests that all compressors complete their output only with finish(), and never after an
// error.
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "support.hpp"
#include "tracecodec/io/compression/codecs.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

constexpr codec writable[] = {codec::xz, codec::gzip, codec::zstd};

// Sink that simulates a disk with `capacity` bytes.
class small_disk final : public sink {
 public:
  small_disk(std::size_t capacity, bool& finished) : capacity_(capacity), finished_(finished) {}
  void write(std::span<const std::byte> in) override {
    if (in.size() > capacity_) throw trace_error(trace_errc::system, {.file = "disk"}, "full");
    capacity_ -= in.size();
  }
  void finish() override { finished_ = true; }

 private:
  std::size_t capacity_;
  bool& finished_;
};

}  // namespace

TEST_CASE("each source reads the output of its sink, which is recognised") {
  const bytes data = sample(3'000'000);
  for (const codec kind : writable) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    bytes file;
    bool finished = false;
    const auto to = compress(kind, std::make_unique<vector_sink>(file, &finished), "f");
    to->write({});
    to->write(data);
    CHECK_FALSE(finished);
    to->finish();
    CHECK(finished);
    CHECK(recognise(file) == kind);
    const auto from = decompress(kind, std::make_unique<test_source>(file), "f");
    const drained result = drain(*from);
    CHECK(result.data == data);
    CHECK_FALSE(result.error.has_value());
  }
}

TEST_CASE("refuses to use a sink after finish() or after an error") {
  for (const codec kind : writable) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    bytes file;
    const auto to = compress(kind, std::make_unique<vector_sink>(file), "f");
    to->finish();
    CHECK_THROWS_AS(to->finish(), trace_error);
    CHECK_THROWS_AS(to->write(lines(1, 2)), trace_error);

    bool finished = false;
    const auto full = compress(kind, std::make_unique<small_disk>(1000, finished), "f");
    const bytes data = sample(1'000'000);
    const auto fill = [&] {
      full->write(data);
      full->finish();
    };
    CHECK_THROWS_AS(fill(), trace_error);
    CHECK_THROWS_AS(full->finish(), trace_error);
    CHECK_FALSE(finished);
  }
}

TEST_CASE("a sink without finish() never finishes the sink below it") {
  for (const codec kind : writable) {
    if (!built_in(kind)) continue;
    bytes file;
    bool finished = false;
    compress(kind, std::make_unique<vector_sink>(file, &finished), "f")->write(lines(1, 100));
    CHECK_FALSE(finished);
  }
}

TEST_CASE("without compression there is no wrapper, and unsupported codecs are refused") {
  bytes file;
  auto below = std::make_unique<vector_sink>(file);
  const sink* const address = below.get();
  CHECK(compress(codec::none, std::move(below), "f").get() == address);
  for (const codec kind : {codec::bzip2, codec::lz4, codec::snappy, codec::zip}) {
    try {
      compress(kind, std::make_unique<vector_sink>(file), "out");
      FAIL("no error");
    } catch (const trace_error& e) {
      CHECK(e.code() == trace_errc::unsupported);
      CHECK(e.file() == "out");
      CHECK(std::string(e.what()).find("choose xz, gzip or zstd") != std::string::npos);
    }
  }
}
