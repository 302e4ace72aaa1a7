// Finds the offset at which reading can continue after damage. This offset is the start of several
// consecutive blocks, or of the header of an appended trace.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Maximum size in bytes of the header of an appended trace. No version of x64dbg accepts a longer
// header.
inline constexpr std::size_t largest_appended_header = std::size_t{100} << 10;

// Number of bytes that can_resume() needs for eight blocks, and a header or a few user blocks.
template <target T> inline constexpr std::size_t resume_window =
    8 * largest_block<T> + largest_appended_header;

// Returns the size of the file header at the front of `in`. Returns 0 if `in` does not begin with a
// sound header for T.
template <target T> std::size_t appended_header(std::span<const std::byte> in);

// Returns true if `in` may follow a sound block, that is, if `in` begins with another block or a
// header, or is the end of the trace. `ended` is true if the trace ends with `in`.
template <target T> bool goes_on(std::span<const std::byte> in, bool ended) noexcept;

// Properties of a block, for comparison with the next block.
struct block_before {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> ip = {};
  std::array<std::byte, largest_opcode> code = {};
  std::size_t code_size = 0;
  [[nodiscard]] std::span<const std::byte> code_bytes() const noexcept {
    return std::span(code).first(code_size);
  }
  // Stores the properties of the block `b` at offset `at`.
  template <target T> void take(const block<T>& b, std::uint64_t at) noexcept;
};

// Returns true if `in` begins with three blocks or with the header of an appended trace. At the end
// of the trace, fewer blocks are sufficient. A block is counted only if it stores the instruction
// pointer, or if it has the same code as the previous block (a repeated string instruction). A few
// user blocks may occur between the blocks.
template <target T>
bool can_resume(std::span<const std::byte> in, bool ended, const block_before& before);

// Returns true if the instruction at the front of `in` can follow the instruction of `before`. A
// block without an instruction pointer must have the same code. If the block has an instruction
// pointer, the instruction must be within 64 KiB of the instruction of `before`, or end where the
// instruction of the next block begins.
template <target T>
bool fits_after(const block_before& before, std::span<const std::byte> in) noexcept;

// Returns true if can_resume() and fits_after() both return true for at least one offset from 1 to
// `n` - 1 in `in`. If a header begins at the offset, fits_after() is not required.
template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended,
                                        const block_before& before);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/resume.ipp"
#endif
