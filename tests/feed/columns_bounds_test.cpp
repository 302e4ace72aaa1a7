// Tests that batches of columns have bounded memory, whatever the instructions contain. Also tests
// batches that are kept, and damage inside a batch.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "made_trace.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/io/error.hpp"

namespace feed = tracecodec::feed;
using feed::column;
using feed::column_set;
using feed::columns;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

constexpr std::size_t of_row = 65536, of_batch = 4 * of_row;

// Reads the whole trace. Returns the sizes of the batches.
std::vector<std::size_t> sizes_of(feed::column_source& from) {
  std::vector<std::size_t> sizes;
  std::uint64_t next = from.position();
  for (columns b; from.next(b); next += b.size()) {
    CHECK(b.first() == next);
    for (std::size_t row = 0; row != b.size(); ++row) REQUIRE(b.ip()[row] == next + row);
    sizes.push_back(b.size());
  }
  return sizes;
}
auto source_of(std::vector<made::content> all, column_set wanted, std::size_t step = 1024) {
  return feed::make_column_source(made::trace(std::move(all), step),
                                  wanted | column_set{column::ip});
}

}  // namespace

TEST_CASE("a batch has 4,096 rows, or fewer if lists are long, and no row is lost") {
  CHECK(sizes_of(*source_of(std::vector<made::content>(10000), {})) ==
        std::vector<std::size_t>{4096, 4096, 1808});
  for (const auto& [c, most] : std::vector<std::pair<column, std::size_t>>{
           {column::text, of_batch / 1000 + 1},
           {column::code, of_batch / 1000 + 1},
           {column::source_registers, of_batch / 1000 + 1},
           {column::memory, of_batch / 8 / 1000 + 1},
           {column::memory_values, of_batch / 16000 + 1},
           {column::register_values, of_batch / 8 / 1000 + 1}}) {
    const std::vector<made::content> all(
        2000, {.text = 1000, .code = 1000, .operands = 1000, .values = 1000});
    const auto sizes = sizes_of(*source_of(all, {c}));
    std::size_t n = 0;
    for (const std::size_t size : sizes) n += size;
    CHECK(n == all.size());
    CHECK(sizes[0] == most);
  }
}

TEST_CASE("limits an instruction's list to 64 KiB, counts the rest, and ends the batch") {
  std::vector<made::content> all(6, {.text = 1, .code = 1, .operands = 1, .values = 1, .bytes = 1});
  all[2] = {.text = of_row + 10, .code = of_row, .operands = of_row + 3, .values = 9000};
  all[4].bytes = of_row + 100;
  const auto next = [&](column c, columns& b) {
    const auto from = source_of(all, {c});
    std::vector<std::uint64_t> lost;
    std::size_t n = 0;
    while (from->next(b)) {
      n += b.size();
      lost.push_back(b.left_out());
      if (n == 3) break;
    }
    return lost;
  };
  columns b;
  CHECK(next(column::text, b) == std::vector<std::uint64_t>{10});
  CHECK(b.text()[2].size() == of_row);
  CHECK(b.size() == 3);
  CHECK(next(column::code, b) == std::vector<std::uint64_t>{0});
  CHECK(next(column::source_registers, b) == std::vector<std::uint64_t>{3});
  CHECK(b.source_registers()[2].size() == of_row);
  CHECK(next(column::memory, b) == std::vector<std::uint64_t>{of_row + 3 - of_row / 8});
  CHECK(b.memory().count(2) == of_row / 8);
  CHECK(b.memory().address[b.memory().end(2) - 1] == 2);
  CHECK(next(column::register_values, b) == std::vector<std::uint64_t>{9000 - of_row / 8});
  CHECK(b.register_values().count(2) == of_row / 8);
  // Values have 16 bytes each. The list keeps as many values as fit into 64 KiB.
  CHECK(next(column::memory_values, b) == std::vector<std::uint64_t>{16 * (9000 - of_row / 16)});
  CHECK(b.memory_values().count(2) == of_row / 16);

  const auto from = source_of(all, {column::memory_values});
  REQUIRE(from->next(b));
  REQUIRE(from->next(b));
  CHECK(b.size() == 2);
  CHECK(b.left_out() == 16 + 100);
  CHECK(b.left_out({column::memory_values, column::text}) == 16 + 100);
  CHECK(b.left_out({column::memory}) == 0);
  const auto m = b.memory_values();
  REQUIRE(m.count(1) == 2);
  CHECK(m.bytes[m.begin(1)].size() == 16);
  CHECK(m.bytes[m.begin(1) + 1].size() == of_row - 16);
  CHECK(std::ranges::equal(m.after, std::vector<std::uint8_t>{1, 0, 1, 0}));
  REQUIRE(from->next(b));
  CHECK(b.size() == 1);
  CHECK(b.left_out() == 0);
  CHECK(b.memory_values().bytes[1].size() == 1);
}

