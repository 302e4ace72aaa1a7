// Finds where reading can continue after damage: at blocks that follow each other, or at the
// header of an appended trace.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Maximum size of an appended trace's header, in bytes: every x64dbg accepts only shorter ones.
inline constexpr std::size_t largest_appended_header = std::size_t{100} << 10;

// Number of bytes that can_resume() examines: eight blocks, and a header or a few user blocks.
template <target T> inline constexpr std::size_t resume_window =
    8 * largest_block<T> + largest_appended_header;

// Returns the size of the file header at the front of `in` if it belongs to a
// sound trace of T, else 0.
template <target T> std::size_t appended_header(std::span<const std::byte> in);

// Returns true if `in` continues as it would after a sound block: with another block, a header,
// or the end. `ended`: the trace ends with `in`.
template <target T> bool goes_on(std::span<const std::byte> in, bool ended) noexcept;

// Facts about the previous block.
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

// Returns true if `in` begins with three blocks, with fewer that end the trace, or with a
// header. A block counts if it stores the instruction pointer, or has the code of the previous
// one, as in a repeated string instruction. A few user blocks may lie between the blocks.
template <target T>
bool can_resume(std::span<const std::byte> in, bool ended, const block_before& before);

// Returns true if the instruction at the front of `in` may follow the previous one. That is so if
// it is within 64 KiB of it, leads to the next block's instruction, or repeats the previous one.
template <target T>
bool fits_after(const block_before& before, std::span<const std::byte> in) noexcept;

// Returns true if can_resume() and fits_after() hold at one of the bytes 1 to `n` - 1 of `in`.
// A header needs only can_resume().
template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended,
                                        const block_before& before);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/resume.ipp"
#endif
