// Determines how an instruction uses a memory word in an x64dbg trace.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "decoded_feed.hpp"

namespace tracecodec::x64dbg {

// Use of a memory word by an instruction. If both `read` and `write` are false, the use is unknown.
struct word_use {
  bool read = false, write = false;
  std::uint32_t size = 0;  // number of bytes that belong to an operand; 0 if unknown
};

// Returns how the instruction uses the word at `a.address`. `write` is true even if the instruction
// writes the word's old value again.
template <target T>
constexpr word_use use_of(const instruction_view<T>& i, const memory_access& a) noexcept {
  constexpr std::uint64_t word = sizeof(wire::word_t<T>);
  const executed_instruction& l = i.record();
  word_use use;
  const auto look = [&use, &a](const auto& addresses, const auto& sizes, bool& used) {
    for (std::size_t n = 0; n < sizes.size() && sizes[n] != 0; ++n) {
      const std::uint64_t after = a.address - addresses[n], before = addresses[n] - a.address;
      if (after >= sizes[n] && before >= word) continue;
      used = true;
      const std::uint64_t here = after < sizes[n] ? word : word - before;
      const std::uint64_t left = after < sizes[n] ? sizes[n] - after : sizes[n];
      use.size = std::max(use.size, static_cast<std::uint32_t>(here < left ? here : left));
    }
  };
  look(l.source_memory, l.source_sizes, use.read);
  look(l.destination_memory, l.destination_sizes, use.write);
  // If no listed operand contains the word, it belongs to an operand that did not fit in the lists.
  if (!use.read && !use.write) {
    use.read = l.dropped_source_memory != 0 && l.dropped_destination_memory == 0;
    use.write = l.dropped_destination_memory != 0 && l.dropped_source_memory == 0;
  }
  use.write = use.write || a.new_value.has_value();
  return use;
}

// Returns true if the instruction writes to any byte of the word at `address`, even if the value
// does not change.
template <target T>
constexpr bool writes_word(const instruction_view<T>& i, std::uint64_t address) noexcept {
  const executed_instruction& l = i.record();
  for (std::size_t n = 0; n < l.destination_sizes.size() && l.destination_sizes[n] != 0; ++n)
    if (l.destination_memory[n] - address < sizeof(wire::word_t<T>) ||
        address - l.destination_memory[n] < l.destination_sizes[n])
      return true;
  return false;
}

}  // namespace tracecodec::x64dbg
