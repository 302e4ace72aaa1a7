// One of the traces that trace_diff compares.
#pragma once
#include <tracecodec/analysis/diff/source.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../common/reading.hpp"
#include "report.hpp"

namespace diff {

namespace trace = tracecodec::trace;
struct format_comparison;

using thread_list = std::vector<std::optional<std::uint32_t>>;

// Returns true if `path` is a file or folder, false if it is a pipe.
bool can_be_read_again(const std::string& path);

// Trace to compare. A file or folder is read once for each thread; a pipe is read only once.
class input {
 public:
  // Opens the trace. Throws usage_error and trace_error like open_trace().
  input(const std::string& path, const examples::reading& as);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const tracecodec::format::facts& format() const { return *format_; }
  // Returns the options for reading the trace, without those that its format does not support.
  [[nodiscard]] const examples::reading& options() const { return as_; }
  [[nodiscard]] examples::reading& options() { return as_; }
  // Returns the reasons for refusing the options that this trace's format does not support. The
  // options are accepted if the other trace's format supports them.
  [[nodiscard]] const std::vector<std::string>& refusals() const { return refusals_; }

  // Returns true if the format allows selecting a thread.
  [[nodiscard]] bool has_threads() const { return format_->chooses_threads; }
  // Returns the threads in the order in which they first run. Contains only nullopt, for the whole
  // trace, if the format does not allow selecting threads.
  [[nodiscard]] const thread_list& threads() const { return threads_; }

  // Returns the callback for the text of instructions in the trace that open() opened last.
  [[nodiscard]] diff::assembly assembly() const { return assembly_; }
  // Returns the modules of the traced program. Empty if --symbols was not specified or the trace is
  // a pipe.
  [[nodiscard]] std::vector<tracecodec::program_module> modules() const;
  // Returns true if the trace is read with the record table of --record.
  [[nodiscard]] bool is_described() const { return as_.record != nullptr; }
  // Returns true if the trace's format has values of registers and memory.
  [[nodiscard]] bool has_values() const { return format_->has_values; }
  void keep_registers() { as_.registers = true; }

  analysis::diff_source open(std::optional<std::uint32_t> thread);

 private:
  // Removes the options that the format does not support, and records the reasons.
  void leave_out(bool packed);
  // Sets threads_ by reading the trace.
  void find_threads(trace::source in);

  static constexpr std::size_t most_threads = 1024;
  std::string path_;
  examples::reading as_;
  const tracecodec::format::facts* format_ = nullptr;
  const format_comparison* own_ = nullptr;  // parts of the trace's format, or null
  bool again_ = false;                      // true if the trace can be read again
  std::optional<trace::source> first_ = {};
  diff::assembly assembly_ = {};
  // Thread that the options select, or nullopt.
  std::optional<std::uint32_t> only_ = {};
  thread_list threads_ = {std::nullopt};
  std::vector<std::string> refusals_ = {};
};

}  // namespace diff
