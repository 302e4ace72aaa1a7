// A count computed from its own section cannot be refused at compile time: it is when decoding.
#include <doctest/doctest.h>

#include "support.hpp"
#include "tracecodec/wire.hpp"

namespace wire = tracecodec::wire;

namespace {
struct own_count {
  std::uint8_t n{};
  wire::array_view<wire::u8> items;
  constexpr std::size_t count() const { return n; }
};
using own_count_codec =
    wire::record<wire::fields<wire::section<wire::field<&own_count::n>,
                                            wire::counted<&own_count::items, &own_count::count>>>>;
}  // namespace

TEST_CASE("a count that its own section changes is an error, not a wild read") {
  const std::array<std::byte, 4> bytes{std::byte{200}, std::byte{1}, std::byte{2}, std::byte{3}};
  own_count s;
  const auto r = own_count_codec::decode(bytes, s);
  CHECK(r.error == wire::errc::count_mismatch);
  CHECK(r.used == 0);
  CHECK(s.items.size() <= 3);
  own_count steady;
  steady.n = 3;  // known beforehand, and the bytes agree
  const std::array<std::byte, 4> same{std::byte{3}, std::byte{1}, std::byte{2}, std::byte{3}};
  CHECK(own_count_codec::decode(same, steady).used == 4);
  CHECK(steady.items.size() == 3);
}
