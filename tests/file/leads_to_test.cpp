// Tests files whose records have no signature: their recognition, the check of their records, and
// operands that a mapping computes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "file/support.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/feed/operand_list.hpp"
#include "tracecodec/file/check_records.hpp"
#include "tracecodec/wire/items/strings.hpp"
#include "tracecodec/wire/rules/constant.hpp"

using namespace test;
namespace feed = tracecodec::feed;
namespace map = feed::map;

namespace {

// Page: its number, the number of the page to turn to, and the numbers of some words.
struct page {
  std::uint8_t number, next;
  bool last;
  wire::array_view<wire::u8> words;
  [[nodiscard]] constexpr bool has_number() const { return number != 0; }
};
using page_codec =
    wire::record<wire::in_struct_order<page, wire::prefixed<&page::words, std::uint8_t>>>;
using book =
    file::of<"book", file::records<page_codec, file::each<"page">, file::longest<300>,
                                   file::leads_to<&page::next, &page::number, &page::has_number>>>;
bool operator==(file::match a, int b) { return static_cast<int>(a) == b; }
constexpr int none = 0, possible = 1, certain = 2;

file::match probe(std::string_view hex, std::optional<std::uint64_t> size = {}) {
  return book::probe(from_hex(hex), size);
}

enum class rule : std::uint8_t { damaged, cut, refused, torn };
inline constexpr std::array<tracecodec::check_rule, 4> rules{
    {{"damaged", tracecodec::severity::error, "damaged"},
     {"cut", tracecodec::severity::error, "cut"},
     {"refused", tracecodec::severity::error, "refused"},
     {"torn", tracecodec::severity::warning, "a page without words"}}};
struct summary : tracecodec::rule_counts<rules> {
  std::uint64_t records = 0;
};
template <class Report> class book_checker
    : public file::record_checker<book_checker<Report>, book, rules, rule, summary, Report> {
  using base = file::record_checker<book_checker, book, rules, rule, summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  void check_one(const page& p) {
    if (p.words.empty()) this->found(rule::torn, "page " + std::to_string(p.number));
  }
};

constexpr std::uint8_t odd(std::uint8_t n) { return n % 2 != 0 ? n : std::uint8_t{0}; }
using odd_words = feed::operand_list<wire::array_view<wire::u8>, odd>;
constexpr odd_words first_and_words(const page& p) { return {{p.number}, p.words}; }
using book_feed =
    feed::of<book, map::ip<&page::number>, map::source_registers<&first_and_words>,
             map::destination_registers<&first_and_words, map::is<&page::last, true>>>;

}  // namespace

TEST_CASE("records that lead to the next one are recognised") {
  CHECK(probe("01020000"
              "02030000"
              "03040000") == certain);
  CHECK(probe("01020000"
              "02030000"
              "0304") == certain);  // truncated
  CHECK(probe("01020000"
              "02030000"
              "03040000"
              "04090000"
              "05060000") == certain);
  CHECK(probe("01020000"
              "02050000"
              "03040000") == none);  // only half of them lead on
  CHECK(probe("01020000"
              "02030000"
              "03040200") == none);  // not a flag
  CHECK(probe("01000000"
              "00010000"
              "01000000") == none);  // a page without a number
  CHECK(probe("") == none);
}

TEST_CASE("a single record must be the whole content") {
  CHECK(probe("01020000", 4) == possible);
  CHECK(probe("01020000", 5) == none);
  CHECK(probe("01020000") == none);
  CHECK(probe("0102000002", 5) == none);
}

TEST_CASE("records are checked by the rules of a format, with their offsets") {
  std::vector<std::string> found;
  const auto report = [&](const tracecodec::diagnostic& d) {
    found.push_back(std::string(d.code) + ' ' + std::to_string(d.offset.value_or(99)) + ' ' +
                    std::to_string(d.record.value_or(99)));
  };
  const bytes four = from_hex(
                  "0102000107"
                  "02030000"
                  "0304000107"
                  "04"),
              one = from_hex("010203");
  const auto sum = book_checker<decltype(report)>(report).run(io::open_bytes(four, "t"));
  CHECK(sum.records == 3);
  CHECK(found == std::vector<std::string>{"torn 5 1", "cut 15 3"});
  found.clear();
  book_checker<decltype(report)>(report).run(io::open_bytes(one, "t"));
  CHECK(found == std::vector<std::string>{"refused 2 0"});
}

TEST_CASE("a mapping can return a range of operands") {
  std::vector<std::vector<int>> read, written;
  const bytes two = from_hex(
      "01000003020305"
      "02000100");
  for (const auto& i : book_feed(io::open_bytes(two, "t"))) {
    const auto r = i.source_registers(), w = i.destination_registers();
    read.emplace_back(r.begin(), r.end());
    written.emplace_back(w.begin(), w.end());
    CHECK(r.size() == read.back().size());
    CHECK(w.empty() == written.back().empty());
  }
  CHECK(read == std::vector<std::vector<int>>{{1, 3, 5}, {2}});
  CHECK(written == std::vector<std::vector<int>>{{}, {2}});
}
