// Tests of damage: every truncation and every changed bit is detected and named. It costs only
// the frames affected, and those that extend their dictionaries.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "sanitized.hpp"
#include "support.hpp"
#include "tracecodec/tracepack/open.hpp"

using namespace test;

namespace {

constexpr std::size_t per_frame = 20 * 64;

// Small file with two bases, both kinds of frames and a stored one, and an end inside a
// record.
struct sample {
  bytes content = {}, file = {};
  pack_parts parts = {};
  std::vector<std::size_t> at = {};  // offset of each frame in the file, then of the index
};
sample small_file(level l) {
  sample s;
  s.content = program(20 * 10 + 7);
  s.content.resize(s.content.size() - 5);
  s.file = packed(s.content, options_of(20, l));
  s.parts = *split(s.file);
  for (const auto& e : s.parts.entries) s.at.push_back(static_cast<std::size_t>(e.offset));
  s.at.push_back(static_cast<std::size_t>(s.parts.end.index_offset));
  REQUIRE(s.at.size() == 13);
  REQUIRE(s.parts.frames.back().header.kind == tracepack::frame_kind::stored);
  return s;
}
// Returns the distance between tested bytes. Level `high` is tested less densely, because only its
// model differs.
std::size_t step_of(level l) { return sanitized ? 43 : l == level::high ? 29 : 1; }
// Returns the content without the records of some frames.
bytes without(const sample& s, const std::set<std::size_t>& frames) {
  bytes all;
  for (std::size_t i = 0; i + 1 != s.at.size(); ++i) {
    const auto& h = s.parts.frames[i].header;
    if (frames.count(i) == 0)
      all += part(s.content, static_cast<std::size_t>(h.content_offset), h.content_size);
  }
  return all;
}
std::size_t frame_at(const sample& s, std::size_t offset) {
  std::size_t i = 0;
  while (i + 1 < s.at.size() && s.at[i + 1] <= offset) ++i;
  return i;
}
// Returns the frames that cannot be read if `frame` cannot be read.
std::set<std::size_t> dependent(const sample& s, std::size_t frame) {
  std::set<std::size_t> all;
  for (std::size_t i = 0; i != s.parts.frames.size(); ++i)
    if (i == frame || s.parts.frames[i].header.base == frame) all.insert(i);
  return all;
}

}  // namespace

TEST_CASE("a file truncated at any byte delivers its whole frames, then an error") {
  for (const level l : {level::fast, level::high}) {
    const sample s = small_file(l);
    for (std::size_t cut = 0; cut < s.file.size(); cut += step_of(l)) {
      CAPTURE(cut);
      const auto file = std::span(s.file).first(cut);
      const way how = all_ways[cut % 3];
      const outcome got = unpacked(file, how);
      REQUIRE(got.error.has_value());
      CHECK(got.error->code() == trace_errc::truncated);
      CHECK(got.error->file() == "t");
      CHECK(*got.error->offset() <= cut);
      // All whole frames are delivered.
      std::size_t whole = 0;
      while (whole + 1 < s.at.size() && s.at[whole + 1] <= cut) ++whole;
      const std::size_t n = cut < s.at[0] ? 0 : std::min(whole * per_frame, s.content.size());
      const std::size_t expected = whole == s.at.size() - 1 ? s.content.size()
                                   : whole == 11            ? s.content.size() / 64 * 64
                                                            : n;
      CHECK(got.content == part(s.content, 0, expected));
      if (cut < s.at[0] || cut % 4 != 0) continue;
      CHECK(unpacked_leniently(file, how).content == got.content);
      tracepack::reader r(opened(file, how));
      CHECK(r.has_index() == (how == way::pipe ? std::nullopt : std::optional(false)));
      if (how != way::pipe) CHECK(r.content_size() == expected);
      CHECK(r.skip(~std::uint64_t{0}) == expected);
      CHECK(r.position() == expected);
      CHECK(error_of([&] { r.next(); })->code() == trace_errc::truncated);
    }
  }
}

