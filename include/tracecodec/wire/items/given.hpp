// Parameters of a record: members that are not stored but set by the caller or by the
// enclosing record.
#pragma once
#include <type_traits>

#include "items.hpp"

namespace tracecodec::wire {

// Parameter of a record or of a nested record.
//
// given<&S::m>, in the description of S, declares a member without bytes that is set before decode
// and encode. Counts and conditions may depend on `m`, wherever the description lists it.
//
// given<&S::m, From> is used where a record of type S is part of another record (field, list) or of
// a file (file::records). `From` (&T::member, &T::function or a callable) is evaluated on the
// enclosing record or on the header. The result is stored in `m`.
template <auto P, auto... From> struct given {
  static_assert(sizeof...(From) == 1, "a member receives one value");
  static constexpr auto member = P;
  template <class Place> static consteval bool depends_on_earlier() {
    return (detail::is_earlier<From, Place>() && ...);
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr member_t<P> value(const Outer& from) noexcept {
    return static_cast<member_t<P>>((detail::ask<From>(from), ...));
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr void set(owner_t<P>& s, const Outer& from) noexcept {
    s.*P = value(from);
  }
};
template <auto P> struct given<P> : not_on_wire<P> {
  template <class Policy> using bind = given;
  static consteval bool gives(std::string_view member) { return member == name_of<P>; }
};

namespace detail {
// Values of the parameters `M`, which are members of one record.
template <auto... M> struct given_values {
  constexpr given_values() = default;
  template <class S> constexpr void to(S&) const noexcept {}
  friend constexpr bool operator==(const given_values&, const given_values&) noexcept {
    return true;
  }
};
template <auto M, auto... Rest> struct given_values<M, Rest...> {
  member_t<M> value{};
  given_values<Rest...> rest;

  constexpr given_values() = default;
  constexpr explicit given_values(const member_t<M>& v, const member_t<Rest>&... others) noexcept
      : value(v), rest(others...) {}
  template <class S> constexpr void to(S& s) const noexcept {
    s.*M = value;
    rest.to(s);
  }
  friend constexpr bool operator==(const given_values& a, const given_values& b) noexcept {
    return a.value == b.value && a.rest == b.rest;
  }
};

// Nested record with parameters, of wire type `W`, which has a varying size.
template <auto P, class W, class... Given> struct bound_given_field {
  using value = member_t<P>;
  static_assert(scanned_type<W> && std::is_same_v<value, typename W::value_type>,
                "only a record of varying size can receive parameters");
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<value>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  using answer = typename W::answer;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes&) noexcept {
    (Given::set(s.*P, s), ...);
    const scan_result r = W::scan(s.*P, in.behind(at));
    return {at + r.at, r.error, r.field == nullptr ? &label : r.field};
  }
  template <class S> static constexpr errc prepare(const S& s, answer& a) noexcept {
    return W::prepare(told(s), a);
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const answer& a, extent_type, Notes&) noexcept {
    return W::written(told(s), a);
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte*) noexcept {
    return W::store(told(s), p, a);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_given_field>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    describe_scanned<W>(list, r);
  }

 private:
  template <class S> static constexpr value told(const S& s) noexcept {
    value inner = s.*P;
    (Given::set(inner, s), ...);
    return inner;
  }
};
}  // namespace detail

// Nested record `P` of varying size, with parameters that the enclosing record sets. (A record of
// fixed size needs no parameters, because nothing in such a record depends on one.) Both decode
// and encode set the parameters, whatever values the member holds.
template <auto P, class W, class... Given>
requires(sizeof...(Given) != 0) struct field<P, W, Given...> {
  using owner = owner_t<P>;
  template <class Policy> using bind = detail::bound_given_field<P, infer_t<W, Policy>, Given...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return (Given::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire
