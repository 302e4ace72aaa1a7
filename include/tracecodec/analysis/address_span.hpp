// A range of addresses.
#pragma once
#include <cstdint>

namespace tracecodec::analysis {

// Addresses from the first to the last.
struct address_span {
  std::uint64_t first = 0, last = 0;
  // Whether `size` bytes from `from` on have one of them; of size 0 the first byte counts.
  [[nodiscard]] constexpr bool meets(std::uint64_t from, std::uint64_t size) const noexcept {
    const std::uint64_t end = from + (size == 0 ? 0 : size - 1);
    return from <= last && (end < from || end >= first);
  }
};

}  // namespace tracecodec::analysis
