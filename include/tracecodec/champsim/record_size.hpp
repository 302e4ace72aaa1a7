// Guesses the size of a trace's records from its bytes, for a trace read with the wrong one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
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
  unsigned steps = 0;     // bit n: some go n bytes on, or back
  std::size_t pairs = 0;  // of neighbours whose ips are so
};

// What is assumed of the records whose size is guessed.
struct size_hypothesis {
  std::size_t alignment = 4;  // the ip's offset in a record is a multiple
  bool backwards = false;     // ips may go down, as in a trace that was recorded from its end
};

// Returns how well records of `size` bytes, 8 or more, explain the bytes.
TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size,
                                   size_hypothesis h = {});

// Returns the size from 16 to 256 bytes, a multiple of 4, that explains them best. A multiple of it explains
// them nearly as well, since the next ip but one is often near, too: it needs as many pairs.
TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes);

// Returns the same for a file that begins with the bytes and has `file_size` of them, if that is known: of sizes up
// to 8,192 bytes, and from its end, too. Sizes that divide the file come first, and need not be multiples of 4. Less
// than three pairs explain nothing.
TRACECODEC_FUNC size_guess guess_record_size_of_file(std::span<const std::byte> bytes,
                                                     std::optional<std::uint64_t> file_size);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/record_size.ipp"
#endif
