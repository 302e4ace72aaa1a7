// Range of addresses.
#pragma once
#include <cstdint>

#include "../config.hpp"

namespace tracecodec::analysis {

// Addresses from `first` to `last`, both included.
struct address_span {
  std::uint64_t first = 0, last = 0;
  // Returns true if any of the `size` bytes at `from` is in the range. A size of 0 is treated as 1.
  [[nodiscard]] constexpr bool meets(std::uint64_t from, std::uint64_t size) const noexcept {
    const std::uint64_t end = from + (size == 0 ? 0 : size - 1);
    return from <= last && (end < from || end >= first);
  }
};

}  // namespace tracecodec::analysis
