// Finds the variables that several threads access. The result is stored in
// metadata::shared_variables.
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

// Collector of the threads that access each variable. All ids must fit in the word of an event
// (fits_word()). Each pair of a variable and an accessing thread needs about 50 bytes of memory.
class sharers {
 public:
  void add(const event& e) {
    if (operand_of(e.operation) != operand::variable) return;
    const std::uint64_t pair = e.decor << thread_bits | e.thread;
    if (seen_.insert(pair)) pairs_.push_back(pair);
  }

  // Returns a map from each variable that more than one thread has accessed to the set of these
  // threads, like metadata::shared_variables.
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
