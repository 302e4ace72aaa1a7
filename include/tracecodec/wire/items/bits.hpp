// Bit slices: members that share one integer, listed from the most significant bit down.
#pragma once
#include <tuple>

#include "items.hpp"

namespace tracecodec::wire {

namespace detail {
template <class M> inline constexpr unsigned bits_of_type = std::is_same_v<M, bool> ? 1
                                                                                    : 8 * sizeof(M);
}  // namespace detail

// Bit slice of `Width` bits that stores member `P`, which is an unsigned integer, an enumeration or
// a bool. Without a width, a bool has one bit and any other member all its bits.
template <auto P, unsigned Width = detail::bits_of_type<member_t<P>>> struct bits {
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
  static_assert(Width == 1 || !std::is_same_v<integer_t<type>, bool>,
                "a bool has one bit: a wider slice needs an unsigned integer or an enumeration");
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class S> TRACECODEC_INLINE static constexpr auto& of(S& s) noexcept { return s.*P; }
};

// Unused bit slice of `Width` bits. decode skips it, and encode writes zeros.
template <unsigned Width> struct unused_bits {
  static_assert(Width > 0);
  using owner = void;
  static constexpr unsigned width = Width;
  static constexpr bool unused = true;
  static constexpr std::string_view label = "unused";
  template <auto> static constexpr bool is = false;
};

// Constant bit slice of `Width` bits, such as reserved bits. decode rejects any value other than
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

template <unsigned Sum, unsigned Word, class FirstSlice>
consteval bool widths_of_slices_and_of_their_word() {
  static_assert(Sum == Word,
                "the widths of the bit slices must add up to the width of their integer: use "
                "unused_bits<n> for the others, or another integer");
  return true;
}
template <class B>
concept slice_word = requires {
  B::width;
  B::unused;
};
template <class B> consteval bool this_is_not_a_bit_slice() {
  static_assert(
      never<B>,
      "bit slices are bits<>, unused_bits<>, constant_bits<> and computed_bits<>; padding<> and "
      "computed<> are for bytes, outside of bit slices");
  return true;
}
template <class B> consteval bool is_slice() {
  if constexpr (slice_word<B>)
    return true;
  else
    return this_is_not_a_bit_slice<B>();
}

template <class Word, class FirstSlice> consteval bool this_word_of_slices_is_not_unsigned() {
  static_assert(never<Word>,
                "bit slices share an unsigned integer or an unsigned varint, which is the first "
                "argument: bit_slices<std::uint16_t, bits<&S::m, width>...>");
  return true;
}
// Returns true if bit slices can share a number of wire type `W`. Otherwise compilation fails.
template <class W, class FirstSlice> consteval bool is_word_of_slices() {
  using value = typename W::value_type;
  if constexpr (is_integer<value> && std::is_unsigned_v<value> &&
                (variable_length_type<W> || !(says_how<W> || may_refuse<W>)))
    return true;
  else
    return this_word_of_slices_is_not_unsigned<W, FirstSlice>();
}
// Number of bits of a word. A varint has the bits of its largest value.
template <class W> inline constexpr unsigned width_of_word = [] {
  if constexpr (variable_length_type<W>)
    return 8 * sizeof(typename W::value_type);
  else
    return 8 * W::size;
}();

// Bit slices `B` of a number of wire type `W`.
template <class W, class... B> struct sliced_word {
  using codec = W;
  using word_type = typename W::value_type;
  using first = std::tuple_element_t<0, std::tuple<B...>>;
  static constexpr std::string_view label = first::label;
  static_assert(is_word_of_slices<W, quoted_t<label_of<first>>>());
  static constexpr unsigned total = width_of_word<W>;
  static_assert(
      widths_of_slices_and_of_their_word<(B::width + ...), total, quoted_t<label_of<first>>>());

  template <auto M> static constexpr bool has = (B::template is<M> || ...);
  static constexpr bool holds(std::string_view member) {
    return ((!B::unused && member == B::label) || ...);
  }
  // Returns the position of the slice that stores `member`. The member must be in this word, which
  // is at `offset`.
  static constexpr slice slice_of(std::string_view member, std::size_t offset) {
    slice s{offset, total, 0};
    static_cast<void>(((s.low_bit -= s.width = B::width, B::unused || member != B::label) && ...));
    return s;
  }
  // Sets the members to the slices of the word `w`.
  template <class S> TRACECODEC_INLINE static constexpr void put_word(S& s, word_type w) noexcept {
    unsigned at = total;
    ((at -= B::width, put<B>(s, w, at)), ...);
  }
  // Returns the word that consists of the members.
  template <class S> TRACECODEC_INLINE static constexpr word_type word_of(const S& s) noexcept {
    word_type w{};
    unsigned at = total;
    ((at -= B::width, w = static_cast<word_type>(
                          w | static_cast<word_type>(static_cast<word_type>(raw<B>(s)) << at))),
     ...);
    return w;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    return (fits<B>(s) && ...) ? errc::ok : errc::does_not_fit;
  }
  // Returns the first slice whose value is too wide. The word begins at offset `at`.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    static_cast<void>(((fits<B>(s) || (r.field = &B::label, false)) && ...));
    return r;
  }
  static constexpr bool has_constants = (is_constant_slice<B> || ...);
  // Returns true if decode accepts the word `w`.
  TRACECODEC_INLINE static constexpr bool accepts_word([[maybe_unused]] word_type w) noexcept {
    unsigned at = total;
    return ((at -= B::width, allowed<B>(w, at)) && ...);
  }
  // Returns the first slice of `w` that decode rejects. The word begins at offset `begin`.
  static constexpr failure refused_word([[maybe_unused]] word_type w, std::size_t begin) noexcept {
    failure r{begin, &label};
    unsigned at = total;
    static_cast<void>(((at -= B::width, allowed<B>(w, at) || (r.field = &B::label, false)) && ...));
    return r;
  }
  // Reports the positions of the computed slices. The word lies at [begin, end).
  template <class Notes> static constexpr void note_slices([[maybe_unused]] std::size_t begin,
                                                           [[maybe_unused]] std::size_t end,
                                                           [[maybe_unused]] Notes& notes) noexcept {
    const auto one = [&]<class X>(std::type_identity<X>) {
      if constexpr (has_computed<X>) notes.template item<typename X::itself>(begin, end);
    };
    (one(std::type_identity<B>{}), ...);
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    (walk_one<B>(s, present, f), ...);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.slice = true;
    r.size = total / 8;
    r.type = W::type_name();
    if constexpr (variable_length_type<W>) {
      r.variable_length = true;
      r.count = W::sizes();
      if constexpr (says_how<W>) r.how = &W::how;
    } else {
      r.byte_order = W::byte_order;
      r.has_order = W::has_order;
    }
    const text prefix = r.name;
    unsigned at = total;
    const auto add = [&]<class X>(std::type_identity<X>) {
      r.high_bit = at - 1;
      at -= X::width;
      r.low_bit = at;
      r.name = prefix;
      r.name += X::label;
      if constexpr (requires { X::values; })
        r.values = &X::values;
      else
        r.values = nullptr;
      list.add(r);
    };
    (add(std::type_identity<B>{}), ...);
  }
  static constexpr word_type mask(unsigned n) noexcept {
    return static_cast<word_type>(static_cast<word_type>(~word_type{}) >>
                                  (8 * sizeof(word_type) - n));
  }

