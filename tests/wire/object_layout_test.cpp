// Tests object_layout and object_bytes: when an object in memory equals its record on the
// wire, and when not.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/items/integers.hpp>
#include <tracecodec/wire/types/file_pointer.hpp>

#include <cstring>

#include "support.hpp"

namespace wire = tracecodec::wire;
namespace champsim = tracecodec::champsim;
using namespace wire_test;
using wire::field;
using wire::order;
using wire::placement;

namespace {

constexpr order foreign = order::native == order::little ? order::big : order::little;
template <class S> using natural = wire::record<S, order::native, placement::natural>;
template <class S> using packed = wire::record<S, order::native, placement::packed>;
template <class S> using reversed = wire::record<S, foreign, placement::natural>;

static_assert(natural<champsim::instruction>::object_layout);
static_assert(natural<champsim::instruction>::object_bytes);
// There are no gaps, so the two placements are equal.
static_assert(packed<champsim::instruction>::object_bytes);
static_assert(!reversed<champsim::instruction>::object_layout);
// CloudSuite's record has padding, so a single copy may read but not write it. On 32-bit x86 the
// object has no padding, so its members are copied one by one.
static_assert(natural<champsim::cloudsuite_instruction>::object_layout ==
              (sizeof(champsim::cloudsuite_instruction) == 96));
static_assert(sizeof(void*) != 8 || sizeof(champsim::cloudsuite_instruction) == 96);
static_assert(!natural<champsim::cloudsuite_instruction>::object_bytes);
static_assert(!packed<champsim::cloudsuite_instruction>::object_layout);

struct with_bool {
  std::uint8_t a;
  bool b;
};
static_assert(!natural<with_bool>::object_layout);  // a byte of value 2 is not a valid bool
struct with_bools {
  std::array<bool, 2> b;
};
static_assert(!natural<with_bools>::object_layout);
enum class answer : bool { no, yes };
struct with_answer {
  answer a;
};
static_assert(!natural<with_answer>::object_layout);

struct bytes_only {
  std::uint8_t a;
  std::array<byte, 3> b;
  std::int8_t c;
};
static_assert(natural<bytes_only>::object_bytes && packed<bytes_only>::object_bytes);
static_assert(reversed<bytes_only>::object_bytes);  // one byte has no order

struct odd {
  std::uint32_t a;
  std::uint8_t b;
};
static_assert(natural<odd>::object_layout && !natural<odd>::object_bytes &&
              natural<odd>::size == 8);
static_assert(!packed<odd>::object_layout && packed<odd>::size == 5);

struct two {
  std::uint16_t a;
  std::uint16_t b;
  friend constexpr bool operator==(const two&, const two&) = default;
};
template <class... Items> using listed =
    wire::record<wire::fields<Items...>, order::native, placement::packed>;
static_assert(listed<field<&two::a>, field<&two::b>>::object_bytes);
static_assert(!listed<field<&two::b>, field<&two::a>>::object_layout);
static_assert(!listed<field<&two::a>, wire::padding<2>, field<&two::b>>::object_layout);
static_assert(!listed<field<&two::a, wire::u8>, field<&two::b>>::object_layout);
static_assert(!listed<field<&two::a>, wire::not_on_wire<&two::b>>::object_layout);
static_assert(
    !listed<field<&two::a>, field<&two::b, wire::scalar<std::uint16_t, foreign>>>::object_layout);

// Nested records: padding inside a member counts as padding, too.
struct outer {
  std::uint32_t id;
  two inside;
};
struct outer_with_gap {
  std::uint32_t id;
  odd inside;
};
static_assert(natural<outer>::object_bytes);
static_assert(!natural<outer_with_gap>::object_layout);
struct pointing {
  wire::file_pointer<two> where;
  std::array<wire::file_pointer<two, wire::whole_file, std::int32_t>, 2> more;
};
static_assert(natural<pointing>::object_bytes && !reversed<pointing>::object_layout);
struct floating {
  double d;
  float f;
  std::uint32_t i;
};
static_assert(natural<floating>::object_bytes);
struct aligned {
  std::uint64_t a;
  std::uint8_t b;
  alignas(4) std::uint8_t c;
};
static_assert(!natural<aligned>::object_layout);

// Decodes `in`, and checks that the bytes come back if they are accepted.
template <class Codec, std::size_t N> wire::errc comes_back(const std::array<byte, N>& in) {
  typename Codec::value_type value{};
  const wire::result r = Codec::decode(std::span<const byte>(in), value);
  if (!r) return r.error;
  std::array<byte, N> out{};
  CHECK(Codec::encode(value, out));
  CHECK(out == in);
  return wire::errc::ok;
}

TEST_CASE("a bool accepts only the bytes 0 and 1, in fields, arrays and enumerations") {
  using wire::errc;
  CHECK(comes_back<natural<with_bool>>(hex<"05 01">) == errc::ok);
  CHECK(comes_back<natural<with_bool>>(hex<"05 00">) == errc::ok);
  CHECK(comes_back<natural<with_bool>>(hex<"05 02">) == errc::invalid_value);
  CHECK(comes_back<natural<with_bool>>(hex<"05 ff">) == errc::invalid_value);
  CHECK(comes_back<natural<with_bools>>(hex<"01 00">) == errc::ok);
  CHECK(comes_back<natural<with_bools>>(hex<"00 80">) == errc::invalid_value);
  CHECK(comes_back<natural<with_answer>>(hex<"01">) == errc::ok);
  CHECK(comes_back<natural<with_answer>>(hex<"02">) == errc::invalid_value);
}

TEST_CASE("nonzero<> accepts every value, and encode writes 0 or 1") {
  struct wide {
    bool set, other;
  };
  using codec = wire::record<wire::fields<field<&wide::set, wire::nonzero<std::uint32_t>>,
                                          field<&wide::other, wire::nonzero<>>>,
                             order::big>;
  static_assert(codec::size == 5);
  const wide a = codec::decode(hex<"00010000 00">);
  CHECK(a.set);
  CHECK(!a.other);
  std::array<byte, 5> out{};
  CHECK(codec::encode(a, out));
  CHECK(out == hex<"00000001 00">);
}

TEST_CASE("a reordered description of members of one type decodes each to its own place") {
  using codec = wire::record<wire::fields<field<&two::b>, field<&two::a>>, order::little>;
  CHECK(codec::decode(hex<"0100 0200">) == two{2, 1});
  std::array<byte, 4> out{};
  CHECK(codec::encode({2, 1}, out));
  CHECK(out == hex<"0100 0200">);
}

// object_layout promises that decode and memcpy agree.
template <class S> void check_copy() {
  random_numbers next{3};
  for (int i = 0; i < 200; ++i) {
    const auto bytes = next.bytes<natural<S>::size>();
    S copied{};
    std::memcpy(&copied, bytes.data(), sizeof copied);
    CHECK(natural<S>::decode(bytes) == copied);
  }
}
TEST_CASE("decoding a record with object_layout equals memcpy") {
  check_copy<champsim::instruction>();
  if constexpr (natural<champsim::cloudsuite_instruction>::object_layout)
    check_copy<champsim::cloudsuite_instruction>();
}

}  // namespace
