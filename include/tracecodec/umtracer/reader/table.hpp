// Tables of fixed-size rows. The reader checks that a table's header is consistent with the file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "../../wire/items/strided.hpp"
#include "../files.hpp"
#include "../layout/common.hpp"

namespace tracecodec::umtracer {

// Checks the location and size of the rows that header `h` of file `f` declares. Throws
// trace_error(bad_value), with the field, if rows have fewer than `known` bytes, or if the offset
// of the first row is inside the header or outside the file.
void check_table_place(const trace_files& files, file f, const table_header& h, std::size_t known);

// Returns true if the table header of `f` is followed by the header of an extra area.
constexpr bool has_extra_area(file f) noexcept {
  return f == file::instructions || f == file::modules;
}

namespace detail {
// Location of a table's rows, independent of their type.
class table_place {
 public:
  [[nodiscard]] const table_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Returns the offset of row `i` in the file.
  [[nodiscard]] std::uint64_t offset(std::size_t i) const noexcept {
    return first_ + std::uint64_t{i} * stride_;
  }
  // Returns the bytes of row `i`: the known fields and any further bytes of the row.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t i) const noexcept {
    const std::byte* const row = rows_ + i * stride_;
    return {row, std::min(stride_, static_cast<std::size_t>(end_ - row))};
  }

  // Throws trace_error(bad_value) for a field of row `i`. `at` is the field's offset in the row.
  [[noreturn]] void fail(std::size_t i, std::size_t at, std::string_view field,
                         const std::string& why) const;

 protected:
  table_place() = default;
  // Locates the rows. The known fields of a row have `known` bytes.
  table_place(const trace_files& files, file f, bool lenient, std::size_t known);

  const std::byte* rows_ = nullptr;
  std::size_t size_ = 0, stride_ = 1;

 private:
  void place(std::span<const std::byte> all);
  void has_rows(std::span<const std::byte> all, std::size_t n) noexcept;
  [[nodiscard]] bool larger_rows(std::span<const std::byte> all) const noexcept;
  [[nodiscard]] std::size_t fit_in(std::uint64_t end) const noexcept;
  [[nodiscard]] std::uint64_t end_of_rows(std::span<const std::byte> all) const noexcept;

  const trace_files* files_ = nullptr;
  file file_ = {};
  table_header header_ = {};
  const std::byte* end_ = nullptr;  // end of the file
  std::uint64_t first_ = 0;         // offset of row 0
  std::size_t known_ = 0;
};
}  // namespace detail

// Table in which each row begins with the fields of `Codec`. Rows are row_size bytes apart, and may
// contain more bytes than `Codec` describes. The table is a view into the file. Opening a table
// takes O(1).
template <class Codec> class row_table : public detail::table_place {
 public:
  using value_type = typename wire::strided_view<Codec>::value_type;

  row_table() = default;
  // Opens the table in file `f`. Throws the errors of trace_files::header() and
  // check_table_place(). Also throws trace_error(bad_value), with the field, if the rows do not fit
  // in the file or row_size exceeds the file's size.
  // In lenient mode:
  // - A file that is missing or ends inside its header has no rows.
  // - A row_size that is too small is replaced by the size of `Codec`.
  // - If the header's offset of the first row is inside the header, rows are assumed to begin
  //   directly after the header.
  // - A row_count that is too large or not positive is ignored. The table then has all rows that
  //   fit before the extra area or the end of the file.
  row_table(const trace_files& files, file f, bool lenient)
      : table_place(files, f, lenient, Codec::size) {}

  // Returns row `i`, which must be less than size().
  [[nodiscard]] TRACECODEC_INLINE value_type operator[](std::size_t i) const noexcept {
    return view()[i];
  }
  // Returns member `M` of row `i` without decoding the other members.
  template <auto M> [[nodiscard]] TRACECODEC_INLINE auto get(std::size_t i) const noexcept {
    return view().template get<M>(i);
  }

 private:
  [[nodiscard]] TRACECODEC_INLINE wire::strided_view<Codec> view() const noexcept {
    return {rows_, size_, stride_};
  }
};

// Returns the extra area of ins.itable or module.itable. Throws the errors of row_table. In lenient
// mode, the area is empty if the header is truncated or its offset is invalid. The area extends to
// the end of the file if its size is too large. The area also extends to the end if the size is 0
// and row_count is not positive, because the recorder then never wrote these fields.
std::span<const std::byte> extra_area_of(const trace_files& files, file f, bool lenient);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/table.ipp"
#endif
