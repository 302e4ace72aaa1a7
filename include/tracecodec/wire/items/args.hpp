// Parameters of a record: members that are not stored, but are set by the caller, by the enclosing
// record, or from the previous record.
#pragma once
#include <type_traits>
#include <utility>

#include "items.hpp"

namespace tracecodec::wire {

namespace detail {
// Compile error about a carried member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_cannot_be_carried() {
  static_assert(never<Name>,
                "previous<> needs a member that is a number, an enumeration, a bool or a "
                "std::array of these: the bytes to which a view points may be gone");
  return true;
}
template <class T> inline constexpr bool is_carriable =
    std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
requires is_std_array<T>
inline constexpr bool is_carriable<T> = is_carriable<typename T::value_type>;
template <auto P> consteval bool can_be_carried() {
  if constexpr (is_carriable<member_t<P>>)
    return true;
  else
    return this_member_cannot_be_carried<quoted_t<label_of<pointed<P>>>>();
}
}  // namespace detail

// Parameter of a record. Member `P` has no bytes. The caller, or args<> of the enclosing record,
// sets it before decode and encode. Counts and conditions may depend on `P`. The parameter may
// appear anywhere in the description.
template <auto P> struct parameter : not_on_wire<P> {
  template <class Policy> using bind = parameter;
  static consteval bool is_parameter(std::string_view member) { return member == name_of<P>; }
};

// Parameter `P` that is carried from record to record in a list or a file: `From` (&S::member,
// &S::function or a callable), evaluated on the previous record. `P` is 0 in the first record, or
// the value that args<P, ...> of the list or the file states. A caller that decodes or encodes
// records one by one sets `P` itself, or calls carry() of the codec.
template <auto P, auto From> struct previous : parameter<P> {
  static_assert(detail::can_be_carried<P>());
  using carried = detail::type_list<previous>;
  template <class Policy> using bind = previous;
  static constexpr auto member = P;
  // Sets the parameter of `next`, which follows `last`.
  static constexpr void carry(owner_t<P>& next, const owner_t<P>& last) noexcept {
    next.*P = static_cast<member_t<P>>(detail::evaluate<From>(last));
  }
  static constexpr void copy(owner_t<P>& to, const owner_t<P>& from) noexcept { to.*P = from.*P; }
};

