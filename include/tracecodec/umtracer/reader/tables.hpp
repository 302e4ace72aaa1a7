// The small tables: modules, threads, address ranges, system calls.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../layout/syscall.hpp"
#include "table.hpp"

namespace tracecodec::umtracer {

// A view of module.itable.
class module_table {
 public:
  module_table() = default;
  module_table(const trace_files& files, bool lenient)
      : files_(&files), rows_(files, file::modules, lenient) {}

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] module_record operator[](std::size_t i) const noexcept { return rows_[i]; }
  // Time and version of the file, which only rows of 64 bytes and more have.
  [[nodiscard]] std::optional<module_version> version(std::size_t i) const noexcept {
    const auto row = rows_.bytes(i);
    if (row.size() < module_codec::size + module_version_codec::size) return std::nullopt;
    return module_version_codec::load(row.data() + module_codec::size);
  }
  // Names as UTF-16 units, where they lie. Throws trace_error(bad_value) if a pointer leaves the
  // file.
  [[nodiscard]] wire::array_view<wire::u16le> win_name(std::size_t i) const {
    return text<&module_record::win_name>(i);
  }
  [[nodiscard]] wire::array_view<wire::u16le> device_name(std::size_t i) const {
    return text<&module_record::device_name>(i);
  }

  // The first module that has `address` when record `eid` is made; nullopt if there is none. Looks
  // at one row after the other: O(size()).
  [[nodiscard]] std::optional<std::size_t> at(std::uint64_t address,
                                              std::int64_t eid) const noexcept {
    for (std::size_t i = 0; i < size(); ++i) {
      const module_record m = rows_[i];
      const bool loaded = m.load_eid <= eid && (m.unload_eid == no_eid || eid < m.unload_eid);
      if (loaded && m.start_address <= address && address <= m.end_address) return i;
    }
    return std::nullopt;
  }
  [[nodiscard]] const row_table<module_codec>& rows() const noexcept { return rows_; }

 private:
  template <auto M> wire::array_view<wire::u16le> text(std::size_t i) const {
    const auto at = rows_.template get<M>(i).locate_rest(wire::region<>{(*files_)[file::modules]});
    u_string s;
    if (!at || !u_string_codec::decode(at.bytes, s))
      rows_.fail(i, module_codec::offset_of<M>, wire::name_of<M>, "leads outside the file");
    return s.units;
  }
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
  syscall_table(const trace_files& files, bool lenient) : files_(&files) {
    const auto offsets = files[file::syscall_offsets];
    if (lenient && files[file::syscall_records].size() < syscall_header_codec::size) return;
    header_ = files.header<syscall_header_codec>(file::syscall_records);
    if (!lenient) files.require(file::syscall_offsets);
    places_ = wire::array_view<syscall_place_codec>(offsets);
    const auto there = static_cast<std::int64_t>(places_.size());
    const bool whole = offsets.size() == places_.size() * syscall_place_codec::size;
    if ((header_.record_count != there || !whole) && !lenient)
      files.fail(
          file::syscall_records, trace_errc::bad_value,
          syscall_header_codec::offset_of<&syscall_header::record_count>, {}, "record_count",
          std::to_string(header_.record_count) + ", syscall.offsets has " + std::to_string(there));
    const bool counts = header_.record_count > 0 && header_.record_count < there;
    size_ = static_cast<std::size_t>(counts ? header_.record_count : there);
  }

  [[nodiscard]] const syscall_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Where record `i`, which must be below size(), lies in syscall.vtable, as it is stored: it may
  // leave the file.
  [[nodiscard]] syscall_place place(std::size_t i) const noexcept { return places_[i]; }

  // Record `i`, which must be below size(). Throws trace_error(bad_value) if it leaves the file or
  // is shorter than its fields.
  [[nodiscard]] syscall_record operator[](std::size_t i) const {
    return syscall_codec::load(bytes(i).data());
  }
  // Its arguments, from left to right. Throws trace_error(bad_value).
  [[nodiscard]] wire::array_view<wire::u64le> arguments(std::size_t i) const {
    const auto all = bytes(i);
    const syscall_record s = syscall_codec::load(all.data());
    if (s.argument_count == 0) return {};
    const auto at =
        s.arguments.locate(wire::region<syscall_bytes>{all}, wire::u64le::size * s.argument_count);
    if (!at)
      fail(i, syscall_codec::offset_of<&syscall_record::arguments>, "arguments",
           "leads outside the record");
    return wire::array_view<wire::u64le>(at.bytes);
  }
  // Its extras, of unknown form: from where they begin to the record's end, or to its arguments.
  // Throws trace_error(bad_value).
  [[nodiscard]] std::span<const std::byte> extras(std::size_t i) const {
    const auto all = bytes(i);
    const syscall_record s = syscall_codec::load(all.data());
    if (s.extra_count == 0) return {};
    const auto at = s.extras.locate_rest(wire::region<syscall_bytes>{all});
    if (!at)
      fail(i, syscall_codec::offset_of<&syscall_record::extras>, "extras",
           "leads outside the record");
    const auto rest = at.bytes;
    if (s.argument_count == 0 || s.arguments.offset <= s.extras.offset) return rest;
    // Compared before the cast, which loses bits where std::size_t has 32.
    const auto n = static_cast<std::uint64_t>(s.arguments.offset - s.extras.offset);
    return n < rest.size() ? rest.first(static_cast<std::size_t>(n)) : rest;
  }

 private:
  std::span<const std::byte> bytes(std::size_t i) const {
    const auto all = (*files_)[file::syscall_records];
    const syscall_place p = places_[i];
    const auto bad = [&](std::size_t at, const char* field, const std::string& why) {
      files_->fail(file::syscall_offsets, trace_errc::bad_value, i * syscall_place_codec::size + at,
                   i, field, why);
    };
    if (p.offset < 0 || static_cast<std::uint64_t>(p.offset) > all.size())
      bad(syscall_place_codec::offset_of<&syscall_place::offset>, "offset",
          std::to_string(p.offset) + " lies outside syscall.vtable");
    const auto rest = all.subspan(static_cast<std::size_t>(p.offset));
    if (p.size < static_cast<std::int64_t>(syscall_codec::size) ||
        static_cast<std::uint64_t>(p.size) > rest.size())
      bad(syscall_place_codec::offset_of<&syscall_place::size>, "size",
          std::to_string(p.size) + " bytes, expected " + std::to_string(syscall_codec::size) +
              " to " + std::to_string(rest.size()));
    return rest.first(static_cast<std::size_t>(p.size));
  }
  [[noreturn]] void fail(std::size_t i, std::size_t at, std::string_view field,
                         const std::string& why) const {
    files_->fail(file::syscall_records, trace_errc::bad_value,
                 static_cast<std::uint64_t>(places_[i].offset) + at, i, field, why);
  }

  const trace_files* files_ = nullptr;
  syscall_header header_ = {};
  wire::array_view<syscall_place_codec> places_ = {};
  std::size_t size_ = 0;
};

}  // namespace tracecodec::umtracer
