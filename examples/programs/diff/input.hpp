// One of the traces that trace_diff compares.
#pragma once
#include <tracecodec/analysis/diff/source.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>
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

using thread_list = std::vector<std::optional<std::uint32_t>>;

// True of files and folders: not of pipes.
bool can_be_read_again(const std::string& path);

// A file or a folder, which is read once for each thread, or a pipe, once.
class input {
 public:
  // Throws usage_error and trace_error as open_trace().
  input(const std::string& path, const examples::reading& as);

  [[nodiscard]] bool has_threads() const { return has_threads_; }
  // In the order in which they first run; nullopt: all of a trace of which none can be chosen.
  [[nodiscard]] const thread_list& threads() const { return threads_; }

  // How the instructions of what was opened last read.
  [[nodiscard]] diff::assembly assembly() const { return assembly_; }

  [[nodiscard]] const tracecodec::format::facts& format() const { return *format_; }
  // That an UMTracer trace tells, for symbols.
  [[nodiscard]] std::vector<tracecodec::program_module> modules() const;
  // Why options that its format does not have are refused, unless the other trace's has them.
  [[nodiscard]] const std::vector<std::string>& refusals() const { return refusals_; }
  // True if its records are those of --record.
  [[nodiscard]] bool is_described() const { return as_.record != nullptr; }
  [[nodiscard]] bool is_umtracer() const { return is_umtracer_; }
  // Values of registers and memory.
  [[nodiscard]] bool tells_values() const { return tells_values_; }
  void keep_registers() { as_.registers = true; }
  [[nodiscard]] bool has_events() const { return !format_->has_addresses; }
  // True if the names of its numbers are known (RapidBin).
  [[nodiscard]] bool has_metadata() const { return has_metadata_; }
  void leave_metadata_aside() {
    as_.own.set(tracecodec::rapidbin::metadata_file{}), has_metadata_ = false;
  }

  analysis::diff_source open(std::optional<std::uint32_t> thread);

 private:
  // Leaves out the options that its format does not have.
  void leave_out(bool packed);
  void find_threads(trace::source in);

  static constexpr std::size_t most_threads = 1024;
  std::string path_;
  examples::reading as_;
  const tracecodec::format::facts* format_ = nullptr;
  bool again_ = false, tells_values_ = false, has_threads_ = false, is_umtracer_ = false;
  bool has_metadata_ = false;
  std::optional<trace::source> first_ = {};
  diff::assembly assembly_ = {};
  std::optional<std::uint32_t> only_ = {};  // the one that is asked for
  thread_list threads_ = {std::nullopt};
  std::vector<std::string> refusals_ = {};
};

}  // namespace diff
