// Basic items of a description: field, padding, counted and not_on_wire. (bits.hpp adds bit slices,
// and when.hpp adds conditions.) Each item is bound to a record's policy. A bound item can load,
// store and describe itself.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "../layout/engine/quoted.hpp"
#include "../layout/layout_row.hpp"
#include "../meaning.hpp"
#include "../result.hpp"
#include "../types/engine/infer.hpp"
#include "../types/engine/scan.hpp"
#include "engine/dependencies.hpp"

namespace tracecodec::wire {

namespace detail {
// Returns `count` as a number of elements of `Size` bytes. A negative or excessive count is clamped
// to a number that no input can hold, and therefore causes an error (truncated) instead of an
// out-of-bounds read.
template <std::size_t Size, class N>
TRACECODEC_INLINE constexpr extent_type elements(N count) noexcept {
  static_assert(std::is_integral_v<integer_t<N>> && sizeof(N) <= 8,
                "a count is an integer of up to 64 bits, or an enumeration");
  constexpr extent_type most = largest_extent / Size;
  const auto n = static_cast<integer_t<N>>(count);
  if constexpr (std::is_signed_v<integer_t<N>>)
    if (n < 0) return most;
  if constexpr (sizeof(N) <= 4 && (most >> 32) != 0)
    return static_cast<extent_type>(n);
  else
    return static_cast<extent_type>(n) > most ? most : static_cast<extent_type>(n);
}

// Returns ok if decode accepts each of `n` rows that are `stride` bytes apart. Returns the first
// error if it does not.
template <class W>
constexpr errc accept_rows(const byte* p, std::uint64_t n, std::uint64_t stride) noexcept {
  if constexpr (may_refuse<W>)
    for (; n != 0; --n, p += stride)
      if (const errc e = W::accepts(p); e != errc::ok) return e;
  return errc::ok;
}

// Struct to which the items of a list belong. Padding does not belong to a struct.
template <class... O> struct first_owner_of { using type = void; };
template <class O, class... Rest> struct first_owner_of<O, Rest...> { using type = O; };
template <class... Rest> struct first_owner_of<void, Rest...> : first_owner_of<Rest...> {};
template <class... O> using first_owner = typename first_owner_of<O...>::type;

// Placeholder for evaluated counts and conditions, for an item or section of fixed size, which has
// none.
struct nothing_evaluated {};
template <class Item> struct evaluated_type_of { using type = nothing_evaluated; };
template <class Item>
requires requires { typename Item::evaluated; }
struct evaluated_type_of<Item> {
  using type = typename Item::evaluated;
};

// Evaluated counts and conditions of a section's items. Each count and condition is evaluated once,
// before the section is read or written. Therefore only bytes that passed the bounds check are
// loaded or stored, even if a user's function would later return another value. (The type is a
// struct and not an array, so that compilers can keep each value in a register.)
template <std::size_t I, class Value> struct indexed_value { Value value; };
template <class Indices, class... Items> struct evaluated_items;
template <std::size_t... I, class... Items>
struct evaluated_items<std::index_sequence<I...>, Items...>
    : indexed_value<I, typename evaluated_type_of<Items>::type>... {};
template <std::size_t I, class Value>
TRACECODEC_INLINE constexpr Value& evaluated_at(indexed_value<I, Value>& a) noexcept {
  return a.value;
}
template <std::size_t I, class Value>
TRACECODEC_INLINE constexpr const Value& evaluated_at(const indexed_value<I, Value>& a) noexcept {
  return a.value;
}

// Compile errors about a member. Compilers print the template arguments, which contain the member's
// name and type.
template <class Name, class T> consteval bool this_member_has_a_type_without_bytes() {
  static_assert(never<Name, T>,
                "a member of this type has no known bytes: members are integers, enumerations, "
                "floating point, bool, std::array of these and plain structs; a struct with views "
                "needs a codec of its own: field<&S::m, codec>; name others in not_on_wire");
  return true;
}
template <class Name, class T> consteval bool this_view_has_no_end() {
  static_assert(never<Name, T>,
                "a view needs an item that determines its end: counted<>, prefixed<>, "
                "terminated<>, padded<>, strided<> or rest<> for an array_view, and list<> or "
                "prefixed<> for a list_view");
  return true;
}
template <class Name, class T> consteval bool has_known_bytes() {
  if constexpr (requires { typename T::codec; })
    return this_view_has_no_end<Name, T>();
  else
    return this_member_has_a_type_without_bytes<Name, T>();
}
template <class Name> consteval bool this_member_must_be_a_view_of_the_bytes() {
  static_assert(never<Name>,
                "this item needs a member that is a view of the bytes, such as array_view<u8>: "
                "nothing is copied");
  return true;
}
template <class Name> consteval bool this_member_must_be_an_array_view() {
  static_assert(never<Name>,
                "this item needs a member that is an array_view<W>; list<> and prefixed<> read a "
                "list_view<W>");
  return true;
}
// Returns true if the member is an array_view. Otherwise compilation fails.
template <auto P> consteval bool is_array_view() {
  if constexpr (requires { typename member_t<P>::arguments_type; })
    return this_member_must_be_an_array_view<quoted_t<label_of<pointed<P>>>>();
  else
    return true;
}
// View type of member `P`. If the member is not a view, compilation fails.
template <auto P> struct view_of : std::type_identity<member_t<P>> {};
template <auto P>
requires(!requires { typename member_t<P>::codec; }) struct view_of<P> {
  static_assert(this_member_must_be_a_view_of_the_bytes<quoted_t<label_of<pointed<P>>>>());
  using type = array_view<u8>;
};

// Compile errors about a member that cannot hold the value of its field.
template <class Name, class Member, class Value> consteval bool this_member_is_not_a_bool() {
  static_assert(never<Name>, "the field is true or false: make the member a bool");
  return true;
}
template <class Name, class Member, class Value>
consteval bool this_member_cannot_hold_its_field() {
  static_assert(std::is_floating_point_v<Member> == std::is_floating_point_v<Value>,
                "a floating-point field needs a member of its own type");
  static_assert(
      requires(const Value& v) { static_cast<Member>(v); },
      "the field's value does not convert to the member: change the type of either");
  return true;
}
template <class Name, class Member, class W>
consteval bool this_member_is_narrower_than_its_field() {
  static_assert(never<Name>,
                "the member is narrower than its field, so decoding would lose bits: use a wider "
                "member, or a narrower type of the field");
  return true;
}
// Returns true if the member can hold the values of wire type `W`.
template <class Access, class W> consteval bool can_hold() {
  using member = typename Access::type;
  using value = typename W::value_type;
  if constexpr (std::is_same_v<member, value>)
    return true;
  else if constexpr (std::is_floating_point_v<member> != std::is_floating_point_v<value> ||
                     !requires(const value& v, const member& m) {
                       static_cast<member>(v);
                       static_cast<value>(m);
                     })
    return this_member_cannot_hold_its_field<quoted_t<label_of<Access>>, member, value>();
  else if constexpr (sizeof(member) < W::size)
    return this_member_is_narrower_than_its_field<quoted_t<label_of<Access>>, member, W>();
  else if constexpr (std::is_same_v<value, bool>)
    return this_member_is_not_a_bool<quoted_t<label_of<Access>>, member, value>();
  else
    return true;
}

// Bound field of fixed size. `Access` provides the label and a reference to the value.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct bound_field {
  using codec = W;
  static_assert(wire_type<W>, "a field needs a wire type of fixed size");
  static constexpr bool fixed = true;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool same_type = std::is_same_v<typename Access::type, typename W::value_type>;
  static constexpr bool object_bytes = W::object_bytes && same_type;
  static_assert(can_hold<Access, W>());
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;

