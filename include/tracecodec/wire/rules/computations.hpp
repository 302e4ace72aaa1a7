// Computations of values from the other members of a record: numbers of elements, numbers of bytes
// and checksums (computed.hpp).
#pragma once
#include <type_traits>

#include "../items/items.hpp"
#include "../items/ranges.hpp"
#include "../types/engine/sum_value.hpp"

namespace tracecodec::wire {

namespace detail {
template <class Name> consteval bool this_member_has_no_size() {
  static_assert(never<Name>,
                "size_of<> needs a member that is a view or an array; for the bytes of another "
                "member, use extent_of<>");
  return true;
}
template <auto P> consteval bool has_size() {
  if constexpr (requires(const member_t<P>& v) { v.size(); })
    return true;
  else
    return this_member_has_no_size<quoted_t<label_of<pointed<P>>>>();
}
}  // namespace detail

// Function object that returns the number of elements in member `P`.
template <auto P> struct size_of_t {
  static_assert(detail::has_size<P>());
  template <class S> constexpr std::uint64_t operator()(const S& s) const noexcept {
    return (s.*P).size();
  }
};
template <auto P> inline constexpr size_of_t<P> size_of{};

// Number of bytes of a range. `Range` is one of:
// - nothing: the whole record
// - &S::m: member `m`
// - first, last: from the beginning of `first` to the end of `last`. Each is a member, or one of
//   record_start, record_end and here (ranges.hpp).
// - sized_by<&S::size>: the part sized<&S::size, ...>
// An absent member counts as empty, at the position that it would have if it were present. An
// absent part has 0 bytes.
template <auto... Range> struct extent_of_t {};
template <auto... Range> inline constexpr extent_of_t<Range...> extent_of{};

// Checksum `Sum` of the bytes of a range, which is written as in extent_of. Bytes of the checksum
// itself count as 0, or as `Byte` if the range is followed by itself_as<Byte>. io/checksum.hpp
// defines some checksums. Any type `Sum` that supports `Sum sum{}; sum.update(bytes); sum.value()`
// can be used. value() returns a number, or a digest of more than 64 bits as a std::array of bytes.
template <class Sum, auto... Range> struct over_t {};
template <class Sum, auto... Range> inline constexpr over_t<Sum, Range...> over{};
template <unsigned char Byte> struct itself_as_t { static constexpr unsigned char fill = Byte; };
template <unsigned char Byte> inline constexpr itself_as_t<Byte> itself_as{};

namespace detail {
// Positions of the computed item, and of the bytes from which it is computed, in the record.
struct computed_place {
  std::size_t own_begin = 0, own_end = 0, first = 0, last = 0;
  bool there = false;
};

// Computation of one kind of value: from members, from positions, or from bytes. `result` is the
// type of the value.
template <class How> struct computation {
  using result = std::uint64_t;
  static constexpr bool of_members = true;
  // True if the value depends on the positions of items.
  static constexpr bool of_places = false;
  template <class B> static constexpr void item(computed_place&, std::size_t, std::size_t) {}
};
template <class B, auto M> consteval bool item_is() {
  if constexpr (requires { B::template is<M>; })
    return B::template is<M>;
  else
    return B::template has<M>;
}
// Number of elements of a member of the same record.
template <auto P> struct computation<size_of_t<P>> : computation<void> {
  static constexpr auto counted = P;
};
template <class Computation> inline constexpr bool computes_bytes = requires {
  requires Computation::of_bytes;
};
template <auto End> inline constexpr bool is_member =
    std::is_member_object_pointer_v<decltype(End)>;
template <auto End> inline constexpr bool is_range_end =
    is_member<End> || std::is_same_v<decltype(End), range_end>;

// Range from `First` to `Last` whose ends are members, `here`, or the ends of the record.
template <auto First, auto Last> struct range_between {
  static constexpr bool of_places = true;
  static constexpr auto first_end = First, last_end = Last;
  template <class B>
  static constexpr void item(computed_place& c, std::size_t begin, std::size_t end) {
    if constexpr (is_member<First>)
      if constexpr (item_is<B, First>()) c.first = begin;
    if constexpr (is_member<Last>)
      if constexpr (item_is<B, Last>()) c.last = end;
  }
  static constexpr std::size_t begin(const computed_place& c, std::size_t size) {
    if constexpr (is_member<First>)
      return c.first;
    else
      return First == here ? c.own_end : First == record_start ? 0 : size;
  }
  static constexpr std::size_t end(const computed_place& c, std::size_t size) {
    if constexpr (is_member<Last>)
      return c.last;
    else
      return Last == here ? c.own_begin : Last == record_start ? 0 : size;
  }
};
template <class Part> struct range_of_part : Part {
  static constexpr bool of_places = true;
  template <class B>
  static constexpr void item(computed_place& c, std::size_t begin, std::size_t end) {
    if constexpr (requires { typename B::sized_by; })
      if constexpr (std::is_same_v<typename B::sized_by, constant_type<Part::size_of_part>>) {
        c.first = begin;
        c.last = end;
      }
  }
  static constexpr std::size_t begin(const computed_place& c, std::size_t) { return c.first; }
  static constexpr std::size_t end(const computed_place& c, std::size_t) { return c.last; }
};
struct whole_record {
  static constexpr bool of_places = false;
  template <class B> static constexpr void item(computed_place&, std::size_t, std::size_t) {}
  static constexpr std::size_t begin(const computed_place&, std::size_t) { return 0; }
  static constexpr std::size_t end(const computed_place&, std::size_t size) { return size; }
};
template <auto... Range> struct range_of : whole_record {
  static_assert(sizeof...(Range) == 0,
                "a range of bytes is empty (the whole record), &S::m, two ends (each &S::m, "
                "record_start, record_end or here), or sized_by<&S::size>");
};
template <auto P>
requires is_member<P>
struct range_of<P> : range_between<P, P> {
};
template <auto First, auto Last>
requires(is_range_end<First>&& is_range_end<Last>) struct range_of<First, Last>
    : range_between<First, Last> {
};
template <auto Part>
requires requires { decltype(Part)::size_of_part; }
struct range_of<Part> : range_of_part<std::remove_const_t<decltype(Part)>> {};

template <auto... Range> struct computation<extent_of_t<Range...>> : range_of<Range...> {
  using result = std::uint64_t;
  static constexpr bool of_members = false, of_bytes = false;
  static constexpr result of(const computed_place& c, std::size_t size) {
    const std::size_t first = computation::begin(c, size), last = computation::end(c, size);
    return last > first ? last - first : 0;
  }
};

// Checksum `Sum` of the bytes of `Range`, in which the checksum's own bytes are replaced by `Fill`.
template <class Sum, class Range, unsigned char Fill> struct sum_over : Range {
  using result = sum_value<Sum>;
  static constexpr bool of_members = false, of_places = true, of_bytes = true;
  // Returns true if the checksum depends on the bytes of the computed item `other`.
  static constexpr bool covers(const computed_place& c, const computed_place& other,
                               std::size_t size) {
    return Range::begin(c, size) < other.own_end && other.own_begin < Range::end(c, size);
  }
  static constexpr result of(const computed_place& c, std::span<const byte> all) {
    constexpr byte fill[1] = {static_cast<byte>(Fill)};
    std::size_t from = Range::begin(c, all.size());
    const std::size_t to = Range::end(c, all.size());
    Sum sum{};
    if (from > to || to > all.size()) return static_cast<result>(sum.value());
    if (from <= c.own_begin && c.own_end <= to) {
      sum.update(all.subspan(from, c.own_begin - from));
      for (std::size_t i = c.own_begin; i < c.own_end; ++i) sum.update(std::span(fill));
      from = c.own_end;
    }
    sum.update(all.subspan(from, to - from));
    return static_cast<result>(sum.value());
  }
};
// Range of a checksum and the value of the checksum's own bytes, from the arguments of over<>.
template <auto... Range> struct range_and_fill {
  using range = range_of<Range...>;
  static constexpr unsigned char fill = 0;
};
template <auto As> inline constexpr bool is_fill = requires { decltype(As)::fill; };
template <auto As>
requires is_fill<As>
struct range_and_fill<As> : range_and_fill<> {
  static constexpr unsigned char fill = As.fill;
};
template <auto A, auto As>
requires is_fill<As>
struct range_and_fill<A, As> : range_and_fill<A> {
  static constexpr unsigned char fill = As.fill;
};
template <auto A, auto B, auto As>
requires is_fill<As>
struct range_and_fill<A, B, As> : range_and_fill<A, B> {
  static constexpr unsigned char fill = As.fill;
};
template <class Sum, auto... Range> struct computation<over_t<Sum, Range...>>
    : sum_over<Sum, typename range_and_fill<Range...>::range, range_and_fill<Range...>::fill> {};
}  // namespace detail

}  // namespace tracecodec::wire
