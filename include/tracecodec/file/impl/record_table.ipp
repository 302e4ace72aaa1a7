// Implementation of file/record_table.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/input/byte_order_mark.hpp"
#include "../../io/open.hpp"
#include "../record_table.hpp"

namespace tracecodec::file {

namespace detail {
class record_table_parser {
 public:
  record_table_parser(std::string_view text, const std::string& name)
      : text_(text), rest_(text), name_(name) {}

  record_table run() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      row();
    }
    if (end_ == 0)
      throw trace_error(trace_errc::bad_value, {.file = name_},
                        "not a table of a record: no line begins with an offset");
    end_slices();
    return {std::move(columns_), end_, std::string(text_), std::move(header_)};
  }

 private:
  // Returns the next word of the line.
  std::string_view word() {
    const std::size_t begin = std::min(line_.find_first_not_of(" \t\r"), line_.size());
    line_.remove_prefix(begin);
    const std::size_t end = std::min(line_.find_first_of(" \t\r"), line_.size());
    const std::string_view w = line_.substr(0, end);
    line_.remove_prefix(end);
    return w;
  }
  [[noreturn]] void fail(const std::string& field, const std::string& why) const {
    throw trace_error(trace_errc::bad_value, {.file = name_, .field = field},
                      "line " + std::to_string(number_) + ": " + why);
  }
  static std::optional<std::size_t> number(std::string_view s) {
    std::size_t n = 0;
    const auto r = std::from_chars(s.data(), s.data() + s.size(), n);
    if (r.ec != std::errc{} || r.ptr != s.data() + s.size()) return std::nullopt;
    return n;
  }
  std::size_t number_of(std::string_view s, const char* what, std::uint64_t most) const {
    const auto n = number(s);
    if (!n || *n > most)
      fail({}, std::string(what) + ": expected a number up to " + std::to_string(most) + ", got '" +
                   std::string(s) + "'");
    return *n;
  }

  void row() {
    const std::string_view first = word();
    if (first == "header:") return header();
    if (first == "varies") fail({}, "only records of fixed size can be described by a table");
    if (first.empty() || first[0] < '0' || first[0] > '9') return;
    record_column c;
    c.offset = number_of(first, "offset", record_table::largest_record);
    const std::string_view size_word = word();
    std::size_t size = number_of(size_word, "size", record_table::largest_record);
    if (size == 0) fail({}, "size: a field has at least one byte");
    std::string_view w = word();
    const bool slice = w == "bit" || w == "bits";
    if (slice) {
      if (size > 64) fail({}, "size: a word has at most 64 bits");
      c.bits = static_cast<unsigned>(size);
      w = word();
    }
    c.name = name_of(w);
    const bool padding = c.name == "(padding)";
    w = word();
    if (padding && w.empty()) {
      if (slice) fail(c.name, "type: unused bits need the type of their word");
      end_slices();
      place(c.offset, size);
      return;
    }
    type(w, c);
    order(c);
    if (slice) return add_slice(std::move(c), padding);
    end_slices();
    if (c.width * c.count != size)
      fail(c.name, "size: " + std::to_string(size) + ", but the type has " +
                       std::to_string(c.width * c.count) + " bytes");
    place(c.offset, size);
    if (!padding) add(std::move(c));
  }

  // Parses "header: SIZE [HEXADECIMAL]".
  void header() {
    if (header_.size != 0) fail({}, "header: occurs twice");
    header_.size = number_of(word(), "header", record_table::largest_header);
    const std::string_view hex = word();
    if (hex.size() % 2 != 0 || hex.size() / 2 > header_.size ||
        hex.size() / 2 > record_table::longest_magic)
      fail({}, "header: expected two hexadecimal digits per leading byte, up to " +
                   std::to_string(record_table::longest_magic) + " bytes of its " +
                   std::to_string(header_.size));
    for (std::size_t i = 0; i != hex.size(); i += 2) {
      unsigned byte = 0;
      const char* const end = hex.data() + i + 2;
      const auto r = std::from_chars(hex.data() + i, end, byte, 16);
      if (r.ec != std::errc{} || r.ptr != end)
        fail({}, "header: expected hexadecimal digits, got '" + std::string(hex) + "'");
      header_.magic += static_cast<char>(byte);
    }
  }

