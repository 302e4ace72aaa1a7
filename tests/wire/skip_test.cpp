// skip(): the size of a record that is not decoded.
#include <doctest/doctest.h>

#include <array>
#include <tracecodec/wire.hpp>

namespace {
namespace wire = tracecodec::wire;

// Block with a part that contains two members, and its size before and after the part.
struct block {
  std::uint16_t size;
  std::uint8_t kind;
  wire::array_view<wire::u8> data;
  std::uint16_t size_again;
  constexpr std::uint16_t body() const {
    return size < 4 ? 0 : static_cast<std::uint16_t>(size - 4);
  }
};
using block_codec = wire::record<wire::fields<
    wire::computed<&block::size, wire::extent_of<>>,
    wire::sized<&block::body, wire::in_range<&block::kind, 1, 2>, wire::rest<&block::data>>,
    wire::computed<&block::size_again, wire::extent_of<>>>>;

// Array whose count depends on a member of a part, which skip() must therefore read.
struct counting {
  std::uint8_t size, count, more;
  wire::array_view<wire::u8> items;
};
using counting_codec = wire::record<
    wire::fields<wire::field<&counting::size>,
                 wire::sized<&counting::size, wire::field<&counting::count>, wire::skip_rest>,
                 wire::field<&counting::more>, wire::counted<&counting::items, &counting::count>>>;

struct point {
  std::uint16_t x, y;
};

template <class... B> constexpr auto bytes(B... b) {
  return std::array<std::byte, sizeof...(B)>{static_cast<std::byte>(b)...};
}

TEST_CASE("skip returns the size of a record without reading its parts") {
  constexpr auto good = bytes(7, 0, 1, 0xaa, 0xbb, 7, 0, 0xff, 0xff);
  constexpr auto skipped = block_codec::skip(good);
  CHECK(skipped);
  CHECK(skipped.used == 7);
  // Kind 9 and the second size 8 are not allowed, but do not affect the size.
  const auto refused = bytes(7, 0, 9, 0xaa, 0xbb, 8, 0);
  block b{};
  CHECK_FALSE(block_codec::decode(refused, b));
  CHECK(block_codec::skip(refused).used == 7);
}

TEST_CASE("skip returns the error of decode for a truncated record") {
  const auto all = bytes(7, 0, 1, 0xaa, 0xbb, 7, 0);
  for (std::size_t n = 0; n < all.size(); ++n) {
    CAPTURE(n);
    const auto in = std::span<const std::byte>(all).first(n);
    block b{};
    const wire::result expected = block_codec::decode(in, b), r = block_codec::skip(in);
    CHECK(r.error == wire::errc::truncated);
    CHECK(r.used == expected.used);
    CHECK(r.field == expected.field);
  }
}

TEST_CASE("skip reads a member inside a part if a later count depends on it") {
  const auto in = bytes(2, 3, 0, 0x11, 1, 2, 3, 4);
  CHECK(counting_codec::skip(in).used == 7);
}

TEST_CASE("skip returns the size of a record of fixed size") {
  const auto in = bytes(1, 2, 3, 4, 5);
  CHECK(wire::record<point>::skip(in).used == 4);
  CHECK(wire::record<point>::skip(std::span(in).first(3)).error == wire::errc::truncated);
}
}  // namespace
