// Tests data about all records of a file: checksums in the header or the trailer, and members of
// each record that the header stores.
#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/io/checksum.hpp"
#include "tracecodec/wire/items/args.hpp"

using namespace test;
namespace feed = tracecodec::feed;
namespace map = feed::map;
using file::match;

namespace {
// Step trace followed by a CRC-32 of its steps.
using summed_steps = file::of<"step trace", front_part, steps_part,
                              file::trailer<back_codec, file::checksum<&back::sum, io::crc32>>>;
// Lines preceded by the sum of their bytes.
struct sum_front {
  std::uint16_t sum;
};
using summed_lines =
    file::of<"lines",
             file::header<wire::record<sum_front>, file::checksum<&sum_front::sum, io::byte_sum>>,
             file::records<line_codec, file::each<"line">>>;

// zlib.crc32(b''.join(struct.pack('<QHB', 0x1000 + 3 * i, i % 5, i % 3) for i in range(n)))
constexpr std::uint32_t crc_of_3 = 0x3182b838, crc_of_9000 = 0x7742fa5;
bytes trailer_of(std::uint32_t sum) {
  bytes out = back_bytes();
  for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<std::byte>(sum >> 8 * i & 0xff);
  return out;
}
}  // namespace

TEST_CASE("writes, compares and recognises a checksum after all records") {
  for (const auto& [n, sum] : {std::pair(std::size_t{3}, crc_of_3), {9000, crc_of_9000}, {0, 0}}) {
    const bytes good =
        front_bytes(static_cast<std::int64_t>(n)) + bytes_of(steps(n)) + trailer_of(sum);
    bytes got;
    summed_steps::writer out(std::make_unique<vector_sink>(got), "memory");
    out.write(steps(n));
    out.finish();
    CHECK(got == good);
    for (const bool map : {true, false}) {
      CHECK(found_in<summed_steps>(good, map).empty());
      summed_steps::reader r(map ? mapped(good) : stream_of(good));
      CHECK(all_of(r) == steps(n));
      CHECK_FALSE(r.first_error());
    }
  }
  bytes bad = front_bytes(3) + bytes_of(steps(3)) + trailer_of(crc_of_3);
  bad[20] ^= std::byte{1};
  CHECK(found_in<summed_steps>(bad) ==
        messages{"checksum@47 sum: is 0x3182b838, but that of the steps is 0x5f0ea379"});
  summed_steps::reader r(mapped(bad));
  std::optional<trace_error> error;
  CHECK(all_of(r, &error).size() == 3);
  REQUIRE(error);
  CHECK(error->code() == trace_errc::bad_value);
  CHECK(error->field() == "sum");
  CHECK(error->offset() == 47);
  // A second reading has the same result. A checksum cannot be compared after records were skipped.
  r.rewind();
  CHECK(all_of(r, &error).size() == 3);
  CHECK(error);
  r.rewind();
  CHECK(r.skip(1) == 1);
  CHECK(all_of(r, &error).size() == 2);
  CHECK_FALSE(error);
  summed_steps::reader lenient(mapped(bad), {.lenient = true});
  CHECK(all_of(lenient).size() == 3);
  CHECK(lenient.first_error());
  // If records are missing, only the truncation is reported. Bytes after the trailer do not belong
  // to the records.
  CHECK(found_in<summed_steps>(front_bytes(4) + bytes_of(steps(3)) + trailer_of(crc_of_3)) ==
        messages{"cut@47 ip: the trace ends after 3 of 4 steps"});
  CHECK(found_in<summed_steps>(front_bytes(3) + bytes_of(steps(3)) + trailer_of(crc_of_3) +
                               bytes(2)) ==
        messages{"trailing-bytes@55 2 bytes after the trailer"});
}

TEST_CASE("writes a checksum before records of varying size last") {
  bytes got;
  summed_lines::writer out(std::make_unique<vector_sink>(got), "memory");
  const bytes text = three_lines(), counted = front_bytes(3) + text;
  line_file::reader from(mapped(counted));
  for (auto b = from.next(); b.size() != 0; b = from.next()) out.write(b.records);
  out.finish();
  // sum(bytes.fromhex('050068656c6c6f010000020200414203'))
  const bytes good = from_hex("a402") + text;
  CHECK(got == good);
  CHECK(found_in<summed_lines>(good).empty());
  bytes bad = good;
  bad[0] ^= std::byte{1};
  CHECK(found_in<summed_lines>(bad) ==
        messages{"checksum@0 sum: is 0x2a5, but that of the lines is 0x2a4"});
}

