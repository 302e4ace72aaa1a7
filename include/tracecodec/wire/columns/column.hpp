// One column for columns.hpp: a member, its bytes in a record, and the type of the column's
// elements.
#pragma once
#include <string_view>
#include <type_traits>
#include <utility>

#include "../record.hpp"

namespace tracecodec::wire {

// Entry in the list of members of `columns`. The column of member `P` has elements of type `T`
// instead of the member's own type. `T` is an integer or an enumeration that can hold every value
// of the member. If the member is a bool, every nonzero element means true.
template <auto P, class T> struct column_as {
  static_assert(scalar_value<T> && !std::is_floating_point_v<T> && scalar_value<member_t<P>> &&
                    !std::is_floating_point_v<member_t<P>>,
                "only integers, enumerations and bools can have columns of another type");
  friend constexpr bool operator==(const column_as&, const column_as&) = default;
};
template <auto P, class T> inline constexpr column_as<P, T> as{};

namespace detail {
// Returns the index of member `name` of `S`, or the number of members if `S` has no such member.
template <class S> constexpr std::size_t member_index(std::string_view name) noexcept {
  return [name]<std::size_t... I>(std::index_sequence<I...>) {
    std::size_t i = 0;
    static_cast<void>(((member_name<S, I> != name && (++i, true)) && ...));
    return i;
  }
  (std::make_index_sequence<member_count<S>>{});
}

// True if decode accepts every value of `Item` and leaves the value unchanged. Columns support only
// such items.
template <class Item> inline constexpr bool places_values = false;
template <class Access, class W, meaning Says>
inline constexpr bool places_values<bound_field<Access, W, Says>> = !may_refuse<W>;
template <class W, class... B> inline constexpr bool places_values<bound_slices<W, B...>> =
    !bound_slices<W, B...>::refuses;
template <std::size_t N> inline constexpr bool places_values<padding<N>> = true;
template <auto P> inline constexpr bool places_values<not_on_wire<P>> = true;
template <class Front, std::size_t... I>
constexpr bool all_place_values(std::index_sequence<I...>) {
  return (places_values<typename Front::template item<I>> && ...);
}

// Column of member `I` of the struct that `Codec` describes, with elements of type `T`.
template <class Codec, std::size_t I, class T> struct column {
  using value_type = member_type<typename Codec::value_type, I>;
  using element = T;
  static constexpr std::string_view name = member_name<typename Codec::value_type, I>;

  // Item that stores the member, and the item's index in the first section of the record.
  using front = typename Codec::front;
  static constexpr std::size_t index = front::item_of(name);
  static_assert(index < front::count, "no field of this record holds that member");
  using item = typename front::template item<index>;
  using codec = typename item::codec;
  using word = typename codec::value_type;
  static constexpr std::size_t offset = front::offsets[index];
  // True if the element is extracted from an integer: a bit slice or another scalar. Arrays and
  // structs are instead decoded directly into the column.
  static constexpr bool is_scalar = scalar_value<word>;
  static constexpr bool is_slice = requires { item::slice_of(name, offset); };
  static constexpr slice place = [] {
    if constexpr (is_slice)
      return item::slice_of(name, offset);
    else
      return slice{offset, 0, 8 * codec::size};
  }();
  static constexpr bool is_bool = std::is_same_v<integer_t<value_type>, bool>;
  static constexpr bool same_type = std::is_same_v<T, value_type>;
  static_assert(same_type || (is_bool ? std::is_unsigned_v<integer_t<T>>
                                      : std::is_signed_v<integer_t<T>> ==
                                            std::is_signed_v<integer_t<value_type>>),
                "a column is signed if its member is signed, and unsigned otherwise");
  static_assert(same_type || is_bool || 8 * sizeof(T) >= place.width,
                "the column is narrower than its member: decoding would lose bits");

  // Masks of the slice. `mask` selects the slice's bits in the word. `low_mask` selects as many
  // bits, starting at bit 0.
  static constexpr auto low_mask = [] {
    if constexpr (is_slice)
      return static_cast<word>(static_cast<word>(~word{}) >> (8 * sizeof(word) - place.width));
    else
      return 0;
  }();
  static constexpr auto mask = [] {
    if constexpr (is_slice)
      return static_cast<word>(low_mask << place.low_bit);
    else
      return 0;
  }();

  // Extracts the element from the word `w`.
  TRACECODEC_INLINE static constexpr T in(word w) noexcept requires is_scalar {
    if constexpr (is_slice && is_bool && (place.width != 1 || same_type))
      return static_cast<T>((w & mask) != 0);
    else if constexpr (is_slice)
      return static_cast<T>(static_cast<integer_t<T>>((w >> place.low_bit) & low_mask));
    else
      return static_cast<T>(w);
  }
  // Decodes the element from the record at `p`.
  TRACECODEC_INLINE static constexpr void load(T& to, const byte* p) noexcept {
    if constexpr (is_scalar)
      to = in(codec::load(p + offset));
    else if constexpr (requires { codec::load_into(to, p + offset); })
      codec::load_into(to, p + offset);
    else
      to = codec::load(p + offset);
  }

  // Returns true if the field or bit slice can hold element `v`. `always_fits` is true if it can
  // hold every value of type `T`.
  TRACECODEC_INLINE static constexpr bool fits(const T& v) noexcept {
    if constexpr (always_fits)
      return true;
    else if constexpr (is_slice)
      return static_cast<integer_t<T>>(v) <= low_mask;
    else
      return codec::fits(v);
  }
  static constexpr bool always_fits = [] {
    if constexpr (!is_scalar)
      return false;
    else if constexpr (is_slice)
      return is_bool || 8 * sizeof(T) <= place.width;
    else
      return is_bool || std::is_same_v<T, word>;
  }();
  // Returns a word in which only the bits of the element are set. The element must fit.
  TRACECODEC_INLINE static constexpr word to_word(const T& v) noexcept requires is_scalar {
    if constexpr (is_bool && is_slice)
      return static_cast<word>(static_cast<word>(v != T{}) << place.low_bit);
    else if constexpr (is_bool)
      return static_cast<word>(v != T{});
    else if constexpr (is_slice)
      return static_cast<word>(static_cast<word>(v) << place.low_bit);
    else
      return static_cast<word>(v);
  }
};

// Maps an entry of a list of columns to a `column`. The entry is &S::member or as<&S::member, T>.
template <class Codec, class What> struct column_of;
template <class Codec, auto P> using pointer_column =
    column<Codec, member_index<typename Codec::value_type>(name_of<P>), member_t<P>>;
template <class> struct named_column;
template <auto P, class T> struct named_column<const column_as<P, T>> {
  template <class Codec> using type =
      column<Codec, member_index<typename Codec::value_type>(name_of<P>), T>;
};
template <class Codec, auto P> struct listed_column {
  static consteval auto of() {
    if constexpr (std::is_member_object_pointer_v<decltype(P)>)
      return std::type_identity<pointer_column<Codec, P>>{};
    else
      return std::type_identity<typename named_column<const decltype(P)>::template type<Codec>>{};
  }
  using type = typename decltype(of())::type;
};
}  // namespace detail

}  // namespace tracecodec::wire
