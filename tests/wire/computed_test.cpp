// Tests members that encode computes and decode compares: counts, sizes, checksums.
#include <tracecodec/io/checksum.hpp>
#include <tracecodec/wire/items/integers.hpp>
#include <tracecodec/wire/items/strings.hpp>
#include <tracecodec/wire/items/varint.hpp>
#include <tracecodec/wire/rules/choice.hpp>
#include <tracecodec/wire/rules/computed.hpp>
#include <tracecodec/wire/rules/constant.hpp>
#include <tracecodec/wire/rules/sized.hpp>
#include <tracecodec/wire/rules/when.hpp>

#include "whole.hpp"

namespace io = tracecodec::io;
namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// PNG, 5.3: length of the data, type, data, CRC-32 of type and data.
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

// Front of a ustar header. Its checksum covers all bytes, with blanks in place of the
// checksum.
struct tar {
  wire::array_view<wire::character> name;
  std::uint32_t mode, uid, gid;
  std::uint64_t size, mtime;
  std::uint32_t sum;
  std::uint8_t type;
};
using tar_codec = wire::record<
    wire::fields<wire::padded<&tar::name, 100>, wire::digits<&tar::mode, 8, 8>,
                 wire::digits<&tar::uid, 8, 8>, wire::digits<&tar::gid, 8, 8>,
                 wire::digits<&tar::size, 12, 8>, wire::digits<&tar::mtime, 12, 8>,
                 wire::computed<&tar::sum, wire::over<io::byte_sum, wire::itself_as<' '>>,
                                wire::digits_of<std::uint32_t, 8, 8, wire::digits_as::zeros>>,
                 wire::field<&tar::type>>>;

struct block {
  std::uint16_t total;
  bool has_sum;
  std::uint64_t leb;
  std::uint16_t sum;
  std::uint16_t again;
};
using block_codec = wire::record<wire::fields<
    wire::computed<&block::total, wire::extent_of<>>, wire::field<&block::has_sum>,
    wire::leb128<&block::leb>,
    wire::when<&block::has_sum, wire::computed<&block::sum, wire::over<io::byte_sum, &block::leb>>>,
    wire::computed<&block::again, wire::extent_of<>>>>;

template <class Sum> auto sum_of(std::string_view s) {
  Sum sum{};
  const auto bytes = std::as_bytes(std::span(s));
  sum.update(bytes.first(s.size() / 2));
  sum.update(bytes.subspan(s.size() / 2));
  return sum.value();
}

}  // namespace

TEST_CASE("checksums equal the values that their specifications publish") {
  CHECK(sum_of<io::crc32>("123456789") == 0xCBF43926);
  CHECK(sum_of<io::crc32c>("123456789") == 0xE3069283);
  CHECK(sum_of<io::byte_sum>("123456789") == 477);
#ifdef TRACECODEC_WITH_GZIP
  CHECK(sum_of<io::adler32>("Wikipedia") == 0x11E60398);
#endif
#ifdef TRACECODEC_WITH_XXHASH
  CHECK(sum_of<io::xxh64>("") == 0xEF46DB3751D8E999);
  CHECK(sum_of<io::xxh64>("abc") == 0x44BC2CF5AD770999);
#endif
}

TEST_CASE("computes the length and checksum of PNG chunks") {
  comes_back<chunk_codec>(hex<"00000000 49454e44 ae426082">);  // the IEND chunk of every PNG file
  // IHDR of a grey image of 1 by 1 pixels with 8 bits each.
  const auto header = hex<"0000000d 49484452 00000001 00000001 08 00 00 00 00 3a7e9b55">;
  chunk c = comes_back<chunk_codec>(header);
  CHECK(c.length == 13);
  // encode computes these members and ignores their values.
  c.length = 77;
  c.crc = 0;
  std::array<byte, 25> out{};
  CHECK(chunk_codec::encode(c, out));
  CHECK(out == header);
  for (std::size_t i = 4; i < out.size(); ++i) {
    auto flipped = header;
    flipped[i] ^= byte{1};
    CHECK(refused<chunk_codec>(flipped) == refusal{errc::not_as_computed, "crc", 21});
  }
}

