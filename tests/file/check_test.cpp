// Tests the check of a described file, and the recognition of its bytes.
#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/file/check_records.hpp"
#include "tracecodec/wire/items/list.hpp"

using namespace test;
using file::match;
using file::rule;

TEST_CASE("reports nothing for a sound file") {
  CHECK(found_in<step_file>(front_bytes(3) + bytes_of(steps(3))).empty());
  CHECK(found_in<tailed_file>(front_bytes(3) + bytes_of(steps(3)) + back_bytes()).empty());
  CHECK(found_in<line_file>(front_bytes(3) + three_lines()).empty());
  const auto sum = step_file::check(
      mapped(front_bytes(3) + bytes_of(steps(3))),
      [](const tracecodec::diagnostic&) { FAIL("none"); }, tracecodec::check_options{});
  CHECK(sum.records == 3);
}

TEST_CASE("reports all defects, not only the first") {
  const bytes three = bytes_of(steps(3));
  CHECK(found_in<step_file>({}) == messages{"header@0 empty, expected a step trace"});
  CHECK(found_in<step_file>(bytes(14)) == messages{"header@0 magic: is not HTR1"});
  CHECK(found_in<step_file>(from_hex("4854523102")) ==
        messages{"header@4 version: the trace ends inside the header, after 5 of 14 bytes"});
  CHECK(found_in<step_file>(front_bytes(4) + three) ==
        messages{"cut@47 ip: the trace ends after 3 of 4 steps"});
  CHECK(found_in<step_file>(front_bytes(2) + three + bytes(1)) ==
        messages{"count@6 steps: the header declares 2 steps, but there are 3",
                 "trailing-bytes@47 1 byte after the last step"});
  CHECK(found_in<step_file>(front_bytes(-2) + three) ==
        messages{"header@6 steps: -2",
                 "count@6 steps: the header declares -2 steps, but there are 3"});
  CHECK(found_in<tailed_file>(front_bytes(2) + three + bytes(8)) ==
        messages{"count@6 steps: the header declares 2 steps, but there are 3",
                 "refused@51 magic: is not END!: the trace is cut before its trailer, "
                 "or the trailer is damaged"});
  CHECK(found_in<tailed_file>(front_bytes(0) + bytes(5)) ==
        messages{"cut@18 magic: the trace ends inside the trailer, after 5 of 8 bytes"});
}

TEST_CASE("reports bytes after a trailer once, and accepts the trailer") {
  const bytes three = bytes_of(steps(3)), whole = front_bytes(3) + three + back_bytes();
  for (std::size_t n = 1; n < 11; ++n)
    CHECK(found_in<tailed_file>(whole + bytes(n)) ==
          messages{"trailing-bytes@55 " + std::to_string(n) + (n == 1 ? " byte" : " bytes") +
                   " after the trailer"});
  CHECK(found_in<plain_lines>(three_lines() + back_bytes() + bytes(5)) ==
        messages{"trailing-bytes@24 5 bytes after the trailer"});
  // A count also determines the place of a trailer without constants.
  CHECK(found_in<summed_file>(three + from_hex("03 00")) ==
        messages{"trailing-bytes@34 1 byte after the trailer"});
  // Bytes before the trailer are reported as usual.
  CHECK(found_in<tailed_file>(front_bytes(3) + three + bytes(2) + back_bytes()) ==
        messages{"trailing-bytes@47 2 bytes after the last step"});
  CHECK(found_in<summed_file>(three + from_hex("00 03")) ==
        messages{"trailing-bytes@33 1 byte after the last record"});
}

TEST_CASE("messages use the description's name for records") {
  const bytes three = bytes_of(steps(3));
  using events =
      file::of<"sum", file::records<step_codec, file::counted_by<&total::n>, file::each<"event">>,
               file::trailer<wire::record<total>>>;
  CHECK(found_in<events>(three + from_hex("55")) ==
        messages{"cut@33 ip: the trace ends after 3 of 85 events"});
  CHECK(found_in<events>(three + from_hex("02")) ==
        messages{"count@33 n: the trailer declares 2 events, but there are 3"});
  using entries = file::of<"list", file::records<step_codec, file::each<"entry">>>;
  CHECK(found_in<entries>({}) == messages{"header@0 empty, expected entries of 11 bytes"});
  using branches = file::of<"list", file::records<step_codec, file::each<"branch">>>;
  CHECK(found_in<branches>({}) == messages{"header@0 empty, expected branches of 11 bytes"});
}