  template <auto M> static constexpr bool has = Access::template is<M>;
  template <auto> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    return static_cast<typename Access::type>(W::load(p));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    // Decodes arrays directly into the member, because g++ would make an extra copy of a returned
    // array.
    if constexpr (same_type && requires { W::load_into(v, p); })
      W::load_into(v, p);
    else
      v = static_cast<member_t<M>>(W::load(p));
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    if constexpr (same_type && requires { W::load_into(Access::of(s), p); })
      W::load_into(Access::of(s), p);
    else
      Access::of(s) = static_cast<typename Access::type>(W::load(p));
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    if constexpr (same_type)
      W::store(Access::of(s), p);
    else
      W::store(static_cast<typename W::value_type>(Access::of(s)), p);
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    if constexpr (requires { W::check(Access::of(s)); })
      return W::check(Access::of(s));
    else
      return W::fits(Access::of(s)) ? errc::ok : errc::does_not_fit;
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_field>{}, Access::of(s), present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    wire::detail::describe<W>(list, r);
  }

  // True if decode can reject the field. accepts() checks the value that was read at `p`, and
  // refused() returns the part that failed.
  static constexpr bool refuses = may_refuse<W>;
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&, const byte* p) noexcept {
    if constexpr (refuses)
      return W::accepts(p);
    else
      return errc::ok;
  }
  template <class S>
  static constexpr failure refused(const S&, const byte* p, std::size_t at) noexcept {
    if constexpr (requires { W::refused(p); }) {
      const failure f = W::refused(p);
      return {at + f.used, f.field};
    } else {
      return {at, &label};
    }
  }
};
// Placeholder for the wire type of a member without a wire type, so that compilation continues
// after the error message.
struct any_byte {
  using type = std::uint8_t;
  static constexpr std::string_view label = "a byte";
  template <auto> static constexpr bool is = false;
};
template <class Access, class T, meaning Says> struct bound_field<Access, no_wire_type<T>, Says>
    : bound_field<any_byte, u8, meaning::number> {
  static_assert(has_known_bytes<quoted_t<label_of<Access>>, T>());
};

