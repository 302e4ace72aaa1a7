// Tests of skipping to any record (at once or in steps, in files, streams and pipes), of rewinding,
// and of counts.
#include <doctest/doctest.h>

#include <limits>

#include "sanitized.hpp"
#include "support.hpp"

using namespace test;

namespace {
bytes rest_of(tracepack::reader& r) {
  const outcome all = drained(r);
  CHECK_FALSE(all.error.has_value());
  return all.content;
}
}  // namespace

TEST_CASE("skipping to or into any record equals reading") {
  bytes all = program(1000) + noise(64 * 20) + program(40);
  all.resize(all.size() - 9);
  for (const level l : {level::fast, level::high}) {
    const bytes file = packed(all, options_of(100, l));
    for (const way how : all_ways)
      for (std::size_t to = 0; to <= all.size();
           to += l == level::fast && how == way::mapped && !sanitized ? 64 : 64 * 37) {
        CAPTURE(to);
        for (const std::size_t inside : {std::size_t{0}, std::size_t{13}}) {
          const std::size_t at = std::min(to + inside, all.size());
          tracepack::reader r(opened(file, how));
          REQUIRE(r.skip(at) == at);
          REQUIRE(r.position() == at);
          bytes some(150);
          some.resize(r.read(some));
          REQUIRE(some == part(all, at, 150));
        }
      }
  }
}

TEST_CASE("skips in steps, beyond the end, and by 2^63 and more") {
  const bytes all = program(1000);
  const bytes file = packed(all, options_of(70));
  for (const way how : all_ways) {
    drawn d(5);
    for (int times = 0; times != 20; ++times) {
      tracepack::reader r(opened(file, how));
      std::size_t at = 0;
      while (at != all.size()) {
        const auto step = static_cast<std::size_t>(d.below(times % 2 == 0 ? 1000 : 20000));
        const std::size_t over = std::min(step, all.size() - at);
        REQUIRE(r.skip(step) == over);
        at += over;
        bytes some(static_cast<std::size_t>(d.below(300)));
        const std::size_t n = r.read(some);
        REQUIRE(part(some, 0, n) == part(all, at, some.size()));
        at += n;
        REQUIRE(r.position() == at);
      }
      CHECK(r.skip(1) == 0);
      CHECK(r.next().bytes.empty());
    }
    for (const std::uint64_t n : {std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max(),
                                  std::uint64_t{all.size()} + 1}) {
      for (const std::size_t before : {0U, 1U, 6400U}) {
        tracepack::reader r(opened(file, how));
        bytes some(before);
        CHECK(r.read(some) == before);
        CHECK(r.skip(n) == all.size() - before);
        CHECK(r.position() == all.size());
        CHECK(r.skip(n) == 0);
        CHECK(r.read(some) == 0);
        CHECK(r.next().bytes.empty());
      }
    }
    tracepack::reader r(opened(file, how));
    CHECK(r.skip(0) == 0);
    CHECK(rest_of(r) == all);
  }
  const bytes empty = packed({});
  tracepack::reader r(opened(empty, way::mapped));
  CHECK(r.skip(std::uint64_t{1} << 63) == 0);
  CHECK(r.next().bytes.empty());
}

TEST_CASE("rewinds from any place, except in a pipe") {
  const bytes all = program(1000);
  const bytes file = packed(all, options_of(70, level::high));
  for (const way how : {way::mapped, way::again}) {
    tracepack::reader r(opened(file, how));
    for (const std::size_t to : {0U, 100U, 4480U, 40000U, 64000U}) {
      CHECK(r.skip(to) == to);
      r.rewind();
      CHECK(r.position() == 0);
      bytes some(64);
      CHECK(r.read(some) == 64);
      CHECK(some == part(all, 0, 64));
      CHECK(rest_of(r) == part(all, 64, all.size()));
      r.rewind();
    }
    // Rewinding works after an error, too.
    bytes bad = file;
    bad[file.size() / 2] ^= std::byte{1};
    tracepack::reader damaged(opened(bad, how));
    const outcome first = drained(damaged);
    REQUIRE(first.error.has_value());
    CHECK(error_of([&] { damaged.next(); })->what() == std::string(first.error->what()));
    damaged.rewind();
    const outcome second = drained(damaged);
    CHECK(second.content == first.content);
    CHECK(second.error.has_value());
  }
  tracepack::reader pipe(opened(file, way::pipe));
  CHECK(error_of([&] { pipe.rewind(); })->code() == trace_errc::refused);
  CHECK(error_of([&] { static_cast<void>(pipe.content_size()); })->code() == trace_errc::refused);
  CHECK(error_of([&] { static_cast<void>(pipe.frame_count()); })->code() == trace_errc::refused);
  CHECK(pipe.has_index() == std::nullopt);
  CHECK(rest_of(pipe) == all);
}

