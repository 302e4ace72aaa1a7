// Tests of files with correct checksums that contradict themselves: each is refused with its
// place, and its intact parts are delivered.
#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <memory>

#include "sanitized.hpp"
#include "support.hpp"
#include "tracecodec/tracepack/impl/model/streams.hpp"

using namespace test;

namespace {

namespace tp = tracepack;
constexpr std::size_t frame_bytes = 50 * 64;

struct crafted {
  bytes content = {};
  pack_parts parts = {};
};
// Returns a pack of ten model frames and a stored frame. Frames 1 to 7 extend the dictionary of
// frame 0, and frame 9 extends the dictionary of frame 8.
crafted sound_one(level l = level::fast, std::uint8_t properties = 0) {
  crafted s;
  s.content = program(50 * 10) + noise(64 * 8500);
  pack_options o = options_of(50, l);
  o.about.properties = properties;
  bytes out;
  tp::writer w(std::make_unique<vector_sink>(out), o);
  // Write only the program, which therefore ends a window.
  property p;
  p.branch = 3;
  p.length = 2;
  p.code[0] = std::byte{0x90};
  const std::vector<property> all(50 * 10, p);
  w.write(std::span(s.content).first(50 * 10 * 64), all);
  w.finish();
  s.content.resize(50 * 10 * 64);
  s.parts = *split(out);
  // Append a stored frame.
  pack_frame f = s.parts.frames.back();
  f.payload.clear();
  tracecodec::io::zstd_packer(1).pack(noise(640), f.payload);
  f.header.kind = tp::frame_kind::stored;
  f.header.number = f.header.base = 10;
  f.header.content_offset = s.content.size();
  f.header.content_size = 640;
  f.header.digest = 0;
  s.content += noise(640);
  s.parts.frames.push_back(f);
  mend(s.parts, 64);
  REQUIRE(unpacked(joined(s.parts)).content == s.content);
  return s;
}

// Checks the error of frame `at`, and that lenient reading continues after it if it can find
// the next frame (`goes_on`).
void check_frame(const crafted& s, const pack_parts& parts, std::size_t at, trace_errc code,
                 const std::string& why, bool goes_on = true) {
  CAPTURE(why);
  const bytes file = joined(parts);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i <= at; ++i) {
    if (i == 0) offset = tp::front_codec::size + parts.about.size();
    if (i != 0) offset += tp::frame_codec::size + parts.frames[i - 1].payload.size();
  }
  for (const way how : all_ways) {
    if (sanitized && how != all_ways[offset % 3]) continue;
    const outcome got = unpacked(file, how);
    REQUIRE(got.error.has_value());
    CHECK(got.error->code() == code);
    CHECK(got.error->file() == "t");
    CHECK(got.error->offset() == offset);
    CHECK(got.error->record().has_value());
    CAPTURE(got.error->message());
    CHECK(got.error->message().find(why) != std::string::npos);
    CHECK(got.content == part(s.content, 0, at * frame_bytes));
    const outcome lenient = unpacked_leniently(file, how);
    REQUIRE(!lenient.lost.empty());
    CHECK(lenient.lost[0].code() == code);
    if (goes_on && at == 2)
      CHECK(lenient.content == part(s.content, 0, 2 * frame_bytes) +
                                   part(s.content, 3 * frame_bytes, s.content.size()));
  }
  tp::reader r(opened(file, way::mapped));
  CHECK_NOTHROW(r.skip(std::numeric_limits<std::uint64_t>::max()));
  CHECK_NOTHROW(static_cast<void>(r.content_size()));
}

