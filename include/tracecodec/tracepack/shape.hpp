// Where the parts of a record lie that the model of tracepack predicts, one by one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout.hpp"

namespace tracecodec::tracepack {

// The offset of no address: such records are not modelled.
inline constexpr std::uint16_t no_ip = 0xFFFF;

// Of a record of `size` bytes: the instruction's address, the addresses of memory, and the bytes that name registers
// which these may be relative to. All other bytes are static: they belong to the instruction, not to its execution.
struct shape {
  std::uint16_t size = 0;
  std::uint16_t ip = 0;                   // offset of 8 bytes
  std::vector<std::uint16_t> slots = {};  // offsets of 8 bytes each, ascending
  std::vector<std::uint16_t> bases = {};  // offsets of bytes
  std::vector<std::uint16_t> flags = {};  // offsets of bytes that are 0 or 1; only a writer asks
  friend bool operator==(const shape&, const shape&) = default;
};

// Whether the model takes such records: a size that is a multiple of 8, up to most_record; ip and up to most_slots
// slots at multiples of 8, ascending, apart from each other, and within; bases and flags within.
inline bool modelled(const shape& s) {
  const auto word = [&s](std::uint16_t at) { return at % 8 == 0 && at + 8 <= s.size; };
  if (s.size == 0 || s.size % 8 != 0 || s.size > most_record || !word(s.ip)) return false;
  if (s.slots.size() > most_slots) return false;
  for (std::size_t i = 0; i != s.slots.size(); ++i)
    if (!word(s.slots[i]) || s.slots[i] == s.ip || (i != 0 && s.slots[i] <= s.slots[i - 1]))
      return false;
  for (const std::uint16_t f : s.flags)
    if (f >= s.size) return false;
  for (const std::uint16_t b : s.bases) {
    const std::uint16_t of = b / 8 * 8;
    if (b >= s.size || of == s.ip || std::find(s.slots.begin(), s.slots.end(), of) != s.slots.end())
      return false;
  }
  return true;
}

// ChampSim's and CloudSuite's records.
// Registers read name bases; the flags are is_branch and branch_taken.
inline shape champsim_shape() {
  return {64, 0, {16, 24, 32, 40, 48, 56}, {12, 13, 14, 15}, {8, 9}};
}
inline shape cloudsuite_shape() {
  return {96, 0, {24, 32, 40, 48, 56, 64, 72, 80}, {14, 15, 16, 17}, {8, 9}};
}

}  // namespace tracecodec::tracepack
