// Some of a trace's records, written as a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../config.hpp"
#include "../copy.hpp"

namespace tracecodec::umtracer {

// Takes records of a trace one by one, in their order. Threads, instructions and modules keep their
// numbers, all of them, used or not. Records and system calls are numbered anew:
//
// - A module comes and goes at the first record that is taken behind where it did so.
// - A system call of which only the entry is taken never ends. The exit of one whose entry is not
//   taken becomes one without a system call, as the format has it for a call that began before the
//   recording; a skipped exit, which cannot do without, is left out.
// - The ranges of addresses are those that the records show.
//
// Memory: that of the writer, and the system calls that are not over.
class cut_writer {
 public:
  // Both outlive this; `to` is new, made with options_of(in) and the context map of `in`. Throws as
  // both.
  cut_writer(const reader& in, writer& to);
  cut_writer(cut_writer&&) noexcept;
  cut_writer& operator=(cut_writer&&) noexcept;
  ~cut_writer();

  // Record `id`, which lies behind those that were taken. Throws as the reader and the writer;
  // bad_value if it names a system call that the trace does not have.
  void take(std::uint64_t id);

  // How many records were left out, as they would name a system call that was not taken.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

  // Before writer::finish().
  void finish();

 private:
  struct change {
    std::int64_t eid;
    std::int32_t module;
    bool load;
  };

  static module_info without_times(module_info m);

  // Those before the record that is next.
  void apply_changes(std::int64_t next);

  // The system call that a record names.
  [[nodiscard]] std::size_t call_of(const record_view& r) const;
  void enter(const record_view& r);
  void leave(const record_view& r);
  void skip(const record_view& r);
  // The new number of a call that ends; -1 if it is none of those that were taken and are not over.
  std::int64_t close(std::size_t call, std::uint32_t thread);

  const reader* in_;
  writer* to_;
  std::vector<change> changes_ = {};                               // of modules, by record
  std::size_t changed_ = 0;                                        // those that are done
  std::vector<std::pair<std::int64_t, std::uint32_t>> last_ = {};  // record of a thread, by record
  std::size_t ended_ = 0;
  std::vector<std::uint32_t> closed_ = {};
  struct open_calls;  // that were taken, and are not over
  std::unique_ptr<open_calls> open_;
  std::uint64_t left_out_ = 0;
  std::vector<memory_reference> memory_ = {};  // scratch
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/cut.ipp"
#endif
