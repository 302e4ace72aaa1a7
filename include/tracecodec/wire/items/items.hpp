// Basic items of a description: field, padding, counted and not_on_wire. (bits.hpp adds bit slices,
// and when.hpp adds conditions.) Each item is bound to a record's policy, and can then load, store
// and describe itself.
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
// Returns `count` as a number of elements of `Size` bytes, clamped to a number that no input can
// hold. A negative or excessive count therefore causes an error (truncated) instead of an
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

// Returns ok if decode accepts each of `n` rows that are `stride` bytes apart, otherwise the first
// error.
template <class W>
constexpr errc accept_rows(const byte* p, std::uint64_t n, std::uint64_t stride) noexcept {
  if constexpr (may_refuse<W>)
    for (; n != 0; --n, p += stride)
      if (const errc e = W::accepts(p); e != errc::ok) return e;
  return errc::ok;
}

// Struct to which the items of a list belong. Padding belongs to no struct.
template <class... O> struct first_owner_of { using type = void; };
template <class O, class... Rest> struct first_owner_of<O, Rest...> { using type = O; };
template <class... Rest> struct first_owner_of<void, Rest...> : first_owner_of<Rest...> {};
template <class... O> using first_owner = typename first_owner_of<O...>::type;

// Placeholder for items and sections of fixed size, which have no counts or conditions.
struct nothing_asked {};
template <class Item> struct answer_to { using type = nothing_asked; };
template <class Item>
requires requires { typename Item::answer; }
struct answer_to<Item> {
  using type = typename Item::answer;
};

// Evaluated counts and conditions of a section's items. Each is evaluated once, before the section
// is read or written. The loaded or stored bytes are therefore the bytes that passed the bounds
// check, even if a later call to a function would return another value. (A struct rather than an
// array, so that compilers keep each value in a register.)
template <std::size_t I, class Answer> struct indexed_answer { Answer value; };
template <class Indices, class... Items> struct answers_of;
template <std::size_t... I, class... Items> struct answers_of<std::index_sequence<I...>, Items...>
    : indexed_answer<I, typename answer_to<Items>::type>... {};
template <std::size_t I, class Answer>
TRACECODEC_INLINE constexpr Answer& answer_at(indexed_answer<I, Answer>& a) noexcept {
  return a.value;
}
template <std::size_t I, class Answer>
TRACECODEC_INLINE constexpr const Answer& answer_at(const indexed_answer<I, Answer>& a) noexcept {
  return a.value;
}

// Compile errors about a member. g++ prints the names first, clang prints the messages first.
template <class Name, class T> struct this_member_has_a_type_without_bytes {
  static_assert(never<Name, T>,
                "a member of this type has no known bytes: members are integers, enumerations, "
                "floating point, bool, std::array of these, plain structs, and views "
                "(array_view<u8>) for varying lengths; name others in not_on_wire");
};
template <class Name> struct this_member_must_be_a_view_of_the_bytes {
  static_assert(never<Name>,
                "this item needs a member that is a view of the bytes, such as array_view<u8>: "
                "nothing is copied");
};
// Label of an item as a text, for quoted_t.
template <class Labelled> struct label_of {
  static constexpr text value = std::string_view(Labelled::label);
};
template <auto P> struct pointed { static constexpr std::string_view label = name_of<P>; };
// View type of member `P`. A member of any other type is a compile error.
template <auto P> struct view_of : std::type_identity<member_t<P>> {};
template <auto P>
requires(!requires { typename member_t<P>::codec; }) struct view_of<P>
    : this_member_must_be_a_view_of_the_bytes<quoted_t<label_of<pointed<P>>>> {
  using type = array_view<u8>;
};

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
  static_assert(same_type || sizeof(typename Access::type) >= W::size,
                "the member is narrower than its field: decoding would lose bits");
  static_assert(same_type || !(std::is_floating_point_v<typename Access::type> ||
                               std::is_floating_point_v<typename W::value_type>),
                "a floating-point field needs a member of its own type");
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;

  template <auto M> static constexpr bool has = Access::template is<M>;
  template <auto> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    return static_cast<typename Access::type>(W::load(p));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    // Decodes arrays directly into the member, because g++ copies a returned array once more.
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

  // True if decode may reject the field. accepts() checks the value that was read at `p`, and
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
// Placeholder for a field whose type has no wire type. It lets compilation continue after the error
// message.
struct any_byte {
  using type = std::uint8_t;
  static constexpr std::string_view label = "a byte";
  template <auto> static constexpr bool is = false;
};
template <class Access, class T, meaning Says> struct bound_field<Access, no_wire_type<T>, Says>
    : this_member_has_a_type_without_bytes<quoted_t<label_of<Access>>, T>,
      bound_field<any_byte, u8, meaning::number> {};

