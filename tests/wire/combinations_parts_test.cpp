// Tests more combinations from real formats: byte orders, parts, choices, and checksums over
// them. The bytes are written by hand. Checksums are from Python's zlib.crc32, and were
// inserted by struct.pack.
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

// Little-endian file with big-endian network records: as single records, in lists and in tables.
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

// Padding as in pcapng: values are padded to 4 bytes, counted from the beginning of the part.
// The part does not begin at a multiple of 4.
struct padded_part {
  std::uint8_t lead, size;
  text name;
  std::uint32_t value;
  std::uint8_t last;
  std::uint8_t behind;
};
using padded_part_codec = wire::record<wire::fields<
    wire::field<&padded_part::lead>,
    wire::computed<&padded_part::size, wire::extent_of<wire::sized_by<&padded_part::size>>>,
    wire::sized<&padded_part::size, wire::prefixed<&padded_part::name, std::uint8_t>,
                wire::align<4, wire::from_part>, wire::field<&padded_part::value>,
                wire::field<&padded_part::last>, wire::align<4, wire::from_part, 0xff>>,
    wire::align<8>, wire::field<&padded_part::behind>>>;

TEST_CASE("alignment inside a part is counted from the beginning of that part") {
  comes_back<padded_part_codec>(hex<"01 0c 02 6162 00 04030201 05 ffffff 0000 77">);
  comes_back<padded_part_codec>(hex<"01 0c 03 616263 04030201 05 ffffff 0000 77">);
  comes_back<padded_part_codec>(hex<"01 10 04 61626364 000000 04030201 05 ffffff 000000000000 77">);
}

// Directory record of ISO 9660 (ECMA-119, 9.1). The record's size follows from its first byte. A
// padding byte follows an identifier of even length, so that the system's bytes begin at an even
// offset of the record, whereas the part begins at offset 1.
struct directory {
  std::uint8_t size;
  std::array<std::uint8_t, 31> fixed;
  text name;
  wire::array_view<wire::u8> system;
  constexpr std::size_t rest() const noexcept { return size == 0 ? 0 : size - 1U; }
};
using directory_codec = wire::record<
    wire::fields<wire::computed<&directory::size, wire::extent_of<>>,
                 wire::sized<&directory::rest, wire::field<&directory::fixed>,
                             wire::prefixed<&directory::name, std::uint8_t>,
                             wire::align<2, wire::from_record>, wire::rest<&directory::system>>>>;

TEST_CASE("alignment inside a part may be counted from the beginning of the record") {
  const auto record = [](std::string_view name, std::size_t padding, std::string_view system) {
    std::vector<byte> all(33);
    all[0] = static_cast<byte>(33 + name.size() + padding + system.size());
    all[32] = static_cast<byte>(name.size());
    for (const char c : name) all.push_back(static_cast<byte>(c));
    all.resize(all.size() + padding);
    for (const char c : system) all.push_back(static_cast<byte>(c));
    return all;
  };
  const auto even = record("AB", 1, "RR");
  const directory d = comes_back<directory_codec>(even);
  CHECK(str(d.name) == "AB");
  CHECK(d.system.size() == 2);
  const auto odd = record("README.;1", 0, "RRIP");
  CHECK(comes_back<directory_codec>(odd).system.size() == 4);
  const auto none = record("A", 0, "");
  CHECK(comes_back<directory_codec>(none).system.empty());
}

// Head of a CBOR item (RFC 8949, 3). The upper bits are the kind. The lower bits are either the
// number or the number's length.
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

