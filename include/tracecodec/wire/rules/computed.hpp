// Members that are computed from other members: counts, sizes and checksums. encode writes the
// computed value and ignores the member's value. decode rejects any other value with
// not_as_computed.
#pragma once
#include <tuple>
#include <type_traits>

#include "../engine/split.hpp"
#include "../items/bits.hpp"
#include "computations.hpp"

namespace tracecodec::wire {

namespace detail {
// Compile error about a computed member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_cannot_be_computed() {
  static_assert(never<Name>,
                "a computed field must be an integer, or for a digest a "
                "std::array<std::uint8_t, n> of as many bytes");
  return true;
}
template <class Access, class How> consteval bool computed_member_is_good() {
  if constexpr (can_hold_sum<typename Access::type, typename computation<How>::result>)
    return true;
  else
    return this_member_cannot_be_computed<quoted_t<label_of<Access>>>();
}
// Base class of all computed items. `Access` returns a reference to the member, and `How` computes
// the value.
template <class Access, auto How> struct computed_member {
  using value = typename Access::type;
  using how = computation<std::remove_const_t<decltype(How)>>;
  static_assert(computed_member_is_good<Access, std::remove_const_t<decltype(How)>>());
  // True for items that may be absent. sometimes<> sets this flag.
  static constexpr bool conditional = false;
  // True for items that decode need not compare. implied<> sets this flag.
  static constexpr bool is_implied = false;
  // Returns true if the item is member `P` and is computed as the number of elements of member
  // `View`.
  template <auto P, auto View> static consteval bool counts() {
    if constexpr (Access::template is<P>)
      return std::is_same_v<std::remove_const_t<decltype(How)>, size_of_t<View>>;
    else
      return false;
  }
  // Returns true if the item is member `P` and is computed as the size of the part sized<P, ...>.
  template <auto P> static consteval bool measures() {
    if constexpr (Access::template is<P>)
      return std::is_same_v<std::remove_const_t<decltype(How)>, extent_of_t<sized_by<P>>>;
    else
      return false;
  }
  // Returns true if `How` accepts a record of type `S`, and returns an integer.
  template <class S> static consteval bool is_computed_from() {
    if constexpr (std::is_invocable_v<decltype(How), const S&>)
      return std::is_convertible_v<
          integer_t<std::remove_cvref_t<std::invoke_result_t<decltype(How), const S&>>>,
          std::uint64_t>;
    else
      return false;
  }
  static constexpr layout_values values{values_are::computed, {}, {}};
  template <class S> static constexpr std::uint64_t of_members(const S& s) noexcept {
    constexpr auto f = How;
    if constexpr (std::is_member_function_pointer_v<decltype(How)>)
      return static_cast<std::uint64_t>((s.*f)());
    else
      return static_cast<std::uint64_t>(f(s));
  }
  // Sets the member to `n`. Returns false if `n` does not fit the member.
  template <class S, class N> static constexpr bool set_member(S& s, const N& n) noexcept {
    return set_to_sum(Access::of(s), n);
  }
  template <class S, class N> static constexpr bool equals(const S& s, const N& n) noexcept {
    return equals_sum(Access::of(s), n);
  }
  // Sets the member if it is computed from members, unless the record is const. Returns false if
  // the member differs from the computed value, which then does not fit the member.
  template <class S> TRACECODEC_INLINE static constexpr bool complete(S& s) noexcept {
    if constexpr (how::of_members) {
      const std::uint64_t n = of_members(s);
      if constexpr (!std::is_const_v<S>) return set_member(s, n);
      return equals(s, n);
    }
    return true;
  }
};

template <class Access, class W, auto How> struct bound_computed : bound_field<Access, W>,
                                                                   computed_member<Access, How> {
  using base = bound_field<Access, W>;
  // False, because the member's value may differ from the value that encode writes.
  static constexpr bool object_bytes = false;
  using itself = bound_computed;
  using computed = type_list<bound_computed>;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &bound_computed::values;
    base::describe(list, r);
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    return bound_computed::complete(s) ? base::check(s) : errc::does_not_fit;
  }
  // Sets the member to `n`. Returns false if `n` does not fit the member or its field.
  template <class S, class N> static constexpr bool set(S& s, const N& n) noexcept {
    return bound_computed::set_member(s, n) && W::fits(Access::of(s));
  }
};
// Computed field of a variable-length wire type, such as a varint.
template <class Access, variable_length_type W, auto How> struct bound_computed<Access, W, How>
    : bound_variable_length_field<Access, W>, computed_member<Access, How> {
  using base = bound_variable_length_field<Access, W>;
  using itself = bound_computed;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &bound_computed::values;
    base::describe(list, r);
  }
  using computed = type_list<bound_computed>;
  static_assert(computed_member<Access, How>::how::of_members ||
                    !computes_bytes<typename computed_member<Access, How>::how>,
                "a checksum needs a field of fixed size");
  using typename base::evaluated;
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return bound_computed::complete(s) ? base::prepare(s, a) : errc::does_not_fit;
  }
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return bound_computed::set_member(s, n) && W::check(Access::of(s)) == errc::ok;
  }
};
// Computed bit slice.
template <auto P, unsigned Width, auto How>
struct computed_slice : bits<P, Width>, computed_member<by_pointer<P>, How> {
  using itself = computed_slice;
  using computed = type_list<computed_slice>;
  static_assert(computed_member<by_pointer<P>, How>::how::of_members ||
                    !computes_bytes<typename computed_member<by_pointer<P>, How>::how>,
                "a checksum needs a field of its own");
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    return computed_slice::complete(s) && fits(s) ? errc::ok : errc::does_not_fit;
  }
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return computed_slice::set_member(s, n) && fits(s);
  }

 private:
  template <class S> static constexpr bool fits(const S& s) noexcept {
    using number = integer_t<member_t<P>>;
    return Width >= 64 ||
           static_cast<std::uint64_t>(static_cast<number>(s.*P)) >> (Width % 64) == 0;
  }
};

