// Tests of the cost of crafted and damaged packs: bytes that are summed, bytes that are read, and
// frames that are reported. The tests in tests/bounds measure memory.
#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <memory>
#include <string_view>

#include "support.hpp"
#include "tracecodec/file/record_table.hpp"
#include "tracecodec/tracepack/impl/frame_file.hpp"
#include "tracecodec/tracepack/impl/recovery.hpp"

using namespace test;

namespace {

namespace tp = tracepack;
namespace file = tracecodec::file;

bytes bytes_of(std::string_view s) {
  const auto b = std::as_bytes(std::span(s));
  return {b.begin(), b.end()};
}
bytes encoded(const tp::frame_header& h) {
  bytes b(tp::frame_codec::size);
  tp::frame_codec::encode(h, b);
  return b;
}
// Returns a pack without frames, index and end.
bytes front() {
  bytes all = packed({});
  all.resize(all.size() - tp::index_codec::size - tp::end_codec::size);
  return all;
}
tp::frame_header stored_header(std::uint32_t number, std::uint32_t payload_size,
                               std::uint32_t payload_crc) {
  return {.magic = {},
          .kind = tp::frame_kind::stored,
          .number = number,
          .content_size = 64,
          .payload_size = payload_size,
          .base = number,
          .content_offset = 64 * std::uint64_t{number},
          .digest = 0,
          .payload_crc = payload_crc,
          .header_crc = {}};
}

// Counts of frames and bytes. walk() reads all frames of a file, checks their checksums, and
// continues after damage.
struct walked {
  std::uint64_t summed = 0;
  std::size_t sound = 0, lost = 0;
};
walked walk(std::span<const std::byte> all, way how) {
  tp::detail::frame_file f(opened(all, how));
  walked w;
  for (;;) {
    try {
      if (!f.next()) break;
      (void)f.payload();
      f.done();
      ++w.sound;
    } catch (const trace_error& e) {
      ++w.lost;
      if (!tp::detail::recover(f, e)) break;
    }
  }
  w.summed = f.summed();
  return w;
}

// File that consists mostly of zeros and counts the bytes read.
struct sparse_file {
  bytes begin = {}, index = {}, end = {};
  std::uint64_t index_at = 0, size = 0;
};
class sparse_source final : public io::source {
 public:
  sparse_source(const sparse_file& of, std::uint64_t& read) : of_(of), read_(read) {}
  std::size_t read(std::span<std::byte> out) override {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), of_.size - at_));
    std::fill_n(out.begin(), n, std::byte{});
    const auto put = [&](std::span<const std::byte> some, std::uint64_t where) {
      for (std::size_t i = 0; i != some.size(); ++i)
        if (where + i >= at_ && where + i < at_ + n)
          out[static_cast<std::size_t>(where + i - at_)] = some[i];
    };
    put(of_.begin, 0);
    put(of_.index, of_.index_at);
    put(of_.end, of_.size - of_.end.size());
    at_ += n;
    read_ += n;
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override {
    n = std::min(n, of_.size - at_);
    at_ += n;
    return n;
  }

 private:
  const sparse_file& of_;
  std::uint64_t& read_;
  std::uint64_t at_ = 0;
};

}  // namespace

TEST_CASE("joins the checksums of two pieces") {
  // Published checksums of 32 zeros (RFC 3720, B.4) and of 123456789.
  const bytes zeros(32), digits = bytes_of("123456789");
  for (std::size_t n = 0; n <= 9; ++n) {
    const auto rest = static_cast<std::uint32_t>(9 - n);
    CHECK(tp::detail::joined_crc(tp::detail::crc_of(std::span(digits).first(n)),
                                 tp::detail::crc_of(std::span(digits).subspan(n)),
                                 rest) == 0xE3069283);
    CHECK(tp::detail::joined_crc(tp::detail::crc_of(std::span(digits).first(n)), 0xE3069283,
                                 rest) == tp::detail::crc_of(std::span(digits).subspan(n)));
  }
  CHECK(tp::detail::joined_crc(tp::detail::crc_of(std::span(zeros).first(5)),
                               tp::detail::crc_of(std::span(zeros).subspan(5)), 27) == 0x8A9136AA);
}

