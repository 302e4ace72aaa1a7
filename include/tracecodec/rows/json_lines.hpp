// Writes rows as JSON lines: each row is an object on one line, with the names of the columns as
// keys.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "row_writer.hpp"
#include "values.hpp"

namespace tracecodec::rows {

namespace detail {
// Text that precedes a value: `,"name":`.
template <class Info> inline constexpr auto json_key = [] {
  std::array<char, Info::name.size() + 4> s{',', '"'};
  char* p = std::copy(Info::name.begin(), Info::name.end(), s.data() + 2);
  *p++ = '"';
  *p = ':';
  return s;
}();
}  // namespace detail

// Form of row_writer for JSON lines.
struct json_form {
  template <class Row, class Out> static void begin(Out&) noexcept {}
  // Appends a line. Values are written as values.hpp describes. A field that is absent from its
  // record is written as null.
  template <class Row, class Out> TRACECODEC_INLINE static void add(Out& out, const Row& row) {
    static_assert(has_columns<Row>, "a row needs a column");
    const std::size_t start = out.size();
    each_column(row, [&out](auto info, const auto& value, bool present) {
      constexpr const auto& key = detail::json_key<decltype(info)>;
      out += std::string_view(key.data(), key.size());
      if (present)
        add_json<info.says>(out, value);
      else
        out += std::string_view("null");
    });
    // Replaces the comma before the first key.
    out[start] = '{';
    out += std::string_view("}\n");
  }
};

template <class Row> using json_lines = row_writer<Row, json_form>;

}  // namespace tracecodec::rows
