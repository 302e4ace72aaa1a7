// ChampSim trace records: the standard record of 64 bytes and CloudSuite's record of 96 bytes. A
// trace consists of consecutive little-endian records, without a header, count or checksum.
#pragma once
#include <array>
#include <cstdint>

#include "../wire/layout/laid_out_as.hpp"
#include "../wire/plain_record.hpp"

namespace tracecodec::champsim {

struct instruction {
  std::uint64_t ip;                                   // virtual address of the instruction
  std::uint8_t is_branch;                             // 0 or 1
  std::uint8_t branch_taken;                          // 0 or 1
  std::array<std::uint8_t, 2> destination_registers;  // registers written; 0 if unused
  std::array<std::uint8_t, 4> source_registers;       // registers read; 0 if unused
  std::array<std::uint64_t, 2> destination_memory;    // virtual addresses written; 0 if unused
  std::array<std::uint64_t, 4> source_memory;         // virtual addresses read; 0 if unused
  friend constexpr bool operator==(const instruction&, const instruction&) = default;
};

// CloudSuite's record, which is the C struct with its padding. A record takes 96 bytes in files,
// although the sizes in the text of CloudSuite's guide add up to 80 bytes.
struct cloudsuite_instruction {
  std::uint64_t ip;
  std::uint8_t is_branch;
  std::uint8_t branch_taken;
  std::array<std::uint8_t, 4> destination_registers;
  std::array<std::uint8_t, 4> source_registers;
  std::array<std::uint64_t, 4> destination_memory;
  std::array<std::uint64_t, 4> source_memory;
  std::array<std::uint8_t, 2> asid;
  friend constexpr bool operator==(const cloudsuite_instruction&,
                                   const cloudsuite_instruction&) = default;
};

// Codec for any struct that follows the layout rules of C, such as the records of ChampSim and its
// forks. To use your own record, define a struct with the members that the feed reads: ip,
// is_branch, branch_taken and the four operand arrays. The order is arbitrary, and other members
// are allowed.
template <class Record> using codec_of =
    wire::record<Record, wire::order::little, wire::placement::natural>;

using instruction_codec = codec_of<instruction>;
static_assert(wire::is_laid_out_as<instruction_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     ip                      virtual address of the instruction
8       1     is_branch               0 or 1
9       1     branch_taken            0 or 1
10      2     destination_registers   registers written, 0 = unused
12      4     source_registers        registers read, 0 = unused
16      16    destination_memory      virtual addresses written, 0 = none
32      32    source_memory           virtual addresses read, 0 = none
)">);
using cloudsuite_codec = codec_of<cloudsuite_instruction>;
static_assert(wire::is_laid_out_as<cloudsuite_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       8     ip
8       1     is_branch
9       1     branch_taken
10      4     destination_registers
14      4     source_registers
18      6     (padding)
24      32    destination_memory
56      32    source_memory
88      2     asid                    address space
90      6     (padding)
)">);

// Numbers of registers with a special meaning, as in Intel Pin. 0 marks an unused slot.
inline constexpr std::uint8_t stack_pointer = 6;
inline constexpr std::uint8_t flags = 25;
inline constexpr std::uint8_t instruction_pointer = 26;

// Concept of a record with the members that the feed needs. `asid` is optional.
template <class R>
concept trace_record = requires(const R& r) {
  static_cast<std::uint64_t>(r.ip);
  static_cast<std::uint8_t>(r.is_branch);
  static_cast<std::uint8_t>(r.branch_taken);
  static_cast<std::uint8_t>(r.destination_registers[0]);
  static_cast<std::uint8_t>(r.source_registers[0]);
  static_cast<std::uint64_t>(r.destination_memory[0]);
  static_cast<std::uint64_t>(r.source_memory[0]);
};

}  // namespace tracecodec::champsim
