// Collects the executed instructions of a trace for an index.
#pragma once
#include <cstdint>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"
#include "execution_index.hpp"
#include "index_writer.hpp"
#include "posting_sorter.hpp"

namespace tracecodec::query {

// Collector of executed instructions by address. It is an analysis (analysis/run.hpp), like
// memory_builder.
class execution_builder {
 public:
  // Begins with the instructions before `end` that an index of the same trace has. Reads some of them
  // again, up to instruction `end`, which is then the position of the trace. `earlier` must outlive
  // the object. Call this function before the first add(). Throws the trace_error of the trace.
  void continue_from(const execution_index& earlier, feed::column_source& trace, std::uint64_t end);

  [[nodiscard]] static feed::column_set columns() noexcept { return {feed::column::ip}; }
  // Adds the instructions of a batch. Throws trace_error(system) if a temporary file cannot be written.
  void add(const feed::columns& batch);
  // Returns the number of runs that are complete.
  [[nodiscard]] std::uint64_t result() const noexcept { return runs_; }

  // Writes the section of executions. Call this function once, after the last add().
  void write(index_writer& to);

 private:
  void end_run();

  posting_sorter to_{execution_form};
  posting run_ = {};      // the run that continues; without one, its mask is 0
  std::uint64_t ip_ = 0;  // last address of the run
  std::uint64_t runs_ = 0;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/execution_builder.ipp"
#endif
