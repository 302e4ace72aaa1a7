// Structures of the tracepack format, a compact format for trace records. All structures are
// little-endian. A file consists of a front, a description (`about`), frames, an index and an end
// (see docs/formats/tracepack-container.md). For the content of the streams, see
// docs/formats/tracepack-model.md.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../io/checksum.hpp"
#include "../wire/items/strings.hpp"
#include "../wire/items/varint.hpp"
#include "../wire/layout/laid_out_as.hpp"
#include "../wire/policy.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/computed.hpp"
#include "../wire/rules/constant.hpp"
#include "properties.hpp"

namespace tracecodec::tracepack {

// Version that writers store. Readers accept any minor version of a known major version. A newer
// minor version may append fields to `about`, and may add optional streams, which have numbers of
// at least stream::may_be_left_out.
inline constexpr std::uint16_t major_version = 1;
inline constexpr std::uint16_t minor_version = 0;

// First bytes of the file. The magic number contains a line ending, so that damage by a transfer in
// text mode can be detected.
struct front {
  std::array<char, 8> magic;
  std::uint16_t major;
  std::uint16_t minor;
  std::uint32_t about_size;  // bytes of about_record
  std::uint32_t about_crc;   // CRC-32C of about_record
  std::uint32_t front_crc;   // CRC-32C of the bytes before this field
};
using front_codec = wire::record<
    wire::in_struct_order<
        front, wire::constant<&front::magic, "\x89TPACK\r\n">,
        wire::computed<&front::front_crc, wire::over<io::crc32c, wire::record_start, wire::here>>>,
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

using text_view = wire::array_view<wire::character>;
using offsets_view = wire::array_view<wire::u16le>;
// Description after the front. It contains the kind of the records, the positions of the fields in
// a record, and free text in UTF-8. Offsets are in bytes from the start of a record. A newer minor
// version may append fields.
struct about_record {
  record_kind kind;
  std::uint8_t properties;
  std::uint16_t record_size;    // bytes of a record
  std::uint32_t frame_records;  // maximum number of records in a model frame
  std::uint16_t ip_offset;      // offset of the instruction's address (8 bytes, little-endian)
  // Offsets of memory addresses. An address has 8 bytes, is little-endian, and is 0 if unused.
  offsets_view slots;
  offsets_view bases;   // offsets of the bytes that may store a base-register number
  text_view table;      // layout of described records, as printed by trace_view --layout
  text_view program;    // traced program
  text_view arguments;  // arguments of the program
  text_view recorder;   // program that wrote the records
  text_view machine;    // machine on which the program ran
  text_view date;       // date of the recording, in ISO 8601 format
  text_view region;     // part of the run that was traced
  text_view comment;
};
template <auto P> using text_field = wire::prefixed<P, wire::uleb128_of<std::uint32_t>>;
using about_codec = wire::record<
    wire::in_struct_order<about_record, wire::prefixed<&about_record::slots, std::uint8_t>,
                          wire::prefixed<&about_record::bases, std::uint8_t>,
                          text_field<&about_record::table>, text_field<&about_record::program>,
                          text_field<&about_record::arguments>, text_field<&about_record::recorder>,
                          text_field<&about_record::machine>, text_field<&about_record::date>,
                          text_field<&about_record::region>, text_field<&about_record::comment>>,
    wire::order::little>;

// Encoding of a frame's payload. Readers reject all other values.
enum class frame_kind : std::uint8_t {
  stored = 0,  // content as a single zstd frame
  fast = 1,    // streams of a model with few predictors
  high = 2     // streams of a model with more predictors
};

// Header that precedes a frame's payload.
struct frame_header {
  std::array<char, 4> magic;
  frame_kind kind;
  std::uint32_t number;        // number of frames before this frame
  std::uint32_t content_size;  // bytes of the frame's records
  std::uint32_t payload_size;  // bytes of the payload
  // Number of the frame with the dictionary that this frame extends, or the frame's own number if
  // there is no such frame.
  std::uint32_t base;
  std::uint64_t content_offset;  // byte offset of the first record in the content of all frames
  std::uint64_t digest;          // digest of the data decoded by the model; 0 for stored frames
  std::uint32_t payload_crc;     // CRC-32C of the payload
  std::uint32_t header_crc;      // CRC-32C of the bytes before this field
};
using frame_codec = wire::record<
    wire::in_struct_order<frame_header, wire::constant<&frame_header::magic, "TPF1">,
                          wire::at<wire::field<&frame_header::kind>, wire::padding<3>>,
                          wire::computed<&frame_header::header_crc,
                                         wire::over<io::crc32c, wire::record_start, wire::here>>>,
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

// Header of a stream. A model frame's payload begins with the headers of all streams. The bytes of
// the streams follow the last header, in the order of the headers.
struct stream_header {
  std::uint8_t number;
  std::uint32_t content_size;  // bytes of the decompressed stream
  // Size of the stored stream in bytes. If stored_size equals content_size, the stream is not
  // compressed. Any other stream is a zstd frame.
  std::uint32_t stored_size;
};
using stream_codec =
    wire::record<wire::in_struct_order<stream_header, wire::leb128<&stream_header::content_size>,
                                       wire::leb128<&stream_header::stored_size>>>;

// Header of the index, which follows the last frame. An entry for each frame follows the header,
// and the structure end_of_file follows the entries.
struct index_header {
  std::array<char, 4> magic;
  std::uint32_t frames;
  std::uint32_t entries_crc;  // CRC-32C of the entries
  std::uint32_t header_crc;   // CRC-32C of the bytes before this field
};
using index_codec = wire::record<
    wire::in_struct_order<index_header, wire::constant<&index_header::magic, "TPIX">,
                          wire::computed<&index_header::header_crc,
                                         wire::over<io::crc32c, wire::record_start, wire::here>>>,
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

// Structure at the end of the file.
struct end_of_file {
  std::uint64_t index_offset;  // offset of index_header in the file
  std::uint64_t frames;
  std::uint64_t records;       // number of whole records
  std::uint64_t content_size;  // total size of the content of all frames in bytes
  std::uint32_t crc;           // CRC-32C of the bytes before this field
  std::array<char, 4> magic;
};
using end_codec = wire::record<
    wire::in_struct_order<
        end_of_file,
        wire::computed<&end_of_file::crc, wire::over<io::crc32c, wire::record_start, wire::here>>,
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

// Limits of the format, in addition to those of properties.hpp. Readers reject files that exceed a
// limit. Writers never exceed a limit.
inline constexpr std::uint32_t most_about = std::uint32_t{1} << 20;    // bytes of about_record
inline constexpr std::uint32_t most_payload = std::uint32_t{1} << 24;  // bytes of a frame's payload
inline constexpr std::uint32_t most_streamed = std::uint32_t{1}
                                               << 24;  // bytes of a frame's streams
inline constexpr std::uint32_t most_stored = std::uint32_t{1}
                                             << 22;  // bytes of content of a stored frame
// Limits of a frame's dictionary, including the entries of the base dictionary.
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
