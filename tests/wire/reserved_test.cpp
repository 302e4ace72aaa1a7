// Tests the three kinds of padding: reserved bytes, skipped bytes, and bytes that are kept.
#include <tracecodec/wire.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Volume descriptor of ISO 9660, 8.4: the unused field of 8 bytes is (00). Here it is shorter.
struct descriptor {
  std::uint8_t type;
  std::array<std::byte, 3> kept;
  std::uint16_t size;
};
using descriptor_codec =
    wire::record<wire::fields<wire::field<&descriptor::type>, wire::reserved<2>, wire::padding<2>,
                              wire::field<&descriptor::kept>, wire::field<&descriptor::size>>,
                 wire::order::big>;
static_assert(descriptor_codec::size == 10);
static_assert(descriptor_codec::refuses);

// Reserved bytes under a condition, in a part, and in a record of varying size.
struct message {
  bool old;
  std::uint8_t size;
  std::uint16_t flags;
  wire::array_view<wire::u8> data;
};
using message_codec = wire::record<
    wire::fields<wire::field<&message::old>, wire::when<&message::old, wire::reserved<3>>,
                 wire::sized<wire::prefix<&message::size>, wire::field<&message::flags>,
                             wire::reserved<1>, wire::rest<&message::data>>>>;

struct aligned {
  std::uint8_t tag;
  std::uint32_t value;
};
using aligned_codec = wire::record<
    wire::fields<wire::field<&aligned::tag>, wire::reserved<3>, wire::field<&aligned::value>>,
    wire::order::little, wire::placement::natural>;
static_assert(aligned_codec::size == 8);
// An object does not keep the bytes.
static_assert(!aligned_codec::object_layout);

}  // namespace

TEST_CASE("reserved bytes must be 0") {
  const auto good = hex<"01 0000 0000 aabbcc 1234">;
  comes_back<descriptor_codec>(good);
  CHECK(refused<descriptor_codec>(hex<"01 0001 0000 aabbcc 1234">) ==
        refusal{errc::invalid_value, "(reserved)", 1});
  CHECK(refused<descriptor_codec>(hex<"01 00">) == refusal{errc::truncated, "(reserved)", 1});
  CHECK(aligned_codec::accepts(hex<"01 000000 02000000">.data()) == errc::ok);
  CHECK(aligned_codec::accepts(hex<"01 000080 02000000">.data()) == errc::invalid_value);
}

TEST_CASE("padding is skipped, and a field of bytes keeps it") {
  descriptor d{};
  CHECK(descriptor_codec::decode(hex<"01 0000 ffee aabbcc 1234">, d).used == 10);
  std::array<byte, 10> out{};
  CHECK(descriptor_codec::encode(d, out).used == 10);
  CHECK(hex_of(out) ==
        "010000"
        "0000"
        "aabbcc"
        "1234");
}

TEST_CASE("reserved bytes in parts and under conditions") {
  comes_back<message_codec>(hex<"00 04 0102 00 ff">);
  comes_back<message_codec>(hex<"01 000000 03 0102 00">);
  using r = refusal;
  CHECK(refused<message_codec>(hex<"01 000001 03 0102 00">) ==
        r{errc::invalid_value, "(reserved)", 1});
  CHECK(refused<message_codec>(hex<"00 04 0102 01 ff">) == r{errc::invalid_value, "(reserved)", 4});
  CHECK(refused<message_codec>(hex<"00 02 0102 00">) == r{errc::wrong_size, "(reserved)", 4});
}

TEST_CASE("the table has a row for reserved bytes") {
  std::string table;
  wire::print_table(descriptor_codec::layout(), [&](std::string_view s) { table += s; });
  CHECK(table.find("1       2     (reserved)                     0\n") != std::string::npos);
  static_assert(wire::is_laid_out_as<descriptor_codec, R"(
    0 1 type
    1 2 (reserved)
    3 2 (padding)
    5 3 kept
    8 2 size
  )">);
}
