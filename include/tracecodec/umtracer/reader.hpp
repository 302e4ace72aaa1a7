// Reads UMTracer traces: random access to records, their neighbours in the thread, and the tables.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "../config.hpp"
#include "reader/instructions.hpp"
#include "reader/record.hpp"
#include "reader/tables.hpp"

namespace tracecodec::umtracer {

struct reader_options {
  // True to read the intact part of an interrupted trace. The reader then returns all records that
  // are entirely inside exec.vtable, regardless of the count in the file's header. The constructor
  // of row_table describes which table rows exist. Only exec.vtable and exec.offsets are required.
  // A table is empty if its file is missing or ends inside the header. Missing neighbours are
  // unknown (-1).
  bool lenient = false;
};

// Reader of a trace. All results are views into the mapped files, and remain valid as long as the
// reader exists. Opening a trace takes constant time, regardless of its size. Throws trace_error
// with file, offset, record and field. The constructor throws trace_error if a header contradicts
// its file or another header. An invalid record causes an error only when the record is accessed.
class reader {
 public:
  explicit reader(const std::string& folder, reader_options options = {})
      : reader(trace_files(folder), options) {}
  explicit reader(trace_files files, reader_options options = {});

  // Functions that return the mapped files, the header of exec.vtable, and a view of each table. In
  // lenient mode, missing tables are empty.
  [[nodiscard]] const trace_files& files() const noexcept { return *files_; }
  [[nodiscard]] const exec_header& header() const noexcept { return header_; }
  [[nodiscard]] const context_map& registers() const noexcept { return map_; }
  [[nodiscard]] const instruction_table& instructions() const noexcept { return instructions_; }
  [[nodiscard]] const module_table& modules() const noexcept { return modules_; }
  [[nodiscard]] const row_table<thread_codec>& threads() const noexcept { return threads_; }
  [[nodiscard]] const row_table<address_range_codec>& ranges() const noexcept { return ranges_; }
  [[nodiscard]] const syscall_table& syscalls() const noexcept { return syscalls_; }

  // Returns the number of records.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  // Returns record `id`, which must be less than size(). Throws trace_error(bad_value) if the
  // record's offsets are outside the file, do not increase, or leave no space for the head.
  [[nodiscard]] TRACECODEC_INLINE record_view operator[](std::uint64_t id) const {
    const std::uint64_t from = offsets_[static_cast<std::size_t>(id)];
    const std::uint64_t to = offsets_[static_cast<std::size_t>(id) + 1];
    const auto all = (*files_)[file::exec_records];
    if (to > all.size() || from > to || to - from < exec_record_codec::size) [[unlikely]]
      refuse_offsets(id, from, to);
    return {*files_, map_, id, from,
            all.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from))};
  }

  // Returns the ids of the previous and next records of the record's thread. An id is -1 if there
  // is no neighbour, or if the neighbours are unknown. `id` must be less than size().
  [[nodiscard]] neighbours neighbours_of(std::uint64_t id) const noexcept;

  // Returns the row of the instruction table that an instruction record refers to. Throws
  // trace_error(bad_value) if the row does not exist.
  [[nodiscard]] TRACECODEC_INLINE std::size_t row_of(const record_view& r) const {
    const auto row = static_cast<std::uint64_t>(r.instruction_id());
    if (row >= instructions_.size()) [[unlikely]]
      refuse_row(r);
    return static_cast<std::size_t>(row);
  }

  // Returns the row of the module that contains `address` at the time of record `id`, or nullopt if
  // there is no such module. Scans the module table, like module_table::at().
  [[nodiscard]] std::optional<std::size_t> module_at(std::uint64_t address,
                                                     std::uint64_t id) const noexcept;

 private:
  void open_records();

  // Sets size_ to the number of records that are entirely inside the files and have offsets. Takes
  // O(log n) steps, because offsets increase.
  void take_what_is_whole();

  [[noreturn, gnu::cold]] void refuse_offsets(std::uint64_t id, std::uint64_t from,
                                              std::uint64_t to) const;

  [[noreturn, gnu::cold]] void refuse_row(const record_view& r) const;

  // Files on the heap, so that views of the files remain valid when the reader is moved.
  std::unique_ptr<trace_files> files_;
  bool lenient_;
  exec_header header_ = {};
  wire::array_view<wire::u64le> offsets_ = {};
  wire::array_view<neighbours_codec> neighbours_ = {};
  std::uint64_t size_ = 0;
  context_map map_ = {};
  instruction_table instructions_ = {};
  module_table modules_ = {};
  row_table<thread_codec> threads_ = {};
  row_table<address_range_codec> ranges_ = {};
  syscall_table syscalls_ = {};
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/reader.ipp"
#endif
