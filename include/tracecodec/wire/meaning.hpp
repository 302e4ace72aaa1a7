// What a field's value is to a person: decides how rows of text show it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tracecodec::wire {

enum class meaning : std::uint8_t { number, address };

namespace detail {
template <class T>
inline constexpr meaning meaning_of_type = std::is_integral_v<T>&& std::is_unsigned_v<T> &&
                                                   sizeof(T) == 8
                                               ? meaning::address
                                               : meaning::number;
template <class T, std::size_t N> inline constexpr meaning meaning_of_type<std::array<T, N>> =
    meaning_of_type<T>;
}  // namespace detail

// Unless the description says otherwise (address_field, number_field): a whole unsigned word of 64
// bits, or an array of them, holds addresses or the contents of registers. Bit slices, signed and
// narrower fields are numbers.
template <class Member> inline constexpr meaning usual_meaning = detail::meaning_of_type<Member>;

// What record::walk_fields tells of a field.
template <class Item> struct field_info {
  static constexpr std::string_view name = Item::label;
  static constexpr meaning says = Item::says;
  // Whether the field is member `M`.
  template <auto M> static constexpr bool is = [] {
    if constexpr (requires { Item::template is<M>; })
      return Item::template is<M>;
    else
      return Item::template has<M>;
  }();
};

}  // namespace tracecodec::wire
