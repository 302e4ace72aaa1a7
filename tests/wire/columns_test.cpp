// Tests columns of records against RapidBin's real events, against shifts written by hand, and
// against the codec itself, one record at a time.
#include <doctest/doctest.h>
#include <tracecodec/wire/columns/columns.hpp>
#include <tracecodec/wire/items/integers.hpp>
#include <tracecodec/wire/rules/constant.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::as;
using wire::errc;
using wire::order;
using wire::placement;

namespace {

using bytes = std::vector<byte>;

bytes random_bytes(std::size_t n, std::uint64_t seed) {
  random_numbers random{seed};
  bytes all(n);
  for (byte& b : all) b = static_cast<byte>(random() & 0xff);
  return all;
}

// Vector whose elements are addressable even if they are bools.
template <class T> struct column {
  explicit column(std::size_t n) : of(std::make_unique<T[]>(n)), size(n) {}
  operator std::span<T>() { return {of.get(), size}; }
  operator std::span<const T>() const { return {of.get(), size}; }
  T& operator[](std::size_t i) { return of[i]; }
  std::unique_ptr<T[]> of;
  std::size_t size;
};

enum class kind : std::uint8_t {};

// --- RapidBin's events: sign 1 | location 15 | decor 34 | operation 4 | thread 10, big-endian.
struct event {
  bool sign;
  std::uint16_t location;
  std::uint64_t decor;
  kind op;
  std::uint16_t thread;
};
template <order O> using event_of = wire::record<
    wire::fields<wire::bit_slices<std::uint64_t, wire::bits<&event::sign, 1>,
                                  wire::bits<&event::location, 15>, wire::bits<&event::decor, 34>,
                                  wire::bits<&event::op, 4>, wire::bits<&event::thread, 10>>>,
    O>;
using event_codec = event_of<order::big>;

// Bit positions from the specification's table, compared with the description's.
static_assert(event_codec::slice_of<&event::sign> == wire::slice{0, 63, 1});
static_assert(event_codec::slice_of<&event::location> == wire::slice{0, 48, 15});
static_assert(event_codec::slice_of<&event::decor> == wire::slice{0, 14, 34});
static_assert(event_codec::slice_of<&event::op> == wire::slice{0, 10, 4});
static_assert(event_codec::slice_of<&event::thread> == wire::slice{0, 0, 10});
static_assert(std::is_same_v<event_codec::word_of<&event::decor>, wire::u64be>);

// Events 0, 2, 3, 8, 11, 12, 100 and 253: bytes from r250.data, fields from r250.dump.jsonl.
constexpr auto real_events =
    hex<"0000000000000c00 0002000000008800 0003000000005000 0008000000002001 000b000000000001 "
        "000c000000000401 002d00000005cc03 001f000000009401">;
constexpr std::array<std::uint16_t, 8> real_locations{0, 2, 3, 8, 11, 12, 45, 31};
constexpr std::array<std::uint64_t, 8> real_decors{0, 2, 1, 0, 0, 0, 23, 2};
constexpr std::array<std::uint8_t, 8> real_operations{3, 2, 4, 8, 0, 1, 3, 5};
constexpr std::array<std::uint16_t, 8> real_threads{0, 0, 0, 1, 1, 1, 3, 1};

constexpr bool real_events_both_ways() {
  using columns = wire::columns<event_codec, &event::thread, as<&event::op, std::uint8_t>,
                                &event::decor, &event::location>;
  std::array<std::uint16_t, 8> thread{}, location{};
  std::array<std::uint64_t, 8> decor{};
  std::array<std::uint8_t, 8> op{};
  const auto done =
      columns::decode(wire::array_view<event_codec>(real_events), thread, op, decor, location);
  std::array<byte, 64> back{};
  const auto made = columns::encode(thread, op, decor, location, back);
  return done.records == 8 && !done.others && thread == real_threads && op == real_operations &&
         decor == real_decors && location == real_locations && made && made.records == 8 &&
         back == real_events;
}
static_assert(real_events_both_ways());

TEST_CASE("columns decode and encode RapidBin's events") { CHECK(real_events_both_ways()); }

// Blocks at compile time.
struct nibbles {
  std::uint8_t high, low;
};
using nibbles_codec = wire::record<wire::fields<
    wire::bit_slices<std::uint8_t, wire::bits<&nibbles::high, 4>, wire::bits<&nibbles::low, 4>>>>;
constexpr bool blocks_in_constants() {
  std::array<byte, 260> all{}, back{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<byte>(i & 0xff);
  std::array<std::uint8_t, 260> high{}, low{};
  using columns = wire::columns<nibbles_codec>;
  columns::decode(wire::array_view<nibbles_codec>(all), high, low);
  for (unsigned i = 0; i < 256; ++i)
    if (high[i] != i / 16 || low[i] != i % 16) return false;
  return columns::encode(high, low, back) && back == all;
}
static_assert(blocks_in_constants());

// --- Slices of any width in words of any size and order, among other fields.
struct inner {
  std::uint8_t a;
  std::uint32_t b;
  friend bool operator==(const inner&, const inner&) = default;
};
struct mixed {
  std::uint8_t first;
  std::uint16_t s3, s8;  // bits 13-15 and 0-7 of a word of 16 bits
  std::array<std::uint16_t, 3> some;
  std::int32_t number;
  double real;
  kind what;
  bool flag;
  std::uint32_t s1, s31;  // in a word of 32 bits
  std::uint64_t narrow;   // 16 bits in the file
  inner nested;
  std::array<inner, 2> more;
  bool t, f;  // bits 7 and 0 of a byte
  std::uint64_t whole;
};
template <order O, placement P> using mixed_of =
    wire::record<wire::fields<wire::field<&mixed::first>,
                              wire::bit_slices<std::uint16_t, wire::bits<&mixed::s3, 3>,
                                               wire::unused_bits<5>, wire::bits<&mixed::s8, 8>>,
                              wire::field<&mixed::some>, wire::field<&mixed::number>,
                              wire::padding<3>, wire::field<&mixed::real>,
                              wire::field<&mixed::what>, wire::field<&mixed::flag, wire::nonzero<>>,
                              wire::bit_slices<std::uint32_t, wire::bits<&mixed::s1, 1>,
                                               wire::bits<&mixed::s31, 31>>,
                              wire::field<&mixed::narrow, std::uint16_t>,
                              wire::field<&mixed::nested>, wire::field<&mixed::more>,
                              wire::bit_slices<std::uint8_t, wire::bits<&mixed::t, 1>,
                                               wire::unused_bits<6>, wire::bits<&mixed::f, 1>>,
                              wire::bit_slices<wire::u64be, wire::bits<&mixed::whole, 64>>>,
                 O, P>;

// Returns bits [low, low + width) of the word of `size` bytes, independently of the library.
std::uint64_t bits_by_hand(const byte* p, std::size_t size, order o, unsigned low, unsigned width) {
  std::uint64_t w = 0;
  for (std::size_t i = 0; i < size; ++i)
    w = w << 8 | std::to_integer<std::uint64_t>(p[o == order::big ? i : size - 1 - i]);
  w >>= low;
  return width == 64 ? w : w & ((std::uint64_t{1} << width) - 1);
}

// Returns all sizes around a block, and one that is too large for the caches.
std::vector<std::size_t> sizes(std::size_t cached) {
  std::vector<std::size_t> all{0, 1, 2, 255, 256, 257, 300, 511, 512, 513, 1000};
  all.push_back(cached + 300);
  return all;
}

template <class Codec> struct by_hand {
  const byte* p;
  template <auto M> std::uint64_t bits(std::size_t word, unsigned low, unsigned width) const {
    return bits_by_hand(p + Codec::template offset_of<M>, word, Codec::byte_order, low, width);
  }
};

template <class Codec> void check_mixed() {
  using all = wire::columns<Codec>;
  CHECK(all::count == 16);
  CHECK(all::names[0] == "first");
  CHECK(all::names[15] == "whole");
  constexpr order o = Codec::byte_order;
  constexpr std::size_t size = Codec::size;
  for (const std::size_t n : sizes(all::cached_records)) {
    CAPTURE(n);
    bytes raw = random_bytes(n * size, n);
    // A finite number, because some hosts change the bits of a signalling NaN.
    for (std::size_t i = 0; i < n; ++i)
      raw[i * size + Codec::template offset_of<&mixed::real> + (o == order::big ? 0 : 7)] =
          byte{0x3F};
    const wire::array_view<Codec> records(raw.data(), n);
    column<std::uint8_t> first(n);
    column<std::uint16_t> s3(n), s8(n);
    column<std::array<std::uint16_t, 3>> some(n);
    column<std::int32_t> number(n);
    column<double> real(n);
    column<kind> what(n);
    column<bool> flag(n), t(n), f(n);
    column<std::uint32_t> s1(n), s31(n);
    column<std::uint64_t> narrow(n), whole(n);
    column<inner> nested(n);
    column<std::array<inner, 2>> more(n);
    const auto done = all::decode(records, first, s3, s8, some, number, real, what, flag, s1, s31,
                                  narrow, nested, more, t, f, whole);
    REQUIRE(done.records == n);
    bool same = true, others = false;
    for (std::size_t i = 0; i < n; ++i) {
      const by_hand<Codec> h{raw.data() + i * size};
      same &= first[i] == h.template bits<&mixed::first>(1, 0, 8) &&
              s3[i] == h.template bits<&mixed::s3>(2, 13, 3) &&
              s8[i] == h.template bits<&mixed::s8>(2, 0, 8) &&
              s1[i] == h.template bits<&mixed::s1>(4, 31, 1) &&
              s31[i] == h.template bits<&mixed::s31>(4, 0, 31) &&
              narrow[i] == h.template bits<&mixed::narrow>(2, 0, 16) &&
              static_cast<std::uint32_t>(number[i]) == h.template bits<&mixed::number>(4, 0, 32) &&
              std::bit_cast<std::uint64_t>(real[i]) == h.template bits<&mixed::real>(8, 0, 64) &&
              static_cast<std::uint8_t>(what[i]) == h.template bits<&mixed::what>(1, 0, 8) &&
              flag[i] == (h.template bits<&mixed::flag>(1, 0, 8) != 0) &&
              t[i] == h.template bits<&mixed::t>(1, 7, 1) &&
              f[i] == h.template bits<&mixed::f>(1, 0, 1) &&
              whole[i] == bits_by_hand(h.p + Codec::template offset_of<&mixed::whole>, 8,
                                       order::big, 0, 64);
      others |=
          h.template bits<&mixed::s3>(2, 8, 5) != 0 || h.template bits<&mixed::t>(1, 1, 6) != 0;
      const mixed m = records[i];
      same &= some[i] == m.some && nested[i] == m.nested && more[i] == m.more;
    }
    REQUIRE(same);
    REQUIRE(done.others == others);

    bytes back(n * size + 5, byte{0xAA}), expected(n * size);
    for (std::size_t i = 0; i < n; ++i)
      Codec::encode(records[i], std::span(expected).subspan(i * size));
    const auto made = all::encode(first, s3, s8, some, number, real, what, flag, s1, s31, narrow,
                                  nested, more, t, f, whole, back);
    REQUIRE(made);
    REQUIRE(made.records == n);
    REQUIRE(std::equal(expected.begin(), expected.end(), back.begin()));
    REQUIRE(std::all_of(back.end() - 5, back.end(), [](byte b) { return b == byte{0xAA}; }));
  }
}

TEST_CASE("columns agree with the codec for every byte order and placement") {
  check_mixed<mixed_of<order::little, placement::packed>>();
  check_mixed<mixed_of<order::big, placement::packed>>();
  check_mixed<mixed_of<order::little, placement::natural>>();
  check_mixed<mixed_of<order::big, placement::natural>>();
}

template <class Codec> void check_events() {
  using all = wire::columns<Codec, &event::thread, &event::op, &event::decor, &event::location,
                            as<&event::sign, std::uint32_t>>;
  for (const std::size_t n : sizes(all::cached_records)) {
    const bytes raw = random_bytes(n * 8 + 18, n);  // after a header, and therefore never aligned
    const byte* const p = raw.data() + 18;
    const wire::array_view<Codec> records(p, n);
    column<std::uint16_t> thread(n), location(n);
    column<kind> op(n);
    column<std::uint64_t> decor(n);
    column<std::uint32_t> sign(n);
    const auto done = all::decode(records, thread, op, decor, location, sign);
    REQUIRE(done.records == n);
    REQUIRE(!done.others);
    bool same = true;
    const auto bits_of = [&](std::size_t i, unsigned low, unsigned width) {
      return bits_by_hand(p + 8 * i, 8, Codec::byte_order, low, width);
    };
    for (std::size_t i = 0; i < n; ++i)
      same &= thread[i] == bits_of(i, 0, 10) && op[i] == static_cast<kind>(bits_of(i, 10, 4)) &&
              decor[i] == bits_of(i, 14, 34) && location[i] == bits_of(i, 48, 15) &&
              sign[i] == bits_of(i, 63, 1);
    REQUIRE(same);
    bytes back(n * 8);
    REQUIRE(all::encode(thread, op, decor, location, sign, back).records == n);
    REQUIRE(std::equal(back.begin(), back.end(), p));

    // Only two of the columns. decode reports that there are other values, and encode writes them
    // as zero.
    using two = wire::columns<Codec, &event::location, &event::op>;
    column<std::uint16_t> location2(n);
    column<kind> op2(n);
    REQUIRE(two::decode(records, location2, op2).others == (n != 0));
    REQUIRE(two::encode(location2, op2, back).records == n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t w = bits_by_hand(back.data() + 8 * i, 8, Codec::byte_order, 0, 64);
      same &= w == (bits_of(i, 48, 15) << 48 | bits_of(i, 10, 4) << 10) &&
              location2[i] == location[i] && op2[i] == op[i];
    }
    REQUIRE(same);
  }
}

TEST_CASE("columns agree with the codec for slices of one word") {
  check_events<event_of<order::big>>();
  check_events<event_of<order::little>>();
}

TEST_CASE("members without a column are written as zero") {
  using codec = mixed_of<order::big, placement::natural>;
  using some = wire::columns<codec, &mixed::real, &mixed::s31, &mixed::more>;
  constexpr std::size_t n = 300;
  bytes raw = random_bytes(n * codec::size, 7);
  for (std::size_t i = 0; i < n; ++i)
    raw[i * codec::size + codec::offset_of<&mixed::real>] = byte{0x3F};
  const wire::array_view<codec> records(raw);
  column<double> real(n);
  column<std::uint32_t> s31(n);
  column<std::array<inner, 2>> more(n);
  CHECK(some::decode(records, real, s31, more).others);  // s1 has a nonzero value in some record
  bytes back(n * codec::size, byte{0xAA}), expected(n * codec::size);
  for (std::size_t i = 0; i < n; ++i) {
    mixed m{};
    m.real = records[i].real;
    m.s31 = records[i].s31;
    m.more = records[i].more;
    codec::encode(m, std::span(expected).subspan(i * codec::size));
  }
  CHECK(some::encode(real, s31, more, back));
  CHECK(back == expected);
}

namespace {
struct marked {
  std::uint16_t magic;
  std::uint32_t ip;
  std::uint8_t kind;
  std::uint16_t size;
  bool first;
  std::uint8_t place;
};
using marked_codec =
    wire::record<wire::fields<wire::constant<&marked::magic, 0x1234>, wire::field<&marked::ip>,
                              wire::one_of<&marked::kind, 1, 2>, wire::field<&marked::size>,
                              wire::bit_slices<std::uint8_t, wire::bits<&marked::first, 1>,
                                               wire::bits<&marked::place, 7>>>,
                 order::big>;
}  // namespace

TEST_CASE("columns of plain members ignore values that only the codec checks") {
  bytes all(3 * marked_codec::size);
  for (unsigned i = 0; i < 3; ++i)
    CHECK(marked_codec::encode(
        marked{0x1234, 70 + i, static_cast<std::uint8_t>(1 + i % 2),
               static_cast<std::uint16_t>(900 + i), i == 0, static_cast<std::uint8_t>(5 * i)},
        std::span(all).subspan(i * marked_codec::size)));
  all[0] = byte{9};  // not examined
  column<std::uint32_t> ips(3);
  column<std::uint16_t> sizes(3);
  column<std::uint8_t> places(3);
  using some = wire::columns<marked_codec, &marked::ip, &marked::size, &marked::place>;
  const auto done = some::decode(wire::array_view<marked_codec>(all), ips, sizes, places);
  CHECK(done.records == 3);
  CHECK(done.others);  // `first` is in the word of `place`
  for (unsigned i = 0; i < 3; ++i) {
    CHECK(ips[i] == 70 + i);
    CHECK(sizes[i] == 900 + i);
    CHECK(places[i] == 5 * i);
  }
}

TEST_CASE("columns end with the shortest column or with the output") {
  const bytes raw = random_bytes(8 * 700, 1);
  using columns = wire::columns<event_codec, &event::thread, &event::decor>;
  for (const std::size_t n : {0U, 1U, 255U, 256U, 257U, 699U}) {
    column<std::uint16_t> thread(700);
    column<std::uint64_t> decor(n);
    thread[n] = 0xFFFF;
    CHECK(columns::decode(wire::array_view<event_codec>(raw), thread, decor).records == n);
    CHECK(thread[n] == 0xFFFF);
    bytes back(8 * 700, byte{0xAA});
    const auto made = columns::encode(std::span<const std::uint16_t>(thread).first(n), decor, back);
    CHECK(made);
    CHECK(made.records == n);
    CHECK(std::all_of(back.begin() + static_cast<long>(8 * n), back.end(),
                      [](byte b) { return b == byte{0xAA}; }));
    column<std::uint64_t> long_decor(700);
    CHECK(columns::encode(std::span<const std::uint16_t>(thread).first(n), long_decor,
                          std::span(back).first(8 * (n / 2) + 7))
              .records == n / 2);
  }
}

// Nested record whose fields are narrower than its members.
struct small_number {
  std::uint32_t n;
};
using small_codec = wire::record<wire::fields<wire::field<&small_number::n, std::uint8_t>>>;
struct limits {
  std::uint64_t narrow;
  std::int32_t below;
  bool sign;
  std::uint16_t location;
  std::uint8_t op;
  small_number small;
};
using limits_codec = wire::record<wire::fields<
    wire::field<&limits::narrow, std::uint32_t>, wire::field<&limits::below, std::int8_t>,
    wire::bit_slices<std::uint32_t, wire::bits<&limits::sign, 1>, wire::unused_bits<16>,
                     wire::bits<&limits::op, 4>, wire::bits<&limits::location, 11>>,
    wire::field<&limits::small, small_codec>>>;

TEST_CASE("encoding columns stops at the first value that does not fit") {
  constexpr std::size_t n = 600, size = limits_codec::size;
  struct table {
    column<std::uint64_t> narrow{n};
    column<std::int32_t> below{n};
    column<std::uint8_t> sign{n}, op{n};
    column<std::uint16_t> location{n};
    column<small_number> small{n};
  };
  const bytes raw = random_bytes(n * size, 3);
  struct bad {
    const char* field;
    void (*spoil)(table&, std::size_t);
  };
  const bad all[] = {
      {"narrow", [](table& t, std::size_t i) { t.narrow[i] = std::uint64_t{1} << 32; }},
      {"narrow", [](table& t, std::size_t i) { t.narrow[i] = std::uint64_t{1} << 63; }},
      {"below", [](table& t, std::size_t i) { t.below[i] = 128; }},
      {"below", [](table& t, std::size_t i) { t.below[i] = -129; }},
      {"op", [](table& t, std::size_t i) { t.op[i] = 16; }},
      {"op", [](table& t, std::size_t i) { t.op[i] = 255; }},
      {"location", [](table& t, std::size_t i) { t.location[i] = 2048; }},
      {"location", [](table& t, std::size_t i) { t.location[i] = 65535; }},
      {"small", [](table& t, std::size_t i) { t.small[i].n = 256; }},
      // If two values do not fit, encode names the first in the file, whatever the order of the
      // columns.
      {"op", [](table& t, std::size_t i) { t.op[i] = 16, t.location[i] = 2048; }},
      {"below",
       [](table& t, std::size_t i) { t.below[i] = 128, t.small[i].n = 256, t.op[i] = 16; }},
      // Any nonzero sign is stored as true.
      {nullptr, [](table& t, std::size_t i) { t.sign[i] = 2; }},
  };
  using columns = wire::columns<limits_codec, &limits::location, &limits::small, &limits::narrow,
                                as<&limits::sign, std::uint8_t>, &limits::op, &limits::below>;
  for (const bad& b : all)
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{256},
                                 std::size_t{511}, n - 1}) {
      CAPTURE(b.field);
      CAPTURE(at);
      table t;
      columns::decode(wire::array_view<limits_codec>(raw), t.location, t.small, t.narrow, t.sign,
                      t.op, t.below);
      bytes sound(n * size), back(n * size, byte{0xAA});
      REQUIRE(columns::encode(t.location, t.small, t.narrow, t.sign, t.op, t.below, sound));
      b.spoil(t, at);
      const auto made = columns::encode(t.location, t.small, t.narrow, t.sign, t.op, t.below, back);
      if (b.field == nullptr) {
        CHECK(made.records == n);
        CHECK((back[at * size + 8] & byte{0x80}) == byte{0x80});
        continue;
      }
      CHECK_FALSE(made);
      CHECK(made.error == errc::does_not_fit);
      CHECK(made.field == b.field);
      CHECK(made.records == at);
      const auto end = static_cast<long>(at * size);
      CHECK(std::equal(sound.begin(), sound.begin() + end, back.begin()));
      CHECK(std::all_of(back.begin() + end, back.end(), [](byte v) { return v == byte{0xAA}; }));
      // The codec reports this record in the same way.
      const limits one{t.narrow[at],   t.below[at], t.sign[at] != 0,
                       t.location[at], t.op[at],    t.small[at]};
      std::array<byte, size> out{};
      const auto r = limits_codec::encode(one, out);
      CHECK(r.error == made.error);
      CHECK(r.field == made.field);
    }
}