TEST_CASE("writes and compares a digest of all records") {
  struct seal {
    std::array<std::uint8_t, 20> id;
  };
  using sealed_steps =
      file::of<"step trace", front_part, steps_part,
               file::trailer<wire::record<seal>, file::checksum<&seal::id, io::sha1>>>;
  // hashlib.sha1() of the bytes for which zlib.crc32() is above
  const bytes good =
      front_bytes(3) + bytes_of(steps(3)) + from_hex("0a6e6f579b43b0da685ff3c51ef07998a7be50fd");
  bytes got;
  sealed_steps::writer out(std::make_unique<vector_sink>(got), "memory");
  out.write(steps(3));
  out.finish();
  CHECK(got == good);
  CHECK(found_in<sealed_steps>(good).empty());
  bytes bad = good;
  bad[20] ^= std::byte{1};
  CHECK(found_in<sealed_steps>(bad) ==
        messages{"checksum@47 id: is 0a6e6f579b43b0da685ff3c51ef07998a7be50fd, but that of the "
                 "steps is 7ab5018758e57c6f7027b15d2115df150e2c7535"});
}

namespace {
// Samples with a header that states their first address and the number of values of each sample.
struct sampling {
  std::uint32_t base;
  std::uint8_t channels;
};
struct sample {
  std::uint16_t ticks;
  wire::array_view<wire::u8> values;
  std::uint8_t channels;
};
using sample_codec =
    wire::record<wire::fields<wire::parameter<&sample::channels>, wire::field<&sample::ticks>,
                              wire::counted<&sample::values, &sample::channels>>>;
using samples = file::of<"samples", file::header<wire::record<sampling>>,
                         file::records<sample_codec, file::each<"sample">,
                                       file::args<&sample::channels, &sampling::channels>>>;
// Records of fixed size with one value from the header.
struct jump {
  std::uint16_t at, to;
  std::uint64_t base;
  std::uint64_t ip() const { return base + at; }
};
using jump_codec = wire::record<
    wire::fields<wire::field<&jump::at>, wire::field<&jump::to>, wire::not_on_wire<&jump::base>>>;
using jumps = file::of<"jumps", file::header<wire::record<sampling>>,
                       file::records<jump_codec, file::args<&jump::base, &sampling::base>>>;
using jump_feed = feed::of<jumps, map::ip<&jump::ip>, map::asid<&jump::base>,
                           map::branch<feed::branch_class::indirect, map::is<&jump::to, 1>>>;
static_assert(feed::stream<jump_feed>);
}  // namespace

TEST_CASE("records of varying size use parameters from the header as counts") {
  const bytes raw = from_hex("00000000 02  0100 aabb  0200 ccdd  0300 eeff");
  for (const bool map : {true, false}) {
    samples::reader r(map ? mapped(raw) : stream_of(raw));
    const auto b = r.next();
    REQUIRE(b.size() == 3);
    CHECK(b[2].channels == 2);
    CHECK(b[2].values[1] == 0xff);
    bytes got;
    samples::writer out(std::make_unique<vector_sink>(got), "memory", r.header());
    for (sample s : b) {
      s.channels = 0;  // the header's value replaces it
      out.write(s);
    }
    out.finish();
    CHECK(got == raw);
  }
  CHECK(samples::probe(raw, raw.size()) == match::possible);
  CHECK(found_in<samples>(raw).empty());
  CHECK(found_in<samples>(from_hex("00000000 02  0100 aabb  0200 cc")) ==
        messages{"cut@11 values: the trace ends inside the sample, after 3 bytes"});
}

TEST_CASE("records of fixed size contain parameters from the header") {
  const bytes raw = from_hex("00100000 00  0100 0100  0200 0000  0300 0100");
  for (const bool map : {true, false}) {
    jumps::reader r(map ? mapped(raw) : stream_of(raw));
    auto b = r.next();
    if (b.size() == 2) b = b.part(0, 2);
    REQUIRE(b.size() >= 2);
    CHECK(b[1].base == 0x1000);
    CHECK(b[1].ip() == 0x1002);
    if (!b.last) CHECK(b.following().base == 0x1000);
    std::uint64_t bases = 0;
    for (const jump& j : b.records) bases += j.base;
    CHECK(bases == b.size() * 0x1000);
    bytes got;
    jumps::writer out(std::make_unique<vector_sink>(got), "memory", r.header());
    jumps::reader again(map ? mapped(raw) : stream_of(raw));
    for (auto all = again.next(); all.size() != 0; all = again.next()) out.write(all.records);
    out.finish();
    CHECK(got == raw);
    std::vector<std::uint64_t> ips, targets;
    jump_feed from(map ? mapped(raw) : stream_of(raw));
    for (const auto& i : from) {
      ips.push_back(i.ip());
      targets.push_back(i.target());
      CHECK(i.asid() == 0x1000);
      CHECK(i.record().base == 0x1000);
    }
    CHECK(ips == std::vector<std::uint64_t>{0x1001, 0x1002, 0x1003});
    CHECK(targets == std::vector<std::uint64_t>{0x1002, 0, 0});
  }
}
