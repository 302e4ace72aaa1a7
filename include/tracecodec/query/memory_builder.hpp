// Collects the memory accesses of a trace for an index.
#pragma once
#include <cstdint>
#include <optional>

#include "../config.hpp"
#include "../feed/columns.hpp"
#include "index_writer.hpp"
#include "memory_index.hpp"
#include "posting_sorter.hpp"

namespace tracecodec::query {

// Collector of memory accesses, for traces of any format. It is an analysis (analysis/run.hpp):
//
//   query::memory_builder memory(trace.has());
//   analysis::run(trace, memory);
//   memory.write(to);
//
// If the first access has no size, the trace is taken for one without sizes, such as ChampSim's.
// The index then finds the accesses of a line of 64 bytes, which are compared with the trace.
class memory_builder {
 public:
  // Maximum size of an access in bytes.
  static constexpr std::uint64_t longest_access = std::uint64_t{1} << 16;

  // `has` are the columns of the trace.
  explicit memory_builder(feed::column_set has);

  // Begins with the accesses before instruction `end` that an index of the same trace has. `earlier`
  // must outlive the object. Call this function before the first add(). Returns false, and changes
  // nothing, if the accesses of the trace are to be stored in another form.
  bool continue_from(const memory_index& earlier, std::uint64_t end);

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  // Adds the accesses of a batch. Throws trace_error(refused) for an access of more than
  // longest_access bytes and an instruction with more accesses than a batch can have, and trace_error(system) if a temporary file cannot be written.
  void add(const feed::columns& batch);
  // Returns the number of accesses so far.
  [[nodiscard]] std::uint64_t result() const noexcept { return accesses_; }

  // Writes the sections of writes and reads. Call this function once, after the last add().
  void write(index_writer& to);

 private:
  struct sorters {
    sorters(posting_form write_form, posting_form read_form)
        : writes(write_form), reads(read_form) {}
    posting_sorter writes, reads;
  };
  void begin(bool sizes);
  template <class F> void each_granule(std::uint64_t address, std::uint64_t size, F f) const;

  feed::column_set columns_;
  posting_form write_form_ = {}, read_form_ = {};
  std::optional<sorters> to_ = {};  // empty until the first access
  std::uint64_t accesses_ = 0;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/memory_builder.ipp"
#endif