// --- get_into.
struct operands {
  std::uint8_t count;
  std::array<std::uint64_t, 4> addresses;
};
using operands_codec = wire::record<operands, order::big>;
constexpr bool arrays_to_their_place() {
  std::array<byte, operands_codec::size> raw{};
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<byte>(i);
  std::array<std::uint64_t, 4> to{1, 2, 3, 4};
  operands_codec::get_into<&operands::addresses>(to, raw);
  const wire::record_view<operands_codec> v(raw);
  std::array<std::uint64_t, 4> again{};
  v.get_into<&operands::addresses>(again);
  std::uint8_t count = 9;
  v.get_into<&operands::count>(count);
  return to == std::array<std::uint64_t, 4>{0x0102030405060708, 0x090a0b0c0d0e0f10,
                                            0x1112131415161718, 0x191a1b1c1d1e1f20} &&
         again == to && v.get<&operands::addresses>() == to && count == 0;
}
static_assert(arrays_to_their_place());
static_assert(std::is_same_v<operands_codec::word_of<&operands::count>,
                             wire::scalar<std::uint8_t, order::big>>);

TEST_CASE("get_into decodes one member into an existing object") {
  CHECK(arrays_to_their_place());
  std::uint64_t decor = 0;
  event_codec::get_into<&event::decor>(decor, std::span(real_events).subspan<48, 8>());
  CHECK(decor == 23);
}

}  // namespace
