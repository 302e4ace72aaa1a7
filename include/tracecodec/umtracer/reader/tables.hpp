// The small tables: modules, threads, address ranges, system calls.
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

// A view of module.itable.
class module_table {
 public:
  module_table() = default;
  module_table(const trace_files& files, bool lenient);

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] module_record operator[](std::size_t i) const noexcept;
  // Time and version of the file, which only rows of 64 bytes and more have.
  [[nodiscard]] std::optional<module_version> version(std::size_t i) const noexcept;
  // Names as UTF-16 units, where they lie. Throws trace_error(bad_value) if a pointer leaves the
  // file.
  [[nodiscard]] wire::array_view<wire::u16le> win_name(std::size_t i) const;
  [[nodiscard]] wire::array_view<wire::u16le> device_name(std::size_t i) const;

  // The first module that has `address` when record `eid` is made; nullopt if there is none. Looks
  // at one row after the other: O(size()).
  [[nodiscard]] std::optional<std::size_t> at(std::uint64_t address,
                                              std::int64_t eid) const noexcept;
  [[nodiscard]] const row_table<module_codec>& rows() const noexcept { return rows_; }

 private:
  template <auto M> [[nodiscard]] wire::array_view<wire::u16le> text(std::size_t i) const;

  const trace_files* files_ = nullptr;
  row_table<module_codec> rows_ = {};
};

// A view of syscall.vtable and syscall.offsets.
class syscall_table {
 public:
  syscall_table() = default;
  // Throws trace_error: as trace_files::header; not_a_trace if the offsets are missing; bad_value
  // for a count that they do not have. If `lenient`, there are no system calls if a file is missing
  // or syscall.vtable ends inside its header, and a count that is not positive, or more than there
  // are, is that of the offsets.
  syscall_table(const trace_files& files, bool lenient);

  [[nodiscard]] const syscall_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Where record `i`, which must be below size(), lies in syscall.vtable, as it is stored: it may
  // leave the file.
  [[nodiscard]] syscall_place place(std::size_t i) const noexcept;

  // Record `i`, which must be below size(). Throws trace_error(bad_value) if it leaves the file or
  // is shorter than its fields.
  [[nodiscard]] syscall_record operator[](std::size_t i) const;
  // Its arguments, from left to right. Throws trace_error(bad_value).
  [[nodiscard]] wire::array_view<wire::u64le> arguments(std::size_t i) const;
  // Its extras, of unknown form: from where they begin to the record's end, or to its arguments.
  // Throws trace_error(bad_value).
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