TEST_CASE("a row that one column refuses is in no column") {
  std::vector<made::content> all(5, {.text = 2, .code = 3, .values = 1});
  all[3].damaged = true;
  all[3].code = all[3].values = of_row;  // exceeds the limit, but is never reached
  const auto from = source_of(all, {column::text, column::code, column::register_values});
  columns b;
  REQUIRE(from->next(b));
  CHECK(b.size() == 3);
  CHECK(b.left_out() == 0);
  CHECK(b.code().values.size() == 9);
  CHECK(b.text().values.size() == 6);
  CHECK(b.register_values().value.size() == 3);
  CHECK_THROWS_AS(from->next(b), trace_error);
  CHECK(b.size() == 0);
  CHECK_THROWS_AS(from->next(b), trace_error);
  CHECK(from->position() == 3);
  SUBCASE("the row may be skipped") {
    CHECK(from->skip(1) == 1);
    REQUIRE(from->next(b));
    CHECK(b.ip()[0] == 4);
  }
  SUBCASE("the refused value may be left empty") {
    from->want({column::ip, column::text, column::code}, {column::text});
    REQUIRE(from->next(b));
    REQUIRE(b.size() == 2);
    CHECK(b.text().count(0) == 0);
    CHECK(b.text().count(1) == 2);
    CHECK(b.code().count(0) == of_row);
  }
  SUBCASE("the refused column may be omitted") {
    from->want({column::ip});
    REQUIRE(from->next(b));
    CHECK(b.size() == 2);
  }
}

TEST_CASE("an error follows the feed's instructions, also if batches are joined") {
  std::vector<made::content> all(10);
  all[7].fails = true;
  const auto from = source_of(all, {}, 3);
  columns b;
  REQUIRE(from->next(b));
  CHECK(b.size() == 7);
  CHECK(!b.last_batch());
  CHECK_THROWS_AS(from->next(b), trace_error);
  CHECK(from->skip(5) == 0);
  from->rewind();
  CHECK(from->skip(5) == 5);
  REQUIRE(from->next(b));
  CHECK(b.size() == 2);
}

TEST_CASE("refilling a batch allocates nothing, also from another source") {
  const std::vector<made::content> all(
      9000, {.text = 10, .code = 4, .operands = 2, .values = 2, .bytes = 8});
  const column_set wanted{column::index,  column::text,          column::code,
                          column::memory, column::memory_values, column::register_values};
  const auto from = source_of(all, wanted);
  columns b;
  const auto places = [&b] {
    return std::vector<const void*>{b.index().data(),
                                    b.text().values.data(),
                                    b.text().offsets.data(),
                                    b.code().values.data(),
                                    b.memory().address.data(),
                                    b.memory().write.data(),
                                    b.memory_values().bytes.values.data(),
                                    b.memory_values().bytes.offsets.data(),
                                    b.register_values().value.data()};
  };
  REQUIRE(from->next(b));
  const auto before = places();
  while (from->next(b)) CHECK(places() == before);
  const auto other = source_of(all, {column::text});
  REQUIRE(other->next(b));
  CHECK(b.text().values.data() == before[1]);
  CHECK(b.index().empty());
  b.clear();
  CHECK(b.size() == 0);
  CHECK(b.ip().empty());
}

TEST_CASE("a moved batch keeps its columns, aligned to 64 bytes") {
  const auto from = source_of(std::vector<made::content>(50, {.text = 3, .values = 2}),
                              {column::text, column::taken, column::register_values});
  columns a;
  REQUIRE(from->next(a));
  const void* const text = a.text().values.data();
  const columns b = std::move(a);
  CHECK(b.size() == 50);
  CHECK(b.text().values.data() == text);
  for (const void* const p : std::array<const void*, 7>{
           b.ip().data(), b.taken().data(), b.text().offsets.data(), text,
           b.register_values().number.data(), b.register_values().value.data(),
           b.register_values().after.data()})
    CHECK(reinterpret_cast<std::uintptr_t>(p) % 64 == 0);
}

TEST_CASE("further columns of a row can be read later") {
  std::vector<made::content> all(8, {.text = 2});
  all[4].damaged = true;
  auto from = feed::make_column_source(made::trace(std::move(all)), {column::ip});
  columns b, more;
  const auto refused = [&](std::size_t row) {
    try {
      from->read_row(more, row, {column::text});
    } catch (const trace_error& e) {
      return e.code() == trace_errc::refused;
    }
    return false;
  };
  CHECK(refused(0));
  from->keep_batches();
  std::vector<std::size_t> sizes;
  CHECK(from->next(b, 2));
  CHECK(b.size() == 2);
  from->read_row(more, 1, {column::ip, column::text, column::index});
  CHECK(more.size() == 1);
  CHECK(more.ip()[0] == 1);
  CHECK(more.index()[0] == 1);
  CHECK(more.text()[0].size() == 2);
  while (from->next(b)) {
    sizes.push_back(b.size());
    for (std::size_t row = 0; row != b.size(); ++row) {
      const auto tell = [&] { from->read_row(more, row, {column::text, column::ip}); };
      if (b.ip()[row] == 4) {
        CHECK_THROWS_AS(tell(), trace_error);
      } else {
        tell();
        CHECK(more.ip()[0] == b.ip()[row]);
        CHECK(more.text()[0].size() == 2);
      }
    }
  }
  CHECK(sizes == std::vector<std::size_t>{1, 3, 2});
  CHECK(refused(0));
  CHECK_THROWS_AS(from->read_row(more, 0, {column::operation}), trace_error);
}