// Changes the header of a frame.
template <class F> void header_lies(std::size_t at, F change, trace_errc code,
                                    const std::string& why, bool goes_on = true) {
  const crafted s = sound_one();
  pack_parts parts = s.parts;
  change(parts.frames[at].header);
  check_frame(s, parts, at, code, why, goes_on);
}
// Changes the streams of a frame.
template <class F> void streams_lie(std::size_t at, level l, std::uint8_t properties, F change,
                                    const std::string& why) {
  const crafted s = sound_one(l, properties);
  pack_parts parts = s.parts;
  auto streams = streams_in(parts.frames[at].payload);
  REQUIRE(streams.has_value());
  change(*streams);
  parts.frames[at].payload = payload_of(*streams);
  mend(parts, 64);
  check_frame(s, parts, at, trace_errc::corrupt, why);
}
// Changes a payload.
template <class F> void payload_lies(F change, trace_errc code, const std::string& why) {
  const crafted s = sound_one();
  pack_parts parts = s.parts;
  change(parts.frames[2].payload);
  mend(parts, 64);
  check_frame(s, parts, 2, code, why);
}
// Changes the index or the end.
template <class F> outcome index_lies(F change, const std::string& why) {
  CAPTURE(why);
  const crafted s = sound_one();
  pack_parts parts = s.parts;
  change(parts);
  const bytes file = joined(parts);
  outcome last;
  for (const way how : all_ways) {
    last = unpacked(file, how);
    CHECK(last.content == s.content);
    const outcome lenient = unpacked_leniently(file, how);
    CHECK(lenient.content == s.content);
    CHECK(lenient.lost.empty());
    CHECK(lenient.error.has_value() == last.error.has_value());
    if (!last.error) continue;
    CAPTURE(last.error->message());
    CHECK(last.error->message().find(why) != std::string::npos);
    CHECK(last.error->offset() == s.parts.end.index_offset);
  }
  // Skipping reaches the right record or an error, never another record.
  for (std::size_t to = 0; to < s.content.size(); to += (sanitized ? 135 : 35) * 64) {
    tp::reader r(opened(file, way::mapped));
    bytes some(64);
    std::uint64_t over = 0;
    const auto e = error_of([&] {
      over = r.skip(to);
      if (r.read(some) == 64) CHECK(some == part(s.content, static_cast<std::size_t>(over), 64));
    });
    CHECK(over <= to);
    if (!e) CHECK(over == to);
  }
  return last;
}

constexpr std::uint64_t huge = std::uint64_t{1} << 63;

}  // namespace

TEST_CASE("refuses frame headers with wrong values") {
  using header = tp::frame_header;
  const auto bad = trace_errc::bad_value;
  header_lies(
      2, [](header& h) { h.kind = static_cast<tp::frame_kind>(9); }, trace_errc::unsupported,
      "is of kind 9");
  header_lies(
      2, [](header& h) { h.number = 3; }, bad, "expected frame 2");
  header_lies(
      2,
      [](header& h) {
        h.number = 0;
        h.base = 0;
      },
      bad, "expected frame 2");
  header_lies(
      2, [](header& h) { h.number = 0xffffffff; }, bad, "expected frame 2");
  header_lies(
      2, [](header& h) { h.base = 3; }, bad, "continues the later frame 3");
  header_lies(
      2, [](header& h) { h.base = 0xffffffff; }, bad, "continues the later frame");
  header_lies(
      2, [](header& h) { h.base = 1; }, trace_errc::corrupt, "frame 1 ");
  header_lies(
      10, [](header& h) { h.kind = tp::frame_kind::fast; }, trace_errc::corrupt, "");
  header_lies(
      2, [](header& h) { h.content_size = 0; }, bad, "has 0 bytes of records");
  header_lies(
      2, [](header& h) { h.content_size = 63; }, bad, "has 63 bytes of records");
  header_lies(
      2, [](header& h) { h.content_size = 0xffffffc0; }, bad, "bytes of records");
  header_lies(
      2, [](header& h) { h.content_offset = 0; }, bad, "expected 6400");
  header_lies(
      2, [](header& h) { h.content_offset = huge; }, bad, "expected 6400");
  header_lies(
      2, [](header& h) { h.content_offset = ~std::uint64_t{0} - 63; }, bad, "expected 6400");
  header_lies(
      2, [](header& h) { h.payload_size = 0xffffffff; }, bad, "at most 16777216 are supported");
  header_lies(
      2, [](header& h) { h.payload_size = tp::most_payload; }, trace_errc::truncated,
      "the file ends inside it");
  header_lies(
      2, [](header& h) { h.payload_size -= 1; }, trace_errc::corrupt, "its checksum differs");
  header_lies(
      2, [](header& h) { h.payload_crc ^= 1; }, trace_errc::corrupt, "its checksum differs");
  header_lies(
      2, [](header& h) { h.kind = tp::frame_kind::stored; }, trace_errc::corrupt,
      "cannot be decompressed");
  header_lies(
      2,
      [](header& h) {
        h.kind = tp::frame_kind::stored;
        h.content_size = 0;
      },
      bad, "stores 0 bytes");
  header_lies(
      2,
      [](header& h) {
        h.kind = tp::frame_kind::stored;
        h.content_size = tp::most_stored + 1;
      },
      bad, "stores 4194305 bytes");
  header_lies(
      10, [](header& h) { h.content_size = 639; }, trace_errc::corrupt, "cannot be decompressed");
  header_lies(
      10, [](header& h) { h.content_size = 641; }, trace_errc::corrupt, "cannot be decompressed");
}

