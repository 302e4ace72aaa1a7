// Measures how soon a trace accesses the same lines of memory again.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../feed/columns.hpp"
#include "../io/hash.hpp"
#include "accessed_bytes.hpp"
#include "distinct.hpp"

namespace tracecodec::analysis {

// Histogram by powers of two. Bucket 0 counts the value 0, and bucket `b` the values from 2^(b-1)
// up to 2^b - 1.
struct power_histogram {
  std::array<std::uint64_t, 65> counts = {};
  void add(std::uint64_t v) noexcept { ++counts[static_cast<std::size_t>(std::bit_width(v))]; }
  [[nodiscard]] static constexpr std::uint64_t first_of(std::size_t bucket) noexcept {
    return bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
  }
  [[nodiscard]] static constexpr std::uint64_t last_of(std::size_t bucket) noexcept {
    return bucket == 0 ? 0 : first_of(bucket) - 1 + first_of(bucket);
  }
};

struct reuse_counts {
  std::uint64_t accesses = 0;
  std::uint64_t first = 0;  // first accesses of a line; an estimate if `exact` is false
  std::uint64_t far = 0;    // accesses at a distance of most_lines or more
  bool exact = true;        // false if `first` and `far` are estimates; their sum is exact
  power_histogram distances = {}, times = {};
};

// Counter of reuse distances. It is an analysis (run.hpp). The distance of an access is the number of
// different other lines of 64 bytes that were accessed since the last access of the same line, so a
// fully associative cache of N lines with LRU replacement hits exactly the distances below N. The
// time of an access is the number of instructions since then.
//
// Distances below `most_lines` are exact. Memory is bounded: lines that are further away are not
// stored, so their next accesses only count as `far`. The number of first accesses is exact up to
// 262,144 lines, and then an estimate (distinct.hpp). An operand that spans several lines accesses
// each of them.
template <std::size_t MostLines = std::size_t{1} << 18> class reuse {
 public:
  static constexpr std::size_t most_lines = MostLines;
  static constexpr unsigned line_bits = 6;

  reuse() : tree_(slots + 1), used_(slots), lines_(slots), indices_(slots) {}

  // Returns the columns that batches must contain.
  [[nodiscard]] static feed::column_set columns() noexcept { return {feed::column::memory}; }
  void add(const feed::columns& batch) {
    const feed::memory_column memory = batch.memory();
    for (std::size_t row = 0; row != batch.size(); ++row)
      each_accessed_line(memory, row, line_bits,
                         [&](std::uint64_t line, bool) { add(line, batch.first() + row); });
  }
  // Adds an access of a line by instruction `index`.
  void add(std::uint64_t line, std::uint64_t index) {
    ++counts_.accesses;
    all_.insert(line);
    if (now_ == slots) renumber();
    const auto found = times_.find(line);
    if (found == times_.end()) {
      if (times_.size() == most_lines) drop_oldest();
      times_.emplace(line, now_);
    } else {
      const std::uint32_t last = found->second;
      counts_.distances.add(times_.size() - before(last + 1));
      counts_.times.add(index - indices_[last]);
      set(last, false);
      found->second = now_;
    }
    lines_[now_] = line;
    indices_[now_] = index;
    set(now_++, true);
  }

  // Returns the counts so far.
  [[nodiscard]] reuse_counts result() const {
    reuse_counts r = counts_;
    std::uint64_t again = 0;
    for (const std::uint64_t n : r.distances.counts) again += n;
    r.exact = all_.exact();
    r.first = std::min(all_.count(), r.accesses - again);
    r.far = r.accesses - again - r.first;
    return r;
  }

 private:
  // An access has a slot, in the order of time. The last access of each stored line is marked in
  // used_, and counted in a Fenwick tree, so that the marks before a slot are found in log time.
  static constexpr std::uint32_t slots = 2 * MostLines;

  void set(std::uint32_t slot, bool used) {
    used_[slot] = used;
    const std::uint32_t by = used ? 1 : ~std::uint32_t{0};
    for (std::uint32_t i = slot + 1; i <= slots; i += i & (0 - i)) tree_[i] += by;
  }
  // Returns the number of marks before a slot.
  [[nodiscard]] std::uint64_t before(std::uint32_t slot) const {
    std::uint64_t n = 0;
    for (std::uint32_t i = slot; i != 0; i &= i - 1) n += tree_[i];
    return n;
  }
  void drop_oldest() {
    while (!used_[oldest_]) ++oldest_;
    times_.erase(lines_[oldest_]);
    set(oldest_, false);
  }
  // Moves the marked slots to the front.
  void renumber() {
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i != slots; ++i) {
      if (!used_[i]) continue;
      lines_[n] = lines_[i];
      indices_[n] = indices_[i];
      times_[lines_[n]] = n;
      ++n;
    }
    for (std::uint32_t i = 0; i != slots; ++i) used_[i] = i < n;
    // A node of the tree counts the slots that its lowest bit spans.
    for (std::uint32_t i = 1; i <= slots; ++i) {
      const std::uint32_t first = i - (i & (0 - i));
      tree_[i] = first >= n ? 0 : std::min(i, n) - first;
    }
    now_ = n;
    oldest_ = 0;
  }

  std::unordered_map<std::uint64_t, std::uint32_t, io::keyed_hash> times_ = {};  // slot of a line
  std::vector<std::uint32_t> tree_;
  std::vector<bool> used_;
  std::vector<std::uint64_t> lines_, indices_;  // by slot
  std::uint32_t now_ = 0, oldest_ = 0;
  distinct<> all_ = {};
  reuse_counts counts_ = {};
};

}  // namespace tracecodec::analysis