TEST_CASE("overlapping payloads have the same sums as separate ones") {
  const bytes all = noise(200'000);
  drawn d(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(d.below(n)); };
  tp::detail::payload_sums sums;
  std::size_t at = 0;
  for (int i = 0; i != 300; ++i) {
    // Move forwards in most cases, like a search, and sometimes backwards, like the loading of a
    // base.
    const std::size_t from = below(20) == 0 ? below(at + 1) : at;
    const std::size_t n = below(std::min<std::size_t>(all.size() - from, 60'000));
    const auto some = std::span(all).subspan(from, n);
    CHECK(sums.of(1000 + from, some) == tp::detail::crc_of(some));
    at = std::min(all.size() - 1, at + below(1200));
  }
  sums.forget();
  CHECK(sums.of(0, all) == tp::detail::crc_of(all));
}

TEST_CASE("sums the bytes after adjacent headers with large sizes only once") {
  constexpr std::uint32_t headers = 3000, claimed = 1 << 20;
  bytes all = front();
  for (std::uint32_t i = 0; i != headers; ++i) all += encoded(stored_header(i, claimed, i));
  all += bytes(claimed);
  for (const way how : all_ways) {
    const walked w = walk(all, how);
    CHECK(w.sound == 0);
    CHECK(w.lost >= headers);
    // The limit is every byte twice, and 512 bytes for each header. Without the limit, 3 GB would
    // be summed.
    CHECK(w.summed < 2 * all.size() + 512 * headers);
  }
}

TEST_CASE("does not search for headers inside a frame with a correct checksum") {
  // The content cannot be decompressed: it consists of a hundred headers.
  bytes inside;
  for (std::uint32_t i = 1; i != 100; ++i) inside += encoded(stored_header(i, 0, 0));
  const bytes content = noise(64);
  bytes payload;
  io::zstd_packer(1).pack(content, payload);
  bytes all = front();
  all += encoded(
      stored_header(0, static_cast<std::uint32_t>(inside.size()), tp::detail::crc_of(inside)));
  all += inside;
  all += bytes_of("garbage");  // so that no header follows the first frame
  all += encoded(
      stored_header(1, static_cast<std::uint32_t>(payload.size()), tp::detail::crc_of(payload)));
  all += payload;
  for (const way how : all_ways) {
    const outcome got = unpacked_leniently(all, how);
    CHECK(got.content == content);
    REQUIRE(got.lost.size() == 1);
    CHECK(got.lost[0].message().find("cannot be decompressed") != std::string::npos);
  }
}

TEST_CASE("an index over garbage reports each of its frames once") {
  constexpr std::uint32_t frames = 500;
  bytes all = front();
  pack_parts p = *split(packed({}));
  const std::uint64_t first = all.size();
  for (std::uint32_t i = 0; i != frames; ++i)
    p.entries.push_back({first + 50 * std::uint64_t{i}, 64 * std::uint64_t{i}, 7, 0});
  p.index.frames = frames;
  p.index.entries_crc = tp::detail::crc_of(test::bytes_of(p.entries));
  p.end.index_offset = first + 50 * frames;
  p.end.frames = p.end.records = frames;
  p.end.content_size = 64 * frames;
  const bytes whole = joined(p);
  all += noise(50 * frames);
  all.insert(all.end(), whole.begin() + static_cast<std::ptrdiff_t>(first), whole.end());

  tp::reader r(opened(all, way::mapped));
  CHECK(r.has_index() == true);
  CHECK(r.frame_count() == frames);
  const outcome got = unpacked_leniently(all);
  CHECK(got.content.empty());
  CHECK(got.lost.size() == frames);
  CHECK(got.lost.back().next == frames);
}

TEST_CASE("an index that claims too many frames costs nothing") {
  constexpr std::uint32_t frames = 400'000'000;
  pack_parts p = *split(packed({}));
  sparse_file f;
  f.begin = front();
  f.index_at = f.begin.size() + std::uint64_t{48} * frames;
  f.index.resize(tp::index_codec::size);
  tp::index_codec::encode({.magic = {}, .frames = frames, .entries_crc = 0, .header_crc = {}},
                          f.index);
  f.end.resize(tp::end_codec::size);
  tp::end_codec::encode({.index_offset = f.index_at,
                         .frames = frames,
                         .records = frames,
                         .content_size = std::uint64_t{64} * frames,
                         .crc = {},
                         .magic = {}},
                        f.end);
  f.size = f.index_at + f.index.size() + std::uint64_t{24} * frames + f.end.size();

  std::uint64_t read = 0;
  const auto make = [&] { return std::make_unique<sparse_source>(f, read); };
  io::window in(io::open_sources(make, "t", {.compression = io::codec::none}));
  CHECK(!tp::detail::read_index(in, f.size, f.begin.size(), 64));
  CHECK(read < (std::uint64_t{8} << 20));
  // An index after a frame costs no more, although index headers may follow every 16 bytes.
  read = 0;
  io::window there(io::open_sources(make, "t", {.compression = io::codec::none}));
  REQUIRE(there.seek(f.index_at));
  tp::detail::found_frames none;
  const auto e = error_of([&] { tp::detail::read_end(there, f.begin.size(), none, 64); });
  REQUIRE(e);
  CHECK(e->message() == "index: its entries do not match the frames");
  CHECK(read < (std::uint64_t{8} << 20));
}

TEST_CASE("ignores the base of a stored frame") {
  const bytes content = noise(64 * 300);
  const bytes file = packed(content, of_bytes(64));
  for (const std::uint32_t base : {4U, 0xFFFFFFFFU}) {
    pack_parts p = *split(file);
    for (pack_frame& f : p.frames) f.header.base = base;
    mend(p, 64);
    const bytes other = joined(p);
    for (const way how : all_ways) {
      const outcome got = unpacked(other, how);
      CHECK(!got.error);
      CHECK(got.content == content);
    }
    tp::reader r(opened(other, way::mapped), {.threads = 3});
    CHECK(r.has_index() == true);
    CHECK(drained(r).content == content);
  }
}

TEST_CASE("refuses a table whose size differs from the records' size") {
  const auto with_table = [](std::uint16_t size, const std::string& table) {
    tp::about a;
    a.kind = record_kind::described;
    a.shape = {.size = size, .ip = tp::no_ip};
    a.table = table;
    return packed(noise(std::size_t{32} * 5), options_of(0, level::fast, a));
  };
  const std::string sixteen = "0 8 ip u64\n8 8 x u64\n";
  CHECK(unpacked(with_table(16, sixteen)).content == noise(32 * 5));
  for (const std::uint16_t size : std::array<std::uint16_t, 3>{8, 32, 160}) {
    const auto e = unpacked(with_table(size, sixteen)).error;
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->field() == "table");
    CHECK(e->message() ==
          "describes records of 16 bytes, but record_size is " + std::to_string(size));
  }
  // Without a table, or with an invalid one, the bytes can still be read.
  CHECK(unpacked(with_table(32, "")).content == noise(32 * 5));
  CHECK(unpacked(with_table(32, "0 8 ip [4]\n")).content == noise(32 * 5));
}

TEST_CASE("refuses an array type without an element type") {
  for (const char* const text :
       {"0 4 x [4]\n", "0 4 x [1]", "0 1 x []\n", "0 1 x [\n", "0 1 x ]\n"}) {
    const std::string table = text;
    CAPTURE(table);
    const auto e = error_of([&] { (void)file::parse_record_table(table, "t"); });
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->message().find("type: ") != std::string::npos);
  }
}

namespace {

// Returns a pack with two frames that have large dictionaries, and `n` frames that extend them
// alternately.
bytes alternating(std::size_t instructions, std::uint32_t n) {
  const auto apart = [&](std::uint64_t first_ip) {
    bytes all(instructions * 64);
    for (std::size_t i = 0; i != instructions; ++i)
      tracecodec::wire::u64le::store(first_ip + 4 * i, all.data() + 64 * i);
    return *split(packed(all));
  };
  pack_parts p = apart(0x400000);
  p.frames.resize(1);
  p.frames.push_back(apart(0x7f0000000000).frames[0]);
  for (std::uint32_t i = 0; i != n; ++i) {
    pack_frame f = p.frames[i % 2];
    f.header.base = i % 2;
    f.header.content_size = 64;
    f.payload = {std::byte{0}};
    p.frames.push_back(f);
  }
  std::uint64_t content = 0;
  for (std::uint32_t i = 0; i != p.frames.size(); ++i) {
    auto& h = p.frames[i].header;
    h.number = i;
    if (i < 2) h.base = i;
    h.content_offset = content;
    content += h.content_size;
  }
  mend(p, 64);
  return joined(p);
}

}  // namespace

TEST_CASE("limits the repeated loading of dictionaries") {
  // The extending frames refer to no unit, so they are damaged. The dictionaries loaded for them
  // still count towards the limit.
  const auto why_of = [](const bytes& file) {
    const outcome got = unpacked_leniently(file);
    std::pair<std::size_t, std::size_t> n{};
    for (const auto& l : got.lost)
      ++(l.message().find("too many frames had to be read again") == std::string::npos ? n.first
                                                                                       : n.second);
    return n;
  };
  const auto few = why_of(alternating(20'000, 50));
  CHECK(few.first == 50);
  CHECK(few.second == 0);
  const auto many = why_of(alternating(20'000, 800));
  CHECK(many.first + many.second == 800);
  CHECK(many.second > 100);
}
