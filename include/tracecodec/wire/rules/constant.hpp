// Restrictions on values: constant, literal, reserved, valid, one_of and in_range. decode rejects
// values that violate a restriction. The error names the field and its offset.
#pragma once
#include <array>
#include <type_traits>

#include "../engine/section.hpp"

namespace tracecodec::wire {

namespace detail {
// Constant as a template argument: a number, an enumerator, or the characters of a string without
// its NUL.
template <class T> struct constant_value {
  T value{};
  consteval constant_value(T v) : value(v) {}
  template <std::size_t N>
  consteval constant_value(const char (&s)[N]) requires std::is_same_v<T, std::array<char, N - 1>> {
    for (std::size_t i = 0; i + 1 < N; ++i) value[i] = s[i];
  }
};
template <class T> constant_value(T) -> constant_value<T>;
template <std::size_t N> constant_value(const char (&)[N])
    -> constant_value<std::array<char, N - 1>>;

// Converts the constant `v` to the type `M` of a member.
template <class M, class T> consteval M as_member(const T& v) {
  if constexpr (is_std_array<T>) {
    static_assert(is_std_array<M> && std::tuple_size_v<M> == std::tuple_size_v<T>,
                  "a constant text needs a std::array of as many characters");
    M m{};
    for (std::size_t i = 0; i < v.size(); ++i)
      m[i] = static_cast<typename M::value_type>(static_cast<unsigned char>(v[i]));
    return m;
  } else {
    static_assert(!is_std_array<M>, "a constant of an array is a text");
    return static_cast<M>(v);
  }
}

// Returns true if a member of type `M` can hold the number or string `v`.
template <class M, class T> consteval bool can_have(const T& v) {
  if constexpr (is_std_array<T>) {
    if constexpr (is_std_array<M>)
      return std::tuple_size_v<M> == std::tuple_size_v<T>;
    else
      return false;
  } else if constexpr (is_std_array<M>) {
    return false;
  } else if constexpr ((std::is_integral_v<M> || std::is_enum_v<M>)&&(std::is_integral_v<T> ||
                                                                      std::is_enum_v<T>)) {
    if (std::is_enum_v<M> && std::is_enum_v<T> && !std::is_same_v<M, T>) return false;
    const auto n = static_cast<integer_t<T>>(v);
    const auto m = static_cast<integer_t<M>>(static_cast<M>(v));
    return static_cast<integer_t<T>>(m) == n && (m < integer_t<M>{}) == (n < integer_t<T>{});
  } else {
    return true;
  }
}
// Compile errors about the values of a member. Compilers print the template argument, which
// contains the member's name.
template <class Name> consteval bool this_member_cannot_have_its_value() {
  static_assert(never<Name>,
                "a constant, a value of one_of<> or an end of in_range<> does not fit the member's "
                "type: it is a number in the member's range, an enumerator of the member's "
                "enumeration, or a text of as many characters as a std::array has");
  return true;
}
template <class Name> consteval bool this_member_has_an_empty_range() {
  static_assert(never<Name>, "in_range<> extends from the least value to the greatest");
  return true;
}
template <class Name> consteval bool this_member_is_not_accepted_by_its_predicate() {
  static_assert(never<Name>, "the predicate of valid<> must accept the member's value");
  return true;
}
template <class Access, auto... V> consteval bool values_are_good() {
  if constexpr ((can_have<typename Access::type>(V) && ...))
    return true;
  else
    return this_member_cannot_have_its_value<quoted_t<label_of<Access>>>();
}
template <class Access, auto Least, auto Most> consteval bool range_is_good() {
  if constexpr (!values_are_good<Access, Least, Most>())
    return true;
  else if constexpr (static_cast<typename Access::type>(Most) <
                     static_cast<typename Access::type>(Least))
    return this_member_has_an_empty_range<quoted_t<label_of<Access>>>();
  else
    return true;
}
template <class Access, class Pred> consteval bool predicate_is_good() {
  if constexpr (std::is_invocable_r_v<bool, const Pred&, const typename Access::type&>)
    return true;
  else
    return this_member_is_not_accepted_by_its_predicate<quoted_t<label_of<Access>>>();
}

// Returns a constant as text: the characters of a string, or the digits of an integer. Returns an
// empty text for any other number.
template <class T> constexpr text text_of(const T& v) noexcept {
  if constexpr (is_std_array<T>)
    return std::string_view(v.data(), v.size());
  else
    return number_text(v);
}

// Constant in the form that emitters (emit/) read.
template <auto V> struct constant_values {
  static constexpr std::array<text, 1> number{number_text(V.value)};
  static constexpr layout_values value = [] {
    layout_values v{values_are::constant, {}, {}};
    if constexpr (is_std_array<std::remove_cvref_t<decltype(V.value)>>)
      v.chars = std::string_view(V.value.data(), V.value.size());
    else if (number[0].length != 0)
      v.numbers = number;
    return v;
  }();
};
// Values that `Pred` allows, or empty if `Pred` does not list values.
template <auto Pred> inline constexpr layout_values values_of = [] {
  if constexpr (requires { Pred.values; })
    return Pred.values;
  else
    return layout_values{};
}();

template <class Access, class W, auto V> struct bound_constant : bound_field<Access, W> {
  using base = bound_field<Access, W>;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &constant_values<V>::value;
    base::describe(list, r);
  }
  static constexpr typename Access::type expected = as_member<typename Access::type>(V.value);
  static_assert(W::fits(static_cast<typename W::value_type>(expected)),
                "the constant does not fit its field");
  // False, because an object can hold a value other than the constant.
  static constexpr bool object_bytes = false;
  static constexpr std::size_t constant_bytes = W::size;
  static constexpr text constant_text() noexcept { return text_of(V.value); }
  static constexpr bool refuses = true;
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S&, byte* p) noexcept {
    W::store(static_cast<typename W::value_type>(expected), p);
    return p + base::size;
  }
  template <class S> static constexpr errc check(const S&) noexcept { return errc::ok; }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p) noexcept {
    const errc e = base::accepts(s, p);
    return e != errc::ok || Access::of(s) == expected ? e : errc::invalid_value;
  }
  template <class S>
  static constexpr failure refused(const S&, const byte*, std::size_t at) noexcept {
    return {at, &base::label};
  }
};

