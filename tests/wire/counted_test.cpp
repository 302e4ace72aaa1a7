// Tests counted arrays: every way to specify the count, counts of all sizes, and counts that
// no input can hold.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>

#include <limits>
#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::array_view;
using wire::counted;
using wire::errc;
using wire::field;
using wire::section;

namespace {

template <class View> auto elements(const View& v) {
  std::vector<typename View::value_type> out;
  for (const auto e : v) out.push_back(e);
  return out;
}

// Array of elements of 8 bytes, after its count of type C.
template <class C> struct list {
  C count{};
  array_view<wire::u64le> items{};
};
template <class C> using list_codec =
    wire::record<wire::fields<section<field<&list<C>::count>>,
                              section<counted<&list<C>::items, &list<C>::count>>>>;

TEST_CASE_TEMPLATE("decodes and encodes arrays of 0, 1 and 255 elements", C, std::uint8_t,
                   std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t,
                   std::int64_t) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{255}}) {
    CAPTURE(n);
    std::vector<byte> bytes(sizeof(C) + 8 * n);
    wire::scalar<C, wire::order::little>::store(static_cast<C>(n), bytes.data());
    for (std::size_t i = 0; i < n; ++i) wire::u64le::store(i * i, &bytes[sizeof(C) + 8 * i]);
    list<C> l{};
    const wire::result r = list_codec<C>::decode(bytes, l);
    CHECK(r);
    CHECK(r.used == bytes.size());
    REQUIRE(l.items.size() == n);
    for (std::size_t i = 0; i < n; ++i) CHECK(l.items[i] == i * i);
    std::vector<byte> out(bytes.size());
    CHECK(list_codec<C>::extent(l) == out.size());
    CHECK(list_codec<C>::encode(l, out).used == out.size());
    CHECK(out == bytes);
  }
}

template <class C> void truncated_by(C count) {
  std::array<byte, sizeof(C) + 64> bytes{};
  wire::scalar<C, wire::order::little>::store(count, bytes.data());
  list<C> l{};
  const wire::result r = list_codec<C>::decode(bytes, l);
  CHECK(r.error == errc::truncated);
  CHECK(r.used == sizeof(C));
  CHECK(r.field == "items");
  CHECK(l.items.empty());
}

enum class amount : std::int32_t {};

TEST_CASE("reports negative and enormous counts as truncated input") {
  for (unsigned shift = 4; shift < 64; ++shift) truncated_by(std::uint64_t{1} << shift);
  truncated_by(~std::uint64_t{0});
  truncated_by((std::uint64_t{1} << 61) + 1);  // multiplied by 8, it would wrap to 8
  truncated_by(std::int64_t{-1});
  truncated_by(std::numeric_limits<std::int64_t>::min());
  truncated_by(std::numeric_limits<std::int64_t>::max());
  truncated_by(std::int32_t{-1});
  truncated_by(std::numeric_limits<std::int32_t>::min());
  truncated_by(std::int16_t{-1});
  truncated_by(std::int8_t{-128});
  truncated_by(~std::uint32_t{0});
  truncated_by(amount{-1});
  truncated_by(amount{std::numeric_limits<std::int32_t>::min()});
}

// Several counts in one section. The sum of their extents must not overflow.
struct three {
  std::uint64_t n{};
  amount m{};
  array_view<wire::u64le> a{};
  array_view<wire::u64le> b{};
  array_view<wire::u64le> c{};
};
using three_codec =
    wire::record<wire::fields<section<field<&three::n>, field<&three::m>>,
                              section<counted<&three::a, &three::n>, counted<&three::b, &three::n>,
                                      counted<&three::c, &three::m>>>>;

TEST_CASE("the sum of a section's extents does not overflow") {
  for (const std::uint64_t n : {~std::uint64_t{0}, std::uint64_t{1} << 60, std::uint64_t{1} << 63,
                                std::uint64_t{1} << 53}) {
    std::array<byte, 64> bytes{};
    wire::u64le::store(n, bytes.data());
    three t{};
    const wire::result r = three_codec::decode(bytes, t);
    CHECK(r.error == errc::truncated);
    CHECK(r.field == "a");
    CHECK(r.used == 12);
  }
  // One element in each of a and b, minus one in c: 8 + 8 + 2^64 - 8 must not be 8.
  std::array<byte, 64> bytes{};
  bytes[0] = byte{1};
  for (std::size_t i = 8; i < 12; ++i) bytes[i] = byte{0xff};
  three t{};
  const wire::result r = three_codec::decode(bytes, t);
  CHECK(r.error == errc::truncated);
  CHECK(r.field == "c");
  CHECK(r.used == 28);
}

