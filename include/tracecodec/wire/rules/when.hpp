// Conditional items: present only if a predicate on the record is true.
#pragma once
#include "../engine/split.hpp"

namespace tracecodec::wire {

// Condition that member `P` is at least `Least`.
template <auto P, auto Least> struct at_least_t {
  template <class S> constexpr bool operator()(const S& s) const noexcept {
    return !(s.*P < static_cast<member_t<P>>(Least));
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return Place::earlier(name_of<P>);
  }
  static constexpr std::string_view member = name_of<P>;
  static constexpr auto least = Least;
};
template <auto P, auto Least> inline constexpr at_least_t<P, Least> at_least{};

namespace detail {
// Conditional items that are read together. `Inside` is their bound section.
template <auto Pred, class Inside> struct bound_when {
  static constexpr bool fixed = false;
  static constexpr bool reads_alone = true;
  static constexpr std::string_view label = Inside::labels.front();
  template <auto M> static constexpr bool has = false;

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Pred, Sizes...>() &&
           Inside::template is_unaffected_by<Sizes...>();
  }

  // Evaluated condition and, if the items are present, their counts and conditions. (Counts and
  // conditions of absent items are not evaluated.)
  struct evaluated {
    [[no_unique_address]] typename Inside::evaluated inside;
    bool present;
  };
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    if constexpr (Inside::fixed)
      return {{}, static_cast<bool>(detail::evaluate<Pred>(s))};
    else
      return detail::evaluate<Pred>(s) ? evaluated{Inside::evaluate(s), true} : evaluated{};
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    if (detail::evaluate<Pred>(s)) return Inside::scan(s, at, in, notes);
    if constexpr (notes_absent<Notes>) Inside::note_absent(at, notes);
    return at;
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const evaluated& a) noexcept {
    return a.present ? Inside::extent(a.inside) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    return detail::evaluate<Pred>(s) ? Inside::written(s) : 0;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                      const evaluated& a) noexcept {
    return a.present ? Inside::load(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const evaluated& a) noexcept {
    return a.present ? Inside::store(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(S& s, const evaluated& a) noexcept {
    return a.present ? Inside::check(s, a.inside) : errc::ok;
  }
  // Returns the item that does not fit. Requires that the items are present.
  template <class S>
  static constexpr failure unfit(const S& s, std::size_t at, const evaluated& a) noexcept {
    return Inside::unfit(s, at, a.inside);
  }
  static constexpr failure cut(std::size_t at, std::size_t available, const evaluated& a) noexcept {
    return Inside::cut(at, available, a.inside);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Inside::walk(s, present && detail::evaluate<Pred>(s), f);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part_when<Pred>, r);
    Inside::describe(list, r);
    list.end();
  }

  using computed = sometimes_t<typename Inside::computed>;
  static constexpr bool refuses = Inside::refuses;
  template <class S> static constexpr errc accepts(const S& s, const byte* p,
                                                   const evaluated& a) noexcept requires refuses {
    return a.present ? Inside::accepts(s, p, a.inside) : errc::ok;
  }
  template <class S>
  static constexpr failure refused(const S& s, const byte* p, std::size_t at,
                                   const evaluated& a) noexcept requires refuses {
    return Inside::refused(s, p, at, a.inside);
  }
  template <class Notes>
  static constexpr void note(std::size_t at, const evaluated& a, Notes& notes) noexcept {
    if (a.present)
      Inside::note(at, a.inside, notes);
    else if constexpr (notes_absent<Notes>)
      Inside::note_absent(at, notes);
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Inside::note_absent(at, notes);
  }
};

// Conditional items that are read one by one.
template <auto Pred, class Parts> struct bound_when_in_steps {
  static constexpr bool placed = Parts::placed;
  static constexpr bool absolute = Parts::absolute;
  static constexpr bool greedy = Parts::greedy;
  static constexpr bool nests_records = Parts::nests_records;
  static constexpr bool sized = Parts::sized;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = Parts::first_label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename Parts::computed>;

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Pred, Sizes...>() &&
           Parts::template is_unaffected_by<Sizes...>();
  }
  struct evaluated {
    typename Parts::evaluated inside;
    bool present;
  };
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    if (detail::evaluate<Pred>(s)) return Parts::scan(s, at, in, notes);
    Parts::note_absent(at, notes);
    return at;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(S& s, evaluated& a) noexcept {
    a.present = static_cast<bool>(detail::evaluate<Pred>(s));
    return a.present ? Parts::prepare(s, a.inside) : errc::ok;
  }
  template <class S>
  static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept requires absolute {
    a.present = static_cast<bool>(detail::evaluate<Pred>(s));
    return a.present ? Parts::prepare_at(s, a.inside, at) : errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const evaluated& a, extent_type at,
                                       Notes& notes) noexcept {
    if (a.present) return Parts::written(s, a.inside, at, notes);
    Parts::note_absent(static_cast<std::size_t>(at), notes);
    return 0;
  }
  template <class S> static constexpr byte* store(const S& s, byte* p, const evaluated& a,
                                                  const byte* begin) noexcept {
    return a.present ? Parts::store(s, p, a.inside, begin) : p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Parts::unfit_at(s, at);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Parts::walk(s, f, present && detail::evaluate<Pred>(s));
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part_when<Pred>, r);
    Parts::describe(list, r);
    list.end();
  }
};