template <class... C> struct computed_notes<type_list<C...>> {
  static constexpr bool wanted = true;
  static constexpr bool wants_absent = true;
  std::array<computed_place, sizeof...(C)> places{};

  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    std::size_t i = 0;
    (item<B, C>(places[i++], begin, end), ...);
  }
  template <class B, class One>
  static constexpr void item(computed_place& c, std::size_t begin, std::size_t end) noexcept {
    if constexpr (std::is_same_v<B, typename One::itself>) {
      c.own_begin = begin;
      c.own_end = end;
      c.there = true;
    }
    One::how::template item<B>(c, begin, end);
  }
  // Records an absent item at the offset that it would have if it were present, because a range may
  // begin or end there.
  template <class B> constexpr void absent(std::size_t at) noexcept {
    std::size_t i = 0;
    (C::how::template item<B>(places[i++], at, at), ...);
  }

  // Calls failed(offset, label) for the record's first computed value that is wrong. The record was
  // read from `in` up to offset `end`.
  template <class S, class F> constexpr void compare(const S& s, const scan_input& in,
                                                     std::size_t end, F&& failed) const noexcept {
    const std::span<const byte> all(in.begin, end);
    std::size_t i = 0;
    const auto one = [&]<class One>(std::type_identity<One>) {
      const computed_place& c = places[i++];
      if (!c.there || One::equals(s, value_of<One>(s, c, all))) return true;
      failed(c.own_begin, &One::label);
      return false;
    };
    static_cast<void>((one(std::type_identity<C>{}) && ...));
  }
  template <class One, class S>
  static constexpr typename One::how::result value_of(const S& s, const computed_place& c,
                                                      std::span<const byte> all) noexcept {
    if constexpr (One::how::of_members)
      return One::of_members(s);
    else if constexpr (One::how::of_bytes)
      return One::how::of(c, all);
    else
      return One::how::of(c, all.size());
  }

  // Items that are computed from sizes. Items that are computed from members are set when they are
  // checked, and items that are computed from bytes after the bytes are written.
  template <class One> static constexpr bool is_size =
      !One::how::of_members && !computes_bytes<typename One::how>;
  using sizes = typename joined<std::conditional_t<is_size<C>, type_list<C>, type_list<>>...>::type;
  static constexpr bool of_sizes = (is_size<C> || ...);
  // True if a size stored as a varint affects other sizes, or itself. It does not if it is the only
  // size and counts a part, because the part begins after its size.
  static constexpr bool grows = [] {
    if constexpr (((is_size<C> ? 1 : 0) + ... + 0) == 1)
      return ((is_size<C> && is_variable_length<C> && !requires { C::how::size_of_part; }) || ...);
    else
      return ((is_size<C> && is_variable_length<C>) || ...);
  }();
  // True if sizes depend on the places of items, or on their presence.
  static constexpr bool need_places =
      ((is_size<C> && (C::how::of_places || C::conditional)) || ...);
  // Returns true if sizes affect nothing but the sizes of parts among the sections `X`.
  template <class... X> static consteval bool settle() {
    return !grows && (settles<X>(sizes{}) && ...);
  }
  template <class X, class... Sizes> static consteval bool settles(type_list<Sizes...>) {
    if constexpr (requires { X::only_item::template is_unaffected_inside<Sizes...>(); })
      return X::only_item::template is_unaffected_inside<Sizes...>();
    else
      return item_is_unaffected_by<X, Sizes...>();
  }

  // Sets all members that are computed from members or from sizes. Returns the first size that does
  // not fit. If sizes affect each other, all sizes are computed again until no size changes, up to
  // 16 times.
  template <class Sections, class S>
  TRACECODEC_INLINE static constexpr failure complete(S& s) noexcept {
    failure r{};
    start_sizes(s);
    bool changed = true;
    for (unsigned round = 0; changed && round < (grows ? 16 : 1); ++round) {
      computed_notes notes{};
      const extent_type size = Sections::measured(s, notes);
      changed = notes.set_sizes(s, size, r);
    }
    return r;
  }
  // Sets the sizes that are stored as varints to 0. They grow from there.
  template <class S> TRACECODEC_INLINE static constexpr void start_sizes(S& s) noexcept {
    const auto one = [&s]<class One>(std::type_identity<One>) __attribute__((always_inline)) {
      if constexpr (is_size<One> && is_variable_length<One>) One::set(s, 0);
    };
    (one(std::type_identity<C>{}), ...);
  }
  // Sets the members that are computed from sizes. The record has `size` bytes. Returns true if a
  // member has changed, and stores the first size that does not fit in `unfit`.
  template <class S> TRACECODEC_INLINE constexpr bool set_sizes(S& s, extent_type size,
                                                                failure& unfit) const noexcept {
    bool changed = false;
    std::size_t i = 0;
    const auto one = [&]<class One>(std::type_identity<One>) __attribute__((always_inline)) {
      const computed_place& c = places[i++];
      if constexpr (is_size<One>) {
        if (need_places && !c.there) return;
        const std::uint64_t n = One::how::of(c, static_cast<std::size_t>(size));
        changed = changed || !One::equals(s, n);
        if (!One::set(s, n) && unfit.field == nullptr) unfit = {c.own_begin, &One::label};
      }
    };
    (one(std::type_identity<C>{}), ...);
    return changed;
  }
  // Writes all values that are computed from bytes. Returns the first field that does not fit. If a
  // checksum covers another checksum that is written later, the first checksum is computed again.
  // The number of rounds is limited, because two checksums can cover each other.
  template <class Sections, class S>
  static constexpr failure finish(const S& s, std::span<byte> out) noexcept {
    failure r{};
    if constexpr ((computes_bytes<typename C::how> || ...)) {
      computed_notes notes{};
      static_cast<void>(Sections::measured(s, notes));
      std::array<bool, sizeof...(C)> before{}, written{};
      std::size_t round = 0;
      const auto one = [&]<class One>(std::type_identity<One>, std::size_t i) {
        if constexpr (computes_bytes<typename One::how>) {
          const computed_place& c = notes.places[i];
          bool due = round == 0;
          for (std::size_t k = 0; k < sizeof...(C); ++k)
            due = due || (k != i && (k < i ? written[k] : before[k]) &&
                          One::how::covers(c, notes.places[k], out.size()));
          if (!c.there || !due) return;
          S t = s;
          if (!One::set(t, One::how::of(c, out)) && r.field == nullptr)
            r = {c.own_begin, &One::label};
          One::store(t, out.data() + c.own_begin);
          written[i] = true;
        }
      };
      for (bool more = true; more && round < sizeof...(C); ++round) {
        before = written;
        written = {};
        std::size_t i = 0;
        (one(std::type_identity<C>{}, i++), ...);
        more = written != std::array<bool, sizeof...(C)>{};
      }
    }
    return r;
  }
};

