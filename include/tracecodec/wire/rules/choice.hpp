// Choice between several parts by a tag that decode has read before.
#pragma once
#include <type_traits>

#include "constant.hpp"
#include "limited.hpp"

namespace tracecodec::wire {

namespace detail {
// Common base class of alternatives.
template <class... Items> struct alternative_of : with_parts<Items...> {
  static constexpr bool matches_all = false;
  template <class Policy> using parts = parts_t<Policy, Items...>;
  template <class Place> static constexpr bool in_order = parts_in_order<Place, Items...>::value;
  static constexpr bool empty = sizeof...(Items) == 0;
  using items = type_list<Items...>;
};
}  // namespace detail

// Alternatives of a choice. on<> matches if the tag is `Value`, which is specified as in
// constant<>. on_range<> matches tags from `First` to `Last`. otherwise<> matches every tag.
template <detail::constant_value Value, class... Items> struct on
    : detail::alternative_of<Items...> {
  static constexpr auto value = Value.value;
  static constexpr layout_part part{part_of::on,
                                    {},
                                    detail::number_text(Value.value),
                                    detail::constant_values<Value>::value.chars,
                                    {}};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    static_assert(detail::can_have<Tag>(Value.value),
                  "the value of an on<> does not fit the tag's type");
    constexpr Tag expected = detail::as_member<Tag>(Value.value);
    return tag == expected;
  }
};
template <auto First, auto Last, class... Items> struct on_range
    : detail::alternative_of<Items...> {
  static_assert(!(Last < First), "the range of tags is empty: the first is above the last");
  static constexpr layout_part part{
      part_of::on, {}, detail::number_text(First), {}, detail::number_text(Last)};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    return detail::is_in_range<First, Last>(tag);
  }
};
template <class... Items> struct otherwise : detail::alternative_of<Items...> {
  static constexpr bool matches_all = true;
  static constexpr layout_part part{part_of::otherwise, {}, {}, {}};
  template <class Tag> static constexpr bool matches(const Tag&) noexcept { return true; }
};

