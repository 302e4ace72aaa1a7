// Addresses of one run in terms of another's, whose modules lie elsewhere.
#pragma once
#include <cstdint>
#include <vector>

#include "../config.hpp"

namespace tracecodec::analysis {

// A region of addresses and where it lies in the other run.
struct moved_region {
  std::uint64_t from = 0, to = 0;
  std::uint64_t size = 0;  // at least 1
};

// Maps addresses region by region; what lies in none stays as it is.
class relocation {
 public:
  relocation() = default;
  // Throws trace_error(refused): regions that overlap, that are empty or go beyond the last address,
  // or that move by no multiple of 8, as values are compared 8 bytes at a time.
  explicit relocation(std::vector<moved_region> regions);
  [[nodiscard]] bool empty() const noexcept { return regions_.empty(); }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t address) const noexcept {
    if (regions_.empty()) return address;
    return moved(address);
  }

 private:
  // If there are regions.
  [[nodiscard]] std::uint64_t moved(std::uint64_t address) const noexcept;

  std::vector<moved_region> regions_ = {};  // by from
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/relocation.ipp"
#endif
