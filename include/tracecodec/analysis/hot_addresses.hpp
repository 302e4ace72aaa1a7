// Finds the instructions that are executed most often, and the lines of memory with the most
// accesses.
#pragma once
#include <cstddef>
#include <cstdint>

#include "../feed/columns.hpp"
#include "accessed_bytes.hpp"
#include "frequent.hpp"

namespace tracecodec::analysis {

// Accesses of one line of memory.
struct line_accesses {
  std::uint64_t reads = 0, writes = 0;
};

// Counter of executions by address, and of accesses by line of 64 bytes. It is an analysis (run.hpp).
// Counts can be too low, as in `frequent`.
class hot_addresses {
 public:
  static constexpr unsigned line_bits = 6;
  using instruction_table = frequent<>;
  using line_table = frequent<line_accesses>;

  explicit hot_addresses(std::size_t capacity = std::size_t{1} << 16)
      : instructions_(capacity), lines_(capacity) {}

  // Returns the columns that batches must contain.
  [[nodiscard]] static feed::column_set columns() noexcept {
    return {feed::column::ip, feed::column::memory};
  }
  void add(const feed::columns& batch) {
    const feed::memory_column memory = batch.memory();
    for (std::size_t row = 0; row != batch.size(); ++row) {
      ++instructions_[batch.ip()[row]].count;
      each_accessed_line(memory, row, line_bits, [&](std::uint64_t line, bool write) {
        line_table::entry& e = lines_[line];
        ++e.count;
        ++(write ? e.data.writes : e.data.reads);
      });
    }
  }
  // Return the instructions by address, and the lines by number: an address divided by 64.
  [[nodiscard]] const instruction_table& result() const noexcept { return instructions_; }
  [[nodiscard]] const line_table& lines() const noexcept { return lines_; }

 private:
  instruction_table instructions_;
  line_table lines_;
};

}  // namespace tracecodec::analysis
