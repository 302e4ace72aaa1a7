// Implementation of umtracer/reader/tables.hpp.
#pragma once
#include "../tables.hpp"

namespace tracecodec::umtracer {

template <auto M> wire::array_view<wire::u16le> module_table::text(std::size_t i) const {
  const auto at = rows_.template get<M>(i).locate_rest(wire::region<>{(*files_)[file::modules]});
  u_string s;
  if (!at || !u_string_codec::decode(at.bytes, s))
    rows_.fail(i, module_codec::offset_of<M>, wire::name_of<M>, "points outside the file");
  return s.units;
}
TRACECODEC_FUNC module_table::module_table(const trace_files& files, bool lenient)
    : files_(&files), rows_(files, file::modules, lenient) {}
TRACECODEC_FUNC module_record module_table::operator[](std::size_t i) const noexcept {
  return rows_[i];
}
TRACECODEC_FUNC std::optional<module_version> module_table::version(std::size_t i) const noexcept {
  const auto row = rows_.bytes(i);
  if (row.size() < module_codec::size + module_version_codec::size) return std::nullopt;
  return module_version_codec::load(row.data() + module_codec::size);
}
TRACECODEC_FUNC wire::array_view<wire::u16le> module_table::win_name(std::size_t i) const {
  return text<&module_record::win_name>(i);
}
TRACECODEC_FUNC wire::array_view<wire::u16le> module_table::device_name(std::size_t i) const {
  return text<&module_record::device_name>(i);
}
TRACECODEC_FUNC std::optional<std::size_t> module_table::at(std::uint64_t address,
                                                            std::int64_t eid) const noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    const module_record m = rows_[i];
    const bool loaded = m.load_eid <= eid && (m.unload_eid == no_eid || eid < m.unload_eid);
    if (loaded && m.start_address <= address && address <= m.end_address) return i;
  }
  return std::nullopt;
}
TRACECODEC_FUNC syscall_table::syscall_table(const trace_files& files, bool lenient)
    : files_(&files) {
  const auto offsets = files[file::syscall_offsets];
  if (lenient && files[file::syscall_records].size() < syscall_header_codec::size) return;
  header_ = files.header<syscall_header_codec>(file::syscall_records);
  if (!lenient) files.require(file::syscall_offsets);
  places_ = wire::array_view<syscall_place_codec>(offsets);
  const auto there = static_cast<std::int64_t>(places_.size());
  const bool whole = offsets.size() == places_.size() * syscall_place_codec::size;
  if ((header_.record_count != there || !whole) && !lenient)
    files.fail(file::syscall_records, trace_errc::bad_value,
               syscall_header_codec::offset_of<&syscall_header::record_count>, {}, "record_count",
               std::to_string(header_.record_count) + ", but syscall.offsets has " +
                   std::to_string(there));
  const bool counts = header_.record_count > 0 && header_.record_count < there;
  size_ = static_cast<std::size_t>(counts ? header_.record_count : there);
}
TRACECODEC_FUNC syscall_place syscall_table::place(std::size_t i) const noexcept {
  return places_[i];
}
TRACECODEC_FUNC syscall_record syscall_table::operator[](std::size_t i) const {
  return syscall_codec::load(bytes(i).data());
}
TRACECODEC_FUNC wire::array_view<wire::u64le> syscall_table::arguments(std::size_t i) const {
  const auto all = bytes(i);
  const syscall_record s = syscall_codec::load(all.data());
  if (s.argument_count == 0) return {};
  const auto at =
      s.arguments.locate(wire::region<syscall_bytes>{all}, wire::u64le::size * s.argument_count);
  if (!at)
    fail(i, syscall_codec::offset_of<&syscall_record::arguments>, "arguments",
         "points outside the record");
  return wire::array_view<wire::u64le>(at.bytes);
}
TRACECODEC_FUNC std::span<const std::byte> syscall_table::extras(std::size_t i) const {
  const auto all = bytes(i);
  const syscall_record s = syscall_codec::load(all.data());
  if (s.extra_count == 0) return {};
  const auto at = s.extras.locate_rest(wire::region<syscall_bytes>{all});
  if (!at)
    fail(i, syscall_codec::offset_of<&syscall_record::extras>, "extras",
         "points outside the record");
  const auto rest = at.bytes;
  if (s.argument_count == 0 || s.arguments.offset <= s.extras.offset) return rest;
  // Compare before the cast, because the cast truncates the value if std::size_t has 32 bits.
  const auto n = static_cast<std::uint64_t>(s.arguments.offset - s.extras.offset);
  return n < rest.size() ? rest.first(static_cast<std::size_t>(n)) : rest;
}
TRACECODEC_FUNC std::span<const std::byte> syscall_table::bytes(std::size_t i) const {
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
TRACECODEC_FUNC void syscall_table::fail(std::size_t i, std::size_t at, std::string_view field,
                                         const std::string& why) const {
  files_->fail(file::syscall_records, trace_errc::bad_value,
               static_cast<std::uint64_t>(places_[i].offset) + at, i, field, why);
}

}  // namespace tracecodec::umtracer
