// Layout of the instruction table (UMTracer specification, 7): ins.itable.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../../wire/layout/laid_out_as.hpp"
#include "common.hpp"
#include "decoded.hpp"

namespace tracecodec::umtracer {

// Values of insRec::Type, which is only a hint (specification, 7.3.3). The numbers differ from the
// numbers of syscall_convention.
enum class instruction_type : std::uint8_t {
  normal = 0,
  software_interrupt = 1,
  fast_syscall32 = 2,
  fast_syscall64 = 3,
  alternate_syscall = 4,
  wow64_syscall = 5,
  other_syscall = 6,
  nop = 8,
  prefetch = 9
};

// Returns the name of a type, such as "software interrupt", or an empty string if the specification
// does not define the type.
constexpr std::string_view name(instruction_type t) noexcept {
  constexpr std::array<std::string_view, 10> names{"normal",
                                                   "software interrupt",
                                                   "fast system call 32",
                                                   "fast system call 64",
                                                   "alternate system call",
                                                   "WOW64 system call",
                                                   "other system call",
                                                   "",
                                                   "nop",
                                                   "prefetch"};
  const auto n = static_cast<std::size_t>(t);
  return n < names.size() ? names[n] : std::string_view();
}

// insRec: row of the instruction table.
struct instruction_record {
  std::int64_t id;
  instruction_type type;
  std::uint8_t code64;     // not 0 if the code is in a 64-bit code segment
  std::uint8_t code_size;  // number of valid bytes in `code`
  std::int32_t module_id;  // -1 if the code does not belong to a module
  std::uint64_t address;
  std::array<std::uint8_t, 15> code;
  // Offset of a cStr in the extra area.
  wire::file_pointer<c_string, extra_area, std::int64_t> disassembly;
  // Offset of a decodedIns in the extra area.
  wire::file_pointer<decoded_instruction, extra_area, std::int64_t> decoded;
  friend constexpr bool operator==(const instruction_record&, const instruction_record&) = default;
};
using instruction_codec = wire::record<wire::in_struct_order<
    instruction_record, wire::at<wire::field<&instruction_record::code_size>, wire::padding<1>>,
    wire::at<wire::field<&instruction_record::code>, wire::padding<1>>,
    wire::at<wire::field<&instruction_record::decoded>, wire::padding<8>>>>;
static_assert(wire::is_laid_out_as<instruction_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     id
8       1     type
9       1     code64
10      1     code_size
11      1     (padding)
12      4     module_id
16      8     address
24      15    code
39      1     (padding)
40      8     disassembly
48      8     decoded
56      8     (padding)
)">);

}  // namespace tracecodec::umtracer
