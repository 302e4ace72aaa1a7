// Tests placement: natural offsets against the compiler's own for C structs, packed ones
// against sums.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/table.hpp>

#include <cstring>

#include "support.hpp"

namespace wire = tracecodec::wire;
namespace champsim = tracecodec::champsim;
using namespace wire_test;
using wire::order;
using wire::placement;

namespace {

// The structs as written in C: the compiler computes the expected offsets. Files align 8-byte
// members to 8 bytes. On 32-bit x86 this needs alignas.
struct c_cloudsuite {
  alignas(8) unsigned long long ip;
  unsigned char is_branch;
  unsigned char branch_taken;
  unsigned char destination_registers[4];
  unsigned char source_registers[4];
  alignas(8) unsigned long long destination_memory[4];
  alignas(8) unsigned long long source_memory[4];
  unsigned char asid[2];
};
using cloudsuite = champsim::cloudsuite_instruction;
using cs = champsim::cloudsuite_codec;
static_assert(cs::size == sizeof(c_cloudsuite) && cs::alignment == alignof(c_cloudsuite));
static_assert(cs::offset_of<&cloudsuite::ip> == offsetof(c_cloudsuite, ip));
static_assert(cs::offset_of<&cloudsuite::is_branch> == offsetof(c_cloudsuite, is_branch));
static_assert(cs::offset_of<&cloudsuite::branch_taken> == offsetof(c_cloudsuite, branch_taken));
static_assert(cs::offset_of<&cloudsuite::destination_registers> ==
              offsetof(c_cloudsuite, destination_registers));
static_assert(cs::offset_of<&cloudsuite::source_registers> ==
              offsetof(c_cloudsuite, source_registers));
static_assert(cs::offset_of<&cloudsuite::destination_memory> ==
              offsetof(c_cloudsuite, destination_memory));
static_assert(cs::offset_of<&cloudsuite::source_memory> == offsetof(c_cloudsuite, source_memory));
static_assert(cs::offset_of<&cloudsuite::asid> == offsetof(c_cloudsuite, asid));

// Members of every size, in an order that leaves gaps of 1 to 7 bytes; nested structs and
// arrays.
struct c_pair {
  std::uint8_t small;
  std::uint16_t large;
};
struct c_gaps {
  std::uint8_t a;
  std::uint16_t b;
  std::uint8_t c;
  std::uint32_t d;
  std::uint8_t e[3];
  alignas(8) std::uint64_t f;
  std::uint16_t g;
  c_pair h[3];
  std::uint8_t i;
  alignas(8) double j;
  float k;
  std::int8_t l[5];
};
struct pair {
  std::uint8_t small;
  std::uint16_t large;
};
struct gaps {
  std::uint8_t a;
  std::uint16_t b;
  std::uint8_t c;
  std::uint32_t d;
  std::array<std::uint8_t, 3> e;
  std::uint64_t f;
  std::uint16_t g;
  std::array<pair, 3> h;
  std::uint8_t i;
  double j;
  float k;
  std::array<std::int8_t, 5> l;
};

template <class Codec> constexpr std::array<std::size_t, 12> offsets() {
  return {Codec::template offset_of<&gaps::a>, Codec::template offset_of<&gaps::b>,
          Codec::template offset_of<&gaps::c>, Codec::template offset_of<&gaps::d>,
          Codec::template offset_of<&gaps::e>, Codec::template offset_of<&gaps::f>,
          Codec::template offset_of<&gaps::g>, Codec::template offset_of<&gaps::h>,
          Codec::template offset_of<&gaps::i>, Codec::template offset_of<&gaps::j>,
          Codec::template offset_of<&gaps::k>, Codec::template offset_of<&gaps::l>};
}
constexpr std::array<std::size_t, 12> compiler_offsets{
    offsetof(c_gaps, a), offsetof(c_gaps, b), offsetof(c_gaps, c), offsetof(c_gaps, d),
    offsetof(c_gaps, e), offsetof(c_gaps, f), offsetof(c_gaps, g), offsetof(c_gaps, h),
    offsetof(c_gaps, i), offsetof(c_gaps, j), offsetof(c_gaps, k), offsetof(c_gaps, l)};

using gaps_natural = wire::record<gaps, order::little, placement::natural>;
using gaps_packed = wire::record<gaps, order::little, placement::packed>;
static_assert(offsets<gaps_natural>() == compiler_offsets);
static_assert(gaps_natural::size == sizeof(c_gaps));
static_assert(offsets<gaps_packed>() ==
              std::array<std::size_t, 12>{0, 1, 3, 4, 8, 11, 19, 21, 30, 31, 39, 43});
static_assert(gaps_packed::size == 48 && gaps_packed::alignment == 1);

TEST_CASE("natural placement reads and writes the bytes of the C struct") {
  using gaps_host = wire::record<gaps, order::native, placement::natural>;
  random_numbers next{1};
  for (int round = 0; round < 100; ++round) {
    auto bytes = next.bytes<sizeof(c_gaps)>();
    c_gaps c{};
    std::memcpy(&c, bytes.data(), sizeof c);
    const gaps g = gaps_host::decode(bytes);
    CHECK(g.a == c.a);
    CHECK(g.b == c.b);
    CHECK(g.c == c.c);
    CHECK(g.d == c.d);
    CHECK(g.e[2] == c.e[2]);
    CHECK(g.f == c.f);
    CHECK(g.g == c.g);
    CHECK(g.h[0].small == c.h[0].small);
    CHECK(g.h[2].large == c.h[2].large);
    CHECK(g.i == c.i);
    CHECK(std::memcmp(&g.j, &c.j, 8) == 0);
    CHECK(std::memcmp(&g.k, &c.k, 4) == 0);
    CHECK(g.l[4] == c.l[4]);
  }
}

// struct.pack('<Q 2B 4B 4B 6x 4Q 4Q 2B 6x', ...)
constexpr cloudsuite sample{
    0x3f000c, 1, 0, {1, 2, 3, 4}, {5, 6, 7, 8}, {0x11, 0x22, 0x33, 0x44}, {0x55, 0x66, 0x77, 0x88},
    {9, 10}};
constexpr auto golden =
    hex<"0c003f0000000000 01 00 01020304 05060708 000000000000"
        "1100000000000000 2200000000000000 3300000000000000 4400000000000000"
        "5500000000000000 6600000000000000 7700000000000000 8800000000000000 090a 000000000000">;
static_assert(cs::decode(golden) == sample);
static_assert([] {
  std::array<byte, 96> out{};
  for (byte& b : out) b = byte{0xff};
  return cs::encode(sample, out) && out == golden;
}());

TEST_CASE("CloudSuite: writes padding as zero, whatever the object and the output contain") {
  alignas(cloudsuite) std::array<byte, sizeof(cloudsuite)> storage{};
  std::memset(storage.data(), 0xee, storage.size());
  auto* object = reinterpret_cast<cloudsuite*>(storage.data());
  object->ip = sample.ip;
  object->is_branch = sample.is_branch;
  object->branch_taken = sample.branch_taken;
  object->destination_registers = sample.destination_registers;
  object->source_registers = sample.source_registers;
  object->destination_memory = sample.destination_memory;
  object->source_memory = sample.source_memory;
  object->asid = sample.asid;
  REQUIRE(storage[18] == byte{0xee});
  std::array<byte, 97> out{};
  std::memset(out.data(), 0xdd, out.size());
  CHECK(cs::encode(*object, out).used == 96);
  CHECK(hex_of(std::span(out).first(96)) == hex_of(golden));
  CHECK(out[96] == byte{0xdd});
}

TEST_CASE("CloudSuite: decode ignores padding") {
  auto bytes = golden;
  for (const std::size_t at : {18U, 23U, 90U, 95U}) bytes[at] = byte{0x77};
  CHECK(cs::decode(bytes) == sample);
}

// Members with alignas have other offsets than naturally placed fields, so the record is not read
// in a single copy.
struct aligned {
  std::uint64_t a;
  std::uint8_t b;
  alignas(4) std::uint8_t c;
  friend constexpr bool operator==(const aligned&, const aligned&) = default;
};
using aligned_codec = wire::record<aligned, order::little, placement::natural>;

TEST_CASE("alignas on a member changes the object, not the wire") {
  const auto bytes = hex<"0807060504030201 11 22 000000000000">;
  static_assert(aligned_codec::size == 16 && aligned_codec::offset_of<&aligned::c> == 9);
  CHECK(aligned_codec::decode(bytes) == aligned{0x0102030405060708, 0x11, 0x22});
  std::array<byte, 16> out{};
  CHECK(aligned_codec::encode({0x0102030405060708, 0x11, 0x22}, out));
  CHECK(out == bytes);
}

}  // namespace
