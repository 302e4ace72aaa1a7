// Tests decode(encode(x)) == x and encode(decode(bytes)) == bytes for every kind of
// description.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/types/file_pointer.hpp>

#include <algorithm>
#include <vector>

#include "support.hpp"
#include "x64dbg_block.hpp"

namespace champsim = tracecodec::champsim;
using namespace wire_test;
using wire::field;
using wire::order;
using wire::placement;
using wire::section;

namespace {

struct inner {
  std::int16_t a;
  std::uint8_t b;
  friend constexpr bool operator==(const inner&, const inner&) = default;
};
struct everything {
  std::uint8_t a;
  std::int64_t b;
  std::array<std::uint16_t, 3> c;
  inner d;
  std::array<inner, 2> e;
  wire::file_pointer<inner> f;
  byte g;
  std::int32_t h;
  friend constexpr bool operator==(const everything&, const everything&) = default;
};
template <order O, placement P> using everything_codec = wire::record<everything, O, P>;

struct mixed {
  std::uint8_t high;
  std::uint16_t low;
  std::uint32_t big;
  std::uint16_t little;
  std::uint64_t cache;
  friend constexpr bool operator==(const mixed&, const mixed&) = default;
};
using mixed_codec = wire::record<wire::fields<
    wire::bit_slices<wire::u16be, wire::bits<&mixed::high, 5>, wire::bits<&mixed::low, 11>>,
    field<&mixed::big, wire::u32be>, field<&mixed::little, wire::u16le>,
    wire::not_on_wire<&mixed::cache>>>;

// Decodes, encodes and decodes random bytes of a record without padding.
template <class Codec> constexpr bool bytes_come_back(unsigned rounds, std::uint64_t seed) {
  random_numbers next{seed};
  for (unsigned i = 0; i < rounds; ++i) {
    const auto bytes = next.bytes<Codec::size>();
    std::array<byte, Codec::size> out{};
    const auto record = Codec::decode(bytes);
    if (Codec::encode(record, out).used != out.size() || out != bytes) return false;
    if (!(Codec::decode(out) == record)) return false;
  }
  return true;
}
// Round-trips records with padding that encode writes as zero. The records must agree, and also the
// bytes after the first encode.
template <class Codec> constexpr bool records_come_back(unsigned rounds, std::uint64_t seed) {
  random_numbers next{seed};
  for (unsigned i = 0; i < rounds; ++i) {
    const auto bytes = next.bytes<Codec::size>();
    const auto record = Codec::decode(bytes);
    std::array<byte, Codec::size> once{};
    auto twice = next.bytes<Codec::size>();
    if (!Codec::encode(record, once) || !(Codec::decode(once) == record)) return false;
    if (!Codec::encode(Codec::decode(once), twice) || once != twice) return false;
  }
  return true;
}

template <class Codec> constexpr bool at_compile_time = records_come_back<Codec>(3, 4);
static_assert(at_compile_time<everything_codec<order::little, placement::packed>>);
static_assert(at_compile_time<everything_codec<order::big, placement::packed>>);
static_assert(at_compile_time<everything_codec<order::little, placement::natural>>);
static_assert(at_compile_time<everything_codec<order::big, placement::natural>>);
static_assert(at_compile_time<champsim::instruction_codec>);
static_assert(at_compile_time<champsim::cloudsuite_codec>);
static_assert(at_compile_time<mixed_codec>);

TEST_CASE("fixed records round-trip") {
  constexpr unsigned rounds = 500;
  CHECK(bytes_come_back<everything_codec<order::little, placement::packed>>(rounds, 5));
  CHECK(bytes_come_back<everything_codec<order::big, placement::packed>>(rounds, 6));
  CHECK(records_come_back<everything_codec<order::little, placement::natural>>(rounds, 7));
  CHECK(records_come_back<everything_codec<order::big, placement::natural>>(rounds, 8));
  CHECK(bytes_come_back<champsim::instruction_codec>(rounds, 9));
  CHECK(records_come_back<champsim::cloudsuite_codec>(rounds, 10));
  CHECK(bytes_come_back<mixed_codec>(rounds, 11));
}

// Decodes random bytes as an x64dbg block. A block that decodes must round-trip, and its extent
// must be the number of bytes used.
template <wire::target T> constexpr bool blocks_come_back(unsigned rounds, std::uint64_t seed) {
  random_numbers next{seed};
  for (unsigned i = 0; i < rounds; ++i) {
    auto bytes = next.bytes<600>();
    bytes[1] &= byte{15};
    bytes[2] &= byte{7};
    block<T> b{};
    const wire::result read = block_codec<T>::decode(bytes, b);
    if (!read || block_codec<T>::extent(b) != read.used) return false;
    std::array<byte, 600> out{};
    const wire::result written = block_codec<T>::encode(b, out);
    if (!written || written.used != read.used) return false;
    for (std::size_t k = 0; k < out.size(); ++k)
      if (out[k] != (k < read.used ? bytes[k] : byte{0})) return false;
  }
  return true;
}
static_assert(blocks_come_back<wire::target::x64>(2, 12));

TEST_CASE("variable records round-trip") {
  CHECK(blocks_come_back<wire::target::x64>(300, 13));
  CHECK(blocks_come_back<wire::target::x86>(300, 14));
}

// decode never reads outside its input (the sanitizers check this), and an error names an offset
// inside the input.
TEST_CASE("arbitrary input decodes or is refused without reads outside") {
  random_numbers next{15};
  for (int i = 0; i < 3000; ++i) {
    const auto all = next.bytes<64>();
    const std::vector<byte> bytes(all.begin(), all.begin() + static_cast<int>(next() % 65));
    block<wire::target::x64> b{};
    const wire::result r = block_codec<wire::target::x64>::decode(bytes, b);
    CHECK(r.used <= bytes.size());
    CHECK((r.error == wire::errc::ok || r.error == wire::errc::truncated));
    CHECK(r.field.empty() == static_cast<bool>(r));
  }
}

}  // namespace
