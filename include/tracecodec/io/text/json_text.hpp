// Writes JSON strings. This header does not use simdjson, so that writers need not include
// simdjson.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "utf8.hpp"

namespace tracecodec::io {

// Appends `s` as a JSON string with its quotes. Quotes, backslashes and characters for which
// is_shown() is false are escaped. Bytes that are not UTF-8 become U+FFFD. Returns false if `s`
// contains such bytes.
template <class Out> bool add_json_string(Out& out, std::string_view s) {
  const auto escape = [&out](char32_t unit) {
    out += std::string_view("\\u");
    add_hex_digits(out, unit, 4);
  };
  out += '"';
  const bool whole = add_utf8(
      out, s,
      [](char c) { return !is_shown(static_cast<unsigned char>(c)) || c == '"' || c == '\\'; },
      [&](char c) {
        if (c != '"' && c != '\\') return escape(static_cast<unsigned char>(c));
        out += '\\';
        out += c;
      },
      [&](std::string_view text, char32_t c) {
        if (is_shown(c)) {
          out += text;
        } else if (c <= 0xFFFF) {
          escape(c);
        } else {  // a surrogate pair
          escape(0xD800 + ((c - 0x10000) >> 10));
          escape(0xDC00 + (c & 0x3FFU));
        }
      });
  out += '"';
  return whole;
}

// Returns `s` as a JSON string (see add_json_string()), or nullopt if `s` is not UTF-8, because
// JSON cannot represent such bytes.
inline std::optional<std::string> json_string(std::string_view s) {
  std::string out;
  if (!add_json_string(out, s)) return std::nullopt;
  return out;
}

}  // namespace tracecodec::io
