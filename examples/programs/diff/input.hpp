// Input trace of trace_diff.
#pragma once
#include <tracecodec/analysis/diff/source.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../common/reading.hpp"
#include "report.hpp"

namespace diff {

namespace trace = tracecodec::trace;
struct format_comparison;

using thread_list = std::vector<std::optional<std::uint32_t>>;

// Returns true if `path` is a file or a folder, and false if it is a pipe.
bool can_be_read_again(const std::string& path);
// Returns `as` without the callbacks that print, for reading a trace before the comparison.
examples::reading without_notes(examples::reading as);

// Trace to compare. A file or folder is read once per thread, but a pipe is read only once.
class input {
 public:
  // Opens the trace. Throws usage_error and trace_error like open_trace().
  input(const std::string& path, const examples::reading& as);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const tracecodec::format::facts& format() const { return *format_; }
  // Returns the options for reading the trace, without options that the trace's format does not
  // support.
  [[nodiscard]] const examples::reading& options() const { return as_; }
  [[nodiscard]] examples::reading& options() { return as_; }
  // Returns error messages for the options that this trace's format does not support. Such an
  // option is accepted if the other trace's format supports it.
  [[nodiscard]] const std::vector<std::string>& refusals() const { return refusals_; }

  // Returns true if the trace's format supports the selection of a thread.
  [[nodiscard]] bool has_threads() const { return format_->chooses_threads; }
  // Returns the threads in the order in which they first run. If the format does not support the
  // selection of a thread, returns only nullopt, which represents the whole trace.
  [[nodiscard]] const thread_list& threads() const { return threads_; }

  // Returns the callback for the text of an instruction. The instruction must come from the trace
  // that open() opened last.
  [[nodiscard]] diff::assembly assembly() const { return assembly_; }
  // Returns the modules of the traced program. Returns an empty list if --symbols was not specified
  // or the trace is a pipe.
  [[nodiscard]] std::vector<tracecodec::program_module> modules() const;
  // Returns true if the trace is read with the record table that --record specifies.
  [[nodiscard]] bool is_described() const { return as_.record != nullptr; }
  // Returns true if the trace's format stores values of registers and memory.
  [[nodiscard]] bool has_values() const { return format_->has_values; }
  void keep_registers() { as_.registers = true; }

  analysis::diff_source open(std::optional<std::uint32_t> thread);
  // Returns true if the trace is a file or a folder. Such a trace can also be opened with
  // open_before(), which returns the instructions of all selected threads, and prints no notes.
  [[nodiscard]] bool is_file() const noexcept { return again_; }
  [[nodiscard]] std::unique_ptr<tracecodec::feed::column_source> open_before() const;

 private:
  // Removes the options that the trace's format does not support, and stores the error messages for
  // them. `packed` is true if the trace is a tracepack, which always supports --repair.
  void leave_out(bool packed);
  // Reads the trace to find its threads, and stores them in threads_.
  void find_threads(trace::source in);

  static constexpr std::size_t most_threads = 1024;
  std::string path_;
  examples::reading as_;
  const tracecodec::format::facts* format_ = nullptr;
  const format_comparison* own_ = nullptr;  // functions for this format; null if it has none
  bool again_ = false;                      // true if the trace can be read again
  std::optional<trace::source> first_ = {};
  diff::assembly assembly_ = {};
  // Thread that the user has selected, or nullopt.
  std::optional<std::uint32_t> only_ = {};
  thread_list threads_ = {std::nullopt};
  std::vector<std::string> refusals_ = {};
};

}  // namespace diff
