// Tests items in the combinations that real formats have. The bytes are written by hand.
// Checksums are from Python's zlib.crc32, and were inserted by struct.pack.
#include <tracecodec/io/checksum.hpp>
#include <tracecodec/wire.hpp>

#include <string>

#include "whole.hpp"

namespace io = tracecodec::io;
namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

using text = wire::array_view<wire::character>;
std::string str(text v) { return std::string(wire::as_text(v)); }

// Options with a kind, a size and data according to the kind, as in TCP, DHCP or pcapng. Data that
// a later version appends are kept. All data of an unknown kind are kept, too.
struct option {
  std::uint8_t kind, size;
  std::uint32_t address;
  text name;
  wire::array_view<wire::u8> more;
};
using option_codec = wire::record<
    wire::fields<
        wire::field<&option::kind>,
        wire::computed<&option::size, wire::extent_of<wire::sized_by<&option::size>>>,
        wire::sized<
            &option::size,
            wire::choice<&option::kind, wire::on<0>, wire::on<1, wire::field<&option::address>>,
                         wire::on<2, wire::terminated<&option::name>>, wire::otherwise<>>,
            wire::rest<&option::more>>>,
    wire::order::big>;
struct message {
  std::uint16_t length;
  std::uint8_t type;
  wire::list_view<option_codec> options;
  std::uint8_t behind;
};
using message_codec =
    wire::record<wire::fields<wire::computed<&message::length,
                                             wire::extent_of<&message::type, &message::options>>,
                              wire::sized<&message::length, wire::field<&message::type>,
                                          wire::list<&message::options, wire::to_end>>,
                              wire::field<&message::behind>>,
                 wire::order::big>;

TEST_CASE("reads options with a kind and a length up to the end of a part") {
  const auto m =
      comes_back<message_codec>(hex<"0013 07 01 06 01020304 aabb 02 03 686900 63 01 ff 00 00 99">);
  CHECK(m.length == 19);
  CHECK(m.behind == 0x99);
  REQUIRE(m.options.size() == 4);
  auto o = m.options.begin();
  CHECK(o->address == 0x1020304);
  CHECK(o->more.size() == 2);
  CHECK(o->more[1] == 0xbb);
  CHECK(str((++o)->name) == "hi");
  CHECK((++o)->kind == 0x63);
  CHECK(o->more[0] == 0xff);
  CHECK((++o)->size == 0);

  // An option that is longer than the message, and a name that does not end with its option.
  CHECK(refused<message_codec>(hex<"0005 07 63 03 01 02 99">).error == errc::wrong_size);
  CHECK(refused<message_codec>(hex<"0005 07 02 02 68 69 00">) ==
        refusal{errc::wrong_size, "name", 5});
  // encode computes the sizes, including that of a message whose options come from elsewhere.
  message again{};
  again.options = m.options;
  std::array<byte, 32> out{};
  REQUIRE(message_codec::encode(again, out));
  CHECK(hex_of(std::span(out).first(5)) == "0013000106");
}

// PNG's chunks, preceded by a checksum of all of them.
struct chunk {
  std::uint32_t length;
  std::array<char, 4> type;
  wire::array_view<wire::u8> data;
  std::uint32_t crc;
};
using chunk_codec = wire::record<
    wire::fields<wire::computed<&chunk::length, wire::size_of<&chunk::data>>,
                 wire::field<&chunk::type>, wire::counted<&chunk::data, &chunk::length>,
                 wire::computed<&chunk::crc, wire::over<io::crc32, &chunk::type, &chunk::data>>>,
    wire::order::big>;
constexpr auto is_end = [](const chunk& c) {
  return c.type == std::array<char, 4>{'I', 'E', 'N', 'D'};
};
struct picture {
  std::uint32_t crc;
  std::uint16_t chunks;
  wire::list_view<chunk_codec> all;
  std::uint8_t behind;
};
using picture_codec = wire::record<
    wire::fields<wire::literal<"\x89PNG">,
                 wire::computed<&picture::crc, wire::over<io::crc32, &picture::all>>,
                 wire::computed<&picture::chunks, wire::size_of<&picture::all>>,
                 wire::list<&picture::all, wire::until<is_end>>, wire::field<&picture::behind>>,
    wire::order::big>;
// zlib.crc32 of each chunk's type and data, and of all chunks.
constexpr auto png =
    hex<"89504e47 fd904ba5 0003"
        "00000003 49484452 010203 c97e077a"
        "00000000 49444154 35af061e"
        "00000000 49454e44 ae426082 55">;

