// Tables of rows of fixed size: their header, checked against the file, and their rows.
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

// Where the rows of `f` lie that has such a header. Throws trace_error(bad_value), with the field,
// for rows of less than `known` bytes, or a table that is not behind the header in the file.
void check_table_place(const trace_files& files, file f, const table_header& h, std::size_t known);

// Whether the header of `f` goes on with that of an extra area.
constexpr bool has_extra_area(file f) noexcept {
  return f == file::instructions || f == file::modules;
}

namespace detail {
// Where the rows of a table lie, whatever is in them.
class table_place {
 public:
  [[nodiscard]] const table_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Where row `i` lies in the file.
  [[nodiscard]] std::uint64_t offset(std::size_t i) const noexcept {
    return first_ + std::uint64_t{i} * stride_;
  }
  // The bytes of row `i`: those of the known fields, and what follows them in the row.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t i) const noexcept {
    const std::byte* const row = rows_ + i * stride_;
    return {row, std::min(stride_, static_cast<std::size_t>(end_ - row))};
  }

  // Throws trace_error(bad_value) for a field of row `i`.
  [[noreturn]] void fail(std::size_t i, std::size_t at, std::string_view field,
                         const std::string& why) const;

 protected:
  table_place() = default;
  // Of rows whose known fields have `known` bytes.
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
  const std::byte* end_ = nullptr;  // of the file
  std::uint64_t first_ = 0;         // offset of row 0
  std::size_t known_ = 0;
};
}  // namespace detail

// Rows of `Codec`, which may be followed by more in each row: they lie row_size apart. Views into
// the file; O(1) whatever its size.
template <class Codec> class row_table : public detail::table_place {
 public:
  using value_type = typename wire::strided_view<Codec>::value_type;

  row_table() = default;
  // Throws trace_error: as trace_files::header and check_table_place; bad_value, with the field, for
  // rows that do not fit the file, or a row_size that is larger than the file. If `lenient`, a file
  // that is missing or ends inside its header has no rows; a row_size that is too small is that of
  // `Codec`; a table not behind the header begins there; and if row_count is not positive, or more
  // than fit, the rows are those that fit before the extra area behind them or the file's end.
  row_table(const trace_files& files, file f, bool lenient)
      : table_place(files, f, lenient, Codec::size) {}

  // Row `i`, which must be below size().
  [[nodiscard]] TRACECODEC_INLINE value_type operator[](std::size_t i) const noexcept {
    return view()[i];
  }
  // Member `M` of row `i`, decoded alone.
  template <auto M> [[nodiscard]] TRACECODEC_INLINE auto get(std::size_t i) const noexcept {
    return view().template get<M>(i);
  }

 private:
  [[nodiscard]] TRACECODEC_INLINE wire::strided_view<Codec> view() const noexcept {
    return {rows_, size_, stride_};
  }
};

// The extra area of ins.itable and module.itable. Throws as row_table. If `lenient`, it is empty
// where the header ends or leads outside the file, and goes on to the file's end if its size does
// not fit the file, or was never written: 0 as row_count is.
std::span<const std::byte> extra_area_of(const trace_files& files, file f, bool lenient);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/table.ipp"
#endif
