// Recognises the thread-id defect of x64dbg (October 2017 to August 2026). The first block
// after a thread switch has the four bytes of a thread id, but not the bit that announces them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Returns the size of the instruction block at the front of `in` if it is what x64dbg writes,
// else 0. Such a block has reserved bits 0, an opcode, at most 32 accesses, positions in
// REGDUMP, and cip among them. Without `needs_cip`, cip may be missing: x64dbg omits it where
// it is unchanged, as in a repeated string instruction.
template <target T>
std::size_t strict_size(std::span<const std::byte> in, bool needs_cip = true) noexcept;

// Returns the offset in the block of its first register position outside
// REGDUMP. There must be one.
template <target T> std::size_t bad_position(const block<T>& b) noexcept;

// Number of bytes that find() examines: two blocks, and a few user blocks between them.
template <target T> inline constexpr std::size_t defect_window = 2 * largest_block<T> + 4096;

// Defective block, with the bit set that its thread id needs.
template <target T> class mended_block {
 public:
  // Returns true if the block at the front of `in` is defective. Call it only after a block
  // that has a thread id: no other block comes before a defective one. `ended`: the trace ends
  // with `in`. `thread`: the thread of the preceding block.
  //
  // A defective block or its successor fails the strict parse, but both pass with 4 more bytes
  // in the block. These 4 bytes are a multiple of 4 other than `thread`.
  bool find(std::span<const std::byte> in, bool ended, std::uint32_t thread) noexcept;

  // Returns the whole block as it should have been written; valid until the next find().
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
