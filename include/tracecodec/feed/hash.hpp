// Spreads the bits of a number over 64: what tables and estimates need of addresses, which differ
// in a few bits only.
#pragma once
#include <cstdint>

namespace tracecodec::feed::detail {

// SplitMix64's finalizer: each bit of `v` changes each bit of the result with a chance of a half.
constexpr std::uint64_t mixed(std::uint64_t v) noexcept {
  v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9;
  v = (v ^ v >> 27) * 0x94D049BB133111EB;
  return v ^ v >> 31;
}

}  // namespace tracecodec::feed::detail
