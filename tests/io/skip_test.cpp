// Tests skipping in compressed files of every kind. The bytes after a skip must equal the bytes of
// reading, and only the necessary part of the file is read.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "goldens.hpp"
#include "sanitized.hpp"
#include "seekable.hpp"
#include "tracecodec/io/input/lookahead.hpp"
#include "tracecodec/io/open.hpp"
#include "tracecodec/io/window.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

const output_options small_blocks{.level = 1, .threads = 1, .block_size = 100'000};

bytes compressed(codec kind, const bytes& data, const output_options& options = small_blocks) {
  bytes out;
  const auto to = compress(kind, std::make_unique<vector_sink>(out), "f", options);
  to->write(data);
  to->finish();
  return out;
}

std::vector<codec> indexed() {
  std::vector<codec> kinds;
  for (const codec kind : {codec::xz, codec::zstd})
    if (built_in(kind)) kinds.push_back(kind);
  return kinds;
}

}  // namespace

TEST_CASE("skips to every byte of the goldens from every start") {
  const bytes whole = lines(1, 100);
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    const bytes file = from_hex(g.hex);
    for (const bool seeks : {true, false})
      for (std::size_t read = 0; read < whole.size(); read += ::test::sanitized ? 194 : 97)
        for (std::size_t n = 0; n <= whole.size() - read + 1; ++n) {
          const auto [moved, rest] = skipped(g.kind, file, {read, n, seeks});
          CHECK(moved == std::min(n, whole.size() - read));
          CHECK_FALSE(rest.error.has_value());
          CHECK(rest.data == tail(whole, read + n));
        }
  }
}

TEST_CASE("skipping in a truncated file equals reading") {
  const bytes whole = lines(1, 100);
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    const bytes file = from_hex(g.hex);
    for (std::size_t length = 1; length < file.size(); ++length) {
      CAPTURE(length);
      const bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
      for (const std::size_t n : {std::size_t{1}, std::size_t{150}, std::size_t{250}}) {
        const auto read = skipped(g.kind, cut, {0, n, false});
        const auto jumped = skipped(g.kind, cut, {0, n, true});
        CHECK(jumped.moved == read.moved);
        CHECK(jumped.rest.data == read.rest.data);
        CHECK(jumped.rest.error.has_value() == read.rest.error.has_value());
        if (read.rest.error) CHECK(jumped.rest.error->code() == read.rest.error->code());
      }
    }
  }
}

TEST_CASE("skipping in a file with a wrong byte causes an error or delivers the bytes of reading") {
  const bytes whole = lines(1, 100);
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    const bytes file = from_hex(g.hex);
    for (std::size_t at = 0; at < file.size(); ++at) {
      CAPTURE(at);
      for (const unsigned bit : {0U, 3U, 7U}) {
        if (::test::sanitized && bit != 3) continue;  // sanitizers make the test ten times slower
        bytes damaged = file;
        damaged[at] ^= static_cast<std::byte>(1U << bit);
        const bytes all = skipped(g.kind, damaged, {0, 0, false}).rest.data;
        for (const std::size_t n : {std::size_t{1}, std::size_t{150}, std::size_t{250}}) {
          const auto [moved, rest] = skipped(g.kind, damaged, {0, n, true});
          const bool right = is_prefix(rest.data, tail(whole, moved));
          // The bytes of a block are delivered before its checksum reveals that they are wrong.
          const bool as_read = is_prefix(rest.data, tail(all, moved)) ||
                               (rest.error && is_prefix(tail(all, moved), rest.data));
          CHECK((right || as_read));
          // A wrong byte can make a chunk of Snappy one that readers skip, and not all chunks have a
          // checksum.
          const std::size_t size = g.kind == codec::snappy ? all.size() : whole.size();
          if (!rest.error) CHECK(moved + rest.data.size() == size);
        }
      }
    }
  }
}

