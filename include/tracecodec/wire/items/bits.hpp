// Bit slices: members that share one integer, listed from its most significant bit down.
#pragma once
#include <tuple>

#include "items.hpp"

namespace tracecodec::wire {

// Bit slice of `Width` bits that holds member `P`, which is an unsigned integer, an enumeration or
// a bool.
template <auto P, unsigned Width> struct bits {
  using owner = owner_t<P>;
  using type = member_t<P>;
  static constexpr unsigned width = Width;
  static constexpr bool unused = false;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  static_assert(std::is_unsigned_v<integer_t<type>>,
                "a bit slice holds an unsigned integer, an enumeration or a bool");
  static_assert(Width > 0 && (Width <= 8 * sizeof(type)),
                "the member is narrower than its bit slice");
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class S> TRACECODEC_INLINE static constexpr auto& of(S& s) noexcept { return s.*P; }
};

// Unused bit slice of `Width` bits: decode skips it, and encode writes zeros.
template <unsigned Width> struct unused_bits {
  static_assert(Width > 0);
  using owner = void;
  static constexpr unsigned width = Width;
  static constexpr bool unused = true;
  static constexpr std::string_view label = "unused";
  template <auto> static constexpr bool is = false;
};

// Constant bit slice of `Width` bits, such as reserved bits. decode rejects any value except
// `Value` with invalid_value.
template <unsigned Width, std::uint64_t Value = 0> struct constant_bits : unused_bits<Width> {
  static constexpr std::string_view label = "reserved";
  static constexpr std::uint64_t value = Value;
  static_assert(Width >= 64 || Value >> Width == 0, "the constant is wider than its bits");
  static constexpr std::array<text, 1> number{detail::number_text(Value)};
  static constexpr layout_values values{values_are::constant, number, {}};
};

namespace detail {
template <class B> inline constexpr bool is_constant_slice = requires { B::value; };

template <unsigned Sum, unsigned Word> struct widths_of_slices_and_of_their_word {
  static_assert(Sum == Word,
                "the widths of the bit slices must add up to the width of their integer");
  static constexpr bool add_up = true;
};
template <class B>
concept slice_word = requires {
  B::width;
  B::unused;
};
template <class B> struct this_is_no_bit_slice {
  static_assert(never<B>,
                "bit slices are bits<>, unused_bits<> and constant_bits<>; padding<> is for bytes, "
                "outside of bit slices");
  static constexpr bool good = true;
};
template <class B> struct slice_of_word : this_is_no_bit_slice<B> {};
template <slice_word B> struct slice_of_word<B> { static constexpr bool good = true; };

template <class W, class... B> struct bound_slices {
  using codec = W;
  using word_type = typename W::value_type;
  static constexpr unsigned total = 8 * W::size;
  static_assert(std::is_unsigned_v<word_type> && !std::is_same_v<word_type, bool>,
                "bit slices share an unsigned integer");
  static_assert(widths_of_slices_and_of_their_word<(B::width + ...), total>::add_up);
  static constexpr bool fixed = true;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool object_bytes = false;
  static constexpr std::string_view label = std::tuple_element_t<0, std::tuple<B...>>::label;

  template <auto M> static constexpr bool has = (B::template is<M> || ...);
  static constexpr bool holds(std::string_view member) {
    return ((!B::unused && member == B::label) || ...);
  }
  // Returns the place of the slice that holds `member`. The member must be in this word, which is
  // at `offset`.
  static constexpr slice slice_of(std::string_view member, std::size_t offset) {
    slice s{offset, total, 0};
    static_cast<void>(((s.low_bit -= s.width = B::width, B::unused || member != B::label) && ...));
    return s;
  }
  template <auto M> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    constexpr slice at = slice_of(name_of<M>, 0);
    return static_cast<member_t<M>>((W::load(p) >> at.low_bit) & mask(at.width));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    v = get<M>(p);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    const word_type w = W::load(p);
    unsigned at = total;
    ((at -= B::width, put<B>(s, w, at)), ...);
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    word_type w{};
    unsigned at = total;
    ((at -= B::width, w = static_cast<word_type>(
                          w | static_cast<word_type>(static_cast<word_type>(raw<B>(s)) << at))),
     ...);
    W::store(w, p);
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    return ((raw<B>(s) <= mask(B::width)) && ...) ? errc::ok : errc::does_not_fit;
  }
  // Returns the first slice whose value is too wide. The word begins at offset `at`.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    static_cast<void>(((raw<B>(s) <= mask(B::width) || (r.field = &B::label, false)) && ...));
    return r;
  }
  using computed = typename joined<computed_in_t<B>...>::type;
  template <class Notes>
  static constexpr void note(std::size_t at, nothing_asked, Notes& notes) noexcept {
    const auto one = [&]<class X>(std::type_identity<X>) {
      if constexpr (has_computed<X>) notes.template item<X>(at, at + size);
    };
    (one(std::type_identity<B>{}), ...);
  }
  static constexpr bool refuses = (is_constant_slice<B> || ...);
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&,
                                                  const byte* p) noexcept requires refuses {
    const word_type w = W::load(p);
    unsigned at = total;
    return ((at -= B::width, allowed<B>(w, at)) && ...) ? errc::ok : errc::invalid_value;
  }
  template <class S> static constexpr failure refused(const S&, const byte* p,
                                                      std::size_t begin) noexcept requires refuses {
    failure r{begin, &label};
    const word_type w = W::load(p);
    unsigned at = total;
    static_cast<void>(((at -= B::width, allowed<B>(w, at) || (r.field = &B::label, false)) && ...));
    return r;
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    (walk_one<B>(s, present, f), ...);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.slice = true;
    r.size = W::size;
    r.byte_order = W::byte_order;
    r.has_order = W::has_order;
    const text prefix = r.name;
    unsigned at = total;
    const auto add = [&]<class X>(std::type_identity<X>) {
      r.high_bit = at - 1;
      at -= X::width;
      r.low_bit = at;
      r.name = prefix;
      r.name += X::label;
      r.type = W::type_name();
      if constexpr (requires { X::values; })
        r.values = &X::values;
      else
        r.values = nullptr;
      list.add(r);
    };
    (add(std::type_identity<B>{}), ...);
  }

 private:
  static constexpr word_type mask(unsigned n) noexcept {
    return static_cast<word_type>(static_cast<word_type>(~word_type{}) >> (total - n));
  }
  // Extracts the slice whose lowest bit is bit `at` of the word. A bool is not shifted down first,
  // because with the shift g++ 12 generates code that takes a third longer for a RapidBin event.
  template <class X, class S>
  TRACECODEC_INLINE static constexpr void put(S& s, word_type w, unsigned at) noexcept {
    if constexpr (!X::unused) {
      using type = typename X::type;
      if constexpr (std::is_same_v<type, bool>)
        X::of(s) = (w & static_cast<word_type>(mask(X::width) << at)) != 0;
      else
        X::of(s) = static_cast<type>(static_cast<integer_t<type>>((w >> at) & mask(X::width)));
    }
  }
  // Returns the value to encode, with all its bits. A member may be wider than the whole word.
  template <class X, class S>
  TRACECODEC_INLINE static constexpr std::uint64_t raw(const S& s) noexcept {
    if constexpr (!X::unused)
      return static_cast<std::uint64_t>(X::of(s));
    else if constexpr (is_constant_slice<X>)
      return X::value;
    else
      return 0;
  }
  // Returns true if decode accepts the slice whose lowest bit is bit `at` of the word.
  template <class X> static constexpr bool allowed(word_type w, unsigned at) noexcept {
    if constexpr (is_constant_slice<X>)
      return ((w >> at) & mask(X::width)) == X::value;
    else
      return true;
  }
  template <class X, class S, class F>
  TRACECODEC_INLINE static constexpr void walk_one(S& s, bool present, F&& f) {
    if constexpr (!X::unused) f(field_info<X>{}, X::of(s), present);
  }
};
}  // namespace detail

// Slices `B` of one unsigned integer `W`, most significant first. `W` is a plain type such as
// std::uint64_t, in the record's byte order, or a wire type such as u64be. The widths must add up
// to the width of `W`.
template <class W, class... B> struct bit_slices {
  static_assert((detail::slice_of_word<B>::good && ...));
  template <class Policy> using bind = detail::bound_slices<infer_t<W, Policy>, B...>;
  using owner = detail::first_owner<typename B::owner...>;
  static consteval int mentions(std::string_view member) {
    return ((B::unused ? 0 : member == B::label) + ...);
  }
};

namespace detail {
template <class W, class Done, class... Rest> struct turned;
template <class... B> struct slice_list {};
template <class W, class... Done> struct turned<W, slice_list<Done...>> {
  using type = bit_slices<W, Done...>;
};
template <class W, class... Done, class First, class... Rest>
struct turned<W, slice_list<Done...>, First, Rest...>
    : turned<W, slice_list<First, Done...>, Rest...> {};
}  // namespace detail

// Bit slices listed from the least significant bit up, as C compilers lay out bit-fields on
// little-endian machines.
template <class W, class... B> struct bits_from_low
    : detail::turned<W, detail::slice_list<>, B...>::type {};

}  // namespace tracecodec::wire
