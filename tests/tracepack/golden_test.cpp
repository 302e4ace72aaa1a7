// Tests of the files in tests/data/tracepack. They are read correctly on every host, and written
// again with equal streams. The output of zstd may vary with its version.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <memory>

#include "support.hpp"

using namespace test;

namespace {

namespace tp = tracepack;

struct golden {
  std::string name;
  bytes content;
  pack_options options;
  std::vector<property> properties = {};
};
std::vector<golden> goldens() {
  std::vector<golden> all;
  tp::about a = tp::about_champsim();
  a.program = "made up";
  all.push_back({"champsim_fast.tracepack", program(600), options_of(150, level::fast, a)});
  all.push_back({"cloudsuite_high.tracepack", program(400, tp::cloudsuite_shape(), 2),
                 options_of(40, level::high, tp::about_cloudsuite())});
  a = tp::about_champsim();
  a.properties = tp::has_classes | tp::has_lengths | tp::has_code;
  golden known{"properties.tracepack", program(200, 3), options_of(100, level::fast, a)};
  for (std::size_t i = 0; i != 200; ++i) {
    property p;
    const std::byte low = known.content[64 * i];
    p.branch = std::to_integer<std::uint8_t>(low) % 7;
    p.length = static_cast<std::uint8_t>(1 + std::to_integer<unsigned>(low) % 5);
    std::fill_n(p.code.begin(), p.length, i < 150 ? low : ~low);
    known.properties.push_back(p);
  }
  all.push_back(known);
  // A stored frame, and an end inside a record.
  all.push_back({"stored.tracepack", noise(1000) + bytes(500) + noise(7), of_bytes(24)});
  return all;
}
bytes written(const golden& g) {
  bytes out;
  tp::writer w(std::make_unique<vector_sink>(out), g.options);
  if (g.properties.empty())
    w.write(g.content);
  else
    w.write(g.content, g.properties);
  w.finish();
  return out;
}
// Returns the bytes of a file. To write the file first, set the environment variable
// TRACECODEC_WRITE_GOLDENS by hand.
bytes file_of(const golden& g) {
  static const bool anew = std::getenv("TRACECODEC_WRITE_GOLDENS") != nullptr;
  if (anew) {
    const bytes file = written(g);
    std::ofstream(data("tracepack/" + g.name), std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
  }
  return content(data("tracepack/" + g.name));
}

bytes decompressed(std::span<const std::byte> frame, std::size_t size) {
  bytes all(size);
  io::zstd_unpacker unpacker;
  CHECK(unpacker.unpack(frame, all));
  return all;
}

}  // namespace

TEST_CASE("reads the goldens") {
  for (const golden& g : goldens()) {
    CAPTURE(g.name);
    const bytes file = file_of(g);
    for (const way how : all_ways) {
      const outcome got = unpacked(file, how);
      CHECK_FALSE(got.error.has_value());
      CHECK(got.content == g.content);
    }
    if (g.properties.empty()) continue;
    tp::reader r(opened(file, way::mapped), {.statics = true});
    std::size_t at = 0;
    for (auto b = r.next(); !b.bytes.empty(); b = r.next())
      for (const std::uint32_t s : b.statics) CHECK(r.static_property(s) == g.properties[at++]);
    CHECK(at == g.properties.size());
  }
}

TEST_CASE("writes the goldens' bytes") {
  for (const golden& g : goldens()) {
    CAPTURE(g.name);
    const auto before = split(file_of(g)), now = split(written(g));
    REQUIRE(before.has_value());
    REQUIRE(now.has_value());
    CHECK(now->front.major == before->front.major);
    CHECK(now->front.minor == before->front.minor);
    CHECK(now->about == before->about);
    CHECK(now->end.frames == before->end.frames);
    CHECK(now->end.records == before->end.records);
    CHECK(now->end.content_size == before->end.content_size);
    REQUIRE(now->frames.size() == before->frames.size());
    for (std::size_t i = 0; i != now->frames.size(); ++i) {
      const auto &a = before->frames[i], &b = now->frames[i];
      CHECK(a.header.kind == b.header.kind);
      CHECK(a.header.number == b.header.number);
      CHECK(a.header.content_size == b.header.content_size);
      CHECK(a.header.base == b.header.base);
      CHECK(a.header.content_offset == b.header.content_offset);
      CHECK(a.header.digest == b.header.digest);
      if (a.header.kind == tp::frame_kind::stored)
        CHECK(decompressed(a.payload, a.header.content_size) ==
              decompressed(b.payload, b.header.content_size));
      else
        CHECK(streams_in(a.payload) == streams_in(b.payload));
    }
  }
}
