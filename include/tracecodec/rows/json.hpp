// Writes JSON values one after another, and inserts the commas between them.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../io/text/json_text.hpp"
#include "numbers.hpp"

namespace tracecodec::rows {

// Appends `s` as a JSON string, with quotes and escapes. Invalid UTF-8 becomes U+FFFD, so the
// result is always valid JSON.
template <class Out> void add_string(Out& out, std::string_view s) { io::add_json_string(out, s); }

namespace detail {
// Returns true for printable ASCII without quotes and backslashes, which includes most names. Such
// text needs no escaping.
constexpr bool is_plain(std::string_view s) noexcept {
  bool plain = true;
  for (const char c : s) plain &= c >= ' ' && c <= '~' && c != '"' && c != '\\';
  return plain;
}
// Characters that represent a quote in an `Out`.
template <class Out> inline constexpr std::string_view quote = "\"";
}  // namespace detail

// JSON writer that appends to an `Out`, which is a std::string or a rows::buffer and must outlive
// the writer.
template <class Out> class json {
 public:
  explicit json(Out& out) : out_(&out) {}

  json& object() { return open('{'); }
  json& end_object() { return close('}'); }
  json& array() { return open('['); }
  json& end_array() { return close(']'); }

  // Appends the name of the next value. `name` must be text that needs no escaping.
  json& key(std::string_view name) {
    quoted(name, true);
    return *this;
  }
  // Appends a string, which must be text that needs no escaping.
  json& plain(std::string_view s) {
    quoted(s, false);
    return *this;
  }
  json& number(std::unsigned_integral auto n) {
    separate();
    add_number(*out_, n);
    return *this;
  }
  json& integer(std::int64_t n) {
    separate();
    add_number(*out_, n);
    return *this;
  }
  // Appends a number, or null if the number is infinite or NaN. For example, a ratio of two zeros
  // is NaN.
  json& number(double v) {
    separate();
    if (!add_number(*out_, v)) *out_ += std::string_view("null");
    return *this;
  }
  json& number(std::same_as<float> auto v) {
    separate();
    if (!add_number(*out_, v)) *out_ += std::string_view("null");
    return *this;
  }
  json& boolean(bool b) {
    separate();
    *out_ += std::string_view(b ? "true" : "false");
    return *this;
  }
  json& null() {
    separate();
    *out_ += std::string_view("null");
    return *this;
  }
  // Appends an address as text, because many JSON readers store numbers as double, which has
  // only 53 bits of precision.
  json& hex(std::uint64_t n) {
    separate();
    *out_ += '"';
    add_hex(*out_, n);
    *out_ += '"';
    return *this;
  }
  // Appends a string of hexadecimal digits, two for each byte.
  json& bytes(std::span<const std::byte> all) {
    separate();
    *out_ += '"';
    add_bytes(*out_, all);
    *out_ += '"';
    return *this;
  }
  json& string(std::string_view s) {
    if (detail::is_plain(s)) return plain(s);
    separate();
    add_string(*out_, s);
    return *this;
  }

 private:
  json& open(char c) {
    separate();
    *out_ += c;
    first_ = true;
    return *this;
  }
  json& close(char c) {
    *out_ += c;
    first_ = false;
    return *this;
  }
  void separate() {
    if (!first_) *out_ += ',';
    first_ = false;
  }
  // Appends `s` in quotes. Requests space only once, because keys make up most of a row.
  TRACECODEC_INLINE void quoted(std::string_view s, bool is_key) {
    constexpr std::string_view quote = detail::quote<Out>;
    if constexpr (requires { out_->extend(1); }) {
      char* p = out_->extend(s.size() + 2 * quote.size() + 2);
      if (!first_) *p++ = ',';
      p = std::copy(quote.begin(), quote.end(), p);
      p = std::copy(s.begin(), s.end(), p);
      p = std::copy(quote.begin(), quote.end(), p);
      if (is_key) *p++ = ':';
      out_->used(p);
    } else {
      separate();
      ((*out_ += '"') += s) += '"';
      if (is_key) *out_ += ':';
    }
    first_ = is_key;
  }

  Out* out_;
  bool first_ = true;
};

}  // namespace tracecodec::rows