// Counts from a member function, from a lambda and from the content of an earlier array.
struct message {
  std::uint8_t half{};
  array_view<wire::u8> flags{};
  array_view<wire::u16be> values{};
  array_view<wire::u8> tail{};
  constexpr unsigned twice() const { return 2U * half; }
};
constexpr auto odd_flags = [](const message& m) {
  std::size_t n = 0;
  for (const std::uint8_t f : m.flags) n += f & 1U;
  return n;
};
constexpr auto half_less_one = [](const message& m) { return int{m.half} - 1; };
using message_codec = wire::record<
    wire::fields<section<field<&message::half>>, section<counted<&message::flags, &message::twice>>,
                 section<counted<&message::values, odd_flags>>,
                 section<counted<&message::tail, half_less_one>>>>;
// half is 2. Four flags 01 00 03 05 follow, three of them odd, then three values and one byte of
// tail.
constexpr auto golden = hex<"02 01000305 0102 0304 0506 ee">;

constexpr bool message_trip() {
  message m{};
  const wire::result r = message_codec::decode(golden, m);
  if (!r || r.used != golden.size() || m.values.size() != 3 || m.values[2] != 0x0506) return false;
  std::array<byte, golden.size()> out{};
  return m.tail[0] == 0xee && message_codec::extent(m) == out.size() &&
         message_codec::encode(m, out).used == out.size() && out == golden;
}
static_assert(message_trip());

TEST_CASE("counts from a member function, a lambda and an earlier array") {
  CHECK(message_trip());
  message m{};
  REQUIRE(message_codec::decode(golden, m));
  CHECK(elements(m.flags) == std::vector<std::uint8_t>{1, 0, 3, 5});
  CHECK(elements(m.values) == std::vector<std::uint16_t>{0x0102, 0x0304, 0x0506});
  CHECK(m.values.bytes().data() == golden.data() + 5);
}

TEST_CASE("reports a computed count below zero as truncated input") {
  const auto bytes = hex<"00">;
  message m{};
  const wire::result r = message_codec::decode(bytes, m);
  CHECK(r.error == errc::truncated);
  CHECK(r.field == "tail");
  CHECK(r.used == 1);
}

TEST_CASE("refuses and reports an array whose length differs from its count") {
  message m{};
  REQUIRE(message_codec::decode(golden, m));
  std::array<byte, 32> out{};
  const auto refused = [&](const message& bad, std::string_view field, std::size_t at) {
    const wire::result r = message_codec::encode(bad, out);
    CHECK(r.error == errc::count_mismatch);
    CHECK(r.field == field);
    CHECK(r.used == at);
    CHECK(out == std::array<byte, 32>{});
  };
  message bad = m;
  bad.half = 3;
  refused(bad, "flags", 1);
  bad = m;
  bad.values = m.values.subview(0, 2);
  refused(bad, "values", 5);
  bad = m;
  bad.tail = {};
  refused(bad, "tail", 11);
}

// Arrays of records and of arrays, and an array under a condition.
struct item {
  std::uint8_t kind;
  std::uint16_t value;
  friend constexpr bool operator==(const item&, const item&) = default;
};
using item_codec = wire::record<item, wire::order::big>;
struct rows {
  std::uint8_t n{};
  std::uint8_t present{};
  array_view<item_codec> items{};
  array_view<wire::array_of<wire::u16be, 2>> pairs{};
};
using rows_codec = wire::record<
    wire::fields<section<field<&rows::n>, field<&rows::present>>,
                 section<counted<&rows::items, &rows::n>,
                         wire::when<&rows::present, counted<&rows::pairs, &rows::n>>>>>;

TEST_CASE("decodes counted arrays of records and of arrays, and a conditional one") {
  const auto with = hex<"02 01 05 0102 06 0304 0001 0002 0003 0004">;
  rows r{};
  CHECK(rows_codec::decode(with, r).used == with.size());
  CHECK(r.items[1] == item{6, 0x0304});
  CHECK(r.pairs[1] == std::array<std::uint16_t, 2>{3, 4});
  std::array<byte, with.size()> out{};
  CHECK(rows_codec::encode(r, out));
  CHECK(out == with);
  const auto without = hex<"02 00 05 0102 06 0304">;
  rows s{};
  CHECK(rows_codec::decode(without, s).used == without.size());
  CHECK(s.pairs.empty());
  s.present = 1;
  const wire::result refused = rows_codec::encode(s, out);
  CHECK(refused.error == errc::count_mismatch);
  CHECK(refused.field == "pairs");
  CHECK(refused.used == 8);
}

}  // namespace