// Number of parameters of the record of wire type `W`, or 0 for any other wire type.
template <class W> inline constexpr std::size_t parameters_of = [] {
  if constexpr (requires { W::parameters; })
    return W::parameters;
  else
    return std::size_t{};
}();
// List of the parameters that a record of wire type `W` carries from record to record (previous<>).
template <class W> struct carried_by { using type = type_list<>; };
template <class W>
requires requires { typename W::carried; }
struct carried_by<W> {
  using type = typename W::carried;
};
template <class W> inline constexpr bool carries =
    !std::is_same_v<typename carried_by<W>::type, type_list<>>;
template <auto M, class... P> consteval bool is_carried(type_list<P...>) {
  return (same_member<P::member, M>() || ...);
}
// Sets the carried parameters `P` of the record `next`, which follows the record `last`.
template <class S, class... P>
constexpr void carry(type_list<P...>, [[maybe_unused]] S& next, [[maybe_unused]] const S& last) {
  (P::carry(next, last), ...);
}
// Copies the carried parameters `P`.
template <class S, class... P> constexpr void copy_carried(type_list<P...>, [[maybe_unused]] S& to,
                                                           [[maybe_unused]] const S& from) {
  (P::copy(to, from), ...);
}
// Number of parameters of the record of wire type `W` that a list or a file must set, and number of
// these parameters among the members `M`.
template <class... P> consteval std::size_t how_many(type_list<P...>) { return sizeof...(P); }
template <class W>
inline constexpr std::size_t parameters_to_set = parameters_of<W> -
                                                 how_many(typename carried_by<W>::type{});
template <class W, auto... M> inline constexpr std::size_t parameters_set =
    (std::size_t{!is_carried<M>(typename carried_by<W>::type{})} + ... + std::size_t{});