TEST_CASE("refuses a wrong digest and a wrong number of records") {
  const crafted s = sound_one();
  for (const way how : all_ways) {
    pack_parts parts = s.parts;
    parts.frames[2].header.digest ^= 1;
    // The records are delivered before the error is detected.
    outcome got = unpacked(joined(parts), how);
    REQUIRE(got.error.has_value());
    CHECK(got.error->code() == trace_errc::corrupt);
    CHECK(got.error->record() == 100);
    CHECK(got.error->message().find("frame 2: its decoded records do not match its checksum") == 0);
    CHECK(got.content == part(s.content, 0, 3 * frame_bytes));
    got = unpacked_leniently(joined(parts), how);
    CHECK(got.content == s.content);
    CHECK(got.lost.size() == 1);
    // Repeated reading returns the same error.
    const bytes file = joined(parts);
    tp::reader r(opened(file, how));
    CHECK(r.skip(100 * 64) == 100 * 64);
    CHECK_FALSE(r.next().bytes.empty());
    for (int i = 0; i != 3; ++i) CHECK(error_of([&] { r.next(); })->record() == 100);
    CHECK(r.skip(64) == 0);
  }
  for (const std::uint32_t records : {49U, 51U, 5000U, 16'000'000U}) {
    pack_parts parts = s.parts;
    parts.frames[10].header.content_offset += 64 * (records - 50);
    parts.frames.erase(parts.frames.begin() + 10);
    parts.frames[9].header.content_size = 64 * records;
    mend(parts, 64);
    if (records > 100'000) continue;
    const outcome got = unpacked(joined(parts));
    REQUIRE(got.error.has_value());
    CHECK(got.error->code() == trace_errc::corrupt);
    CHECK(got.error->record() == 450);
    CHECK(part(got.content, 0, 9 * frame_bytes) == part(s.content, 0, 9 * frame_bytes));
    CHECK(got.content.size() <= 64 * (450 + records));
  }
}

TEST_CASE("a frame that claims records of later frames causes no duplicate position") {
  // A branch to itself, predicted for as many records as a header claims.
  bytes content;
  for (int i = 0; i != 1000; ++i) content += from_hex("00104000000000000101") + bytes(54);
  const pack_parts sound = *split(packed(content, options_of(50)));
  REQUIRE(sound.frames.size() == 20);
  // 90 records end inside frame 3, 600 records at frame 14, and 5000 records beyond the end.
  for (const std::uint32_t records : {90U, 600U, 5000U}) {
    CAPTURE(records);
    pack_parts parts = sound;
    parts.frames[2].header.content_size = 64 * records;
    const bytes file = joined(parts);
    for (const way how : all_ways) {
      std::size_t lost = 0, delivered = 0;
      std::uint64_t at = 0;
      const auto e = error_of([&] {
        tp::reader r(opened(file, how), {.lost = [&lost](const trace_error&) { ++lost; }});
        for (auto b = r.next(); !b.bytes.empty(); b = r.next()) {
          CHECK(r.position() >= at + b.bytes.size());
          at = r.position();
          delivered += b.bytes.size();
        }
      });
      CHECK((lost != 0 || e.has_value()));
      // Content that this frame does not claim is delivered. Without an index, delivery continues
      // with frame 16, because frames 14 and 15 extend the dictionary of frame 8.
      const bool index = how == way::mapped;
      if (records == 90) CHECK(delivered == content.size() - std::size_t{64} * 10);
      if (records == 600) CHECK(delivered == content.size() - std::size_t{64} * (index ? 0 : 100));
      if (records == 5000) CHECK(delivered == 64 * 5100);
      CHECK(e.has_value() == (records == 5000));
    }
  }
}

TEST_CASE("refuses inconsistent dictionaries") {
  namespace stream = tp::detail::stream;
  const std::string why = "its dictionary is inconsistent";
  constexpr std::uint8_t all_properties = tp::has_classes | tp::has_lengths | tp::has_code;
  const std::vector<std::function<void(pack_streams&)>> changes{
      [](pack_streams& s) { s[stream::unit_lengths].back() = std::byte{0}; },
      [](pack_streams& s) { s[stream::unit_lengths].back() = std::byte{65}; },
      [](pack_streams& s) { s[stream::unit_lengths].back() = std::byte{255}; },
      [](pack_streams& s) { s[stream::unit_lengths].push_back(std::byte{1}); },  // no body
      [](pack_streams& s) { s[stream::unit_bodies].push_back(std::byte{0}); },
      [](pack_streams& s) { s[stream::unit_bodies].pop_back(); },
      [](pack_streams& s) { s[stream::unit_bodies].back() |= std::byte{0x80}; },
      [](pack_streams& s) { s[stream::unit_bodies].back() = std::byte{65}; },
      [](pack_streams& s) {  // a member after the static instructions, or before them
        s[stream::unit_lengths].push_back(std::byte{1});
        s[stream::unit_bodies] += from_hex("00 fe ff ff ff ff ff ff ff ff 01 00");
      },
      [](pack_streams& s) {
        s[stream::unit_lengths].push_back(std::byte{1});
        s[stream::unit_bodies] += from_hex("00 ff ff ff ff ff ff ff ff ff 01 00");
      },
      [](pack_streams& s) {  // a number of more than 64 bits
        s[stream::unit_lengths].push_back(std::byte{1});
        s[stream::unit_bodies] += from_hex("ff ff ff ff ff ff ff ff ff 7f");
      },
      [](pack_streams& s) {
        s[stream::unit_lengths].push_back(std::byte{1});
        s[stream::unit_bodies] += from_hex("ff ff ff ff ff ff ff ff ff ff ff ff 01");
      },
      [](pack_streams& s) {
        s[stream::unit_lengths].push_back(std::byte{2});
        s[stream::unit_bodies] += from_hex("ff ff ff ff ff ff ff ff ff 01");
      },
      [](pack_streams& s) { s[stream::pattern_numbers_low].back() = std::byte{0xff}; },
      [](pack_streams& s) { s[stream::pattern_numbers_high].back() = std::byte{0xff}; },
      [](pack_streams& s) { s[stream::pattern_numbers_low].pop_back(); },
      [](pack_streams& s) { s[stream::pattern_numbers_high].pop_back(); },
      [](pack_streams& s) { s[stream::ip_steps].pop_back(); },
      [](pack_streams& s) { s[stream::ip_steps].push_back(std::byte{1}); },
      // A jump without a distance.
      [](pack_streams& s) { s[stream::ip_steps].back() = std::byte{255}; },
      [](pack_streams& s) { s[stream::ip_jumps].push_back(std::byte{0}); },
      [](pack_streams& s) { s[stream::patterns].pop_back(); },
      [](pack_streams& s) {
        s[stream::patterns].back() = std::byte{0x80};
      },  // slots that do not exist
      [](pack_streams& s) {
        s[stream::patterns][s[stream::patterns].size() / 10 * 9 - 1] = std::byte{0x40};
      },
      // Too many patterns.
      [](pack_streams& s) { s[stream::patterns].resize(std::size_t{10} << 17); },
      [](pack_streams& s) { s[stream::unit_lengths].resize(200'000, std::byte{1}); },
      [](pack_streams& s) {  // too many static instructions
        for (const unsigned n :
             {stream::pattern_numbers_low, stream::pattern_numbers_high, stream::ip_steps})
          s[n].resize(tp::most_statics + 1);
      },
      [](pack_streams& s) { s.erase(stream::unit_bodies); },
  };
  for (std::size_t i = 0; i != changes.size(); ++i)
    for (const std::size_t frame : {std::size_t{0}, std::size_t{9}}) {
      CAPTURE(i);
      // Frame 9 extends frame 8 and may have few entries, so some changes have no effect.
      crafted s = sound_one();
      auto streams = streams_in(s.parts.frames[frame].payload);
      bool has_all = true;
      for (const unsigned n :
           {stream::patterns, stream::unit_lengths, stream::unit_bodies, stream::ip_steps})
        has_all = has_all && streams->count(n) != 0;
      if (!has_all || (sanitized && frame != 0)) continue;
      streams_lie(frame, level::fast, 0, changes[i], why);
    }
  // Too many slots in use, by a pattern with all six.
  streams_lie(
      0, level::high, 0,
      [](pack_streams& s) {
        const std::size_t n = s[stream::patterns].size() / 10;
        for (std::size_t i = 0; i != n; ++i) s[stream::patterns][8 * n + i] = std::byte{0x3f};
        for (const unsigned k :
             {stream::pattern_numbers_low, stream::pattern_numbers_high, stream::ip_steps})
          s[k].resize(60'000);
      },
      why);
  // Units with too many members in total.
  streams_lie(
      0, level::fast, 0,
      [](pack_streams& s) {
        s[stream::unit_lengths].assign(9000, std::byte{64});
        s[stream::unit_bodies].clear();
        for (int i = 0; i != 9000; ++i)
          for (int k = 0; k != 64; ++k) s[stream::unit_bodies] += bytes{std::byte{0}, std::byte{1}};
      },
      why);
  // Properties of instructions.
  streams_lie(
      0, level::fast, all_properties,
      [](pack_streams& s) { s[stream::code_lengths].back() = std::byte{16}; }, why);
  streams_lie(
      0, level::fast, all_properties,
      [](pack_streams& s) { s[stream::code_lengths].back() = std::byte{15}; }, why);
  streams_lie(
      0, level::fast, all_properties,
      [](pack_streams& s) { s[stream::code].push_back(std::byte{1}); }, why);
  streams_lie(
      0, level::fast, all_properties, [](pack_streams& s) { s[stream::classes].pop_back(); }, why);
  streams_lie(
      0, level::fast, all_properties, [](pack_streams& s) { s.erase(stream::code_lengths); }, why);
  streams_lie(
      0, level::fast, 0, [](pack_streams& s) { s[stream::classes].push_back(std::byte{1}); }, why);
}

TEST_CASE("refuses inconsistent streams") {
  namespace stream = tp::detail::stream;
  const std::string nowhere = "its streams are inconsistent";
  for (const level l : {level::fast, level::high}) {
    streams_lie(
        0, l, 0, [](pack_streams& s) { s.erase(stream::unit_choices); }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s[stream::unit_choices][0] = std::byte{7}; }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s[stream::unit_choices][0] = std::byte{255}; }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s[stream::unit_choices][0] = std::byte{0}; },
        nowhere);  // the shortest history has no prediction
    streams_lie(
        0, l, 0, [](pack_streams& s) { s[stream::unit_choices][0] = std::byte{4}; }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s[stream::unit_choices][0] = std::byte{6}; },
        nowhere);  // the number is missing
    streams_lie(
        0, l, 0,
        [](pack_streams& s) {
          s[stream::unit_choices][0] = std::byte{6};
          for (const unsigned n :
               {stream::unit_numbers_low, stream::unit_numbers_middle, stream::unit_numbers_high})
            s[n].insert(s[n].begin(), std::byte{0xff});
        },
        nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s.erase(stream::address_choices); }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s[stream::address_choices][0] = std::byte{255}; }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s.erase(stream::address_marks); }, nowhere);
    streams_lie(
        0, l, 0, [](pack_streams& s) { s.erase(stream::address_bits); }, nowhere);
    streams_lie(
        0, l, 0,
        [](pack_streams& s) {
          s[stream::unit_lengths].clear();
          s[stream::unit_bodies].clear();
        },
        nowhere);
  }
}

