// Tables of rows of fixed size: their header, checked against the file, and their rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../../wire/strided.hpp"
#include "../files.hpp"
#include "../layout/common.hpp"

namespace tracecodec::umtracer {

// Where the rows of `f` lie that has such a header. Throws trace_error(bad_value), with the field,
// for rows of less than `known` bytes, or a table that is not behind the header in the file.
inline void check_table_place(const trace_files& files, file f, const table_header& h,
                              std::size_t known) {
  if (h.row_size < static_cast<std::int64_t>(known))
    files.fail(f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::row_size>, {},
               "row_size",
               std::to_string(h.row_size) + ", expected at least " + std::to_string(known));
  if (h.table.offset < static_cast<std::int64_t>(table_header_codec::size) ||
      !h.table.locate(wire::region<>{files[f]}, 0))
    files.fail(f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::table>, {},
               "table", std::to_string(h.table.offset) + " is not behind the header in the file");
}

// Whether the header of `f` goes on with that of an extra area.
constexpr bool has_extra_area(file f) noexcept {
  return f == file::instructions || f == file::modules;
}

// Rows of `Codec`, which may be followed by more in each row: they lie row_size apart. Views into
// the file; O(1) whatever its size.
template <class Codec> class row_table {
 public:
  using value_type = typename Codec::value_type;

  row_table() = default;
  // Throws trace_error: as trace_files::header and check_table_place; bad_value, with the field, for
  // rows that do not fit the file, or a row_size that is larger than the file. If `lenient`, a file
  // that is missing or ends inside its header has no rows; a row_size that is too small is that of
  // `Codec`; a table not behind the header begins there; and if row_count is not positive, or more
  // than fit, the rows are those that fit before the extra area behind them or the file's end.
  row_table(const trace_files& files, file f, bool lenient) : files_(&files), file_(f) {
    const auto all = files[f];
    if (lenient && all.size() < table_header_codec::size) return;
    header_ = files.header<table_header_codec>(f);
    if (!lenient) check_table_place(files, f, header_, Codec::size);
    place(all);
    const std::size_t fit = fit_in(all.size());
    if (fit != 0 && header_.row_count != 0 && larger_rows(all))
      files.fail(
          f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::row_size>, {},
          "row_size",
          std::to_string(header_.row_size) + " bytes, the file has " + std::to_string(all.size()));
    const bool counts =
        header_.row_count >= 0 && static_cast<std::uint64_t>(header_.row_count) <= fit;
    if (!counts && !lenient)
      files.fail(
          f, trace_errc::bad_value, table_header_codec::offset_of<&table_header::row_count>, {},
          "row_count",
          std::to_string(header_.row_count) + " rows, the file holds " + std::to_string(fit));
    if (counts && (header_.row_count != 0 || !lenient))
      has_rows(all, static_cast<std::size_t>(header_.row_count));
    else if (!larger_rows(all))
      has_rows(all, fit_in(end_of_rows(all)));
  }

  [[nodiscard]] const table_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  // Row `i`, which must be below size().
  [[nodiscard]] value_type operator[](std::size_t i) const noexcept { return rows_[i]; }
  // Member `M` of row `i`, decoded alone.
  template <auto M> [[nodiscard]] TRACECODEC_INLINE auto get(std::size_t i) const noexcept {
    return rows_.template get<M>(i);
  }
  // The bytes of row `i`: those of the known fields, and what follows them in the row.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t i) const noexcept {
    const auto row = rows_.row(i);
    return row.first(std::min(row.size(), static_cast<std::size_t>(end_ - row.data())));
  }
  // Where row `i` lies in the file.
  [[nodiscard]] std::uint64_t offset(std::size_t i) const noexcept {
    return first_ + std::uint64_t{i} * rows_.stride();
  }

  // Throws trace_error(bad_value) for a field of row `i`.
  [[noreturn]] void fail(std::size_t i, std::size_t at, std::string_view field,
                         const std::string& why) const {
    files_->fail(file_, trace_errc::bad_value, offset(i) + at, i, field, why);
  }

 private:
  using view = wire::strided_view<Codec>;
  // Where the rows begin, and how far apart they lie.
  void place(std::span<const std::byte> all) {
    const std::size_t behind_header =
        table_header_codec::size + (has_extra_area(file_) ? extra_header_codec::size : 0);
    first_ = header_.table.offset < static_cast<std::int64_t>(table_header_codec::size)
                 ? behind_header
                 : static_cast<std::uint64_t>(header_.table.offset);
    first_ = std::min<std::uint64_t>(first_, all.size());
    end_ = all.data() + all.size();
    if (header_.row_size >= static_cast<std::int64_t>(Codec::size) && !larger_rows(all))
      rows_ = view(nullptr, 0, static_cast<std::size_t>(header_.row_size));
  }
  void has_rows(std::span<const std::byte> all, std::size_t n) noexcept {
    rows_ = view(all.data() + first_, n, rows_.stride());
  }
  // Whether the header's rows are larger than the file: then there are none.
  [[nodiscard]] bool larger_rows(std::span<const std::byte> all) const noexcept {
    return header_.row_size > 0 && static_cast<std::uint64_t>(header_.row_size) > all.size();
  }
  // How many rows end before offset `end`. The last row may end with the fields that are known.
  [[nodiscard]] std::size_t fit_in(std::uint64_t end) const noexcept {
    const auto n = static_cast<std::size_t>(end - first_);
    return n / rows_.stride() + (n % rows_.stride() >= Codec::size ? 1 : 0);
  }
  // Where the extra area behind the rows begins, or the file ends.
  [[nodiscard]] std::uint64_t end_of_rows(std::span<const std::byte> all) const noexcept {
    extra_header h{};
    if (!has_extra_area(file_) ||
        !extra_header_codec::decode(all.subspan(table_header_codec::size), h))
      return all.size();
    const auto extra = static_cast<std::uint64_t>(h.extra.offset);  // if negative, very large
    return extra < first_ ? all.size() : std::min<std::uint64_t>(extra, all.size());
  }

  const trace_files* files_ = nullptr;
  file file_ = {};
  table_header header_ = {};
  const std::byte* end_ = nullptr;  // of the file
  std::uint64_t first_ = 0;         // offset of row 0
  view rows_ = {};
};

// The extra area of ins.itable and module.itable. Throws as row_table. If `lenient`, it is empty
// where the header ends or leads outside the file, and goes on to the file's end if its size does
// not fit the file, or was never written: 0 as row_count is.
inline std::span<const std::byte> extra_area_of(const trace_files& files, file f, bool lenient) {
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
        std::to_string(h.extra_size) + " bytes, the file has " + std::to_string(rest.size()));
  if (lenient && h.extra.offset < static_cast<std::int64_t>(header_end)) return {};
  const bool unwritten = h.extra_size == 0 && files.header<table_header_codec>(f).row_count <= 0;
  if (!fits || (lenient && unwritten)) return rest;
  return rest.first(static_cast<std::size_t>(h.extra_size));
}

}  // namespace tracecodec::umtracer
