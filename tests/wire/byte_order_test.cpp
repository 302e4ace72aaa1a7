// Tests items whose byte order the record, or an earlier record, states.
#include <tracecodec/wire/items/list.hpp>
#include <tracecodec/wire/rules/byte_order.hpp>
#include <tracecodec/wire/rules/computed.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Header and directory of a TIFF file.
struct tiff {
  std::array<char, 2> marks;
  std::uint16_t version;
  std::uint32_t directory;
  std::uint16_t n;
  wire::array_view<wire::u8> data;
  constexpr wire::order byte_order() const {
    return marks[0] == 'M' ? wire::order::big : wire::order::little;
  }
};
using tiff_codec = wire::record<
    wire::fields<wire::one_of<&tiff::marks, "II", "MM">,
                 wire::in_byte_order<&tiff::byte_order, wire::constant<&tiff::version, 42>,
                                     wire::field<&tiff::directory>,
                                     wire::computed<&tiff::n, wire::size_of<&tiff::data>>,
                                     wire::counted<&tiff::data, &tiff::n>>>>;

TEST_CASE("the record states the byte order of its later items") {
  const auto little = hex<"4949 2a00 08000000 0200 abcd">,
             big = hex<"4d4d 002a 00000008 0002 abcd">;
  for (const auto& bytes : {little, big}) {
    tiff t = comes_back<tiff_codec>(bytes);
    CHECK(t.directory == 8);
    CHECK(t.n == 2);
    t.n = 0;
    std::array<byte, 12> out{};
    CHECK(tiff_codec::encode(t, out));
    CHECK(out == bytes);
  }
  CHECK(refused<tiff_codec>(hex<"4d4d 2a00 00000008 0002 abcd">) ==
        refusal{errc::invalid_value, "version", 2});
  CHECK(refused<tiff_codec>(hex<"494a 2a00 08000000 0200 abcd">) ==
        refusal{errc::invalid_value, "marks", 0});
}

// Blocks of which those with type 10 begin a section and state its byte order, as in pcapng.
struct block {
  std::uint8_t type;
  wire::order before;
  std::uint32_t magic, value;
  constexpr wire::order section() const {
    if (type != 10) return before;
    return magic == 0x1a2b3c4d ? wire::order::little : wire::order::big;
  }
};
using block_codec = wire::record<wire::fields<
    wire::previous<&block::before, &block::section>, wire::field<&block::type>,
    wire::when<&block::type,
               wire::choice<&block::type,
                            wire::on<10, wire::one_of<&block::magic, 0x1a2b3c4d, 0x4d3c2b1a>>,
                            wire::otherwise<>>>,
    wire::in_byte_order<&block::section, wire::field<&block::value>>>>;
struct blocks {
  std::uint8_t n;
  wire::list_view<block_codec, &block::before> all;
  constexpr wire::order first() const { return wire::order::little; }
};
using blocks_codec = wire::record<
    wire::fields<wire::field<&blocks::n>, wire::list<&blocks::all, wire::times<&blocks::n>,
                                                     wire::args<&block::before, &blocks::first>>>>;

TEST_CASE("an earlier record of a list states the byte order") {
  const blocks b = comes_back<blocks_codec>(
      hex<"05 01 01000000  0a 1a2b3c4d 00000002  01 00000003  0a 4d3c2b1a 04000000  02 05000000">);
  std::vector<std::uint32_t> values;
  for (const block& one : b.all) values.push_back(one.value);
  CHECK(values == std::vector<std::uint32_t>{1, 2, 3, 4, 5});
}

// Items in a stated byte order that another item follows.
struct marked {
  std::uint8_t is_big;
  std::uint16_t value;
  std::uint8_t end;
  constexpr wire::order stated() const {
    return is_big != 0 ? wire::order::big : wire::order::little;
  }
};
using marked_codec =
    wire::record<wire::fields<wire::field<&marked::is_big>,
                              wire::in_byte_order<&marked::stated, wire::field<&marked::value>>,
                              wire::field<&marked::end>>>;

TEST_CASE("an error about all items in a stated byte order names the first one") {
  const marked m = comes_back<marked_codec>(hex<"01 1234 05">);
  CHECK(m.value == 0x1234);
  std::array<byte, 2> out{};
  const wire::result r = marked_codec::encode(m, out);
  CHECK(r.error == errc::no_space);
  CHECK(r.used == 1);
  CHECK(r.field == "value");
}

}  // namespace
