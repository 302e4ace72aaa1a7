// Layouts that several files of a UMTracer trace use: the table header, strings, and the rows of
// the small tables. All data is little-endian and packed. Padding bytes are undefined. Section
// numbers such as (4.2.1) refer to the UMTracer specification.
#pragma once
#include <array>
#include <cstdint>

#include "../../wire/items/strings.hpp"
#include "../../wire/layout/laid_out_as.hpp"
#include "../../wire/record.hpp"
#include "../../wire/rules/constant.hpp"
#include "../../wire/types/file_pointer.hpp"

namespace tracecodec::umtracer {

// Tag for file pointers that are relative to the extra area, which is the buffer at ExtraFP in
// ins.itable.
struct extra_area;

// Execution record id that means "no record".
inline constexpr std::int64_t no_eid = -1;

// Maximum length of a string in bytes or UTF-16 units. The length field can store up to 65,535, but
// the writer rejects strings above this maximum.
inline constexpr std::uint16_t longest_string = 32767;

// cStr (5): bytes, followed by a null byte.
struct c_string {
  wire::array_view<wire::character> characters;  // excludes the null byte
};
using c_string_codec = wire::record<
    wire::fields<wire::prefixed<&c_string::characters, std::uint16_t>, wire::padding<1>>>;
static_assert(wire::is_laid_out_as<c_string_codec, R"(
Offset  Size          Field
------  ------------  ----------
0       u16 + 1 x it  characters
varies  1             (padding)   the last one
)">);

// uStr (5): UTF-16 code units, possibly with unpaired surrogates, followed by a null unit.
struct u_string {
  wire::array_view<wire::u16le> units;  // excludes the null unit
};
using u_string_codec =
    wire::record<wire::fields<wire::prefixed<&u_string::units, std::uint16_t>, wire::padding<2>>>;
static_assert(wire::is_laid_out_as<u_string_codec, R"(
Offset  Size          Field
------  ------------  ---------
0       u16 + 2 x it  units
varies  2             (padding)  the last one
)">);

// Header of a table of fixed-size records (4.2.1). In thread.itable and address_space.itable, no
// further header follows.
struct table_header {
  std::uint32_t header_version;  // always 0
  std::uint32_t record_version;
  std::int64_t row_count;
  // Distance in bytes between the starts of two rows. The distance may exceed the size of the known
  // fields.
  std::int64_t row_size;
  // Offset of the first row from the start of the file.
  wire::file_pointer<void, wire::whole_file, std::int64_t> table;
  friend constexpr bool operator==(const table_header&, const table_header&) = default;
};
using table_header_codec = wire::record<
    wire::in_struct_order<table_header, wire::constant<&table_header::header_version, 0>>>;
static_assert(wire::is_laid_out_as<table_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     header_version
4       4     record_version
8       8     row_count
16      8     row_size
24      8     table
)">);

// Second part of the header of ins.itable and module.itable (7.3.1, 9).
struct extra_header {
  // Offset of the extra area from the start of the file. Rows point into the extra area.
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

// moduleRec (9), which takes 48 bytes. Rows that were written with an XED version before 20150121
// have no further fields.
struct module_record {
  std::int64_t load_eid;    // id of a record around the time of loading
  std::int64_t unload_eid;  // id of a record around the time of unloading; -1 if never unloaded
  std::uint64_t start_address;
  std::uint64_t end_address;  // address of the last byte
  // Offset of a uStr from the start of the file.
  wire::file_pointer<u_string, wire::whole_file, std::int64_t> win_name;
  // Offset of a uStr from the start of the file.
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

// Fields after moduleRec in newer traces, in which rows have 64 bytes. The specification does not
// contain these fields.
struct module_version {
  // Time of the last write to the module's file, as FILETIME (number of 100 ns units since 1601).
  std::uint64_t last_write_time;
  // Version of the module's file, with the most significant number first.
  std::array<std::uint16_t, 4> version;
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

// threadRec (10), which takes 40 bytes. Rows have 40 or 48 bytes.
struct thread_record {
  std::uint32_t id;       // number by which the other tables refer to the thread
  std::uint32_t win_tid;  // Windows thread id
  std::uint64_t tib_address;
  std::int64_t first_eid;
  std::int64_t last_eid;      // -1 if the thread was alive at the end
  std::int64_t record_count;  // number of the thread's execution records
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

// addressRange (12): range of whole 4 KiB pages.
struct address_range {
  std::uint64_t first;
  std::uint64_t last;  // address of the last byte
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
