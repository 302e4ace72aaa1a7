// Recognises the thread-id defect of x64dbg (October 2017 to August 2026). The defect affects the
// first block after a thread switch. The block contains the four bytes of a thread id, but the bit
// has_thread is 0.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Returns the size of the instruction block at the front of `in`, or 0 if x64dbg cannot have
// written the block. In a block by x64dbg, reserved bits are 0, the opcode is not empty, positions
// are in REGDUMP, and the number of accesses is at most 32. If `needs_cip` is true, the block must
// also store cip. x64dbg omits an unchanged cip, for example in a repeated string instruction.
template <target T>
std::size_t strict_size(std::span<const std::byte> in, bool needs_cip = true) noexcept;

// Returns the offset, within the block, of the first register position outside REGDUMP. The block
// must contain such a position.
template <target T> std::size_t bad_position(const block<T>& b) noexcept;

// Number of bytes that find() needs for two blocks, and a few user blocks between them.
template <target T> inline constexpr std::size_t defect_window = 2 * largest_block<T> + 4096;

// Corrected copy of a block with the thread-id defect. The bit has_thread is set.
template <target T> class mended_block {
 public:
  // Returns true if the block at the front of `in` has the defect. The defect occurs only after a
  // block with a thread id, so the caller must check the preceding block. `ended` is true if the
  // trace ends with `in`. `thread` is the thread of the preceding block.
  //
  // A block has the defect if strict_size() rejects the block or its successor, but accepts both if
  // the block is decoded with a thread id. The thread id must be a multiple of 4 and differ from
  // `thread`.
  bool find(std::span<const std::byte> in, bool ended, std::uint32_t thread) noexcept;

  // Returns the bytes of the corrected block, which are valid until the next call to find().
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
