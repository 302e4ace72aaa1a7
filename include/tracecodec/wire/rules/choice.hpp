// Choice between several parts. The choice depends on a tag that decode has already read.
#pragma once
#include <type_traits>

#include "constant.hpp"
#include "engine/dispatch.hpp"
#include "sized.hpp"

namespace tracecodec::wire {

namespace detail {
// Common base class of alternatives.
template <class... Items> struct alternative_of : with_parts<Items...> {
  static constexpr bool matches_all = false;
  template <class Policy> using parts = parts_t<Policy, Items...>;
  template <class Place> static constexpr bool in_order = parts_in_order<Place, Items...>::value;
  static constexpr bool empty = sizeof...(Items) == 0;
  // Least and greatest value of an alternative that matches a range.
  using limits = type_list<>;
};
}  // namespace detail

// Several values of a tag, which are specified as in constant<>.
template <detail::constant_value... Values> struct values {};

namespace detail {
// Test of a tag for `Value`.
template <constant_value Value> struct tag_is {
  using tests = type_list<tag_is>;
  static constexpr auto value = Value.value;
  static constexpr layout_part part{
      part_of::on, {}, number_text(Value.value), constant_values<Value>::value.chars, {}};
  template <class Tag> static consteval Tag expected() {
    static_assert(can_have<Tag>(Value.value), "the value of an on<> does not fit the tag's type");
    return as_member<Tag>(Value.value);
  }
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    constexpr Tag value_of_tag = expected<Tag>();
    return tag == value_of_tag;
  }
};
template <class Values> struct tag_is_any {
  static_assert(never<Values>, "the first argument of on_any<> is values<a, b...>");
  using tests = type_list<>;
  static constexpr layout_part part{};
  template <class Tag> static constexpr bool matches(const Tag&) noexcept { return false; }
};
template <constant_value... V> struct tag_is_any<values<V...>> {
  static_assert(sizeof...(V) != 0, "values<> lists at least one value");
  using tests = type_list<tag_is<V>...>;
  static constexpr std::array<layout_part, sizeof...(V)> parts_of_values{tag_is<V>::part...};
  static constexpr layout_part part{
      .what = part_of::on, .any = parts_of_values.data(), .values = sizeof...(V)};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    return (tag_is<V>::matches(tag) || ...);
  }
};
}  // namespace detail

// Alternatives of a choice. on<> matches if the tag is `Value`, which is specified as in
// constant<>. on_any<> matches the tags of values<a, b...>. on_range<> matches tags from `First` to
// `Last`. otherwise<> matches every tag.
template <detail::constant_value Value, class... Items>
struct on : detail::alternative_of<Items...>, detail::tag_is<Value> {};
template <class Values, class... Items> struct on_any : detail::alternative_of<Items...>,
                                                        detail::tag_is_any<Values> {};
template <auto First, auto Last, class... Items> struct on_range
    : detail::alternative_of<Items...> {
  using tests = detail::type_list<>;
  using limits = detail::type_list<detail::tag_is<First>, detail::tag_is<Last>>;
  static_assert(!(Last < First), "the range of tags is empty: the first is above the last");
  static constexpr layout_part part{
      part_of::on, {}, detail::number_text(First), {}, detail::number_text(Last)};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    return detail::is_in_range<First, Last>(tag);
  }
};
template <class... Items> struct otherwise : detail::alternative_of<Items...> {
  using tests = detail::type_list<>;
  static constexpr bool matches_all = true;
  static constexpr layout_part part{part_of::otherwise, {}, {}, {}};
  template <class Tag> static constexpr bool matches(const Tag&) noexcept { return true; }
};