TEST_CASE("skips across the borders of many blocks") {
  const bytes data = sample(1'050'000);
  for (const codec kind : indexed()) {
    CAPTURE(codec_name(kind));
    const bytes one = compressed(kind, data);
    const bytes file = one + one + compressed(kind, {}) + one;
    const bytes whole = data + data + data;
    for (const std::size_t read : {std::size_t{0}, std::size_t{99'999}, std::size_t{100'000}})
      for (const std::size_t border : {100'000U, 1'000'000U, 1'050'000U, 2'000'000U, 3'150'000U})
        for (const int off : {-1, 0, 1}) {
          const std::size_t to = border + static_cast<std::size_t>(off);
          CAPTURE(to);
          const auto [moved, rest] = skipped(kind, file, {read, to - std::min(read, to), true});
          CHECK(rest.data == tail(whole, std::max(read, to)));
          CHECK_FALSE(rest.error.has_value());
        }
    // Skip many short distances, forward through the whole file.
    const auto from = std::make_unique<lookahead_source>(
        decompress(kind, std::make_unique<memory_source>(file), "f"));
    bytes got(1000);
    for (std::uint64_t at = 0; at + 1000 <= whole.size(); at += 70'000) {
      REQUIRE(from->read(got) == 1000);
      const auto* const expected = whole.data() + at;
      CHECK(std::equal(got.begin(), got.end(), expected));
      CHECK(from->skip(69'000) == std::min<std::uint64_t>(69'000, whole.size() - at - 1000));
    }
  }
}

TEST_CASE("skipped blocks are neither read nor decompressed") {
  const bytes data = sample(5'000'000);
  for (const codec kind : indexed()) {
    CAPTURE(codec_name(kind));
    const bytes file = compressed(kind, data);
    counts read;
    const auto from =
        lookahead_source(
            decompress(kind, std::make_unique<counted_source>(file, read), "f", {.threads = 1}))
            .skip(4'950'000);
    CHECK(from == 4'950'000);
    // Reads one of 50 blocks, 128 KiB in one buffer, headers and the index; the file has 800 KB.
    CHECK(read.bytes < file.size() / 2);
    CHECK(file.size() > 500'000);
  }
}

TEST_CASE("reports where reading can begin: anywhere, at blocks, or only at the first byte") {
  const bytes content = sample(400'000);
  const bytes front(content.begin(), content.begin() + 3000);
  const temp_folder folder;
  const auto file = [&folder](const bytes& all) {
    write_file(folder.path("f"), all);
    return folder.path("f");
  };
  const auto check = [&](input in, std::uint64_t second, std::uint64_t third) {
    CAPTURE(in.name());
    bytes read(3000);
    REQUIRE(in.read(std::span(read).first(1000)) == 1000);
    CHECK(in.entry_before(0) == 0);
    CHECK(in.entry_before(150'000) == second);
    CHECK(in.entry_before(299'999) == third);
    // entry_before() in the middle of the file has no effect on reading.
    REQUIRE(in.read(std::span(read).subspan(1000)) == 2000);
    CHECK(read == front);
  };
  const std::string plain = file(content);
  check(open_input(plain), 150'000, 299'999);
  check(open_input(plain, {.map = false}), 150'000, 299'999);
  check(open_bytes(content, "memory"), 150'000, 299'999);
  const output_options one_block{.level = 1, .threads = 1, .block_size = 1'000'000};
  for (const codec kind : indexed()) {
    check(open_input(file(compressed(kind, content))), 100'000, 200'000);
    check(open_input(file(compressed(kind, content, one_block))), 0, 0);
  }
  if (built_in(codec::gzip))
    check(open_input(file(compressed(codec::gzip, content, {.level = 1}))), 0, 0);
}

TEST_CASE("skipping misses damage in skipped blocks but detects later damage") {
  const bytes data = sample(1'000'000);
  for (const codec kind : indexed()) {
    CAPTURE(codec_name(kind));
    bytes file = compressed(kind, data);
    file[file.size() / 2] ^= std::byte{1};
    CHECK(skipped(kind, file, {0, 0, true}).rest.error.has_value());
    const auto over = skipped(kind, file, {0, 800'000, true});
    CHECK(over.moved == 800'000);
    CHECK_FALSE(over.rest.error.has_value());
    CHECK(over.rest.data == tail(data, 800'000));
    const auto before = skipped(kind, file, {0, 200'000, true});
    CHECK(before.moved == 200'000);
    REQUIRE(before.rest.error.has_value());
    CHECK(before.rest.error->code() == trace_errc::corrupt);
    CHECK(*before.rest.error->offset() <= file.size());
    CHECK(*before.rest.error->offset() + 20'000 >= file.size() / 2);
  }
}

TEST_CASE("if the system refuses to seek, delivers the bytes already read, then the error") {
  const bytes data = sample(1'000'000);
  for (const codec kind : {codec::xz, codec::gzip, codec::zstd}) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    const bytes file = compressed(kind, data);
    const std::size_t some = data.size() / 3;
    bool refused = false, went = false;
    for (std::size_t seeks = 0; seeks < 20; ++seeks) {
      CAPTURE(seeks);
      const auto from =
          decompress(kind, std::make_unique<refusing_source>(file, seeks), "f", {.threads = 1});
      bytes first(some);
      REQUIRE(from->read(first) == some);
      CHECK(is_prefix(first, data));
      const std::uint64_t moved = from->skip(data.size() / 2);
      const drained rest = drain(*from);
      if (rest.error) {
        refused = true;
        CHECK(moved == 0);
        CHECK(rest.data.empty());
        CHECK(rest.error->code() == trace_errc::system);
        CHECK(rest.error->file() == "disk");
        CHECK(system_error_of([&] { static_cast<void>(from->read(first)); }) == rest.error->what());
      } else {
        went = true;
        CHECK(rest.data == tail(data, some + moved));
      }
    }
    CHECK(refused);
    CHECK(went);
  }
}

TEST_CASE("a pipe cannot seek, and memory can seek up to its end") {
  test_source pipe(lines(1, 3));
  CHECK_FALSE(pipe.seekable().has_value());
  CHECK(pipe.skip(1) == 0);
  CHECK(code_of([&] { pipe.seek(0); }) == trace_errc::refused);
  const bytes all = lines(1, 3);
  memory_source memory(all);
  CHECK(memory.seekable() == all.size());
  CHECK(memory.skip(2) == 2);
  CHECK(drain(memory).data == tail(all, 2));
  CHECK(memory.skip(1) == 0);
  memory.seek(1);
  CHECK(memory.skip(std::numeric_limits<std::uint64_t>::max()) == all.size() - 1);
}

TEST_CASE("inputs and windows skip, count and rewind") {
  const temp_folder folder;
  const bytes data = sample(1'000'000);
  for (const codec kind : {codec::none, codec::xz, codec::gzip, codec::zstd}) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    const std::string path = folder.path("f");
    write_file(path, compressed(kind, data));
    for (const bool map : {true, false}) {
      input in = open_input(path, {.map = map});
      bytes few(10);
      CHECK(in.skip(3) == 3);
      CHECK(in.read(few) == 10);
      CHECK(std::equal(few.begin(), few.end(), data.begin() + 3));
      CHECK(in.skip(700'000) == 700'000);
      CHECK(in.peek(5).size() == 5);
      CHECK(drain(in).data == tail(data, 700'013));
      CHECK(in.skip(1) == 0);
      CHECK(in.content_size() == data.size());
      in.rewind();
      CHECK(in.skip(std::numeric_limits<std::uint64_t>::max()) == data.size());

      window w(open_input(path, {.map = map}));
      CHECK(w.seek(600'000));
      CHECK(w.offset() == 600'000);
      CHECK(w.look(1)[0] == data[600'000]);
      CHECK(w.seek(250'000));
      CHECK(w.look(1)[0] == data[250'000]);
      CHECK(w.skip(2'000'000) == 750'000);
      CHECK(w.look(1).empty());
      w.check_end();
      CHECK_FALSE(w.seek(1'000'001));
      CHECK(w.seek(999'999));
      CHECK(w.look(1)[0] == data[999'999]);
    }
  }
}

#ifndef _WIN32  // Windows does not let an open file change
TEST_CASE("does not skip beyond the end of a file that became shorter") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  write_file(path, sample(100'000));
  input in = open_input(path, {.map = false});
  std::filesystem::resize_file(path, 50'000);
  CHECK(in.skip(80'000) == 50'000);
  bytes few(10);
  CHECK(system_error_of([&] { static_cast<void>(in.read(few)); }) ==
        path + ": became shorter while it was read");
}
#endif