TEST_CASE("refuses payloads that do not consist of streams") {
  const auto corrupt = trace_errc::corrupt;
  payload_lies([](bytes& p) { p.clear(); }, corrupt, "it has no streams");
  payload_lies([](bytes& p) { p.resize(3); }, corrupt, "the list of its streams is damaged");
  payload_lies([](bytes& p) { p[0] = std::byte{255}; }, corrupt, "");
  payload_lies([](bytes& p) { p.pop_back(); }, corrupt, "a stream ends after it");
  payload_lies([](bytes& p) { p.push_back(std::byte{0}); }, corrupt, "bytes follow its streams");
  payload_lies([](bytes& p) { p = from_hex("01 05 ff ff ff ff 0f 01 00"); }, corrupt,
               "its streams hold 4294967295 bytes");
  payload_lies([](bytes& p) { p = from_hex("01 05 ff ff ff ff ff ff 01 00"); }, corrupt,
               "the list of its streams is damaged");
  payload_lies([](bytes& p) { p = from_hex("01 05 0a 01 00"); }, corrupt,
               "stream 5 cannot be decompressed");
  payload_lies([](bytes& p) { p = from_hex("02 05 01 01 05 01 01 00 00"); }, corrupt,
               "stream 5 occurs twice");
  payload_lies([](bytes& p) { p = from_hex("01 0a 01 01 00"); }, trace_errc::unsupported,
               "has stream 10");
  payload_lies([](bytes& p) { p = from_hex("01 7f 01 01 00"); }, trace_errc::unsupported,
               "has stream 127");
}

