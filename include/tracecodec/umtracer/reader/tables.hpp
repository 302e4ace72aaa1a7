// Views of the module table and the system call table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "../layout/syscall.hpp"
#include "table.hpp"

namespace tracecodec::umtracer {

// View of module.itable.
class module_table {
 public:
  module_table() = default;
  module_table(const trace_files& files, bool lenient);

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] module_record operator[](std::size_t i) const noexcept;
  // Returns the last write time and the version of the file of module `i`, or nullopt if rows have
  // fewer than 64 bytes.
  [[nodiscard]] std::optional<module_version> version(std::size_t i) const noexcept;
  // Functions that return the names of module `i` as views of UTF-16 units. They throw
  // trace_error(bad_value) if a name is not entirely inside the file.
  [[nodiscard]] wire::array_view<wire::u16le> win_name(std::size_t i) const;
  [[nodiscard]] wire::array_view<wire::u16le> device_name(std::size_t i) const;

  // Returns the first module that contains `address` at the time of record `eid`, or nullopt if
  // there is no such module. Scans all rows.
  [[nodiscard]] std::optional<std::size_t> at(std::uint64_t address,
                                              std::int64_t eid) const noexcept;
  [[nodiscard]] const row_table<module_codec>& rows() const noexcept { return rows_; }

 private:
  template <auto M> [[nodiscard]] wire::array_view<wire::u16le> text(std::size_t i) const;

  const trace_files* files_ = nullptr;
  row_table<module_codec> rows_ = {};
};

// View of syscall.vtable and syscall.offsets.
class syscall_table {
 public:
  syscall_table() = default;
  // Opens the table. Throws the errors of trace_files::header(), and also:
  // - trace_error(not_a_trace) if syscall.offsets is missing
  // - trace_error(bad_value) if the two files have different numbers of records
  //
  // In lenient mode, there are no system calls if a file is missing or syscall.vtable ends inside
  // its header. A count that is not positive, or greater than the number of offsets, is replaced by
  // the number of offsets.
  syscall_table(const trace_files& files, bool lenient);

  [[nodiscard]] const syscall_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Returns the location of record `i` in syscall.vtable, as stored. The location may be outside
  // the file. `i` must be less than size().
  [[nodiscard]] syscall_place place(std::size_t i) const noexcept;

  // Returns record `i`, which must be less than size(). Throws trace_error(bad_value) if the record
  // is outside the file or is shorter than its fields.
  [[nodiscard]] syscall_record operator[](std::size_t i) const;
  // Returns the arguments of record `i` from left to right. Throws the errors of operator[], and
  // trace_error(bad_value) if the arguments are outside the record.
  [[nodiscard]] wire::array_view<wire::u64le> arguments(std::size_t i) const;
  // Returns the extras of record `i`, which are data in an unknown format. The extras extend to the
  // arguments if the arguments follow the extras, and otherwise to the end of the record. Throws
  // the errors of operator[], and trace_error(bad_value) if the extras are outside the record.
  [[nodiscard]] std::span<const std::byte> extras(std::size_t i) const;

 private:
  std::span<const std::byte> bytes(std::size_t i) const;
  [[noreturn]] void fail(std::size_t i, std::size_t at, std::string_view field,
                         const std::string& why) const;

  const trace_files* files_ = nullptr;
  syscall_header header_ = {};
  wire::array_view<syscall_place_codec> places_ = {};
  std::size_t size_ = 0;
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/tables.ipp"
#endif
