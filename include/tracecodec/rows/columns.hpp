// Columns of a row. The columns are the members of a plain struct, in the same order and with the
// same names. A member of type record_fields represents all fields of a record, as the record's
// description lists them. Members have literal types, so text is a std::string_view.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../wire/record.hpp"
#include "../wire/types/file_pointer.hpp"

namespace tracecodec::rows {

// Type of a member that contains an address, or another value that is easier to read in
// hexadecimal. Members of plain integer types are decimal numbers.
struct address {
  std::uint64_t value = 0;
};
// Type of a member that contains bytes, which are shown as hexadecimal digits in memory order.
struct hex_bytes {
  std::span<const std::byte> bytes = {};
};
// Type of a member that contains a number of up to 256 bytes in little-endian order, which is shown as
// "0x...", or null if there are no bytes.
struct hex_number {
  std::span<const std::byte> bytes = {};
  template <class Json> void to_json(Json& to) const {
    if (bytes.empty()) return static_cast<void>(to.null());
    std::array<char, 2 + 2 * 256> text{'0', 'x'};
    std::size_t end = 2;
    for (std::size_t n = bytes.size(); n-- != 0 && end != text.size();)
      for (const unsigned shift : {4U, 0U})
        text[end++] = "0123456789abcdef"[std::to_integer<unsigned>(bytes[n]) >> shift & 15U];
    to.plain({text.data(), end});
  }
};
// Type of a member without a column. Templates of rows use this type to leave out an optional
// column, such as the disassembly.
struct absent {};

namespace detail {
// Returns true if `M` is a field of `Codec`.
template <class Codec, auto M> constexpr bool describes() {
  bool found = false;
  Codec::walk_absent(
      [&found](auto info, const auto&, bool) { found |= decltype(info)::template is<M>; });
  return found;
}
}  // namespace detail

// Member that represents the fields of a record of `Codec`, except the members `LeftOut`. Pointers
// into a file are also omitted, because a row contains the data that they point to.
template <class Codec, auto... LeftOut> struct record_fields {
  const typename wire::array_view<Codec>::value_type* record = nullptr;
};

namespace detail {
template <class T> inline constexpr bool is_pointer = false;
template <class To, class Base, class Rep>
inline constexpr bool is_pointer<wire::file_pointer<To, Base, Rep>> = true;

template <class T> inline constexpr bool is_record = false;
template <class Codec, auto... LeftOut>
inline constexpr bool is_record<record_fields<Codec, LeftOut...>> = true;

template <class T, class Info, auto... LeftOut> inline constexpr bool is_column =
    !is_pointer<T> && !(Info::template is<LeftOut> || ...);

// Counterpart of wire::field_info for a member of a row.
template <class Row, std::size_t I> struct member_info {
  static constexpr std::string_view name = wire::member_name<Row, I>;
  static constexpr wire::meaning says = wire::meaning::number;
};

// Number of the first field with the same name, for each field of `Codec`. Alternatives of a choice
// may share a member, which has only one column.
template <class Codec> inline constexpr auto first_fields = [] {
  constexpr std::size_t n = [] {
    std::size_t count = 0;
    Codec::walk_absent([&count](auto, const auto&, bool) { ++count; });
    return count;
  }();
  std::array<std::string_view, n> names{};
  std::array<std::size_t, n> first{};
  std::size_t at = 0;
  Codec::walk_absent([&](auto info, const auto&, bool) {
    names[at] = info.name;
    while (names[first[at]] != info.name) ++first[at];
    ++at;
  });
  return first;
}();
template <class Codec> inline constexpr bool shares_members = [] {
  for (std::size_t at = 0; at != first_fields<Codec>.size(); ++at)
    if (first_fields<Codec>[at] != at) return true;
  return false;
}();

template <class Codec, auto... LeftOut, class F>
TRACECODEC_INLINE void each_field(const record_fields<Codec, LeftOut...>& r, F& f) {
  static_assert((describes<Codec, LeftOut>() && ...), "only a field of the record can be left out");
  if constexpr (shares_members<Codec>) {
    constexpr const auto& first = first_fields<Codec>;
    std::array<bool, first.size()> there{};
    std::size_t at = 0;
    Codec::walk_fields(*r.record, [&](auto, const auto&, bool present) {
      if (present) there[first[at]] = true;
      ++at;
    });
    at = 0;
    Codec::walk_fields(*r.record, [&](auto info, const auto& value, bool) {
      using type = std::remove_cvref_t<decltype(value)>;
      if constexpr (is_column<type, decltype(info), LeftOut...>)
        if (first[at] == at) f(info, value, there[at]);
      ++at;
    });
  } else {
    Codec::walk_fields(*r.record, [&f](auto info, const auto& value, bool present) {
      using type = std::remove_cvref_t<decltype(value)>;
      if constexpr (is_column<type, decltype(info), LeftOut...>) f(info, value, present);
    });
  }
}
template <class Codec, auto... LeftOut, class F>
constexpr void each_field_name(std::type_identity<record_fields<Codec, LeftOut...>>, F& f) {
  std::size_t at = 0;
  Codec::walk_absent([&](auto info, const auto& value, bool) {
    using type = std::remove_cvref_t<decltype(value)>;
    if constexpr (is_column<type, decltype(info), LeftOut...>)
      if (first_fields<Codec>[at] == at) f(info, std::type_identity<type>{});
    ++at;
  });
}
}  // namespace detail

// Calls f(info, value, present) for each column of `row`, which is a struct or record_fields.
// info::name and info::says are compile-time constants. If `present` is false, the field is absent
// from its record, and `value` has no meaning.
template <class Row, class F> TRACECODEC_INLINE void each_column(const Row& row, F&& f) {
  if constexpr (detail::is_record<Row>) {
    detail::each_field(row, f);
  } else {
    const auto one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      const auto& value = wire::member_at<I>(row);
      using type = std::remove_cvref_t<decltype(value)>;
      if constexpr (detail::is_record<type>)
        detail::each_field(value, f);
      else if constexpr (!std::is_same_v<type, absent>)
        f(detail::member_info<Row, I>{}, value, true);
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<wire::member_count<Row>>{});
  }
}

// Calls f(info, std::type_identity<T>) for each column of rows of type `Row`. `T` is the type of
// the column's values.
template <class Row, class F> constexpr void each_name(F&& f) {
  if constexpr (detail::is_record<Row>) {
    detail::each_field_name(std::type_identity<Row>{}, f);
  } else {
    const auto one = [&f]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      using type = wire::member_type<Row, I>;
      if constexpr (detail::is_record<type>)
        detail::each_field_name(std::type_identity<type>{}, f);
      else if constexpr (!std::is_same_v<type, absent>)
        f(detail::member_info<Row, I>{}, std::type_identity<type>{});
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }
    (std::make_index_sequence<wire::member_count<Row>>{});
  }
}

// True if rows of type `Row` have at least one column.
template <class Row> inline constexpr bool has_columns = [] {
  bool any = false;
  each_name<Row>([&any](auto, auto) { any = true; });
  return any;
}();

}  // namespace tracecodec::rows