template <class Policy, class... Items> consteval bool depend_on_each_other() {
  if constexpr (several<typename split_any<Policy, Items...>::type>)
    return (item_depends_on<Items, section<Items...>>() || ...);
  else
    return false;
}
// True if the items must be read one by one. The reason is an item of variable length, or a count
// or condition that may depend on another of the items.
template <class Policy, class... Items> inline constexpr bool in_steps =
    (is_variable_length_item<Policy, Items> || ...) || depend_on_each_other<Policy, Items...>();

template <auto Pred, class Policy, class... Items> struct when_of {
  using type =
      bound_when<Pred, bound_section<Policy::place, typename Items::template bind<Policy>...>>;
};
template <auto Pred, class Policy, class... Items>
requires in_steps<Policy, Items...>
struct when_of<Pred, Policy, Items...> {
  using type = bound_when_in_steps<Pred, parts_t<Policy, Items...>>;
};
// Order check of conditional items. Items that are read together may depend only on members before
// the first item. Items that are read one by one may also depend on earlier conditional items.
template <class Place, class... Items> struct when_in_order;
template <class S, class Policy, class Earlier, class Unread, class... Items>
struct when_in_order<place<S, Policy, Earlier, Unread>, Items...> {
  using here = place<S, Policy, Earlier, Unread>;
  static constexpr bool value = (detail::depends_on_earlier<Items, here>() && ...);
};
template <class S, class Policy, class Earlier, class Unread, class... Items>
requires in_steps<Policy, Items...>
struct when_in_order<place<S, Policy, Earlier, Unread>, Items...>
    : parts_in_order<place<S, Policy, Earlier, Unread>, Items...> {
};
}  // namespace detail

// Conditional `Items`, present only if `Pred` is true. `Pred` (&S::member, &S::function or a
// callable) is evaluated once, on members that were read before the section of `Items`. If the
// items are absent, decode leaves their members unchanged.
template <auto Pred, class... Items> struct when : detail::with_parts<Items...> {
  static_assert(sizeof...(Items) != 0, "when<condition, items...> needs at least one item");
  template <class Policy> using bind = typename detail::when_of<Pred, Policy, Items...>::type;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Pred, Place, detail::used_as::condition>() &&
           detail::when_in_order<Place, Items...>::value;
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Pred, Open>() || (detail::item_depends_on<Items, Open>() || ...);
  }
};

}  // namespace tracecodec::wire