namespace detail {
// Compile errors about the alternatives of a choice. g++ prints the tag's name first, clang prints
// the message first.
template <class Name> struct this_choice_has_something_else {
  static_assert(never<Name>,
                "the alternatives of a choice are on<value, items...>, on_range<first, last, "
                "items...> and, as the last one, otherwise<items...>");
  static constexpr bool good = true;
};
template <class Name> struct this_choice_has_a_value_twice {
  static_assert(never<Name>, "two alternatives of a choice are for the same value");
  static constexpr bool good = true;
};
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
template <class... A> inline constexpr bool some_value_twice = false;
template <class First, class... Rest> inline constexpr bool some_value_twice<First, Rest...> =
    (same_value<First, Rest>() || ...) || some_value_twice<Rest...>;
template <auto Tag> struct tag_label {
  static constexpr std::string_view label = [] {
    if constexpr (std::is_member_object_pointer_v<decltype(Tag)>)
      return name_of<Tag>;
    else
      return std::string_view("choice");
  }();
};
template <auto Tag, class... A> consteval bool alternatives_are_good() {
  if constexpr (!good_alternatives<A...>)
    return this_choice_has_something_else<quoted_t<label_of<tag_label<Tag>>>>::good;
  else if constexpr (some_value_twice<A...>)
    return this_choice_has_a_value_twice<quoted_t<label_of<tag_label<Tag>>>>::good;
  else
    return true;
}

// Parts of an alternative without items. All functions do nothing.
struct no_parts {
  static constexpr bool placed = false;
  static constexpr bool sized = false;
  static constexpr bool greedy = false;
  struct answer {};
  using computed = type_list<>;
  template <class S, class Notes>
  static constexpr scan_result scan(S&, std::size_t at, const scan_input&, Notes&) noexcept {
    return {at};
  }
  template <class S> static constexpr errc prepare(const S&, answer&) noexcept { return errc::ok; }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, const answer&, extent_type, Notes&) noexcept {
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, const answer&, const byte*) noexcept {
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
  static constexpr bool sized = (A::parts::sized || ...);
  static constexpr bool greedy = (A::parts::greedy || ...);
  static constexpr bool is_choice = true;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr std::string_view label = tag_label<Tag>::label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename joined<typename A::parts::computed...>::type>;

  using indices = std::index_sequence_for<A...>;
  // Chosen alternative, with its evaluated counts and conditions. `size` is set unless the size
  // depends on the offset of the part in its record.
  struct answer {
    std::size_t chosen;
    extent_type size;
    answers_of<indices, typename A::parts...> inside;
  };

  // Returns f(std::type_identity<parts>) for the alternative that the tag selects, or none() if no
  // alternative matches. The tag is evaluated once.
  template <class S, class F, class None>
  TRACECODEC_INLINE static constexpr auto with_chosen(const S& s, F&& f, None&& none) noexcept {
    return with_chosen_of<A...>(detail::ask<Tag>(s), f, none);
  }

  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const auto tag = detail::ask<Tag>(s);
    // All items are noted as absent first. The scan below notes the present items again.
    note_absent(at, notes);
    scan_result r{at, unknown_tag, &label};
    static_cast<void>(
        ((A::on::matches(tag) && (r = A::parts::scan(s, at, in, notes), true)) || ...));
    return r;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    if constexpr (notes_absent<Notes>) (A::parts::note_absent(at, notes), ...);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    return prepare(s, a, detail::ask<Tag>(s), indices{});
  }
  template <class S, class Notes> static constexpr extent_type written(const S& s, const answer& a,
                                                                       extent_type at,
                                                                       Notes& notes) noexcept {
    if constexpr (!placed && !Notes::wanted) return a.size;
    note_absent(static_cast<std::size_t>(at), notes);
    extent_type n = 0;
    with(a, indices{}, [&]<class X>(std::type_identity<X>, const auto& inside) {
      n = X::written(s, inside, at, notes);
    });
    return n;
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte* begin) noexcept {
    with(a, indices{}, [&]<class X>(std::type_identity<X>, const auto& inside) {
      p = X::store(s, p, inside, begin);
    });
    return p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    answer a{};
    a.chosen = index_of(detail::ask<Tag>(s), indices{});
    with(a, indices{},
         [&]<class X>(std::type_identity<X>, const auto&) { r = X::unfit_at(s, at); });
    return r;
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    const std::size_t chosen = present ? index_of(detail::ask<Tag>(s), indices{}) : sizeof...(A);
    std::size_t i = 0;
    (A::parts::walk(s, f, chosen == i++), ...);
  }
  static constexpr layout_part part{part_of::choice, member_asked<Tag>, {}, {}};
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part, r);
    (A::describe(list, r), ...);
    list.end();
  }

 private:
  template <class First, class... Rest, class T, class F, class None>
  TRACECODEC_INLINE static constexpr auto with_chosen_of(const T& tag, F& f, None& none) noexcept {
    if (First::on::matches(tag)) return f(std::type_identity<typename First::parts>{});
    if constexpr (sizeof...(Rest) != 0)
      return with_chosen_of<Rest...>(tag, f, none);
    else
      return none();
  }
  template <class S, class T, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a, const T& tag,
                                                  std::index_sequence<I...>) noexcept {
    errc e = errc::invalid_value;
    const auto one = [&]<class X>(std::type_identity<X>, std::size_t i, auto& inside)
        __attribute__((always_inline)) {
      a.chosen = i;
      e = X::prepare(s, inside);
      no_notes none{};
      if constexpr (!placed) a.size = X::written(s, inside, 0, none);
      return true;
    };
    static_cast<void>(((A::on::matches(tag) &&
                        one(std::type_identity<typename A::parts>{}, I, answer_at<I>(a.inside))) ||
                       ...));
    return e;
  }
  template <class T, std::size_t... I>
  static constexpr std::size_t index_of(const T& tag, std::index_sequence<I...>) noexcept {
    std::size_t at = sizeof...(A);
    static_cast<void>(((A::on::matches(tag) && (at = I, true)) || ...));
    return at;
  }
  template <class Answer, class F, std::size_t... I>
  TRACECODEC_INLINE static constexpr void with(Answer& a, std::index_sequence<I...>,
                                               F&& f) noexcept {
    static_cast<void>(
        ((a.chosen == I &&
          (f(std::type_identity<typename A::parts>{}, answer_at<I>(a.inside)), true)) ||
         ...));
  }
};
}  // namespace detail

// Choice of one alternative among on<value, items...>, on_range<first, last, items...> and
// otherwise<items...>. `Tag` (&S::member, &S::function or a callable) selects the first alternative
// that matches. Members of the other alternatives keep their values. If no alternative matches the
// tag, the error is invalid_value.
template <auto Tag, class... Alternatives> struct choice {
  static_assert(detail::alternatives_are_good<Tag, Alternatives...>());
  using owner = detail::first_owner<typename Alternatives::owner...>;
  template <class Policy> using bind = detail::bound_choice<
      Tag,
      detail::alternative<Alternatives, typename detail::parts_of<Policy, Alternatives>::type>...>;
  // Returns the largest number of mentions in one alternative, because a member may appear in
  // several alternatives.
  static consteval int mentions(std::string_view member) {
    int most = 0;
    ((most = Alternatives::mentions(member) > most ? Alternatives::mentions(member) : most), ...);
    return most;
  }
  static consteval int loads(std::string_view member) {
    return (Alternatives::loads(member) + ...);
  }
  static consteval bool gives(std::string_view member) {
    return (Alternatives::gives(member) || ...);
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Tag, Place>() && (Alternatives::template in_order<Place> && ...);
  }
};

}  // namespace tracecodec::wire