TEST_CASE("reads chunks with checksums up to the last one, covered by a checksum and a count") {
  const auto p = comes_back<picture_codec>(png);
  CHECK(p.all.size() == 3);
  CHECK(p.all.begin()->data.size() == 3);
  CHECK(p.behind == 0x55);
  auto wrong = png;
  wrong[19] =
      byte{9};  // in the first chunk's data, therefore the first chunk's checksum fails first
  CHECK(refused<picture_codec>(wrong) == refusal{errc::not_as_computed, "crc", 21});
  wrong = png;
  wrong[4] = byte{0};
  CHECK(refused<picture_codec>(wrong) == refusal{errc::not_as_computed, "crc", 4});
  wrong = png;
  wrong[9] = byte{4};
  CHECK(refused<picture_codec>(wrong) == refusal{errc::not_as_computed, "chunks", 8});
  wrong = png;
  wrong[41] = byte{'X'};  // no chunk ends the list, and the last chunk's checksum is wrong
  CHECK(refused<picture_codec>(wrong).error == errc::not_as_computed);
}

// Names as in WebAssembly and Protocol Buffers: a count, then each name after its length.
using name_type = wire::prefixed_view<wire::uleb128_of<std::uint32_t>, wire::character>;
struct name_table {
  std::uint32_t n;
  wire::list_view<name_type> names;
  std::int64_t behind;
};
using names_codec =
    wire::record<wire::fields<wire::leb128<&name_table::n>,
                              wire::list<&name_table::names, wire::times<&name_table::n>>,
                              wire::sleb128<&name_table::behind>>>;
using counting_codec =
    wire::record<wire::fields<wire::computed<&name_table::n, wire::size_of<&name_table::names>,
                                             wire::uleb128_of<std::uint32_t>>,
                              wire::list<&name_table::names, wire::times<&name_table::n>>,
                              wire::sleb128<&name_table::behind>>>;

TEST_CASE("reads a varint count of texts, each after its varint length") {
  const auto bytes = hex<"03 01 61 00 03 626364 ff7e">;
  const auto t = comes_back<names_codec>(bytes);
  REQUIRE(t.names.size() == 3);
  auto each = t.names.begin();
  CHECK(str(*each) == "a");
  CHECK((++each)->empty());
  CHECK(str(*++each) == "bcd");
  CHECK(t.behind == -129);
  comes_back<counting_codec>(bytes);
  name_table none{};
  none.names = t.names;
  std::array<byte, 10> out{};
  REQUIRE(counting_codec::encode(none, out).used == 9);
  CHECK(hex_of(out).substr(0, 6) == "030161");
  // 128 names: the count takes two bytes, which move everything after it.
  const std::vector<byte> many(128, byte{0});
  none.names = wire::list_view<name_type>(many);
  CHECK(counting_codec::extent(none) == 2 + 128 + 1);
  CHECK(refused<names_codec>(hex<"02 01 61 05 62">) == refusal{errc::truncated, "names", 3});
}

// Table of varints whose rows and columns are counted in its head.
struct table_row {
  std::uint8_t columns;
  std::uint8_t label;
  wire::list_view<wire::uleb128_of<std::uint16_t>> cells;
};
using table_row_codec =
    wire::record<wire::fields<wire::parameter<&table_row::columns>, wire::field<&table_row::label>,
                              wire::list<&table_row::cells, wire::times<&table_row::columns>>>>;
struct table {
  std::uint8_t rows, columns;
  wire::list_view<table_row_codec, &table_row::columns> all;
};
using table_codec =
    wire::record<wire::fields<wire::field<&table::rows>, wire::field<&table::columns>,
                              wire::list<&table::all, wire::times<&table::rows>,
                                         wire::args<&table_row::columns, &table::columns>>>>;

TEST_CASE("nested lists use counts from the enclosing record") {
  const auto t = comes_back<table_codec>(hex<"02 03 41 01 8001 02 42 00 7f ffff03">);
  REQUIRE(t.all.size() == 2);
  auto row = t.all.begin();
  CHECK(row->label == 'A');
  REQUIRE(row->cells.size() == 3);
  CHECK(*++row->cells.begin() == 128);
  CHECK((++row)->label == 'B');
  std::vector<int> cells;
  for (const auto c : row->cells) cells.push_back(c);
  CHECK(cells == std::vector{0, 127, 65535});
  comes_back<table_codec>(hex<"03 00 41 42 43">);
}

// Header of a gzip file (RFC 1952, 2.3). Flags select consecutive optional parts, and one part
// begins with its own length. The lower half of a CRC-32 of all preceding bytes follows.
class crc32_low {
 public:
  void update(std::span<const byte> bytes) noexcept { sum_.update(bytes); }
  [[nodiscard]] std::uint64_t value() const noexcept { return sum_.value() & 0xffff; }

