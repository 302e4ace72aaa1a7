// JSON texts: the one header that includes simdjson, and how a JSON string is written.
#pragma once
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../error.hpp"
#include "../input/byte_order_mark.hpp"
#include "json_text.hpp"

namespace tracecodec::io {

using json_value = simdjson::dom::element;
using json_object = simdjson::dom::object;
using json_array = simdjson::dom::array;

// Texts of this many bytes and more cannot be parsed.
inline constexpr std::size_t largest_json = simdjson::SIMDJSON_MAXSIZE_BYTES;

// A parsed JSON text; the values it gives live as long as it does, or until it parses another one.
// Not movable.
class json_document {
 public:
  json_document() = default;
  // As parse().
  json_document(std::string_view text, const error_site& where) { parse(text, where); }

  // Parses `text`, UTF-8, after a byte order mark. Throws trace_error(bad_value) at `where` if it is no
  // JSON: malformed, no UTF-8, nested deeper than 1,024; std::bad_alloc. Memory: some 15 bytes for each
  // byte of `text`.
  void parse(std::string_view text, const error_site& where) {
    text = without_byte_order_mark(text);
    // simdjson copies from the pointer, which must not be null.
    const auto parsed = parser_.parse(text.empty() ? "" : text.data(), text.size());
    if (parsed.error() == simdjson::MEMALLOC) throw std::bad_alloc();
    if (parsed.error() != simdjson::SUCCESS)
      throw trace_error(trace_errc::bad_value, where,
                        std::string("no JSON: ") + simdjson::error_message(parsed.error()));
    root_ = parsed.value_unsafe();
  }
  json_document(const json_document&) = delete;
  json_document& operator=(const json_document&) = delete;

  [[nodiscard]] json_value root() const { return root_; }

 private:
  simdjson::dom::parser parser_{};
  json_value root_{};
};

// What a value holds, if it is of that kind; nullopt if it is of another.
inline std::optional<std::string_view> as_string(const json_value& v) {
  std::string_view s;
  return v.get(s) == simdjson::SUCCESS ? std::optional(s) : std::nullopt;
}
inline std::optional<std::int64_t> as_integer(const json_value& v) {
  std::int64_t n = 0;
  return v.get(n) == simdjson::SUCCESS ? std::optional(n) : std::nullopt;
}
inline std::optional<std::uint64_t> as_unsigned(const json_value& v) {
  std::uint64_t n = 0;
  return v.get(n) == simdjson::SUCCESS ? std::optional(n) : std::nullopt;
}
inline std::optional<json_object> as_object(const json_value& v) {
  json_object o;
  return v.get(o) == simdjson::SUCCESS ? std::optional(o) : std::nullopt;
}
inline std::optional<json_array> as_array(const json_value& v) {
  json_array a;
  return v.get(a) == simdjson::SUCCESS ? std::optional(a) : std::nullopt;
}

// The value of `key`, the first one if it stands there twice; nullopt if it is not there.
inline std::optional<json_value> member(const json_object& o, std::string_view key) {
  json_value v;
  return o.at_key(key).get(v) == simdjson::SUCCESS ? std::optional(v) : std::nullopt;
}

// The value as JSON text without spaces.
inline std::string json_text_of(const json_value& v) { return simdjson::to_string(v); }

}  // namespace tracecodec::io