TEST_CASE("refuses invalid bases") {
  // Invalid bases: a stored frame, a frame that extends another frame, and a frame with damaged
  // streams.
  crafted s = sound_one();
  pack_frame last = s.parts.frames[9];
  last.header.number = 11;
  last.header.base = 10;
  last.header.content_offset = s.content.size();
  s.parts.frames.push_back(last);
  mend(s.parts, 64);
  for (const way how : all_ways) {
    const outcome got = unpacked(joined(s.parts), how);
    REQUIRE(got.error.has_value());
    CHECK(got.error->code() == trace_errc::corrupt);
    CHECK(got.error->message().find("frame 11: the dictionary that it continues is lost") == 0);
    CHECK(got.content == s.content);
  }
  // Frames that extend two bases alternately, so that the bases are read again.
  s = sound_one();
  pack_parts parts = s.parts;
  parts.frames.pop_back();
  pack_frame again = s.parts.frames[1];
  bytes expected = part(s.content, 0, 10 * frame_bytes);
  for (std::uint32_t number = 10; number != 14; ++number) {
    again = s.parts.frames[number % 2 == 0 ? 1 : 9];
    again.header.number = number;
    again.header.content_offset = frame_bytes * number;
    parts.frames.push_back(again);
    expected += part(s.content, number % 2 == 0 ? frame_bytes : 9 * frame_bytes, frame_bytes);
  }
  mend(parts, 64);
  const bytes file = joined(parts);
  for (const way how : {way::mapped, way::again}) {
    const outcome got = unpacked(file, how);
    CHECK_FALSE(got.error.has_value());
    CHECK(got.content == expected);
    tp::reader r(opened(file, how));
    for (const std::uint64_t to : {11U, 3U, 12U, 9U, 0U, 13U}) {
      r.rewind();
      CHECK(r.skip(to * frame_bytes + 640) == to * frame_bytes + 640);
      bytes some(64);
      CHECK(r.read(some) == 64);
      CHECK(some == part(expected, static_cast<std::size_t>(to) * frame_bytes + 640, 64));
    }
  }
  // In a pipe, only the bytes in the window can be read again. The window contains all bytes of
  // this small file.
  CHECK(unpacked(file, way::pipe).content == expected);
}

