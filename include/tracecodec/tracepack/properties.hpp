// Properties of a packed trace and of its static instructions.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../wire/policy.hpp"

namespace tracecodec::tracepack {

// Kind of the records in a file.
enum class record_kind : std::uint8_t {
  champsim = 0,    // ChampSim's records, 64 bytes each
  cloudsuite = 1,  // CloudSuite's records, 96 bytes each
  described = 2,   // records with the layout in `about::table`
  bytes = 3        // records of unknown layout, in stored frames only
};

// Properties of static instructions that are stored in addition to the records. The constants are
// bits of about_record::properties.
inline constexpr std::uint8_t has_classes = 1;  // branch class (feed::branch_class)
inline constexpr std::uint8_t has_lengths = 2;  // length of the machine code in bytes
inline constexpr std::uint8_t has_code = 4;     // machine code; requires has_lengths

// Instruction set of the code, stored in bits 4 to 7 of about_record::properties.
inline constexpr unsigned processor_bit = 4;
enum class processor : std::uint8_t {
  unknown = 0,
  x86_64 = 1,
  x86_32 = 2,
  aarch64 = 3,
  riscv64 = 4
};
// Returns the mode of x86 code, or nullopt for other code.
constexpr std::optional<wire::target> mode_of(processor p) noexcept {
  if (p == processor::x86_64) return wire::target::x64;
  if (p == processor::x86_32) return wire::target::x86;
  return std::nullopt;
}

// Value of property::branch for an unknown class, and maximum length of an instruction in bytes.
inline constexpr std::uint8_t unknown_class = 255;
inline constexpr std::size_t longest_code = 15;
// Properties of one static instruction.
struct property {
  std::uint8_t branch = unknown_class;  // feed::branch_class, or unknown_class
  std::uint8_t length = 0;              // length of the code in bytes; 0 if unknown
  std::array<std::byte, longest_code> code = {};
  friend bool operator==(const property&, const property&) = default;
};

// Limits of records. Readers reject files that exceed a limit. Writers never exceed a limit.
inline constexpr std::uint32_t most_record = 4096;  // bytes of a record
inline constexpr std::uint32_t most_slots = 16;
inline constexpr std::uint32_t most_records = std::uint32_t{1} << 24;  // records in a frame

}  // namespace tracecodec::tracepack
