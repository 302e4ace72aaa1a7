// Comparison of instructions of different threads, whose order may be unknown.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"

namespace tracecodec::query {

// Instruction, with what its order among the threads depends on.
struct instruction_time {
  std::uint64_t index = 0;
  std::uint32_t thread = 0;
  std::uint64_t time = 0;  // last time that the trace stores before the instruction, or 0
};

// Returns the columns from which time_of() reads.
[[nodiscard]] constexpr feed::column_set time_columns(feed::column_set has) noexcept {
  return has & feed::column_set{feed::column::thread, feed::column::time};
}
// Returns the instruction in a row. The batch must contain time_columns().
TRACECODEC_FUNC instruction_time time_of(const feed::columns& batch, std::size_t row);

// Reads instruction `at` of the trace. Returns nullopt if the trace ends before.
TRACECODEC_FUNC std::optional<instruction_time> read_time(feed::column_source& trace,
                                                          std::uint64_t at);

// Comparison of instructions of different threads. The order of such instructions in a trace is the
// order in which they were recorded. They may have been executed in another order, or at the same
// time. Only timestamps order them: the time that the first thread stores next is not later than the
// time that the other thread stored last before the second instruction.
class concurrency {
 public:
  // Maximum number of instructions that are read to find the next time of a thread.
  static constexpr std::size_t most_read = std::size_t{1} << 16;

  // `trace` is read for timestamps, and its position changes. It can be nullptr; then timestamps are
  // not compared.
  explicit concurrency(feed::column_source* trace = nullptr)
      : trace_(trace != nullptr && trace->has().has(feed::column::time) ? trace : nullptr) {}

  // Returns true if the instructions are of different threads, and `first` is not known to precede
  // `second`. Throws the trace_error of the trace.
  [[nodiscard]] bool is_possible(const instruction_time& first, const instruction_time& second);

 private:
  [[nodiscard]] std::optional<std::uint64_t> next_time(const instruction_time& of);

  feed::column_source* trace_;
  // Next times by thread and time.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::optional<std::uint64_t>> known_ = {};
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/concurrency.ipp"
#endif
