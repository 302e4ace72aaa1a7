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

// Returns true for files and folders, false for pipes.
bool can_be_read_again(const std::string& path);

// A file or a folder is read once for each thread, a pipe once.
class input {
 public:
  // Throws usage_error and trace_error as open_trace().
  input(const std::string& path, const examples::reading& as);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const tracecodec::format::facts& format() const { return *format_; }
  // The options that the trace is read with, without those that its format does not have.
  [[nodiscard]] const examples::reading& options() const { return as_; }
  [[nodiscard]] examples::reading& options() { return as_; }
  // The reasons to refuse options that its format does not have, unless the other trace's format has them.
  [[nodiscard]] const std::vector<std::string>& refusals() const { return refusals_; }

  // True if one of its threads can be chosen.
  [[nodiscard]] bool has_threads() const { return format_->chooses_threads; }
  // In the order in which they first run; nullopt: the whole of a trace of which none can be chosen.
  [[nodiscard]] const thread_list& threads() const { return threads_; }

  // Returns the function for the text of instructions, in the trace that was opened last.
  [[nodiscard]] diff::assembly assembly() const { return assembly_; }
  // Returns the modules of the program that the trace names. Empty if there are no symbols to place in them.
  [[nodiscard]] std::vector<tracecodec::program_module> modules() const;
  // True if its records are those of --record.
  [[nodiscard]] bool is_described() const { return as_.record != nullptr; }
  // True if it has values of registers and memory.
  [[nodiscard]] bool has_values() const { return format_->has_values; }
  void keep_registers() { as_.registers = true; }

  analysis::diff_source open(std::optional<std::uint32_t> thread);

 private:
  // Leaves out the options that its format does not have.
  void leave_out(bool packed);
  // Sets threads_ by reading the trace.
  void find_threads(trace::source in);

  static constexpr std::size_t most_threads = 1024;
  std::string path_;
  examples::reading as_;
  const tracecodec::format::facts* format_ = nullptr;
  const format_comparison* own_ = nullptr;  // the parts of its format
  bool again_ = false;                      // true if it can be read again
  std::optional<trace::source> first_ = {};
  diff::assembly assembly_ = {};
  std::optional<std::uint32_t> only_ = {};  // the thread of the options
  thread_list threads_ = {std::nullopt};
  std::vector<std::string> refusals_ = {};
};

}  // namespace diff
