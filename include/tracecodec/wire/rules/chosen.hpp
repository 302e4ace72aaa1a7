// Records whose choice (choice.hpp) is already made. From one description, a separate record type
// is derived for each alternative.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "../describe.hpp"
#include "../plain_record.hpp"
#include "choice.hpp"

namespace tracecodec::wire {

namespace detail {
template <auto Value> struct no_alternative_has_this_tag {
  static_assert(never<constant_type<Value>>, "no alternative of the choice has that tag");
  static constexpr std::size_t value = 0;
};
template <auto M> struct no_alternative_has_this_member {
  static_assert(never<constant_type<M>>, "no alternative of the choice has that member");
  static constexpr std::size_t value = 0;
};

// Placeholder without bytes for members that belong only to other alternatives.
struct nothing_there : padding<0> {
  static constexpr void describe(row_list&, layout_row) {}
};
template <class Chosen, class... Alternatives> struct left_out {
  using owner = void;
  template <class> using bind = nothing_there;
  static consteval int mentions(std::string_view member) {
    return Chosen::mentions(member) == 0 && (Alternatives::mentions(member) + ...) != 0 ? 1 : 0;
  }
  static consteval int loads(std::string_view) { return 0; }
};

// Choice among the items of a record, with the items before and after the choice.
template <class Before, class... Items> struct choice_of;
template <class... Before, auto Tag, class... A, class... After>
struct choice_of<type_list<Before...>, choice<Tag, A...>, After...> {
  using owner = first_owner<typename Before::owner..., typename A::owner...>;
  using tag_type =
      std::remove_cvref_t<decltype(detail::evaluate<Tag>(std::declval<const owner&>()))>;

  // Number of alternatives. `of_tag` is the index of the first alternative that matches a tag.
  // `with_member` marks the alternatives that have a member.
  static constexpr std::size_t count = sizeof...(A);
  static constexpr std::size_t first(std::array<bool, count> fits) noexcept {
    std::size_t i = 0;
    while (i != count && !fits[i]) ++i;
    return i;
  }
  template <auto Value>
  static constexpr std::size_t of_tag = first({A::matches(as_member<tag_type>(Value.value))...});
  template <auto M>
  static constexpr std::array<bool, count> with_member{A::mentions(name_of<M>) != 0 ...};

  template <class Chosen, class... Items> static auto with(type_list<Items...>)
      -> fields<Before..., left_out<Chosen, A...>, Items..., After...>;
  template <std::size_t I> using alternative = std::tuple_element_t<I, std::tuple<A...>>;
  template <std::size_t I> using fields_of =
      decltype(with<alternative<I>>(typename alternative<I>::items{}));

  template <auto M> TRACECODEC_INLINE static constexpr bool has(const tag_type& tag) noexcept {
    bool found = false;
    static_cast<void>(((A::matches(tag) && (found = A::mentions(name_of<M>) != 0, true)) || ...));
    return found;
  }
};
template <class... Before, class Next, class... After>
struct choice_of<type_list<Before...>, Next, After...>
    : choice_of<type_list<Before..., Next>, After...> {};

template <class Record> struct record_with_choice;
template <class... Items, order O, placement P, target T>
struct record_with_choice<record<fields<Items...>, O, P, T>> : choice_of<type_list<>, Items...> {
  template <class What> using like = record<What, O, P, T>;
};

// Description in which the choice is already made. (It is a named type, because the equivalent
// fields<...> would have a long name.)
template <class Record, std::size_t I> struct choice_made;
template <class Record, std::size_t I, class Policy>
struct described<choice_made<Record, I>, Policy>
    : described<typename record_with_choice<Record>::template fields_of<I>, Policy> {};
template <class Record, std::size_t I> struct value_described<choice_made<Record, I>>
    : value_of<Record> {};
template <class Record, std::size_t I> using made =
    typename record_with_choice<Record>::template like<choice_made<Record, I>>;

template <class Record, auto Value> inline constexpr std::size_t index_of_tag = [] {
  using choice = record_with_choice<Record>;
  constexpr std::size_t i = choice::template of_tag<Value>;
  if constexpr (i == choice::count)
    return no_alternative_has_this_tag<Value.value>::value;
  else
    return i;
}();
template <class Record, auto M> inline constexpr std::size_t index_of_member = [] {
  using choice = record_with_choice<Record>;
  constexpr std::size_t i = choice::first(choice::template with_member<M>);
  if constexpr (i == choice::count)
    return no_alternative_has_this_member<M>::value;
  else
    return i;
}();

// Offset of member `M` if the front contains the member, otherwise the offset of the front's end.
template <class Made, auto M> inline constexpr std::size_t begin_of = [] {
  if constexpr (Made::front::template has<M>)
    return Made::template offset_of<M>;
  else
    return Made::front_size;
}();
// Returns true if alternative `I` does not have member `M`, or has `M` at the same offset as the
// first alternative with `M`.
template <class Record, auto M, std::size_t I> consteval bool in_its_place() {
  if constexpr (record_with_choice<Record>::template with_member<M>[I])
    return begin_of<made<Record, I>, M> == begin_of<made<Record, index_of_member<Record, M>>, M>;
  else
    return true;
}
template <class Record, auto M, std::size_t... I>
consteval bool in_one_place(std::index_sequence<I...>) {
  return (in_its_place<Record, M, I>() && ...);
}
template <class Record, auto M> struct made_for {
  static_assert(
      in_one_place<Record, M>(std::make_index_sequence<record_with_choice<Record>::count>{}),
      "the alternatives that have the member have it in different places");
  using type = made<Record, index_of_member<Record, M>>;
};
}  // namespace detail

// Variant of `Record` in which the alternative that tag `Value` selects replaces the choice. The
// tag remains a field. The caller must check the tag before decoding.
template <class Record, detail::constant_value Value> using chosen =
    detail::made<Record, detail::index_of_tag<Record, Value>>;

// Variant of `Record` in which the first alternative with member `M` replaces the choice. All
// alternatives with `M` must have `M` at the same offset.
template <class Record, auto M> using chosen_with = typename detail::made_for<Record, M>::type;

// Returns true if a `Record` with this tag has member `M`, which belongs to one or more
// alternatives of the choice.
template <class Record, auto M> TRACECODEC_INLINE constexpr bool tag_has(
    const typename detail::record_with_choice<Record>::tag_type& tag) noexcept {
  return detail::record_with_choice<Record>::template has<M>(tag);
}

}  // namespace tracecodec::wire
