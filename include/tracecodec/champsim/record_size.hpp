// Guesses the size of a trace's records from the trace's bytes. Used if a trace was read with a
// wrong size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../config.hpp"

namespace tracecodec::champsim {

// Returns true if an instruction at `next` may directly follow an instruction at `ip`. On all
// machines, instructions have at most 15 bytes.
constexpr bool follows(std::uint64_t ip, std::uint64_t next) noexcept {
  return next - ip >= 1 && next - ip <= 15;
}

// Lowest address that is treated as code. The first page is never mapped, and small numbers are
// common in data.
inline constexpr std::uint64_t first_code = 4096;

// Returns true if follows() returns true and `ip` may be a code address. Used for words that may
// not be ips.
constexpr bool follows_as_code(std::uint64_t ip, std::uint64_t next) noexcept {
  return ip >= first_code && follows(ip, next);
}

// Measure of how well records of `size` bytes explain a sequence of bytes. Each record should have
// an 8-byte ip at the same offset. In most cases, the next record's ip should be 1 to 15 bytes
// higher, because it belongs to the next instruction.
struct size_guess {
  std::size_t size = 0;
  double sequential = 0;  // fraction of adjacent records with sequential ips
  std::size_t ip_at = 0;  // offset of the first ip in the bytes
  unsigned steps = 0;     // bit n is set if two adjacent ips differ by n bytes
  std::size_t pairs = 0;  // number of pairs of adjacent records with sequential ips
};

// Assumptions about records of unknown size.
struct size_hypothesis {
  std::size_t alignment = 4;  // number that divides the ip's offset in a record
  bool backwards = false;     // true if ips may decrease, as in a trace that was recorded backwards
};

// Returns a measure of how well records of `size` bytes explain the bytes. `size` must be at least
// 8.
TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size,
                                   size_hypothesis h = {});

// Returns the size that best explains the bytes, which is a multiple of 4 from 16 to 256 bytes. A
// multiple of the correct size explains the bytes nearly as well, because every second ip is often
// nearby, too. A multiple is chosen only if it has nearly as many pairs as the smaller size.
TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes);

// Returns the best size for a file that begins with the bytes. `file_size` is the size of the file
// in bytes, or nullopt if the size is unknown. Considers sizes up to 8,192 bytes, and ips that
// decrease. Divisors of the file size are tried first, and need not be multiples of 4. At least
// three pairs are required.
TRACECODEC_FUNC size_guess guess_record_size_of_file(std::span<const std::byte> bytes,
                                                     std::optional<std::uint64_t> file_size);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/record_size.ipp"
#endif
