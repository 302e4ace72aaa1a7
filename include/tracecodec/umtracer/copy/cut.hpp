// Writes selected records of a trace as a new trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../config.hpp"
#include "../copy.hpp"

namespace tracecodec::umtracer {

// Writer that copies selected records of a trace. The caller passes the records one by one in
// ascending order. All threads, instructions and modules keep their numbers in the copy, even if no
// selected record refers to them. Records and system calls are renumbered:
//
// - The load or unload of a module is moved to the first selected record at or after the original
//   record.
// - If only the entry of a system call is selected, the call never ends in the copy. If only the
//   exit is selected, the exit is stored without a system call, like the exit of a call that began
//   before the recording. A skipped exit requires a system call, so it is omitted if the entry is
//   not selected.
// - The address ranges are the pages that the selected records access.
//
// The writer needs as much memory as `writer`, plus a small amount for each system call that has
// not ended.
class cut_writer {
 public:
  // Prepares the copy. Both arguments must outlive this object. `to` must be a new writer, created
  // with options_of(in) and the context map of `in`. Throws the exceptions of the reader and the
  // writer.
  cut_writer(const reader& in, writer& to);
  cut_writer(cut_writer&&) noexcept;
  cut_writer& operator=(cut_writer&&) noexcept;
  ~cut_writer();

  // Copies record `id`, which must be greater than the id of every previous record. Throws the
  // exceptions of the reader and the writer. Throws trace_error(bad_value) if the record refers to
  // a system call that does not exist.
  void take(std::uint64_t id);

  // Returns the number of skipped exits that were omitted because the system call's entry was not
  // selected.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

  // Completes the copy. Call this function before writer::finish().
  void finish();

 private:
  struct change {
    std::int64_t eid;
    std::int32_t module;
    bool load;
  };

  static module_info without_times(module_info m);

  // Applies the loads and unloads of modules up to record `next`.
  void apply_changes(std::int64_t next);

  // Returns the number of the system call that a record refers to. Throws trace_error(bad_value) if
  // the trace does not contain that call.
  [[nodiscard]] std::size_t call_of(const record_view& r) const;
  void enter(const record_view& r);
  void leave(const record_view& r);
  void skip(const record_view& r);
  // Ends system call `call` of `thread` and returns its number in the new trace. Returns -1 if the
  // thread did not enter the call in a selected record, or if the call has ended already.
  std::int64_t close(std::size_t call, std::uint32_t thread);

  const reader* in_;
  writer* to_;
  std::vector<change> changes_ = {};  // loads and unloads of modules, sorted by record
  std::size_t changed_ = 0;           // number of changes applied
  // Last record and id of each thread, sorted by record.
  std::vector<std::pair<std::int64_t, std::uint32_t>> last_ = {};
  std::size_t ended_ = 0;
  std::vector<std::uint32_t> closed_ = {};
  struct open_calls;  // system calls that have not ended
  std::unique_ptr<open_calls> open_;
  std::uint64_t left_out_ = 0;
  std::vector<memory_reference> memory_ = {};  // scratch buffer
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/cut.ipp"
#endif
