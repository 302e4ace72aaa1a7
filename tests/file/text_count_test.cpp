// Tests headers that store the number of records as decimal digits.
#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/wire/items/integers.hpp"

using namespace test;

namespace {
bytes of_text(std::string_view s) {
  const auto all = std::as_bytes(std::span(s));
  return {all.begin(), all.end()};
}

// "STEPS ", the number of steps in 6 characters, and a line feed.
struct padded_front {
  std::uint32_t steps;
};
template <wire::digits_as As> using padded_file =
    file::of<"STEPS trace",
             file::header<wire::record<
                 wire::fields<wire::literal<"STEPS ">,
                              wire::digits<&padded_front::steps, 6, 10, As>, wire::literal<"\n">>>>,
             file::records<step_codec, file::counted_by<&padded_front::steps>, file::each<"step">>>;
using zeros_file = padded_file<wire::digits_as::zeros>;
using blanks_file = padded_file<wire::digits_as::right>;

// A number of steps without a constant: two digits and a NUL.
struct bare_front {
  std::uint8_t steps;
};
using bare_file =
    file::of<"bare trace",
             file::header<wire::record<wire::fields<wire::digits<&bare_front::steps, 3, 10>>>>,
             file::records<step_codec, file::counted_by<&bare_front::steps>, file::each<"step">>>;

// Version and number of steps as text of varying length, as in "STEPS 1 12\n".
struct line_front {
  std::uint16_t version;
  std::int32_t steps;
};
using front_line_codec = wire::record<
    wire::fields<wire::literal<"STEPS ">, wire::digits_until<&line_front::version, 10, ' '>,
                 wire::digits_until<&line_front::steps, 10, '\n'>>>;
using text_file =
    file::of<"STEPS trace", file::header<front_line_codec>,
             file::records<step_codec, file::counted_by<&line_front::steps>, file::each<"step">>>;
// The number of lines comes first, and the lines have varying sizes.
struct first_front {
  std::uint64_t lines;
};
using counted_lines = file::of<
    "text lines",
    file::header<wire::record<wire::fields<wire::digits_until<&first_front::lines, 10, '\n'>>>>,
    file::records<line_codec, file::counted_by<&first_front::lines>, file::each<"line">>>;

template <class File>
bytes written(const std::vector<step>& all, const typename File::header_type& first = {}) {
  bytes out;
  struct sink final : io::sink {
    explicit sink(bytes& to) : out(to) {}
    void write(std::span<const std::byte> in) override {
      out.insert(out.end(), in.begin(), in.end());
    }
    [[nodiscard]] bool patchable() const override { return true; }
    void patch(std::uint64_t at, std::span<const std::byte> in) override {
      std::copy(in.begin(), in.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
    }
    void finish() override {}
    bytes& out;
  };
  typename File::writer w(std::make_unique<sink>(out), "t", first);
  w.write(all);
  w.finish();
  return out;
}
// All findings of a check as one text.
template <class File> std::string flaws_in(const bytes& raw) {
  std::string all;
  for (const std::string& one : found_in<File>(raw)) all += (all.empty() ? "" : "; ") + one;
  return all;
}
}  // namespace

TEST_CASE("the number of records as a fixed number of digits is written and read") {
  const auto all = steps(12);
  const bytes zeros = of_text("STEPS 000012\n") + bytes_of(all),
              blanks = of_text("STEPS     12\n") + bytes_of(all);
  CHECK(written<zeros_file>(all) == zeros);
  CHECK(written<blanks_file>(all) == blanks);
  for (const bytes& raw : {zeros, blanks})
    for (const bool map : {false, true}) {
      zeros_file::reader in(map ? mapped(raw) : stream_of(raw));
      CHECK(in.header().steps == 12);
      CHECK(all_of(in) == all);
      CHECK(found_in<zeros_file>(raw, map).empty());
    }
  CHECK(zeros_file::probe(zeros, zeros.size()) == file::match::certain);
}

TEST_CASE("errors about digits name the count and its offset") {
  const auto all = steps(3);
  CHECK(flaws_in<zeros_file>(of_text("STEPS 000004\n") + bytes_of(all)) ==
        "cut@46 ip: the trace ends after 3 of 4 steps");
  CHECK(flaws_in<zeros_file>(of_text("STEPS 000002\n") + bytes_of(all)) ==
        "count@6 steps: the header declares 2 steps, but there are 3");
  CHECK(flaws_in<zeros_file>(of_text("STEPS 00x002\n") + bytes_of(all)) ==
        "header@6 steps: invalid encoding for the field");
  // Two digits store at most 99 steps.
  CHECK_THROWS_WITH_AS(written<bare_file>(steps(100)),
                       "t: offset 0, field steps: the value does not fit the field", trace_error);
  CHECK_THROWS_WITH_AS(written<bare_file>(steps(256)), doctest::Contains("256 exceeds"),
                       trace_error);
}

TEST_CASE("a header of digits that was never finished consists of zeros") {
  CHECK(flaws_in<bare_file>(bytes(3) + bytes_of(steps(2))) ==
        "count@0 steps: the header declares 0 steps, but there are 2: the trace was never "
        "finished");
  CHECK(flaws_in<bare_file>(of_text("00") + bytes(1) + bytes_of(steps(2))) ==
        "count@0 steps: the header declares 0 steps, but there are 2");
}

TEST_CASE("the number of records as digits of any length is written and read") {
  const folder dir;
  const auto all = steps(12);
  const bytes raw = of_text("STEPS 1 12\n") + bytes_of(all);
  text_file::write(dir / "t", all, {1, 0});  // write() determines the number first
  CHECK(content(dir / "t") == raw);
  CHECK(written<text_file>(all, {1, 10}) == raw);  // any number of two digits
  CHECK_THROWS_WITH_AS(
      written<text_file>(all, {1, 0}),
      doctest::Contains("the size of the header has changed since the file was begun; "
                        "construct the writer with the final number of steps"),
      trace_error);
  for (const bool map : {false, true}) {
    text_file::reader in(map ? mapped(raw) : stream_of(raw));
    CHECK(in.header().version == 1);
    CHECK(in.header().steps == 12);
    CHECK(all_of(in) == all);
    CHECK(found_in<text_file>(raw, map).empty());
  }
  CHECK(text_file::probe(raw, raw.size()) == file::match::certain);

  const std::vector<line> none;
  counted_lines::write(dir / "none", none);
  CHECK(content(dir / "none") == of_text("0\n"));
  const bytes three = of_text("3\n") + three_lines();
  counted_lines::reader in(stream_of(three));
  CHECK(in.header().lines == 3);
  CHECK(in.next().size() == 3);
  CHECK(found_in<counted_lines>(three).empty());
}

TEST_CASE("errors about digits of any length name the count and its offset") {
  const auto all = steps(3);
  CHECK(flaws_in<text_file>(of_text("STEPS 10 2\n") + bytes_of(all)) ==
        "count@9 steps: the header declares 2 steps, but there are 3");
  CHECK(flaws_in<text_file>(of_text("STEPS 1 -2\n") + bytes_of(all)) ==
        "header@8 steps: -2; count@8 steps: the header declares -2 steps, but there are 3");
  CHECK(flaws_in<text_file>(of_text("STEPS 1 4\n") + bytes_of(all)) ==
        "cut@43 ip: the trace ends after 3 of 4 steps");
  CHECK(flaws_in<text_file>(of_text("STEPS 1 04\n") + bytes_of(all)) ==
        "header@8 steps: invalid encoding for the field");
  CHECK(flaws_in<counted_lines>(of_text("2\n") + three_lines()) ==
        "count@0 lines: the header declares 2 lines, but there are 3");
  CHECK(flaws_in<counted_lines>(of_text("12")) ==
        "header@0 lines: the trace ends inside the header, after 2 bytes");
}
