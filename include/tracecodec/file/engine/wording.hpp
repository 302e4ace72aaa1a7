// Common wording of messages about files.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../../io/error.hpp"
#include "../../io/text/hex.hpp"
#include "../../wire/layout/layout_row.hpp"
#include "../../wire/result.hpp"
#include "../../wire/text.hpp"
#include "../../wire/types/engine/sum_value.hpp"

namespace tracecodec::file::detail {

// Returns the error code for a record, a header or a trailer that cannot be decoded.
constexpr trace_errc code_of(wire::errc e) noexcept {
  return e == wire::errc::truncated ? trace_errc::truncated : trace_errc::bad_value;
}
// Returns a message about a value that is present but rejected.
template <class Codec> std::string refusal(const wire::result& r) {
  if constexpr (requires { Codec::constant_text(r.field); }) {
    const wire::text constant = Codec::constant_text(r.field);
    if (r.error == wire::errc::invalid_value && constant.length != 0)
      return "is not " + std::string(constant.view());
  }
  return std::string(wire::message(r.error));
}
// Returns the path of the field that could not be decoded, such as "options[3].kind", or "place.x"
// in a nested record. `r` is the result of decoding `in`.
template <class Codec> std::string path(std::span<const std::byte> in, const wire::result& r) {
  if constexpr (Codec::fixed) {
    if constexpr (requires { Codec::layout(); })
      for (const wire::layout_row& row : Codec::layout()) {
        const std::string_view name = row.name.view();
        if (row.offset == r.used && name.ends_with(r.field) && name.size() > r.field.size() &&
            name[name.size() - r.field.size() - 1] == '.')
          return std::string(name);
      }
  } else if constexpr (requires { Codec::path(in); }) {
    if (!r) return std::string(Codec::path(in).view());
  }
  return std::string(r.field);
}

// Returns the name with its indefinite article, such as "a STEP trace" or "an IMG trace".
[[gnu::cold]] inline std::string with_article(std::string_view name) {
  const bool vowel = std::string_view("AEIOUaeiou").find(name.front()) != std::string_view::npos;
  return std::string(vowel ? "an " : "a ").append(name);
}

// Returns the plural of a name, such as "steps" or "entries".
[[gnu::cold]] inline std::string plural(std::string_view name) {
  const auto ends = [name](std::string_view end) { return name.ends_with(end); };
  if (name.size() > 1 && ends("y") &&
      std::string_view("aeiou").find(name[name.size() - 2]) == std::string_view::npos)
    return std::string(name.substr(0, name.size() - 1)) + "ies";
  return std::string(name) +
         (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh") ? "es" : "s");
}

// Returns a checksum in hexadecimal, such as "0x1f", or the digits of a digest, such as "a9993e36".
template <class V> [[gnu::cold]] std::string sum_text(const V& v) {
  if constexpr (wire::detail::is_digest<V>) {
    std::string s;
    for (const auto& b : v) {
      const auto u = static_cast<std::uint8_t>(b);
      s += "0123456789abcdef"[u >> 4];
      s += "0123456789abcdef"[u & 15];
    }
    return s;
  } else {
    return hex(static_cast<std::uint64_t>(static_cast<wire::integer_t<V>>(v)));
  }
}

// Returns a number of bytes as text, such as "1 byte" or "2 bytes".
[[gnu::cold]] inline std::string bytes(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

}  // namespace tracecodec::file::detail
