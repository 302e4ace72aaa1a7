// Tables of rows of fixed size: their header, checked against the file, and their rows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "files.hpp"
#include "layout.hpp"

namespace tracecodec::umtracer {

// Rows of `Codec`, which may be followed by more in each row: they lie row_size apart. Views into
// the file; O(1) whatever its size.
template <class Codec> class row_table {
 public:
  using value_type = typename Codec::value_type;

  row_table() = default;
  // Throws trace_error: truncated if the header is cut; bad_value, with the field, for another
  // header version, rows that are too short, or rows that do not fit the file. If `lenient`, the
  // whole rows that fit are taken.
  row_table(const trace_files& files, file f, bool lenient) : files_(&files), file_(f) {
    files.require(f);
    const auto all = files[f];
    const auto r = table_header_codec::decode(all, header_);
    if (!r)
      files.fail(f, trace_errc::truncated, r.used, {}, r.field, "the file ends inside its header");
    const auto bad = [&](std::size_t offset, std::string_view field, const std::string& why) {
      files.fail(f, trace_errc::bad_value, offset, {}, field, why);
    };
    if (header_.header_version != 0)
      bad(0, "header_version", std::to_string(header_.header_version) + ", expected 0");
    if (header_.row_size < static_cast<std::int64_t>(Codec::size))
      bad(16, "row_size",
          std::to_string(header_.row_size) + ", expected at least " + std::to_string(Codec::size));
    if (header_.row_count < 0) bad(8, "row_count", std::to_string(header_.row_count));
    const auto from = header_.table.locate(wire::region<>{all}, 0);
    if (!from || header_.table.offset < static_cast<std::int64_t>(table_header_codec::size))
      bad(24, "table",
          std::to_string(header_.table.offset) + " is not behind the header in the file");
    const auto behind = all.subspan(static_cast<std::size_t>(header_.table.offset));
    row_size_ = static_cast<std::size_t>(header_.row_size);
    // The last row may end with the fields that are known.
    const std::size_t fit =
        behind.size() / row_size_ + (behind.size() % row_size_ >= Codec::size ? 1 : 0);
    rows_ = static_cast<std::size_t>(header_.row_count);
    if (static_cast<std::uint64_t>(header_.row_count) > fit) {
      if (!lenient)
        bad(8, "row_count",
            std::to_string(header_.row_count) + " rows, the file holds " + std::to_string(fit));
      rows_ = fit;
    }
    table_ = behind.data();
    end_ = all.data() + all.size();
  }

  [[nodiscard]] const table_header& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  // Row `i`, which must be below size().
  [[nodiscard]] value_type operator[](std::size_t i) const noexcept {
    return Codec::load(table_ + i * row_size_);
  }
  // Member `M` of row `i`, decoded alone.
  template <auto M> [[nodiscard]] TRACECODEC_INLINE auto get(std::size_t i) const noexcept {
    return Codec::template get<M>(
        std::span<const std::byte, Codec::size>(table_ + i * row_size_, Codec::size));
  }
  // The bytes of row `i`: those of the known fields, and what follows them in the row.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t i) const noexcept {
    const std::byte* p = table_ + i * row_size_;
    return {p, std::min(row_size_, static_cast<std::size_t>(end_ - p))};
  }
  // Where row `i` lies in the file.
  [[nodiscard]] std::uint64_t offset(std::size_t i) const noexcept {
    return static_cast<std::uint64_t>(header_.table.offset) + i * row_size_;
  }

  // Throws trace_error(bad_value) for a field of row `i`.
  [[noreturn]] void fail(std::size_t i, std::size_t at, std::string_view field,
                         const std::string& why) const {
    files_->fail(file_, trace_errc::bad_value, offset(i) + at, i, field, why);
  }

 private:
  const trace_files* files_ = nullptr;
  file file_ = {};
  table_header header_ = {};
  const std::byte* table_ = nullptr;
  const std::byte* end_ = nullptr;  // of the file
  std::size_t rows_ = 0, row_size_ = 0;
};

// The extra area of ins.itable and module.itable. Throws as row_table.
inline std::span<const std::byte> extra_area_of(const trace_files& files, file f, bool lenient) {
  const auto all = files[f];
  extra_header h{};
  const auto r = extra_header_codec::decode(all.subspan(table_header_codec::size), h);
  if (!r)
    files.fail(f, trace_errc::truncated, table_header_codec::size + r.used, {}, r.field,
               "the file ends inside its header");
  const auto from = h.extra.locate(wire::region<>{all}, 0);
  if (!from)
    files.fail(f, trace_errc::bad_value, 32, {}, "extra",
               std::to_string(h.extra.offset) + " lies outside the file");
  const auto rest = all.subspan(static_cast<std::size_t>(h.extra.offset));
  if (h.extra_size < 0 || static_cast<std::uint64_t>(h.extra_size) > rest.size()) {
    if (!lenient || h.extra_size < 0)
      files.fail(
          f, trace_errc::bad_value, 40, {}, "extra_size",
          std::to_string(h.extra_size) + " bytes, the file has " + std::to_string(rest.size()));
    return rest;
  }
  return rest.first(static_cast<std::size_t>(h.extra_size));
}

}  // namespace tracecodec::umtracer