TEST_CASE("computes the checksum of a tar header") {
  // Header that GNU tar 1.34 writes for a file "a" of 3 bytes with mode 644.
  std::array<byte, 157> h{};
  const auto put = [&h](std::size_t at, std::string_view s) {
    for (const char c : s) h[at++] = static_cast<byte>(c);
  };
  put(0, "a");
  put(100, "0000644");
  put(108, "0001750");
  put(116, "0001750");
  put(124, "00000000003");
  put(136, "14371573234");
  put(148, "00006206");
  put(156, "0");
  tar t{};
  auto r = tar_codec::decode(h, t);
  CHECK(r.error == errc::not_as_computed);
  CHECK(r.field == "sum");
  CHECK(r.used == 148);
  unsigned sum = 8 * ' ';
  for (std::size_t i = 0; i < h.size(); ++i)
    if (i < 148 || i >= 156) sum += std::to_integer<unsigned>(h[i]);
  char digits[16];
  std::snprintf(digits, sizeof digits, "%08o", sum);
  put(148, digits);
  t = comes_back<tar_codec>(h);
  CHECK(t.mode == 0644);
  CHECK(t.size == 3);
  CHECK(t.mtime == 014371573234);
  h[110] = byte{'8'};
  CHECK(refused<tar_codec>(h) == refusal{errc::malformed, "uid", 108});
}

TEST_CASE("computes the total size, and a checksum that may be absent") {
  block b{};
  b.has_sum = true;
  b.leb = 300;
  std::array<byte, 16> out{};
  auto w = block_codec::encode(b, out);
  REQUIRE(w);
  CHECK(hex_of(std::span(out).first(w.used)) ==
        "0900"
        "01"
        "ac02"
        "ae00"
        "0900");
  comes_back<block_codec>(std::span(out).first(w.used));
  CHECK(refused<block_codec>(hex<"0900 01 ac02 af00 0900">) ==
        refusal{errc::not_as_computed, "sum", 5});
  CHECK(refused<block_codec>(hex<"0a00 01 ac02 ae00 0900">) ==
        refusal{errc::not_as_computed, "total", 0});
  // The number has a longer form than needed. Sums and sizes cover the bytes that are present.
  CHECK(block_codec::decode(hex<"0a00 01 ac8200 2e01 0a00">, b).used == 10);
  comes_back<block_codec>(hex<"0700 00 ac02 0700">);

  struct small {
    std::uint8_t size;
    wire::array_view<wire::u8> data;
  };
  using small_codec = wire::record<
      wire::fields<wire::section<wire::computed<&small::size, wire::size_of<&small::data>>>,
                   wire::section<wire::counted<&small::data, &small::size>>>>;
  const std::vector<byte> many(256);
  std::vector<byte> buffer(300);
  const auto r = small_codec::encode({0, wire::array_view<wire::u8>(many)}, buffer);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "size");
}

TEST_CASE("a record with computed members can be a field of another record") {
  struct two {
    std::uint8_t before;
    chunk inside;
    std::uint8_t behind;
  };
  using codec =
      wire::record<wire::fields<wire::field<&two::before>, wire::field<&two::inside, chunk_codec>,
                                wire::field<&two::behind>>>;
  two t = comes_back<codec>(hex<"01 00000000 49454e44 ae426082 02">);
  t.inside.length = 5;
  t.inside.crc = 1;
  std::array<byte, 14> out{};
  CHECK(codec::encode(t, out));
  CHECK(hex_of(out) == "010000000049454e44ae42608202");
  CHECK(refused<codec>(hex<"01 00000000 49454e44 ae426083 02">) ==
        refusal{errc::not_as_computed, "crc", 9});
}

