// Writes rows as comma-separated values (RFC 4180). The first line contains the names of the
// columns. Each row is one further line. Lines end with LF only.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "engine/formulas.hpp"
#include "json.hpp"
#include "row_writer.hpp"
#include "values.hpp"

namespace tracecodec::rows {

namespace detail {
// True for arrays whose elements are separate cells, each with its own column.
template <class T> inline constexpr bool is_spread = false;
template <class T, std::size_t N>
requires(N != 0 && !std::is_same_v<T, std::byte> && !std::is_same_v<T, char> &&
         (wire::scalar_value<T> ||
          std::is_same_v<T, address>)) inline constexpr bool is_spread<std::array<T, N>> = true;
template <class T> inline constexpr std::size_t columns_of = 1;
template <class T, std::size_t N>
requires(is_spread<std::array<T, N>>) inline constexpr std::size_t columns_of<std::array<T, N>> = N;

// Output adaptor that doubles each quote, as a quoted cell requires. JSON can therefore be written
// directly into a cell, without a second pass.
template <class Out> class doubled_quotes {
 public:
  explicit doubled_quotes(Out& out) : out_(out) {}

  TRACECODEC_INLINE doubled_quotes& operator+=(char c) {
    out_ += c;
    if (c == '"') out_ += c;
    return *this;
  }
  TRACECODEC_INLINE doubled_quotes& operator+=(std::string_view s) {
    for (std::size_t end = s.find('"'); end != s.npos; end = s.find('"')) {
      out_ += s.substr(0, end + 1);
      out_ += '"';
      s.remove_prefix(end + 1);
    }
    out_ += s;
    return *this;
  }
  // Returns space for characters that are written unchanged: digits, or text in which the caller
  // has doubled the quotes.
  TRACECODEC_INLINE char* extend(std::size_t n) requires requires(Out& o) { o.extend(n); }
  { return out_.extend(n); }
  TRACECODEC_INLINE void used(char* end) requires requires(Out& o) { o.used(end); }
  { out_.used(end); }

 private:
  Out& out_;
};
template <class Out> inline constexpr std::string_view quote<doubled_quotes<Out>> = "\"\"";
}  // namespace detail

// Form of row_writer for CSV:
//   numbers, addresses  decimal: no CSV reader accepts 0x... as a number
//   bool                1 or 0
//   enumerations        by name, or the number if the value has no name
//   text, also views    in quotes if it contains a comma, a quote or a line break, or is empty;
//     and arrays of     NUL characters and invalid UTF-8 become U+FFFD
//     characters
//   hex_bytes, arrays   hexadecimal digits
//     of std::byte,
//     array_view<u8>
//   infinite, NaN       empty
//   optional            empty if it has no value
//   std::array          of numbers: a column for each, name_0, name_1 ...
//   lists, structs      JSON in quotes
struct csv_form {
  // True to write an apostrophe before text that begins with = + - @, a tab or a line break.
  // Otherwise spreadsheets treat such text as a formula, even in quotes. The apostrophe changes the
  // text.
  bool guard_formulas = false;

  template <class Row, class Out> static void begin(Out& out) {
    each_name<Row>([&out](auto info, auto type) {
      using value = typename decltype(type)::type;
      constexpr std::size_t n = detail::columns_of<value>;
      for (std::size_t i = 0; i < n; ++i) {
        out += info.name;
        if constexpr (detail::is_spread<value>) {
          out += '_';
          add_number(out, i);
        }
        out += ',';
      }
    });
    out[out.size() - 1] = '\n';
  }

  template <class Row, class Out> TRACECODEC_INLINE void add(Out& out, const Row& row) const {
    static_assert(has_columns<Row>, "a row needs a column");
    each_column(row, [&out, form = *this](auto info, const auto& value, bool present) {
      using type = std::remove_cvref_t<decltype(value)>;
      constexpr std::size_t n = detail::columns_of<type>;
      if constexpr (detail::is_spread<type>) {
        for (std::size_t i = 0; i < n; ++i) {
          if (present) form.template add_cell<info.says>(out, value[i]);
          out += ',';
        }
      } else {
        if (present) form.template add_cell<info.says>(out, value);
        out += ',';
      }
    });
    out[out.size() - 1] = '\n';
  }

 private:
  template <wire::meaning Says, class Out, class T>
  TRACECODEC_INLINE void add_cell(Out& out, const T& v) const {
    if constexpr (std::is_same_v<T, bool>) {
      out += v ? '1' : '0';
    } else if constexpr (named<T>) {
      if (const std::string_view s = name_of(v); !s.empty())
        add_text(out, s);
      else
        detail::add_plain(out, v);
    } else if constexpr (wire::scalar_value<T>) {
      detail::add_plain(out, v);
    } else if constexpr (std::is_same_v<T, address>) {
      add_number(out, v.value);
    } else if constexpr (detail::bytes_like<T>) {
      add_bytes(out, detail::bytes_of(v));
    } else if constexpr (detail::text_like<T>) {
      add_text(out, detail::text_of(v));
    } else if constexpr (detail::is_optional<T>) {
      if (v) add_cell<Says>(out, *v);
    } else if constexpr (detail::is_pointer<T>) {
      detail::add_plain(out, v.offset);
    } else {
      const std::size_t start = out.size();
      out += '"';
      detail::doubled_quotes inside(out);
      add_json<Says>(inside, v);
      const std::string_view s = text_from(out, start + 1);
      if (s.find('"') != s.npos || s.find(',') != s.npos)
        out += '"';
      else
        remove(out, start);
    }
  }

  // Returns the content of `out` from offset `start` on.
  template <class Out> static std::string_view text_from(const Out& out, std::size_t start) {
    if constexpr (requires { out.text(); })
      return out.text().substr(start);
    else
      return std::string_view(out).substr(start);
  }
  // Appends `n` characters with unspecified values and returns the new end of `out`.
  template <class Out> static char* lengthen(Out& out, std::size_t n) {
    if constexpr (requires { out.extend(n); }) {
      char* const end = out.extend(n) + n;
      out.used(end);
      return end;
    } else {
      out.resize(out.size() + n);
      return out.data() + out.size();
    }
  }

  // Removes the character at offset `i`.
  template <class Out> static void remove(Out& out, std::size_t i) {
    for (; i + 1 != out.size(); ++i) out[i] = out[i + 1];
    if constexpr (requires { out.truncate(i); })
      out.truncate(i);
    else
      out.resize(i);
  }

  template <class Out> void add_text(Out& out, std::string_view s) const {
    const std::size_t start = out.size();
    if (guard_formulas && detail::begins_formula(s)) out += '\'';
    // An empty cell without quotes would mean an absent value.
    bool quoted = s.empty();
    io::add_utf8(
        out, s, [](char c) { return c == ',' || c == '"' || c == '\n' || c == '\r' || c == '\0'; },
        [&](char c) {
          // NUL characters are replaced, because CSV readers treat a NUL as the end of the text.
          if (c == '\0') {
            out += io::no_character;
            return;
          }
          quoted = true;
          out += c;
        });
    if (quoted) quote(out, start);
  }

  // Adds quotes around the text from offset `start` on, and doubles the quotes inside it.
  template <class Out> static void quote(Out& out, std::size_t start) {
    const std::string_view s = text_from(out, start);
    const auto inside = static_cast<std::size_t>(std::count(s.begin(), s.end(), '"'));
    const std::size_t larger = s.size() + inside + 2;
    char* to = lengthen(out, inside + 2);
    // Copies backwards, so that no character is overwritten before it is moved.
    const char* from = to - inside - 2;
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
