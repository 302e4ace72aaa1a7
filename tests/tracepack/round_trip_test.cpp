// Tests that any content is unpacked unchanged, byte for byte.
#include <doctest/doctest.h>

#include <filesystem>

#include "sanitized.hpp"
#include "support.hpp"

using namespace test;

namespace {

// Packs at once and in odd pieces. Reads in all ways, in batches and into the caller's buffers.
void check_round_trip(std::span<const std::byte> content, const pack_options& options) {
  const bytes file = packed(content, options);
  const bool small = content.size() < 300'000;
  if (small) REQUIRE(packed(content, options, 1009) == file);
  for (const way how : all_ways) {
    if (!small && how == way::again) continue;
    tracepack::reader r(opened(file, how));
    CHECK(r.about().shape.size == options.about.shape.size);
    const outcome all = drained(r);
    CHECK_FALSE(all.error.has_value());
    CHECK(std::ranges::equal(all.content, content));
    CHECK(r.position() == content.size());
    CHECK(r.next().bytes.empty());
    if (how != way::pipe) CHECK(r.content_size() == content.size());
  }
  for (const std::size_t piece : {std::size_t{777}, std::size_t{100'000}}) {
    tracepack::reader r(opened(file, way::mapped));
    bytes all, some(piece);
    while (const std::size_t n = r.read(some))
      all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK(std::ranges::equal(all, content));
  }
}
void check_round_trips(std::span<const std::byte> content, const tracepack::about& a,
                       std::uint32_t frame_records) {
  for (const level l : {level::fast, level::high}) {
    CAPTURE(static_cast<int>(l));
    check_round_trip(content, options_of(frame_records, l, a));
  }
}

// Returns an unusual layout: a size of 136 bytes, 13 slots, and the address between them.
tracepack::about about_odd() {
  tracepack::about a;
  a.kind = record_kind::described;
  a.shape = {.size = 136,
             .ip = 40,
             .slots = {0, 8, 16, 24, 48, 56, 64, 72, 80, 88, 104, 112, 128},
             .bases = {32, 96}};
  a.table = "0 136 bytes u8[136]\n";
  return a;
}
// Return a layout of the largest size, and a layout of 8 bytes that contains only the address.
tracepack::about about_large() {
  tracepack::about a;
  a.kind = record_kind::described;
  a.shape = {.size = 4096, .ip = 4088};
  for (std::uint16_t i = 0; i != 16; ++i)
    a.shape.slots.push_back(static_cast<std::uint16_t>(256 * i));
  return a;
}
tracepack::about about_small() {
  tracepack::about a;
  a.kind = record_kind::described;
  a.shape = {.size = 8};
  return a;
}

}  // namespace

TEST_CASE("the samples round-trip in frames of usual and small size") {
  for (const char* name : {"sed64", "work32", "threads3_64"}) {
    CAPTURE(std::string(name));
    const bytes all = part(content(data(std::string(name) + ".champsimtrace.xz")), 0,
                           64 * (sanitized ? 9000 : 50'000));
    REQUIRE(all.size() % 64 == 0);
    check_round_trip(all, options_of(0));
    check_round_trip(all, options_of(3000, level::high));
  }
  const bytes some =
      part(content(data("sed64.champsimtrace.xz")), 0, 64 * (sanitized ? 500 : 3000));
  check_round_trips(some, tracepack::about_champsim(), 50);
  // The content as records of another format.
  check_round_trips(some, tracepack::about_cloudsuite(), 300);
}

TEST_CASE("any file round-trips as bytes and as records") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data(""))) {
    if (!entry.is_regular_file() || entry.file_size() > 300'000) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto all = std::as_bytes(std::span(text));
    CAPTURE(entry.path().string());
    check_round_trip(all, of_bytes());
    check_round_trip(all, of_bytes(11));
    const bytes file = packed(all, options_of(300));
    const outcome got = unpacked(file);
    CHECK_FALSE(got.error.has_value());
    CHECK(std::ranges::equal(got.content, all));
    ++files;
  }
  CHECK(files > 20);
}

TEST_CASE("0, 1 and about 2^k records round-trip") {
  const bytes all = program(8200);
  for (std::size_t k = 1; k <= 8192; k *= 2)
    for (const std::size_t n : {k - 1, k, k + 1}) {
      CAPTURE(n);
      const auto some = std::span(all).first(64 * n);
      for (const std::uint32_t frame : {64U, 4096U}) {
        if (n > 3000 && frame == 64) continue;
        const bytes file = packed(some, options_of(frame, n % 2 == 0 ? level::fast : level::high));
        const outcome got = unpacked(file, n % 3 == 0 ? way::pipe : way::mapped);
        CHECK_FALSE(got.error.has_value());
        CHECK(std::ranges::equal(got.content, some));
      }
    }
  check_round_trips({}, tracepack::about_champsim(), 50);
  check_round_trips(std::span(all).first(64), tracepack::about_champsim(), 1);
  check_round_trips(std::span(all).first(640), tracepack::about_champsim(), 1);
}

TEST_CASE("layouts of all kinds round-trip") {
  for (const auto& a : {tracepack::about_champsim(), tracepack::about_cloudsuite(), about_odd(),
                        about_small(), about_large()}) {
    CAPTURE(a.shape.size);
    check_round_trips(program(a.shape.size > 1000 ? 200 : 2000, a.shape), a, 300);
  }
}

TEST_CASE("random, constant, sorted and interleaved content round-trips") {
  const std::size_t n = sanitized ? 100 : 400;
  std::vector<bytes> all;
  all.push_back(noise(64 * n));
  all.push_back(bytes(64 * n));
  all.push_back(bytes(64 * n, std::byte{0xff}));
  all.push_back(bytes(64 * n, std::byte{1}));
  bytes sorted(64 * n), words(64 * n), turns = program(n), slots(64 * n);
  drawn d(3);
  for (std::size_t i = 0; i != 8 * n; ++i) {
    tracecodec::wire::u64le::store(i * 1000, sorted.data() + 8 * i);
    tracecodec::wire::u64le::store(d.number() >> d.below(64), words.data() + 8 * i);
    if (i % 8 != 1)
      tracecodec::wire::u64le::store(i % 8 < 2 ? i % 3 : d.number() >> d.below(64),
                                     slots.data() + 8 * i);
  }
  all.push_back(sorted);
  all.push_back(words);
  all.push_back(slots);  // records according to their flags, with random addresses of all lengths
  // Records of two programs alternately, with noise between.
  const bytes other = program(n, 7), foreign = noise(64 * n, 9);
  for (std::size_t i = 0; i != n; ++i)
    if (i % 3 != 0)
      std::copy_n((i % 3 == 1 ? other : foreign).begin() + static_cast<std::ptrdiff_t>(64 * i), 64,
                  turns.begin() + static_cast<std::ptrdiff_t>(64 * i));
  all.push_back(turns);
  for (std::size_t i = 0; i != all.size(); ++i) {
    CAPTURE(i);
    check_round_trips(all[i], tracepack::about_champsim(), 80);
    check_round_trip(all[i], options_of(64, level::fast, about_odd()));
    check_round_trip(all[i], options_of(64, level::high, about_small()));
    check_round_trip(all[i], options_of(0, level::high, about_large()));
    check_round_trip(all[i], of_bytes(96));
  }
}

TEST_CASE("records, noise, shifted records and a truncated record round-trip") {
  bytes all = program(9000);
  all += noise(64 * 9000 + 17);  // the records after this are shifted by 17 bytes
  all += program(sanitized ? 100 : 35000, 5);
  all += bytes(100'000);
  all += program(sanitized ? 100 : 9000, 6);
  all.resize(all.size() - 13);
  check_round_trip(all, options_of(3000, level::high));
  for (std::size_t cut = 1; cut < 64; cut += 6) {
    const auto some = std::span(all).first(64 * 150 + cut);
    const bytes file = packed(some, options_of(50));
    CHECK(unpacked(file).content == part(all, 0, some.size()));
    tracepack::reader r(opened(file, way::mapped));
    CHECK(r.content_size() == some.size());
  }
}

TEST_CASE("random content grows by at most 1 %") {
  const bytes all = noise(3'000'000);
  const std::size_t most = all.size() + all.size() / 100;
  CHECK(packed(all).size() < most);
  CHECK(packed(all, of_bytes()).size() < most);
  CHECK(packed(all, options_of(0, level::high, tracepack::about_cloudsuite())).size() < most);
  CHECK(packed(all, options_of(0, level::fast, about_odd())).size() < most);
  CHECK(packed(all, options_of(0, level::fast, about_small())).size() < most);
  CHECK(packed(all, options_of(0, level::fast, about_large())).size() < most);
  CHECK(packed(part(all, 0, 64 * 5000), options_of(50)).size() < 64 * 5000 + 64 * 50);
  CHECK(packed(part(all, 0, 4096), options_of(50)).size() < 4096 + 300);
}

TEST_CASE("ends a frame before its streams are too long") {
  // All 16 addresses of each record are far from every prediction. The addresses repeat, so zstd
  // compresses them well.
  tracepack::about a;
  a.kind = record_kind::described;
  a.shape = {.size = 136, .ip = 128};
  for (std::uint16_t i = 0; i != 16; ++i)
    a.shape.slots.push_back(static_cast<std::uint16_t>(8 * i));
  const std::size_t n = 60'000;
  drawn d(1);
  std::vector<std::uint64_t> drawn_words(1U << 16);
  for (std::uint64_t& w : drawn_words) w = d.number();
  bytes all(136 * n);
  for (std::size_t i = 0; i != n; ++i) {
    for (std::size_t k = 0; k != 16; ++k)
      tracecodec::wire::u64le::store(drawn_words[(16 * i + k) % drawn_words.size()],
                                     all.data() + 136 * i + 8 * k);
    tracecodec::wire::u64le::store(0x1000 + 4 * (i % 64), all.data() + 136 * i + 128);
  }
  const bytes file = packed(all, options_of(0, level::fast, a));
  REQUIRE(split(file).has_value());
  CHECK(split(file)->frames.size() == 2);
  const outcome got = unpacked(file);
  CHECK_FALSE(got.error.has_value());
  CHECK(got.content == all);
}

TEST_CASE("a frame has less than 4 GiB of content and a few MiB of patterns") {
  const bytes file =
      packed(program(1, about_large().shape), options_of(0, level::fast, about_large()));
  CHECK(tracepack::reader(opened(file, way::mapped)).about().frame_records == 0xffffffff / 4096);
  CHECK(tracepack::reader(opened(packed({}), way::mapped)).about().frame_records ==
        tracepack::usual_frame_records);
  // Each record has different static bytes.
  tracepack::about a = about_large();
  a.shape.slots = {0};
  const std::size_t n = 1300;  // 1,024 patterns take 4 MiB
  bytes all = program(n, a.shape);
  for (std::size_t i = 0; i != n; ++i)
    tracecodec::wire::u32le::store(static_cast<std::uint32_t>(i), all.data() + 4096 * i + 8);
  const bytes many = packed(all, options_of(0, level::fast, a));
  CHECK(split(many)->frames.size() > 1);
  CHECK(unpacked(many).content == all);
}

TEST_CASE("a full dictionary ends a frame") {
  // More patterns, static instructions, slots and units than fit into a frame, without foreign
  // bytes.
  const std::size_t n = 150'000;
  bytes all(64 * n);
  for (std::size_t i = 0; i != n; ++i) {
    std::byte* const r = all.data() + 64 * i;
    tracecodec::wire::u64le::store(0x1000 + i * (i % 5 == 0 ? 40 : 4), r);
    for (std::size_t k = 0; k != 6; ++k)
      r[10 + k] = static_cast<std::byte>(i % 8 == 1 ? i / 8 >> 3 * k : i % 7);
    for (std::size_t k = 2; k != 8; ++k)
      if (i % 2 == 0) tracecodec::wire::u64le::store(i * k + 1, r + 8 * k);
  }
  const bytes file = packed(all);
  const auto parts = split(file);
  REQUIRE(parts.has_value());
  CHECK(parts->frames.size() > 1);
  CHECK(parts->frames[0].header.kind == tracepack::frame_kind::fast);
  const outcome got = unpacked(file);
  CHECK_FALSE(got.error.has_value());
  CHECK(got.content == all);
}
