// Implementation of analysis/relocation.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>

#include "../../io/error.hpp"
#include "../relocation.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC relocation::relocation(std::vector<moved_region> regions)
    : regions_(std::move(regions)) {
  std::sort(regions_.begin(), regions_.end(),
            [](const moved_region& x, const moved_region& y) { return x.from < y.from; });
  const auto refuse = [](const char* why) { throw trace_error(trace_errc::refused, {}, why); };
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const moved_region& r = regions_[i];
    if (r.size == 0 || r.from + (r.size - 1) < r.from || r.to + (r.size - 1) < r.to)
      refuse("a region that moves has no bytes, or goes beyond the last address");
    if ((r.to - r.from) % 8 != 0) refuse("a region moves by a multiple of 8 bytes");
    if (i != 0 && r.from - regions_[i - 1].from < regions_[i - 1].size)
      refuse("two regions that move overlap");
  }
}

TRACECODEC_FUNC std::uint64_t relocation::moved(std::uint64_t address) const noexcept {
  const auto behind =
      std::upper_bound(regions_.begin(), regions_.end(), address,
                       [](std::uint64_t a, const moved_region& r) { return a < r.from; });
  if (behind == regions_.begin()) return address;
  const moved_region& r = *(behind - 1);
  return address - r.from < r.size ? address - r.from + r.to : address;
}

}  // namespace tracecodec::analysis
