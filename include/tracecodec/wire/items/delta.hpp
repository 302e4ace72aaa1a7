// Members that are stored relative to another value.
#pragma once
#include <type_traits>

#include "args.hpp"
#include "varint.hpp"

namespace tracecodec::wire {

namespace detail {
// Compile errors about a relative member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_cannot_be_relative() {
  static_assert(never<Name>,
                "delta<> needs a member that is an integer, and stores an integer of at most the "
                "member's width");
  return true;
}
template <class W> struct number_stored { using type = bool; };
template <class W>
requires requires { typename W::value_type; }
struct number_stored<W> {
  using type = typename W::value_type;
};
template <auto P, class Number> consteval bool can_be_relative() {
  if constexpr (is_integer<member_t<P>> && is_integer<Number> &&
                sizeof(Number) <= sizeof(member_t<P>))
    return true;
  else
    return this_member_cannot_be_relative<quoted_t<label_of<pointed<P>>>>();
}

// Member `P`, stored as its difference from `Base` in the wire type `W`.
template <auto P, auto Base, class W> struct bound_delta {
  using value = member_t<P>;
  using number = typename number_stored<W>::type;
  static_assert(can_be_relative<P, number>());
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<value>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Base, Sizes...>();
  }
  using evaluated = nothing_evaluated;

  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    number d{};
    const bits base = base_of(s);
    const std::size_t end = read_member<W>(d, at, in, notes, label);
    if (end == not_read) return end;
    s.*P = static_cast<value>(static_cast<bits>(base + static_cast<bits>(d)));
    return end;
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated&) noexcept {
    const number d = difference(s);
    // The difference must come back when it is widened to the member's width.
    if (static_cast<bits>(base_of(s) + static_cast<bits>(d)) != static_cast<bits>(s.*P))
      return errc::does_not_fit;
    return check_element<W>(d);
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, evaluated, extent_type, Notes&) noexcept {
    return size_of_element<W>(difference(s));
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, evaluated, const byte*) noexcept {
    return store_element<W>(difference(s), p);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_delta>{}, s.*P, present);
  }
  static constexpr layout_values values{.are = values_are::relative, .base = member_text<Base>};
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.values = &values;
    describe_any<W>(list, r);
  }

 private:
  // Differences are computed modulo the range of the member's type.
  using bits = std::make_unsigned_t<value>;
  template <class S> TRACECODEC_INLINE static constexpr bits base_of(const S& s) noexcept {
    return static_cast<bits>(detail::evaluate<Base>(s));
  }
  template <class S> static constexpr number difference(const S& s) noexcept {
    return static_cast<number>(static_cast<bits>(static_cast<bits>(s.*P) - base_of(s)));
  }
};
}  // namespace detail

// Member `P` that is stored as its difference from `Base` (&S::member, &S::function or a callable),
// which is evaluated on members that were read earlier, and usually is a member of previous<>. The
// difference is stored as `W`, by default as a zigzag varint. It is computed modulo the range of
// the member's type, so that any value can follow any other. encode returns does_not_fit if the
// difference does not fit `W`.
template <auto P, auto Base, class W = zigzag_of<std::make_signed_t<member_t<P>>>> struct delta
    : field<P, W> {
  template <class Policy> using bind = detail::bound_delta<P, Base, infer_t<W, Policy>>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Base, Place>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Base, Open>();
  }
};

}  // namespace tracecodec::wire
