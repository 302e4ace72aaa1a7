// Corrects record numbers in a tracepack that has lost records. A checker counts only the records
// that it reads, so its record numbers are too low after a loss.
#pragma once
#include <tracecodec/tracepack/lost_records.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace check {

class missing_records {
 public:
  void add(const tracecodec::tracepack::lost_records& l) {
    const std::uint64_t read = l.first - lost_;
    lost_ += l.next - l.first;
    if (!gaps_.empty() && gaps_.back().read == read)
      gaps_.back().lost = lost_;
    else
      gaps_.push_back({read, lost_});
  }

  // Returns true if records were lost directly before a record. `read` is the record's number among
  // the records that were read.
  [[nodiscard]] bool before(std::uint64_t read) const {
    const gap* const g = last_up_to(read);
    return g != nullptr && g->read == read;
  }
  // Returns a record's number in the trace. `read` is the record's number among the records that
  // were read.
  [[nodiscard]] std::uint64_t number_of(std::uint64_t read) const {
    const gap* const g = last_up_to(read);
    return g != nullptr ? read + g->lost : read;
  }

 private:
  struct gap {
    std::uint64_t read;
    std::uint64_t lost;  // total number of records lost up to the end of this gap
  };
  [[nodiscard]] const gap* last_up_to(std::uint64_t read) const {
    const auto next = std::upper_bound(gaps_.begin(), gaps_.end(), read,
                                       [](std::uint64_t n, const gap& g) { return n < g.read; });
    return next == gaps_.begin() ? nullptr : &*std::prev(next);
  }

  std::vector<gap> gaps_ = {};  // in ascending order
  std::uint64_t lost_ = 0;
};

}  // namespace check