// Constant of a variable-length wire type, such as a varint.
template <class Access, variable_length_type W, auto V> struct bound_constant<Access, W, V>
    : bound_variable_length_field<Access, W> {
  using base = bound_variable_length_field<Access, W>;
  static constexpr typename Access::type expected = as_member<typename Access::type>(V.value);
  static_assert(W::check(expected) == errc::ok, "the constant does not fit its field");
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &constant_values<V>::value;
    base::describe(list, r);
  }
  static constexpr text constant_text() noexcept { return text_of(V.value); }
  using typename base::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = base::scan(s, at, in, notes);
    if (end == not_read || Access::of(s) == expected) return end;
    return fail(notes, at, errc::invalid_value, &base::label);
  }
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, evaluated, extent_type, Notes&) noexcept {
    return W::written(expected);
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, evaluated, const byte*) noexcept {
    return W::store(expected, p);
  }
};

// Field `Base` whose values must satisfy `Pred`.
template <class Base, class Access, auto Pred> struct restricted : Base {
  template <class S> static constexpr bool allowed(const S& s) noexcept {
    return static_cast<bool>(detail::evaluate<Pred>(Access::of(s)));
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &values_of<Pred>;
    Base::describe(list, r);
  }
};
template <class Base, class Access, auto Pred> struct bound_valid : restricted<Base, Access, Pred> {
  using restricted<Base, Access, Pred>::allowed;
  static constexpr bool refuses = true;
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    const errc e = Base::check(s);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p) noexcept {
    const errc e = Base::accepts(s, p);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
};
template <class Base, class Access, auto Pred>
requires variable_length_type<Base>
struct bound_valid<Base, Access, Pred> : restricted<Base, Access, Pred> {
  using restricted<Base, Access, Pred>::allowed;
  using typename Base::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = Base::scan(s, at, in, notes);
    if (end == not_read || allowed(s)) return end;
    return fail(notes, at, errc::invalid_value, &Base::label);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, evaluated& a) noexcept {
    const errc e = Base::prepare(s, a);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
};

