// The instructions of a trace of any format, to be compared with another's.
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

// Steps, a batch at a time. What compares two of them is compiled once, and not for each pair of formats.
class diff_source {
 public:
  explicit diff_source(std::unique_ptr<feed::column_source> trace);
  template <feed::stream Feed> explicit diff_source(Feed feed)
      : diff_source(feed::make_column_source(std::move(feed))) {}

  diff_source(diff_source&& other) noexcept;
  diff_source& operator=(diff_source&& other) noexcept;
  ~diff_source();

  // Adds a batch; false at the end. `values`, if there is one, gets what each of its instructions
  // tells. Throws as the trace, and as what tells its values, when all before it were added.
  bool take(std::vector<diff_step>& to, detail::told_values* values);

  // Whether it tells values at all, and those of all registers before each instruction.
  [[nodiscard]] bool tells_values() const noexcept {
    return trace_->has().has_any({feed::column::register_values, feed::column::memory_values});
  }
  [[nodiscard]] bool tells_all_registers() const noexcept { return trace_->tells_all_registers(); }
  // Whether its instructions have code, or are events.
  [[nodiscard]] bool tells_code() const noexcept { return trace_->has().has(feed::column::code); }
  [[nodiscard]] bool tells_events() const noexcept {
    return trace_->has().has(feed::column::operation);
  }
  // The trace, which stays where it is when this is moved.
  [[nodiscard]] const feed::column_source& trace() const noexcept { return *trace_; }

 private:
  [[nodiscard]] feed::column_set columns(bool values) const noexcept;
  // Of what a batch holds beside values.
  struct step_columns;
  static void set(diff_step& to, const step_columns& from, std::size_t row) noexcept;
  // Few, so that what instructions tell is still in the cache when it is taken.
  static constexpr std::size_t batch_rows = 512;

  std::unique_ptr<feed::column_source> trace_;
  std::uint64_t taken_ = 0;
  feed::columns batch_ = {};
  std::unique_ptr<detail::value_teller> teller_;
};

// What a step of `trace` reads as; empty if the trace does not tell, or its text is damaged.
std::string assembly_of(const diff_step& s, const feed::column_source& trace);

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/source.ipp"
#endif
