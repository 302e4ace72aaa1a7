// Members that are computed from other members: counts, sizes and checksums. encode writes the
// computed value, whatever the member holds. decode rejects any other value with not_as_computed.
#pragma once
#include <tuple>
#include <type_traits>

#include "../engine/split.hpp"
#include "../items/bits.hpp"

namespace tracecodec::wire {

// Function object that returns the number of elements of the member `P`.
template <auto P> struct size_of_t {
  template <class S> constexpr std::uint64_t operator()(const S& s) const noexcept {
    return (s.*P).size();
  }
};
template <auto P> inline constexpr size_of_t<P> size_of{};

// Number of bytes from the beginning of member `First` to the end of member `Last`. An absent
// member is empty and positioned where it would be. extent_of_record is the size of the whole
// record.
template <auto... Ends> struct extent_of_t {
  static_assert(sizeof...(Ends) == 0 || sizeof...(Ends) == 2 || sizeof...(Ends) == 1);
  using ends = std::integer_sequence<bool, (static_cast<void>(Ends), true)...>;
};
template <auto First, auto Last = First> inline constexpr extent_of_t<First, Last> extent_of{};
inline constexpr extent_of_t<> extent_of_record{};
// Number of bytes that the part limited<Size, ...> contains, or 0 if the part is absent.
template <auto Size> struct extent_of_limited_t {};
template <auto Size> inline constexpr extent_of_limited_t<Size> extent_of_limited{};

// Checksum `Sum` of the bytes from member `First` to member `Last`. If the range includes the
// checksum's own bytes, they are replaced by `Fill`. (io/checksum.hpp has some checksums. A `Sum`
// is used as `Sum sum{}; sum.update(bytes); sum.value()`.)
template <class Sum, auto First, auto Last, unsigned char Fill> struct over_t {};
template <class Sum, auto First, auto Last = First, unsigned char Fill = 0>
inline constexpr over_t<Sum, First, Last, Fill> over{};
// Checksum of the whole record, with the checksum's own bytes replaced by `Fill`.
template <class Sum, unsigned char Fill> struct over_record_t {};
template <class Sum, unsigned char Fill = 0>
inline constexpr over_record_t<Sum, Fill> over_record{};
// Checksum of the bytes before the checksum, from the beginning of member `First` or of the record.
template <class Sum, auto... First> struct over_front_t { static_assert(sizeof...(First) <= 1); };
template <class Sum, auto... First> inline constexpr over_front_t<Sum, First...> over_front{};

namespace detail {
// Positions in the record of the computed item and of the bytes from which it is computed.
struct computed_place {
  std::size_t own_begin = 0, own_end = 0, first = 0, last = 0;
  bool there = false;
};

// Computation of one kind of value: from members, from positions, or from bytes.
template <class How> struct computation {
  static constexpr bool of_members = true;
  template <class B> static constexpr void item(computed_place&, std::size_t, std::size_t) {}
};
template <class B, auto M> consteval bool item_is() {
  if constexpr (requires { B::template is<M>; })
    return B::template is<M>;
  else
    return B::template has<M>;
}
template <class Computation> inline constexpr bool computes_bytes = requires {
  requires Computation::of_bytes;
};
template <auto First, auto Last> struct computed_between {
  static constexpr bool of_members = false;
  template <class B>
  static constexpr void item(computed_place& c, std::size_t begin, std::size_t end) {
    if constexpr (item_is<B, First>()) c.first = begin;
    if constexpr (item_is<B, Last>()) c.last = end;
  }
};
template <auto First, auto Last> struct computation<extent_of_t<First, Last>>
    : computed_between<First, Last> {
  static constexpr bool of_bytes = false;
  static constexpr std::uint64_t of(const computed_place& c, std::size_t) {
    return c.last > c.first ? c.last - c.first : 0;
  }
};
template <> struct computation<extent_of_t<>> {
  static constexpr bool of_members = false, of_bytes = false;
  template <class B> static constexpr void item(computed_place&, std::size_t, std::size_t) {}
  static constexpr std::uint64_t of(const computed_place&, std::size_t size) { return size; }
};
template <auto Size> struct computation<extent_of_limited_t<Size>> {
  static constexpr bool of_members = false, of_bytes = false;
  template <class B>
  static constexpr void item(computed_place& c, std::size_t begin, std::size_t end) {
    if constexpr (requires { typename B::limited_by; })
      if constexpr (std::is_same_v<typename B::limited_by, constant_type<Size>>) {
        c.first = begin;
        c.last = end;
      }
  }
  static constexpr std::uint64_t of(const computed_place& c, std::size_t) {
    return c.last - c.first;
  }
};
// Returns the checksum of bytes [from, to). If the range includes the checksum's own bytes, they
// are replaced by `Fill`.
template <class Sum, unsigned char Fill>
constexpr std::uint64_t sum_without(const computed_place& c, std::span<const byte> all,
                                    std::size_t from, std::size_t to) noexcept {
  constexpr byte fill[1] = {static_cast<byte>(Fill)};
  Sum sum{};
  if (from <= c.own_begin && c.own_end <= to) {
    sum.update(all.subspan(from, c.own_begin - from));
    for (std::size_t i = c.own_begin; i < c.own_end; ++i) sum.update(std::span(fill));
    from = c.own_end;
  }
  sum.update(all.subspan(from, to - from));
  return static_cast<std::uint64_t>(sum.value());
}
template <class Sum, auto First, auto Last, unsigned char Fill>
struct computation<over_t<Sum, First, Last, Fill>> : computed_between<First, Last> {
  static constexpr bool of_bytes = true;
  static constexpr bool covers(const computed_place& c, const computed_place& other) {
    return c.first < other.own_end && other.own_begin < c.last;
  }
  static constexpr std::uint64_t of(const computed_place& c, std::span<const byte> all) {
    if (c.first > c.last || c.last > all.size()) return static_cast<std::uint64_t>(Sum{}.value());
    return sum_without<Sum, Fill>(c, all, c.first, c.last);
  }
};
template <class Sum, auto... First> struct computation<over_front_t<Sum, First...>> {
  static constexpr bool of_members = false, of_bytes = true;
  template <class B> static constexpr void item(computed_place& c, std::size_t begin, std::size_t) {
    if constexpr ((item_is<B, First>() || ...)) c.first = begin;
  }
  static constexpr bool covers(const computed_place& c, const computed_place& other) {
    return c.first < other.own_end && other.own_begin < c.own_begin;
  }
  static constexpr std::uint64_t of(const computed_place& c, std::span<const byte> all) {
    Sum sum{};
    if (c.first <= c.own_begin) sum.update(all.subspan(c.first, c.own_begin - c.first));
    return static_cast<std::uint64_t>(sum.value());
  }
};
template <class Sum, unsigned char Fill> struct computation<over_record_t<Sum, Fill>> {
  static constexpr bool of_members = false, of_bytes = true;
  template <class B> static constexpr void item(computed_place&, std::size_t, std::size_t) {}
  static constexpr bool covers(const computed_place&, const computed_place&) { return true; }
  static constexpr std::uint64_t of(const computed_place& c, std::span<const byte> all) {
    return sum_without<Sum, Fill>(c, all, 0, all.size());
  }
};

// Common base class of all computed items. `Access` reaches the member, and `How` computes it.
template <class Access, auto How> struct computed_member {
  using value = typename Access::type;
  using how = computation<std::remove_const_t<decltype(How)>>;
  static_assert(std::is_integral_v<integer_t<value>>, "a computed field must be an integer");
  // sometimes<> sets it for items that may be absent.
  static constexpr bool conditional = false;
  static constexpr layout_values values{values_are::computed, {}, {}};
  template <class S> static constexpr std::uint64_t of_members(const S& s) noexcept {
    constexpr auto f = How;
    if constexpr (std::is_member_function_pointer_v<decltype(How)>)
      return static_cast<std::uint64_t>((s.*f)());
    else
      return static_cast<std::uint64_t>(f(s));
  }
  // Sets the member to `n`. Returns false if `n` does not fit the member.
  template <class S> static constexpr bool set_member(S& s, std::uint64_t n) noexcept {
    Access::of(s) = static_cast<value>(n);
    return static_cast<std::uint64_t>(static_cast<integer_t<value>>(Access::of(s))) == n;
  }
  template <class S> static constexpr bool equals(const S& s, std::uint64_t n) noexcept {
    return Access::of(s) == static_cast<value>(n) &&
           static_cast<std::uint64_t>(static_cast<integer_t<value>>(Access::of(s))) == n;
  }
};

template <class Access, class W, auto How> struct bound_computed : bound_field<Access, W>,
                                                                   computed_member<Access, How> {
  using base = bound_field<Access, W>;
  // False, because the member may differ from the value that encode writes.
  static constexpr bool object_bytes = false;
  using itself = bound_computed;
  using computed = type_list<bound_computed>;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &bound_computed::values;
    base::describe(list, r);
  }
  // Sets the member to `n`. Returns false if `n` does not fit the member or its field.
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return bound_computed::set_member(s, n) && W::fits(Access::of(s));
  }
};
// Computed field whose length is stored in its own bytes.
template <class Access, scanned_type W, auto How> struct bound_computed<Access, W, How>
    : bound_scanned_field<Access, W>, computed_member<Access, How> {
  using base = bound_scanned_field<Access, W>;
  using itself = bound_computed;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &bound_computed::values;
    base::describe(list, r);
  }
  using computed = type_list<bound_computed>;
  static_assert(computed_member<Access, How>::how::of_members ||
                    !computes_bytes<typename computed_member<Access, How>::how>,
                "a checksum needs a field of fixed size");
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return bound_computed::set_member(s, n) && W::check(Access::of(s)) == errc::ok;
  }
};
// Computed bit slice in a word of slices.
template <auto P, unsigned Width, auto How>
struct computed_slice : bits<P, Width>, computed_member<by_pointer<P>, How> {
  using itself = computed_slice;
  using computed = type_list<computed_slice>;
  static_assert(computed_member<by_pointer<P>, How>::how::of_members ||
                    !computes_bytes<typename computed_member<by_pointer<P>, How>::how>,
                "a checksum needs a field of its own");
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return computed_slice::set_member(s, n) && (Width >= 64 || n >> Width == 0);
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
  // Notes an absent item at the offset where it would be, because it may be an end of a range.
  template <class B> constexpr void absent(std::size_t at) noexcept {
    std::size_t i = 0;
    (C::how::template item<B>(places[i++], at, at), ...);
  }