// Bound field whose length is stored in its own bytes. `answer` holds the evaluated counts and
// conditions of a nested record.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct bound_scanned_field {
  using type = typename Access::type;
  static_assert(
      std::is_same_v<type, typename W::value_type>,
      "a field whose bytes determine its length needs a member of its wire type's own type");
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = Access::template is<M>;

  using answer = typename answer_to<W>::type;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const scan_result r = W::scan(Access::of(s), in.behind(at));
    if (r.error != errc::ok && r.field != nullptr) note_failure<W>(notes, in.behind(at), label);
    return {at + r.at, r.error, r.field == nullptr ? &label : r.field};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    if constexpr (requires { W::prepare(Access::of(s), a); })
      return W::prepare(Access::of(s), a);
    else
      return W::check(Access::of(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const answer& a, extent_type,
                                                         Notes&) noexcept {
    if constexpr (requires { W::written(Access::of(s), a); })
      return W::written(Access::of(s), a);
    else
      return W::written(Access::of(s));
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const answer& a,
                                                                    const byte*) noexcept {
    if constexpr (requires { W::store(Access::of(s), p, a); })
      return W::store(Access::of(s), p, a);
    else
      return W::store(Access::of(s), p);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_scanned_field>{}, Access::of(s), present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    wire::detail::describe_scanned<W>(list, r);
  }
};

// Bound field of wire type `W`, with a fixed size or a variable length.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct field_of {
  using type = bound_field<Access, W, Says>;
};
template <class Access, scanned_type W, meaning Says> struct field_of<Access, W, Says> {
  using type = bound_scanned_field<Access, W, Says>;
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
}  // namespace detail

// Field that stores member `P` as wire type `W`. By default, the member's type and the record's
// policy determine the wire type. `W` may be a wire type (u32be), or a plain type or `word`, which
// the policy completes. (`Given` are the parameters of a nested record: given.hpp.)
template <auto P, class W = member_t<P>, class... Given> struct field {
  using owner = owner_t<P>;
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>>::type;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
};

// Field that rows of text (rows/) show as an address, whatever its type. Rows of text show a
// number_field as a number.
template <auto P, class W = member_t<P>> struct address_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::address>::type;
};
template <auto P, class W = member_t<P>> struct number_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::number>::type;
};

// Padding of `N` bytes: decode skips it, and encode writes zeros.
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
// may depend only on earlier sections. The compiler checks this if `Count` is a member. encode
// returns count_mismatch if the array's length differs from `Count`.
template <auto P, auto Count> struct counted {
  using owner = owner_t<P>;
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
    return detail::is_earlier<Count, Place>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>();
  }

  // Number of elements.
  using answer = detail::extent_type;
  template <class S> TRACECODEC_INLINE static constexpr answer ask(const S& s) noexcept {
    return detail::elements<element::size>(detail::ask<Count>(s));
  }
  TRACECODEC_INLINE static constexpr detail::extent_type extent(answer a) noexcept {
    return a * element::size;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr detail::extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p, answer a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    s.*P = view(p, n);
    return p + n * element::size;
  }
  // Copies the array's bytes. check() has already verified that the array has `a` elements.
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, answer a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    copy((s.*P).bytes().data(), p, n * element::size);
    return p + n * element::size;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s, answer a) noexcept {
    return a == (s.*P).size() ? errc::ok : errc::count_mismatch;
  }
  static constexpr bool refuses = detail::may_refuse<element>;
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, answer a) noexcept requires refuses {
    return detail::accept_rows<element>(p, a, element::size);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<counted>{}, s.*P, present);
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = detail::count_asked<Count>;
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