// Argument for parameter `P` of a record that is part of another record (field, list) or of a file
// (file::records). `From` (&T::member, &T::function or a callable) is evaluated on the enclosing
// record or on the file's header. The result is stored in `P`.
template <auto P, auto From> struct args {
  static constexpr auto member = P;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<From, Place>();
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr member_t<P> value(const Outer& from) noexcept {
    return static_cast<member_t<P>>(detail::evaluate<From>(from));
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr void set(owner_t<P>& s, const Outer& from) noexcept {
    s.*P = value(from);
  }
};

// Argument that differs from element to element of a list: element k of the list receives element k
// of another view of the same record. The view is named twice:
// - args<&element::m, each<&S::view>> in the description: `P` is the other view.
// - list_view<W, each<&element::m, View>> in the struct: `P` is the parameter, and `View` is the
//   type of the other view, an array_view or a list_view.
// decode returns invalid_value for an element without a counterpart in the other view. Elements may
// have no bytes; if the other view is itself a parameter, limit its length.
template <auto P, class View> struct each_t {
  static constexpr auto member = P;
  using view = View;
};
template <auto P, class View = void> inline constexpr each_t<P, View> each{};

template <auto P, auto From>
requires std::is_same_v<std::remove_const_t<decltype(From)>, each_t<From.member, void>>
struct args<P, From> {
  using view = member_t<From.member>;
  static constexpr auto member = each<P, view>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<From.member, Place>();
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr const view& value(const Outer& from) noexcept {
    return from.*From.member;
  }
  template <class Outer> static constexpr void set(owner_t<P>&, const Outer&) noexcept {
    static_assert(detail::never<Outer>,
                  "args<&element::m, each<&S::view>> is for the elements of list<> and prefixed<>; "
                  "the argument of a single record is a member or a function");
  }
};

namespace detail {
template <class T> inline constexpr bool is_each = false;
template <auto P, class View> inline constexpr bool is_each<each_t<P, View>> = true;
template <auto Arg> inline constexpr bool is_each_argument =
    is_each<std::remove_const_t<decltype(Arg)>>;

// Value that a list_view stores for the argument `Arg`, and the position of the next element in it.
template <auto Arg> struct argument {
  using type = member_t<Arg>;
  struct cursor {
    type value;
    constexpr cursor() = default;
    constexpr explicit cursor(const type& v) noexcept : value(v) {}
    // Sets the parameter of the next element. Returns false if it has no value.
    template <class S> TRACECODEC_INLINE constexpr bool to_next(S& s) noexcept {
      s.*Arg = value;
      return true;
    }
  };
};
template <auto Arg>
requires is_each_argument<Arg>
struct argument<Arg> {
  using type = typename decltype(Arg)::view;
  struct cursor {
    using parameter = member_t<decltype(Arg)::member>;
    decltype(std::declval<const type&>().begin()) at;
    decltype(std::declval<const type&>().end()) end;
    constexpr cursor() = default;
    constexpr explicit cursor(const type& v) noexcept : at(v.begin()), end(v.end()) {}
    template <class S> constexpr bool to_next(S& s) noexcept {
      if (at == end) return false;
      s.*(decltype(Arg)::member) = static_cast<parameter>(*at);
      ++at;
      return true;
    }
  };
};

// Returns true if two arguments are equal. Views are equal if they view the same bytes.
template <class T> constexpr bool same_argument(const T& a, const T& b) noexcept {
  if constexpr (requires { a.bytes().data(); }) {
    return a.bytes().data() == b.bytes().data() && a.bytes().size() == b.bytes().size();
  } else {
    static_assert(
        requires { static_cast<bool>(a == b); },
        "a parameter of a list's elements needs operator==, because encode compares it "
        "with the value that the view stores");
    return a == b;
  }
}

// Arguments for the parameters `M` of a list's elements.
template <auto... M> struct argument_values {
  constexpr argument_values() = default;
  struct cursor {
    constexpr cursor() = default;
    constexpr explicit cursor(const argument_values&) noexcept {}
    template <class S> constexpr bool to_next(S&) noexcept { return true; }
  };
  friend constexpr bool operator==(const argument_values&, const argument_values&) noexcept {
    return true;
  }
};
template <auto M, auto... Rest> struct argument_values<M, Rest...> {
  typename argument<M>::type value{};
  argument_values<Rest...> rest;

  constexpr argument_values() = default;
  constexpr explicit argument_values(const typename argument<M>::type& v,
                                     const typename argument<Rest>::type&... others) noexcept
      : value(v), rest(others...) {}
  // Sets the parameters of one element after another.
  struct cursor {
    typename argument<M>::cursor first;
    typename argument_values<Rest...>::cursor others;
    constexpr cursor() = default;
    constexpr explicit cursor(const argument_values& a) noexcept : first(a.value), others(a.rest) {}
    template <class S> constexpr bool to_next(S& s) noexcept {
      return first.to_next(s) && others.to_next(s);
    }
  };
  friend constexpr bool operator==(const argument_values& a, const argument_values& b) noexcept {
    return same_argument(a.value, b.value) && a.rest == b.rest;
  }
};

// Bound field that stores a nested record of wire type `W`, for records that have parameters and
// vary in size.
template <auto P, class W, class... Args> struct bound_field_with_args {
  using value = member_t<P>;
  static_assert(variable_length_type<W> && std::is_same_v<value, typename W::value_type>,
                "only a record of varying size can receive parameters");
  static_assert(receives_parameters<pointed<P>, W, sizeof...(Args)>());
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr bool nests_records = is_read<W>;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<value>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  using evaluated = typename W::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    (Args::set(s.*P, s), ...);
    // The path to the failing field ends at this member, because extend_path() would read the
    // record without its arguments.
    return read_member<W>(s.*P, at, in, notes, label);
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated& a) noexcept {
    return W::prepare(with_args(s), a);
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const evaluated& a, extent_type,
                                       Notes&) noexcept {
    return W::written(with_args(s), a);
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const evaluated& a, const byte*) noexcept {
    return W::store(with_args(s), p, a);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_field_with_args>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    describe_variable_length<W>(list, r);
  }

 private:
  template <class S> static constexpr value with_args(const S& s) noexcept {
    value inner = s.*P;
    (Args::set(inner, s), ...);
    return inner;
  }
};
}  // namespace detail

// Nested record `P` of varying size, with parameters that the enclosing record sets. (A record of
// fixed size needs no parameters, because its items cannot depend on a parameter.) Both decode and
// encode overwrite the parameters stored in the member.
template <auto P, class W, class... Args>
requires(sizeof...(Args) != 0) struct field<P, W, Args...> {
  using owner = owner_t<P>;
  template <class Policy> using bind =
      detail::bound_field_with_args<P, infer_t<W, Policy>, Args...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return (Args::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire
