// Layout of the system call table (UMTracer specification, 8): syscall.vtable and syscall.offsets.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "../../wire/layout/laid_out_as.hpp"
#include "common.hpp"

namespace tracecodec::umtracer {

// Header of syscall.vtable. syscall.offsets stores the locations of the records, which may be in
// any order.
struct syscall_header {
  std::uint32_t version;          // always 0
  std::uint32_t unified_version;  // version of the uniform ids: 0 or 1
  std::int64_t record_count;
  friend constexpr bool operator==(const syscall_header&, const syscall_header&) = default;
};
using syscall_header_codec = wire::record<
    wire::in_struct_order<syscall_header, wire::constant<&syscall_header::version, 0>>>;
static_assert(wire::is_laid_out_as<syscall_header_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       4     version
4       4     unified_version
8       8     record_count
)">);

// Row of syscall.offsets: the location of a record, relative to the start of syscall.vtable.
struct syscall_place {
  std::int64_t offset;
  std::int64_t size;
  friend constexpr bool operator==(const syscall_place&, const syscall_place&) = default;
};
using syscall_place_codec = wire::record<syscall_place>;
static_assert(wire::is_laid_out_as<syscall_place_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     offset
8       8     size
)">);

// Calling convention of a system call. The numbers differ from the numbers of instruction_type.
enum class syscall_convention : std::uint8_t {
  unknown = 0,
  fast32 = 1,
  fast64 = 2,
  alternate = 3,
  wow64 = 4,
  interrupt = 5
};

// Returns the name of a convention, such as "fast 32", or an empty string if the specification does
// not define the convention.
constexpr std::string_view name(syscall_convention c) noexcept {
  constexpr std::array<std::string_view, 6> names{"unknown",   "fast 32", "fast 64",
                                                  "alternate", "WOW64",   "interrupt"};
  const auto n = static_cast<std::size_t>(c);
  return n < names.size() ? names[n] : std::string_view();
}

// Tag for file pointers in a record, which are relative to the record's first byte.
struct syscall_bytes;

// syscallRec: the fields of a record. The data to which the pointers refer is also part of the
// record. According to the specification, syscallRec has 64 bytes, but its fields end at byte 56.
struct syscall_record {
  std::uint16_t raw_id;  // id in the recorded Windows version
  std::uint16_t uniform_id;
  syscall_convention convention;
  std::uint8_t completed;  // not 0 if the call returned
  std::uint8_t argument_count;
  std::uint8_t extra_count;
  std::int64_t begin_eid;
  std::int64_t end_eid;         // -1 if the call never ended
  std::uint64_t stack_pointer;  // before the call
  std::uint64_t result;         // undefined if `completed` is 0
  // Offset of the arguments, 8 bytes each, from the start of the record.
  wire::file_pointer<wire::u64le, syscall_bytes, std::int64_t> arguments;
  // Offset of data in an unknown format, from the start of the record.
  wire::file_pointer<void, syscall_bytes, std::int64_t> extras;
  friend constexpr bool operator==(const syscall_record&, const syscall_record&) = default;
};
using syscall_codec = wire::record<syscall_record>;
static_assert(wire::is_laid_out_as<syscall_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     raw_id
2       2     uniform_id
4       1     convention
5       1     completed
6       1     argument_count
7       1     extra_count
8       8     begin_eid
16      8     end_eid
24      8     stack_pointer
32      8     result
40      8     arguments
48      8     extras
)">);

}  // namespace tracecodec::umtracer
