// Functions that find the offset at which reading can continue after damage. It is an offset at
// which blocks follow each other, or the header of an appended trace.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Maximum size in bytes of the header of an appended trace. All versions of x64dbg accept only
// shorter headers.
inline constexpr std::size_t largest_appended_header = std::size_t{100} << 10;

// Number of bytes that can_resume() needs: eight blocks, and a header or a few user blocks.
template <target T> inline constexpr std::size_t resume_window =
    8 * largest_block<T> + largest_appended_header;

// Returns the size of the file header at the front of `in`. Returns 0 if `in` does not begin with a
// sound header of a trace for T.
template <target T> std::size_t appended_header(std::span<const std::byte> in);

// Returns true if `in` may follow a sound block: it begins with another block or a header, or is
// the end of the trace. `ended` is true if the trace ends with `in`.
template <target T> bool goes_on(std::span<const std::byte> in, bool ended) noexcept;

// Facts about a block, which are compared with the block that follows it.
struct block_before {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> ip = {};
  std::array<std::byte, largest_opcode> code = {};
  std::size_t code_size = 0;
  [[nodiscard]] std::span<const std::byte> code_bytes() const noexcept {
    return std::span(code).first(code_size);
  }
  // Stores the facts about block `b` at offset `at`.
  template <target T> void take(const block<T>& b, std::uint64_t at) noexcept;
};

// Returns true if `in` begins with three blocks, with fewer blocks at the end of the trace, or with
// the header of an appended trace. Only blocks that store the instruction pointer, or that have the
// code of the previous block (repeated string instructions), are counted. A few user blocks may be
// between the blocks.
template <target T>
bool can_resume(std::span<const std::byte> in, bool ended, const block_before& before);

// Returns true if the instruction at the front of `in` may follow the instruction of `before`. A
// block without an instruction pointer must have the same code. Otherwise, the instruction must be
// within 64 KiB of the instruction of `before`, or directly before the next block's instruction.
template <target T>
bool fits_after(const block_before& before, std::span<const std::byte> in) noexcept;

// Returns true if can_resume() and fits_after() return true at an offset from 1 to `n` - 1 in `in`.
// At a header, only can_resume() must return true.
template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended,
                                        const block_before& before);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/resume.ipp"
#endif
