// What the files of an UMTracer indexed trace share: the table header, strings, and the records of
// the small tables. Little-endian, packed; every padding is garbage. Section numbers are those of
// the specification.
#pragma once
#include <array>
#include <cstdint>

#include "../../wire/items/strings.hpp"
#include "../../wire/layout/laid_out_as.hpp"
#include "../../wire/record.hpp"
#include "../../wire/rules/constant.hpp"
#include "../../wire/types/file_pointer.hpp"

namespace tracecodec::umtracer {

// What file pointers may be relative to, apart from wire::whole_file.
struct extra_area;  // the buffer at ExtraFP of ins.itable

// An id of the record of the execution table, or this where there is none.
inline constexpr std::int64_t no_eid = -1;

// Length of a string is stored in 16 bits; a writer keeps it below this.
inline constexpr std::uint16_t longest_string = 32767;

// cStr (5): bytes, then one of 0.
struct c_string {
  wire::array_view<wire::character> characters;  // without the last one
};
using c_string_codec = wire::record<
    wire::fields<wire::prefixed<&c_string::characters, std::uint16_t>, wire::padding<1>>>;
static_assert(wire::is_laid_out_as<c_string_codec, R"(
Offset  Size          Field
------  ------------  ----------
0       u16 + 1 x it  characters
varies  1             (padding)   the last one
)">);

// uStr (5): UTF-16 units, of which surrogates may stand alone, then one of 0.
struct u_string {
  wire::array_view<wire::u16le> units;  // without the last one
};
using u_string_codec =
    wire::record<wire::fields<wire::prefixed<&u_string::units, std::uint16_t>, wire::padding<2>>>;
static_assert(wire::is_laid_out_as<u_string_codec, R"(
Offset  Size          Field
------  ------------  ---------
0       u16 + 2 x it  units
varies  2             (padding)  the last one
)">);

// The header of a table of records of fixed size (4.2.1): thread.itable, address_space.itable.
struct table_header {
  std::uint32_t header_version;  // 0
  std::uint32_t record_version;
  std::int64_t row_count;
  std::int64_t row_size;  // may be more than the record has: rows lie so far apart
  // of the first row, from the file's start
  wire::file_pointer<void, wire::whole_file, std::int64_t> table;
  friend constexpr bool operator==(const table_header&, const table_header&) = default;
};
using table_header_codec = wire::record<
    wire::fields<wire::constant<&table_header::header_version, 0>,
                 wire::field<&table_header::record_version>, wire::field<&table_header::row_count>,
                 wire::field<&table_header::row_size>, wire::field<&table_header::table>>>;
static_assert(wire::is_laid_out_as<table_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     header_version
4       4     record_version
8       8     row_count
16      8     row_size
24      8     table
)">);

// The header of ins.itable and module.itable (7.3.1, 9) goes on:
struct extra_header {
  // of what the rows point to, from the file's start
  wire::file_pointer<void, wire::whole_file, std::int64_t> extra;
  std::int64_t extra_size;
  friend constexpr bool operator==(const extra_header&, const extra_header&) = default;
};
using extra_header_codec = wire::record<extra_header>;
static_assert(wire::is_laid_out_as<extra_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
32      8     extra
40      8     extra_size
)",
                                   table_header_codec::size>);

// moduleRec (9) of traces before XED 20150121: 48 bytes.
struct module_record {
  std::int64_t load_eid;    // about the record when it was loaded
  std::int64_t unload_eid;  // the same; -1: still loaded at the end
  std::uint64_t start_address;
  std::uint64_t end_address;  // of the last byte
  // uStr, from the file's start
  wire::file_pointer<u_string, wire::whole_file, std::int64_t> win_name;
  // uStr, from the file's start
  wire::file_pointer<u_string, wire::whole_file, std::int64_t> device_name;
  friend constexpr bool operator==(const module_record&, const module_record&) = default;
};
using module_codec = wire::record<module_record>;
static_assert(wire::is_laid_out_as<module_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     load_eid
8       8     unload_eid
16      8     start_address
24      8     end_address
32      8     win_name
40      8     device_name
)">);

// What follows it in newer traces, whose rows have 64 bytes; the specification does not have it.
struct module_version {
  std::uint64_t last_write_time;         // of the file, FILETIME: 100 ns since 1601
  std::array<std::uint16_t, 4> version;  // four numbers, the most significant first
  friend constexpr bool operator==(const module_version&, const module_version&) = default;
};
using module_version_codec = wire::record<module_version>;
static_assert(wire::is_laid_out_as<module_version_codec, R"(
Offset  Size  Field
------  ----  ----------------------
48      8     last_write_time
56      8     version
)",
                                   module_codec::size>);

// threadRec (10): 40 bytes of fields; rows of 40 and 48 occur.
struct thread_record {
  std::uint32_t id;       // that of the row, by which the other tables name it
  std::uint32_t win_tid;  // Windows' own
  std::uint64_t tib_address;
  std::int64_t first_eid;
  std::int64_t last_eid;      // -1: alive at the end
  std::int64_t record_count;  // execution records of the thread
  friend constexpr bool operator==(const thread_record&, const thread_record&) = default;
};
using thread_codec = wire::record<thread_record>;
static_assert(wire::is_laid_out_as<thread_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     id
4       4     win_tid
8       8     tib_address
16      8     first_eid
24      8     last_eid
32      8     record_count
)">);

// addressRange (12): whole pages of 4 KiB.
struct address_range {
  std::uint64_t first;
  std::uint64_t last;  // of the last byte
  friend constexpr bool operator==(const address_range&, const address_range&) = default;
};
using address_range_codec = wire::record<address_range>;
static_assert(wire::is_laid_out_as<address_range_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     first
8       8     last
)">);

}  // namespace tracecodec::umtracer