// Compile error for a nested record that does not receive all its parameters. Without this error,
// decode would use whatever values the object contains.
template <class Name> consteval bool this_member_does_not_receive_its_parameters() {
  static_assert(never<Name>,
                "a record with parameters needs one args<&inner::parameter, from> for each of "
                "them: field<&S::member, codec, args<...>...>, or list<&S::members, end, "
                "args<...>...> of a list_view<codec, &inner::parameter...>");
  return true;
}
template <class Label, class W, std::size_t Args> consteval bool receives_parameters() {
  if constexpr (parameters_of<W> == Args)
    return true;
  else
    return this_member_does_not_receive_its_parameters<quoted_t<label_of<Label>>>();
}
// Does the same for the elements of a list, which receive the parameters `M`.
template <class Label, class W, auto... M> consteval bool elements_receive_parameters() {
  if constexpr (parameters_to_set<W> == parameters_set<W, M...>)
    return true;
  else
    return this_member_does_not_receive_its_parameters<quoted_t<label_of<Label>>>();
}

// Bound field whose length is stored in the field's own bytes. `evaluated` holds the evaluated
// counts and conditions of a nested record.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct bound_variable_length_field {
  using type = typename Access::type;
  static_assert(
      std::is_same_v<type, typename W::value_type>,
      "a field whose bytes determine its length needs a member of its wire type's own type");
  static_assert(receives_parameters<Access, W, 0>());
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr bool nests_records = is_read<W>;
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = Access::template is<M>;

  template <class...> static consteval bool is_unaffected_by() { return true; }

  using evaluated = typename evaluated_type_of<W>::type;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = read_member<W>(Access::of(s), at, in, notes, label);
    if constexpr (explains<Notes>)
      if (end == not_read && notes.failure.field != &label)
        extend_path<W>(notes.path, in.from(at), label);
    return end;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, evaluated& a) noexcept {
    if constexpr (requires { W::prepare(Access::of(s), a); })
      return W::prepare(Access::of(s), a);
    else
      return W::check(Access::of(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type, Notes&) noexcept {
    if constexpr (requires { W::written(Access::of(s), a); })
      return W::written(Access::of(s), a);
    else
      return W::written(Access::of(s));
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const evaluated& a,
                                                                    const byte*) noexcept {
    if constexpr (requires { W::store(Access::of(s), p, a); })
      return W::store(Access::of(s), p, a);
    else
      return W::store(Access::of(s), p);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_variable_length_field>{}, Access::of(s), present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    wire::detail::describe_variable_length<W>(list, r);
  }
};

// Bound field of wire type `W`: a bound_field if the size is fixed, otherwise a
// bound_variable_length_field.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct field_of {
  using type = bound_field<Access, W, Says>;
};
template <class Access, variable_length_type W, meaning Says> struct field_of<Access, W, Says> {
  using type = bound_variable_length_field<Access, W, Says>;
};

template <auto P> struct by_pointer {
  using type = member_t<P>;
  static constexpr std::string_view label = name_of<P>;
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class S> TRACECODEC_INLINE static constexpr auto& of(S& s) noexcept { return s.*P; }
};

template <class S, std::size_t I> struct by_index {
  using type = member_type<S, I>;
  static constexpr std::string_view label = member_name<S, I>;
  template <auto M> static constexpr bool is = std::is_same_v<owner_t<M>, S>&& name_of<M> == label;
  template <class T> TRACECODEC_INLINE static constexpr auto& of(T& s) noexcept {
    return member_at<I>(s);
  }
};

template <auto P> consteval bool this_field_is_a_function() {
  static_assert(sizeof(owner_t<P>*) == 0,
                "a function has no bytes: use it as the count, condition or tag of an item, or for "
                "computed<&S::m, &S::function>");
  return true;
}
template <auto P> consteval bool is_data_member() {
  if constexpr (std::is_member_function_pointer_v<std::remove_cv_t<decltype(P)>>)
    return this_field_is_a_function<P>();
  else
    return true;
}
}  // namespace detail

// Field that stores member `P` as wire type `W`. By default, the member's type and the record's
// policy determine the wire type. `W` may be a wire type such as u32be, or a plain type or `word`,
// for which the policy determines the wire type. `Args` are the arguments for the parameters of a
// nested record (args.hpp).
template <auto P, class W = member_t<P>, class... Args> struct field {
  static_assert(detail::is_data_member<P>());
  using owner = owner_t<P>;
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>>::type;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
};

