// Tests targets: a word has 4 bytes for x86 and 8 for x64, in the record's byte order.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/with_order.hpp>

#include <utility>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::errc;
using wire::order;
using wire::placement;
using wire::target;

namespace {

static_assert(std::is_same_v<wire::word_t<target::x86>, std::uint32_t>);
static_assert(std::is_same_v<wire::word_t<target::x64>, std::uint64_t>);

struct access {
  std::uint8_t flags;
  std::uint64_t address;
  friend constexpr bool operator==(const access&, const access&) = default;
};
template <target T, order O = order::little, placement P = placement::packed>
using codec = wire::record<
    wire::fields<wire::field<&access::flags>, wire::field<&access::address, wire::word>>, O, P, T>;
static_assert(codec<target::x86>::size == 5 && codec<target::x64>::size == 9);
static_assert(codec<target::x86, order::big, placement::natural>::size == 8);
static_assert(codec<target::x64, order::big, placement::natural>::size == 16);

constexpr auto x86 = hex<"01 04030201">;
constexpr auto x64 = hex<"01 0807060504030201">;
static_assert(codec<target::x86>::decode(x86) == access{1, 0x01020304});
static_assert(codec<target::x64>::decode(x64) == access{1, 0x0102030405060708});
static_assert(codec<target::x86, order::big>::decode(x86) == access{1, 0x04030201});

TEST_CASE("with_order_and_target passes run-time values as constants") {
  const auto load = [](order o, target t, std::span<const byte> in) {
    return wire::with_order_and_target(o, t, [&]<order O, target T>() {
      access a{};
      const auto r = codec<T, O>::decode(in, a);
      return std::pair(r.used, a.address);
    });
  };
  using found = std::pair<std::size_t, std::uint64_t>;
  const auto x64_big = hex<"01 0102030405060708">;
  CHECK(load(order::little, target::x86, x64) == found{5, 0x05060708});
  CHECK(load(order::little, target::x64, x64) == found{9, 0x0102030405060708});
  CHECK(load(order::big, target::x86, x64_big) == found{5, 0x01020304});
  CHECK(load(order::big, target::x64, x64_big) == found{9, 0x0102030405060708});
}

TEST_CASE("a word of x86 holds 32 bits") {
  std::array<byte, 5> out{};
  CHECK(codec<target::x86>::encode({1, 0x01020304}, out));
  CHECK(out == x86);
  CHECK(codec<target::x86>::encode({1, 0xffffffff}, out));
  const wire::result r = codec<target::x86>::encode({1, 0x1'0000'0000}, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "address");
  CHECK(r.used == 1);
}

// Struct with word_t members. The struct itself depends on the target, so the shorthand suffices.
template <target T> struct registers {
  std::array<wire::word_t<T>, 2> general;
  std::uint16_t segment;
};
template <target T> using registers_codec =
    wire::record<registers<T>, order::little, placement::natural, T>;
static_assert(registers_codec<target::x86>::size == 12);
static_assert(registers_codec<target::x64>::size == 24);

// The target also applies to nested records.
struct outer {
  std::uint8_t kind;
  access one;
};
struct inner_word {
  std::uint64_t value;
};
using word_codec = wire::record<wire::fields<wire::field<&inner_word::value, wire::word>>,
                                order::big, placement::packed, target::x86>;
struct holder {
  std::uint8_t kind;
  inner_word word;
};
using holder_codec =
    wire::record<wire::fields<wire::field<&holder::kind>, wire::field<&holder::word, word_codec>>>;
static_assert(holder_codec::size == 5);
static_assert(holder_codec::decode(hex<"01 01020304">).word.value == 0x01020304);
static_assert(wire::record<outer, order::little, placement::packed, target::x86>::size == 10);

}  // namespace
