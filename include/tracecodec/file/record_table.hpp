// A record of fixed size that only a table describes, at run time: in the form that print_table (wire/
// table.hpp) and trace_view --layout print.
//
//   Offset  Size    Field         Type    Byte order
//   ------  ------  ------------  ------  ----------
//   0       8       ip            u64     little
//   8       1       branch_taken  bool
//   10      4       registers     u8[4]
//   16      3 bits  kind          u32     big         slices of a word, from the most significant down
//   16      29 bits place         u32     big
//
// A line that begins with a number is a row; others are comments, and so is what follows a row's byte
// order. One other line has a meaning, "header: 16 43485452": the file begins with 16 bytes that are no
// record, the first of them, in hexadecimal, 43 48 54 52. The second number may be left out.
//
// Types: u and i of 8, 16, 24, 32, 40, 48, 56 or 64 bits, f32, f64, bool; [N] behind one is an
// array. Of several bytes without a byte order, little-endian is meant. "(padding)" needs no type. What
// no row has is padding, too; the record ends where the last row does.
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

// A field of the record.
struct record_column {
  std::string name = {};
  column_kind kind = column_kind::natural;
  std::size_t offset = 0;  // bytes from the record's start
  std::size_t width = 0;   // bytes of one element, 1 to 8; of a bit slice, of its word
  std::size_t count = 1;   // elements
  bool array = false;
  wire::order byte_order = wire::order::little;
  unsigned low_bit = 0, bits = 0;  // a slice of the word; 0 bits: none

  // Element `i` of the record at `p`, sign-extended if it is an integer; of a real its bits.
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

// What a file has before its records.
struct record_file_header {
  std::uint64_t size = 0;  // bytes, up to record_table::largest_header
  std::string magic = {};  // the first of them; none: whatever they are
};

class record_table {
 public:
  // Larger ones are refused: no trace has such records, and a reader needs memory for one.
  static constexpr std::size_t largest_record = std::size_t{1} << 20, most_columns = 4096;
  static constexpr std::uint64_t largest_header = std::uint64_t{1} << 30;
  static constexpr std::size_t longest_magic = 64;

  // `columns` as the parser has them: in file order, without overlaps; `text` is what it has read.
  record_table(std::vector<record_column> columns, std::size_t size, std::string text,
               record_file_header header = {})
      : columns_(std::move(columns)),
        size_(size),
        text_(std::move(text)),
        header_(std::move(header)) {}

  [[nodiscard]] std::span<const record_column> columns() const noexcept { return columns_; }
  // Bytes of a record.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // The table as it was read.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  // What comes before the first record.
  [[nodiscard]] const record_file_header& header() const noexcept { return header_; }
  // The same table for a file whose records begin elsewhere. `size` is at most largest_header.
  [[nodiscard]] record_table with_header(std::uint64_t size) const {
    record_table t = *this;
    t.header_ = {.size = size, .magic = {}};
    return t;
  }
  // Where record `n` begins in the file.
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t n) const noexcept {
    return header_.size + n * size_;
  }
  // Null if there is none of that name.
  [[nodiscard]] const record_column* find(std::string_view name) const noexcept {
    for (const record_column& c : columns_)
      if (c.name == name) return &c;
    return nullptr;
  }
  // The column that ends behind byte `at`: where a record of so many bytes is cut.
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

// The record that `text` describes; `name` is what errors call it. Throws trace_error(bad_value), with
// the field and the line.
TRACECODEC_FUNC record_table parse_record_table(std::string_view text, const std::string& name);

// Parses the file `path`, "-" for standard input, of at most 1 MiB. Throws as io::open_input, too.
TRACECODEC_FUNC record_table read_record_table(const std::string& path);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/record_table.ipp"
#endif
