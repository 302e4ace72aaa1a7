// Positions of the fields of a record that tracepack's model predicts separately.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties.hpp"

namespace tracecodec::tracepack {

// Value of shape::ip for records without an address. Such records are not modelled.
inline constexpr std::uint16_t no_ip = 0xFFFF;

// Positions of the fields in a record of `size` bytes: the instruction's address, memory addresses,
// and bytes that may store base-register numbers. Bytes outside the addresses are static, which
// means that they belong to the instruction and not to one of its executions.
struct shape {
  std::uint16_t size = 0;
  std::uint16_t ip = 0;  // offset of the address, which has 8 bytes
  // Offsets of memory addresses, in ascending order. Each address has 8 bytes.
  std::vector<std::uint16_t> slots = {};
  std::vector<std::uint16_t> bases = {};  // offsets of the bytes that store base-register numbers
  // Offsets of bytes that are 0 or 1. Only writers use these offsets.
  std::vector<std::uint16_t> flags = {};
  friend bool operator==(const shape&, const shape&) = default;
};

// Returns true if the model supports records of the shape `s`. The size must be a multiple of 8, up
// to most_record. `ip` and up to most_slots slots must be at different multiples of 8 within the
// record, with the slots in ascending order. Bases and flags must be within the record.
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

// champsim_shape() returns the shape of ChampSim's records, and cloudsuite_shape() returns the
// shape of CloudSuite's records. The bases are the source registers. The flags are is_branch and
// branch_taken.
inline shape champsim_shape() {
  return {64, 0, {16, 24, 32, 40, 48, 56}, {12, 13, 14, 15}, {8, 9}};
}
inline shape cloudsuite_shape() {
  return {96, 0, {24, 32, 40, 48, 56, 64, 72, 80}, {14, 15, 16, 17}, {8, 9}};
}

}  // namespace tracecodec::tracepack
