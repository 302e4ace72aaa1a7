// tracepack, a compact file of trace records (docs/formats/tracepack.md): the structures around its streams.
// All little-endian. A file is a front, what it is about, frames, an index and an end.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../io/checksum.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/items/varint.hpp"
#include "../wire/layout/laid_out_as.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/computed.hpp"
#include "../wire/rules/constant.hpp"

namespace tracecodec::tracepack {

// The version written. Readers take any minor version of a major one that they know: a newer one adds text
// behind what they know of `about`, and streams whose numbers say that they may be left out.
inline constexpr std::uint16_t major_version = 1;
inline constexpr std::uint16_t minor_version = 0;

// The file's first bytes. The magic is no text, and shows what a transfer as text has done to the file.
struct front {
  std::array<char, 8> magic;
  std::uint16_t major;
  std::uint16_t minor;
  std::uint32_t about_size;  // bytes
  std::uint32_t about_crc;   // CRC-32C of them
  std::uint32_t front_crc;   // CRC-32C of the bytes before it
};
using front_codec =
    wire::record<wire::fields<wire::constant<&front::magic, "\x89TPACK\r\n">,
                              wire::field<&front::major>, wire::field<&front::minor>,
                              wire::field<&front::about_size>, wire::field<&front::about_crc>,
                              wire::computed<&front::front_crc, wire::over_front<io::crc32c>>>,
                 wire::order::little>;
static_assert(wire::is_laid_out_as<front_codec, R"(
Offset  Size  Field
------  ----  -----------
0       8     magic
8       2     major
10      2     minor
12      4     about_size
16      4     about_crc
20      4     front_crc
)">);

// What the records are.
enum class record_kind : std::uint8_t {
  champsim = 0,    // ChampSim's of 64 bytes
  cloudsuite = 1,  // CloudSuite's of 96
  described = 2,   // as the layout table `about::table` says
  bytes = 3        // nothing that has a layout: stored frames only
};

// What is known of static instructions besides what the records hold: bits of about_record::properties.
inline constexpr std::uint8_t has_classes = 1;  // feed::branch_class
inline constexpr std::uint8_t has_lengths = 2;  // bytes of machine code
inline constexpr std::uint8_t has_code = 4;     // these bytes; only with has_lengths

// Whose code it is: bits 4 to 7 of about_record::properties.
inline constexpr unsigned processor_bit = 4;
enum class processor : std::uint8_t {
  unknown = 0,
  x86_64 = 1,
  x86_32 = 2,
  aarch64 = 3,
  riscv64 = 4
};

// These of one instruction.
inline constexpr std::uint8_t unknown_class = 255;
inline constexpr std::size_t longest_code = 15;
struct property {
  std::uint8_t branch = unknown_class;  // feed::branch_class; unknown_class
  std::uint8_t length = 0;              // bytes; 0: unknown
  std::array<std::byte, longest_code> code = {};
  friend bool operator==(const property&, const property&) = default;
};

// Behind the front: what the records are, where the parts of one lie, and free text in UTF-8. Offsets are bytes
// from the record's start. A newer minor version may have more behind it.
using text_view = wire::array_view<wire::character>;
using offsets_view = wire::array_view<wire::u16le>;
struct about_record {
  record_kind kind;
  std::uint8_t properties;
  std::uint16_t record_size;    // bytes
  std::uint32_t frame_records;  // of a model frame, at most
  std::uint16_t ip_offset;      // of the instruction's address: 8 bytes, little-endian
  offsets_view slots;           // of addresses of memory: 8 bytes each, little-endian, 0 if unused
  offsets_view bases;           // of bytes that name registers which an address may be relative to
  text_view table;              // of described records: as trace_view --layout prints it
  text_view program;            // what was traced
  text_view arguments;          // of the program
  text_view recorder;           // what wrote the records
  text_view machine;            // where it ran
  text_view date;               // ISO 8601
  text_view region;             // which part of the run
  text_view comment;
};
template <auto P> using text_field = wire::prefixed<P, wire::uleb128_of<std::uint32_t>>;
using about_codec = wire::record<
    wire::fields<wire::field<&about_record::kind>, wire::field<&about_record::properties>,
                 wire::field<&about_record::record_size>, wire::field<&about_record::frame_records>,
                 wire::field<&about_record::ip_offset>,
                 wire::prefixed<&about_record::slots, std::uint8_t>,
                 wire::prefixed<&about_record::bases, std::uint8_t>,
                 text_field<&about_record::table>, text_field<&about_record::program>,
                 text_field<&about_record::arguments>, text_field<&about_record::recorder>,
                 text_field<&about_record::machine>, text_field<&about_record::date>,
                 text_field<&about_record::region>, text_field<&about_record::comment>>,
    wire::order::little>;

// How a frame's payload is coded. Others are refused.
enum class frame_kind : std::uint8_t {
  stored = 0,  // content as one zstd frame
  fast = 1,    // streams of the model, few predictors
  high = 2     // streams of the model, more predictors
};

// Before a frame's payload.
struct frame_header {
  std::array<char, 4> magic;
  frame_kind kind;
  std::uint32_t number;        // of frames before it
  std::uint32_t content_size;  // bytes of records
  std::uint32_t payload_size;  // bytes behind this header
  std::uint32_t base;  // number of the frame whose dictionary it goes on with; its own: of none
  std::uint64_t content_offset;  // of its first record in all content, bytes
  std::uint64_t digest;          // of what the model has decoded; 0 of stored frames
  std::uint32_t payload_crc;     // CRC-32C
  std::uint32_t header_crc;      // CRC-32C of the bytes before it
};
using frame_codec = wire::record<
    wire::fields<wire::constant<&frame_header::magic, "TPF1">, wire::field<&frame_header::kind>,
                 wire::padding<3>, wire::field<&frame_header::number>,
                 wire::field<&frame_header::content_size>, wire::field<&frame_header::payload_size>,
                 wire::field<&frame_header::base>, wire::field<&frame_header::content_offset>,
                 wire::field<&frame_header::digest>, wire::field<&frame_header::payload_crc>,
                 wire::computed<&frame_header::header_crc, wire::over_front<io::crc32c>>>,
    wire::order::little>;
static_assert(wire::is_laid_out_as<frame_codec, R"(
Offset  Size  Field
------  ----  --------------
0       4     magic
4       1     kind
5       3     (padding)
8       4     number
12      4     content_size
16      4     payload_size
20      4     base
24      8     content_offset
32      8     digest
40      4     payload_crc
44      4     header_crc
)">);

// A stream in front of a model frame's payload; all streams' bytes follow the last of these, in their order.
struct stream_header {
  std::uint8_t number;
  std::uint32_t content_size;  // bytes
  std::uint32_t stored_size;   // bytes; if it is as large, it is as it is, otherwise a zstd frame
};
using stream_codec = wire::record<
    wire::fields<wire::field<&stream_header::number>, wire::leb128<&stream_header::content_size>,
                 wire::leb128<&stream_header::stored_size>>>;

// Behind the last frame: an entry for each, then the end.
struct index_header {
  std::array<char, 4> magic;
  std::uint32_t frames;
  std::uint32_t entries_crc;  // CRC-32C of the entries
  std::uint32_t header_crc;   // CRC-32C of the bytes before it
};
using index_codec = wire::record<
    wire::fields<wire::constant<&index_header::magic, "TPIX">, wire::field<&index_header::frames>,
                 wire::field<&index_header::entries_crc>,
                 wire::computed<&index_header::header_crc, wire::over_front<io::crc32c>>>,
    wire::order::little>;
static_assert(wire::is_laid_out_as<index_codec, R"(
Offset  Size  Field
------  ----  -----------
0       4     magic
4       4     frames
8       4     entries_crc
12      4     header_crc
)">);

struct index_entry {
  std::uint64_t offset;          // of the frame's header in the file
  std::uint64_t content_offset;  // as frame_header's
  std::uint32_t base;            // as frame_header's
  std::uint32_t payload_crc;     // as frame_header's
};
using entry_codec = wire::record<index_entry, wire::order::little>;
static_assert(wire::is_laid_out_as<entry_codec, R"(
Offset  Size  Field
------  ----  --------------
0       8     offset
8       8     content_offset
16      4     base
20      4     payload_crc
)">);

// The file's last bytes.
struct end_of_file {
  std::uint64_t index_offset;  // of index_header in the file
  std::uint64_t frames;
  std::uint64_t records;       // whole ones
  std::uint64_t content_size;  // bytes of all frames
  std::uint32_t crc;           // CRC-32C of the bytes before it
  std::array<char, 4> magic;
};
using end_codec = wire::record<
    wire::fields<wire::field<&end_of_file::index_offset>, wire::field<&end_of_file::frames>,
                 wire::field<&end_of_file::records>, wire::field<&end_of_file::content_size>,
                 wire::computed<&end_of_file::crc, wire::over_front<io::crc32c>>,
                 wire::constant<&end_of_file::magic, "TPND">>,
    wire::order::little>;
static_assert(wire::is_laid_out_as<end_codec, R"(
Offset  Size  Field
------  ----  ------------
0       8     index_offset
8       8     frames
16      8     records
24      8     content_size
32      4     crc
36      4     magic
)">);

// What a reader refuses to hold, and a writer keeps to.
inline constexpr std::uint32_t most_about = std::uint32_t{1} << 20;    // bytes of about_record
inline constexpr std::uint32_t most_payload = std::uint32_t{1} << 24;  // bytes
inline constexpr std::uint32_t most_streamed = std::uint32_t{1}
                                               << 24;  // bytes of a frame's streams
inline constexpr std::uint32_t most_stored = std::uint32_t{1}
                                             << 22;  // bytes of content of a stored frame
inline constexpr std::uint32_t most_record = 4096;   // bytes of a record
inline constexpr std::uint32_t most_slots = 16;
inline constexpr std::uint32_t most_records = std::uint32_t{1} << 24;  // of a frame
// Of a frame's dictionary, with its base's:
inline constexpr std::uint32_t most_patterns = std::uint32_t{1} << 16;
inline constexpr std::uint32_t most_statics = std::uint32_t{1} << 17;
inline constexpr std::uint32_t most_sites = std::uint32_t{1}
                                            << 18;  // slots in use, of all static instructions
inline constexpr std::uint32_t most_units = std::uint32_t{1} << 17;
inline constexpr std::uint32_t most_in_units = std::uint32_t{1}
                                               << 19;  // static instructions of all units
inline constexpr std::uint32_t most_in_unit = 64;
inline constexpr std::uint32_t most_in_patterns = std::uint32_t{1} << 23;  // bytes of all patterns
inline constexpr std::uint32_t most_accesses = std::uint32_t{1}
                                               << 21;  // slots in use, of all units together

}  // namespace tracecodec::tracepack
