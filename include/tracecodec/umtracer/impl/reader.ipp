// Implementation of umtracer/reader.hpp.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>

#include "../reader.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC reader::reader(trace_files files, reader_options options)
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
TRACECODEC_FUNC neighbours reader::neighbours_of(std::uint64_t id) const noexcept {
  if (id >= neighbours_.size()) [[unlikely]]
    return {no_eid, no_eid};
  return neighbours_[static_cast<std::size_t>(id)];
}
TRACECODEC_FUNC std::optional<std::size_t> reader::module_at(std::uint64_t address,
                                                             std::uint64_t id) const noexcept {
  return modules_.at(address, static_cast<std::int64_t>(id));
}
TRACECODEC_FUNC void reader::open_records() {
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
             std::to_string(header_.record_count) + ", but " + std::string(name(which)) + " has " +
                 std::to_string(f[which].size()) + " bytes");
  };
  check(file::exec_offsets, offsets_.size(), n + 1, 8);
  check(file::exec_neighbours, neighbours_.size(), n, neighbours_codec::size);
  // Offsets increase, so no record overlaps the header if the first record does not overlap it.
  if (n != 0 && offsets_[0] < exec_header_codec::size)
    f.fail(file::exec_offsets, trace_errc::bad_value, 0, 0, "offset",
           std::to_string(offsets_[0]) + " lies inside the header of exec.vtable");
  size_ = n;
}
TRACECODEC_FUNC void reader::take_what_is_whole() {
  const std::uint64_t end = (*files_)[file::exec_records].size();
  const auto inside =
      static_cast<std::uint64_t>(std::partition_point(offsets_.begin(), offsets_.end(),
                                                      [end](std::uint64_t o) { return o <= end; }) -
                                 offsets_.begin());
  size_ = inside == 0 ? 0 : inside - 1;
}
TRACECODEC_FUNC void reader::refuse_offsets(std::uint64_t id, std::uint64_t from,
                                            std::uint64_t to) const {
  const std::uint64_t size = (*files_)[file::exec_records].size();
  std::string why = std::to_string(to);
  if (to > size)
    why.append(" lies outside exec.vtable, which has ")
        .append(std::to_string(size))
        .append(" bytes");
  else
    why.append(" is less than 6 above the preceding ").append(std::to_string(from));
  files_->fail(file::exec_offsets, trace_errc::bad_value, (id + 1) * 8, id, "offset", why);
}
TRACECODEC_FUNC void reader::refuse_row(const record_view& r) const {
  r.fail(trace_errc::bad_value, exec_record_codec::size, "instruction_id",
         std::to_string(r.instruction_id()) + ", but the instruction table has " +
             std::to_string(instructions_.size()) + " rows");
}

}  // namespace tracecodec::umtracer
