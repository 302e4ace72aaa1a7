// Sorting that keeps the order of what is equal.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tracecodec::io {

// As std::stable_sort, which needs a function of the standard library that is deprecated: newer
// compilers tell those who only use these headers.
template <class T, class Less> void sort_in_order(std::vector<T>& all, Less less) {
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (less(all[a], all[b])) return true;
    return !less(all[b], all[a]) && a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(std::move(all[i]));
  all = std::move(sorted);
}

}  // namespace tracecodec::io