namespace {
// List of options. Each has a kind, 1 or 2, and a size, followed by as many bytes as the size
// states.
struct option {
  std::uint8_t kind, size;
  wire::array_view<wire::u8> data;
};
using option_codec =
    wire::record<wire::fields<wire::one_of<&option::kind, 1, 2>, wire::field<&option::size>,
                              wire::counted<&option::data, &option::size>>>;
struct packet {
  std::uint8_t mark, n;
  wire::list_view<option_codec> options;
};
using packet_codec =
    wire::record<wire::fields<wire::constant<&packet::mark, 7>, wire::field<&packet::n>,
                              wire::list<&packet::options, wire::times<&packet::n>>>>;
// Record of two nested records, each with a kind.
struct half {
  std::uint8_t kind;
};
using half_codec = wire::record<wire::fields<wire::one_of<&half::kind, 1, 2>>>;
struct pair {
  half first, second;
};
using pair_codec = wire::record<
    wire::fields<wire::field<&pair::first, half_codec>, wire::field<&pair::second, half_codec>>>;
using packets = file::of<"packets", file::records<packet_codec, file::each<"packet">>>;
}  // namespace

TEST_CASE("reports a failing list element with its path") {
  const bytes good = from_hex("07 02  01 01 aa  02 00");
  CHECK(found_in<packets>(good + good).empty());
  CHECK(
      found_in<packets>(good + from_hex("07 02  01 01 aa  03 00")) ==
      messages{
          "refused@12 options[1].kind: invalid value for the field (it begins with the byte 0x3)"});
  CHECK(found_in<packets>(good + from_hex("07 02  01 01 aa  02 02 00")) ==
        messages{"cut@14 options[1].data: the trace ends inside the packet, after 8 bytes"});
  CHECK(found_in<packets>(good + from_hex("07 02  01 01 aa")) ==
        messages{"cut@12 options: the trace ends inside the packet, after 5 bytes"});
  CHECK(found_in<packets>(good + from_hex("08 00")) == messages{"refused@7 mark: is not 7"});
  // The path is also reported for nested records.
  CHECK(found_in<file::of<"pairs", file::records<pair_codec>>>(
            from_hex("0102 0201 0103 0101 0302")) ==
        messages{"refused@5 second.kind: invalid value for the field",
                 "refused@8 first.kind: invalid value for the field"});
}

