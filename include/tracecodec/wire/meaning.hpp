// Meaning of a field's value for human readers. It determines how rows of text show the value.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "../config.hpp"

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

// Meaning of a field whose description does not specify a meaning (address_field, number_field).
// Unsigned 64-bit integers, and arrays of such integers, count as addresses, because they usually
// contain addresses or registers. Bit slices, signed fields and narrower fields are numbers.
template <class Member> inline constexpr meaning usual_meaning = detail::meaning_of_type<Member>;

// Compile-time facts about a field, which record::walk_fields passes to its callback.
template <class Item> struct field_info {
  static constexpr std::string_view name = Item::label;
  static constexpr meaning says = Item::says;
  // True if the field stores member `M`.
  template <auto M> static constexpr bool is = [] {
    if constexpr (requires { Item::template is<M>; })
      return Item::template is<M>;
    else
      return Item::template has<M>;
  }();
};

}  // namespace tracecodec::wire
