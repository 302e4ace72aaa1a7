// Reads an UMTracer trace: any record at once, its neighbours in the thread, and the tables.
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
  // Takes what is whole of a trace that was interrupted: the records that lie in exec.vtable,
  // whatever its header counts, and rows of tables as row_table does. Only exec.vtable and
  // exec.offsets must be there; a table that is missing or ends inside its header is empty, and
  // neighbours that are missing are unknown: -1.
  bool lenient = false;
};

// Everything is a view into the mapped files, valid as long as the reader. Opening costs the same
// for every size. Throws trace_error with file, offset, record and field: when opened for headers
// that contradict their files or each other, later for records as they are asked for.
class reader {
 public:
  explicit reader(const std::string& folder, reader_options options = {})
      : reader(trace_files(folder), options) {}
  explicit reader(trace_files files, reader_options options = {});

  // The mapped files, the header of exec.vtable, and a view of each table. If `lenient`, one that
  // is missing is empty.
  [[nodiscard]] const trace_files& files() const noexcept { return *files_; }
  [[nodiscard]] const exec_header& header() const noexcept { return header_; }
  [[nodiscard]] const context_map& registers() const noexcept { return map_; }
  [[nodiscard]] const instruction_table& instructions() const noexcept { return instructions_; }
  [[nodiscard]] const module_table& modules() const noexcept { return modules_; }
  [[nodiscard]] const row_table<thread_codec>& threads() const noexcept { return threads_; }
  [[nodiscard]] const row_table<address_range_codec>& ranges() const noexcept { return ranges_; }
  [[nodiscard]] const syscall_table& syscalls() const noexcept { return syscalls_; }

  // How many records there are.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  // Record `id`, which must be below size(). Throws trace_error(bad_value) if its offsets do not
  // increase, or leave the file.
  [[nodiscard]] TRACECODEC_INLINE record_view operator[](std::uint64_t id) const {
    const std::uint64_t from = offsets_[static_cast<std::size_t>(id)];
    const std::uint64_t to = offsets_[static_cast<std::size_t>(id) + 1];
    const auto all = (*files_)[file::exec_records];
    if (to > all.size() || from > to || to - from < exec_record_codec::size) [[unlikely]]
      refuse_offsets(id, from, to);
    return {*files_, map_, id, from,
            all.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from))};
  }

  // The records before and behind it in its thread; -1: none, or unknown. `id` must be below
  // size().
  [[nodiscard]] neighbours neighbours_of(std::uint64_t id) const noexcept;

  // The row of the instruction table that an instruction record names. Throws
  // trace_error(bad_value) if there is none.
  [[nodiscard]] TRACECODEC_INLINE std::size_t row_of(const record_view& r) const {
    const auto row = static_cast<std::uint64_t>(r.instruction_id());
    if (row >= instructions_.size()) [[unlikely]]
      refuse_row(r);
    return static_cast<std::size_t>(row);
  }

  // The row of the module that has an address when record `id` is made; nullopt if there is none.
  // Costs as module_table::at().
  [[nodiscard]] std::optional<std::size_t> module_at(std::uint64_t address,
                                                     std::uint64_t id) const noexcept;

 private:
  void open_records();

  // The records whose offsets are there, and whose bytes are. O(log n), as offsets increase.
  void take_what_is_whole();

  [[noreturn, gnu::cold]] void refuse_offsets(std::uint64_t id, std::uint64_t from,
                                              std::uint64_t to) const;

  [[noreturn, gnu::cold]] void refuse_row(const record_view& r) const;

  std::unique_ptr<trace_files> files_;  // views point to it, also when the reader moves
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
