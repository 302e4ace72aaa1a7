// Tests skipping in .xz files: block headers without sizes, wrong or too expensive indexes,
// empty blocks, many streams. liblzma makes the files.
#ifdef TRACECODEC_WITH_XZ
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sanitized.hpp"
#include "seekable.hpp"
#include "tracecodec/io/compression/xz.hpp"
#include "tracecodec/io/input/lookahead.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

std::uint8_t* raw(bytes& b) { return reinterpret_cast<std::uint8_t*>(b.data()); }
const std::uint8_t* raw(const bytes& b) { return reinterpret_cast<const std::uint8_t*>(b.data()); }

struct record {
  lzma_vli unpadded = 0, content = 0;
};

// Returns a stream of these blocks. Its index contains the results of `listed` for the true sizes.
template <class Listed> bytes stream(const std::vector<bytes>& blocks, bool sizes, Listed listed) {
  lzma_stream_flags flags{};
  flags.check = LZMA_CHECK_CRC32;
  bytes out(LZMA_STREAM_HEADER_SIZE);
  REQUIRE(lzma_stream_header_encode(&flags, raw(out)) == LZMA_OK);
  lzma_options_lzma options{};
  REQUIRE_FALSE(lzma_lzma_preset(&options, 1));
  options.dict_size = LZMA_DICT_SIZE_MIN;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::vector<record> records;
  for (const bytes& content : blocks) {
    lzma_block block{};
    block.check = flags.check;
    block.filters = filters;
    bytes data(lzma_block_buffer_bound(content.size()) + 100);
    std::size_t used = 0;
    if (sizes) {
      REQUIRE(lzma_block_buffer_encode(&block, nullptr, raw(content), content.size(), raw(data),
                                       &used, data.size()) == LZMA_OK);
    } else {
      block.compressed_size = block.uncompressed_size = LZMA_VLI_UNKNOWN;
      REQUIRE(lzma_block_header_size(&block) == LZMA_OK);
      REQUIRE(lzma_block_header_encode(&block, raw(data)) == LZMA_OK);
      lzma_stream s = LZMA_STREAM_INIT;
      REQUIRE(lzma_block_encoder(&s, &block) == LZMA_OK);
      s.next_in = raw(content);
      s.avail_in = content.size();
      s.next_out = raw(data) + block.header_size;
      s.avail_out = data.size() - block.header_size;
      REQUIRE(lzma_code(&s, LZMA_FINISH) == LZMA_STREAM_END);
      used = data.size() - s.avail_out;
      lzma_end(&s);
    }
    data.resize(used);
    records.push_back({lzma_block_unpadded_size(&block), content.size()});
    out = out + data;
  }
  listed(records);
  lzma_index* index = lzma_index_init(nullptr);
  for (const record& r : records)
    REQUIRE(lzma_index_append(index, nullptr, r.unpadded, r.content) == LZMA_OK);
  flags.backward_size = lzma_index_size(index);
  bytes end(static_cast<std::size_t>(flags.backward_size) + LZMA_STREAM_HEADER_SIZE);
  std::size_t used = 0;
  REQUIRE(lzma_index_buffer_encode(index, raw(end), &used, end.size()) == LZMA_OK);
  REQUIRE(lzma_stream_footer_encode(&flags, raw(end) + used) == LZMA_OK);
  lzma_index_end(index, nullptr);
  return out + end;
}
bytes stream(const std::vector<bytes>& blocks, bool sizes) {
  return stream(blocks, sizes, [](auto&) {});
}

// Checks that skip() and reading have equal results. Returns the number of bytes of the file that
// skip() reads.
std::uint64_t check_as_read(const bytes& file, std::uint64_t n,
                            const xz_options& options = {.threads = 1}) {
  const auto read = skipped(codec::xz, file, {0, n, false}, options);
  const auto jumped = skipped(codec::xz, file, {0, n, true}, options);
  CHECK(jumped.moved == read.moved);
  CHECK(jumped.rest.data == read.rest.data);
  CHECK(jumped.rest.error.has_value() == read.rest.error.has_value());
  if (read.rest.error && jumped.rest.error) {
    CHECK(jumped.rest.error->code() == read.rest.error->code());
  }
  counts into;
  lookahead_source(
      decompress(codec::xz, std::make_unique<counted_source>(file, into), "f", options))
      .skip(n);
  return into.bytes;
}

}  // namespace

