// Activity of threads and pages over time, in bounded memory.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../feed/columns.hpp"
#include "time_line.hpp"

namespace tracecodec::analysis {

// Counts over time, one for each bucket.
template <std::size_t N> using activity_line = std::array<std::uint64_t, N>;

// Counter of the instructions of each thread over time. Each of the first `Rows` threads has its
// own row. All other threads share one row.
template <std::size_t N = 240, std::size_t Rows = 64> class thread_activity {
 public:
  struct row {
    std::uint32_t thread = 0;  // thread id; in others(), the id of the most recent thread
    std::uint64_t count = 0;   // number of instructions
    // Positions of the thread's first and last instructions in the trace, counted from 0.
    std::uint64_t first = 0, last = 0;
    activity_line<N> line = {};
  };

  thread_activity() { rows_.reserve(Rows); }

  // Returns the columns that batches must contain.
  [[nodiscard]] static feed::column_set columns() noexcept { return {feed::column::thread}; }
  // Adds the next batch.
  void add(const feed::columns& batch) {
    for (const std::uint32_t thread : batch.thread()) add(thread);
  }
  // Adds the next instruction, which belongs to `thread`.
  void add(std::uint32_t thread) {
    if (current_ == nullptr || thread != current_->thread) {
      switches_ += current_ != nullptr;
      current_ = &row_of(thread);
    }
    ++current_->count;
    current_->last = index_++;
    ++current_->line[clock_.now()];
    if (clock_.tick()) {
      for (row& r : rows_) fold(r.line);
      fold(others_.line);
    }
  }

  // Returns the rows of the first `Rows` threads, in the order in which the threads first ran.
  [[nodiscard]] const std::vector<row>& result() const noexcept { return rows_; }
  // Returns the row that all other threads share. Its count is 0 if every thread has its own row.
  [[nodiscard]] const row& others() const noexcept { return others_; }
  // Returns the number of instructions whose thread differs from the thread of the previous
  // instruction.
  [[nodiscard]] std::uint64_t switches() const noexcept { return switches_; }
  [[nodiscard]] const bucket_clock<N>& clock() const noexcept { return clock_; }

 private:
  row& row_of(std::uint32_t thread) {
    const auto known = std::find_if(rows_.begin(), rows_.end(),
                                    [thread](const row& r) { return r.thread == thread; });
    if (known != rows_.end()) return *known;
    if (rows_.size() == Rows) {
      if (others_.count == 0) others_.first = index_;
      others_.thread = thread;
      return others_;
    }
    rows_.push_back({});
    rows_.back().thread = thread;
    rows_.back().first = index_;
    return rows_.back();
  }

  bucket_clock<N> clock_ = {};
  std::uint64_t index_ = 0, switches_ = 0;
  std::vector<row> rows_ = {};
  row others_ = {};
  // Row of the current thread; remains valid because rows_ never reallocates.
  row* current_ = nullptr;
};

// Counter of accesses to 4 KiB pages over time, for a heat map with up to `Rows` address ranges. At
// first, each page is a separate range. If there are more than `Rows` ranges, the two neighbouring
// ranges that together span the fewest bytes are merged.
template <std::size_t N = 240, std::size_t Rows = 64> class page_activity {
 public:
  static constexpr std::uint64_t page_size = 4096;

  struct range {
    std::uint64_t first = 0, last = 0;  // page numbers: addresses divided by page_size
    std::uint64_t count = 0;            // number of accesses
    activity_line<N> line = {};
  };

  page_activity() : ranges_(Rows + 1), order_(Rows + 1) {
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  }

  // Counts an access to the page of `address` at the current time.
  void add(std::uint64_t address) {
    const std::uint64_t page = address / page_size;
    if (used_ == 0 || page < current_->first || page > current_->last) current_ = &range_of(page);
    ++current_->count;
    ++current_->line[clock_.now()];
  }
  // Advances time by one instruction.
  void tick() {
    if (clock_.tick())
      for (range& r : ranges_) fold(r.line);
  }

  // Return the number of ranges, and range `i` in address order.
  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] const range& operator[](std::size_t i) const noexcept { return ranges_[order_[i]]; }
  [[nodiscard]] const bucket_clock<N>& clock() const noexcept { return clock_; }

 private:
  [[nodiscard]] range& at(std::size_t i) noexcept { return ranges_[order_[i]]; }

  range& range_of(std::uint64_t page) {
    const auto begin = order_.begin(), end = begin + static_cast<std::ptrdiff_t>(used_);
    const auto next =
        std::partition_point(begin, end, [&](std::size_t i) { return ranges_[i].last < page; });
    if (next != end && ranges_[*next].first <= page) return ranges_[*next];
    // Insert a free range between its neighbours.
    std::rotate(next, end, end + 1);
    const std::size_t made = *next;
    ranges_[made] = {page, page, 0, {}};
    if (++used_ <= Rows) return ranges_[made];
    const std::size_t kept = merge();
    return page >= ranges_[kept].first && page <= ranges_[kept].last ? ranges_[kept]
                                                                     : ranges_[made];
  }
  // Merges the two neighbouring ranges that together span the fewest pages, and returns the index
  // of the merged range in ranges_.
  std::size_t merge() {
    std::size_t best = 0;
    std::uint64_t least = at(1).last - at(0).first;
    for (std::size_t i = 1; i + 1 < used_; ++i) {
      const std::uint64_t span = at(i + 1).last - at(i).first;
      if (span < least) {
        least = span;
        best = i;
      }
    }
    range &a = at(best), &b = at(best + 1);
    a.last = b.last;
    a.count += b.count;
    for (std::size_t i = 0; i < N; ++i) a.line[i] += b.line[i];
    b = {};
    const auto freed = order_.begin() + static_cast<std::ptrdiff_t>(best + 1);
    std::rotate(freed, freed + 1, order_.begin() + static_cast<std::ptrdiff_t>(used_));
    --used_;
    return order_[best];
  }

  bucket_clock<N> clock_ = {};
  std::vector<range> ranges_;
  // Indices into ranges_: the used ranges by address, and then the free ranges.
  std::vector<std::size_t> order_;
  std::size_t used_ = 0;
  range* current_ = nullptr;
};

}  // namespace tracecodec::analysis
