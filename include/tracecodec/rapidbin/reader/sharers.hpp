// Which threads touch which variables: what metadata calls shared.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "../layout.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

// Events must fit a word (fits_word()). Memory: some 50 bytes for each pair of a variable and a thread that touches it.
class sharers {
 public:
  void add(const event& e) {
    if (operand_of(e.operation) != operand::variable) return;
    const std::uint64_t pair = e.decor << thread_bits | e.thread;
    if (seen_.insert(pair)) pairs_.push_back(pair);
  }

  // The variables that more than one thread has touched, and those threads (metadata::shared_variables).
  [[nodiscard]] std::map<std::uint64_t, std::set<std::uint64_t>> shared() const {
    std::vector<std::uint64_t> all = pairs_;
    std::sort(all.begin(), all.end());
    std::map<std::uint64_t, std::set<std::uint64_t>> out;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const std::uint64_t variable = all[i] >> thread_bits;
      if (all[i + 1] >> thread_bits != variable) continue;
      auto& threads = out[variable];
      threads.insert(all[i] & largest_thread);
      threads.insert(all[i + 1] & largest_thread);
    }
    return out;
  }

 private:
  static constexpr unsigned thread_bits = 10;
  static_assert(largest_thread == (1U << thread_bits) - 1);

  id_set seen_ = {};
  std::vector<std::uint64_t> pairs_ = {};
};

}  // namespace tracecodec::rapidbin
