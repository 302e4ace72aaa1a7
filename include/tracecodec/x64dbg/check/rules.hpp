// Rules for sound x64dbg traces, and the summary of a check.
#pragma once
#include <array>
#include <cstdint>

#include "../../io/findings.hpp"

namespace tracecodec::x64dbg {

// Rule that check() verifies. The enumerators are in the order of check_rules.
enum class rule : std::uint8_t {
  damaged,
  header,
  header_key,
  first_snapshot,
  truncated,
  unknown_type,
  second_header,
  trailing_bytes,
  thread_bit,
  empty_opcode,
  position,
  no_registers,
  cip_missing,
  reserved_bits,
  access_flags,
  access_count,
  snapshot_thread,
  snapshot_distance,
  old_value
};
inline constexpr std::array<check_rule, 19> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"header", severity::error, "x64dbg would reject the header"},
    {"header-key", severity::note, "x64dbg ignores a header key"},
    {"first-snapshot", severity::error, "the first block is not a snapshot: x64dbg crashes on it"},
    {"truncated", severity::error, "the trace ends inside a block"},
    {"unknown-type", severity::error, "an unknown block type (1 to 0x7F) or an implausible block"},
    {"second-header", severity::error, "another trace was appended, including its file header"},
    {"trailing-bytes", severity::error, "bytes after the last block"},
    {"thread-bit", severity::error,
     "a thread id without its flag: a defect of x64dbg from October 2017 to August 2026"},
    {"empty-opcode", severity::error, "an instruction without bytes"},
    {"position", severity::error, "a register position outside REGDUMP"},
    {"no-registers", severity::warning,
     "no register values: x64dbg misaligns the rows from here on"},
    {"cip-missing", severity::note,
     "the instruction pointer is not among the register values: x64dbg omits it when it does not "
     "change"},
    {"reserved-bits", severity::warning, "bits 4 to 6 of the flags and opcode size are not 0"},
    {"access-flags", severity::warning, "bits 1 to 7 of a memory access's flags are not 0"},
    {"access-count", severity::warning, "more memory accesses than the 32 that x64dbg writes"},
    {"snapshot-thread", severity::warning,
     "a snapshot without a thread id: x64dbg assumes thread 0"},
    {"snapshot-distance", severity::warning, "more than 512 instructions without a snapshot"},
    {"old-value", severity::note,
     "memory changed since its last access: the kernel or untraced code wrote it"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t instructions = 0, snapshots = 0, user_blocks = 0, thread_switches = 0;
};

}  // namespace tracecodec::x64dbg