namespace detail {
// Compile errors about the alternatives of a choice. Compilers print the template argument, which
// contains the tag's name.
template <class Name> consteval bool this_choice_has_an_invalid_alternative() {
  static_assert(never<Name>,
                "the alternatives of a choice are on<value, items...>, on_any<values<a, b...>, "
                "items...>, on_range<first, last, items...> and, as the last one, "
                "otherwise<items...>");
  return true;
}
template <class Name> consteval bool this_choice_has_a_value_twice() {
  static_assert(never<Name>, "two alternatives of a choice are for the same value");
  return true;
}
template <class A, class B> consteval bool same_value() {
  if constexpr (!requires { A::value == B::value; })
    return false;
  else
    return A::value == B::value;
}
template <class... A> inline constexpr bool good_alternatives = true;
template <class First, class... Rest> inline constexpr bool good_alternatives<First, Rest...> = [] {
  if constexpr (requires { First::matches_all; })
    return (!First::matches_all || sizeof...(Rest) == 0) && good_alternatives<Rest...>;
  else
    return false;
}();
template <class Tests> inline constexpr bool some_value_twice = false;
template <class First, class... Rest>
inline constexpr bool some_value_twice<type_list<First, Rest...>> =
    (same_value<First, Rest>() || ...) || some_value_twice<type_list<Rest...>>;
template <auto Tag> struct tag_label {
  static constexpr std::string_view label = label_or<Tag>("choice");
};
template <auto Tag, class... A> consteval bool alternatives_are_good() {
  if constexpr (sizeof...(A) == 0 || !good_alternatives<A...>)
    return this_choice_has_an_invalid_alternative<quoted_t<label_of<tag_label<Tag>>>>();
  else if constexpr (some_value_twice<typename joined<type_list<>, typename A::tests...>::type>)
    return this_choice_has_a_value_twice<quoted_t<label_of<tag_label<Tag>>>>();
  else
    return true;
}

template <class Name, class Tag, auto... Value> consteval bool this_tag_cannot_have_the_value() {
  static_assert(never<Name>,
                "the value of an alternative does not fit the tag's type: it is a number in the "
                "tag's range, an enumerator of the tag's enumeration, or a text of as many "
                "characters");
  return true;
}
template <class Name, class Tag, class Test> consteval bool tag_can_have_value() {
  if constexpr (can_have<Tag>(Test::value))
    return true;
  else if constexpr (is_std_array<std::remove_cv_t<decltype(Test::value)>>)
    return this_tag_cannot_have_the_value<Name, Tag>();
  else
    return this_tag_cannot_have_the_value<Name, Tag, Test::value>();
}
template <class Name, class Tag, class... Test>
consteval bool tag_can_have_values(type_list<Test...>) {
  return (tag_can_have_value<Name, Tag, Test>() && ...);
}
// Returns true if the tag can have the values of all alternatives.
template <auto Tag, class S, class... A> consteval bool tags_are_good() {
  if constexpr (std::is_invocable_v<decltype(Tag), const S&>)
    return tag_can_have_values<quoted_t<label_of<tag_label<Tag>>>,
                               std::remove_cvref_t<std::invoke_result_t<decltype(Tag), const S&>>>(
        typename joined<type_list<>, typename A::tests..., typename A::limits...>::type{});
  else
    return true;
}

// Parts of an alternative without items. All functions do nothing.
struct no_parts {
  static constexpr bool placed = false;
  static constexpr bool absolute = false;
  static constexpr bool sized = false;
  static constexpr bool greedy = false;
  static constexpr bool nests_records = false;
  struct evaluated {};
  using computed = type_list<>;
  template <class...> static consteval bool is_unaffected_by() { return true; }
  template <class S, class Notes>
  static constexpr std::size_t scan(S&, std::size_t at, const scan_input&, Notes&) noexcept {
    return at;
  }
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S> static constexpr errc prepare_at(const S&, evaluated&, item_offset) noexcept {
    return errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, const evaluated&, extent_type, Notes&) noexcept {
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, const evaluated&, const byte*) noexcept {
    return p;
  }
  template <class S> static constexpr failure unfit_at(const S&, std::size_t at) noexcept {
    return {at};
  }
  template <class Notes> static constexpr void note_absent(std::size_t, Notes&) noexcept {}
  template <class S, class F> static constexpr void walk(S&, F&, bool) {}
  static constexpr void describe(row_list&, const layout_row&) {}
};
template <class... X> struct appended<bound_sections<X...>, no_parts> {
  using type = bound_sections<X...>;
};
template <class Policy, class On> struct parts_of { using type = no_parts; };
template <class Policy, class On>
requires(!On::empty) struct parts_of<Policy, On> {
  using type = typename On::template parts<Policy>;
};

template <class On, class Parts> struct alternative {
  using on = On;
  using parts = Parts;
  static constexpr void describe(row_list& list, const layout_row& r) {
    list.begin(On::part, r);
    Parts::describe(list, r);
    list.end();
  }
};

template <auto Tag, class... A> struct bound_choice {
  static constexpr bool placed = (A::parts::placed || ...);
  static constexpr bool absolute = (A::parts::absolute || ...);
  static constexpr bool sized = (A::parts::sized || ...);
  static constexpr bool greedy = (A::parts::greedy || ...);
  static constexpr bool nests_records = (A::parts::nests_records || ...);
  static constexpr bool is_choice = true;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = tag_label<Tag>::label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename joined<typename A::parts::computed...>::type>;

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Tag, Sizes...>() &&
           (A::parts::template is_unaffected_by<Sizes...>() && ...);
  }

  using indices = std::index_sequence_for<A...>;
  // Chosen alternative, with its evaluated counts and conditions. `size` is set unless the size
  // depends on the offset of the part in its record.
  struct evaluated {
    std::size_t chosen;
    extent_type size;
    evaluated_items<indices, typename A::parts...> inside;
  };

