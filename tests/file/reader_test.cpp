// Tests the reader of records of fixed size: truncation at every byte, wrong counts,
// positions, trailers.
#include <doctest/doctest.h>

#include <limits>

#include "file/support.hpp"

using namespace test;

TEST_CASE("a file truncated at any byte delivers its whole records, then an error with the place") {
  const bytes whole = front_bytes(4) + bytes_of(steps(4));
  for (std::size_t n = 0; n < whole.size(); ++n)
    for (const bool map : {true, false}) {
      CAPTURE(n);
      const bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
      std::optional<trace_error> error;
      std::size_t got = 0;
      const auto opening = error_of([&] {
        step_file::reader r(map ? mapped(cut) : stream_of(cut));
        got = all_of(r, &error).size();
        CHECK(error_of([&] { r.next(); }));  // once more
      });
      if (n < 14) {
        REQUIRE(opening);
        CHECK(opening->code() == (n == 0 ? trace_errc::not_a_trace : trace_errc::truncated));
        CHECK(opening->offset() == (n < 4 ? 0U : n < 6 ? 4U : 6U));
        if (n != 0) CHECK(opening->field() == (n < 4 ? "magic" : n < 6 ? "version" : "steps"));
        continue;
      }
      REQUIRE_FALSE(opening);
      const std::size_t in = (n - 14) % 11;
      CHECK(got == (n - 14) / 11);
      REQUIRE(error);
      CHECK(error->code() == trace_errc::truncated);
      CHECK(error->file() == "t");
      CHECK(error->record() == got);
      CHECK(error->offset() == n - in + (in < 8 ? 0 : in < 10 ? 8 : 10));
      CHECK(error->field() == (in < 8 ? "ip" : in < 10 ? "thread" : "what"));
      CHECK(error->message() == "the trace ends after " + std::to_string(got) + " of 4 steps");
      step_file::reader lenient(stream_of(cut), {.lenient = true});
      CHECK(all_of(lenient).size() == got);
      CHECK(lenient.trailing_bytes() == in);
      CHECK(lenient.first_error()->what() == std::string(error->what()));
    }
}

