// Tests of the postings of an index, compared with a search through all accesses.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "support.hpp"
#include "tracecodec/io/error.hpp"
#include "tracecodec/query/checked_file.hpp"
#include "tracecodec/query/posting_set.hpp"

namespace query = tracecodec::query;
using query::posting_form;

namespace {

constexpr posting_form by_bytes{.granule_bits = 3, .changes = false, .masks = true};
constexpr posting_form with_changes{.granule_bits = 3, .changes = true, .masks = true};
constexpr posting_form by_lines{.granule_bits = 6, .changes = false, .masks = false};

struct answer {
  std::optional<std::uint64_t> last, first;
  friend bool operator==(const answer&, const answer&) = default;
};

// Searches all accesses.
answer searched(const std::vector<test::access>& all, std::uint64_t granule, query::byte_mask mask,
                std::uint64_t at) {
  answer found;
  for (const test::access& a : all) {
    if (a.granule != granule || (a.posting.mask & mask) == 0) continue;
    if (a.posting.at < at)
      found.last = a.posting.at;
    else if (!found.first)
      found.first = a.posting.at;
  }
  return found;
}
answer asked(const query::posting_set& set, std::uint64_t granule, query::byte_mask mask,
             std::uint64_t at) {
  const auto last = set.last(granule, {mask}, at), first = set.first(granule, {mask}, at);
  return {last ? std::optional(last->at) : std::nullopt,
          first ? std::optional(first->at) : std::nullopt};
}

// Accesses of which three quarters are in eight granules. In granule 0, byte 7 is accessed once.
std::vector<test::access> some_accesses(posting_form form, std::size_t n, std::uint64_t& end) {
  std::mt19937_64 random(n);
  std::vector<test::access> all;
  for (std::size_t i = 0; i != n; ++i) {
    end += random() % 3;
    const std::uint64_t granule = random() % 4 != 0 ? random() % 8 : random() % 5000 + (1U << 20);
    query::byte_mask mask = form.masks ? 1 + random() % 255 : query::byte_mask{1} << random() % 64;
    if (granule == 0) mask = i < n / 100 ? 0x80 : 1;
    all.push_back({granule, {end, mask, random() % 2 == 0}});
  }
  return all;
}

}  // namespace

TEST_CASE("the last and first access of any bytes are those that a search finds") {
  for (const posting_form form : {by_bytes, with_changes, by_lines})
    for (const std::size_t run : {std::size_t{700}, query::posting_sorter::usual_run}) {
      std::uint64_t end = 0;
      const auto all = some_accesses(form, 40'000, end);
      const std::vector<std::byte> bytes = test::index_of(all, form, run);
      const query::checked_file file(bytes, "x.tcidx");
      const query::posting_set set(file, file.sections()[0]);
      std::mt19937_64 random(1);
      for (int i = 0; i != 300; ++i) {
        const std::uint64_t granule = i % 2 == 0 ? random() % 9 : random() % 5000 + (1U << 20);
        const query::byte_mask mask =
            form.masks ? query::byte_mask{1} << random() % 8 : ~query::byte_mask{0};
        const std::uint64_t at = random() % (end + 10);
        CHECK(asked(set, granule, mask, at) == searched(all, granule, mask, at));
      }
    }
}

TEST_CASE("accesses of one instruction are one posting, unless only one of them changes a value") {
  const std::vector<test::access> all{{5, {7, 1, false}},
                                      {5, {7, 4, false}},
                                      {5, {7, 8, true}},
                                      {5, {9, 1, false}},
                                      {5, {9, 4, true}}};
  const auto bytes = test::index_of(all, with_changes);
  const query::checked_file file(bytes, "x.tcidx");
  const query::posting_set set(file, file.sections()[0]);
  CHECK(set.postings() == 4);
  const auto p = set.first(5, {4}, 0);
  REQUIRE(p);
  CHECK(p->at == 7);
  CHECK(p->mask == 5);
  CHECK(!p->changes);
  const auto changed = set.first(5, {4, true}, 0);
  REQUIRE(changed);
  CHECK(changed->at == 9);
  CHECK(!set.last(5, {1, true}, 10));
}

TEST_CASE("granules are listed in ascending order, up to the highest address") {
  constexpr std::uint64_t highest = ~std::uint64_t{0} >> 3;
  std::vector<test::access> all;
  for (std::uint64_t i = 0; i != 200; ++i) all.push_back({highest - i, {i, 0xff, false}});
  const auto bytes = test::index_of(all, by_bytes);
  const query::checked_file file(bytes, "x.tcidx");
  const query::posting_set set(file, file.sections()[0]);
  std::vector<std::uint64_t> listed;
  set.each_list(highest - 99, highest,
                [&](const query::posting_list& list) { listed.push_back(list.granule); });
  REQUIRE(listed.size() == 100);
  for (std::uint64_t i = 0; i != 100; ++i) CHECK(listed[i] == highest - 99 + i);
  CHECK(asked(set, highest, 1, 200) == answer{0, std::nullopt});
}

TEST_CASE("an index without accesses has no answers") {
  const auto bytes = test::index_of({}, by_bytes);
  const query::checked_file file(bytes, "x.tcidx");
  const query::posting_set set(file, file.sections()[0]);
  CHECK(asked(set, 0, 0xff, 5) == answer{});
  set.each_list(0, ~std::uint64_t{0}, [](const query::posting_list&) { CHECK(false); });
}

TEST_CASE("a cut, and a changed bit anywhere, give an error or the right answer") {
  std::uint64_t end = 0;
  const auto all = some_accesses(by_bytes, 1500, end);
  const auto bytes = test::index_of(all, by_bytes);
  // Returns false if the index is refused.
  const auto right = [&](std::span<const std::byte> damaged) {
    try {
      const query::checked_file file(damaged, "x.tcidx");
      const query::posting_set set(file, file.sections()[0]);
      for (const std::uint64_t granule : {std::uint64_t{0}, std::uint64_t{3}, all[9].granule})
        CHECK(asked(set, granule, 0x81, end / 2) == searched(all, granule, 0x81, end / 2));
      return true;
    } catch (const tracecodec::trace_error& e) {
      CHECK(e.file() == "x.tcidx");
      return false;
    }
  };
  CHECK(right(bytes));
  for (std::size_t n = 0; n != bytes.size(); ++n) CHECK(!right(std::span(bytes).first(n)));
  auto damaged = bytes;
  for (std::size_t i = 0; i != bytes.size(); ++i) {
    damaged[i] ^= std::byte{1} << i % 8;
    right(damaged);
    damaged[i] = bytes[i];
  }
}