TEST_CASE("refuses or ignores an index and an end with wrong values") {
  const std::string says = "declares ";
  CHECK(index_lies([](pack_parts& p) { p.end.index_offset += 1; }, says).error.has_value());
  CHECK(index_lies([](pack_parts& p) { p.end.index_offset = huge; }, says).error.has_value());
  CHECK(
      index_lies([](pack_parts& p) { p.end.frames = huge; }, "declares 9223372036854775808 frames")
          .error.has_value());
  CHECK(
      index_lies([](pack_parts& p) { p.end.frames = ~std::uint64_t{0}; }, says).error.has_value());
  CHECK(index_lies([](pack_parts& p) { p.end.frames = (~std::uint64_t{0} / 24) + 1; }, says)
            .error.has_value());
  CHECK(index_lies([](pack_parts& p) { p.end.records = huge; }, says).error.has_value());
  CHECK(index_lies(
            [](pack_parts& p) {
              p.end.content_size = huge;
              p.end.records = huge / 64;
            },
            says)
            .error.has_value());
  CHECK(index_lies(
            [](pack_parts& p) {
              p.end.content_size -= 64;
              p.end.records -= 1;
            },
            says)
            .error.has_value());
  CHECK(index_lies([](pack_parts& p) { p.index.frames = 0xffffffff; }, "the file ends inside it")
            .error.has_value());
  CHECK(index_lies([](pack_parts& p) { p.index.entries_crc ^= 1; }, "its checksum differs")
            .error.has_value());
  CHECK(index_lies([](pack_parts& p) { p.behind = from_hex("00"); }, "bytes follow the file's end")
            .error.has_value());
  // Entries with a correct checksum that differ from the frames.
  const std::string others = "its entries do not match the frames";
  const auto entries = [](std::function<void(std::vector<tp::index_entry>&)> change) {
    return [change](pack_parts& p) {
      change(p.entries);
      p.index.entries_crc = tp::detail::crc_of(bytes_of(p.entries));
    };
  };
  using list = std::vector<tp::index_entry>;
  CHECK(index_lies(entries([](list& e) { std::swap(e[3], e[4]); }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4] = e[3]; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].offset = e[3].offset; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].offset += 1; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].offset = huge; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[10].offset = ~std::uint64_t{0}; }), others)
            .error.has_value());
  CHECK(index_lies(entries([](list& e) { e[0].offset -= 1; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].content_offset += 64; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].content_offset += 1; }), others).error.has_value());
  CHECK(
      index_lies(entries([](list& e) { e[10].content_offset = huge; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].base = 5; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) { e[4].payload_crc ^= 1; }), others).error.has_value());
  CHECK(index_lies(entries([](list& e) {
                     for (auto& x : e) x.base = 8;
                   }),
                   others)
            .error.has_value());
}

