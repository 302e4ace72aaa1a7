// Writes JSON into a string: values one behind the other, the commas come by themselves.
// What is not UTF-8 (a file's name may be anything) becomes U+FFFD, so that the result is JSON.
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "text.hpp"

namespace examples {

class json {
 public:
  explicit json(std::string& out) : out_(&out) {}

  json& object() { return open('{'); }
  json& end_object() { return close('}'); }
  json& array() { return open('['); }
  json& end_array() { return close(']'); }

  // The name of the value that follows; plain text that needs no escaping.
  json& key(std::string_view name) {
    separate();
    *out_ += '"';
    *out_ += name;
    *out_ += "\":";
    first_ = true;
    return *this;
  }
  json& number(std::unsigned_integral auto n) {
    separate();
    add_number(*out_, n);
    return *this;
  }
  json& integer(std::int64_t n) {
    separate();
    *out_ += std::to_string(n);
    return *this;
  }
  // null for what JSON has no number for: a ratio of nothing.
  json& number(double v) {
    separate();
    std::array<char, 32> s{};
    if (std::isfinite(v))
      out_->append(s.data(), std::to_chars(s.data(), s.data() + s.size(), v).ptr);
    else
      *out_ += "null";
    return *this;
  }
  json& boolean(bool b) {
    separate();
    *out_ += b ? "true" : "false";
    return *this;
  }
  json& null() {
    separate();
    *out_ += "null";
    return *this;
  }
  // Addresses are text: a double, as many JSON readers use, holds 53 bits.
  json& hex(std::uint64_t n) {
    separate();
    *out_ += '"';
    add_hex(*out_, n);
    *out_ += '"';
    return *this;
  }
  json& string(std::string_view s) {
    separate();
    *out_ += '"';
    while (!s.empty()) s.remove_prefix(add_character(s));
    *out_ += '"';
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

  // Appends the character at the front of `s`; returns how many bytes it has there.
  std::size_t add_character(std::string_view s) {
    const auto c = static_cast<unsigned char>(s[0]);
    if (c >= 0x80) {
      const std::size_t n = utf8_length(s);
      *out_ += n == 0 ? std::string_view("\xEF\xBF\xBD") : s.substr(0, n);
      return n == 0 ? 1 : n;
    }
    if (c == '"' || c == '\\') *out_ += '\\';
    if (c >= 0x20) {
      *out_ += static_cast<char>(c);
    } else {
      *out_ += "\\u00";
      *out_ += "0123456789abcdef"[c >> 4];
      *out_ += "0123456789abcdef"[c & 15];
    }
    return 1;
  }

  // Bytes of the well-formed sequence (Unicode 15, table 3-7) at the front; 0 if there is none.
  static std::size_t utf8_length(std::string_view s) {
    const auto at = [s](std::size_t i) {
      return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U;
    };
    const unsigned c = at(0), second = at(1);
    const std::size_t n = c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    for (std::size_t i = 1; i < n; ++i)
      if ((at(i) & 0xC0) != 0x80) return 0;
    const bool overlong = (c == 0xE0 && second < 0xA0) || (c == 0xF0 && second < 0x90);
    const bool no_scalar = (c == 0xED && second > 0x9F) || (c == 0xF4 && second > 0x8F);
    return overlong || no_scalar ? 0 : n;
  }

  std::string* out_;
  bool first_ = true;
};

}  // namespace examples
