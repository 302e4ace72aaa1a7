// Collects the memory pages that a trace accesses, as ranges.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>

#include "../../layout/common.hpp"

namespace tracecodec::umtracer {

// Set of 4 KiB pages, stored as ranges of consecutive pages. Memory use grows with the number of
// ranges.
class page_set {
 public:
  // Adds the pages that contain the `size` bytes at `address`, or the page that contains `address`
  // if `size` is 0. Bytes beyond the last address are ignored.
  void add(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t more = size == 0 ? 0 : size - 1;
    const std::uint64_t last =
        address + std::min(more, std::numeric_limits<std::uint64_t>::max() - address);
    add_pages(address >> 12, last >> 12);
  }

  [[nodiscard]] std::size_t size() const noexcept { return ranges_.size(); }
  // Calls f(address_range) for each range, in ascending order of address.
  template <class F> void for_each(F&& f) const {
    for (const auto& [first, last] : ranges_) f(address_range{first << 12, last << 12 | 0xFFF});
  }

 private:
  void add_pages(std::uint64_t first, std::uint64_t last) {
    std::uint64_t& recent = recent_[static_cast<std::size_t>(first % recent_.size())];
    if (first == last && recent == first) return;
    if (first == last) recent = first;
    join(first, last);
  }
  void join(std::uint64_t first, std::uint64_t last) {
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second + 1 >= first) --at;
    if (at != ranges_.end() && at->first <= first) {
      if (at->second >= last) return;
      at->second = last;
    } else {
      at = ranges_.emplace_hint(at, first, last);
    }
    const auto grown = at++;
    while (at != ranges_.end() && at->first <= grown->second + 1) {
      grown->second = std::max(grown->second, at->second);
      at = ranges_.erase(at);
    }
  }

  static constexpr std::uint64_t no_page = std::numeric_limits<std::uint64_t>::max();
  std::map<std::uint64_t, std::uint64_t> ranges_ = {};  // last page of each range, by first page
  // Cache of recently added pages, which makes a search unnecessary in most calls.
  std::array<std::uint64_t, 64> recent_ = [] {
    std::array<std::uint64_t, 64> none{};
    none.fill(no_page);
    return none;
  }();
};

}  // namespace tracecodec::umtracer