 private:
  io::crc32 sum_;
};
struct gzip_header {
  std::uint8_t id1, id2, method;
  bool text, has_crc, has_extra, has_name, has_comment;
  std::uint32_t time;
  std::uint8_t more_flags, system;
  std::uint16_t extra_size;
  wire::array_view<wire::u8> extra;
  wire::array_view<wire::character> name, comment;
  std::uint16_t crc;
  wire::array_view<wire::u8> rest;
};
using H = gzip_header;
template <class... Behind> using gzip_fields = wire::fields<
    wire::constant<&H::id1, 0x1f>, wire::constant<&H::id2, 0x8b>, wire::constant<&H::method, 8>,
    wire::bits_from_low<std::uint8_t, wire::bits<&H::text, 1>, wire::bits<&H::has_crc, 1>,
                        wire::bits<&H::has_extra, 1>, wire::bits<&H::has_name, 1>,
                        wire::bits<&H::has_comment, 1>, wire::constant_bits<3>>,
    wire::field<&H::time>, wire::field<&H::more_flags>, wire::field<&H::system>,
    wire::when<&H::has_extra, wire::computed<&H::extra_size, wire::size_of<&H::extra>>,
               wire::counted<&H::extra, &H::extra_size>>,
    wire::when<&H::has_name, wire::terminated<&H::name>>,
    wire::when<&H::has_comment, wire::terminated<&H::comment>>,
    wire::when<&H::has_crc,
               wire::computed<&H::crc, wire::over<crc32_low, wire::record_start, wire::here>>>,
    Behind...>;
using gzip_header_codec = wire::record<gzip_fields<wire::not_on_wire<&H::rest>>>;
using gzip_codec = wire::record<gzip_fields<wire::rest<&H::rest>>>;

TEST_CASE("reads consecutive optional parts, one of them with its own length") {
  // zlib.crc32(all preceding bytes) & 0xffff
  const auto all = hex<"1f8b08 1e 00105e5f 00 03 0500 414201007a 612e74787400 686900 d840">;
  const H h = comes_back<gzip_header_codec>(all);
  CHECK(h.extra.size() == 5);
  CHECK(str(h.name) == "a.txt");
  CHECK(str(h.comment) == "hi");
  CHECK(h.crc == 0x40d8);
  comes_back<gzip_header_codec>(hex<"1f8b08 08 00105e5f 00 03 6100">);
  comes_back<gzip_header_codec>(hex<"1f8b08 02 00105e5f 00 03 39f1">);
  comes_back<gzip_header_codec>(hex<"1f8b08 06 00105e5f 00 03 0000 4d2c">);
  comes_back<gzip_header_codec>(hex<"1f8b08 00 00105e5f 00 03">);
  auto wrong = all;
  wrong[15] = byte{'a'};
  CHECK(refused<gzip_header_codec>(wrong) == refusal{errc::not_as_computed, "crc", 26});
  CHECK(refused<gzip_header_codec>(hex<"1f8b08 20 00105e5f 00 03">) ==
        refusal{errc::invalid_value, "reserved", 3});
  CHECK(refused<gzip_header_codec>(std::span(all).first(14)) ==
        refusal{errc::truncated, "extra", 12});
  // A file made by gzip.GzipFile('n', mtime=1) from "hello".
  const auto file = hex<"1f8b08 08 01000000 02 ff 6e00 cb48cdc9c90700 86a61036 05000000">;
  H f{};
  REQUIRE(gzip_codec::decode(file, f).used == file.size());
  CHECK(str(f.name) == "n");
  CHECK(f.rest.size() == 15);
  std::array<byte, file.size()> out{};
  REQUIRE(gzip_codec::encode(f, out).used == file.size());
  CHECK(out == file);
}

// Events up to one of kind 0, then a trailer that counts them.
struct event {
  std::uint8_t kind;
  std::uint32_t value;
};
using event_codec = wire::record<
    wire::fields<wire::field<&event::kind>,
                 wire::choice<&event::kind, wire::on<0>, wire::on<1, wire::leb128<&event::value>>,
                              wire::on<2, wire::field<&event::value, wire::u32be>>>>>;
constexpr auto is_last = [](const event& e) { return e.kind == 0; };
struct log {
  wire::list_view<event_codec> events;
  std::uint16_t n;
  std::uint32_t size;
};
using log_codec =
    wire::record<wire::fields<wire::list<&log::events, wire::until<is_last>>,
                              wire::computed<&log::n, wire::size_of<&log::events>>,
                              wire::computed<&log::size, wire::extent_of<&log::events>>>>;

TEST_CASE("reads a trailer after a list that ends with a marked element") {
  const auto l = comes_back<log_codec>(hex<"01 ac02 02 00000007 01 05 00 0400 0b000000">);
  CHECK(l.events.size() == 4);
  CHECK(l.events.begin()->value == 300);
  CHECK(refused<log_codec>(hex<"01 ac02 00 0300 04000000">) ==
        refusal{errc::not_as_computed, "n", 4});
  CHECK(refused<log_codec>(hex<"01 ac02 03 00 0300">).error == errc::invalid_value);
}

}  // namespace
