// Tests open.hpp: files by path and content (mapped or streamed), standard streams, peek, rewind
// and progress.
#include "tracecodec/io/open.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "goldens.hpp"
#include "support.hpp"
#include "tracecodec/io/os/os.hpp"

namespace fs = std::filesystem;
using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

// Redirects `fd` to `path` during its lifetime.
class redirected {
 public:
  redirected(int fd, const std::string& path, int flags)
      : fd_(fd), saved_(::dup(fd)), file_(os::open(path, flags)) {
    ::dup2(file_.get(), fd_);
  }
  redirected(const redirected&) = delete;
  redirected& operator=(const redirected&) = delete;
  ~redirected() {
    ::dup2(saved_, fd_);
    ::close(saved_);
  }

 private:
  int fd_;
  int saved_;
  os::descriptor file_;
};

}  // namespace

TEST_CASE("an uncompressed file is mapped and can be read as a stream") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  write_file(path, lines(1, 1000));
  const std::size_t size = lines(1, 1000).size();
  for (const bool map : {true, false}) {
    CAPTURE(map);
    input in = open_input(path, {.map = map});
    CHECK(in.name() == path);
    CHECK(in.compression() == codec::none);
    CHECK(in.mapped() == map);
    CHECK(in.bytes().size() == (map ? size : 0));
    CHECK(in.size() == size);
    if (map) CHECK(in.consumed() == 0);
    CHECK(std::ranges::equal(in.peek(4), lines(1, 2)));
    CHECK(drain(in, 10).data == lines(1, 1000));
    CHECK(in.peek(4).empty());
    CHECK(in.consumed() == size);
    CHECK(in.rewindable());
    in.rewind();
    CHECK(drain(in).data == lines(1, 1000));
  }
}

TEST_CASE("bytes in memory act like a file, and are copied only on request") {
  const bytes content = lines(1, 10000);
  for (const bool map : {true, false}) {
    CAPTURE(map);
    input in = open_bytes(content, "bytes", {.map = map});
    CHECK(in.name() == "bytes");
    CHECK(in.mapped() == map);
    CHECK(in.in_memory() == map);
    CHECK(in.rewindable() == map);
    CHECK(in.bytes().data() == (map ? content.data() : nullptr));
    CHECK(in.size() == (map ? std::optional<std::uint64_t>(content.size()) : std::nullopt));
    CHECK(std::ranges::equal(in.peek(4), lines(1, 2)));
    CHECK(drain(in, 1000).data == content);
    if (!map) continue;
    CHECK(in.consumed() == content.size());
    CHECK(in.content_size() == content.size());
    in.rewind();
    CHECK(drain(in).data == content);
  }
  CHECK(open_bytes({}, "nothing").mapped());
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    const bytes file = from_hex(g.hex);
    input in = open_bytes(file, "bytes");
    CHECK(in.compression() == g.kind);
    CHECK_FALSE(in.mapped());
    CHECK_FALSE(in.rewindable());
    CHECK(drain(in).data == lines(1, 100));
  }
}

TEST_CASE("opens goldens by content, also from a fifo, and rewinds them") {
  const temp_folder folder;
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    const std::string path = folder.path("f");
    const bytes file = from_hex(g.hex);
    write_file(path, file);
    input opened = open_input(path);
    CHECK(opened.compression() == g.kind);
    CHECK_FALSE(opened.mapped());
    CHECK(opened.bytes().empty());
    CHECK(std::ranges::equal(opened.peek(4), lines(1, 2)));
    CHECK(opened.peek(1'000'000).size() == lines(1, 100).size());
    input in = std::move(opened);
    CHECK(drain(in, 7).data == lines(1, 100));
    CHECK(in.consumed() == file.size());
    CHECK(in.size() == file.size());
    in.rewind();
    CHECK(in.consumed() == 0);
    CHECK(drain(in).data == lines(1, 100));
  }
}

TEST_CASE("errors among peeked bytes come with read(), and rewind() clears them") {
  const temp_folder folder;
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    CAPTURE(g.command);
    bytes file = from_hex(g.hex);
    file.pop_back();
    write_file(folder.path("f"), file);
    input in = open_input(folder.path("f"));
    const bytes seen(in.peek(1000).begin(), in.peek(1000).end());
    CHECK(is_prefix(seen, lines(1, 100)));
    for (int round = 0; round < 2; ++round) {
      const drained result = drain(in, 9);
      CHECK(result.data == seen);
      REQUIRE(result.error.has_value());
      CHECK(result.error->code() == trace_errc::truncated);
      CHECK(result.error->file() == folder.path("f"));
      CHECK(result.error->offset() == file.size());
      in.rewind();
    }
  }
}

TEST_CASE("check_ahead() reports an error after the peeked bytes immediately") {
  for (const std::size_t chunk : {std::size_t{7}, SIZE_MAX}) {
    input in = open_source(std::make_unique<test_source>(lines(1, 3), chunk, true), "f");
    CHECK(in.peek(4).size() == 4);
    in = open_source(std::make_unique<test_source>(lines(1, 3), chunk, true), "f");
    CHECK(in.peek(100).size() == 6);
    CHECK(system_error_of([&] { in.check_ahead(); }) == "disk: I/O error");
    CHECK(in.peek(100).size() == 6);
    CHECK(drain(in).data == lines(1, 3));
  }
  input end = open_source(std::make_unique<test_source>(lines(1, 3), 7), "f");
  CHECK(end.peek(100).size() == 6);
  end.check_ahead();
  const bytes held = lines(1, 3);
  input mapped = open_bytes(held, "f");
  CHECK(mapped.peek(100).size() == 6);
  mapped.check_ahead();
}