TEST_CASE("reports wrong counts") {
  for (const bool map : {true, false})
    for (const std::int64_t said : {std::int64_t{0}, std::int64_t{3}, std::int64_t{5},
                                    std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max(),
                                    std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
      CAPTURE(said);
      const bytes raw = front_bytes(said) + bytes_of(steps(4));
      const auto open = [&] { return map ? mapped(raw) : stream_of(raw); };
      std::optional<trace_error> error;
      if (said < 0) {
        error = error_of([&] { step_file::reader r(open()); });
        REQUIRE(error);
        CHECK(error->message() == "the header declares " + std::to_string(said));
      } else {
        step_file::reader r(open());
        CHECK(all_of(r, &error) == steps(4));
        REQUIRE(error);
      }
      if (said > 4) {
        CHECK(error->code() == trace_errc::truncated);
        CHECK(error->record() == 4);
        CHECK(error->offset() == raw.size());
      } else {
        CHECK(error->code() == trace_errc::bad_value);
        CHECK(error->offset() == 6);
        CHECK(error->field() == "steps");
      }
      step_file::reader lenient(open(), {.lenient = true});
      CHECK(lenient.header().steps == said);
      CHECK(all_of(lenient) == steps(4));
      CHECK(lenient.first_error());
    }
}

TEST_CASE("reports bytes after the last record, and an unfinished header") {
  const bytes raw = front_bytes(4) + bytes_of(steps(4)) + bytes(3);
  step_file::reader r(stream_of(raw));
  std::optional<trace_error> error;
  CHECK(all_of(r, &error) == steps(4));
  REQUIRE(error);
  CHECK(error->code() == trace_errc::bad_value);
  CHECK(error->offset() == raw.size() - 3);
  CHECK(error->message() == "3 bytes after the last step");
  using bare = file::of<"bare", file::header<wire::record<front>>, steps_part>;
  const bytes zeros = bytes(14) + bytes_of(steps(4));
  bare::reader given_up(mapped(zeros));
  CHECK(all_of(given_up, &error) == steps(4));
  REQUIRE(error);
  CHECK(error->message() ==
        "the header declares 0 steps, but there are 4: the trace was never finished");
}

TEST_CASE("a wrong first constant means another format, and a later one a bad value") {
  bytes raw = front_bytes(0);
  raw[1] = std::byte{'!'};
  auto error = error_of([&] { step_file::reader r(mapped(raw), {.lenient = true}); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::not_a_trace);
  CHECK(error->what() == std::string("t: offset 0, field magic: is not HTR1"));
  raw = front_bytes(0);
  raw[5] = std::byte{1};
  error = error_of([&] { step_file::reader r(mapped(raw)); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::bad_value);
  CHECK(error->what() == std::string("t: offset 4, field version: is not 2"));
}

TEST_CASE("skips, seeks, rewinds and counts mapped, streamed and compressed files") {
  const folder dir;
  const auto all = steps(20'000);
  const bytes raw = front_bytes(20'000) + bytes_of(all);
  std::vector<std::string> paths{dir.file("t", raw)};
  for (const auto& [codec, there] :
       {std::pair(io::codec::xz, with_xz), std::pair(io::codec::gzip, with_gzip)}) {
    if (!there) continue;
    paths.push_back(dir / (std::string("t.") + std::string(io::codec_name(codec))));
    const auto out = io::open_output(paths.back(), codec, {.level = 1, .block_size = 5000});
    out->write(raw);
    out->finish();
  }
  for (const std::string& path : paths)
    for (const bool map : {true, false}) {
      CAPTURE(path);
      step_file::reader r(io::open_input(path, {.map = map}));
      CHECK(r.count() == 20'000);
      for (const std::size_t n : {0U, 1U, 4095U, 4096U, 19'999U, 17U, 12'345U}) {
        REQUIRE(r.seek(n));
        CHECK(r.position() == n);
        const auto b = r.next();
        CHECK(b.first == n);
        CHECK(b[0] == all[n]);
        CHECK(b.last == (n == 19'999));
        if (!b.last) CHECK(b.following() == all[n + b.size()]);
        CHECK(r.position() == n + b.size());
      }
      CHECK_FALSE(r.seek(20'000));
      CHECK(r.next().size() == 0);
      CHECK(r.skip(1) == 0);
      r.rewind();
      if (map && path == paths[0]) CHECK(r.progress().value() < 1);
      CHECK(r.skip(19'990) == 19'990);
      CHECK(all_of(r).size() == 10);
      CHECK(r.progress() == 1.0);
      CHECK_FALSE(r.first_error());
      r.rewind();
      CHECK(all_of(r) == all);
    }
  step_file::reader pipe(stream_of(raw));
  CHECK(error_of([&] { pipe.rewind(); })->code() == trace_errc::refused);
  CHECK_FALSE(pipe.progress());
  step_file::reader whole(paths[0]);
  CHECK(whole.mapped_records().size() == 20'000);
  CHECK(whole.mapped_records()[7] == all[7]);
}

TEST_CASE("holds back the last bytes as the trailer, then checks it") {
  const auto all = steps(9000);
  const bytes records = bytes_of(all);
  for (const bool map : {true, false}) {
    const auto open = [map](const bytes& b) { return map ? mapped(b) : stream_of(b); };
    const bytes raw = front_bytes(9000) + records + back_bytes();
    tailed_file::reader r(open(raw));
    CHECK(all_of(r) == all);
    CHECK_FALSE(r.first_error());
    tailed_file::reader skipping(open(raw));
    CHECK(skipping.skip(8999) == 8999);
    CHECK(skipping.skip(5) == 1);
    CHECK(skipping.next().size() == 0);
    // Trailers that are truncated, have other contents or extra bytes before them, and records
    // that are missing.
    struct wrong {
      bytes content;
      std::string what;
    };
    const bytes head = front_bytes(9000);
    for (const wrong& w :
         {wrong{head + records + bytes(8),
                "t: offset 99018, field magic: is not END!: the trace is cut before its trailer, "
                "or the trailer is damaged"},
          wrong{head + records + bytes(2) + back_bytes(),
                "t: offset 99014, record 9000: 2 bytes after the last step"},
          wrong{front_bytes(9001) + records + back_bytes(),
                "t: offset 99014, record 9000, field ip: the trace ends after 9000 of 9001 steps"},
          wrong{front_bytes(8999) + records + back_bytes(),
                "t: offset 6, field steps: the header declares 8999 steps, but there are 9000"}}) {
      tailed_file::reader bad(open(w.content));
      std::optional<trace_error> error;
      CHECK(all_of(bad, &error) == all);
      REQUIRE(error);
      CHECK(error->what() == w.what);
    }
  }
  const bytes small = front_bytes(1) + bytes_of(steps(1)) + back_bytes();
  for (std::size_t n = 14; n < small.size(); ++n) {
    const bytes cut(small.begin(), small.begin() + static_cast<std::ptrdiff_t>(n));
    tailed_file::reader r(stream_of(cut));
    std::optional<trace_error> error;
    CHECK(all_of(r, &error).size() == 0);
    REQUIRE(error);
    CHECK(error->code() == trace_errc::truncated);
  }
}

TEST_CASE("checks a count after the records") {
  const bytes good = bytes_of(steps(3)) + from_hex("03"), bad = bytes_of(steps(3)) + from_hex("07");
  summed_file::reader r(stream_of(good));
  CHECK(all_of(r) == steps(3));
  summed_file::reader other(stream_of(bad));
  std::optional<trace_error> error;
  CHECK(all_of(other, &error) == steps(3));
  REQUIRE(error);
  CHECK(error->message() == "the trace ends after 3 of 7 n");
  const bytes none;
  summed_file::reader empty(stream_of(none));
  error = error_of([&] { empty.next(); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::not_a_trace);
}
