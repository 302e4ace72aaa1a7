// One value of a row as JSON, whatever its type.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "columns.hpp"
#include "json.hpp"

namespace tracecodec::rows {

// An enumeration that has names: name(e) beside it gives them.
template <class E>
concept named = std::is_enum_v<E> && requires(E e) {
  { name(e) } -> std::convertible_to<std::string_view>;
};

// The name of `e`; empty if it has none, where the number is shown.
template <named E> constexpr std::string_view name_of(E e) noexcept {
  if constexpr (requires {
                  { defined(e) } -> std::same_as<bool>;
                })
    if (!defined(e)) return {};
  return name(e);
}

namespace detail {
template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
concept text_like = std::is_same_v<T, std::string_view> || std::is_same_v<T, std::string>;
// Writes itself: t.to_json(json&) appends one value.
template <class T, class Out>
concept self_writing = requires(const T& t, json<Out>& j) {
  t.to_json(j);
};

// A number of any kind, as it stands in JSON and CSV.
template <class Out, class T> TRACECODEC_INLINE bool add_plain(Out& out, const T& v) {
  using integer = wire::integer_t<T>;
  if constexpr (std::is_floating_point_v<T>)
    return add_number(out, static_cast<double>(v));
  else if constexpr (sizeof(T) < sizeof(int))
    // One formatter for all that are narrow; characters are numbers here, too.
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
//   numbers             as they are; addresses and what is in them as "0x..."
//   enumerations        by name; the number as text if it has no name
//   hex_bytes           text of hexadecimal digits
//   text                what is no UTF-8 becomes U+FFFD
//   optional            null if there is none
//   ranges, std::array  arrays
//   what has to_json()  what that writes
//   other plain structs objects
template <wire::meaning Says, class Out, class T>
TRACECODEC_INLINE void add_json(Out& out, const T& v) {
  if constexpr (std::is_same_v<T, bool>) {
    out += std::string_view(v ? "true" : "false");
  } else if constexpr (named<T>) {
    const std::string_view s = name_of(v);
    out += '"';
    if (!s.empty())
      out += s;
    else
      detail::add_plain(out, v);
    out += '"';
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    if constexpr (Says == wire::meaning::address && !std::is_floating_point_v<T>)
      detail::add_quoted_hex(out, static_cast<std::make_unsigned_t<wire::integer_t<T>>>(v));
    else if (!detail::add_plain(out, v))
      out += std::string_view("null");
  } else if constexpr (std::is_same_v<T, address>) {
    detail::add_quoted_hex(out, v.value);
  } else if constexpr (std::is_same_v<T, hex_bytes>) {
    out += '"';
    add_bytes(out, v.bytes);
    out += '"';
  } else if constexpr (detail::text_like<T>) {
    add_string(out, v);
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
    each_column(v, [&](auto info, const auto& member, bool) {
      constexpr wire::meaning says = wire::usual_meaning<std::remove_cvref_t<decltype(member)>>;
      out += std::exchange(before, ',');
      out += '"';
      out += info.name;
      out += std::string_view("\":");
      add_json<says>(out, member);
    });
    out += '}';
  }
}

}  // namespace tracecodec::rows
