// Writes a value of any type in a row as JSON.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../io/text/utf8.hpp"
#include "../wire/types/view.hpp"
#include "columns.hpp"
#include "json.hpp"

namespace tracecodec::rows {

// Enumeration with a function name(e), which returns the name of an enumerator as std::string_view.
// Argument-dependent lookup finds this function.
template <class E>
concept named = std::is_enum_v<E> && requires(E e) {
  name(e);
};

// Returns the name of `e`, or an empty string if `e` has no name. Rows then contain the number.
template <named E> constexpr std::string_view name_of(E e) noexcept {
  static_assert(
      std::is_same_v<decltype(name(e)), std::string_view>,
      "name(e) must be a std::string_view: other text may be destroyed before it is written");
  if constexpr (requires {
                  { defined(e) } -> std::same_as<bool>;
                })
    if (!defined(e)) return {};
  return name(e);
}

namespace detail {
template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
// Returns the text of a value that consists of characters: a string, a view of characters in a
// file, or an array of characters without the NULs at its end.
template <class T>
requires(std::is_same_v<T, std::string_view> || std::is_same_v<T, std::string>) std::string_view
    text_of(const T& v) {
  return v;
}
inline std::string_view text_of(const wire::array_view<wire::character>& v) {
  return wire::as_text(v);
}
template <std::size_t N> std::string_view text_of(const std::array<char, N>& v) {
  std::string_view s(v.data(), N);
  while (!s.empty() && s.back() == '\0') s.remove_suffix(1);
  return s;
}
// Returns UTF-16 text of a file as UTF-8.
template <class Codec>
requires std::is_same_v<typename Codec::value_type, char16_t> std::string text_of(
    const wire::array_view<Codec>& v) {
  return io::utf8_of_units(v);
}
template <class T>
concept text_like = requires(const T& v) {
  detail::text_of(v);
};
// Type that writes itself: t.to_json(json) appends one value.
template <class T, class Out>
concept self_writing = requires(const T& t, json<Out>& j) {
  t.to_json(j);
};

// True if the column comes from a record's description, which specifies the meaning of the column's
// values.
template <class Info> inline constexpr bool is_described = false;
template <class Item> inline constexpr bool is_described<wire::field_info<Item>> = true;

// Returns the bytes of a value that is shown in hexadecimal.
inline std::span<const std::byte> bytes_of(const hex_bytes& v) { return v.bytes; }
template <class Codec>
requires(std::is_same_v<typename Codec::value_type, std::byte> ||
         std::is_same_v<typename Codec::value_type, std::uint8_t>)
    std::span<const std::byte> bytes_of(const wire::array_view<Codec>& v) {
  return v.bytes();
}
template <class T>
requires std::is_convertible_v<const T&, std::span<const std::byte>> std::span<const std::byte>
bytes_of(const T& v) {
  return v;
}
template <class T>
concept bytes_like = requires(const T& v) {
  detail::bytes_of(v);
};

// Appends a number of any type in the form that JSON and CSV share. Returns false and appends
// nothing if the number is infinite or NaN.
template <class Out, class T> TRACECODEC_INLINE bool add_plain(Out& out, const T& v) {
  using integer = wire::integer_t<T>;
  if constexpr (std::is_floating_point_v<T>)
    return add_number(out,
                      static_cast<std::conditional_t<std::is_same_v<T, float>, float, double>>(v));
  else if constexpr (sizeof(T) < sizeof(int))
    // One formatter serves all narrow types, including characters, which are numbers here.
    add_number(out, static_cast<int>(static_cast<integer>(v)));
  else
    add_number(out, static_cast<integer>(v));
  return true;
}

template <class Out> TRACECODEC_INLINE void add_quoted_hex(Out& out, std::uint64_t v) {
  out += '"';
  add_hex(out, v);
  out += '"';
}
}  // namespace detail

// Appends `v` as JSON:
//   numbers             decimal; addresses, and values with meaning::address, as "0x..."
//   enumerations        by name, or the number as text if the value has no name; plain numbers
//                       if the type has no name()
//   hex_bytes, arrays   text of hexadecimal digits
//     of std::byte,
//     array_view<u8>
//   text, also views    a string; invalid UTF-8 becomes U+FFFD
//     and arrays of
//     characters
//   optional            null if it has no value
//   ranges, std::array  arrays
//   with to_json()      the value that to_json() writes
//   other plain structs objects
template <wire::meaning Says, class Out, class T>
TRACECODEC_INLINE void add_json(Out& out, const T& v) {
  if constexpr (std::is_same_v<T, bool>) {
    out += std::string_view(v ? "true" : "false");
  } else if constexpr (named<T>) {
    if (const std::string_view s = name_of(v); !s.empty()) {
      add_string(out, s);
    } else {
      out += '"';
      detail::add_plain(out, v);
      out += '"';
    }
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    if constexpr (Says == wire::meaning::address && !std::is_floating_point_v<T>)
      detail::add_quoted_hex(out, static_cast<std::make_unsigned_t<wire::integer_t<T>>>(v));
    else if (!detail::add_plain(out, v))
      out += std::string_view("null");
  } else if constexpr (std::is_same_v<T, address>) {
    detail::add_quoted_hex(out, v.value);
  } else if constexpr (detail::bytes_like<T>) {
    out += '"';
    add_bytes(out, detail::bytes_of(v));
    out += '"';
  } else if constexpr (detail::text_like<T>) {
    add_string(out, detail::text_of(v));
  } else if constexpr (detail::is_optional<T>) {
    if (v)
      add_json<Says>(out, *v);
    else
      out += std::string_view("null");
  } else if constexpr (detail::is_pointer<T>) {
    detail::add_plain(out, v.offset);
  } else if constexpr (detail::self_writing<T, Out>) {
    json<Out> j(out);
    v.to_json(j);
  } else if constexpr (requires {
                         v.begin();
                         v.end();
                       }) {
    char before = '[';
    for (const auto& element : v) {
      out += std::exchange(before, ',');
      add_json<Says>(out, element);
    }
    if (before == '[') out += before;
    out += ']';
  } else {
    char before = '{';
    each_column(v, [&](auto info, const auto& member, bool present) {
      constexpr wire::meaning says =
          detail::is_described<decltype(info)>
              ? info.says
              : wire::usual_meaning<std::remove_cvref_t<decltype(member)>>;
      out += std::exchange(before, ',');
      out += '"';
      out += info.name;
      out += std::string_view("\":");
      if (present)
        add_json<says>(out, member);
      else
        out += std::string_view("null");
    });
    out += '}';
  }
}

}  // namespace tracecodec::rows
