// Guesses the size of a trace's records from its bytes, for traces that were read with a wrong
// size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../config.hpp"

namespace tracecodec::champsim {

// Returns true if an instruction at `next` may directly follow one at `ip`. x86 instructions
// have at most 15 bytes, instructions of other machines have fewer.
constexpr bool follows(std::uint64_t ip, std::uint64_t next) noexcept {
  return next - ip >= 1 && next - ip <= 15;
}

// Lowest address that is treated as code. Nothing is mapped in the first page, and small
// numbers are common in data.
inline constexpr std::uint64_t first_code = 4096;

// Returns true if follows() returns true and `ip` may be a code address. Used for words of
// unknown meaning.
constexpr bool follows_as_code(std::uint64_t ip, std::uint64_t next) noexcept {
  return ip >= first_code && follows(ip, next);
}

// Measure of how well records of `size` bytes explain some bytes. Each record should have an
// 8-byte ip at the same offset. Most ips should be followed by the ip of the next instruction,
// which is at most 15 bytes higher.
struct size_guess {
  std::size_t size = 0;
  double sequential = 0;  // share of neighbouring records whose ips follow each other, 0 to 1
  std::size_t ip_at = 0;  // offset of the first ip in the bytes
  unsigned steps = 0;     // bit n is set if neighbouring ips n bytes apart were found
  std::size_t pairs = 0;  // number of neighbouring records whose ips follow each other
};

// Assumptions about records whose size is guessed.
struct size_hypothesis {
  std::size_t alignment = 4;  // divisor of the ip's offset in a record
  bool backwards = false;     // true if ips may decrease, as in a trace recorded from its end
};

// Returns a measure of how well records of `size` bytes explain the bytes; `size` is at least
// 8.
TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size,
                                   size_hypothesis h = {});

// Returns the size that best explains the bytes: a multiple of 4 from 16 to 256 bytes. A
// multiple of the right size explains the bytes nearly as well, because every second ip is
// often near, too. The multiple is chosen only if it has nearly as many pairs as the smaller
// size.
TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes);

// Returns the best size for a file that begins with the bytes and has `file_size` bytes, if
// that is known. Considers sizes up to 8,192 bytes, and ips that decrease. Sizes that divide
// the file's size are tried first, and need not be multiples of 4. A guess needs at least three
// pairs.
TRACECODEC_FUNC size_guess guess_record_size_of_file(std::span<const std::byte> bytes,
                                                     std::optional<std::uint64_t> file_size);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/record_size.ipp"
#endif
