// Statistics of a trace of any format. Some formats, such as ChampSim, record branch flags. For
// these formats, the number of branches comes from the flags, not from the classes that are derived
// from the registers.
#pragma once
#include <tracecodec/feed/column_source.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/number_set.hpp"
#include "../common/text.hpp"

namespace view {

namespace feed = tracecodec::feed;

struct instruction_counts {
  std::uint64_t instructions = 0, branches = 0, taken = 0;
  // Number of records that read memory, and number of records that write memory.
  std::uint64_t reads = 0, writes = 0;
  examples::number_set ips = {};
  examples::number_set threads = {};  // empty for formats that do not record threads
};

class statistics {
 public:
  explicit statistics(const feed::column_source& trace) : has_(trace.has()) {}

  // Returns the columns that add() requires in each batch.
  [[nodiscard]] feed::column_set columns() const {
    using feed::column;
    return feed::column_set{column::ip, column::reads, column::writes} |
           (has_.has(column::recorded_branch)
                ? feed::column_set{column::recorded_branch, column::recorded_taken}
                : feed::column_set{column::is_branch, column::taken}) |
           (has_ & feed::column_set{column::thread, column::thread_known});
  }
  // Adds the next batch.
  void add(const feed::columns& batch) {
    const bool recorded = batch.requested().has(feed::column::recorded_branch);
    const auto is_branch = recorded ? batch.recorded_branch() : batch.is_branch();
    const auto is_taken = recorded ? batch.recorded_taken() : batch.taken();
    const auto thread = batch.thread();
    const auto known = batch.thread_known();
    const std::size_t n = batch.size();
    counts_.instructions += n;
    counts_.ips.insert(batch.ip());
    counts_.branches += sum_of(n, [&](std::size_t row) { return is_branch[row]; });
    counts_.taken += sum_of(n, [&](std::size_t row) {
      return is_taken[row] & (is_branch[row] | (recorded ? 0U : 1U));
    });
    counts_.reads += sum_of(n, [flag = batch.reads()](std::size_t row) { return flag[row]; });
    counts_.writes += sum_of(n, [flag = batch.writes()](std::size_t row) { return flag[row]; });
    for (std::size_t row = 0; row != known.size(); ++row)
      if (known[row] != 0) counts_.threads.insert(thread[row]);
  }
  [[nodiscard]] const instruction_counts& result() const noexcept { return counts_; }

 private:
  template <class Flag> static std::uint64_t sum_of(std::size_t rows, Flag flag) {
    unsigned n = 0;  // count within a batch, for which `unsigned` is large enough
    for (std::size_t row = 0; row != rows; ++row) n += flag(row);
    return n;
  }

  feed::column_set has_;
  instruction_counts counts_ = {};
};

inline void add_text(std::string& s, std::string_view trace, const instruction_counts& n) {
  using examples::grouped;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return " (" + examples::fixed(examples::percent(part, whole), 2) + "%";
  };
  s += "Trace Statistics for: " + examples::printable(trace);
  s += '\n' + std::string(70, '=') + '\n';
  s += "Total Instructions:    " + grouped(n.instructions) + '\n';
  s += "Unique IPs:            " + grouped(n.ips.size()) + '\n';
  if (n.threads.size() != 0) s += "Threads:               " + grouped(n.threads.size()) + '\n';
  s += "Branch Instructions:   " + grouped(n.branches) + share(n.branches, n.instructions) + ")\n";
  s +=
      "  Taken:               " + grouped(n.taken) + share(n.taken, n.branches) + " of branches)\n";
  s += "Memory Reads:          " + grouped(n.reads) + share(n.reads, n.instructions) + ")\n";
  s += "Memory Writes:         " + grouped(n.writes) + share(n.writes, n.instructions) + ")\n";
}

inline void add_json(std::string& s, std::string_view trace, const instruction_counts& n) {
  examples::json j(s);
  j.object().key("trace").string(trace).key("instructions").number(n.instructions);
  j.key("unique_ips").number(n.ips.size());
  if (n.threads.size() != 0) j.key("threads").number(n.threads.size());
  j.key("branches").number(n.branches);
  j.key("taken").number(n.taken).key("memory_reads").number(n.reads);
  j.key("memory_writes").number(n.writes).end_object();
  s += '\n';
}

}  // namespace view
