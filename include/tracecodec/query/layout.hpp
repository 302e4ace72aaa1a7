// Structures of an index file (.tcidx), which answers questions about a trace. All structures are
// little-endian. docs/formats/index.md describes the whole file.
//
// A file consists of a front, the contents of its sections, the table of sections and the sums. The
// bytes after the front are divided into pages, and `sums` has the checksum of each page.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../io/checksum.hpp"
#include "../wire/layout/laid_out_as.hpp"
#include "../wire/record.hpp"
#include "../wire/rules/computed.hpp"
#include "../wire/rules/constant.hpp"

namespace tracecodec::query {

// Version that writers store. Readers accept any minor version of a known major version. A newer
// minor version may add sections.
inline constexpr std::uint16_t major_version = 1;
inline constexpr std::uint16_t minor_version = 0;

// Number of bytes of a page. The last page may be shorter.
inline constexpr std::size_t page_size = std::size_t{16} << 10;

// First bytes of the file. The magic number contains a line ending, so that damage by a transfer in
// text mode can be detected.
struct front {
  std::array<char, 8> magic;
  std::uint16_t major;
  std::uint16_t minor;
  std::uint32_t sections;  // number of sections in the table
  // The trace: size in bytes, time of the last change in nanoseconds since 1970, hash of parts
  // (trace_identity.hpp), and number of instructions.
  std::uint64_t trace_size;
  std::int64_t trace_time;
  std::uint64_t trace_parts;
  std::uint64_t instructions;
  std::uint64_t table_offset;  // offset of the table of sections
  std::uint64_t sums_offset;   // offset of the sums, which end the file
  std::uint32_t sums_crc;      // CRC-32C of the sums
  std::uint32_t front_crc;     // CRC-32C of the bytes before this field
};
using front_codec = wire::record<
    wire::in_struct_order<
        front, wire::constant<&front::magic, "\x89TCIDX\r\n">,
        wire::computed<&front::front_crc, wire::over<io::crc32c, wire::record_start, wire::here>>>,
    wire::order::little>;
static_assert(wire::is_laid_out_as<front_codec, R"(
Offset  Size  Field
------  ----  ------------
0       8     magic
8       2     major
10      2     minor
12      4     sections
16      8     trace_size
24      8     trace_time
32      8     trace_parts
40      8     instructions
48      8     table_offset
56      8     sums_offset
64      4     sums_crc
68      4     front_crc
)">);

// Kind of a section. A reader ignores kinds that it does not know.
enum class section_kind : std::uint32_t {
  writes = 1,     // postings of the accesses that write memory
  reads = 2,      // postings of the accesses that read memory
  executions = 3  // postings of the executed instructions by address
};
constexpr std::string_view name(section_kind k) noexcept {
  return wire::name_among<section_kind::writes, section_kind::reads, section_kind::executions>(k);
}

// Entry of the table of sections.
struct section {
  section_kind kind;
  // Number of bytes of a granule as a power of two. For accesses, 3 if the trace has their sizes, and 6
  // if it does not. For executions, 5.
  std::uint8_t granule_bits;
  std::uint8_t changes;    // 1 if the postings distinguish writes that change the value
  std::uint16_t reserved;  // 0
  std::uint64_t offset;    // in the file
  std::uint64_t size;
};
using section_codec = wire::record<section, wire::order::little>;
static_assert(wire::is_laid_out_as<section_codec, R"(
Offset  Size  Field
------  ----  ------------
0       4     kind
4       1     granule_bits
5       1     changes
6       2     reserved
8       8     offset
16      8     size
)">);

// End of a section of postings. Before it are, without gaps, the postings of all granules in
// ascending order, the skip entries of the granules that have more than one block, the directory,
// and the anchors. The offsets are relative to the section.
struct posting_totals {
  std::uint64_t granules;
  std::uint64_t postings;
  std::uint64_t skips_offset;
  std::uint64_t directory_offset;
  std::uint64_t anchors_offset;
};
using totals_codec = wire::record<posting_totals, wire::order::little>;

// The directory has a group for each 64 granules. A group has, for each granule, three LEB128
// numbers: the difference to the granule before (0 for the first one), the number of postings, and
// the number of bytes of the postings. An anchor describes a group.
inline constexpr std::size_t group_granules = 64;
struct anchor {
  std::uint64_t granule;    // first granule of the group
  std::uint64_t directory;  // offset of the group, relative to the directory
  std::uint64_t postings;   // offset of its first granule's postings, relative to the section
  std::uint64_t skips;      // offset of its first skip entry, relative to the skip entries
};
using anchor_codec = wire::record<anchor, wire::order::little>;

// A posting of executions is a run: consecutive instructions in one granule, each at a higher address
// than the one before. Bits of its mask are the first bytes of these instructions, and its number is
// that of the first instruction. So the number of each instruction follows from the mask.
inline constexpr std::uint8_t execution_granule_bits = 5;
inline constexpr std::uint64_t longest_run = std::uint64_t{1} << execution_granule_bits;

// The postings of a granule are divided into blocks of 128, of which only the last may be shorter.
// A posting is a LEB128 number and perhaps a byte. The lowest bit of the number is 1 if the byte
// with the mask follows. Otherwise, the mask is that of the posting before in the same block, or
// all bytes for the first one. In a section with `changes`, the next bit is 1 if the value changes.
// The other bits are the number of instructions since the posting before. Granules of 64 bytes have
// no masks.
//
// A granule with several blocks has a skip entry for each block, followed by the masks. The first
// posting of a block then counts from `first`, and otherwise from 0.
inline constexpr std::size_t block_postings = 128;
struct skip {
  std::uint64_t first;   // number of the instruction of the block's first posting
  std::uint64_t offset;  // offset of the block, relative to the granule's postings
};
using skip_codec = wire::record<skip, wire::order::little>;
// A mask has a bit for each byte of the granule, so it is 1, 4 or 8 bytes wide. There is a mask for
// each block, which has the bits of all its postings. If there are more than 64 masks, there is
// also a mask for each 64 of them, and so on, until there are 64 masks at most. Zeros fill up to a
// multiple of 8 bytes.
inline constexpr std::size_t masks_of_mask = 64;

// The sums: for each page, the CRC-32C of its bytes.
struct page_sum {
  std::uint32_t crc;
};
using page_sum_codec = wire::record<page_sum, wire::order::little>;

// Number of bytes of a mask.
constexpr std::size_t mask_width(std::uint8_t granule_bits) noexcept {
  return std::size_t{1} << (granule_bits - 3);
}
// Number of blocks of a granule with `postings` postings.
constexpr std::uint64_t count_blocks(std::uint64_t postings) noexcept {
  return postings / block_postings + (postings % block_postings != 0 ? 1 : 0);
}
// Number of masks above `masks` masks.
constexpr std::uint64_t count_above(std::uint64_t masks) noexcept {
  return masks <= masks_of_mask ? 0 : masks / masks_of_mask + (masks % masks_of_mask != 0 ? 1 : 0);
}
// Number of bytes of the skip entries and masks of a granule with `blocks` blocks.
constexpr std::uint64_t skips_size(std::uint64_t blocks, std::size_t width) noexcept {
  if (blocks < 2) return 0;
  std::uint64_t masks = 0;
  for (std::uint64_t level = blocks; level != 0; level = count_above(level)) masks += level;
  return blocks * skip_codec::size + (masks * width + 7) / 8 * 8;
}

}  // namespace tracecodec::query
