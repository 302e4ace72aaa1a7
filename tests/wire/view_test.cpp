// Tests array_view, a random-access range over unaligned bytes, and record_view, which decodes
// one record member by member.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/items/strided.hpp>
#include <tracecodec/wire/types/view.hpp>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::array_view;

namespace {

using view = array_view<wire::u16be>;
static_assert(std::ranges::random_access_range<view> && std::ranges::sized_range<view>);
static_assert(std::ranges::common_range<view> && std::random_access_iterator<view::iterator>);
static_assert(std::sized_sentinel_for<view::iterator, view::iterator>);
static_assert(std::is_same_v<std::ranges::range_value_t<view>, std::uint16_t>);
static_assert(std::is_same_v<std::iterator_traits<view::iterator>::iterator_category,
                             std::input_iterator_tag>);
static_assert(std::is_trivially_copyable_v<view>);

// The view begins at an odd offset, so its elements are not aligned.
constexpr auto bytes = hex<"ff 0001 0003 0002 0005 0004">;
constexpr view five(bytes.data() + 1, 5);
static_assert(five.size() == 5 && !five.empty() && five[0] == 1 && five[4] == 4);
static_assert(five.bytes().size() == 10 && five.bytes().data() == bytes.data() + 1);
static_assert(view().empty() && view().begin() == view().end());
static_assert(view(std::span<const byte>(bytes)).size() == 5);  // 11 bytes: 5 whole elements
static_assert(five.subview(1, 3).size() == 3 && five.subview(1, 3)[0] == 3);
static_assert(five.subview(5, 0).empty());

constexpr bool iterates() {
  auto i = five.begin();
  const auto begin = i;
  bool ok = *i == 1 && *i++ == 1 && *i == 3 && *++i == 2 && i - begin == 2 && begin - i == -2;
  ok = ok && *i-- == 2 && *i == 3 && *--i == 1 && i == begin;
  i += 4;
  ok = ok && *i == 4 && i[-1] == 5 && i + 1 == five.end() && 1 + i == five.end();
  i -= 3;
  ok = ok && *i == 3 && *(i - 1) == 1 && i[3] == 4;
  ok = ok && begin < i && i > begin && begin <= i && i >= begin && begin != i && begin <= begin;
  ok = ok && (begin <=> i) < 0 && five.end() - five.begin() == 5;
  return ok && view::iterator() == view::iterator();
}
static_assert(iterates());
static_assert(std::accumulate(five.begin(), five.end(), 0) == 15);
static_assert(std::ranges::max(five) == 5 && std::ranges::count(five, 3) == 1);

// Rows of three bytes. The first two bytes of each are an element.
using table = wire::strided_view<wire::u16be>;
static_assert(std::ranges::random_access_range<table> && std::ranges::sized_range<table>);
static_assert(std::ranges::common_range<table>);
constexpr auto rows_of_three = hex<"0001 ff 0003 ff 0002 ff 0005 ff 0004 ff">;
constexpr bool iterates_over_rows() {
  const table rows(rows_of_three.data(), 5, 3);
  auto i = rows.begin();
  const auto begin = i;
  bool ok = *i == 1 && *i++ == 1 && *i == 3 && *++i == 2 && i - begin == 2 && begin - i == -2;
  ok = ok && *i-- == 2 && *i == 3 && *--i == 1 && i == begin;
  i += 4;
  ok = ok && *i == 4 && i[-1] == 5 && i + 1 == rows.end() && 1 + i == rows.end();
  i -= 3;
  ok = ok && *i == 3 && *(i - 1) == 1 && i[3] == 4;
  return ok && begin < i && i > begin && begin <= i && begin != i && (begin <=> i) < 0;
}
static_assert(iterates_over_rows());

TEST_CASE("array_view has every operation of a random-access range") {
  CHECK(iterates());
  CHECK(std::vector<std::uint16_t>(five.begin(), five.end()) ==
        std::vector<std::uint16_t>{1, 3, 2, 5, 4});
  CHECK(std::ranges::find(five, 5) == five.begin() + 3);
  const auto sorted = hex<"0001 0004 0009">;
  const view s(sorted);
  CHECK(*std::ranges::lower_bound(s, 3) == 4);
}

TEST_CASE("a range-for decodes each element") {
  unsigned n = 0, sum = 0;
  for (const std::uint16_t v : five) {
    ++n;
    sum += v;
  }
  CHECK(n == 5);
  CHECK(sum == 15);
}

// Any codec of fixed size can be an element.
struct point {
  std::uint8_t x;
  std::uint32_t y;
  friend constexpr bool operator==(const point&, const point&) = default;
};
using point_codec = wire::record<point, wire::order::big>;
constexpr auto points = hex<"01 00000002 03 00000004">;
static_assert(array_view<point_codec>(points)[1] == point{3, 4});
static_assert((*(array_view<point_codec>(points).begin() + 1)).y == 4);
static_assert(array_view<wire::array_of<wire::u8, 5>>(points).size() == 2);

using champsim_codec = tracecodec::champsim::instruction_codec;
using tracecodec::champsim::instruction;

// Bytes as in shorthand_test, from Python's struct.
constexpr auto record_bytes =
    hex<"0c003f0000000000 01 01 1a19 06191a43 08ca3f0300000000 ffffffffffffffff"
        "104a480f00000000 efcdab8967452301 0000000000000000 0000000000000080">;

constexpr bool members() {
  const wire::record_view<champsim_codec> v(record_bytes);
  return v.get<&instruction::ip>() == 0x3f000c && v.get<&instruction::branch_taken>() == 1 &&
         v.get<&instruction::destination_registers>() == std::array<std::uint8_t, 2>{26, 25} &&
         v.get<&instruction::source_memory>()[3] == 0x8000000000000000 &&
         v.value().destination_memory[0] == 0x33fca08 && v.bytes().data() == record_bytes.data() &&
         champsim_codec::get<&instruction::source_registers>(record_bytes)[3] == 67;
}
static_assert(members());
static_assert(champsim_codec::offset_of<&instruction::branch_taken> == 9);

TEST_CASE("record_view decodes the requested member") {
  CHECK(members());
  for (std::size_t at = 0; at < 8; ++at) {
    std::array<byte, 72> buffer{};
    std::ranges::copy(record_bytes, buffer.begin() + static_cast<std::ptrdiff_t>(at));
    const wire::record_view<champsim_codec> v{std::span(buffer).subspan(at).first<64>()};
    CHECK(v.get<&instruction::ip>() == 0x3f000c);
    CHECK(v.get<&instruction::source_memory>()[1] == 0x0123456789abcdef);
    CHECK(v.value() == champsim_codec::decode(record_bytes));
  }
}

}  // namespace
