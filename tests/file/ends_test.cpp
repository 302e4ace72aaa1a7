// Tests files whose records end with a mark, and headers of varying size that count the records.
#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/wire/items/strings.hpp"

using namespace test;
using tracecodec::trace_error;

namespace {
// Lines up to the first one whose mark is not 0.
using ended_lines =
    file::of<"line file", file::records<line_codec, file::each<"line">, file::until<&line::mark>>>;
using ended_with_trailer =
    file::of<"line file", file::records<line_codec, file::each<"line">, file::until<&line::mark>>,
             file::trailer<back_codec>>;
// Steps of fixed size up to the first one that `is_last` accepts.
constexpr bool is_last(const step& s) { return s.what == 9; }
using ended_steps = file::of<"steps", file::records<step_codec, file::until<&is_last>>>;

// "hi", "", "END"
const bytes three = from_hex("0200 6869 00  0000 00  0300 454e44 01");

template <class D> std::string texts(const bytes& all, std::size_t skipped = 0) {
  std::string text;
  try {
    typename D::reader in(stream_of(all));
    in.skip(skipped);
    for (auto b = in.next(); b.size() != 0; b = in.next())
      for (const line& l : b.records) {
        for (const auto c : l.text) text += static_cast<char>(c);
        text += ',';
      }
    CHECK(in.next().size() == 0);
  } catch (const trace_error& e) {
    text += e.what();
  }
  return text;
}

// A header whose count stands before a text of any length.
struct title {
  std::array<char, 2> magic;
  std::uint16_t steps;
  wire::array_view<wire::character> text;
};
using title_codec =
    wire::record<wire::fields<wire::constant<&title::magic, "TI">, wire::field<&title::steps>,
                              wire::terminated<&title::text>>>;
using titled_file = file::of<"titled trace", file::header<title_codec>,
                             file::records<step_codec, file::counted_by<&title::steps>>>;
wire::array_view<wire::character> as_view(std::string_view s) {
  return wire::array_view<wire::character>(std::as_bytes(std::span(s)));
}
}  // namespace

TEST_CASE("until<>: the mark is the last record") {
  CHECK(texts<ended_lines>(three) == "hi,,END,");
  CHECK(texts<ended_lines>(three, 2) == "END,");
  CHECK(texts<ended_lines>(three, 3).empty());
  CHECK(texts<ended_lines>(three, 4).empty());
  CHECK(found_in<ended_lines>(three).empty());
  CHECK(texts<ended_with_trailer>(three + back_bytes()) == "hi,,END,");
  CHECK(found_in<ended_with_trailer>(three + back_bytes()).empty());
  ended_lines::reader in(mapped(three));
  CHECK(in.count() == 3);
  CHECK(in.seek(2));
  CHECK(!in.seek(3));
  CHECK(in.seek(0));
  CHECK(in.next().size() == 3);
}

TEST_CASE("until<>: bytes after the mark are reported, even if they look like records") {
  CHECK(found_in<ended_lines>(three + three) ==
        messages{"trailing-bytes@14 14 bytes after the last line"});
  CHECK(texts<ended_lines>(three + bytes(2)) ==
        "hi,,END,t: offset 14, record 3: 2 bytes after the last line");
}

TEST_CASE("until<>: the number of bytes after the mark is right, even if they are not in memory") {
  const bytes raw = three + bytes(std::size_t{3} << 20);
  CHECK(texts<ended_lines>(raw).find("offset 14, record 3: at least ") != std::string::npos);
  CHECK(found_in<ended_lines>(raw, true) ==
        messages{"trailing-bytes@14 3145728 bytes after the last line"});
}

TEST_CASE("until<>: a file without its mark is cut") {
  const bytes two(three.begin(), three.begin() + 8);
  CHECK(found_in<ended_lines>(two) ==
        messages{"cut@8 the trace ends before the line that ends it, after 2"});
  const bytes cut(three.begin(), three.begin() + 12);
  CHECK(found_in<ended_lines>(cut).size() == 1);
  CHECK(texts<ended_lines>(cut).find("the trace ends inside the line") != std::string::npos);
}

TEST_CASE("until<>: many records, and records of fixed size") {
  std::vector<step> all = steps(5000);
  all.push_back({1, 2, 9});
  const bytes whole = bytes_of(all);
  for (const bool mapped_input : {false, true}) {
    ended_steps::reader in(mapped_input ? mapped(whole) : stream_of(whole));
    std::size_t n = 0;
    for (auto b = in.next(); b.size() != 0; b = in.next())
      for (const step& s : b.records) REQUIRE(s == all[n++]);
    CHECK(n == 5001);
  }
  CHECK(found_in<ended_steps>(whole).empty());
  CHECK(found_in<ended_steps>(whole + bytes(11)).size() == 1);
  CHECK(found_in<ended_steps>(bytes_of(steps(5000))).size() == 1);
}

TEST_CASE("until<>: the writer needs the mark as its last record") {
  const folder dir;
  const auto all = steps(3);
  CHECK_THROWS_WITH_AS(ended_steps::write(dir / "t", all),
                       doctest::Contains("the last record does not end the file"), trace_error);
  ended_steps::writer out(dir / "t");
  out.write(all);
  out.write(step{1, 2, 9});
  CHECK_THROWS_WITH_AS(out.write(all[0]), doctest::Contains("the record before ends the file"),
                       trace_error);
  out.finish();
  CHECK(found_in<ended_steps>(content(dir / "t")).empty());
}

TEST_CASE("a header of varying size counts the records") {
  const folder dir;
  const auto all = steps(3);
  titled_file::write(dir / "t", all, {{}, 0, as_view("a title")});
  CHECK(content(dir / "t") == from_hex("5449 0300 61207469746c65 00") + bytes_of(all));
  titled_file::reader in(dir / "t");
  CHECK(wire::as_text(in.header().text) == "a title");
  CHECK(in.next().size() == 3);

  titled_file::writer longer(dir / "u", {{}, 0, as_view("a")});
  longer.header().text = as_view("another");
  CHECK_THROWS_WITH_AS(longer.finish(), doctest::Contains("the size of the header has changed"),
                       trace_error);
}