TEST_CASE("detects a changed bit in any byte and delivers all other frames") {
  for (const level l : {level::fast, level::high}) {
    const sample s = small_file(l);
    bytes file = s.file;
    for (std::size_t at = 0; at < file.size(); at += step_of(l)) {
      const std::byte before = file[at];
      file[at] ^= std::byte{1} << at % 8;
      CAPTURE(at);
      for (const way how : all_ways) {
        if (how != all_ways[at % 3] && (at < s.at[11] || sanitized)) continue;
        CAPTURE(static_cast<int>(how));
        const outcome strict = unpacked(file, how), lenient = unpacked_leniently(file, how);
        REQUIRE(strict.error.has_value());
        CHECK(strict.error->code() != trace_errc::system);
        CHECK(strict.error->code() != trace_errc::refused);
        if (at < s.at[0]) {
          CHECK(strict.content.empty());
          CHECK(lenient.error.has_value());
          continue;
        }
        const std::size_t frame = frame_at(s, at);
        if (frame == 12) {  // in the index, or after it
          CHECK(strict.content == s.content);
          CHECK(lenient.content == s.content);
          REQUIRE(lenient.error.has_value());
          CHECK(lenient.error->code() != trace_errc::refused);
          CHECK(lenient.error->offset() == s.at[12]);
          continue;
        }
        const std::size_t first =
            static_cast<std::size_t>(s.parts.frames[frame].header.content_offset);
        CHECK(strict.content == part(s.content, 0, first));
        CHECK(strict.error->offset() == s.at[frame]);
        CHECK(strict.error->record() == first / 64);
        CHECK(strict.error->message().find("frame " + std::to_string(frame) + ":") == 0);
        const auto lost = dependent(s, frame);
        CHECK_FALSE(lenient.error.has_value());
        CHECK(lenient.content == without(s, lost));
        REQUIRE(lenient.lost.size() == lost.size());
        std::size_t i = 0;
        for (const std::size_t f : lost) {
          const tracepack::lost_records& e = lenient.lost[i++];
          CHECK(e.file() == "t");
          CHECK(e.offset() == s.at[f]);
          CHECK(e.record() == s.parts.frames[f].header.content_offset / 64);
          const std::uint32_t n = s.parts.frames[f].header.content_size / 64;
          CHECK(e.first == *e.record());
          CHECK(e.next == e.first + n);
          if (n > 1)
            CHECK(e.message().find("its " + std::to_string(n) + " records are lost") !=
                  std::string::npos);
        }
      }
      file[at] = before;
    }
  }
}

TEST_CASE("positions include lost records, and skipping does not read damaged frames") {
  const sample s = small_file(level::fast);
  for (const std::size_t frame : {1U, 3U, 7U, 9U}) {
    bytes file = s.file;
    file[s.at[frame] + 60] ^= std::byte{1};
    for (const way how : all_ways)
      for (std::size_t to = 0; to <= s.content.size(); to += 7 * 64) {
        CAPTURE(to);
        std::size_t lost = 0;
        tracepack::reader r(opened(file, how), {.lost = [&lost](const trace_error&) { ++lost; }});
        CHECK(r.skip(to) == to);
        const bool inside = to / per_frame == frame && (to % per_frame != 0);
        const std::size_t reached = inside ? (frame + 1) * per_frame : to;
        CHECK(r.position() == reached);
        bytes some(64);
        if (r.read(some) == 64 && to / per_frame != frame)
          CHECK(some == part(s.content, reached, 64));
        else if (to / per_frame == frame)
          CHECK(some == part(s.content, (frame + 1) * per_frame, 64));
        // In strict mode, a skip succeeds up to the damaged frame. It succeeds beyond this frame if
        // the index contains the place of the next frame.
        tracepack::reader strict(opened(file, how));
        const std::size_t before = frame * per_frame;
        CHECK(strict.skip(to) ==
              (how != way::pipe ? (inside ? before : to) : std::min(to, before)));
        if (inside) CHECK(error_of([&] { strict.next(); })->offset() == s.at[frame]);
      }
  }
}

TEST_CASE("handles several damaged frames and headers") {
  const sample s = small_file(level::high);
  const std::vector<std::vector<std::pair<std::size_t, std::size_t>>> cases{
      {{1, 60}, {2, 60}},   {{1, 60}, {2, 10}},
      {{1, 10}, {2, 10}},   {{1, 10}, {2, 10}, {3, 10}, {5, 44}},
      {{10, 60}, {11, 60}}, {{11, 10}},
      {{10, 10}, {11, 10}}, {{1, 10}, {9, 70}}};
  for (const auto& damage : cases) {
    bytes file = s.file;
    std::set<std::size_t> lost;
    for (const auto& [frame, at] : damage) {
      file[s.at[frame] + at] ^= std::byte{0x20};
      lost.insert(frame);
    }
    for (const way how : all_ways) {
      const outcome got = unpacked_leniently(file, how);
      CHECK_FALSE(got.error.has_value());
      CHECK(got.content == without(s, lost));
      // Without the index, a damaged header directly after other damage belongs to the same gap.
      if (how == way::mapped) CHECK(got.lost.size() == lost.size());
      CHECK(got.lost.size() >= 1);
    }
  }
}

