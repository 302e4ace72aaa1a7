// Tests skipping in .zst files: the seek table as the format specifies it, wrong tables,
// frames without a table, frames without their content size. libzstd makes the frames.
#ifdef TRACECODEC_WITH_ZSTD
#include <doctest/doctest.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sanitized.hpp"
#include "seekable.hpp"
#include "tracecodec/io/compression/zstd.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

struct frame_options {
  bool size = true, checksum = false;
  int level = 3;
};
bytes frame(const bytes& content, const frame_options& o = {}) {
  ZSTD_CCtx* const c = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, o.size ? 1 : 0);
  ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, o.checksum ? 1 : 0);
  ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, o.level);
  bytes out(ZSTD_compressBound(content.size()));
  out.resize(ZSTD_compress2(c, out.data(), out.size(), content.data(), content.size()));
  ZSTD_freeCCtx(c);
  return out;
}

bytes little(std::uint64_t value, unsigned n) {
  bytes out;
  for (unsigned i = 0; i < n; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  return out;
}

struct entry {
  std::uint64_t size = 0, content = 0;
};
bytes table(const std::vector<entry>& entries, bool checksums = false) {
  bytes out = little(0x184D2A5E, 4) + little((checksums ? 12 : 8) * entries.size() + 9, 4);
  for (const entry& e : entries) {
    out = out + little(e.size, 4) + little(e.content, 4);
    if (checksums) out = out + little(0, 4);
  }
  return out + little(entries.size(), 4) + little(checksums ? 0x80 : 0, 1) + little(0x8F92EAB1, 4);
}

const std::vector<bytes>& contents() {
  static const std::vector<bytes> all = {
      lines(1, 20), sample(300'032), bytes(500'000), {}, lines(1, 200), {}, lines(1, 30000), {}};
  return all;
}
bytes joined(const std::vector<bytes>& parts) {
  bytes all;
  for (const bytes& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}

void check_everywhere(const bytes& file, const bytes& whole) {
  // Sanitizers make the test ten times slower.
  const std::size_t step = ::test::sanitized ? 99'730 : 9973;
  for (std::size_t n = 0; n <= whole.size() + 1000; n += step) {
    CAPTURE(n);
    const auto [moved, rest] = skipped(codec::zstd, file, {0, n, true});
    CHECK(moved == std::min(n, whole.size()));
    CHECK(rest.data == tail(whole, n));
    CHECK_FALSE(rest.error.has_value());
  }
}

}  // namespace

TEST_CASE("zstd: writes frames with sizes and checksums, and a seek table") {
  const bytes data = sample(1'000'000);
  for (const std::size_t size : {std::size_t{300'000}, std::size_t{250'000}, data.size()}) {
    bytes file;
    zstd_sink to(std::make_unique<vector_sink>(file), {.block_size = size});
    for (std::size_t at = 0; at < data.size(); at += 1000)
      to.write(std::span(data).subspan(at, 1000));
    to.finish();
    std::vector<entry> frames;
    std::size_t at = 0, content = 0;
    for (; content < data.size(); content += static_cast<std::size_t>(frames.back().content)) {
      const std::size_t n = ZSTD_findFrameCompressedSize(file.data() + at, file.size() - at);
      REQUIRE_FALSE(ZSTD_isError(n));
      CHECK((std::to_integer<unsigned>(file[at + 4]) & 4U) != 0);
      frames.push_back({n, ZSTD_getFrameContentSize(file.data() + at, file.size() - at)});
      CHECK(frames.back().content == std::min(size, data.size() - content));
      at += n;
    }
    CHECK(tail(file, at) == table(frames));
    check_everywhere(file, data);
  }
}

TEST_CASE("zstd: frames contain at least 4096 bytes, so that their entries do not outweigh them") {
  const bytes data = sample(3 * 4096 + 1);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4095}}) {
    bytes file;
    zstd_sink to(std::make_unique<vector_sink>(file), {.block_size = size});
    to.write(data);
    to.finish();
    std::vector<std::uint64_t> contents;
    for (std::size_t at = 0; at < file.size();) {
      const std::size_t n = ZSTD_findFrameCompressedSize(file.data() + at, file.size() - at);
      REQUIRE_FALSE(ZSTD_isError(n));
      contents.push_back(ZSTD_getFrameContentSize(file.data() + at, file.size() - at));
      at += n;
    }
    // The last frame is the seek table, a skippable frame.
    CHECK(contents == std::vector<std::uint64_t>{4096, 4096, 4096, 1, 0});
  }
}

TEST_CASE("zstd: skips frames of any kind, with and without a table") {
  const bytes whole = joined(contents());
  const bytes aside = from_hex("502a4d1803000000616263");
  for (const frame_options& o : {frame_options{}, frame_options{.checksum = true},
                                 frame_options{.level = 19}, frame_options{.size = false}}) {
    CAPTURE(o.size);
    CAPTURE(o.checksum);
    bytes file, with_skippable;
    std::vector<entry> entries;
    for (const bytes& content : contents()) {
      const bytes f = frame(content, o);
      entries.push_back({f.size(), content.size()});
      file = file + f;
      with_skippable = with_skippable + aside + f;
    }
    check_everywhere(file, whole);
    check_everywhere(with_skippable, whole);
    check_everywhere(with_skippable + aside, whole);
    check_everywhere(file + table(entries), whole);
    check_everywhere(file + table(entries, true), whole);
    check_everywhere(file + table(entries) + file + table(entries), whole + whole);
    check_everywhere(with_skippable + table(entries), whole);
  }
}

