// Tests counts and conditions whose value changes while a record is read or written. Some depend on
// a member of their own or a later section, which the compiler cannot detect. Others return
// arbitrary values. The codec must never access a byte outside the bytes that it checked.
#include <doctest/doctest.h>
#include <tracecodec/wire/items/integers.hpp>
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/rules/constant.hpp>

#include <memory>
#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
using namespace wire_test;
using wire::counted;
using wire::errc;
using wire::field;
using wire::section;
using wire::when;

namespace {

// Buffer of exact size on the heap, so that a sanitizer detects reads and writes after its
// end.
class exact {
 public:
  exact(std::size_t n, std::uint8_t fill) : bytes_(new byte[n]), n_(n) {
    for (std::size_t i = 0; i < n; ++i) bytes_[i] = byte{fill};
  }
  [[nodiscard]] std::span<byte> span() const { return {bytes_.get(), n_}; }

 private:
  std::unique_ptr<byte[]> bytes_;
  std::size_t n_;
};

// Returns true if `v` is within `all`.
template <class View> bool inside(const View& v, std::span<const byte> all) {
  const auto b = v.bytes();
  if (b.empty()) return true;
  return b.data() >= all.data() && b.size() <= all.size() &&
         static_cast<std::size_t>(b.data() - all.data()) <= all.size() - b.size();
}

// Reads every byte of `v`.
template <class View> std::uint64_t sum(const View& v) {
  std::uint64_t n = 0;
  for (const auto e : v) n += e;
  return n;
}

// Count that depends on its own section. It is evaluated before the section is read, while the
// member is still 0.
struct own {
  std::uint8_t n{};
  wire::array_view<wire::u16le> items{};
  unsigned twice() const { return 2U * n; }  // not constexpr: the compiler cannot reject it
};
using own_codec =
    wire::record<wire::fields<section<field<&own::n>, counted<&own::items, &own::twice>>>>;

TEST_CASE("a count that its own section changes causes no access outside the input") {
  for (std::size_t size = 0; size < 8; ++size) {
    CAPTURE(size);
    const exact in(size, 0xff);
    own o{};
    const wire::result r = own_codec::decode(in.span(), o);
    CHECK(r.error == (size == 0 ? errc::truncated : errc::ok));
    CHECK(r.used == (size == 0 ? 0 : 1));
    CHECK(inside(o.items, in.span()));
    CHECK(o.items.empty());
  }
  // The count uses the value that an earlier record left, and that many elements must exist.
  const exact in(8, 0xff);
  own o{1, {}};
  CHECK(own_codec::decode(in.span().first(4), o).error == errc::truncated);
  o = {1, {}};
  const wire::result r = own_codec::decode(in.span(), o);
  CHECK(r);
  CHECK(r.used == 5);
  CHECK(o.items.size() == 2);
  CHECK(sum(o.items) == 2 * 0xffff);
}

// Several arrays in one section that depend on members of that section. One of them is
// conditional.
struct many {
  std::uint8_t n{};
  bool there{};
  wire::array_view<wire::u8> a{};
  wire::array_view<wire::u32le> b{};
  std::uint32_t last{};
  std::size_t count_n() const { return n; }
  bool is_there() const { return there; }
  std::size_t size_of_a() const { return a.size(); }
};
using many_codec = wire::record<wire::fields<section<
    field<&many::n>, field<&many::there, wire::nonzero<>>, counted<&many::a, &many::count_n>,
    when<&many::is_there, counted<&many::b, &many::size_of_a>, field<&many::last>>>>>;

TEST_CASE("several counts and a condition that change cause no access outside the input") {
  for (unsigned before = 0; before < 4; ++before)
    for (const bool there : {false, true})
      for (std::size_t size = 0; size < 24; ++size) {
        CAPTURE(before);
        CAPTURE(there);
        CAPTURE(size);
        const exact in(size, 0xff);
        const std::array<byte, 3> old{};
        many m{static_cast<std::uint8_t>(before), there, wire::array_view<wire::u8>(old), {}, 0};
        const std::size_t needed = 2 + before + (there ? 3 * 4 + 4 : 0);
        const wire::result r = many_codec::decode(in.span(), m);
        CHECK(static_cast<bool>(r) == (size >= needed));
        CHECK(r.used <= size);
        if (!r) {
          CHECK(r.error == errc::truncated);
          CHECK(!r.field.empty());
          continue;
        }
        CHECK(r.used == needed);
        CHECK(inside(m.a, in.span()));
        CHECK(inside(m.b, in.span()));
        CHECK(sum(m.a) == 0xff * std::uint64_t{before});
        CHECK(sum(m.b) == (there ? 3 * std::uint64_t{0xffffffff} : 0));
      }
}

// The input ends in the second section. The first section's members change the counts on which both
// sections depend.
struct late {
  std::uint8_t n{};
  wire::array_view<wire::u8> items{};
  std::uint32_t last{};
  std::size_t count_n() const { return n; }
  std::size_t count_last() const { return last; }
};
using late_codec =
    wire::record<wire::fields<section<field<&late::n>, counted<&late::items, &late::count_n>>,
                              section<field<&late::last>>>>;

TEST_CASE("names the field in which the input ends, although a count has changed") {
  for (const std::uint8_t fill : std::array<std::uint8_t, 6>{0, 1, 2, 3, 4, 255})
    for (std::size_t size = 1; size < 5; ++size) {
      CAPTURE(int{fill});
      CAPTURE(size);
      const exact in(size, fill);
      late l{};
      const wire::result r = late_codec::decode(in.span(), l);
      CHECK(r.error == errc::truncated);
      CHECK(r.used == 1);
      CHECK(r.field == "last");
    }
}

// Count that depends on a later section.
using later_codec = wire::record<
    wire::fields<section<field<&late::n>>, section<counted<&late::items, &late::count_last>>,
                 section<field<&late::last>>>>;

TEST_CASE("a count that a later section changes causes no access outside the input") {
  for (std::size_t size = 0; size < 12; ++size) {
    CAPTURE(size);
    const exact in(size, 0xff);
    late l{0, {}, 2};
    const wire::result r = later_codec::decode(in.span(), l);
    CHECK(static_cast<bool>(r) == (size >= 7));
    CHECK(r.used <= size);
    CHECK(r.field == (size == 0 ? "n" : size < 3 ? "items" : size < 7 ? "last" : ""));
    CHECK(inside(l.items, in.span()));
    CHECK(sum(l.items) == (size < 3 ? 0 : 2 * 0xff));
  }
}

// Functions that return arbitrary values, here random numbers.
random_numbers dice{28};
struct fickle {
  std::uint8_t n{};
  wire::array_view<wire::u8> a{};
  wire::array_view<wire::u32le> b{};
  std::uint16_t first{};
  std::uint8_t narrow{};
  wire::array_view<wire::u16le> c{};
  std::uint64_t last{};
  int some() const { return static_cast<int>(dice() % 6) - 1; }
  bool maybe() const { return (dice() & 1) != 0; }
};
using fickle_codec = wire::record<wire::fields<
    section<field<&fickle::n>>,
    section<
        counted<&fickle::a, &fickle::some>, counted<&fickle::b, &fickle::some>,
        when<&fickle::maybe, field<&fickle::first>,
             wire::bit_slices<std::uint8_t, wire::unused_bits<4>, wire::bits<&fickle::narrow, 4>>,
             when<&fickle::maybe, counted<&fickle::c, &fickle::some>>>>,
    section<when<&fickle::maybe, field<&fickle::last>>>>>;

TEST_CASE("decode survives counts that change at each evaluation") {
  std::size_t whole = 0, cut = 0;
  for (std::size_t size = 0; size < 48; ++size)
    for (unsigned times = 0; times < 400; ++times) {
      const exact in(size, 7);
      fickle f{};
      const wire::result r = fickle_codec::decode(in.span(), f);
      ++(r ? whole : cut);
      REQUIRE(r.used <= size);
      REQUIRE(r.field.empty() == static_cast<bool>(r));
      REQUIRE(inside(f.a, in.span()));
      REQUIRE(inside(f.b, in.span()));
      REQUIRE(inside(f.c, in.span()));
      REQUIRE(sum(f.a) == 7 * f.a.size());
      REQUIRE(sum(f.b) == 0x07070707 * std::uint64_t{f.b.size()});
      REQUIRE(sum(f.c) == 0x0707 * std::uint64_t{f.c.size()});
    }
  CHECK(whole > 1000);
  CHECK(cut > 1000);
}

TEST_CASE("encode survives counts that change at each evaluation") {
  const std::array<byte, 16> data{};
  std::size_t whole = 0, refused = 0, cut = 0;
  for (std::size_t size = 0; size < 48; ++size)
    for (unsigned times = 0; times < 4000; ++times) {
      const exact out(size, 0xee);
      const std::span<const byte> from(data);
      fickle f{};
      f.a = wire::array_view<wire::u8>(from.first(dice() % 4));
      f.b = wire::array_view<wire::u32le>(from.first(4 * (dice() % 4)));
      f.c = wire::array_view<wire::u16le>(from.first(2 * (dice() % 4)));
      f.narrow = static_cast<std::uint8_t>(dice() % 20);
      const wire::result r = fickle_codec::encode(f, out.span());
      REQUIRE(r.field.empty() == static_cast<bool>(r));
      // Writes as many bytes as it reports, and no others.
      const std::size_t written = r ? r.used : 0;
      REQUIRE(written <= size);
      bool right = true;
      for (std::size_t i = 0; i < size; ++i)
        right = right && (out.span()[i] == byte{0xee}) == (i >= written);
      REQUIRE(right);
      ++(r ? whole : r.error == errc::no_space ? cut : refused);
    }
  CHECK(whole > 100);
  CHECK(refused > 100);
  CHECK(cut > 100);
}

// Counts and conditions that depend on members of their own section, which the documentation
// forbids. The second scan, which searches for the rejected value, then finds other values than the
// first one did. decode must nevertheless report an error and a field, and read nothing outside of
// the input.
struct refusing {
  std::uint8_t n{};
  bool more{};
  wire::array_view<wire::u16le> items{};
  wire::array_view<wire::u16le> others{};
  std::uint8_t always{};
  unsigned twice() const { return 2U * n; }
  bool has() const { return more; }
};
using refusing_codec = wire::record<
    wire::fields<section<field<&refusing::n>, field<&refusing::more, wire::nonzero<>>,
                         counted<&refusing::items, &refusing::twice>,
                         when<&refusing::has, counted<&refusing::others, &refusing::twice>,
                              wire::constant<&refusing::always, 7>>,
                         wire::literal<"end">>>>;

TEST_CASE("refuses a value although its counts differ in the second scan") {
  for (const std::size_t size : {5U, 6U, 64U})
    for (const bool more : {false, true}) {
      CAPTURE(size);
      CAPTURE(more);
      const exact in(size, 0xff);
      refusing s{};
      s.more = more;
      const wire::result r = refusing_codec::decode(in.span(), s);
      CHECK_FALSE(r);
      CHECK_FALSE(r.field.empty());
      CHECK(r.used <= size);
      CHECK(s.items.empty());
    }
}

}  // namespace