  // Returns f(std::type_identity<parts>) for the alternative that the tag selects, or none() if no
  // alternative matches. The tag is evaluated once.
  template <class S, class F, class None>
  TRACECODEC_INLINE static constexpr auto with_chosen(const S& s, F&& f, None&& none) noexcept {
    return dispatch<A...>::by_tag(
        detail::evaluate<Tag>(s),
        [&]<std::size_t I>(std::integral_constant<std::size_t, I>)
            __attribute__((always_inline)) { return f(std::type_identity<parts_at<I>>{}); },
        none);
  }

  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    // First records all items as absent. The scan below then records the items that are present.
    note_absent(at, notes);
    return with_chosen(
        s,
        [&]<class Parts>(std::type_identity<Parts>)
            __attribute__((always_inline)) { return Parts::scan(s, at, in, notes); },
        [&] { return fail(notes, at, unknown_tag, &label); });
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    if constexpr (notes_absent<Notes>) (A::parts::note_absent(at, notes), ...);
  }
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return prepare_chosen(s, a, {}, detail::evaluate<Tag>(s));
  }
  template <class S>
  static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept requires absolute {
    return prepare_chosen(s, a, at, detail::evaluate<Tag>(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type at, Notes& notes) noexcept {
    if constexpr (!placed && !Notes::wanted) return a.size;
    note_absent(static_cast<std::size_t>(at), notes);
    extent_type n = 0;
    with(a, [&]<class X>(std::type_identity<X>, const auto& inside) {
      n = X::written(s, inside, at, notes);
    });
    return n;
  }
  template <class S> static constexpr byte* store(const S& s, byte* p, const evaluated& a,
                                                  const byte* begin) noexcept {
    with(a, [&]<class X>(std::type_identity<X>, const auto& inside) {
      p = X::store(s, p, inside, begin);
    });
    return p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    evaluated a{};
    a.chosen = index_of(detail::evaluate<Tag>(s), indices{});
    with(a, [&]<class X>(std::type_identity<X>, const auto&) { r = X::unfit_at(s, at); });
    return r;
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    const std::size_t chosen =
        present ? index_of(detail::evaluate<Tag>(s), indices{}) : sizeof...(A);
    std::size_t i = 0;
    (A::parts::walk(s, f, chosen == i++), ...);
  }
  static constexpr layout_part part{part_of::choice, member_text<Tag>, {}, {}};
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part, r);
    (A::describe(list, r), ...);
    list.end();
  }

 private:
  template <std::size_t I> using parts_at = typename dispatch<A...>::template alternative<I>::parts;
  template <class S, class T>
  TRACECODEC_INLINE static constexpr errc prepare_chosen(S& s, evaluated& a,
                                                         [[maybe_unused]] item_offset at,
                                                         const T& tag) noexcept {
    return dispatch<A...>::by_tag(
        tag,
        [&]<std::size_t I>(std::integral_constant<std::size_t, I>) __attribute__((always_inline)) {
          using parts = parts_at<I>;
          auto& inside = evaluated_at<I>(a.inside);
          a.chosen = I;
          errc e{};
          if constexpr (parts::absolute)
            e = parts::prepare_at(s, inside, at);
          else
            e = parts::prepare(s, inside);
          no_notes none{};
          if constexpr (!placed) a.size = parts::written(s, inside, 0, none);
          return e;
        },
        [] { return errc::invalid_value; });
  }
  template <class T, std::size_t... I>
  static constexpr std::size_t index_of(const T& tag, std::index_sequence<I...>) noexcept {
    std::size_t at = sizeof...(A);
    static_cast<void>(((A::on::matches(tag) && (at = I, true)) || ...));
    return at;
  }
  // Calls `f` with the parts of the chosen alternative and their evaluated counts and conditions.
  template <class Value, class F>
  TRACECODEC_INLINE static constexpr void with(Value& a, F&& f) noexcept {
    dispatch<A...>::by_index(
        a.chosen,
        [&]<std::size_t I>(std::integral_constant<std::size_t, I>) __attribute__((always_inline)) {
          f(std::type_identity<parts_at<I>>{}, evaluated_at<I>(a.inside));
        },
        [] {});
  }
};
}  // namespace detail

// Choice of one alternative among on<value, items...>, on_any<values<a, b...>, items...>,
// on_range<first, last, items...> and otherwise<items...>. `Tag` (&S::member, &S::function or a
// callable) selects the first alternative that matches. Members of the other alternatives keep
// their values. If no alternative matches the tag, the error is invalid_value.
template <auto Tag, class... Alternatives> struct choice {
  static_assert(detail::alternatives_are_good<Tag, Alternatives...>());
  using owner = detail::first_owner<typename Alternatives::owner...>;
  using items = detail::type_list<Alternatives...>;
  template <class Policy> using bind = detail::bound_choice<
      Tag,
      detail::alternative<Alternatives, typename detail::parts_of<Policy, Alternatives>::type>...>;
  // Returns the maximum over the alternatives, not the sum: a member may appear in several
  // alternatives, of which one is present.
  static consteval int mentions(std::string_view member) {
    int most = 0;
    ((most = Alternatives::mentions(member) > most ? Alternatives::mentions(member) : most), ...);
    return most;
  }
  static consteval int loads(std::string_view member) {
    return (Alternatives::loads(member) + ...);
  }
  static consteval bool is_parameter(std::string_view member) {
    return (Alternatives::is_parameter(member) || ...);
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Tag, Place>() &&
           detail::tags_are_good<Tag, typename Place::record, Alternatives...>() &&
           (Alternatives::template in_order<Place> && ...);
  }
};

}  // namespace tracecodec::wire