 private:
  template <class X, class S> TRACECODEC_INLINE static constexpr bool fits(S& s) noexcept {
    if constexpr (has_computed<X>)
      return X::check(s) == errc::ok;
    else
      return raw<X>(s) <= mask(X::width);
  }
  // Extracts the slice whose lowest bit is bit `at` of the word. A bool is tested in place: with a
  // shift, g++ 12's code for a RapidBin event is a third slower.
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
  // Returns all bits of the value to encode, including bits that do not fit in the word, because a
  // member may be wider than the word.
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

// Slices of a word of fixed size.
template <class W, class... B> struct bound_slices : sliced_word<W, B...> {
  using base = sliced_word<W, B...>;
  static constexpr bool fixed = true;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = base::has_constants;
  using computed = typename joined<computed_in_t<B>...>::type;

  template <auto M> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    constexpr slice at = base::slice_of(name_of<M>, 0);
    return static_cast<member_t<M>>((W::load(p) >> at.low_bit) & base::mask(at.width));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    v = get<M>(p);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    base::put_word(s, W::load(p));
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    W::store(base::word_of(s), p);
    return p + size;
  }
  template <class Notes>
  static constexpr void note(std::size_t at, nothing_evaluated, Notes& notes) noexcept {
    base::note_slices(at, at + size, notes);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&,
                                                  const byte* p) noexcept requires refuses {
    return base::accepts_word(W::load(p)) ? errc::ok : errc::invalid_value;
  }
  template <class S> static constexpr failure refused(const S&, const byte* p,
                                                      std::size_t begin) noexcept requires refuses {
    return base::refused_word(W::load(p), begin);
  }
};

// Computed slice of a varint. The slice's value affects the size of the record.
template <class C> struct computed_in_varint : C { static constexpr bool variable_length = true; };
template <class List> struct computed_in_varints;
template <class... C> struct computed_in_varints<type_list<C...>> {
  using type = type_list<computed_in_varint<C>...>;
};

// Slices of a varint.
template <variable_length_type W, class... B> struct bound_slices<W, B...> : sliced_word<W, B...> {
  using base = sliced_word<W, B...>;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool refuses = true;
  using computed = typename computed_in_varints<typename joined<computed_in_t<B>...>::type>::type;
  using evaluated = nothing_evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    typename base::word_type w{};
    const std::size_t end = read_member<W>(w, at, in, notes, base::label);
    if (end == not_read) return end;
    if constexpr (base::has_constants)
      if (!base::accepts_word(w)) [[unlikely]]
        return fail(notes, at, errc::invalid_value, base::refused_word(w, at).field);
    base::put_word(s, w);
    if constexpr (Notes::wanted) base::note_slices(at, end, notes);
    return end;
  }
  template <class...> static consteval bool is_unaffected_by() { return true; }
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated&) noexcept {
    const errc e = base::check(s);
    return e != errc::ok ? e : W::check(base::word_of(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, evaluated, extent_type at,
                                                         Notes& notes) noexcept {
    const extent_type n = W::written(base::word_of(s));
    if constexpr (Notes::wanted)
      base::note_slices(static_cast<std::size_t>(at), static_cast<std::size_t>(at + n), notes);
    return n;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, evaluated,
                                                                    const byte*) noexcept {
    return W::store(base::word_of(s), p);
  }
};
}  // namespace detail

// Slices `B` of one unsigned integer `W`, most significant first. `W` is a plain type such as
// std::uint64_t, in the record's byte order, a wire type such as u64be, or a varint such as
// uleb128_of<std::uint64_t>. The widths must add up to the width of `W`; a varint has the width of
// its integer type.
template <class W, class... B> struct bit_slices {
  static_assert(
      !detail::slice_word<W>,
      "the first argument of bit_slices<> is the unsigned integer that the members share");
  static_assert((detail::is_slice<B>() && ...));
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
