// Fixed-size record that a table describes at run time. The table has the form that print_table
// (wire/table.hpp) and trace_view --layout print:
//
//   Offset  Size    Field         Type    Byte order
//   ------  ------  ------------  ------  ----------
//   0       8       ip            u64     little
//   8       1       branch_taken  bool
//   10      4       registers     u8[4]
//   16      3 bits  kind          u32     big         slices of a word, most significant first
//   16      29 bits place         u32     big
//
// A line that begins with a number is a row. Text after a row's byte order is a comment. All other
// lines are comments, except for a header line. For example, "header: 16 43485452" states that the
// file begins with a header of 16 bytes. The first bytes of this header are 43 48 54 52 in
// hexadecimal. The second number may be omitted.
//
// Types are u and i with 8, 16, 24, 32, 40, 48, 56 or 64 bits, f32, f64 and bool. A suffix [N]
// makes an array. Values of several bytes are little-endian by default. "(padding)" needs no type.
// Bytes that belong to no row are also padding. The record ends where the last row ends.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../wire/policy.hpp"
#include "../wire/types/scalar.hpp"

namespace tracecodec::file {

enum class column_kind : std::uint8_t { natural, integer, real, boolean };

// Field of a record that a table describes.
struct record_column {
  std::string name = {};
  column_kind kind = column_kind::natural;
  std::size_t offset = 0;  // in bytes, from the start of the record
  // Number of bytes of one element, from 1 to 8. For a bit slice, number of bytes of its word.
  std::size_t width = 0;
  std::size_t count = 1;  // number of elements
  bool array = false;
  wire::order byte_order = wire::order::little;
  // Bit slice [low_bit, low_bit + bits) of the word, unless `bits` is 0.
  unsigned low_bit = 0, bits = 0;

  // Returns element `i` of the record at `p`. An integer is sign-extended, and a floating-point
  // number is returned as its bit pattern.
  [[nodiscard]] std::uint64_t load(const std::byte* p, std::size_t i = 0) const noexcept {
    p += offset + i * width;
    std::uint64_t v = 0;
    if (byte_order == wire::order::little) {
      v = wire::load_little(p, width);
    } else {
      for (std::size_t b = 0; b != width; ++b) v = v << 8 | std::to_integer<std::uint64_t>(p[b]);
    }
    if (bits != 0) return v >> low_bit & (~std::uint64_t{0} >> (64 - bits));
    if (kind != column_kind::integer || width == 8) return v;
    const auto shift = static_cast<unsigned>(64 - 8 * width);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v << shift) >> shift);
  }
};

// Header of a file, before the records.
struct record_file_header {
  std::uint64_t size = 0;  // in bytes, at most record_table::largest_header
  std::string magic = {};  // first bytes of the header, or empty if they may have any value
};

class record_table {
 public:
  // Upper limits. Larger values are rejected, because no trace has such records, and because a
  // reader needs memory for at least one record.
  static constexpr std::size_t largest_record = std::size_t{1} << 20, most_columns = 4096;
  static constexpr std::uint64_t largest_header = std::uint64_t{1} << 30;
  static constexpr std::size_t longest_magic = 64;

  // Constructs the table from the results of the parser. `columns` are in file order and do not
  // overlap. `text` is the text that was parsed.
  record_table(std::vector<record_column> columns, std::size_t size, std::string text,
               record_file_header header = {})
      : columns_(std::move(columns)),
        size_(size),
        text_(std::move(text)),
        header_(std::move(header)) {}

  [[nodiscard]] std::span<const record_column> columns() const noexcept { return columns_; }
  // Returns the size of a record in bytes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Returns the text that was parsed.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  // Returns the header that precedes the first record.
  [[nodiscard]] const record_file_header& header() const noexcept { return header_; }
  // Returns a copy of this table for a file with a header of `size` bytes, which must be at most
  // `largest_header`.
  [[nodiscard]] record_table with_header(std::uint64_t size) const {
    record_table t = *this;
    t.header_ = {.size = size, .magic = {}};
    return t;
  }
  // Returns the offset of record `n` in the file.
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t n) const noexcept {
    return header_.size + n * size_;
  }
  // Returns the column `name`, or nullptr if the table has no such column.
  [[nodiscard]] const record_column* find(std::string_view name) const noexcept {
    for (const record_column& c : columns_)
      if (c.name == name) return &c;
    return nullptr;
  }
  // Returns the first column that ends after byte `at`, or nullptr if no column does. A record that
  // is truncated after `at` bytes ends in the returned column.
  [[nodiscard]] const record_column* cut_at(std::size_t at) const noexcept {
    for (const record_column& c : columns_)
      if (c.offset + c.width * c.count > at) return &c;
    return nullptr;
  }

 private:
  std::vector<record_column> columns_;
  std::size_t size_;
  std::string text_;
  record_file_header header_;
};

// Returns the table that `text` describes. Error messages use `name` as the table's name. If the
// text is invalid, throws trace_error(bad_value), which names the field and the line.
TRACECODEC_FUNC record_table parse_record_table(std::string_view text, const std::string& name);

// Parses the file `path`, or standard input for "-". The text may be up to 1 MiB long. Throws the
// same errors as parse_record_table() and io::open_input().
TRACECODEC_FUNC record_table read_record_table(const std::string& path);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/record_table.ipp"
#endif