TEST_CASE("reports damage when it is reached" * doctest::skip(!with_xz)) {
  const folder dir;
  step_file::writer out(dir / "t.xz");
  out.write(steps(50'000));
  out.finish();
  std::filesystem::resize_file(dir / "t.xz", std::filesystem::file_size(dir / "t.xz") / 2);
  std::size_t damaged = 0;
  const auto sum =
      step_file::check(io::open_input(dir / "t.xz"),
                       [&](const tracecodec::diagnostic& d) { damaged += d.code == "damaged"; });
  CHECK(damaged == 1);
  CHECK(sum.count(rule::damaged) == 1);
  CHECK(sum.count(rule::count) == 0);
}

TEST_CASE("probe: recognises constants, and a count that matches the size") {
  const bytes good = front_bytes(3) + bytes_of(steps(3));
  CHECK(step_file::probe(good, good.size()) == match::certain);
  CHECK(step_file::probe(good, {}) == match::certain);
  bytes other = good;
  other[3] = std::byte{'2'};
  CHECK(step_file::probe(other, good.size()) == match::none);
  for (std::size_t n = 0; n < 14; ++n)
    CHECK(step_file::probe(std::span(good).first(n), n) == match::none);
  // The count decides if there are no constants.
  using bare = file::of<"bare", file::header<wire::record<front>>, steps_part>;
  CHECK(bare::probe(other, other.size()) == match::certain);
  CHECK(bare::probe(other, other.size() + 11) == match::possible);
  CHECK(bare::probe(other, {}) == match::possible);
  const bytes negative = front_bytes(-1);
  CHECK(bare::probe(negative, 14) == match::none);
  CHECK(plain_lines::probe({}, 0) == match::none);
  CHECK(plain_lines::probe(three_lines(), {}) == match::possible);
}

namespace {
// Text whose kind must be 1 or 2.
using marked_codec = wire::record<wire::fields<
    wire::section<wire::field<&line::length>>,
    wire::section<wire::counted<&line::text, &line::length>, wire::one_of<&line::mark, 1, 2>>>>;
using marked_lines =
    file::of<"lines", file::records<marked_codec, file::each<"line">>, file::trailer<back_codec>>;
using marked_lines_with_header =
    file::of<"lines", file::header<wire::record<total>>,
             file::records<marked_codec, file::counted_by<&total::n>>, file::trailer<back_codec>>;
}  // namespace

TEST_CASE("probe: does not mistake a trailer for a record") {
  const bytes end = from_hex("00000000 454e4421");  // read as a line: empty, and of kind 0
  for (std::size_t n = 0; n < 40; ++n) {
    CAPTURE(n);
    bytes records;
    for (std::size_t i = 0; i < n; ++i) records = records + from_hex("0200 4142 02");
    const bytes good = records + end, counted = bytes(1, std::byte(n)) + good;
    for (const std::optional<std::uint64_t> size : {std::optional<std::uint64_t>(good.size()), {}})
      CHECK(marked_lines::probe(good, size) == match::possible);
    CHECK(marked_lines_with_header::probe(counted, counted.size()) == match::possible);
    CHECK(marked_lines_with_header::probe(counted, {}) == match::possible);
    // Only the front of the file is available.
    const auto front = std::span(good).first(good.size() / 2);
    CHECK((marked_lines::probe(front, good.size()) == match::possible) == !front.empty());
    // A third kind is rejected.
    if (n == 0) continue;
    bytes other = good;
    other[4] = std::byte{3};
    CHECK(marked_lines::probe(other, other.size()) == match::none);
  }
  // No records, and bytes that are not a trailer.
  CHECK(marked_lines::probe(bytes(8), 8) == match::none);
  CHECK(marked_lines::probe({}, 0) == match::none);
}

namespace {
// Codec that rejects steps of kind 3 or higher.
struct picky_codec : step_codec {
  static constexpr bool refuses = true;
  static constexpr wire::result decode(std::span<const std::byte> in, step& s) noexcept {
    const auto r = step_codec::decode(in, s);
    return r && s.what >= 3 ? wire::result{10, wire::errc::does_not_fit, "what"} : r;
  }
};
using picky_file =
    file::of<"picky", file::header<front_codec>,
             file::records<picky_codec, file::counted_by<&front::steps>, file::each<"step">>>;
}  // namespace

TEST_CASE("delivers the records before a refused one, and the check reports all refused records") {
  auto all = steps(5000);
  all[4500].what = all[4999].what = 7;
  const bytes raw = front_bytes(5000) + bytes_of(all);
  for (const bool map : {true, false}) {
    picky_file::reader r(map ? mapped(raw) : stream_of(raw));
    std::optional<trace_error> error;
    CHECK(all_of(r, &error) == std::vector<step>(all.begin(), all.begin() + 4500));
    REQUIRE(error);
    CHECK(error->code() == trace_errc::bad_value);
    CHECK(error->record() == 4500);
    CHECK(error->field() == "what");
    CHECK(error->offset() == 14 + 4500 * 11 + 10);
    CHECK(error_of([&] { r.next(); }));  // the error repeats until the record is skipped
    CHECK(r.skip(1) == 1);
    CHECK(all_of(r, &error).size() == 498);
    REQUIRE(error);
    CHECK(error->record() == 4999);
  }
  CHECK(found_in<picky_file>(raw) ==
        messages{"refused@49524 what: the value does not fit the field",
                 "refused@55013 what: the value does not fit the field"});
}

namespace {
// Check of lines, which reports lines with the mark 2 or 3.
enum class line_rule : std::uint8_t { damaged, cut, refused, marked };
inline constexpr std::array<tracecodec::check_rule, 4> line_rules{{
    {"damaged", tracecodec::severity::error, "the input cannot be read to its end"},
    {"cut", tracecodec::severity::error, "the file ends inside a record"},
    {"refused", tracecodec::severity::error, "a record has an invalid value"},
    {"marked", tracecodec::severity::note, "a line with a mark"},
}};
struct line_summary : tracecodec::rule_counts<line_rules> {
  std::uint64_t records = 0;
};
template <class Report> class line_checker
    : public file::record_checker<line_checker<Report>, line_file, line_rules, line_rule,
                                  line_summary, Report> {
  using base =
      file::record_checker<line_checker, line_file, line_rules, line_rule, line_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  void check_one(const line& l) {
    if (l.mark >= 2) this->found(line_rule::marked, std::to_string(l.mark));
  }
};
}  // namespace

TEST_CASE("a check of a format's rules counts offsets from the beginning of the file") {
  messages all;
  const auto report = [&](const tracecodec::diagnostic& d) {
    all.push_back(std::string(d.code) + '@' + std::to_string(d.offset.value_or(0)) + ' ' +
                  d.message);
  };
  // The header has 14 bytes, and the lines 8, 3 and 5.
  for (const bool map : {true, false}) {
    const bytes raw = front_bytes(3) + three_lines();
    all.clear();
    line_checker<decltype(report)>(report).run(map ? mapped(raw) : stream_of(raw));
    CHECK(all == messages{"marked@22 2", "marked@25 3"});
  }
}
