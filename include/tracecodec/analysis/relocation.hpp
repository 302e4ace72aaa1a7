// Maps addresses of one run to addresses of another run whose modules are at different addresses.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../io/error.hpp"

namespace tracecodec::analysis {

// Region of addresses in one run, and its address in the other run.
struct moved_region {
  std::uint64_t from = 0, to = 0;
  std::uint64_t size = 0;  // in bytes, at least 1
};

// Map of addresses, by region. Addresses outside all regions remain unchanged.
class relocation {
 public:
  relocation() = default;
  // Creates a map of `regions`. Throws trace_error(refused) if regions overlap, are empty, or
  // exceed the address space. Also throws trace_error(refused) if a region moves by a distance that
  // is not a multiple of 8, because values are compared 8 bytes at a time.
  explicit relocation(std::vector<moved_region> regions);
  [[nodiscard]] bool empty() const noexcept { return regions_.empty(); }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t address) const noexcept {
    if (regions_.empty()) return address;
    return moved(address);
  }

 private:
  // Maps an address. Requires at least one region.
  [[nodiscard]] std::uint64_t moved(std::uint64_t address) const noexcept;

  std::vector<moved_region> regions_ = {};  // sorted by `from`
};

inline relocation::relocation(std::vector<moved_region> regions) : regions_(std::move(regions)) {
  std::sort(regions_.begin(), regions_.end(),
            [](const moved_region& x, const moved_region& y) { return x.from < y.from; });
  const auto refuse = [](const char* why) { throw trace_error(trace_errc::refused, {}, why); };
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const moved_region& r = regions_[i];
    if (r.size == 0 || r.from + (r.size - 1) < r.from || r.to + (r.size - 1) < r.to)
      refuse("a relocated region has no bytes or extends beyond the last address");
    if ((r.to - r.from) % 8 != 0) refuse("a region can only move by a multiple of 8 bytes");
    if (i != 0 && r.from - regions_[i - 1].from < regions_[i - 1].size)
      refuse("two relocated regions overlap");
  }
}

inline std::uint64_t relocation::moved(std::uint64_t address) const noexcept {
  const auto next =
      std::upper_bound(regions_.begin(), regions_.end(), address,
                       [](std::uint64_t a, const moved_region& r) { return a < r.from; });
  if (next == regions_.begin()) return address;
  const moved_region& r = *(next - 1);
  return address - r.from < r.size ? address - r.from + r.to : address;
}

}  // namespace tracecodec::analysis
