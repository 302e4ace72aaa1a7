// Counts the lines and pages that a trace uses, in all and in windows of its instructions.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../feed/columns.hpp"
#include "accessed_bytes.hpp"
#include "distinct.hpp"

namespace tracecodec::analysis {

// Numbers of distinct lines (64 bytes) and pages (4 KiB). Large numbers are estimates (distinct.hpp).
struct set_sizes {
  std::uint64_t first = 0;         // number of the first instruction
  std::uint64_t instructions = 0;  // number of instructions
  std::uint64_t data_lines = 0, data_pages = 0, code_lines = 0;
  bool exact = true;  // false if a number is an estimate
};

// Counter of the lines and pages that instructions access, and of the lines of their code. It is an
// analysis (run.hpp). If the format does not store the sizes of accesses or of instructions, only
// the line of the first byte counts.
class working_set {
 public:
  static constexpr unsigned line_bits = 6, page_bits = 12;

  // Counts in windows of `window` instructions, or only in all if `window` is 0. `has` are the
  // columns of the trace.
  explicit working_set(std::uint64_t window, feed::column_set has)
      : window_(window),
        columns_(feed::column_set{feed::column::ip, feed::column::memory} |
                 (has & feed::column_set{feed::column::size})) {}

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  void add(const feed::columns& batch) {
    const feed::memory_column memory = batch.memory();
    const bool has_sizes = columns_.has(feed::column::size);
    windows_.clear();
    for (std::size_t row = 0; row != batch.size(); ++row) {
      const std::uint64_t ip = batch.ip()[row], at = batch.first() + row;
      const std::uint64_t more = has_sizes && batch.code_size()[row] != 0
                                     ? std::min<std::uint64_t>(batch.code_size()[row], 64) - 1
                                     : 0;
      all_.begin(at);
      if (window_ != 0) now_.begin(at);
      for (std::uint64_t line = ip >> line_bits; line <= (ip + more) >> line_bits; ++line)
        each([&](counters& c) { c.code_lines.insert(line); });
      each_accessed_line(memory, row, line_bits, [&](std::uint64_t line, bool) {
        each([&](counters& c) {
          c.data_lines.insert(line);
          c.data_pages.insert(line >> (page_bits - line_bits));
        });
      });
      if (window_ != 0 && now_.instructions == window_) end_window();
    }
  }

  // Returns the counts of the whole trace.
  [[nodiscard]] set_sizes result() const { return all_.sizes(); }
  // Returns the windows that ended in the last batch.
  [[nodiscard]] const std::vector<set_sizes>& windows() const noexcept { return windows_; }
  // Returns the window that has not ended. Its number of instructions can be 0.
  [[nodiscard]] set_sizes last_window() const { return now_.sizes(); }

 private:
  struct counters {
    std::uint64_t first = 0, instructions = 0;
    distinct<> data_lines = {}, data_pages = {}, code_lines = {};
    void begin(std::uint64_t at) noexcept {
      if (instructions++ == 0) first = at;
    }
    [[nodiscard]] set_sizes sizes() const {
      return {first,
              instructions,
              data_lines.count(),
              data_pages.count(),
              code_lines.count(),
              data_lines.exact() && data_pages.exact() && code_lines.exact()};
    }
  };
  template <class F> void each(F f) {
    f(all_);
    if (window_ != 0) f(now_);
  }
  void end_window() {
    windows_.push_back(now_.sizes());
    now_ = {};
  }

  std::uint64_t window_;
  feed::column_set columns_;
  counters all_ = {}, now_ = {};
  std::vector<set_sizes> windows_ = {};
};

}  // namespace tracecodec::analysis
