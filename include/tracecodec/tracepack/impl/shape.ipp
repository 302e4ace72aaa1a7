#pragma once
#include <algorithm>

#include "../shape.hpp"

namespace tracecodec::tracepack {

TRACECODEC_FUNC bool modelled(const shape& s) {
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

// Registers read name bases; the flags are is_branch and branch_taken.
TRACECODEC_FUNC shape champsim_shape() {
  return {64, 0, {16, 24, 32, 40, 48, 56}, {12, 13, 14, 15}, {8, 9}};
}
TRACECODEC_FUNC shape cloudsuite_shape() {
  return {96, 0, {24, 32, 40, 48, 56, 64, 72, 80}, {14, 15, 16, 17}, {8, 9}};
}

}  // namespace tracecodec::tracepack