// Listed numbers in the form that emitters (emit/) read. The list is empty if a value cannot be
// written in digits.
template <values_are Are, auto... V> struct listed_values {
  static constexpr std::array<text, sizeof...(V)> numbers{number_text(V)...};
  static constexpr layout_values values =
      ((number_text(V).length != 0) && ...) ? layout_values{Are, numbers, {}} : layout_values{};
};
// Listed texts in this form.
template <constant_value... V> struct listed_texts {
  static constexpr std::array<std::string_view, sizeof...(V)> texts{
      std::string_view(V.value.data(), V.value.size())...};
  static constexpr layout_values values{.are = values_are::one_of, .texts = texts};
};
template <constant_value... V> struct listed : listed_values<values_are::one_of, V.value...> {};
template <constant_value... V>
requires(sizeof...(V) != 0 && (is_std_array<std::remove_cvref_t<decltype(V.value)>> &&
                               ...)) struct listed<V...> : listed_texts<V...> {
};
template <constant_value... V> struct is_one_of_t : listed<V...> {
  template <class M> constexpr bool operator()(const M& m) const noexcept {
    return ((m == as_member<M>(V.value)) || ...);
  }
};
template <constant_value... V> inline constexpr is_one_of_t<V...> is_one_of{};
template <auto Least, auto Most> struct is_in_range_t
    : listed_values<values_are::range, Least, Most> {
  template <class M> constexpr bool operator()(const M& m) const noexcept {
    return !(m < static_cast<M>(Least)) && !(static_cast<M>(Most) < m);
  }
};
template <auto Least, auto Most> inline constexpr is_in_range_t<Least, Most> is_in_range{};
}  // namespace detail

// Member `P` with the constant value `V`: a number, an enumerator, or a string for a std::array of
// characters or bytes. encode writes `V` and ignores the member's value. decode rejects any other
// value with invalid_value. `W` is specified as for field, and may be a varint.
template <auto P, detail::constant_value V, class W = member_t<P>> struct constant : field<P, W> {
  static_assert(detail::values_are_good<detail::by_pointer<P>, V.value>());
  template <class Policy> using bind =
      detail::bound_constant<detail::by_pointer<P>, infer_t<W, Policy>, V>;
};

// Constant string without a member: the characters of `V`.
template <detail::constant_value V> struct literal {
  static constexpr auto expected = [] {
    std::array<byte, V.value.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<byte>(V.value[i]);
    return all;
  }();
  using owner = void;
  static constexpr bool fixed = true;
  static constexpr bool refuses = true;
  static constexpr std::size_t size = expected.size();
  static constexpr std::size_t constant_bytes = size;
  static constexpr text constant_text() noexcept { return detail::text_of(V.value); }
  static constexpr std::size_t alignment = 1;
  static constexpr bool object_bytes = false;
  static constexpr std::string_view label = literal_name;
  template <auto> static constexpr bool has = false;
  static consteval int mentions(std::string_view) { return 0; }
  template <class> using bind = literal;
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S&, const byte* p) noexcept {
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S&, byte* p) noexcept {
    copy(expected.data(), p, size);
    return p + size;
  }
  template <class S> static constexpr errc check(const S&) noexcept { return errc::ok; }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&, const byte* p) noexcept {
    for (std::size_t i = 0; i < size; ++i)
      if (p[i] != expected[i]) return errc::invalid_value;
    return errc::ok;
  }
  template <class S, class F> static constexpr void walk(S&, bool, F&&) {}
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.size = size;
    r.values = &detail::constant_values<V>::value;
    list.add(r);
  }
};

// `N` reserved bytes: encode writes zeros, and decode rejects other bytes with invalid_value.
template <std::size_t N> struct reserved : padding<N> {
  static constexpr bool refuses = true;
  static constexpr std::string_view label = reserved_name;
  template <class> using bind = reserved;
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&, const byte* p) noexcept {
    for (std::size_t i = 0; i < N; ++i)
      if (p[i] != byte{0}) return errc::invalid_value;
    return errc::ok;
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.size = N;
    r.values = &detail::listed_values<values_are::constant, 0>::values;
    list.add(r);
  }
};

// Member `P` whose value must satisfy `Pred`, a callable that takes the value. decode and encode
// reject other values with invalid_value. `W` is specified as for field.
template <auto P, auto Pred, class W = member_t<P>> struct valid : field<P, W> {
  static_assert(detail::predicate_is_good<detail::by_pointer<P>, decltype(Pred)>());
  template <class Policy> using bind =
      detail::bound_valid<typename field<P, W>::template bind<Policy>, detail::by_pointer<P>, Pred>;
};
// Member `P` whose value must be one of `Values`, which are specified as in constant<>: numbers,
// enumerators, or strings for a std::array of characters or bytes.
template <auto P, detail::constant_value... Values> struct one_of
    : valid<P, detail::is_one_of<Values...>> {
  static_assert(sizeof...(Values) != 0, "one_of<&S::m, values...> needs at least one value");
  static_assert(detail::values_are_good<detail::by_pointer<P>, Values.value...>());
};
// Member `P` whose value must be at least `Least` and at most `Most`.
template <auto P, auto Least, auto Most, class W = member_t<P>> struct in_range
    : valid<P, detail::is_in_range<Least, Most>, W> {
  static_assert(detail::range_is_good<detail::by_pointer<P>, Least, Most>());
};

}  // namespace tracecodec::wire