TEST_CASE("counts records in the middle of a frame, with and without an index") {
  const bytes all = program(10000);
  const bytes file = packed(all, options_of(5000));
  bytes cut = file;
  cut.resize(cut.size() - 3);
  const test::folder dir;
  for (const bool whole : {true, false}) {
    const bytes& these = whole ? file : cut;
    const auto path = dir.file("t", these);
    for (int how = 0; how != 4; ++how) {
      CAPTURE(how);
      const auto open = [&] {
        if (how < 2) return opened(these, how == 0 ? way::mapped : way::again);
        return io::open_input(path, {.map = how == 2});
      };
      tracepack::reader r(open());
      CHECK(r.content_size() == all.size());
      CHECK(r.frame_count() == 2);
      CHECK(r.has_index() == (whole && how != 1));
      bytes got(64 * 10);
      CHECK(r.read(got) == got.size());
      CHECK(r.content_size() == all.size());
      outcome rest = drained(r);
      CHECK(got + rest.content == all);
      CHECK(rest.error.has_value() == !whole);
      CHECK(r.content_size() == all.size());
      if (how == 2) CHECK(r.progress().has_value());
      if (whole) CHECK(r.next().bytes.empty());
    }
  }
}

TEST_CASE("reads a pack that is compressed again as a stream") {
  const bytes all = program(3000);
  const bytes file = packed(all, options_of(200));
  const test::folder dir;
  const auto out = io::open_output(dir / "t.zst", io::codec::zstd);
  out->write(file);
  out->finish();
  tracepack::reader r(io::open_input(dir / "t.zst"));
  CHECK(r.has_index() == false);
  CHECK(r.content_size() == all.size());
  CHECK(r.frame_count() == 15);
  CHECK(r.skip(64 * 1234) == 64 * 1234);
  CHECK(rest_of(r) == part(all, 64 * 1234, all.size()));
  r.rewind();
  CHECK(rest_of(r) == all);
}

TEST_CASE("with an index, a skip reads only the frame in which it ends") {
  const bytes all = program(4000);
  const bytes file = packed(all, options_of(100));
  const auto parts = split(file);
  // All frames are damaged, except the frame in which the skip ends and its base.
  for (const std::size_t to : {0U, 7U, 8U, 17U, 39U}) {
    bytes bad = file;
    for (std::size_t i = 0; i != 40; ++i)
      if (i != to && i != to / 8 * 8)
        bad[static_cast<std::size_t>(parts->entries[i].offset) + 50] ^= std::byte{1};
    tracepack::reader r(opened(bad, way::mapped));
    CHECK(r.skip(64 * 100 * to + 64) == 64 * 100 * to + 64);
    bytes some(64 * 99);
    CHECK(r.read(some) == some.size());
    CHECK(some == part(all, 64 * 100 * to + 64, some.size()));
  }
}

TEST_CASE("a reader can be moved") {
  const bytes all = program(500);
  const bytes file = packed(all, options_of(100));
  tracepack::reader a(opened(file, way::mapped));
  CHECK(a.skip(6400) == 6400);
  tracepack::reader b(std::move(a));
  CHECK(b.position() == 6400);
  tracepack::reader c(opened(file, way::pipe));
  c = std::move(b);
  CHECK(rest_of(c) == part(all, 6400, all.size()));
}
