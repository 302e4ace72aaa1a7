// Structures of the tracepack format, a compact format for trace records, except for the
// content of its streams (docs/formats/tracepack-container.md). All structures are
// little-endian. A file consists of a front, a description (`about`), frames, an index and an
// end.
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

// Version that writers store. Readers accept any minor version of a known major version. A
// newer minor version may append text to the known part of `about`, and may add streams whose
// numbers mark them as optional.
inline constexpr std::uint16_t major_version = 1;
inline constexpr std::uint16_t minor_version = 0;

// First bytes of the file. The magic number is not text, and reveals damage by a text-mode
// transfer.
struct front {
  std::array<char, 8> magic;
  std::uint16_t major;
  std::uint16_t minor;
  std::uint32_t about_size;  // bytes of about_record
  std::uint32_t about_crc;   // CRC-32C of about_record
  std::uint32_t front_crc;   // CRC-32C of the bytes before this field
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

// Kinds of records.
enum class record_kind : std::uint8_t {
  champsim = 0,    // ChampSim's records, 64 bytes each
  cloudsuite = 1,  // CloudSuite's records, 96 bytes each
  described = 2,   // records with the layout in `about::table`
  bytes = 3        // records of unknown layout, in stored frames only
};

// Properties of static instructions stored in addition to the records: bits of
// about_record::properties.
inline constexpr std::uint8_t has_classes = 1;  // branch class (feed::branch_class)
inline constexpr std::uint8_t has_lengths = 2;  // length of the machine code in bytes
inline constexpr std::uint8_t has_code = 4;     // machine code; requires has_lengths

// Instruction set of the code: bits 4 to 7 of about_record::properties.
inline constexpr unsigned processor_bit = 4;
enum class processor : std::uint8_t {
  unknown = 0,
  x86_64 = 1,
  x86_32 = 2,
  aarch64 = 3,
  riscv64 = 4
};

// Properties of one static instruction.
inline constexpr std::uint8_t unknown_class = 255;
inline constexpr std::size_t longest_code = 15;
struct property {
  std::uint8_t branch = unknown_class;  // feed::branch_class, or unknown_class
  std::uint8_t length = 0;              // length of the code in bytes; 0: unknown
  std::array<std::byte, longest_code> code = {};
  friend bool operator==(const property&, const property&) = default;
};

// Description after the front: kind of records, position of a record's parts, and free text in
// UTF-8. Offsets are in bytes from the start of a record. A newer minor version may append
// fields.
using text_view = wire::array_view<wire::character>;
using offsets_view = wire::array_view<wire::u16le>;
struct about_record {
  record_kind kind;
  std::uint8_t properties;
  std::uint16_t record_size;    // bytes of a record
  std::uint32_t frame_records;  // maximum number of records in a model frame
  std::uint16_t ip_offset;      // offset of the instruction's address: 8 bytes, little-endian
  offsets_view slots;   // offsets of memory addresses: 8 bytes each, little-endian, 0 if unused
  offsets_view bases;   // offsets of bytes that name possible base registers of addresses
  text_view table;      // layout of described records, as printed by trace_view --layout
  text_view program;    // traced program
  text_view arguments;  // arguments of the program
  text_view recorder;   // program that wrote the records
  text_view machine;    // machine on which the program ran
  text_view date;       // date of recording, in the format of ISO 8601
  text_view region;     // part of the run that was traced
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

// Encodings of a frame's payload; readers reject all others.
enum class frame_kind : std::uint8_t {
  stored = 0,  // content as a single zstd frame
  fast = 1,    // streams of the model with few predictors
  high = 2     // streams of the model with more predictors
};

// Header before a frame's payload.
struct frame_header {
  std::array<char, 4> magic;
  frame_kind kind;
  std::uint32_t number;        // number of frames before this frame
  std::uint32_t content_size;  // bytes of the frame's records
  std::uint32_t payload_size;  // bytes of the payload
  std::uint32_t base;  // number of the frame whose dictionary is extended; own number if none
  std::uint64_t content_offset;  // byte offset of the first record in the content of all frames
  std::uint64_t digest;          // digest of the data decoded by the model; 0 for stored frames
  std::uint32_t payload_crc;     // CRC-32C of the payload
  std::uint32_t header_crc;      // CRC-32C of the bytes before this field
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

// Header of a stream, at the start of a model frame's payload. The bytes of all streams follow
// the last header, in the order of the headers.
struct stream_header {
  std::uint8_t number;
  std::uint32_t content_size;  // bytes of the decompressed stream
  // Size of the stored stream in bytes. If the size equals content_size, the stream is
  // uncompressed; otherwise it is a zstd frame.
  std::uint32_t stored_size;
};
using stream_codec = wire::record<
    wire::fields<wire::field<&stream_header::number>, wire::leb128<&stream_header::content_size>,
                 wire::leb128<&stream_header::stored_size>>>;

// Index after the last frame: a header, an entry for each frame, then the end.
struct index_header {
  std::array<char, 4> magic;
  std::uint32_t frames;
  std::uint32_t entries_crc;  // CRC-32C of the entries
  std::uint32_t header_crc;   // CRC-32C of the bytes before this field
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
  std::uint64_t offset;          // offset of the frame's header in the file
  std::uint64_t content_offset;  // copy of frame_header::content_offset
  std::uint32_t base;            // copy of frame_header::base
  std::uint32_t payload_crc;     // copy of frame_header::payload_crc
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

// Last bytes of the file.
struct end_of_file {
  std::uint64_t index_offset;  // offset of index_header in the file
  std::uint64_t frames;
  std::uint64_t records;       // number of whole records
  std::uint64_t content_size;  // total size of the content of all frames in bytes
  std::uint32_t crc;           // CRC-32C of the bytes before this field
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

// Limits of the format. Readers reject files that exceed a limit; writers never exceed a limit.
inline constexpr std::uint32_t most_about = std::uint32_t{1} << 20;    // bytes of about_record
inline constexpr std::uint32_t most_payload = std::uint32_t{1} << 24;  // bytes of a frame's payload
inline constexpr std::uint32_t most_streamed = std::uint32_t{1}
                                               << 24;  // bytes of a frame's streams
inline constexpr std::uint32_t most_stored = std::uint32_t{1}
                                             << 22;  // bytes of content of a stored frame
inline constexpr std::uint32_t most_record = 4096;   // bytes of a record
inline constexpr std::uint32_t most_slots = 16;
inline constexpr std::uint32_t most_records = std::uint32_t{1} << 24;  // records in a frame
// Limits of a frame's dictionary, including the entries of its base:
inline constexpr std::uint32_t most_patterns = std::uint32_t{1} << 16;
inline constexpr std::uint32_t most_statics = std::uint32_t{1} << 17;
inline constexpr std::uint32_t most_sites = std::uint32_t{1}
                                            << 18;  // slots in use by all static instructions
inline constexpr std::uint32_t most_units = std::uint32_t{1} << 17;
inline constexpr std::uint32_t most_in_units = std::uint32_t{1}
                                               << 19;  // static instructions of all units
inline constexpr std::uint32_t most_in_unit = 64;
inline constexpr std::uint32_t most_in_patterns = std::uint32_t{1} << 23;  // bytes of all patterns
inline constexpr std::uint32_t most_accesses = std::uint32_t{1}
                                               << 21;  // slots in use by all units together

}  // namespace tracecodec::tracepack