TEST_CASE("slices of a byte select the next item and its length") {
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

// Checksum that follows the choice it covers.
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
                 wire::computed<&sealed::crc, wire::over<io::crc32, &sealed::kind, wire::here>>>>;
struct frame {
  std::uint16_t size;
  std::uint32_t crc;
  std::uint8_t kind;
  std::uint32_t number;
  text name;
  wire::array_view<wire::u8> more;
};
using frame_codec = wire::record<wire::fields<
    wire::computed<&frame::size, wire::extent_of<wire::sized_by<&frame::size>>>,
    wire::computed<&frame::crc, wire::over<io::crc32, &frame::kind, &frame::more>, wire::u32be>,
    wire::sized<&frame::size, wire::field<&frame::kind>,
                wire::choice<&frame::kind, wire::on<1, wire::leb128<&frame::number>>,
                             wire::on<2, wire::terminated<&frame::name>>, wire::otherwise<>>,
                wire::align<8, wire::from_part>, wire::rest<&frame::more>>>>;

TEST_CASE("a checksum of a choice may follow or precede it") {
  // struct.pack('<I', zlib.crc32(all preceding bytes))
  CHECK(comes_back<sealed_codec>(hex<"01 ac02 ec213f12">).number == 300);
  CHECK(str(comes_back<sealed_codec>(hex<"02 68657900 e5b091f2">).name) == "hey");
  comes_back<sealed_codec>(hex<"03 37be0b4b">);
  CHECK(refused<sealed_codec>(hex<"01 ac03 ec213f12">) == refusal{errc::not_as_computed, "crc", 3});
  // '<H' of the size, then '>I' of the part's zlib.crc32.
  CHECK(str(comes_back<frame_codec>(hex<"0800 33a5c6c1 02 68657900 000000">).name) == "hey");
  CHECK(refused<frame_codec>(hex<"0800 33a5c6c1 02 68657800 000000">) ==
        refusal{errc::not_as_computed, "crc", 2});
}

// Header of a GPT (UEFI 2.10, 5.3.2). Its checksum counts its own bytes as 0, and covers the
// checksum of the entries that follows. A further checksum in front covers everything.
struct disk {
  std::uint32_t seal;
  std::uint32_t header_crc;
  std::uint16_t n;
  std::uint32_t entries_crc;
  wire::array_view<wire::u8> entries;
};
using disk_codec = wire::record<wire::fields<
    wire::computed<&disk::seal, wire::over<io::crc32>>, wire::literal<"EFI">,
    wire::computed<&disk::header_crc, wire::over<io::crc32, &disk::header_crc, &disk::entries_crc>>,
    wire::computed<&disk::n, wire::size_of<&disk::entries>>,
    wire::computed<&disk::entries_crc, wire::over<io::crc32, &disk::entries>>,
    wire::counted<&disk::entries, &disk::n>>>;

TEST_CASE("a checksum covers another checksum that follows it") {
  // zlib.crc32 of the entries, of the header including the entries' checksum, and of everything
  // including both checksums. Each is packed as '<I'.
  const auto all = hex<"c2ad14fc 454649 0737588f 0200 9242ccb6 0102">;
  CHECK(comes_back<disk_codec>(all).entries.size() == 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto wrong = all;
    wrong[i] ^= byte{1};
    disk d{};
    CHECK_FALSE(disk_codec::decode(wrong, d));
  }
}

// Table with a stride that the file states. A reader uses only the front of each row. The rows'
// names follow the table.
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

TEST_CASE("a table with a stride is followed by one name for each row") {
  const auto s = comes_back<symbols_codec>(
      hex<"0200 0800 00100000 2000 ffff 00200000 3000 eeee 6d61696e00 00 42">);
  CHECK(s.rows[1].address == 0x2000);
  CHECK(s.rows.row(1).back() == byte{0xee});
  REQUIRE(s.names.size() == 2);
  CHECK(str(*s.names.begin()) == "main");
  CHECK(s.behind == 0x42);
  CHECK(refused<symbols_codec>(hex<"0100 0500 0010000020 6d00 42">) ==
        refusal{errc::invalid_value, "rows", 4});
}

// Data that later versions appended to a part. The newest data are in a nested part.
struct settings {
  std::uint8_t size, version;
  bool has_second, has_third;
  std::uint16_t first, second;
  std::uint8_t third_size;
  text third;
  wire::array_view<wire::u8> unknown;
};
using settings_codec = wire::record<wire::fields<
    wire::computed<&settings::size, wire::extent_of<wire::sized_by<&settings::size>>>,
    wire::sized<
        &settings::size, wire::field<&settings::version>,
        wire::when<wire::at_least<&settings::version, 2>, wire::field<&settings::first>>,
        wire::if_left<
            &settings::has_second, wire::field<&settings::second>,
            wire::if_left<&settings::has_third,
                          wire::computed<&settings::third_size,
                                         wire::extent_of<wire::sized_by<&settings::third_size>>>,
                          wire::sized<&settings::third_size, wire::rest<&settings::third>>,
                          wire::rest<&settings::unknown>>>>>>;

TEST_CASE("reads what later versions appended, in nested parts") {
  CHECK(comes_back<settings_codec>(hex<"01 01">).version == 1);
  CHECK(comes_back<settings_codec>(hex<"03 02 3412">).first == 0x1234);
  const auto two = comes_back<settings_codec>(hex<"03 01 3412">);
  CHECK(two.has_second);
  CHECK_FALSE(two.has_third);
  const auto all = comes_back<settings_codec>(hex<"0a 02 3412 7856 02 6869 aabb">);
  CHECK(str(all.third) == "hi");
  CHECK(all.unknown.size() == 2);
  CHECK(refused<settings_codec>(hex<"05 01 3412 02 68">).error == errc::wrong_size);
  CHECK(refused<settings_codec>(hex<"02 01 34">) == refusal{errc::wrong_size, "second", 2});
}

// Part that ends with a list, preceded by a member without bytes.
struct told {
  std::uint8_t size, kind, hint;
  wire::list_view<wire::uleb128_of<std::uint32_t>> all;
};
using told_codec =
    wire::record<wire::fields<wire::field<&told::size>,
                              wire::sized<&told::size, wire::field<&told::kind>,
                                          wire::parameter<&told::hint>, wire::list<&told::all>>>>;

TEST_CASE("a truncated part is not reported for a member without bytes") {
  CHECK(comes_back<told_codec>(hex<"03 01 ac02">).all.size() == 1);
  CHECK(refused<told_codec>(hex<"03 01">) == refusal{errc::truncated, "all", 2});
  CHECK(refused<told_codec>(hex<"03 01 ac">) == refusal{errc::truncated, "all", 2});
}

// UTF-16 and numbers in text under conditions, and an item chosen inside another choice.
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

TEST_CASE("nested choices select text, UTF-16 and numbers") {
  CHECK(comes_back<entry_codec>(hex<"01 30313700">).number == 15);
  CHECK(str(comes_back<entry_codec>(hex<"02 01 686900">).narrow) == "hi");
  CHECK(comes_back<entry_codec>(hex<"02 02 6800 0101 0000">).wide[1] == 0x101);
  const auto e = comes_back<entry_codec>(hex<"03 01 68692020 010203">);
  CHECK(str(e.narrow) == "hi");
  CHECK(e.number == 0x30201);
  CHECK(refused<entry_codec>(hex<"04">) == refusal{errc::invalid_value, "format", 0});
  CHECK(refused<entry_codec>(hex<"02 03">) == refusal{errc::invalid_value, "width", 1});
  CHECK(refused<entry_codec>(hex<"03 03">) == refusal{errc::invalid_value, "width", 1});
  CHECK(refused<entry_codec>(hex<"01 38313700">) == refusal{errc::malformed, "number", 1});
}

}  // namespace
