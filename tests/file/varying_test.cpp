// Tests records of varying size, which are decoded one by one, independently of the window's size.
#include <doctest/doctest.h>

#include "file/support.hpp"

using namespace test;

namespace {
std::string text_of(const line& l) {
  return {reinterpret_cast<const char*>(l.text.bytes().data()), l.text.size()};
}
template <class Reader>
std::vector<std::string> texts(Reader& r, std::optional<trace_error>* error = nullptr) {
  std::vector<std::string> out;
  const auto e = error_of([&] {
    for (auto b = r.next(); b.size() != 0; b = r.next())
      for (const line& l : b) out.push_back(text_of(l) + std::to_string(l.mark));
  });
  if (error != nullptr) *error = e;
  return out;
}
}  // namespace

TEST_CASE("reads consecutive records of varying size, truncated at any byte") {
  const bytes whole = front_bytes(3) + three_lines();
  line_file::reader r(mapped(whole));
  CHECK(texts(r) == std::vector<std::string>{"hello1", "2", "AB3"});
  const std::size_t ends[] = {14, 22, 25, 30};
  for (std::size_t n = 14; n < whole.size(); ++n)
    for (const bool map : {true, false}) {
      CAPTURE(n);
      const bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
      line_file::reader some(map ? mapped(cut) : stream_of(cut));
      std::optional<trace_error> error;
      const std::size_t got = texts(some, &error).size();
      CHECK((ends[got] <= n && n < ends[got + 1]));
      REQUIRE(error);
      CHECK(error->code() == trace_errc::truncated);
      CHECK(error->record() == got);
      const std::size_t in = n - ends[got], text = got == 0 ? 5 : got == 1 ? 0 : 2;
      CHECK(error->offset() == ends[got] + (in < 2 ? 0 : in < 2 + text ? 2 : 2 + text));
      if (in != 0) CHECK(error->field() == (in < 2 ? "length" : in < 2 + text ? "text" : "mark"));
      line_file::reader lenient(stream_of(cut), {.lenient = true});
      CHECK(texts(lenient).size() == got);
      CHECK(lenient.trailing_bytes() == in);
      CHECK(lenient.first_error());
    }
}

TEST_CASE("reads many records that are larger than the window from a compressed file") {
  const folder dir;
  std::vector<std::string> all;
  const std::string path = dir / (with_gzip ? "t.gz" : "t");
  {
    line_file::writer out(path);
    std::string text;
    for (unsigned i = 0; i < 3000; ++i) {
      text.assign(i % 7 == 0 ? i * 20 : i % 50, static_cast<char>('a' + i % 26));
      const auto* p = reinterpret_cast<const std::byte*>(text.data());
      out.write(line{
          static_cast<std::uint16_t>(text.size()), {p, text.size()}, static_cast<std::uint8_t>(i)});
      all.push_back(text + std::to_string(i % 256));
    }
    CHECK(out.written() == 3000);
    out.finish();
  }
  for (const bool map : {true, false}) {
    line_file::reader r(io::open_input(path, {.map = map}));
    CHECK(r.header() == lines_front{{'H', 'T', 'R', '1'}, 2, 3000});
    CHECK(texts(r) == all);
    CHECK_FALSE(r.first_error());
    CHECK(r.count() == 3000);
    for (const std::size_t n : {2999U, 0U, 1024U, 1500U}) {
      REQUIRE(r.seek(n));
      const auto b = r.next();
      CHECK(text_of(b[0]) + std::to_string(b[0].mark) == all[n]);
      CHECK(b.last == (n + b.size() == 3000));
      if (!b.last)
        CHECK(text_of(b.following()) + std::to_string(b.following().mark) == all[n + b.size()]);
    }
    CHECK_FALSE(r.seek(3000));
    CHECK(r.skip(1) == 0);
    r.rewind();
    CHECK(r.skip(5000) == 3000);
  }
}

TEST_CASE("reports more records than declared, and bytes after the last record") {
  std::optional<trace_error> error;
  const bytes more = front_bytes(2) + three_lines();
  line_file::reader r(stream_of(more));
  CHECK(texts(r, &error).size() == 3);
  REQUIRE(error);
  CHECK(error->message() == "the header declares 2 lines, but there are 3");
  const bytes behind = front_bytes(3) + three_lines() + from_hex("ffff00");
  line_file::reader other(stream_of(behind));
  CHECK(texts(other, &error).size() == 3);
  REQUIRE(error);
  CHECK(error->message() == "3 bytes after the last line");
}

TEST_CASE("refuses a record that exceeds the largest size") {
  const bytes raw = three_lines() + from_hex("0040") + bytes(0x4001) + back_bytes();
  for (const bool map : {true, false}) {
    plain_lines::reader r(map ? mapped(raw) : stream_of(raw));
    std::optional<trace_error> error;
    CHECK(texts(r, &error).size() == 3);
    REQUIRE(error);
    CHECK(error->code() == trace_errc::bad_value);
    CHECK(error->offset() == 16);
    CHECK(error->record() == 3);
    CHECK(error->message() == "the line is longer than 1000 bytes");
  }
}

TEST_CASE("only the last batch is the last, if records are almost as large as allowed") {
  using large_lines =
      file::of<"lines", file::records<line_codec, file::each<"line">, file::longest<60010>>>;
  bytes one(2 + 60000 + 1), all;
  one[0] = std::byte{0x60}, one[1] = std::byte{0xea};
  for (int i = 0; i < 40; ++i) all += one;
  large_lines::reader r(stream_of(all));
  std::size_t n = 0;
  for (auto b = r.next(); b.size() != 0; b = r.next()) {
    n += b.size();
    CHECK(b.last == (n == 40));
    if (!b.last) CHECK(b.following().text.size() == 60000);
  }
  CHECK(n == 40);
}

TEST_CASE("a record that exceeds the largest size is too long, wherever the file ends") {
  // A line of 2003 bytes, of which at least 1001 are there, is longer than 1000 bytes.
  bytes raw = bytes(2003) + back_bytes();
  raw[0] = std::byte{0xd0}, raw[1] = std::byte{7};
  for (const std::size_t n : {1000U, 1001U, 1500U, 2003U}) {
    bytes cut(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(n));
    cut += back_bytes();
    for (const bool map : {true, false}) {
      CAPTURE(n);
      plain_lines::reader r(map ? mapped(cut) : stream_of(cut));
      std::optional<trace_error> error;
      CHECK(texts(r, &error).empty());
      REQUIRE(error);
      CHECK(error->offset() == 0);
      CHECK(error->message() ==
            (n == 1000 ? "1000 bytes after the last line" : "the line is longer than 1000 bytes"));
    }
  }
}

TEST_CASE("reads a trailer after records of varying size") {
  const bytes raw = three_lines() + back_bytes();
  for (const bool map : {true, false}) {
    plain_lines::reader r(map ? mapped(raw) : stream_of(raw));
    std::optional<trace_error> error;
    CHECK(texts(r, &error).size() == 3);
    CHECK_FALSE(error);
  }
}
