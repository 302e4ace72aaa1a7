// Guesses the size of a trace's records from its bytes, for a trace read with the wrong one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../config.hpp"

namespace tracecodec::champsim {

// Whether an instruction at `next` may lie directly behind one at `ip`: x86 instructions have at
// most 15 bytes, other machines' fewer.
constexpr bool follows(std::uint64_t ip, std::uint64_t next) noexcept {
  return next - ip >= 1 && next - ip <= 15;
}

// The lowest address that is taken for one of code: nothing lies in the first page, and small numbers
// are everywhere.
inline constexpr std::uint64_t first_code = 4096;

// The same as follows() for words that may be anything.
constexpr bool follows_as_code(std::uint64_t ip, std::uint64_t next) noexcept {
  return ip >= first_code && follows(ip, next);
}

// How well records of `size` bytes explain the bytes: somewhere in each there is an 8-byte ip, and
// most instructions are followed by the next one, at most 15 bytes on.
struct size_guess {
  std::size_t size = 0;
  double sequential = 0;  // share of neighbouring records whose ips are so, 0 to 1
  std::size_t ip_at = 0;  // the first ip's offset in the bytes
};

TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size);

// The size from 24 to 256 bytes, a multiple of 8, that explains them best. A multiple of it explains
// them nearly as well: the next but one is often near, too.
TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/record_size.ipp"
#endif
