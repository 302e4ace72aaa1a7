// Source of a trace's instructions, of any format, for a comparison with another trace.
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

class told_values;
class value_teller;

}  // namespace detail

// Source of steps, a batch at a time. The class hides the format, so that the comparison is
// compiled once, not for each pair of formats.
class diff_source {
 public:
  explicit diff_source(std::unique_ptr<feed::column_source> trace);
  template <feed::stream Feed> explicit diff_source(Feed feed)
      : diff_source(feed::make_column_source(std::move(feed))) {}

  diff_source(diff_source&& other) noexcept;
  diff_source& operator=(diff_source&& other) noexcept;
  ~diff_source();

  // Appends a batch of steps; returns false at the end. `values`, unless it is nullptr,
  // receives the values of each instruction. Throws the errors of the trace and of its values,
  // after all earlier instructions were appended.
  bool take(std::vector<diff_step>& to, detail::told_values* values);

  // Return true if the trace has values of registers or memory, and if it has the values of all
  // registers before each instruction.
  [[nodiscard]] bool tells_values() const noexcept {
    return trace_->has().has_any({feed::column::register_values, feed::column::memory_values});
  }
  [[nodiscard]] bool tells_all_registers() const noexcept { return trace_->tells_all_registers(); }
  // Return true if the trace's instructions have code, and if they are events.
  [[nodiscard]] bool tells_code() const noexcept { return trace_->has().has(feed::column::code); }
  [[nodiscard]] bool tells_events() const noexcept {
    return trace_->has().has(feed::column::operation);
  }
  // Returns the trace, whose address does not change when the source is moved.
  [[nodiscard]] const feed::column_source& trace() const noexcept { return *trace_; }

 private:
  [[nodiscard]] feed::column_set columns(bool values) const noexcept;
  // Columns of a batch other than the values.
  struct step_columns;
  static void set(diff_step& to, const step_columns& from, std::size_t row) noexcept;
  // Number of rows per batch, small enough that the data of instructions stays in the cache.
  static constexpr std::size_t batch_rows = 512;

  std::unique_ptr<feed::column_source> trace_;
  std::uint64_t taken_ = 0;
  feed::columns batch_ = {};
  std::unique_ptr<detail::value_teller> teller_;
};

// Returns the text of a step of `trace`; empty if the trace has no text for the step, or if the
// text is damaged.
std::string assembly_of(const diff_step& s, const feed::column_source& trace);

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/source.ipp"
#endif