  // Returns `r` if all computed values of the record are correct, otherwise an error at the first
  // value that differs. The record was read from `in` up to r.at.
  template <class S> constexpr scan_result compare(const S& s, const scan_input& in,
                                                   const scan_result& r) const noexcept {
    const std::span<const byte> all(in.begin, r.at);
    scan_result found = r;
    std::size_t i = 0;
    const auto one = [&]<class One>(std::type_identity<One>) {
      const computed_place& c = places[i++];
      if (!c.there || One::equals(s, value_of<One>(s, c, all))) return true;
      found = {c.own_begin, errc::not_as_computed, &One::label};
      return false;
    };
    static_cast<void>((one(std::type_identity<C>{}) && ...));
    return found;
  }
  template <class One, class S>
  static constexpr std::uint64_t value_of(const S& s, const computed_place& c,
                                          std::span<const byte> all) noexcept {
    if constexpr (One::how::of_members)
      return One::of_members(s);
    else if constexpr (One::how::of_bytes)
      return One::how::of(c, all);
    else
      return One::how::of(c, all.size());
  }

  // Sets all members that are computed from members or from sizes. Returns the first field that
  // does not fit.
  template <class Sections, class S> static constexpr failure complete(S& s) noexcept {
    failure r{};
    const auto members = [&]<class One>(std::type_identity<One>) {
      if constexpr (One::how::of_members && !One::conditional)
        if (!One::set(s, One::of_members(s)) && r.field == nullptr) r.field = &One::label;
    };
    (members(std::type_identity<C>{}), ...);
    if (r.field != nullptr) {
      computed_notes there{};
      static_cast<void>(Sections::measured(s, there));
      std::size_t i = 0;
      ((r.used = r.field == &C::label ? there.places[i].own_begin : r.used, ++i), ...);
      return r;
    }
    // Processes items in wire order, because the presence of a member may depend only on earlier
    // members.
    std::size_t i = 0;
    const auto absent = [&]<class One>(std::type_identity<One>) {
      if constexpr (One::how::of_members && One::conditional) {
        computed_notes there{};
        static_cast<void>(Sections::measured(s, there));
        const computed_place& c = there.places[i];
        if (c.there && !One::set(s, One::of_members(s)) && r.field == nullptr)
          r = {c.own_begin, &One::label};
      }
      ++i;
    };
    (absent(std::type_identity<C>{}), ...);
    set_sizes<Sections>(s, r);
    return r;
  }
  // Sets the members that are computed from sizes. A size stored as a varint affects other sizes.
  // Such sizes therefore start at 0 and are computed again until none changes, up to 16 times.
  template <class Sections, class S> static constexpr void set_sizes(S& s, failure& r) noexcept {
    constexpr bool grows = ((is_scanned<C> && !C::how::of_members) || ...);
    const auto start = [&]<class One>(std::type_identity<One>) {
      if constexpr (is_scanned<One> && !One::how::of_members) One::set(s, 0);
    };
    if constexpr (grows) (start(std::type_identity<C>{}), ...);
    bool changed = true;
    for (unsigned round = 0; changed && round < 16; ++round) {
      changed = false;
      computed_notes notes{};
      const auto size = static_cast<std::size_t>(Sections::measured(s, notes));
      std::size_t i = 0;
      const auto sizes = [&]<class One>(std::type_identity<One>) {
        const computed_place& c = notes.places[i++];
        if constexpr (!One::how::of_members)
          if constexpr (!One::how::of_bytes) {
            if (!c.there) return;
            const std::uint64_t n = One::how::of(c, size);
            if constexpr (grows) changed = changed || !One::equals(s, n);
            if (!One::set(s, n) && r.field == nullptr) r = {c.own_begin, &One::label};
          }
      };
      (sizes(std::type_identity<C>{}), ...);
    }
  }
  // Writes all values that are computed from bytes. Returns the first field that does not fit. If a
  // checksum covers another checksum that is written later, the first checksum is computed again.
  // The number of rounds is limited, because two checksums may cover each other.
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
                          One::how::covers(c, notes.places[k]));
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
}  // namespace detail

// Computed member `P`. `How` is one of:
// - size_of<&S::v>
// - extent_of<&S::first, &S::last>, extent_of_limited<&S::size>, extent_of_record
// - over<sum, &S::first, &S::last>, over_front<sum>, over_record<sum>
// - &S::function or a callable that takes the record
//
// `W` is specified as for field. A checksum needs a field of fixed size. encode returns
// does_not_fit if the computed value does not fit the field.
template <auto P, auto How, class W = member_t<P>> struct computed : field<P, W> {
  template <class Policy> using bind =
      detail::bound_computed<detail::by_pointer<P>, infer_t<W, Policy>, How>;
};
// Computed bit slice of `Width` bits in a word of slices. A checksum cannot be a bit slice.
template <auto P, unsigned Width, auto How> struct computed_bits
    : detail::computed_slice<P, Width, How> {};

}  // namespace tracecodec::wire