// Presence of a computed item that may be absent.
struct computed_presence {
  bool there = false;
};
// Data that decode records in order to check a computed item: positions if the value depends on
// positions, or a presence flag if the item may be absent.
template <class One> using noted_of = std::conditional_t<
    One::is_implied, nothing_evaluated,
    std::conditional_t<One::how::of_places, computed_place,
                       std::conditional_t<One::conditional, computed_presence, nothing_evaluated>>>;
template <class One> inline constexpr bool is_noted =
    !std::is_same_v<noted_of<One>, nothing_evaluated>;
template <class One> inline constexpr bool notes_place = One::how::of_places && !One::is_implied;
template <class Indices, class... C> struct noted_values;
template <std::size_t... I, class... C> struct noted_values<std::index_sequence<I...>, C...>
    : indexed_value<I, noted_of<C>>... {
  static constexpr bool wanted = (is_noted<C> || ...);
  static constexpr bool wants_absent = (notes_place<C> || ...);

  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    (item_of<B, C>(evaluated_at<I>(*this), begin, end), ...);
  }
  template <class B, class One, class Noted>
  TRACECODEC_INLINE static constexpr void item_of(Noted& c, std::size_t begin,
                                                  std::size_t end) noexcept {
    if constexpr (notes_place<One>) {
      computed_notes<type_list<One>>::template item<B, One>(c, begin, end);
    } else if constexpr (is_noted<One>) {
      if constexpr (std::is_same_v<B, typename One::itself>) c.there = true;
    }
  }
  template <class B> constexpr void absent(std::size_t at) noexcept {
    const auto one = [at]<class One>(std::type_identity<One>, auto& c) {
      if constexpr (notes_place<One>) One::how::template item<B>(c, at, at);
    };
    (one(std::type_identity<C>{}, evaluated_at<I>(*this)), ...);
  }
  // Returns true if all computed values of the record are correct. The record was read from `in` up
  // to offset `end`.
  template <class S> TRACECODEC_INLINE constexpr bool hold(const S& s, const scan_input& in,
                                                           std::size_t end) const noexcept {
    const std::span<const byte> all(in.begin, end);
    return (holds<C>(s, all, evaluated_at<I>(*this)) && ...);
  }
  template <class One, class S, class Noted>
  TRACECODEC_INLINE static constexpr bool holds(const S& s, std::span<const byte> all,
                                                const Noted& c) noexcept {
    if constexpr (One::conditional && !One::is_implied)
      if (!c.there) return true;
    if constexpr (One::is_implied)
      return true;
    else if constexpr (One::how::of_members)
      return One::equals(s, One::of_members(s));
    else if constexpr (!One::how::of_places)
      return One::equals(s, all.size());
    else
      return One::equals(s, computed_notes<type_list<One>>::template value_of<One>(s, c, all));
  }
};
template <class... C> struct computed_values<type_list<C...>>
    : noted_values<std::index_sequence_for<C...>, C...> {};

