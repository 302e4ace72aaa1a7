// Checks the rules of the system call table, including the records that begin and end a call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../reader/record.hpp"
#include "exec.hpp"

namespace tracecodec::umtracer::detail {

class syscall_checker {
 public:
  syscall_checker(file_findings& found, const trace_files& files, const exec_files& exec,
                  const syscall_table& table)
      : found_(found), files_(files), exec_(exec), table_(table) {}

  void run() {
    const syscall_header& h = table_.header();
    if (h.unified_version > 1)
      found_.add(rule::version, file::syscall_records,
                 syscall_header_codec::offset_of<&syscall_header::unified_version>, {},
                 "unified_version " + std::to_string(h.unified_version));
    const std::uint64_t size = files_[file::syscall_offsets].size();
    if (h.record_count < 0 || static_cast<std::uint64_t>(h.record_count) != table_.size())
      found_.add(rule::row_count, file::syscall_records,
                 syscall_header_codec::offset_of<&syscall_header::record_count>, {},
                 std::to_string(h.record_count) + " records, but syscall.offsets has " +
                     std::to_string(size / syscall_place_codec::size));
    else if (size != table_.size() * syscall_place_codec::size)
      found_.add(rule::trailing_bytes, file::syscall_offsets,
                 table_.size() * syscall_place_codec::size, {}, std::to_string(size) + " bytes");
    for (row_ = 0; row_ < table_.size(); ++row_)
      if (const auto s = found_.attempt(rule::syscall_record, [this] { return table_[row_]; }))
        check_row(*s);
  }

  // Checks that system call `call`, to which record `id` of `type` refers, refers back to that
  // record. `call` must be a valid row. Several calls may share one stored row, which may refer to
  // the record of any of these calls.
  void check_naming(std::uint64_t id, exec_type type, std::size_t call) {
    syscall_record s{};
    try {
      s = table_[call];
    } catch (const trace_error&) {
      return;  // run() has reported this error
    }
    const bool begins = type == exec_type::syscall_entry;
    const std::int64_t there = begins ? s.begin_eid : s.end_eid;
    if (there != static_cast<std::int64_t>(id) && !is_of_another(there, type, call))
      found_.add(begins ? rule::syscall_begin : rule::syscall_end, file::exec_records,
                 exec_.begin(id), id,
                 "refers to system call " + std::to_string(call) + ", whose record is " +
                     std::to_string(there));
  }

 private:
  void check_row(const syscall_record& s) {
    const auto convention = static_cast<unsigned>(s.convention);
    if (convention > 5)
      bad(rule::enum_value, syscall_codec::offset_of<&syscall_record::convention>,
          "convention " + std::to_string(convention));
    if (s.completed > 1)
      bad(rule::enum_value, syscall_codec::offset_of<&syscall_record::completed>,
          "Completed " + std::to_string(s.completed));
    if (exec_.known()) check_span(s);
    if (const auto a =
            found_.attempt(rule::syscall_record, [this] { return table_.arguments(row_); }))
      check_pointer(a->size(), s.arguments.offset,
                    syscall_codec::offset_of<&syscall_record::arguments>, "arguments");
    if (found_.attempt(rule::syscall_record, [this] { return table_.extras(row_); }))
      check_pointer(s.extra_count, s.extras.offset,
                    syscall_codec::offset_of<&syscall_record::extras>, "extras");
  }

  // Checks that `to`, the offset of `n` elements, is not inside the fields of the row as stored.
  void check_pointer(std::size_t n, std::int64_t to, std::size_t at, const std::string& field) {
    if (n != 0 && to < static_cast<std::int64_t>(syscall_codec::size))
      bad(rule::syscall_record, at, field + ": " + std::to_string(to) + " is inside the fields");
  }

  void check_span(const syscall_record& s) {
    const bool begins = names_it(s.begin_eid, exec_type::syscall_entry);
    if (!begins)
      bad(rule::syscall_begin, syscall_codec::offset_of<&syscall_record::begin_eid>,
          "record " + std::to_string(s.begin_eid));
    const auto type = s.completed != 0 ? exec_type::syscall_exit : exec_type::skipped_syscall_exit;
    const bool ends = names_it(s.end_eid, type);
    if (!ends && (s.completed != 0 || s.end_eid != no_eid))
      bad(rule::syscall_end, syscall_codec::offset_of<&syscall_record::end_eid>,
          "record " + std::to_string(s.end_eid));
    const auto first = exec_.head(s.begin_eid), last = exec_.head(s.end_eid);
    if (begins && ends && first && last && first->thread_id != last->thread_id)
      bad(rule::syscall_end, syscall_codec::offset_of<&syscall_record::end_eid>,
          "record " + std::to_string(s.end_eid) + " belongs to another thread than record " +
              std::to_string(s.begin_eid));
    if (s.end_eid != no_eid && s.end_eid <= s.begin_eid)
      bad(rule::syscall_end, syscall_codec::offset_of<&syscall_record::end_eid>,
          "record " + std::to_string(s.end_eid) + ", but the call begins at " +
              std::to_string(s.begin_eid));
  }

  // Returns the number of the system call that record `id` refers to. Returns nullopt if the record
  // does not exist or has another type, or if the call does not exist.
  [[nodiscard]] std::optional<std::size_t> named_by(std::int64_t id, exec_type type) const {
    const auto bytes = exec_.bytes(id);
    execution e;
    if (!bytes || !execution_codec::decode(*bytes, e) || e.type() != type) return std::nullopt;
    const auto call = static_cast<std::uint64_t>(e.syscall_id);
    if (call >= table_.size()) return std::nullopt;
    return static_cast<std::size_t>(call);
  }
  // Returns true if record `id` has `type` and refers to the current row, or to a row stored at the
  // same offset.
  [[nodiscard]] bool names_it(std::int64_t id, exec_type type) const {
    const auto call = named_by(id, type);
    return call && table_.place(*call).offset == table_.place(row_).offset;
  }
  // Returns true if record `id` has `type` and refers to a system call other than `call` that is
  // stored at the same offset.
  [[nodiscard]] bool is_of_another(std::int64_t id, exec_type type, std::size_t call) const {
    const auto other = named_by(id, type);
    return other && *other != call && table_.place(*other).offset == table_.place(call).offset;
  }

  void bad(rule r, std::size_t at, const std::string& message) {
    found_.add(r, file::syscall_records, static_cast<std::uint64_t>(table_.place(row_).offset) + at,
               row_, message);
  }

  file_findings& found_;
  const trace_files& files_;
  const exec_files& exec_;
  const syscall_table& table_;
  std::size_t row_ = 0;
};

}  // namespace tracecodec::umtracer::detail
