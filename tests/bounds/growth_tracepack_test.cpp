// tracepack: writing and reading stay within the documented memory limits, whatever the content and
// its size. The memory of libzstd itself, up to 16 MiB, is not counted here. bench/memory.py
// measures the whole process.
#include <cstdint>
#include <memory>

#include "growth.hpp"
#include "tracepack/costly.hpp"
#include "tracepack/support.hpp"

using namespace test;

namespace {

class no_sink final : public io::sink {
 public:
  void write(std::span<const std::byte>) override {}
  void finish() override {}
};

// Returns records that fill a dictionary: units of 64 records that all differ, with
// instructions that use all their slots. Addresses are as far apart as possible if `far`,
// otherwise consecutive.
bytes filling(std::size_t n, const tracepack::shape& s, bool far) {
  drawn d(1);
  bytes all(n * s.size);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i != n; ++i) {
    if (i % 64 == 0) at = d.below(100'000);
    std::byte* const r = all.data() + i * s.size;
    tracecodec::wire::u64le::store(0x400000 + 4 * at, r + s.ip);
    if (s.size >= 64) r[s.ip + 10] = static_cast<std::byte>(at % 200);
    if (s.size >= 64) r[s.ip + 11] = static_cast<std::byte>(at / 200 % 200);
    for (const std::uint16_t slot : s.slots)
      tracecodec::wire::u64le::store(far ? d.number() | 1 : i * 8 + slot, r + slot);
    ++at;
  }
  return all;
}

void check_bounds(const char* what, const bytes& content, const pack_options& o) {
  bytes file;
  file.reserve(content.size() + mebibyte);
  const std::size_t writing = peak_of([&] {
    tracepack::writer w(std::make_unique<vector_sink>(file), o);
    for (std::size_t i = 0; i < content.size(); i += 1'000'000)
      w.write(std::span(content).subspan(i, std::min<std::size_t>(1'000'000, content.size() - i)));
    w.finish();
  });
  std::size_t n = 0;
  const auto read = [&](way how) {
    return peak_of([&] {
      tracepack::reader r(opened(file, how));
      n = 0;
      for (auto b = r.next(); !b.bytes.empty(); b = r.next()) n += b.bytes.size();
    });
  };
  const std::size_t mapped = read(way::mapped);
  CHECK(n == content.size());
  const std::size_t piped = read(way::pipe);
  const std::string name = what;
  MESSAGE(name << ": " << content.size() << " bytes, packed " << file.size() << "; writing takes "
               << writing << ", reading " << mapped << ", of a pipe " << piped);
  CHECK(writing < 64 * mebibyte);
  CHECK(mapped < 32 * mebibyte);
  CHECK(piped < 48 * mebibyte);
}

tracepack::about described(std::uint16_t size, std::uint16_t slots) {
  tracepack::about a;
  a.kind = record_kind::described;
  a.shape.size = size;
  for (std::uint16_t i = 0; i != slots; ++i)
    a.shape.slots.push_back(static_cast<std::uint16_t>(size - 8 * (slots - i)));
  return a;
}

}  // namespace

TEST_CASE("tracepack: content that fills every table takes bounded memory") {
  const auto champsim = tracepack::about_champsim(), cloudsuite = tracepack::about_cloudsuite();
  check_bounds("a program", program(100'000), {});
  check_bounds("a full dictionary", filling(300'000, champsim.shape, false), {});
  check_bounds("a full dictionary, more predictors", filling(200'000, champsim.shape, false),
               {champsim, level::high});
  check_bounds("CloudSuite's", filling(200'000, cloudsuite.shape, false),
               {cloudsuite, level::high});
  check_bounds("addresses that are drawn", filling(30'000, champsim.shape, true), {});
  check_bounds("large records", filling(4'000, described(4096, 16).shape, false),
               {described(4096, 16), level::fast});
  check_bounds("small records", filling(300'000, described(8, 0).shape, false),
               {described(8, 0), level::fast});
  check_bounds("what is foreign", noise(5'000'000), {});
}

TEST_CASE("tracepack: more content of the same kind takes no more memory") {
  const bytes once = program(100'000);
  const auto peak = [&](int times) {
    return peak_of([&] {
      tracepack::writer w(std::make_unique<no_sink>(), options_of(20'000));
      for (int i = 0; i != times; ++i) w.write(once);
      w.finish();
    });
  };
  const std::size_t few = peak(2), many = peak(10);
  MESSAGE("of 2: " << few << " bytes, of 10: " << many);
  CHECK(many < few + mebibyte);
}

TEST_CASE("tracepack: frames with the largest demands take bounded memory") {
  constexpr std::uint32_t records = 1 << 14;
  const bytes file = costly_pack(3, records);
  CHECK(file.size() < 16'000);
  std::vector<std::size_t> read;
  const std::size_t peak = peak_of([&] {
    const outcome got = unpacked_leniently(file);
    read.push_back(got.content.size());
    read.push_back(got.lost.size());
  });
  CHECK(read[0] == std::size_t{3} * records * 96);
  CHECK(read[1] == 0);
  MESSAGE("takes " << peak << " bytes");
  CHECK(peak < 112 * mebibyte + 3 * 2 * records * 96);
}

TEST_CASE("tracepack: a large index and many headers take bounded memory") {
  // An index with entries for many frames of garbage. Each entry takes 24 bytes.
  pack_parts p = *split(packed({}));
  const std::size_t front = tracepack::front_codec::size + p.about.size();
  constexpr std::uint32_t frames = 100'000;
  for (std::uint32_t i = 0; i != frames; ++i)
    p.entries.push_back({front + 48 * std::uint64_t{i}, 64 * std::uint64_t{i}, i, 0});
  p.index.frames = frames;
  p.index.entries_crc = tracepack::detail::crc_of(bytes_of(p.entries));
  p.end.index_offset = front + 48 * std::uint64_t{frames};
  p.end.frames = p.end.records = frames;
  p.end.content_size = 64 * std::uint64_t{frames};
  const bytes whole = joined(p);
  bytes file =
      part(whole, 0, front) + bytes(48 * std::size_t{frames}) + part(whole, front, whole.size());
  std::uint64_t lost = 0;
  const std::size_t peak = peak_of([&] {
    tracepack::reader r(opened(file, way::mapped),
                        {.lost = [&lost](const tracepack::lost_records&) { ++lost; }});
    (void)error_of([&] { (void)r.next(); });
  });
  CHECK(lost == frames);
  CHECK(peak < 2 * file.size() + mebibyte);
}
