// Positions of the parts of a record that tracepack's model predicts separately.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout.hpp"

namespace tracecodec::tracepack {

// Value of shape::ip for records without an address, which are not modelled.
inline constexpr std::uint16_t no_ip = 0xFFFF;

// Parts of a record of `size` bytes: the instruction's address, memory addresses, and bytes
// that name possible base registers of the memory addresses. All other bytes are static: they
// belong to the instruction, not to its execution.
struct shape {
  std::uint16_t size = 0;
  std::uint16_t ip = 0;                   // offset of the address: 8 bytes
  std::vector<std::uint16_t> slots = {};  // offsets of memory addresses: 8 bytes each, ascending
  std::vector<std::uint16_t> bases = {};  // offsets of bytes that name base registers
  std::vector<std::uint16_t> flags = {};  // offsets of bytes that are 0 or 1; used only by a writer
  friend bool operator==(const shape&, const shape&) = default;
};

// Returns true if the model supports records of shape `s`. The size must be a multiple of 8, up
// to most_record. `ip` and at most most_slots slots must be at different multiples of 8 within
// the record, the slots in ascending order. Bases and flags must be within the record.
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

// Return the shapes of ChampSim's and CloudSuite's records. Bases are the registers read;
// flags are is_branch and branch_taken.
inline shape champsim_shape() {
  return {64, 0, {16, 24, 32, 40, 48, 56}, {12, 13, 14, 15}, {8, 9}};
}
inline shape cloudsuite_shape() {
  return {96, 0, {24, 32, 40, 48, 56, 64, 72, 80}, {14, 15, 16, 17}, {8, 9}};
}

}  // namespace tracecodec::tracepack