TEST_CASE("detects an index with one frame too few or too many") {
  const crafted s = sound_one();
  for (const int more : {-1, 1}) {
    pack_parts parts = s.parts;
    if (more < 0)
      parts.entries.pop_back();
    else
      parts.entries.push_back({parts.end.index_offset - 1, s.content.size(), 0, 0});
    parts.index.frames = static_cast<std::uint32_t>(parts.entries.size());
    parts.end.frames = parts.entries.size();
    parts.index.entries_crc = tp::detail::crc_of(bytes_of(parts.entries));
    for (const way how : all_ways) {
      const outcome got = unpacked_leniently(joined(parts), how);
      CHECK(got.content == s.content);
      REQUIRE(got.error.has_value());
      CHECK(got.error->code() == trace_errc::bad_value);
      const bytes file = joined(parts);
      tp::reader r(opened(file, how));
      CHECK(r.skip(std::numeric_limits<std::uint64_t>::max()) <= s.content.size());
    }
  }
}

TEST_CASE("refuses frames after a stored frame that ends inside a record") {
  crafted s = sound_one();
  pack_frame f = s.parts.frames.back();
  f.header.number = f.header.base = 11;
  f.header.content_offset += 640;
  s.parts.frames.push_back(f);
  pack_frame& before = s.parts.frames[10];
  before.payload.clear();
  tracecodec::io::zstd_packer(1).pack(noise(650), before.payload);
  before.header.content_size = 650;
  s.parts.frames[11].header.content_offset += 10;
  mend(s.parts, 64);
  const outcome got = unpacked(joined(s.parts));
  CHECK(got.content == part(s.content, 0, 10 * frame_bytes) + noise(650));
  REQUIRE(got.error.has_value());
  CHECK(got.error->code() == trace_errc::bad_value);
  CHECK(got.error->record() == 510);
}