TEST_CASE("handles missing and inserted bytes") {
  const sample s = small_file(level::fast);
  for (std::size_t frame = 1; frame != 11; ++frame) {
    if (frame == 8) continue;
    CAPTURE(frame);
    bytes shorter = s.file, longer = s.file;
    const auto at = shorter.begin() + static_cast<std::ptrdiff_t>(s.at[frame]);
    shorter.erase(at + 50, at + 55);
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(s.at[frame] + 50), 1000,
                  std::byte{'T'});
    for (const way how : all_ways)
      for (const bytes& file : {shorter, longer}) {
        const outcome got = unpacked_leniently(file, how);
        CHECK(got.content == without(s, {frame}));
        CHECK(got.lost.size() == 1);
        REQUIRE(got.error.has_value());  // the end has another index offset
        CHECK(got.error->offset() != s.at[12]);
        CHECK(unpacked(file, how).content == part(s.content, 0, frame * per_frame));
      }
  }
}

TEST_CASE("does not deliver a trace that is contained in a damaged frame") {
  // The inner file is stored uncompressed, so that its frames appear in the outer file.
  const bytes inner = packed(program(2000, 3), options_of(50)) + noise(3000);
  bytes all = inner + inner;
  pack_options o = of_bytes();
  bytes file = packed(noise(5000), o);
  auto parts = *split(file);
  // Two more frames with content that zstd leaves uncompressed.
  for (const std::uint32_t number : {1U, 2U}) {
    pack_frame f = parts.frames[0];
    f.payload.clear();
    tracecodec::io::zstd_packer(1).pack(
        number == 1 ? std::span<const std::byte>(all) : std::span(inner), f.payload);
    f.header.number = f.header.base = number;
    f.header.content_offset = number == 1 ? 5000 : 5000 + all.size();
    f.header.content_size = static_cast<std::uint32_t>(number == 1 ? all.size() : inner.size());
    parts.frames.push_back(f);
  }
  mend(parts, 1);
  file = joined(parts);
  CHECK(unpacked(file).content == noise(5000) + all + inner);
  for (const std::size_t place : {10U, 60U}) {
    bytes bad = file;
    bad[static_cast<std::size_t>(parts.entries[1].offset) + place] ^= std::byte{1};
    const outcome got = unpacked_leniently(bad);
    CHECK(got.content == noise(5000) + inner);
    CHECK(got.lost.size() == 1);
  }
}

TEST_CASE("reports an error if no content is left") {
  const auto read_all = [](std::span<const std::byte> file, way how, bool leniently,
                           std::uint64_t skip = 0) {
    const std::function<void(const tracepack::lost_records&)> lost =
        leniently ? std::function<void(const tracepack::lost_records&)>([](const trace_error&) {})
                  : std::function<void(const tracepack::lost_records&)>();
    io::input in =
        tracepack::open_content(tracepack::reader(opened(file, how), {.lost = lost}), lost);
    std::uint64_t n = in.skip(skip);
    bytes some(1000);
    while (const std::size_t got = in.read(some)) n += got;
    return n;
  };
  const sample s = small_file(level::fast);
  bytes bad = s.file;
  for (std::size_t i = 0; i + 1 != s.at.size(); ++i) bad[s.at[i] + 50] ^= std::byte{1};
  const bytes none = packed({});
  for (const way how : all_ways) {
    const auto e = error_of([&] { read_all(bad, how, true); });
    REQUIRE(e.has_value());
    CHECK(e->code() == trace_errc::corrupt);
    CHECK(e->message() == "none of its frames can be read");
    bytes cut = bad;
    cut.resize(s.at[11]);
    CHECK(error_of([&] { read_all(cut, how, true); })->code() == trace_errc::truncated);
    for (const bool leniently : {false, true}) {
      CHECK(read_all(none, how, leniently) == 0);
      CHECK(read_all(s.file, how, leniently) == s.content.size());
      CHECK(read_all(s.file, how, leniently, s.content.size()) == s.content.size());
    }
  }
}

TEST_CASE("reads an index that is longer than one read of a pipe") {
  const bytes all = program(1500);
  const bytes file = packed(all, options_of(1));
  const outcome got = unpacked(file, way::pipe);
  CHECK_FALSE(got.error.has_value());
  CHECK(got.content == all);
  tracepack::reader r(opened(file, way::pipe));
  CHECK(r.skip(~std::uint64_t{0}) == all.size());
  CHECK(r.next().bytes.empty());
  CHECK(r.next().bytes.empty());
  // If the end is inconsistent, the error must describe the file, not the pipe.
  bytes bad = file;
  bad[file.size() - 20] ^= std::byte{1};
  const outcome damaged = unpacked_leniently(bad, way::pipe);
  CHECK(damaged.content == all);
  REQUIRE(damaged.error.has_value());
  CHECK(damaged.error->code() == trace_errc::corrupt);
}
