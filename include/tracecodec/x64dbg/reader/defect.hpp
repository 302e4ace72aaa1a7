// The thread-id defect (x64dbg of October 2017 to August 2026): the first block after a switch has
// the four bytes of a thread id, but not the bit that says so. How such a block is recognised.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Bytes of the instruction block at the front of `in`, if it is one as x64dbg writes it: reserved
// bits 0, an opcode, at most 32 accesses, positions in REGDUMP and cip among them. Else 0. (Where
// cip stays, in a repeated string instruction, x64dbg leaves it out.)
template <target T>
std::size_t strict_size(std::span<const std::byte> in, bool needs_cip = true) noexcept;

// Of a block with a register position outside REGDUMP: where in the block the first such is.
template <target T> std::size_t bad_position(const block<T>& b) noexcept;

// How many bytes find() wants to see: two blocks, and a few user blocks between them.
template <target T> inline constexpr std::size_t defect_window = 2 * largest_block<T> + 4096;

// A block that was found defective, with the bit set that its thread id needs.
template <target T> class mended_block {
 public:
  // Whether the block at the front of `in` is defective. To be asked only behind a block that has
  // a thread id: no other can be. `ended`: the trace ends with `in`; `thread`: the thread of that
  // block. It is defective if it fails the strict parse, if it passes with 4 more bytes, the
  // following block too, and if the 4 bytes are a multiple of 4 other than `thread`.
  bool find(std::span<const std::byte> in, bool ended, std::uint32_t thread) noexcept;

  // The whole block as it should have been written; until find() is called again.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return std::span(bytes_).first(size_);
  }

 private:
  std::array<std::byte, largest_block<T>> bytes_ = {};
  std::size_t size_ = 0;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/defect.ipp"
#endif
