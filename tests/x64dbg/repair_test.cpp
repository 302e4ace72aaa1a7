// Tests of the thread-id defect: every place is found, nothing else is changed, and the file
// becomes sound.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "support.hpp"
#include "tracecodec/x64dbg/reader/defect.hpp"
#include "tracecodec/x64dbg/repair.hpp"

using namespace test;

namespace {
struct repaired {
  bytes out;
  x64dbg::repair_summary summary;
  std::vector<x64dbg::mended_place> places;
};
repaired repair(const std::string& path, bool map = true) {
  repaired r;
  r.summary =
      x64dbg::repair(io::open_input(path, {.map = map}), std::make_unique<vector_sink>(r.out),
                     "out", [&r](const x64dbg::mended_place& p) { r.places.push_back(p); });
  return r;
}
}  // namespace

TEST_CASE("repairs all 174 places of the sample, which then equals the sound trace") {
  const auto sound = content(data("threads3_64.trace64.xz"));
  const auto legacy = content(data("threads3_64_legacybug.trace64.xz"));
  const auto r = repair(data("threads3_64_legacybug.trace64.xz"));
  CHECK(r.summary.instructions == 30000);
  CHECK(r.summary.mended == 174);
  REQUIRE(r.places.size() == 174);
  CHECK(!r.summary.cut);
  CHECK(r.out == sound);
  // The two files differ only in the fourth byte of these 174 blocks.
  std::size_t n = 0;
  REQUIRE(sound.size() == legacy.size());
  for (std::size_t i = 0; i < sound.size(); ++i) {
    if (sound[i] == legacy[i]) continue;
    REQUIRE(n < r.places.size());
    CHECK(r.places[n].offset + 3 == i);
    CHECK(r.places[n].thread == tracecodec::wire::u32le::load(&sound[i + 1]));
    ++n;
  }
  CHECK(n == 174);
}

TEST_CASE("reads the damaged sample as the sound trace only with repair") {
  const auto path = data("threads3_64_legacybug.trace64.xz");
  CHECK(error_of([&] {
    x64dbg::reader<x64> r(io::open_input(path));
    for ([[maybe_unused]] const auto& i : r) continue;
  }));
  x64dbg::reader<x64> a(io::open_input(path), {.repair = true});
  x64dbg::reader<x64> b(io::open_input(data("threads3_64.trace64.xz")));
  std::uint64_t different = 0;
  x64dbg::instruction<x64> i, j;
  while (b.next(j)) {
    REQUIRE(a.next(i));
    different += i.offset != j.offset || i.thread != j.thread || i.ip() != j.ip() ||
                 !std::ranges::equal(i.before->values(), j.before->values());
  }
  CHECK(!a.next(i));
  CHECK(different == 0);
}

TEST_CASE("repair does not change sound traces") {
  for (const auto* name : {"work32.trace32.xz", "threads3_64.trace64.xz"}) {
    const auto r = repair(data(name));
    CHECK(r.summary.mended == 0);
    CHECK(r.out == content(data(name)));
  }
  const folder dir;
  for (const bool map : {true, false})
    CHECK(repair(dir.file("t", small_trace()), map).out == small_trace());
}

TEST_CASE("repair writes the whole blocks of a truncated trace") {
  const folder dir;
  const auto all = small_trace();
  const std::size_t first = header(x64).size() + 9 + 172 * 9;
  const std::size_t third = all.size() - 14 - 8;
  for (std::size_t n = first; n < all.size(); ++n)
    for (const bool map : {true, false}) {
      const auto r = repair(dir.file("cut", std::span(all).first(n)), map);
      CHECK(std::equal(r.out.begin(), r.out.end(), all.begin()));
      CHECK(r.summary.cut.has_value() == (r.out.size() < n));
      if (n >= third) CHECK(r.out.size() == (n < third + 8 ? third : third + 8));
    }
  CHECK(error_of([&] { repair(dir.file("cut", std::span(all).first(first - 1))); }));
}

TEST_CASE("repairs a defective block at the end, before a truncation and before a user block") {
  // The last block of thread 0x1234 has its bit; the next block has thread
  // 0x5678's id without the bit.
  const auto front =
      header(x64) + snapshot<x64>() + from_hex("00 01 00 81 34120000 90 10 0010400000000000");
  const auto bad = from_hex("00 01 00 01 78560000 90 10 0110400000000000");
  auto good = bad;
  good[3] = std::byte{0x81};
  const auto user = from_hex("80 02000000 0102");
  const auto last = from_hex("00 01 00 01 90 10 0210400000000000");
  const folder dir;
  for (const bytes& behind : {bytes{}, last, user + last, bytes(last.begin(), last.end() - 5)}) {
    const auto r = repair(dir.file("t", front + bad + behind));
    REQUIRE(r.places.size() == 1);
    CHECK(r.places[0].offset == front.size());
    CHECK(r.places[0].instruction == 2);
    CHECK(r.places[0].thread == 0x5678);
    const bool cut = behind.size() == last.size() - 5;
    CHECK(r.out == front + good + (cut ? bytes{} : behind));
  }
  // Up to four user blocks, then the trace's end or a block. Each trace has its own memory, so that
  // a sanitizer detects reads past the end.
  for (int users = 1; users <= 4; ++users) {
    bytes behind = bad;
    for (int i = 0; i < users; ++i) behind += user;
    x64dbg::mended_block<x64> mended;
    CHECK(mended.find(bytes(behind), true, 0x1234));
    CHECK(mended.find(behind + last, false, 0x1234));
    CHECK(!mended.find(bytes(behind), false, 0x1234));
  }
  // A value that is not a multiple of 4, or that equals the current thread's id, is not a defect.
  for (const char* id : {"79560000", "34120000"}) {
    const auto r = repair(dir.file("t", front + from_hex("00 01 00 01") + from_hex(id) +
                                            from_hex("90 10 0110400000000000") + last));
    CHECK(r.places.empty());
  }
}
