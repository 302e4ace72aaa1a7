// Index of a trace: a file beside the trace, with which questions about it are lookups.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "checked_file.hpp"
#include "execution_index.hpp"
#include "memory_index.hpp"

namespace tracecodec::query {

// Suffix of the name of an index, which follows the name of the trace.
inline constexpr const char* index_suffix = ".tcidx";
// Returns the usual name of the index of the trace `path`.
TRACECODEC_FUNC std::string index_name(const std::string& path);

// Index that belongs to a trace. Several threads may use one object.
class trace_index {
 public:
  // Opens the index `file` of the trace `path`. Throws the trace_error of checked_file, and
  // trace_error(refused) if the index belongs to another trace or the trace has changed.
  trace_index(const std::string& file, const std::string& path);
  trace_index(const trace_index&) = delete;
  trace_index& operator=(const trace_index&) = delete;
  ~trace_index() = default;

  // Returns the number of instructions of the trace.
  [[nodiscard]] std::uint64_t instructions() const noexcept { return file_.front().instructions; }
  [[nodiscard]] const std::string& name() const noexcept { return file_.name(); }
  [[nodiscard]] const memory_index& memory() const noexcept { return memory_; }
  [[nodiscard]] const execution_index& executions() const noexcept { return executions_; }

 private:
  friend std::unique_ptr<trace_index> open_earlier_index(const std::string&, const std::string&);
  explicit trace_index(const std::string& file) : file_(file), memory_(file_), executions_(file_) {}

  checked_file file_;
  memory_index memory_;
  execution_index executions_;
};

// Opens the index `file` if the trace `path` has grown since it was made: the trace begins with the
// trace of the index. Returns null if the index does not fit. Notices changes of the beginning only in
// the parts of trace_identity.
TRACECODEC_FUNC std::unique_ptr<trace_index> open_earlier_index(const std::string& file,
                                                                const std::string& path);

struct index_totals {
  std::uint64_t instructions = 0;
  std::uint64_t read = 0;      // instructions that were read
  std::uint64_t accesses = 0;  // of these instructions
};

// Reads the trace `path` through `trace`, and writes its index as the file `to`. With `earlier`, an
// index of the beginning of the trace, only the rest of the trace is read, unless it is damaged. Calls passed() after each
// batch. Throws the trace_error of the trace, and trace_error(refused) if the trace changes meanwhile or cannot have an index.
TRACECODEC_FUNC index_totals write_index(feed::column_source& trace, const std::string& path,
                                         const std::string& to,
                                         const std::function<void()>& passed = {},
                                         std::unique_ptr<trace_index> earlier = nullptr);

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/index.ipp"
#endif
