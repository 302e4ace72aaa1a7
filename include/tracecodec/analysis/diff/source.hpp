// Reads the instructions of a trace in any format, for a comparison with another trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../config.hpp"
#include "../../feed/column_source.hpp"
#include "step.hpp"

namespace tracecodec::analysis {

namespace detail {

class recorded_values;
class value_reader;

}  // namespace detail

// Source that returns steps in batches. The class hides the trace's format, so that the comparison
// is compiled only once and not for each pair of formats.
class diff_source {
 public:
  explicit diff_source(std::unique_ptr<feed::column_source> trace);
  template <feed::stream Feed> explicit diff_source(Feed feed)
      : diff_source(feed::make_column_source(std::move(feed))) {}

  diff_source(diff_source&& other) noexcept;
  diff_source& operator=(diff_source&& other) noexcept;
  ~diff_source();

  // Appends a batch of steps to `to`. Returns false at the end. If `values` is not nullptr, also
  // appends the values of each instruction to `values`. Throws the errors of the trace and of its
  // values after all earlier instructions were appended.
  bool take(std::vector<diff_step>& to, detail::recorded_values* values);

  // Returns true if the trace contains values of registers or memory.
  [[nodiscard]] bool has_values() const noexcept {
    return trace_->has().has_any({feed::column::register_values, feed::column::memory_values});
  }
  // Returns true if the trace contains the values of all registers before each instruction.
  [[nodiscard]] bool has_all_registers() const noexcept { return trace_->has_all_registers(); }
  // Returns true if the trace contains the code of instructions.
  [[nodiscard]] bool has_code() const noexcept { return trace_->has().has(feed::column::code); }
  // Returns true if the trace consists of events.
  [[nodiscard]] bool has_events() const noexcept {
    return trace_->has().has(feed::column::operation);
  }
  // Returns the trace. Its address remains the same if this object is moved.
  [[nodiscard]] const feed::column_source& trace() const noexcept { return *trace_; }

 private:
  [[nodiscard]] feed::column_set columns(bool values) const noexcept;
  // All columns of a batch except the values.
  struct step_columns;
  static void set(diff_step& to, const step_columns& from, std::size_t row) noexcept;
  // Number of rows per batch, small enough that a batch stays in the cache.
  static constexpr std::size_t batch_rows = 512;

  std::unique_ptr<feed::column_source> trace_;
  std::uint64_t taken_ = 0;
  feed::columns batch_ = {};
  std::unique_ptr<detail::value_reader> reader_;
};

// Returns the assembly text of step `s` of `trace`. Returns an empty string if the trace has no
// text for the step, or if the text is damaged.
std::string assembly_of(const diff_step& s, const feed::column_source& trace);

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/source.ipp"
#endif