namespace {

// The chosen alternative determines what is counted.
struct either {
  std::uint8_t tag, n;
  wire::array_view<wire::u8> bytes;
  wire::array_view<wire::u16le> words;
};
using either_codec = wire::record<
    wire::fields<wire::field<&either::tag>,
                 wire::choice<&either::tag,
                              wire::on<1, wire::computed<&either::n, wire::size_of<&either::bytes>>,
                                       wire::counted<&either::bytes, &either::n>>,
                              wire::on<2, wire::computed<&either::n, wire::size_of<&either::words>>,
                                       wire::counted<&either::words, &either::n>>>>>;

// Sizes of two nested parts, then a count.
struct parts {
  std::uint8_t total, size, n;
  wire::array_view<wire::character> text;
  wire::array_view<wire::u8> data;
};
using parts_codec = wire::record<
    wire::fields<wire::computed<&parts::total, wire::extent_of<>>,
                 wire::computed<&parts::size, wire::extent_of<wire::sized_by<&parts::size>>>,
                 wire::computed<&parts::n, wire::size_of<&parts::data>>,
                 wire::sized<&parts::size, wire::terminated<&parts::text>>,
                 wire::counted<&parts::data, &parts::n>>>;

// PNG chunk with described data: IHDR contains a width.
struct image_chunk {
  std::uint32_t length;
  std::array<char, 4> type;
  std::uint32_t width;
  wire::array_view<wire::u8> data;
  std::uint32_t crc;
};
using image_chunk_codec = wire::record<
    wire::fields<
        wire::computed<&image_chunk::length, wire::extent_of<wire::sized_by<&image_chunk::length>>>,
        wire::field<&image_chunk::type>,
        wire::sized<&image_chunk::length,
                    wire::choice<&image_chunk::type,
                                 wire::on<"IHDR", wire::field<&image_chunk::width>,
                                          wire::rest<&image_chunk::data>>,
                                 wire::otherwise<wire::rest<&image_chunk::data>>>>,
        wire::computed<&image_chunk::crc, wire::over<io::crc32, &image_chunk::type, wire::here>>>,
    wire::order::big>;

struct blob {
  std::uint8_t total;
  wire::array_view<wire::u8> data;
};
using blob_codec = wire::record<wire::fields<wire::computed<&blob::total, wire::extent_of<>>,
                                             wire::prefixed<&blob::data, std::uint16_t>>>;
struct scaled {
  std::uint8_t product, factor;
};
constexpr auto hundredfold = [](const scaled& s) { return s.factor * 100U; };
using scaled_codec = wire::record<
    wire::fields<wire::computed<&scaled::product, hundredfold>, wire::field<&scaled::factor>>>;

}  // namespace

TEST_CASE("a member computed in several alternatives uses the chosen alternative") {
  const auto bytes = hex<"01 02 aabb">;
  either e = comes_back<either_codec>(bytes);
  e.n = 9;
  std::array<byte, 6> out{};
  CHECK(either_codec::encode(e, out).used == 4);
  CHECK(hex_of(std::span(out).first(4)) == "0102aabb");
  comes_back<either_codec>(hex<"02 02 aabbccdd">);
}

TEST_CASE("measures the items after parts whose sizes are not yet computed") {
  const auto bytes = hex<"08 03 02 616200 ccdd">;
  parts p = comes_back<parts_codec>(bytes);
  p.total = p.size = p.n = 0;
  std::array<byte, 8> out{};
  CHECK(parts_codec::encode(p, out));
  CHECK(out == bytes);
  CHECK(refused<parts_codec>(hex<"09 04 02 616200 00 ccdd">) ==
        refusal{errc::wrong_size, "size", 1});
}

