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
// ascending order. All threads, instructions and modules are copied and keep their numbers, even if
// no selected record uses them. Records and system calls are renumbered:
//
// - A module is loaded or unloaded just before the first selected record at or after the original
//   event.
// - A system call whose entry is selected, but not its exit, never ends in the copy. An exit whose
//   entry is not selected becomes an exit without a system call, the format's representation of a
//   call that began before the recording. A skipped exit cannot be stored without its call, so it
//   is left out.
// - The address ranges are those that the selected records touch.
//
// Memory: that of `writer`, plus a small amount for each system call that has not ended.
class cut_writer {
 public:
  // Prepares the copy. Both arguments must outlive this object. `to` must be a new writer, created
  // with options_of(in) and the context map of `in`. Throws what the reader and the writer throw.
  cut_writer(const reader& in, writer& to);
  cut_writer(cut_writer&&) noexcept;
  cut_writer& operator=(cut_writer&&) noexcept;
  ~cut_writer();

  // Copies record `id`, which must be greater than all previous ones. Throws what the reader
  // and the writer throw, and trace_error(bad_value) if the record refers to a system call
  // that the trace does not have.
  void take(std::uint64_t id);

  // Returns the number of skipped exits that were left out because the entry of their system call
  // was not selected.
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

  // Applies the loads and unloads of modules whose record id is not greater than `next`.
  void apply_changes(std::int64_t next);

  // Returns the number of the system call that a record refers to. Throws trace_error(bad_value) if
  // the trace does not have that call.
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