TEST_CASE("zstd: ignores a wrong table") {
  std::vector<bytes> parts;
  std::vector<entry> truth;
  bytes file;
  for (const int first : {1, 50, 3, 700, 20}) {
    parts.push_back(lines(first, first + 9000));
    const bytes f = frame(parts.back());
    truth.push_back({f.size(), parts.back().size()});
    file = file + f;
  }
  const bytes whole = joined(parts);
  using entries = std::vector<entry>;
  const auto lies = {
      +[](entries& e) { std::swap(e[0].content, e[3].content); },
      +[](entries& e) { std::swap(e[0].size, e[3].size); },
      +[](entries& e) { std::swap(e[0], e[3]); },
      +[](entries& e) {
        e[0].size += e[1].size, e[0].content += e[1].content, e.erase(e.begin() + 1);
      },
      +[](entries& e) { e[0].size += e[1].size, e.erase(e.begin() + 1); },
      +[](entries& e) { e[0].content = 0; },
      +[](entries& e) { e[4].content += 100; },
      +[](entries& e) { e[1].size -= 10, e[2].size += 10; },
      +[](entries& e) { e[1].size = 0, e[2].size += e[1].size; },
      +[](entries& e) { e[3].size = 0xFFFFFFFF; },
      +[](entries& e) { e.pop_back(); },
      +[](entries& e) {
        e.push_back({0, 1000});
      },
      +[](entries& e) {
        e.insert(e.begin() + 2, 100, {0, 0});
      },
      +[](entries& e) { e.clear(); },
  };
  for (const auto lie : lies) {
    entries told = truth;
    lie(told);
    check_everywhere(file + table(told), whole);
  }
  // Test numbers that the table cannot contain, and a flip of every bit.
  const bytes right = table(truth);
  for (std::size_t at = 0; at < right.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes wrong = right;
      wrong[at] ^= static_cast<std::byte>(1U << bit);
      for (const std::uint64_t n : {70'000U, 200'000U}) {
        const auto read = skipped(codec::zstd, file + wrong, {0, n, false});
        const auto jumped = skipped(codec::zstd, file + wrong, {0, n, true});
        CHECK(jumped.moved == read.moved);
        CHECK(jumped.rest.data == read.rest.data);
        CHECK(jumped.rest.error.has_value() == read.rest.error.has_value());
      }
    }
}

TEST_CASE("zstd: decompresses a frame whose size does not match its blocks") {
  const bytes data = sample(300'032);
  bytes file = frame(data) + frame(lines(1, 20));
  REQUIRE(file[4] == std::byte{0xA0});  // a content size of 4 bytes follows
  for (const std::uint64_t claim : {std::uint64_t{3} << 17, (std::uint64_t{3} << 17) + 1}) {
    const bytes four = little(claim, 4);
    std::copy(four.begin(), four.end(), file.begin() + 5);
    const auto [moved, rest] = skipped(codec::zstd, file, {0, claim, true});
    // The first claim is possible, and only decompressing the blocks would reveal that it is wrong.
    // With the second claim, two blocks of 128 KiB are delivered before libzstd detects the error.
    CHECK(moved == (claim == std::uint64_t{3} << 17 ? claim : 2U << 17));
    CHECK(rest.error.has_value() == (claim != std::uint64_t{3} << 17));
  }
  // Twice a magic number, a descriptor for an 8-byte content size, the content size, and a raw
  // block of 3 bytes.
  const bytes huge = from_hex("28b52ffde0fffffffffffffffe") + from_hex("190000616263");
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{4}, ~std::uint64_t{0}}) {
    const auto [moved, rest] = skipped(codec::zstd, huge + huge, {0, n, true});
    CHECK(moved <= 3);
    CHECK(rest.error.has_value());
  }
}

TEST_CASE("zstd: skips a frame with a wrong size that its blocks could contain") {
  // "abc" and an empty last block, raw or compressed. The size of a compressed block is only known
  // after decompression.
  const bytes head = from_hex("28b52ffd20"), abc = from_hex("616263");
  const bytes raw = from_hex("180000616263010000"), other = from_hex("180000616263050000");
  const bytes right = head + from_hex("03") + raw;
  const auto [moved, rest] =
      skipped(codec::zstd, head + from_hex("04") + other + right, {0, 4, true});
  CHECK(moved == 4);
  CHECK(rest.data == abc);
  CHECK_FALSE(rest.error.has_value());
  CHECK(skipped(codec::zstd, head + from_hex("04") + raw + right, {0, 4, true})
            .rest.error.has_value());
}

TEST_CASE("zstd: finding a frame reads only the headers of the preceding blocks") {
  bytes file;
  const bytes content = noise(1 << 20);
  for (int i = 0; i < 8; ++i) file = file + frame(content);
  counts into;
  zstd_source from(std::make_unique<counted_source>(file, into), "f");
  CHECK(from.skip(7 * content.size() + 1) == 7 * content.size());
  CHECK(into.bytes < (8 + 64) * 4096);  // of 8 MiB: 8 frames, 64 blocks, in pieces of 4 KiB
  CHECK(from.skip(100) == 0);
}
#endif
