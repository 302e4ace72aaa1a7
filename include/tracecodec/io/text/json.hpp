// Parses JSON text. This is the only header that includes simdjson.
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

// Size limit for JSON text in bytes. Text of this size or more cannot be parsed.
inline constexpr std::size_t largest_json = simdjson::SIMDJSON_MAXSIZE_BYTES;

// Parsed JSON text. The values are valid until the document is destroyed or parses other text. Not
// movable.
class json_document {
 public:
  json_document() = default;
  // Parses `text` like parse().
  json_document(std::string_view text, const error_site& where) { parse(text, where); }

  // Parses `text` (UTF-8), which may begin with a byte order mark. Throws trace_error(bad_value) at
  // `where` if `text` is malformed, not UTF-8, or nested deeper than 1,024 levels. Throws
  // std::bad_alloc. Parsing needs about 15 bytes of memory for each byte of `text`.
  void parse(std::string_view text, const error_site& where) {
    text = without_byte_order_mark(text);
    // Never pass a null pointer, because simdjson copies from the pointer.
    const auto parsed = parser_.parse(text.empty() ? "" : text.data(), text.size());
    if (parsed.error() == simdjson::MEMALLOC) throw std::bad_alloc();
    if (parsed.error() != simdjson::SUCCESS)
      throw trace_error(trace_errc::bad_value, where,
                        std::string("not JSON: ") + simdjson::error_message(parsed.error()));
    root_ = parsed.value_unsafe();
  }
  json_document(const json_document&) = delete;
  json_document& operator=(const json_document&) = delete;

  [[nodiscard]] json_value root() const { return root_; }

 private:
  simdjson::dom::parser parser_{};
  json_value root_{};
};

// Functions that return the value if it has the type in the function's name, and otherwise nullopt.
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

// Returns the first value of `key`, or nullopt if `key` does not occur.
inline std::optional<json_value> member(const json_object& o, std::string_view key) {
  json_value v;
  return o.at_key(key).get(v) == simdjson::SUCCESS ? std::optional(v) : std::nullopt;
}

// Returns the value as JSON text without spaces.
inline std::string json_text_of(const json_value& v) { return simdjson::to_string(v); }

}  // namespace tracecodec::io