// Field whose value is shown as an address in rows of text (rows/), whatever the member's type is.
// A number_field is shown as a number.
template <auto P, class W = member_t<P>> struct address_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::address>::type;
};
template <auto P, class W = member_t<P>> struct number_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::number>::type;
};

// Padding of `N` bytes. decode skips it, and encode writes zeros.
template <std::size_t N> struct padding {
  static_assert(N <= detail::largest_extent);
  using owner = void;
  static constexpr bool fixed = true;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr bool object_bytes = false;
  static constexpr std::string_view label = padding_name;
  template <auto M> static constexpr bool has = false;
  static consteval int mentions(std::string_view) { return 0; }
  template <class> using bind = padding;
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S&, const byte* p) noexcept {
    return p + N;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S&, byte* p) noexcept {
    zero(p, N);
    return p + N;
  }
  template <class S> static constexpr errc check(const S&) noexcept { return errc::ok; }
  template <class S, class F> static constexpr void walk(S&, bool, F&&) {}
  static constexpr void describe(detail::row_list& list, layout_row r) {
    detail::add_padding(list, r, r.offset, N);
  }
};

// Array of `Count` elements in member `P`, an array_view. `Count` is &S::count, a callable that
// takes the record, or a number. It is evaluated once, before the array's section is read, so it
// may depend only on earlier sections. The compiler checks this rule if `Count` is a member. encode
// returns count_mismatch if the array's length differs from `Count`.
template <auto P, auto Count> struct counted {
  using owner = owner_t<P>;
  static_assert(detail::is_array_view<P>());
  using view = typename detail::view_of<P>::type;
  using element = typename view::codec;
  static constexpr bool fixed = false;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<typename element::value_type>;
  static_assert(element::size != 0, "elements without bytes cannot be counted");
  template <class> using bind = counted;
  template <auto M> static constexpr bool has = false;
  // True for member `P`. (`has` is false, because get<> cannot read an array of varying size.)
  template <auto M> static constexpr bool is = same_member<P, M>();
  static consteval int mentions(std::string_view member) { return member == label; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Count, Place, detail::used_as::count>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>();
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Count, Sizes...>();
  }

  // Returns true if the computed item `C` is the count of this array. Because decode reads the
  // array with this count, the count is always correct.
  template <class C> static consteval bool implies() {
    if constexpr (std::is_member_object_pointer_v<decltype(Count)>)
      return C::template counts<Count, P>();
    else
      return false;
  }

  // Evaluated count: number of elements.
  using evaluated = detail::extent_type;
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    return detail::elements<element::size>(detail::evaluate<Count>(s));
  }
  TRACECODEC_INLINE static constexpr detail::extent_type extent(evaluated a) noexcept {
    return a * element::size;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr detail::extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p, evaluated a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    s.*P = view(p, n);
    return p + n * element::size;
  }
  // Copies the array's bytes. check() has already verified that the array has `a` elements.
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, evaluated a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    copy((s.*P).bytes().data(), p, n * element::size);
    return p + n * element::size;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(const S& s, evaluated a) noexcept {
    return a == (s.*P).size() ? errc::ok : errc::count_mismatch;
  }
  static constexpr bool refuses = detail::may_refuse<element>;
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, evaluated a) noexcept requires refuses {
    return detail::accept_rows<element>(p, a, element::size);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<counted>{}, s.*P, present);
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = detail::count_text<Count>;
    detail::describe_element<element>(list, r);
  }
};

// Member without bytes, which decode and encode leave unchanged.
template <auto P> struct not_on_wire : padding<0> {
  using owner = owner_t<P>;
  template <class> using bind = not_on_wire;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  static consteval int loads(std::string_view) { return 0; }
  static constexpr void describe(detail::row_list&, layout_row) {}
};

}  // namespace tracecodec::wire
