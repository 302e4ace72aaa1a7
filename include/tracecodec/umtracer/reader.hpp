// Reads an UMTracer trace: any record at once, its neighbours in the thread, and the tables.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

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
  explicit reader(trace_files files, reader_options options = {})
      : files_(std::make_unique<trace_files>(std::move(files))), lenient_(options.lenient) {
    open_records();
    if (!lenient_ || (*files_)[file::context_map].size() >= context_map_size)
      map_ = context_map(*files_);
    instructions_ = instruction_table(*files_, lenient_);
    modules_ = module_table(*files_, lenient_);
    threads_ = row_table<thread_codec>(*files_, file::threads, lenient_);
    ranges_ = row_table<address_range_codec>(*files_, file::address_ranges, lenient_);
    syscalls_ = syscall_table(*files_, lenient_);
  }

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
  [[nodiscard]] neighbours neighbours_of(std::uint64_t id) const noexcept {
    if (id >= neighbours_.size()) [[unlikely]]
      return {no_eid, no_eid};
    return neighbours_[static_cast<std::size_t>(id)];
  }

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
                                                     std::uint64_t id) const noexcept {
    return modules_.at(address, static_cast<std::int64_t>(id));
  }

 private:
  void open_records() {
    const trace_files& f = *files_;
    for (const file wanted : {file::exec_records, file::exec_offsets}) f.require(wanted);
    if (!lenient_) f.require(file::exec_neighbours);
    const auto r = exec_header_codec::decode(f[file::exec_records], header_);
    if (!r)
      f.fail(file::exec_records, trace_errc::truncated, r.used, {}, r.field,
             "the file ends inside its header");
    if (header_.version > 1)
      f.fail(file::exec_records, trace_errc::bad_value,
             exec_header_codec::offset_of<&exec_header::version>, {}, "version",
             std::to_string(header_.version) + ", expected 0 or 1");
    offsets_ = wire::array_view<wire::u64le>(f[file::exec_offsets]);
    neighbours_ = wire::array_view<neighbours_codec>(f[file::exec_neighbours]);
    if (lenient_) return take_what_is_whole();
    const auto n = static_cast<std::uint64_t>(header_.record_count);
    const auto check = [&](file which, std::uint64_t entries, std::uint64_t wanted,
                           std::uint64_t each) {
      if (header_.record_count < 0 || entries != wanted || f[which].size() != wanted * each)
        f.fail(file::exec_records, trace_errc::bad_value,
               exec_header_codec::offset_of<&exec_header::record_count>, {}, "record_count",
               std::to_string(header_.record_count) + ", but " + std::string(name(which)) +
                   " has " + std::to_string(f[which].size()) + " bytes");
    };
    check(file::exec_offsets, offsets_.size(), n + 1, 8);
    check(file::exec_neighbours, neighbours_.size(), n, neighbours_codec::size);
    // As offsets increase, no record lies in the header if the first does not.
    if (n != 0 && offsets_[0] < exec_header_codec::size)
      f.fail(file::exec_offsets, trace_errc::bad_value, 0, 0, "offset",
             std::to_string(offsets_[0]) + " is inside the header of exec.vtable");
    size_ = n;
  }

  // The records whose offsets are there, and whose bytes are. O(log n), as offsets increase.
  void take_what_is_whole() {
    const std::uint64_t end = (*files_)[file::exec_records].size();
    const auto inside = static_cast<std::uint64_t>(
        std::partition_point(offsets_.begin(), offsets_.end(),
                             [end](std::uint64_t o) { return o <= end; }) -
        offsets_.begin());
    size_ = inside == 0 ? 0 : inside - 1;
  }

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_offsets(std::uint64_t id, std::uint64_t from,
                                                             std::uint64_t to) const {
    const std::uint64_t size = (*files_)[file::exec_records].size();
    std::string why = std::to_string(to);
    if (to > size)
      why.append(" lies outside exec.vtable, which has ")
          .append(std::to_string(size))
          .append(" bytes");
    else
      why.append(" is less than 6 behind the one before, ").append(std::to_string(from));
    files_->fail(file::exec_offsets, trace_errc::bad_value, (id + 1) * 8, id, "offset", why);
  }

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_row(const record_view& r) const {
    r.fail(trace_errc::bad_value, exec_record_codec::size, "instruction_id",
           std::to_string(r.instruction_id()) + ", the instruction table has " +
               std::to_string(instructions_.size()) + " rows");
  }

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