  std::string name_of(std::string_view w) const {
    if (w.empty()) fail({}, "field: the name is missing");
    for (const char c : w)
      if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == ',')
        fail({},
             "field: names consist of letters, digits and signs except quotes and commas, not '" +
                 std::string(w) + "'");
    return std::string(w);
  }
  void type(std::string_view w, record_column& c) const {
    const std::string whole(w);
    if (w.empty()) fail(c.name, "type: missing");
    if (const std::size_t at = w.find('['); at != w.npos) {
      if (w.back() != ']') fail(c.name, "type: unknown, '" + whole + "'");
      c.array = true;
      c.count =
          number_of(w.substr(at + 1, w.size() - at - 2), "type", record_table::largest_record);
      if (c.count == 0) fail(c.name, "type: an array without elements");
      w = w.substr(0, at);
    }
    if (w.empty())
      fail(c.name, "type: unknown, '" + whole + "': the type of the elements is missing");
    const auto bits = number(w.substr(1));
    if (w == "bool") {
      c.kind = column_kind::boolean;
      c.width = 1;
    } else if ((w[0] == 'u' || w[0] == 'i') && bits && *bits % 8 == 0 && *bits != 0 &&
               *bits <= 64) {
      c.kind = w[0] == 'u' ? column_kind::natural : column_kind::integer;
      c.width = *bits / 8;
    } else if (w == "f32" || w == "f64") {
      c.kind = column_kind::real;
      c.width = *bits / 8;
    } else {
      fail(c.name,
           "type: unknown, '" + whole + "'; types are u8 to u64, i8 to i64, f32, f64, bool");
    }
  }
  void order(record_column& c) {
    std::string_view w = word();
    if (w == "pointer") w = word();
    if (w == "big")
      c.byte_order = wire::order::big;
    else if (c.width > 1 && !w.empty() && w != "little")
      fail(c.name, "byte order: expected little or big, got '" + std::string(w) + "'");
  }

  void add_slice(record_column c, bool padding) {
    if (c.array || c.kind == column_kind::real)
      fail(c.name, "type: a bit slice needs an integer type");
    const bool same = slices_left_ != 0 && c.offset == word_.offset && c.width == word_.width &&
                      c.byte_order == word_.byte_order;
    if (!same) {
      end_slices();
      place(c.offset, c.width);
      word_ = c;
      slices_left_ = static_cast<unsigned>(8 * c.width);
    }
    if (c.bits > slices_left_)
      fail(c.name, "size: bits left in the word: " + std::to_string(slices_left_));
    slices_left_ -= c.bits;
    c.low_bit = slices_left_;
    c.kind = column_kind::natural;
    if (!padding) add(std::move(c));
  }
  // Checks that the slices of the current word fill the word completely.
  void end_slices() const {
    if (slices_left_ != 0)
      fail({},
           "bits: the slices leave " + std::to_string(slices_left_) + " bits of their word unused");
  }
  // Reserves bytes [offset, offset + size) of the record for a row.
  void place(std::size_t offset, std::size_t size) {
    if (offset < end_)
      fail({}, "offset: " + std::to_string(offset) + ", but the preceding row ends at " +
                   std::to_string(end_));
    if (size > record_table::largest_record - offset)
      fail({},
           "size: a record has " + std::to_string(record_table::largest_record) + " bytes at most");
    end_ = offset + size;
  }
  void add(record_column c) {
    for (const record_column& other : columns_)
      if (other.name == c.name) fail(c.name, "field: the name occurs twice");
    if (columns_.size() == record_table::most_columns) fail({}, "too many rows");
    columns_.push_back(std::move(c));
  }

  std::string_view text_, rest_, line_ = {};
  const std::string& name_;
  std::size_t number_ = 0;  // number of the current line
  std::vector<record_column> columns_ = {};
  record_file_header header_ = {};
  std::size_t end_ = 0;  // offset of the end of the preceding row
  record_column word_ = {};
  unsigned slices_left_ = 0;  // number of bits of word_ that slices do not cover so far
};
}  // namespace detail

TRACECODEC_FUNC record_table parse_record_table(std::string_view text, const std::string& name) {
  return detail::record_table_parser(io::without_byte_order_mark(text), name).run();
}

TRACECODEC_FUNC record_table read_record_table(const std::string& path) {
  io::input in = io::open_input(path);
  std::string text(std::size_t{1} << 20, '\0');
  text.resize(in.read(std::as_writable_bytes(std::span(text))));
  if (!in.peek(1).empty())
    throw trace_error(trace_errc::bad_value, {.file = in.name()}, "a table has at most 1 MiB");
  return parse_record_table(text, in.name());
}

}  // namespace tracecodec::file