TEST_CASE("xz: skips blocks with and without sizes in their headers, empty blocks and padding") {
  const std::vector<bytes> blocks = {lines(1, 40000), {}, noise(200'000), lines(1, 3), {}, {},
                                     sample(300'032), {}};
  bytes whole;
  for (const bytes& b : blocks) whole = whole + b;
  for (const bool sizes : {true, false}) {
    CAPTURE(sizes);
    const bytes one = stream(blocks, sizes);
    const bytes file = one + bytes(8) + stream({}, sizes) + bytes(4) + one + bytes(400);
    for (std::size_t n = 0; n <= 2 * whole.size() + 1000; n += 13'337) {
      CAPTURE(n);
      const auto [moved, rest] = skipped(codec::xz, file, {0, n, true});
      CHECK(moved == std::min(n, 2 * whole.size()));
      CHECK(rest.data == tail(whole + whole, n));
      CHECK_FALSE(rest.error.has_value());
    }
    // Skipping must avoid reading more than the noise.
    CHECK(check_as_read(file, 2 * whole.size() - 1) + 200'000 < file.size());
  }
}

TEST_CASE("xz: ignores a wrong index") {
  const std::vector<bytes> blocks = {lines(1, 20000), lines(5, 20000), sample(64'000), noise(7000),
                                     sample(128'000)};
  using records = std::vector<record>;
  const auto lies = {
      +[](records& r) { std::swap(r[0].content, r[2].content); },
      +[](records& r) { r[0].content += 64, r[1].content -= 64; },
      +[](records& r) { r[0].unpadded += 4, r[1].unpadded -= 4; },
      +[](records& r) { std::swap(r[0], r[2]); },
      +[](records& r) { r[3].content = 0; },
      +[](records& r) { r[3].content = std::uint64_t{1} << 61; },
      +[](records& r) {
        r.push_back({5, 1 << 20});
      },
      +[](records& r) { r.pop_back(); },
      +[](records& r) {
        r.front().unpadded += r[1].unpadded + 3;
        r.erase(r.begin() + 1);
      },
  };
  for (const bool sizes : {true, false})
    for (const auto lie : lies) {
      const bytes file = stream(blocks, sizes, lie);
      for (const unsigned threads : {1U, 2U})
        for (const std::uint64_t n : {1U, 110'000U, 220'000U, 300'000U, 400'000U, 450'000U})
          check_as_read(file, n, {.threads = threads});
    }
}

TEST_CASE("xz: compares the blocks after a jump with the index") {
  const std::vector<bytes> blocks = {lines(1, 20000), lines(5, 20000), sample(64'000), noise(7000)};
  const bytes sound = stream(blocks, true);
  CHECK_FALSE(skipped(codec::xz, sound, {0, 120'000, true}).rest.error.has_value());
  const bytes file = stream(blocks, true, [](auto& r) { r[3].content += 1; });
  const auto [moved, rest] = skipped(codec::xz, file, {0, 120'000, true});
  CHECK(moved == 120'000);
  REQUIRE(rest.error.has_value());
  CHECK(rest.error->code() == trace_errc::corrupt);
}

TEST_CASE("xz: reads a file that is shorter than its reported size to its end") {
  const bytes data = sample(64'000);
  const bytes file = stream({data, data, data}, true);
  for (const std::uint64_t more : {4U, 12U, 1'000U, 100'000U}) {
    CAPTURE(more);
    xz_source from(std::make_unique<refusing_source>(file, 1'000, file.size() + more), "f",
                   {.threads = 1});
    CHECK(from.skip(150'000) == 0);
    CHECK(drain(from).data == data + data + data);
  }
}

TEST_CASE("xz: ignores an index that exceeds the memory limit") {
  const std::size_t n = ::test::sanitized ? 6'000 : 30'000;
  const std::uint64_t too_little = n * 10 / 3;
  std::vector<bytes> blocks(n, lines(1, 2));
  const bytes file = stream(blocks, true);
  const std::uint64_t all = 4 * blocks.size();
  // Every header is read. Blocks of this size consist of little more than a header.
  counts into;
  xz_source from(std::make_unique<counted_source>(file, into), "f", {.threads = 1});
  CHECK(from.skip(all - 6) == all - 8);
  xz_source other(std::make_unique<counted_source>(file, into), "f",
                  {.threads = 1, .threading_memory = too_little});
  CHECK(other.skip(all - 6) == 0);
  check_as_read(file, all - 6, {.threads = 1, .threading_memory = too_little});
}

TEST_CASE("xz: skips in a file of many streams") {
  const bytes one = stream({lines(1, 2)}, true), none = stream({}, true);
  bytes file;
  for (const int n : {3000, 10'000}) {  // the index of this many streams is not used
    CAPTURE(n);
    file.clear();
    for (int i = 0; i < n; ++i) {
      file.insert(file.end(), one.begin(), one.end());
      file.insert(file.end(), none.begin(), none.end());
    }
    const std::uint64_t all = 4 * static_cast<std::uint64_t>(n);
    CHECK(skipped(codec::xz, file, {0, all - 3, true}).rest.data == tail(lines(1, 2), 1));
    xz_source from(std::make_unique<memory_source>(file), "f");
    CHECK(from.skip(all - 3) == (n == 3000 ? all - 4 : 0));
  }
}

TEST_CASE("xz: skips in a file with other data after the last stream") {
  const bytes data = lines(1, 20000);
  const bytes file = stream({data, data, data}, true);
  for (const bytes& behind : {bytes(3), bytes(5), lines(1, 3), bytes(4) + file + bytes(1),
                              bytes(file.begin(), file.begin() + 200)})
    for (const std::uint64_t n : {1000U, 150'000U, 300'000U, 400'000U})
      check_as_read(file + behind, n, {.threads = 1});
}
#endif
