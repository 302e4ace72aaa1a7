// Where reading can go on after damage: at blocks that follow each other, or at the header of a trace
// that was appended to another one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Headers of appended traces are looked for up to this length, in bytes: every x64dbg accepts shorter ones only.
inline constexpr std::size_t largest_appended_header = std::size_t{100} << 10;

// How many bytes can_resume() wants to see at most: eight blocks, and a few user blocks between them.
template <target T> inline constexpr std::size_t resume_window =
    8 * largest_block<T> + largest_appended_header;

// Bytes of the file header at the front of `in`, if it is one of a sound trace of T; else 0.
template <target T> std::size_t appended_header(std::span<const std::byte> in);

// Whether `in` goes on as it would after a sound block: with another one, a header, or the end. `ended`: the
// trace ends with `in`.
template <target T> bool goes_on(std::span<const std::byte> in, bool ended) noexcept;

// What is known of the block before.
struct block_before {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> ip = {};
  std::array<std::byte, largest_opcode> code = {};
  std::size_t code_size = 0;
  [[nodiscard]] std::span<const std::byte> code_bytes() const noexcept {
    return std::span(code).first(code_size);
  }
  // Takes `b`, at `at`, for the one before.
  template <target T> void take(const block<T>& b, std::uint64_t at) noexcept;
};

// Whether `in` begins with three blocks, or with fewer that end the trace, or with a header. A block counts if it
// gives the instruction pointer, or has the code of the one before, as in a repeated string instruction.
// A few user blocks may lie between them.
template <target T>
bool can_resume(std::span<const std::byte> in, bool ended, const block_before& before);

// Whether the block at the front of `in` is of an instruction that may follow: one near the one before, or that
// leads to the next one, or repeats the one before.
template <target T>
bool fits_after(const block_before& before, std::span<const std::byte> in) noexcept;

// Whether can_resume() and fits_after() hold at one of the bytes 1 to `n` - 1 of `in`.
template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended,
                                        const block_before& before);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/resume.ipp"
#endif