template <class... C> struct computed_failure_notes<type_list<C...>> : failure_notes {
  static constexpr bool wants_absent = true;
  computed_notes<type_list<C...>> positions{};

  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    failure_notes::item<B>(begin, end);
    positions.template item<B>(begin, end);
  }
  template <class B> constexpr void absent(std::size_t at) noexcept {
    positions.template absent<B>(at);
  }
  template <class S>
  constexpr void compare(const S& s, const scan_input& in, std::size_t end) noexcept {
    positions.compare(s, in, end, [this](std::size_t at, const std::string_view* field) {
      failure = {at, errc::not_as_computed, field};
    });
  }
};
}  // namespace detail

// Computed member `P`. `How` is one of:
// - size_of<&S::v>
// - extent_of<...>: the number of bytes of a range
// - over<sum, ...>: the checksum of a range
// - &S::function or a callable that takes the record
//
// `W` is specified as for field. A checksum needs a field of fixed size. encode returns
// does_not_fit if the computed value does not fit the field.
template <auto P, auto How, class W = member_t<P>> struct computed : field<P, W> {
  template <class Policy> using bind =
      detail::bound_computed<detail::by_pointer<P>, infer_t<W, Policy>, How>;
};
// Computed bit slice of `Width` bits. A checksum cannot be a bit slice.
template <auto P, unsigned Width, auto How> struct computed_bits
    : detail::computed_slice<P, Width, How> {};

}  // namespace tracecodec::wire
