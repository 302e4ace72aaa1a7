// Rows as comma-separated values (RFC 4180): a line of the columns' names, then a line for each
// row, which ends with LF alone.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "row_writer.hpp"
#include "values.hpp"

namespace tracecodec::rows {

namespace detail {
// Columns of a value, and whether they are numbered: those of an array whose elements are cells.
template <class T> inline constexpr std::size_t columns_of = 1;
template <class T> inline constexpr bool is_spread = false;
template <class T, std::size_t N>
requires(wire::scalar_value<T> ||
         std::is_same_v<T, address>) inline constexpr std::size_t columns_of<std::array<T, N>> = N;
template <class T, std::size_t N>
requires(wire::scalar_value<T> ||
         std::is_same_v<T, address>) inline constexpr bool is_spread<std::array<T, N>> = true;
}  // namespace detail

// Of row_writer.
//   numbers, addresses  decimal: no reader takes 0x... for a number
//   bool                1 or 0
//   enumerations        by name; the number if it has no name
//   text                in quotes if it has a comma, a quote or the end of a line, or is empty
//   hex_bytes           hexadecimal digits
//   optional            empty if there is none
//   std::array          of numbers a column for each: name_0, name_1 ...
//   lists, structs      JSON in quotes
struct csv_form {
  template <class Row, class Out> static void begin(Out& out) {
    each_name<Row>([&out](auto info, const auto& value) {
      constexpr std::size_t n = detail::columns_of<std::remove_cvref_t<decltype(value)>>;
      for (std::size_t i = 0; i < n; ++i) {
        out += info.name;
        if constexpr (detail::is_spread<std::remove_cvref_t<decltype(value)>>) {
          out += '_';
          add_number(out, i);
        }
        out += ',';
      }
    });
    out[out.size() - 1] = '\n';
  }

  template <class Row, class Out> TRACECODEC_INLINE static void add(Out& out, const Row& row) {
    each_column(row, [&out](auto info, const auto& value, bool present) {
      using type = std::remove_cvref_t<decltype(value)>;
      constexpr std::size_t n = detail::columns_of<type>;
      if constexpr (detail::is_spread<type>) {
        for (std::size_t i = 0; i < n; ++i) {
          if (present) add_cell<info.says>(out, value[i]);
          out += ',';
        }
      } else {
        if (present) add_cell<info.says>(out, value);
        out += ',';
      }
    });
    out[out.size() - 1] = '\n';
  }

 private:
  template <wire::meaning Says, class Out, class T>
  TRACECODEC_INLINE static void add_cell(Out& out, const T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      out += v ? '1' : '0';
    } else if constexpr (named<T>) {
      const std::string_view s = name_of(v);
      if (!s.empty())
        out += s;
      else
        detail::add_plain(out, v);
    } else if constexpr (wire::scalar_value<T>) {
      detail::add_plain(out, v);
    } else if constexpr (std::is_same_v<T, address>) {
      add_number(out, v.value);
    } else if constexpr (std::is_same_v<T, hex_bytes>) {
      add_bytes(out, v.bytes);
    } else if constexpr (detail::text_like<T>) {
      add_text(out, v);
    } else if constexpr (detail::is_optional<T>) {
      if (v) add_cell<Says>(out, *v);
    } else if constexpr (detail::is_pointer<T>) {
      detail::add_plain(out, v.offset);
    } else {
      const std::size_t start = out.size();
      add_json<Says>(out, v);
      const std::string_view s = out.text().substr(start);
      if (s.find('"') != s.npos || s.find(',') != s.npos) quote(out, start);
    }
  }

  template <class Out> static void add_text(Out& out, std::string_view s) {
    const std::size_t start = out.size();
    bool quoted = s.empty();  // an empty cell is one without a value
    while (!s.empty()) {
      // Readers end a text at a character 0.
      const std::size_t n = s[0] == '\0' ? 0 : io::detail::utf8_size(s);
      out += n == 0 ? no_character : s.substr(0, n);
      quoted |= s[0] == ',' || s[0] == '"' || s[0] == '\n' || s[0] == '\r';
      s.remove_prefix(n == 0 ? 1 : n);
    }
    if (quoted) quote(out, start);
  }

  // Puts what begins at `start` in quotes, and doubles those in it.
  template <class Out> static void quote(Out& out, std::size_t start) {
    const std::string_view s = out.text().substr(start);
    const auto inside = static_cast<std::size_t>(std::count(s.begin(), s.end(), '"'));
    const std::size_t size = s.size(), larger = size + inside + 2;
    char* const end = out.room(inside + 2);
    // From the end, so that nothing is overwritten before it has moved.
    const char* from = end;
    char* to = end + inside + 2;
    out.used(to);
    char* const first = to - larger;
    *--to = '"';
    while (to != first + 1) {
      *--to = *--from;
      if (*to == '"') *--to = '"';
    }
    *first = '"';
  }
};

template <class Row> using csv = row_writer<Row, csv_form>;

}  // namespace tracecodec::rows
