// Tests the contract of the whole wire layer: nothing throws. (tests/headers/wire_alone.py
// checks that nothing allocates: it rejects headers of allocating containers.)
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/wire/table.hpp>
#include <tracecodec/wire/types/file_pointer.hpp>

#include "support.hpp"
#include "x64dbg_block.hpp"

namespace champsim = tracecodec::champsim;
using namespace wire_test;

namespace {

template <class Codec> constexpr bool never_throws() {
  using record = typename Codec::value_type;
  record s{};
  std::span<const byte> in{};
  std::span<byte> out{};
  static_cast<void>(s);
  return noexcept(Codec::decode(in, s))&& noexcept(Codec::encode(s, out))&& noexcept(
      Codec::extent(s))&& noexcept(Codec::layout());
}
static_assert(never_throws<champsim::instruction_codec>());
static_assert(never_throws<champsim::cloudsuite_codec>());
static_assert(never_throws<block_codec<wire::target::x64>>());

constexpr std::array<byte, 64> bytes{};
static_assert(noexcept(champsim::instruction_codec::decode(bytes)));
static_assert(noexcept(champsim::instruction_codec::get<&champsim::instruction::ip>(bytes)));
static_assert(noexcept(wire::file_pointer<wire::u8>{}.locate({}, 1)));
static_assert(noexcept(wire::array_view<wire::u8>{}[0]));
static_assert(noexcept(*wire::array_view<wire::u8>{}.begin()));
static_assert(noexcept(wire::record_view<champsim::instruction_codec>(bytes).value()));
static_assert(noexcept(wire::message(wire::errc::ok)));

}  // namespace
