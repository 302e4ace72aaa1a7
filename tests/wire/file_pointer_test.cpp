// Tests file pointers: where they may lead, what they are relative to, and how they are
// stored.
#include <doctest/doctest.h>
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/types/file_pointer.hpp>

#include <limits>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::errc;
using wire::file_pointer;
using wire::order;
using wire::placement;
using wire::region;

namespace {

constexpr auto file = hex<"00112233445566778899aabbccddeeff">;
constexpr region<> whole{file};

constexpr bool leads_to(wire::located l, std::size_t at, std::size_t n) {
  return l && l.error == errc::ok && l.bytes.data() == file.data() + at && l.bytes.size() == n;
}
constexpr bool leads_nowhere(wire::located l) {
  return !l && l.error == errc::out_of_bounds && l.bytes.empty();
}

using pointer = file_pointer<wire::u32le>;
using signed_pointer = file_pointer<wire::u32le, wire::whole_file, std::int64_t>;
using small_pointer = file_pointer<wire::u32le, wire::whole_file, std::int8_t>;

constexpr bool inside_and_out() {
  bool ok = leads_to(pointer{0}.locate(whole, 16), 0, 16) &&
            leads_to(pointer{0}.locate(whole, 0), 0, 0) &&
            leads_to(pointer{15}.locate(whole, 1), 15, 1) &&
            leads_to(pointer{16}.locate(whole, 0), 16, 0) &&
            leads_to(pointer{12}.locate(whole), 12, 4);
  ok = ok && leads_nowhere(pointer{16}.locate(whole, 1)) &&
       leads_nowhere(pointer{17}.locate(whole, 0)) && leads_nowhere(pointer{13}.locate(whole)) &&
       leads_nowhere(pointer{0}.locate(whole, 17)) &&
       leads_nowhere(pointer{1}.locate(whole, std::numeric_limits<std::size_t>::max())) &&
       leads_nowhere(pointer{std::numeric_limits<std::uint64_t>::max()}.locate(whole, 0)) &&
       leads_nowhere(pointer{std::uint64_t{1} << 63}.locate(whole, 1)) &&
       leads_nowhere(pointer{std::uint64_t{1} << 32}.locate(whole, 1));
  ok = ok && leads_to(signed_pointer{4}.locate(whole), 4, 4) &&
       leads_nowhere(signed_pointer{-1}.locate(whole)) &&
       leads_nowhere(signed_pointer{-1}.locate(whole, 0)) &&
       leads_nowhere(signed_pointer{std::numeric_limits<std::int64_t>::min()}.locate(whole, 1)) &&
       leads_nowhere(signed_pointer{std::numeric_limits<std::int64_t>::max()}.locate(whole, 1)) &&
       leads_to(small_pointer{12}.locate(whole), 12, 4) &&
       leads_nowhere(small_pointer{-128}.locate(whole)) &&
       leads_nowhere(small_pointer{127}.locate(whole));
  ok = ok && leads_to(pointer{13}.locate_rest(whole), 13, 3) &&
       leads_to(pointer{16}.locate_rest(whole), 16, 0) &&
       leads_nowhere(pointer{17}.locate_rest(whole)) &&
       leads_nowhere(signed_pointer{-1}.locate_rest(whole));
  return ok && leads_nowhere(pointer{1}.locate(region<>{}, 0)) &&
         pointer{0}.locate(region<>{}, 0).error == errc::ok;
}
static_assert(inside_and_out());
TEST_CASE("a pointer finds only bytes inside its region") { CHECK(inside_and_out()); }

// A region of another type does not match. See also the compile_fail tests.
struct extra_area;
using extra_pointer = file_pointer<wire::u32le, extra_area>;
template <class P, class R>
concept locates = requires(P p, R r) {
  p.locate(r, std::size_t{1});
};
static_assert(locates<pointer, region<>> && locates<extra_pointer, region<extra_area>>);
static_assert(!locates<pointer, region<extra_area>> && !locates<extra_pointer, region<>>);
static_assert(!locates<pointer, std::span<const byte>>);
// A target without a size of its own needs the number of bytes.
struct unknown;
template <class P>
concept sized = requires(P p, region<> r) {
  p.locate(r);
};
static_assert(sized<pointer> && !sized<file_pointer<unknown>> && !sized<file_pointer<char>>);

TEST_CASE("a pointer may be relative to an area of the file") {
  const region<extra_area> extra{std::span(file).subspan(8)};
  const auto l = extra_pointer{4}.locate(extra);
  REQUIRE(l);
  CHECK(wire::u32le::load(l.bytes.data()) == 0xffeeddcc);
  CHECK(leads_nowhere(extra_pointer{5}.locate(extra)));
}

struct header {
  std::uint8_t kind;
  pointer table;
  std::array<file_pointer<wire::u8, extra_area, std::int32_t>, 2> names;
  friend constexpr bool operator==(const header&, const header&) = default;
};
constexpr header sample{7, {0x0102030405060708}, {{{0x11121314}, {-2}}}};
template <class Codec, std::size_t N> constexpr bool trip(const std::array<byte, N>& golden) {
  std::array<byte, N> out{};
  return Codec::size == N && Codec::encode(sample, out) && out == golden &&
         Codec::decode(golden) == sample;
}
using natural = wire::record<header, order::little, placement::natural>;
static_assert(trip<wire::record<header>>(hex<"07 0807060504030201 14131211 feffffff">));
static_assert(trip<wire::record<header, order::big>>(hex<"07 0102030405060708 11121314 fffffffe">));
static_assert(trip<natural>(hex<"0700000000000000 0807060504030201 14131211 feffffff">));

TEST_CASE("a pointer is stored as an integer in the record's byte order and placement") {
  CHECK(trip<wire::record<header>>(hex<"07 0807060504030201 14131211 feffffff">));
  CHECK(trip<wire::record<header, order::big>>(hex<"07 0102030405060708 11121314 fffffffe">));
  CHECK(trip<natural>(hex<"0700000000000000 0807060504030201 14131211 feffffff">));
  CHECK(natural::offset_of<&header::table> == 8);
  CHECK(wire::layout_table<natural>[2].type.view() == "u64 pointer");
  CHECK(wire::layout_table<natural>[3].type.view() == "i32 pointer[2]");
}

// Pointer with an explicit wire type, because its byte order differs from the record's.
struct foreign {
  std::uint16_t id;
  pointer where;
};
using foreign_codec = wire::record<
    wire::fields<wire::field<&foreign::id>,
                 wire::field<&foreign::where, wire::file_pointer_codec<pointer, wire::u64be>>>>;
static_assert(foreign_codec::decode(hex<"0201 0000000000000010">).where.offset == 16);

}  // namespace