TEST_CASE("the caller can require a codec") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  const bytes file = from_hex(goldens().front().hex);
  write_file(path, file);
  input raw = open_input(path, {.compression = codec::none});
  CHECK(raw.mapped());
  CHECK(std::ranges::equal(raw.bytes(), file));
  if (built_in(codec::gzip)) {
    input wrong = open_input(path, {.compression = codec::gzip});
    const drained result = drain(wrong);
    REQUIRE(result.error.has_value());
    CHECK(result.error->code() == trace_errc::corrupt);
    CHECK(result.error->what() == path + ": offset 0: expected gzip data");
  }
  for (const golden& g : goldens()) {
    if (built_in(g.kind)) continue;
    write_file(path, from_hex(g.hex));
    CHECK(code_of([&] { open_input(path); }) == trace_errc::unsupported);
  }
}

TEST_CASE("opens an empty file without bytes") {
  const temp_folder folder;
  write_file(folder.path("f"), {});
  for (const bool map : {true, false}) {
    input in = open_input(folder.path("f"), {.map = map});
    CHECK(in.bytes().empty());
    CHECK(in.peek(10).empty());
    CHECK(drain(in).data.empty());
    CHECK(in.size() == 0);
  }
}

TEST_CASE("a path that cannot be opened causes a system error") {
  const temp_folder folder;
  CHECK(code_of([&] { open_input(folder.path("missing")); }) == trace_errc::system);
  CHECK(code_of([&] { open_input(folder.path()); }) == trace_errc::system);
  CHECK(code_of([&] { open_output(folder.path()); }) == trace_errc::system);
}

TEST_CASE("recognises standard input by content, and cannot rewind it") {
  const temp_folder folder;
  for (const golden& g : goldens()) {
    if (!built_in(g.kind)) continue;
    const bytes file = from_hex(g.hex);
    write_file(folder.path("f"), file);
    const redirected stdin_is(STDIN_FILENO, folder.path("f"), O_RDONLY);
    input in = open_input("-");
    CHECK(in.name() == "<stdin>");
    CHECK(in.compression() == g.kind);
    CHECK_FALSE(in.mapped());
    CHECK(in.size() == file.size());
    CHECK(drain(in).data == lines(1, 100));
    CHECK_FALSE(in.rewindable());
    CHECK(code_of([&] { in.rewind(); }) == trace_errc::refused);
  }
}

TEST_CASE("standard input starts at its current position") {
  const temp_folder folder;
  write_file(folder.path("f"), lines(1, 100));
  const redirected stdin_is(STDIN_FILENO, folder.path("f"), O_RDONLY);
  CHECK(::lseek(STDIN_FILENO, 4, SEEK_SET) == 4);
  input in = open_input("-");
  CHECK(in.size() == lines(3, 100).size());
  CHECK(drain(in).data == lines(3, 100));
}

TEST_CASE("writes to a file and to standard output, compressed or not") {
  const temp_folder folder;
  const std::string path = folder.path("f");
  const bytes data = sample(500'000);
  for (const codec kind : {codec::none, codec::xz, codec::gzip, codec::zstd}) {
    if (!built_in(kind)) continue;
    CAPTURE(codec_name(kind));
    const auto to = open_output(path, kind, {.level = 1});
    to->write(data);
    CHECK_FALSE(fs::exists(path));
    to->finish();
    {
      input in = open_input(path);
      CHECK(in.compression() == kind);
      CHECK(drain(in).data == data);
    }
    const bytes file = read_file(path);
    {
      const redirected stdout_is(STDOUT_FILENO, path, O_WRONLY | O_TRUNC);
      const auto out = open_output("-", kind, {.level = 1});
      out->write(data);
      out->finish();
    }
    CHECK(read_file(path) == file);
    fs::remove(path);
  }
  for (const codec kind : {codec::lz4, codec::snappy, codec::zip})
    CHECK(code_of([&] { open_output(path, kind); }) == trace_errc::unsupported);
  CHECK(folder.count() == 0);
}

TEST_CASE("same_file follows hard links and compares only identity") {
  const temp_folder folder;
  const std::string a = folder.path("a");
  const std::string b = folder.path("b");
  write_file(a, lines(1, 2));
  write_file(b, lines(1, 2));
  fs::create_hard_link(a, folder.path("hard"));
  CHECK(same_file(a, a));
  CHECK(same_file(a, folder.path("./a")));
  CHECK(same_file(a, folder.path("hard")));
  CHECK_FALSE(same_file(a, b));
  CHECK_FALSE(same_file(a, folder.path("missing")));
  CHECK_FALSE(same_file(folder.path("missing"), folder.path("missing")));
  CHECK_FALSE(same_file("-", "-"));
  CHECK_FALSE(same_file("/dev/null", "/dev/null"));
}
