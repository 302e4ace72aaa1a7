// Tests of reader.hpp: samples, every truncation, wrong counts, and lenient reading.
#include "tracecodec/rapidbin/reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "rapidbin/support.hpp"

using namespace test;
using rapidbin::reader;

namespace {

// Returns the events of a sample's dump, which another implementation wrote.
events dumped(const std::string& name) {
  const std::string text = text_in(data("rapidbin/" + name + ".dump.jsonl.xz"));
  events out;
  std::size_t at = text.find('\n') + 1;  // the first line is the header
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    const auto number = [&line](const std::string& key) {
      const std::string quoted = '"' + key + "\": ";
      return std::stoull(line.substr(line.find(quoted) + quoted.size()));
    };
    out.push_back({number("sign") != 0, static_cast<std::uint16_t>(number("loc")), number("decor"),
                   static_cast<op>(number("code")), static_cast<std::uint16_t>(number("thread"))});
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("the samples have the events of their dumps, mapped and as a stream") {
  for (const char* name : {"r250", "r6000"}) {
    const std::string path = data(std::string("rapidbin/") + name + ".data");
    const events expected = dumped(name);
    reader mapped(path);
    CHECK(mapped.declared().events == static_cast<std::int64_t>(expected.size()));
    CHECK(mapped.count() == expected.size());
    CHECK(mapped.mapped_events().size() == expected.size());
    CHECK(all_of(mapped) == expected);
    CHECK_FALSE(mapped.first_error());
    const bytes raw = content(path);
    reader stream(input_of(raw));
    CHECK(stream.mapped_events().empty());
    CHECK(all_of(stream) == expected);
    CHECK(written(expected) == raw);  // the writer computes the counts itself
  }
}

TEST_CASE("reads and writes a trace with every operation") {
  reader r(input_of(every_operation_bytes()));
  CHECK(r.declared() == rapidbin::header{2, 1, 1, 10});
  CHECK(all_of(r) == every_operation());
  CHECK(written(every_operation()) == every_operation_bytes());
}

TEST_CASE("seeks, skips and rewinds") {
  const std::string path = data("rapidbin/r6000.data");
  const events expected = dumped("r6000");
  reader r(path);
  for (const std::size_t n : {0U, 1U, 5999U, 6001U, 17U, 4096U, 3U}) {
    REQUIRE(r.seek(n));
    CHECK(r.position() == n);
    const auto b = r.next();
    CHECK(b.first == n);
    CHECK(b.index(0) == n);
    CHECK(b.events[0] == expected[n]);
  }
  CHECK_FALSE(r.seek(6002));
  CHECK_FALSE(r.seek(1'000'000));
  CHECK(r.position() == 6002);
  r.rewind();
  CHECK(r.skip(6000) == 6000);
  CHECK(all_of(r).size() == 2);
  CHECK(r.skip(1) == 0);
}

TEST_CASE("reads a compressed file again to seek backwards" * doctest::skip(!with_xz)) {
  const events expected = dumped("r6000");
  const folder dir;
  rapidbin::writer out(dir / "t.data.xz");
  for (const event& e : expected) out.write(e);
  out.finish();
  reader packed(dir / "t.data.xz");
  CHECK(packed.seek(5000));
  CHECK(packed.next().events[0] == expected[5000]);
  CHECK(packed.seek(7));
  CHECK(packed.next().events[0] == expected[7]);
  CHECK(packed.count() == 6002);
}

TEST_CASE("skips whole blocks of a compressed trace" * doctest::skip(!with_xz)) {
  const folder dir;
  events many;
  for (unsigned i = 0; i < 9000; ++i) many.push_back(make(0, op::read, i, i % 30000));
  bytes all = written(many);
  for (const std::size_t behind : {0U, 3U}) {
    all.resize(18 + 8 * many.size() + behind);
    const auto out = io::open_output(dir / "t.xz", io::codec::xz, {.level = 1, .block_size = 5000});
    out->write(all);
    out->finish();
    reader r(io::open_input(dir / "t.xz"), {.lenient = true});
    for (const std::uint64_t first : {0U, 1U, 4000U})
      for (std::uint64_t n = 0; n < 10'000; n += 1 + n / 3) {
        CAPTURE(first);
        CAPTURE(n);
        r.rewind();
        REQUIRE(r.skip(first) == first);
        if (first == 1) CHECK(r.next().events[0] == many[1]);
        const std::uint64_t at = r.position(), moved = std::min<std::uint64_t>(n, 9000 - at);
        CHECK(r.skip(n) == moved);
        CHECK(r.position() == at + moved);
        const auto b = r.next();
        CHECK((b.size() == 0) == (at + moved == 9000));
        if (b.size() != 0) CHECK(b.events[0] == many[static_cast<std::size_t>(at + moved)]);
      }
    CHECK(r.skip(~std::uint64_t{0}) == 0);
    CHECK(r.trailing_bytes() == behind);
    CHECK(r.first_error().has_value() == (behind != 0));
    if (behind != 0) CHECK(r.first_error()->offset() == 18 + 8 * many.size());
    r.rewind();
    CHECK(r.trailing_bytes() != behind);
  }
}

TEST_CASE("the last batch is marked as the last") {
  events many(9000, make(0, op::read, 0, 0));
  reader r(input_of(written(many)));
  std::size_t n = 0;
  for (auto b = r.next(); b.size() != 0; b = r.next()) {
    n += b.size();
    CHECK(b.last == (n == many.size()));
  }
  CHECK(n == many.size());
}

TEST_CASE("a trace truncated at any byte delivers its whole events, then an error with the place") {
  const bytes whole = every_operation_bytes();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    for (const bool mapped : {false, true}) {
      const folder dir;
      std::optional<trace_error> error;
      events got;
      const auto opening = error_of([&] {
        reader r(mapped ? io::open_input(dir.file("t", cut)) : input_of(cut));
        got = all_of(r, &error);
      });
      if (n < 18) {
        REQUIRE(opening);
        CHECK(opening->code() == (n == 0 ? trace_errc::not_a_trace : trace_errc::truncated));
        const char* field = n < 2 ? "threads" : n < 6 ? "locks" : n < 10 ? "variables" : "events";
        if (n != 0) CHECK(opening->field() == field);
        CHECK(opening->offset() == (n < 2 ? 0U : n < 6 ? 2U : n < 10 ? 6U : 10U));
        continue;
      }
      REQUIRE_FALSE(opening);
      REQUIRE(error);
      CHECK(got.size() == (n - 18) / 8);
      CHECK(error->code() == trace_errc::truncated);
      CHECK(error->record() == (n - 18) / 8);
      CHECK(error->offset() == n - (n - 18) % 8);
      reader lenient(input_of(cut), {.lenient = true});
      CHECK(all_of(lenient).size() == (n - 18) / 8);
      REQUIRE(lenient.first_error());
      CHECK(lenient.trailing_bytes() == (n - 18) % 8);
    }
  }
}

TEST_CASE("reports a count of events that is too small or too large") {
  for (const std::int64_t said : {0, 1, 9, 11, 1'000'000'000}) {
    bytes raw = header_bytes({2, 1, 1, said}) + event_bytes(every_operation());
    std::optional<trace_error> error;
    reader r(input_of(raw));
    CHECK(all_of(r, &error).size() == 10);
    REQUIRE(error);
    if (said > 10) {
      CHECK(error->code() == trace_errc::truncated);
      CHECK(error->offset() == 98);
      CHECK(error->record() == 10);
    } else {
      CHECK(error->code() == trace_errc::bad_value);
      CHECK(error->field() == "events");
      CHECK(error->offset() == 10);
    }
    reader lenient(input_of(raw), {.lenient = true});
    CHECK(all_of(lenient).size() == 10);
  }
}

TEST_CASE("reports a header that was never finished") {
  const bytes raw = bytes(18) + event_bytes(every_operation());
  reader r(input_of(raw));
  std::optional<trace_error> error;
  CHECK(all_of(r, &error) == every_operation());
  REQUIRE(error);
  CHECK(error->message().find("never finished") != std::string::npos);
  reader lenient(input_of(raw), {.lenient = true});
  CHECK(written(all_of(lenient)) == every_operation_bytes());
}

TEST_CASE("reports bytes after the last event") {
  for (std::size_t n = 1; n <= 8; ++n) {
    const bytes raw = every_operation_bytes() + bytes(n);
    reader r(input_of(raw));
    std::optional<trace_error> error;
    CHECK(all_of(r, &error).size() == (n == 8 ? 11 : 10));
    REQUIRE(error);
    CHECK(error->code() == trace_errc::bad_value);
    CHECK(error->offset() == (n == 8 ? 10 : 98));
    CHECK(error->field() == (n == 8 ? "events" : ""));
    reader lenient(input_of(raw), {.lenient = true});
    CHECK(all_of(lenient).size() == (n == 8 ? 11 : 10));
  }
}

TEST_CASE("refuses negative counts, except in lenient mode") {
  for (const rapidbin::header& h :
       {rapidbin::header{-1, 1, 1, 10}, {2, -1, 1, 10}, {2, 1, -1, 10}, {2, 1, 1, -1}}) {
    const bytes raw = header_bytes(h) + event_bytes(every_operation());
    const auto error = error_of([&] { reader r(input_of(raw)); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::bad_value);
    CHECK_FALSE(error->field().empty());
    CHECK(error->offset());
    reader lenient(input_of(raw), {.lenient = true});
    CHECK(all_of(lenient) == every_operation());
  }
}

TEST_CASE("delivers the whole events before damage in a compressed stream" *
          doctest::skip(!with_xz)) {
  const folder dir;
  rapidbin::writer out(dir / "t.xz");
  for (unsigned i = 0; i < 200'000; ++i) out.write(make(i % 7, op::read, i * 977 % 50021, i % 999));
  out.finish();
  bytes raw;
  {
    std::ifstream f(dir / "t.xz", std::ios::binary);
    const std::string s((std::istreambuf_iterator<char>(f)), {});
    const auto* p = reinterpret_cast<const std::byte*>(s.data());
    raw.assign(p, p + s.size() / 2);
  }
  for (const bool lenient : {false, true}) {
    reader r(io::open_input(dir.file("cut.xz", raw)), {.lenient = lenient});
    std::optional<trace_error> error;
    const events got = all_of(r, &error);
    CHECK(got.size() > 1000);
    REQUIRE(error);
    CHECK(error->code() == trace_errc::truncated);
  }
}