TEST_CASE("computes the size of a chosen part, and a checksum of the preceding bytes") {
  comes_back<image_chunk_codec>(hex<"00000000 49454e44 ae426082">);
  const auto header = hex<"0000000d 49484452 00000001 00000001 08 00 00 00 00 3a7e9b55">;
  image_chunk c = comes_back<image_chunk_codec>(header);
  CHECK(c.width == 1);
  c.length = c.crc = 0;
  std::array<byte, 25> out{};
  CHECK(image_chunk_codec::encode(c, out));
  CHECK(out == header);

  struct front {
    std::uint8_t n;
    wire::array_view<wire::u8> data;
    std::uint16_t sum;
  };
  using codec = wire::record<wire::fields<
      wire::field<&front::n>, wire::counted<&front::data, &front::n>,
      wire::computed<&front::sum, wire::over<io::byte_sum, wire::record_start, wire::here>>>>;
  comes_back<codec>(hex<"02 01ff 0201">);
  CHECK(refused<codec>(hex<"02 01ff 0001">) == refusal{errc::not_as_computed, "sum", 3});

  // 0x100 does not fit a sum of 8 bits.
  struct narrow {
    std::uint8_t n;
    wire::array_view<wire::u8> data;
    std::uint8_t sum;
  };
  using narrow_codec = wire::record<wire::fields<
      wire::field<&narrow::n>, wire::counted<&narrow::data, &narrow::n>,
      wire::computed<&narrow::sum, wire::over<io::byte_sum, wire::record_start, wire::here>>>>;
  comes_back<narrow_codec>(hex<"02 01fc ff">);
  const auto many = hex<"02 01fd 00">;
  std::array<byte, 4> written{};
  const auto r = narrow_codec::encode(
      {2, wire::array_view<wire::u8>(std::span(many).subspan(1, 2)), 0}, written);
  CHECK(r.error == errc::does_not_fit);
  CHECK(r.field == "sum");
  CHECK(r.used == 3);
}

TEST_CASE("computes sizes and checksums of the bytes before and after a member, and of a part") {
  struct message {
    std::uint8_t before;
    std::uint16_t left;  // number of bytes after this member
    std::uint8_t size;   // of the part
    std::array<char, 9> digits;
    std::uint8_t read;  // number of bytes before this member
    std::uint32_t crc;  // of the part
    std::uint8_t sum, last;
  };
  using codec = wire::record<wire::fields<
      wire::field<&message::before>,
      wire::computed<&message::left, wire::extent_of<wire::here, wire::record_end>>,
      wire::computed<&message::size, wire::extent_of<wire::sized_by<&message::size>>>,
      wire::sized<&message::size, wire::field<&message::digits>>,
      wire::computed<&message::read, wire::extent_of<wire::record_start, wire::here>>,
      wire::computed<&message::crc, wire::over<io::crc32, wire::sized_by<&message::size>>>,
      wire::computed<&message::sum, wire::over<io::byte_sum, wire::here, wire::record_end>>,
      wire::field<&message::last>>>;
  // The checksum is the check value that catalogues of CRCs list for the digits 1 to 9.
  const auto bytes = hex<"aa 1100 09 313233343536373839 0d 2639f4cb 07 07">;
  message m = comes_back<codec>(bytes);
  CHECK(m.left == 17);
  CHECK(m.read == 13);
  CHECK(m.crc == 0xcbf43926);
  m.left = 0, m.size = 0, m.read = 0, m.crc = 0, m.sum = 0;
  std::array<byte, 20> out{};
  CHECK(codec::encode(m, out));
  CHECK(out == bytes);
  CHECK(refused<codec>(hex<"aa 1000 09 313233343536373839 0d 2639f4cb 07 07">) ==
        refusal{errc::not_as_computed, "left", 1});
  CHECK(refused<codec>(hex<"aa 1100 09 313233343536373839 0d 2639f4cb 08 07">) ==
        refusal{errc::not_as_computed, "sum", 18});
}

