// Tests arrays of records against the codec, one record at a time.
#include <doctest/doctest.h>
#include <tracecodec/wire/columns/decode_array.hpp>
#include <tracecodec/wire/items/integers.hpp>

#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::order;
using wire::placement;

namespace {

struct pair {
  std::uint16_t a, b;
  friend constexpr bool operator==(const pair&, const pair&) = default;
};
// Record like ChampSim's, with a tail that is not a multiple of 16.
struct operands {
  std::uint64_t ip;
  std::uint8_t is_branch, taken;
  std::array<std::uint8_t, 2> written;
  std::array<std::uint8_t, 4> read;
  std::array<std::uint64_t, 2> stores;
  std::int32_t number;
  std::array<pair, 3> pairs;
  friend constexpr bool operator==(const operands&, const operands&) = default;
};
// Record that stores the struct's bytes in another order.
using moved_codec =
    wire::record<wire::fields<wire::field<&operands::stores>, wire::field<&operands::pairs>,
                              wire::field<&operands::ip>, wire::field<&operands::number>,
                              wire::field<&operands::read>, wire::field<&operands::written>,
                              wire::field<&operands::taken>, wire::field<&operands::is_branch>>,
                 order::big>;
// Record whose bytes differ from the struct's.
struct others {
  bool flag;
  std::uint8_t narrow;
  std::uint16_t low, high;
  std::uint64_t wide;
  friend constexpr bool operator==(const others&, const others&) = default;
};
using others_codec = wire::record<wire::fields<
    wire::field<&others::flag, wire::nonzero<>>, wire::field<&others::narrow>,
    wire::bit_slices<std::uint16_t, wire::bits<&others::low, 9>, wire::bits<&others::high, 7>>,
    wire::padding<1>, wire::field<&others::wide>>>;
using natural_others = wire::record<
    wire::fields<wire::field<&others::flag, wire::nonzero<>>, wire::field<&others::narrow>,
                 wire::field<&others::low>, wire::field<&others::high>, wire::field<&others::wide>>,
    order::big, placement::natural>;
struct flags {
  std::array<bool, 4> all;
  friend constexpr bool operator==(const flags&, const flags&) = default;
};
using flags_codec =
    wire::record<wire::fields<wire::field<&flags::all, std::array<wire::nonzero<>, 4>>>>;
struct noted {
  std::uint32_t value, note;
};
using noted_codec =
    wire::record<wire::fields<wire::field<&noted::value>, wire::not_on_wire<&noted::note>>>;

template <class Codec> constexpr bool agrees(std::size_t n, std::uint64_t seed) {
  using value = typename Codec::value_type;
  random_numbers random{seed};
  std::vector<byte> raw(n * Codec::size + 3);
  for (byte& b : raw) b = static_cast<byte>(random() & 0xff);
  std::vector<value> all(n + 1);
  const wire::array_view<Codec> records(raw.data() + 3, n);  // never aligned
  if (wire::decode_array(records, std::span(all)) != n) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!(all[i] == records[i])) return false;
  return all[n] == value{};
}

template <class Codec> void check() {
  for (const std::size_t n : {0U, 1U, 2U, 63U, 1000U}) CHECK(agrees<Codec>(n, n));
}

TEST_CASE("decode_array equals one call of decode for each record") {
  check<wire::record<operands, order::little>>();
  check<wire::record<operands, order::big>>();
  check<moved_codec>();
  check<wire::record<pair, order::big>>();
  check<natural_others>();
  check<others_codec>();
  check<flags_codec>();
}

constexpr auto golden =
    hex<"0102030405060708 09 0a 0b0c 0d0e0f10 1112131415161718 191a1b1c1d1e1f20 fffffffe "
        "0001 0002 0003 0004 0005 0006">;
using golden_codec = wire::record<operands, order::big>;
static_assert(golden_codec::size == golden.size());
constexpr operands expected{0x0102030405060708,
                            9,
                            10,
                            {11, 12},
                            {13, 14, 15, 16},
                            {0x1112131415161718, 0x191a1b1c1d1e1f20},
                            -2,
                            {{{1, 2}, {3, 4}, {5, 6}}}};
constexpr bool known_values() {
  std::array<operands, 2> to{};
  const wire::array_view<golden_codec> one(golden);
  return wire::decode_array(one, std::span<operands>(to)) == 1 && to[0] == expected;
}
static_assert(known_values());

struct real {
  float value;
};
TEST_CASE("decode_array decodes known values") {
  CHECK(known_values());
  constexpr auto raw = hex<"3f800000 c0490fdb">;
  using codec = wire::record<real, order::big>;
  std::array<real, 2> to{};
  CHECK(wire::decode_array(wire::array_view<codec>(raw), std::span<real>(to)) == 2);
  CHECK(to[0].value == 1.0F);
  CHECK(to[1].value == -3.14159274F);
}

TEST_CASE("decode_array stops at the shorter range and leaves members without bytes unchanged") {
  constexpr auto raw = hex<"01000000 02000000 03000000">;
  std::array<noted, 2> to{{{9, 7}, {9, 8}}};
  CHECK(wire::decode_array(wire::array_view<noted_codec>(raw), std::span<noted>(to)) == 2);
  CHECK(to[0].value == 1);
  CHECK(to[0].note == 7);
  CHECK(to[1].value == 2);
  CHECK(to[1].note == 8);
}

}  // namespace
