// Words in the combinations that real formats have. Bytes are written by hand; checksums are those of
// Python's zlib.crc32, put into them by struct.pack.
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

// Options of a kind, a length, and what the kind says, as in TCP, DHCP or pcapng. What a later version
// puts behind it is kept, and so is all of a kind that nobody knows.
struct option {
  std::uint8_t kind, size;
  std::uint32_t address;
  text name;
  wire::array_view<wire::u8> more;
};
using option_codec = wire::record<
    wire::fields<
        wire::field<&option::kind>,
        wire::computed<&option::size, wire::extent_of_limited<&option::size>>,
        wire::limited<
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
                              wire::limited<&message::length, wire::field<&message::type>,
                                            wire::list<&message::options, wire::to_end>>,
                              wire::field<&message::behind>>,
                 wire::order::big>;

TEST_CASE("options of a kind and a length, to the end of a part") {
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

  // One that is longer than the message; a name that does not end where its option does.
  CHECK(refused<message_codec>(hex<"0005 07 63 03 01 02 99">).error == errc::malformed);
  CHECK(refused<message_codec>(hex<"0005 07 02 02 68 69 00">) ==
        refusal{errc::malformed, "name", 5});
  // Sizes are computed on the way out, that of the message of options that came from elsewhere.
  message again{};
  again.options = m.options;
  std::array<byte, 32> out{};
  REQUIRE(message_codec::encode(again, out));
  CHECK(hex_of(std::span(out).first(5)) == "0013000106");
}

// PNG's chunks, and a checksum of all of them that stands in front.
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

TEST_CASE("chunks with checksums, up to one that ends them, under a checksum and a count") {
  const auto p = comes_back<picture_codec>(png);
  CHECK(p.all.size() == 3);
  CHECK(p.all.begin()->data.size() == 3);
  CHECK(p.behind == 0x55);
  auto wrong = png;
  wrong[19] = byte{9};  // of the first chunk's data: its own checksum is the first to see it
  CHECK(refused<picture_codec>(wrong) == refusal{errc::not_as_computed, "crc", 21});
  wrong = png;
  wrong[4] = byte{0};
  CHECK(refused<picture_codec>(wrong) == refusal{errc::not_as_computed, "crc", 4});
  wrong = png;
  wrong[9] = byte{4};
  CHECK(refused<picture_codec>(wrong) == refusal{errc::not_as_computed, "chunks", 8});
  wrong = png;
  wrong[41] = byte{'X'};  // no chunk ends them, and the one that did is wrong
  CHECK(refused<picture_codec>(wrong).error == errc::not_as_computed);
}

// As WebAssembly and Protocol Buffers have names: how many, and each behind its length.
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

TEST_CASE("as many texts behind their lengths as a varint says, all of them varints") {
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
  // 128 of them: the count takes two bytes, which move all behind it.
  const std::vector<byte> many(128, byte{0});
  none.names = wire::list_view<name_type>(many);
  CHECK(counting_codec::extent(none) == 2 + 128 + 1);
  CHECK(refused<names_codec>(hex<"02 01 61 05 62">) == refusal{errc::truncated, "names", 3});
}

// A table of rows and columns that the head counts, of varints.
struct table_row {
  std::uint8_t columns;
  std::uint8_t label;
  wire::list_view<wire::uleb128_of<std::uint16_t>> cells;
};
using table_row_codec =
    wire::record<wire::fields<wire::given<&table_row::columns>, wire::field<&table_row::label>,
                              wire::list<&table_row::cells, wire::times<&table_row::columns>>>>;
struct table {
  std::uint8_t rows, columns;
  wire::list_view<table_row_codec, &table_row::columns> all;
};
using table_codec =
    wire::record<wire::fields<wire::field<&table::rows>, wire::field<&table::columns>,
                              wire::list<&table::all, wire::times<&table::rows>,
                                         wire::given<&table_row::columns, &table::columns>>>>;