TEST_CASE("computes SHA-1") {
  const auto digest = [](std::string_view text, std::size_t times = 1) {
    io::sha1 sum;
    for (std::size_t i = 0; i != times; ++i) sum.update(std::as_bytes(std::span(text)));
    const auto bytes = sum.value();
    return hex_of(std::as_bytes(std::span(bytes)));
  };
  // Examples of FIPS 180 and its test vectors: one block, no bytes, two blocks, many blocks.
  CHECK(digest("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(digest("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  CHECK(digest("aaaaaaaaaa", 100'000) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
  // hashlib.sha1(): the last block has no space for the size.
  CHECK(digest("a", 55) == "c1c8bbdc22796e28c0e15163d20899b65621d65a");
  CHECK(digest("a", 63) == "03f09f5b158a7a8cdad920bddc29b81c18a551f5");
  CHECK(digest("a", 64) == "0098ba824b5c16427bd7a1122a5a442a25ec644d");
}

TEST_CASE("computes digests of more than 64 bits") {
  struct object {
    std::uint8_t n;
    wire::array_view<wire::u8> data;
    std::array<std::uint8_t, 20> id;
  };
  // The example of FIPS 180-4: "abc".
  using data_codec =
      wire::record<wire::fields<wire::field<&object::n>, wire::counted<&object::data, &object::n>,
                                wire::computed<&object::id, wire::over<io::sha1, &object::data>>>>;
  const auto abc = hex<"03 616263 a9993e364706816aba3e25717850c26c9cd0d89d">;
  object o = comes_back<data_codec>(abc);
  o.id = {};
  std::array<byte, 24> out{};
  CHECK(data_codec::encode(o, out));
  CHECK(out == abc);
  CHECK(refused<data_codec>(hex<"03 616264 a9993e364706816aba3e25717850c26c9cd0d89d">) ==
        refusal{errc::not_as_computed, "id", 4});

  // hashlib.sha1(bytes(20) + b'abc'), which replaces the digest by zeros.
  struct sealed {
    std::array<char, 20> id;
    std::array<char, 3> text;
  };
  using sealed_codec = wire::record<
      wire::fields<wire::computed<&sealed::id, wire::over<io::sha1>>, wire::field<&sealed::text>>>;
  static_assert(sealed_codec::fixed);
  comes_back<sealed_codec>(hex<"826eb434a3b998d52e8f8d6ff97418cb60d5256e 616263">);
}

// Records whose only computed member is not a size: the size of the part is a plain member.
struct summed_part {
  std::uint8_t size;
  std::uint16_t value;
  std::uint32_t crc;
};
using summed_part_codec = wire::record<
    wire::fields<wire::field<&summed_part::size>,
                 wire::sized<&summed_part::size, wire::field<&summed_part::value>>,
                 wire::computed<&summed_part::crc, wire::over<io::crc32, &summed_part::value>>>>;
struct counted_part {
  std::uint8_t kind, n, size;
  wire::array_view<wire::u8> all;
  std::uint16_t value;
};
using counted_part_codec = wire::record<wire::fields<
    wire::field<&counted_part::kind>,
    wire::computed<&counted_part::n, wire::size_of<&counted_part::all>>,
    wire::counted<&counted_part::all, &counted_part::n>, wire::field<&counted_part::size>,
    wire::choice<&counted_part::kind,
                 wire::on<1, wire::sized<&counted_part::size, wire::field<&counted_part::value>>>,
                 wire::on<2, wire::literal<"!">>>>>;

TEST_CASE("a part must have its size, whatever else is computed") {
  std::array<std::byte, 16> bytes{};
  CHECK(summed_part_codec::encode({2, 0x201, 0}, bytes).used == 7);
  for (const std::uint8_t size : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{3}}) {
    const auto r = summed_part_codec::encode({size, 0x201, 0}, bytes);
    CHECK(r.error == errc::count_mismatch);
    CHECK(r.field == "value");
  }
  CHECK(counted_part_codec::encode({1, 9, 2, {}, 5}, bytes).used == 5);
  CHECK(counted_part_codec::encode({1, 9, 3, {}, 5}, bytes).error == errc::count_mismatch);
  CHECK(counted_part_codec::encode({2, 9, 3, {}, 5}, bytes).used == 4);
}

TEST_CASE("refuses a computed value that does not fit inside a nested record") {
  struct holder {
    blob inside;
    scaled fixed;
  };
  using codec = wire::record<wire::fields<wire::field<&holder::inside, blob_codec>,
                                          wire::field<&holder::fixed, scaled_codec>>>;
  holder h = comes_back<codec>(hex<"05 0200 aabb c802">);
  std::vector<byte> out(400);
  h.fixed.factor = 3;
  CHECK(codec::encode(h, out).error == errc::does_not_fit);
  CHECK(codec::encode(h, out).field == "fixed");
  h.fixed.factor = 2;
  const std::vector<byte> many(300);
  h.inside.data = wire::array_view<wire::u8>(many);
  CHECK(codec::encode(h, out).error == errc::does_not_fit);
  CHECK(codec::encode(h, out).field == "inside");
}
