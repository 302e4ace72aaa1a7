// A record whose choice (choice.hpp) is made: one description, and of it a record for each alternative.
#pragma once
#include <string_view>
#include <type_traits>

#include "choice.hpp"
#include "describe.hpp"
#include "record.hpp"

namespace tracecodec::wire {

namespace detail {
template <auto Value> struct no_alternative_has_this_tag {
  static_assert(never<constant_type<Value>>, "no alternative of the choice is for that tag");
  using type = otherwise<>;
};
// The first of `Alternatives` that a tag chooses.
template <auto Value, class Tag, class... Alternatives> struct first_match
    : no_alternative_has_this_tag<Value.value> {};
template <auto Value, class Tag, class First, class... Rest>
struct first_match<Value, Tag, First, Rest...>
    : std::conditional_t<First::matches(as_member<Tag>(Value.value)), std::type_identity<First>,
                         first_match<Value, Tag, Rest...>> {};

// What a record lacks whose choice is made: the members that only the other alternatives have.
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

// The choice among the items of a record, with those that stand before it and behind it.
template <class Before, class... Items> struct choice_of;
template <class... Before, auto Tag, class... A, class... Behind>
struct choice_of<type_list<Before...>, choice<Tag, A...>, Behind...> {
  using tag_type = member_t<Tag>;
  template <class Chosen, class... Items> static auto with(type_list<Items...>)
      -> fields<Before..., left_out<Chosen, A...>, Items..., Behind...>;
  template <auto Value> using match = typename first_match<Value, tag_type, A...>::type;
  template <auto Value> using fields_of =
      decltype(with<match<Value>>(typename match<Value>::items{}));
  template <auto M> TRACECODEC_INLINE static constexpr bool has(const tag_type& tag) noexcept {
    bool found = false;
    static_cast<void>(((A::matches(tag) && (found = A::mentions(name_of<M>) != 0, true)) || ...));
    return found;
  }
};
template <class... Before, class Next, class... Behind>
struct choice_of<type_list<Before...>, Next, Behind...>
    : choice_of<type_list<Before..., Next>, Behind...> {};

template <class Record> struct record_with_choice;
template <class... Items, order O, placement P, target T>
struct record_with_choice<record<fields<Items...>, O, P, T>> : choice_of<type_list<>, Items...> {
  template <class What> using like = record<What, O, P, T>;
};

// A description whose choice is made. (A name of its own: those of its fields are long.)
template <class Record, constant_value Value> struct choice_made;
template <class Record, auto Value, class Policy>
struct described<choice_made<Record, Value>, Policy>
    : described<typename record_with_choice<Record>::template fields_of<Value>, Policy> {};
}  // namespace detail

// `Record` where its choice, by a member, is made: with the items of the alternative that tag `Value`
// chooses in the choice's place. It is for who has looked at the tag, which is a field as it was.
template <class Record, detail::constant_value Value> using chosen =
    typename detail::record_with_choice<Record>::template like<detail::choice_made<Record, Value>>;

// Whether a `Record` with that tag has the member `M`, which alternatives of its choice have.
template <class Record, auto M> TRACECODEC_INLINE constexpr bool tag_has(
    const typename detail::record_with_choice<Record>::tag_type& tag) noexcept {
  return detail::record_with_choice<Record>::template has<M>(tag);
}

}  // namespace tracecodec::wire
