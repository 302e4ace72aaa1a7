// Tests LEB128 numbers in a stated number of bytes, which come back byte for byte.
#include <tracecodec/wire.hpp>

#include <limits>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// An index and an addend as LLVM writes them to object files of WebAssembly, where a linker stores
// other values later: R_WASM_FUNCTION_INDEX_LEB and R_WASM_MEMORY_ADDR_SLEB take 5 bytes each (Tool
// conventions, "Object file linking", Relocation sections).
struct call {
  std::uint32_t index;
  std::int32_t addend;
  std::uint8_t end;
};
using call_codec =
    wire::record<wire::fields<wire::leb128<&call::index, 5>, wire::sleb128<&call::addend, 5>,
                              wire::field<&call::end>>>;
static_assert(call_codec::size == 11);

struct sizes {
  std::uint32_t size;
  wire::array_view<wire::u8> data;
  std::uint64_t wide;
};
using sizes_codec = wire::record<
    wire::fields<wire::sized<wire::prefix<&sizes::size, wire::uleb128_of<std::uint32_t, 2>>,
                             wire::rest<&sizes::data>>,
                 wire::constant<&sizes::wide, 3, wire::uleb128_of<std::uint64_t, 10>>>>;

template <class W> constexpr errc accepts(std::span<const byte, W::size> bytes) {
  return W::accepts(bytes.data());
}
template <class W> void stores(typename W::value_type v, std::string_view bytes) {
  std::array<byte, W::size> out{};
  CHECK(W::fits(v));
  W::store(v, out.data());
  CHECK(hex_of(out) == bytes);
  CHECK(W::accepts(out.data()) == errc::ok);
  CHECK(W::load(out.data()) == v);
}
template <class T> using limits = std::numeric_limits<T>;

}  // namespace

TEST_CASE("numbers with unnecessary bytes come back") {
  const call c = comes_back<call_codec>(hex<"8180808000 ffffffff7f 0b">);
  CHECK(c.index == 1);
  CHECK(c.addend == -1);
  CHECK(comes_back<call_codec>(hex<"ffffffff0f 8080808078 0b">).addend ==
        limits<std::int32_t>::min());
  using r = refusal;
  // Too few bytes, too many, and more bits than the number has.
  CHECK(refused<call_codec>(hex<"8180800000 ffffffff7f 0b">) == r{errc::malformed, "index", 0});
  CHECK(refused<call_codec>(hex<"8180808080 ffffffff7f 0b">) == r{errc::malformed, "index", 0});
  CHECK(refused<call_codec>(hex<"ffffffff1f ffffffff7f 0b">) == r{errc::malformed, "index", 0});
  CHECK(refused<call_codec>(hex<"8180808000 ffffffff0f 0b">) == r{errc::malformed, "addend", 5});
  CHECK(refused<call_codec>(hex<"8180808000 8080808070 0b">) == r{errc::malformed, "addend", 5});
  CHECK(refused<call_codec>(hex<"81808080">) == r{errc::truncated, "index", 0});
}

TEST_CASE("the least and the greatest numbers") {
  using u2 = wire::uleb128_of<std::uint32_t, 2>;
  stores<u2>(0, "8000");
  stores<u2>(16383, "ff7f");
  CHECK(!u2::fits(16384));
  using s2 = wire::sleb128_of<std::int32_t, 2>;
  stores<s2>(8191, "ff3f");
  stores<s2>(-8192, "8040");
  stores<s2>(-1, "ff7f");
  CHECK(!s2::fits(8192));
  CHECK(!s2::fits(-8193));
  stores<wire::uleb128_of<std::uint8_t, 2>>(255, "ff01");
  stores<wire::sleb128_of<std::int8_t, 2>>(-128, "807f");
  stores<wire::uleb128_of<std::uint8_t, 1>>(127, "7f");
  CHECK(!wire::uleb128_of<std::uint8_t, 1>::fits(128));
  stores<wire::uleb128_of<std::uint64_t, 10>>(limits<std::uint64_t>::max(), "ffffffffffffffffff01");
  stores<wire::sleb128_of<std::int64_t, 10>>(limits<std::int64_t>::min(), "8080808080808080807f");
  stores<wire::sleb128_of<std::int64_t, 10>>(limits<std::int64_t>::max(), "ffffffffffffffffff00");
  CHECK(accepts<wire::uleb128_of<std::uint64_t, 10>>(hex<"ffffffffffffffffff02">) ==
        errc::malformed);
  CHECK(accepts<wire::sleb128_of<std::int64_t, 10>>(hex<"ffffffffffffffffff01">) ==
        errc::malformed);
}

TEST_CASE("a size and a constant in a stated number of bytes") {
  const sizes s = comes_back<sizes_codec>(hex<"8200 aabb 83808080808080808000">);
  CHECK(s.data.size() == 2);
  CHECK(refused<sizes_codec>(hex<"8200 aabb 83808080808080800000">) ==
        refusal{errc::malformed, "wide", 4});
  CHECK(refused<sizes_codec>(hex<"8200 aabb 82808080808080808000">) ==
        refusal{errc::invalid_value, "wide", 4});
  std::vector<byte> much(16384), out(20000);
  sizes wide{};
  wide.data = wire::array_view<wire::u8>(much);
  const auto r = sizes_codec::encode(wide, out);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "size");
}

TEST_CASE("the shortest form is written where no number of bytes is stated") {
  using w = wire::uleb128_of<std::uint32_t>;
  std::uint32_t v = 0;
  CHECK(w::scan(v, hex<"8180808000">).at == 5);
  CHECK(v == 1);
  CHECK(w::written(v) == 1);
}
