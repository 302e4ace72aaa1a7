// Where reading can go on after damage: at blocks that follow each other, or at the header of a trace
// that was appended to another one.
#pragma once
#include <cstddef>
#include <span>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Headers of appended traces are looked for up to this length, in bytes: every x64dbg accepts shorter ones only.
inline constexpr std::size_t largest_appended_header = std::size_t{100} << 10;

// How many bytes can_resume() wants to see at most: eight blocks, and a few user blocks between them.
template <target T>
inline constexpr std::size_t resume_window = 8 * largest_block<T> + largest_appended_header;

// Bytes of the file header at the front of `in`, if it is one of a sound trace of T; else 0.
template <target T> std::size_t appended_header(std::span<const std::byte> in);

// Whether `in` goes on as it would after a sound block. `ended`: the trace ends with `in`.
template <target T> bool goes_on(std::span<const std::byte> in, bool ended) noexcept;

// Whether `in` begins with three blocks that give the instruction pointer, or with fewer that end the
// trace, or with a header. User blocks, and blocks of repeated instructions, may lie between them.
template <target T> bool can_resume(std::span<const std::byte> in, bool ended);

// Whether can_resume() holds at one of the bytes 1 to `n` - 1 of `in`.
template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended);

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/resume.ipp"
#endif
