// Implementation of umtracer/reader/table.hpp.
#pragma once
#include "../table.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC void check_table_place(const trace_files& files, file f, const table_header& h,
                                       std::size_t known) {
  if (h.row_size < static_cast<std::int64_t>(known))
    files.fail(f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::row_size>, {},
               "row_size",
               std::to_string(h.row_size) + ", expected at least " + std::to_string(known));
  if (h.table.offset < static_cast<std::int64_t>(table_header_codec::size) ||
      !h.table.locate(wire::region<>{files[f]}, 0))
    files.fail(f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::table>, {},
               "table", std::to_string(h.table.offset) + " does not follow the header in the file");
}

namespace detail {
TRACECODEC_FUNC table_place::table_place(const trace_files& files, file f, bool lenient,
                                         std::size_t known)
    : stride_(known), files_(&files), file_(f), known_(known) {
  const auto all = files[f];
  if (lenient && all.size() < table_header_codec::size) return;
  header_ = files.header<table_header_codec>(f);
  if (!lenient) check_table_place(files, f, header_, known);
  place(all);
  const std::size_t fit = fit_in(all.size());
  if (fit != 0 && header_.row_count != 0 && larger_rows(all))
    files.fail(f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::row_size>, {},
               "row_size",
               std::to_string(header_.row_size) + " bytes, but the file has " +
                   std::to_string(all.size()));
  const bool counts =
      header_.row_count >= 0 && static_cast<std::uint64_t>(header_.row_count) <= fit;
  if (!counts && !lenient)
    files.fail(
        f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::row_count>, {},
        "row_count",
        std::to_string(header_.row_count) + " rows, but the file holds " + std::to_string(fit));
  if (counts && (header_.row_count != 0 || !lenient))
    has_rows(all, static_cast<std::size_t>(header_.row_count));
  else if (!larger_rows(all))
    has_rows(all, fit_in(end_of_rows(all)));
}

TRACECODEC_FUNC void table_place::fail(std::size_t i, std::size_t at, std::string_view field,
                                       const std::string& why) const {
  files_->fail(file_, trace_errc::bad_value, offset(i) + at, i, field, why);
}

// Determines the offset of the first row and the distance between rows.
TRACECODEC_FUNC void table_place::place(std::span<const std::byte> all) {
  const std::size_t after_header =
      table_header_codec::size + (has_extra_area(file_) ? extra_header_codec::size : 0);
  first_ = header_.table.offset < static_cast<std::int64_t>(table_header_codec::size)
               ? after_header
               : static_cast<std::uint64_t>(header_.table.offset);
  first_ = std::min<std::uint64_t>(first_, all.size());
  end_ = all.data() + all.size();
  if (header_.row_size >= static_cast<std::int64_t>(known_) && !larger_rows(all))
    stride_ = static_cast<std::size_t>(header_.row_size);
}
TRACECODEC_FUNC void table_place::has_rows(std::span<const std::byte> all, std::size_t n) noexcept {
  rows_ = all.data() + first_;
  size_ = n;
}
// Returns true if row_size exceeds the size of the file. The table then has no rows.
TRACECODEC_FUNC bool table_place::larger_rows(std::span<const std::byte> all) const noexcept {
  return header_.row_size > 0 && static_cast<std::uint64_t>(header_.row_size) > all.size();
}
// Returns the number of rows that fit before offset `end`. The last row may consist of only the
// known fields.
TRACECODEC_FUNC std::size_t table_place::fit_in(std::uint64_t end) const noexcept {
  const auto n = static_cast<std::size_t>(end - first_);
  return n / stride_ + (n % stride_ >= known_ ? 1 : 0);
}
// Returns the start of the extra area that follows the rows, or the end of the file.
TRACECODEC_FUNC std::uint64_t table_place::end_of_rows(
    std::span<const std::byte> all) const noexcept {
  extra_header h{};
  if (!has_extra_area(file_) ||
      !extra_header_codec::decode(all.subspan(table_header_codec::size), h))
    return all.size();
  // The cast turns a negative offset into a very large number.
  const auto extra = static_cast<std::uint64_t>(h.extra.offset);
  return extra < first_ ? all.size() : std::min<std::uint64_t>(extra, all.size());
}
}  // namespace detail

TRACECODEC_FUNC std::span<const std::byte> extra_area_of(const trace_files& files, file f,
                                                         bool lenient) {
  const auto all = files[f];
  constexpr std::size_t header_end = table_header_codec::size + extra_header_codec::size;
  if (lenient && all.size() < header_end) return {};
  const auto h = files.header<extra_header_codec>(f, table_header_codec::size);
  if (!h.extra.locate(wire::region<>{all}, 0)) {
    if (lenient) return {};
    files.fail(f, trace_errc::bad_value,
               table_header_codec::size + extra_header_codec::offset_of<&extra_header::extra>, {},
               "extra", std::to_string(h.extra.offset) + " lies outside the file");
  }
  const auto rest = all.subspan(static_cast<std::size_t>(h.extra.offset));
  const bool fits = h.extra_size >= 0 && static_cast<std::uint64_t>(h.extra_size) <= rest.size();
  if (!fits && !lenient)
    files.fail(
        f, trace_errc::bad_value,
        table_header_codec::size + extra_header_codec::offset_of<&extra_header::extra_size>, {},
        "extra_size",
        std::to_string(h.extra_size) + " bytes, but the file has " + std::to_string(rest.size()));
  if (lenient && h.extra.offset < static_cast<std::int64_t>(header_end)) return {};
  const bool unwritten = h.extra_size == 0 && files.header<table_header_codec>(f).row_count <= 0;
  if (!fits || (lenient && unwritten)) return rest;
  return rest.first(static_cast<std::size_t>(h.extra_size));
}

}  // namespace tracecodec::umtracer