TEST_CASE("lists in lists, as long as the record around them says") {
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

// gzip's header (RFC 1952, 2.3): parts behind each other that flags say, one of them with a length of
// its own, and the lower half of a CRC-32 of all in front of it.
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
    wire::when<&H::has_crc, wire::computed<&H::crc, wire::over_front<crc32_low>>>, Behind...>;
using gzip_header_codec = wire::record<gzip_fields<wire::not_on_wire<&H::rest>>>;
using gzip_codec = wire::record<gzip_fields<wire::rest<&H::rest>>>;

TEST_CASE("optional parts behind each other, one with a length of its own") {
  // zlib.crc32(all in front of it) & 0xffff
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
        refusal{errc::refused_value, "reserved", 3});
  CHECK(refused<gzip_header_codec>(std::span(all).first(14)) ==
        refusal{errc::truncated, "extra", 12});
  // A file: gzip.GzipFile('n', mtime=1) of "hello".
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

TEST_CASE("a trailer behind a list that one of its elements ends") {
  const auto l = comes_back<log_codec>(hex<"01 ac02 02 00000007 01 05 00 0400 0b000000">);
  CHECK(l.events.size() == 4);
  CHECK(l.events.begin()->value == 300);
  CHECK(refused<log_codec>(hex<"01 ac02 00 0300 04000000">) ==
        refusal{errc::not_as_computed, "n", 4});
  CHECK(refused<log_codec>(hex<"01 ac02 03 00 0300">).error == errc::refused_value);
}

// A little-endian file that holds records of a big-endian network, alone, in lists and in tables.
struct packet {
  std::uint16_t port;
  std::array<std::uint16_t, 2> both;
};
using packet_codec = wire::record<packet, wire::order::big>;
struct named {
  std::uint16_t id;
  text name;
};
using named_codec =
    wire::record<wire::fields<wire::field<&named::id>, wire::prefixed<&named::name, std::uint16_t>>,
                 wire::order::big>;
struct capture {
  std::uint16_t n;
  packet one;
  named two;
  wire::array_view<packet_codec> many;
  wire::list_view<named_codec> names;
  std::uint16_t behind;
};
using capture_codec = wire::record<wire::fields<
    wire::field<&capture::n>, wire::field<&capture::one, packet_codec>,
    wire::field<&capture::two, named_codec>, wire::counted<&capture::many, &capture::n>,
    wire::list<&capture::names, wire::times<&capture::n>>, wire::field<&capture::behind>>>;

TEST_CASE("big-endian records within little-endian ones") {
  const auto c = comes_back<capture_codec>(hex<"0200 0050 00010002 0007 0001 78 0051 00030004 0052 "
                                               "00050006 0008 0000 0009 0002 6162 0100">);
  CHECK(c.one.port == 0x50);
  CHECK(c.two.id == 7);
  CHECK(c.many[1].both[1] == 6);
  CHECK(str((++c.names.begin())->name) == "ab");
  CHECK(c.behind == 1);
}

// pcapng's way: values are padded to 4 bytes, counted from where the part begins, which is nowhere
// near a multiple of 4.
struct padded_part {
  std::uint8_t lead, size;
  text name;
  std::uint32_t value;
  std::uint8_t last;
  std::uint8_t behind;
};
using padded_part_codec = wire::record<
    wire::fields<wire::field<&padded_part::lead>,
                 wire::computed<&padded_part::size, wire::extent_of_limited<&padded_part::size>>,
                 wire::limited<&padded_part::size, wire::prefixed<&padded_part::name, std::uint8_t>,
                               wire::align<4>, wire::field<&padded_part::value>,
                               wire::field<&padded_part::last>, wire::align<4, 0xff>>,
                 wire::align<8>, wire::field<&padded_part::behind>>>;

TEST_CASE("alignment within a part counts from where that begins") {
  comes_back<padded_part_codec>(hex<"01 0c 02 6162 00 04030201 05 ffffff 0000 77">);
  comes_back<padded_part_codec>(hex<"01 0c 03 616263 04030201 05 ffffff 0000 77">);
  comes_back<padded_part_codec>(hex<"01 10 04 61626364 000000 04030201 05 ffffff 000000000000 77">);
}

// CBOR's heads (RFC 8949, 3): the upper bits are the kind, the lower ones the number, or how long
// it is.
struct item {
  std::uint8_t kind, info;
  std::uint64_t number;
  wire::array_view<wire::u8> data;
  constexpr std::uint64_t length() const { return info < 24 ? info : number; }
};
using item_codec = wire::record<
    wire::fields<
        wire::bit_slices<std::uint8_t, wire::bits<&item::kind, 3>, wire::bits<&item::info, 5>>,
        wire::choice<&item::info, wire::on<24, wire::field<&item::number, wire::u8>>,
                     wire::on<25, wire::field<&item::number, wire::u16be>>,
                     wire::on<26, wire::field<&item::number, wire::u32be>>,
                     wire::on<27, wire::field<&item::number>>, wire::otherwise<>>,
        wire::choice<&item::kind, wire::on<2, wire::counted<&item::data, &item::length>>,
                     wire::on<3, wire::counted<&item::data, &item::length>>, wire::otherwise<>>>,
    wire::order::big>;

TEST_CASE("slices of a byte choose what follows, and how much of it") {
  // RFC 8949, appendix A: 10, 1000000, h'01020304', "IETF", -1000.
  CHECK(comes_back<item_codec>(hex<"0a">).info == 10);
  CHECK(comes_back<item_codec>(hex<"1a 000f4240">).number == 1000000);
  CHECK(comes_back<item_codec>(hex<"44 01020304">).data[3] == 4);
  CHECK(comes_back<item_codec>(hex<"64 49455446">).data.size() == 4);
  CHECK(comes_back<item_codec>(hex<"39 03e7">).number == 999);
  CHECK(comes_back<item_codec>(hex<"1b ffffffffffffffff">).number == ~std::uint64_t{0});
  CHECK(comes_back<item_codec>(hex<"58 03 616263">).data.size() == 3);
  CHECK(refused<item_codec>(hex<"5b ffffffffffffffff 61">) == refusal{errc::truncated, "data", 9});
}

// A checksum of whatever the choice is, behind it; and one in front, of a part with a choice in it.
struct sealed {
  std::uint8_t kind;
  std::uint32_t number;
  text name;
  std::uint32_t crc;
};
using sealed_codec = wire::record<
    wire::fields<wire::field<&sealed::kind>,
                 wire::choice<&sealed::kind, wire::on<1, wire::leb128<&sealed::number>>,
                              wire::on<2, wire::terminated<&sealed::name>>, wire::otherwise<>>,
                 wire::computed<&sealed::crc, wire::over_front<io::crc32, &sealed::kind>>>>;
struct frame {
  std::uint16_t size;
  std::uint32_t crc;
  std::uint8_t kind;
  std::uint32_t number;
  text name;
  wire::array_view<wire::u8> more;
};
using frame_codec = wire::record<wire::fields<
    wire::computed<&frame::size, wire::extent_of_limited<&frame::size>>,
    wire::computed<&frame::crc, wire::over<io::crc32, &frame::kind, &frame::more>, wire::u32be>,
    wire::limited<&frame::size, wire::field<&frame::kind>,
                  wire::choice<&frame::kind, wire::on<1, wire::leb128<&frame::number>>,
                               wire::on<2, wire::terminated<&frame::name>>, wire::otherwise<>>,
                  wire::align<8>, wire::rest<&frame::more>>>>;

TEST_CASE("a checksum over a choice, behind it and in front of it") {
  // struct.pack('<I', zlib.crc32(what stands before))
  CHECK(comes_back<sealed_codec>(hex<"01 ac02 ec213f12">).number == 300);
  CHECK(str(comes_back<sealed_codec>(hex<"02 68657900 e5b091f2">).name) == "hey");
  comes_back<sealed_codec>(hex<"03 37be0b4b">);
  CHECK(refused<sealed_codec>(hex<"01 ac03 ec213f12">) == refusal{errc::not_as_computed, "crc", 3});
  // '<H' of the size, '>I' of zlib.crc32 of the part.
  CHECK(str(comes_back<frame_codec>(hex<"0800 33a5c6c1 02 68657900 000000">).name) == "hey");
  CHECK(refused<frame_codec>(hex<"0800 33a5c6c1 02 68657800 000000">) ==
        refusal{errc::not_as_computed, "crc", 2});
}

// GPT's header (UEFI 2.10, 5.3.2): its checksum, with itself taken for 0, covers that of the entries, which
// stands behind it; and all of it is sealed once more in front.
struct disk {
  std::uint32_t seal;
  std::uint32_t header_crc;
  std::uint16_t n;
  std::uint32_t entries_crc;
  wire::array_view<wire::u8> entries;
};
using disk_codec = wire::record<wire::fields<
    wire::computed<&disk::seal, wire::over_record<io::crc32>>, wire::literal<"EFI">,
    wire::computed<&disk::header_crc, wire::over<io::crc32, &disk::header_crc, &disk::entries_crc>>,
    wire::computed<&disk::n, wire::size_of<&disk::entries>>,
    wire::computed<&disk::entries_crc, wire::over<io::crc32, &disk::entries>>,
    wire::counted<&disk::entries, &disk::n>>>;

TEST_CASE("a checksum covers another that stands behind it") {
  // zlib.crc32 of the entries; of the header with that in it; of all with both in it, each '<I'.
  const auto all = hex<"c2ad14fc 454649 0737588f 0200 9242ccb6 0102">;
  CHECK(comes_back<disk_codec>(all).entries.size() == 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto wrong = all;
    wrong[i] ^= byte{1};
    disk d{};
    CHECK_FALSE(disk_codec::decode(wrong, d));
  }
}

// Rows as far apart as the file says, of which a reader knows the front, and their names behind them.
struct symbol {
  std::uint32_t address;
  std::uint16_t size;
};
struct symbols {
  std::uint16_t n, stride;
  wire::strided_view<wire::record<symbol>> rows;
  wire::list_view<wire::terminated_view<wire::character>> names;
  std::uint8_t behind;
};
using symbols_codec = wire::record<wire::fields<
    wire::computed<&symbols::n, wire::size_of<&symbols::rows>>, wire::field<&symbols::stride>,
    wire::strided<&symbols::rows, &symbols::n, &symbols::stride>,
    wire::list<&symbols::names, wire::times<&symbols::n>>, wire::field<&symbols::behind>>>;

TEST_CASE("a table of rows of any length, and as many names") {
  const auto s = comes_back<symbols_codec>(
      hex<"0200 0800 00100000 2000 ffff 00200000 3000 eeee 6d61696e00 00 42">);
  CHECK(s.rows[1].address == 0x2000);
  CHECK(s.rows.row(1).back() == byte{0xee});
  REQUIRE(s.names.size() == 2);
  CHECK(str(*s.names.begin()) == "main");
  CHECK(s.behind == 0x42);
  CHECK(refused<symbols_codec>(hex<"0100 0500 0010000020 6d00 42">) ==
        refusal{errc::refused_value, "rows", 4});
}

// What each later version put behind a part, the newest of them in a part of its own.
struct settings {
  std::uint8_t size, version;
  bool has_second, has_third;
  std::uint16_t first, second;
  std::uint8_t third_size;
  text third;
  wire::array_view<wire::u8> unknown;
};
using settings_codec = wire::record<wire::fields<
    wire::computed<&settings::size, wire::extent_of_limited<&settings::size>>,
    wire::limited<
        &settings::size, wire::field<&settings::version>,
        wire::since<&settings::version, 2, wire::field<&settings::first>>,
        wire::if_left<
            &settings::has_second, wire::field<&settings::second>,
            wire::if_left<&settings::has_third,
                          wire::computed<&settings::third_size,
                                         wire::extent_of_limited<&settings::third_size>>,
                          wire::limited<&settings::third_size, wire::rest<&settings::third>>,
                          wire::rest<&settings::unknown>>>>>>;

TEST_CASE("what later versions put behind, in parts within parts") {
  CHECK(comes_back<settings_codec>(hex<"01 01">).version == 1);
  CHECK(comes_back<settings_codec>(hex<"03 02 3412">).first == 0x1234);
  const auto two = comes_back<settings_codec>(hex<"03 01 3412">);
  CHECK(two.has_second);
  CHECK_FALSE(two.has_third);
  const auto all = comes_back<settings_codec>(hex<"0a 02 3412 7856 02 6869 aabb">);
  CHECK(str(all.third) == "hi");
  CHECK(all.unknown.size() == 2);
  CHECK(refused<settings_codec>(hex<"05 01 3412 02 68">).error == errc::malformed);
  CHECK(refused<settings_codec>(hex<"02 01 34">) == refusal{errc::malformed, "second", 2});
}

// A part that ends with a list, and in front of that what has no bytes.
struct told {
  std::uint8_t size, kind, hint;
  wire::list_view<wire::uleb128_of<std::uint32_t>> all;
};
using told_codec =
    wire::record<wire::fields<wire::field<&told::size>,
                              wire::limited<&told::size, wire::field<&told::kind>,
                                            wire::given<&told::hint>, wire::list<&told::all>>>>;

TEST_CASE("what is missing of a part is not said of what has no bytes") {
  CHECK(comes_back<told_codec>(hex<"03 01 ac02">).all.size() == 1);
  CHECK(refused<told_codec>(hex<"03 01">) == refusal{errc::truncated, "all", 2});
  CHECK(refused<told_codec>(hex<"03 01 ac">) == refusal{errc::truncated, "all", 2});
}

// UTF-16 and numbers in text under conditions, and one word chosen inside another choice.
struct entry {
  std::uint8_t format, width;
  std::uint32_t number;
  wire::array_view<wire::u16le> wide;
  text narrow;
};
using entry_codec = wire::record<wire::fields<
    wire::one_of<&entry::format, 1, 2, 3>,
    wire::choice<&entry::format, wire::on<1, wire::digits<&entry::number, 4, 8>>,
                 wire::on<2, wire::field<&entry::width>,
                          wire::choice<&entry::width, wire::on<1, wire::terminated<&entry::narrow>>,
                                       wire::on<2, wire::terminated<&entry::wide>>>>,
                 wire::on<3, wire::in_range<&entry::width, 1, 2>,
                          wire::when<&entry::width, wire::padded<&entry::narrow, 4, ' '>>,
                          wire::integer<&entry::number, 24>>>>>;

TEST_CASE("choices within choices, of all kinds of words") {
  CHECK(comes_back<entry_codec>(hex<"01 30313700">).number == 15);
  CHECK(str(comes_back<entry_codec>(hex<"02 01 686900">).narrow) == "hi");
  CHECK(comes_back<entry_codec>(hex<"02 02 6800 0101 0000">).wide[1] == 0x101);
  const auto e = comes_back<entry_codec>(hex<"03 01 68692020 010203">);
  CHECK(str(e.narrow) == "hi");
  CHECK(e.number == 0x30201);
  CHECK(refused<entry_codec>(hex<"04">) == refusal{errc::refused_value, "format", 0});
  CHECK(refused<entry_codec>(hex<"02 03">) == refusal{errc::refused_value, "width", 2});
  CHECK(refused<entry_codec>(hex<"03 03">) == refusal{errc::refused_value, "width", 1});
  CHECK(refused<entry_codec>(hex<"01 38313700">) == refusal{errc::malformed, "number", 1});
}

}  // namespace
