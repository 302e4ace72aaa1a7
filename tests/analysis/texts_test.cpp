// Tests of the limits of texts.hpp.
#include "tracecodec/analysis/texts.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace analysis = tracecodec::analysis;

namespace {

void add_access(analysis::text_search& to, std::uint64_t address, std::string_view bytes,
                std::uint64_t index) {
  to.add(address, std::as_bytes(std::span(bytes)), index, 0x1000 + index);
}

}  // namespace

TEST_CASE("Text is found when its line of memory is replaced") {
  analysis::text_search search;
  add_access(search, 0x1003C, "over two lines", 1);
  // More lines than are stored.
  for (std::uint64_t i = 0; i != 40000; ++i) add_access(search, 0x40000000 + 64 * i, "\x01", 2 + i);
  add_access(search, 0x1003C, "not the same", 50000);
  const auto& found = search.result();
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "over two lines");
  CHECK(found[0].address == 0x1003C);
  CHECK(found[0].first == 1);
  CHECK(found[0].last == 1);
  CHECK(found[0].ip == 0x1001);
  CHECK(found[1].text.starts_with("not the same"));
}

TEST_CASE("Text at the ends of the address space") {
  analysis::text_search search;
  add_access(search, ~std::uint64_t{0} - 7, "at the end", 1);
  const auto& found = search.result();
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == "at the end");
}

TEST_CASE("Long text is cut") {
  analysis::text_search search;
  const std::string line(64, 'a');
  for (std::uint64_t i = 0; i != 1000; ++i) add_access(search, 0x1000 + 64 * i, line, i);
  std::size_t size = 0;
  for (const auto& t : search.result()) {
    CHECK(t.text.size() <= 2 * analysis::text_search::most_length + 4);
    size += t.text.size();
  }
  CHECK(size >= 64000);
}
