// Parts of a record whose end is defined by a size or by the end of the input: limited, rest,
// skip_rest, if_left and align.
#pragma once
#include <type_traits>

#include "../engine/split.hpp"

namespace tracecodec::wire {

namespace detail {
// Notes of a part. They are forwarded to the notes of the whole record, which begins `base` bytes
// before the part.
template <class Notes> struct shifted_notes {
  static constexpr bool wanted = Notes::wanted;
  static constexpr bool wants_absent = notes_absent<Notes>;
  Notes& whole;
  std::size_t base;
  template <class B> constexpr void absent(std::size_t at) noexcept {
    if constexpr (wants_absent) whole.template absent<B>(base + at);
  }
  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    if constexpr (wanted) whole.template item<B>(base + begin, base + end);
  }
  template <class... Where> constexpr void inside(const Where&... where) noexcept requires
      requires(Notes& n) {
    n.inside(where...);
  }
  { whole.inside(where...); }
};

// Note of the item with the highest offset.
struct last_item_note {
  static constexpr bool wanted = true;
  std::size_t at = 0;
  const std::string_view* field = nullptr;
  template <class B> constexpr void item(std::size_t begin, std::size_t) noexcept {
    if constexpr (B::fixed)
      // Ignores members without bytes.
      if (B::size == 0) return;
    if (field != nullptr && begin <= at) return;
    at = begin;
    field = &B::label;
  }
};

// Common base class of items with parts. `Parts` are bound_sections.
template <class Parts> struct bound_parts {
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool sized = Parts::sized;
  static constexpr std::string_view label = Parts::first_label;
  template <auto> static constexpr bool has = false;
  using computed = typename Parts::computed;
};

template <auto Size, class Parts> struct bound_limited : bound_parts<Parts> {
  using base = bound_parts<Parts>;
  static constexpr bool sized = true;
  using limited_by = constant_type<Size>;
  struct answer {
    extent_type size;
    typename Parts::answer inside;
  };
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const extent_type n = elements<1>(detail::ask<Size>(s));
    const bool whole = in.holds(at, n);
    const scan_input all{in.begin + at, whole ? static_cast<std::size_t>(n) : in.left(at)};
    shifted_notes<Notes> shifted{notes, at};
    scan_result r = Parts::scan(s, 0, all, shifted);
    // The part's size ends the data here, not the input, so more input would not help.
    if (r.error == errc::truncated && whole) r.error = errc::malformed;
    if (r.error == errc::ok && !(whole && r.at == all.size)) [[unlikely]]
      r = not_filled(s, all, whole ? errc::malformed : errc::truncated);
    r.at += at;
    return r;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(const S& s, answer& a) noexcept {
    a.size = elements<1>(detail::ask<Size>(s));
    const errc e = Parts::prepare(s, a.inside);
    if (e != errc::ok && e != size_differs) return e;
    no_notes none{};
    return Parts::written(s, a.inside, 0, none) == a.size ? e : size_differs;
  }
  template <class S, class Notes> static constexpr extent_type written(const S& s, const answer& a,
                                                                       extent_type at,
                                                                       Notes& notes) noexcept {
    shifted_notes<Notes> shifted{notes, static_cast<std::size_t>(at)};
    return Parts::written(s, a.inside, 0, shifted);
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte*) noexcept {
    return Parts::store(s, p, a.inside, p);
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Parts::unfit_at(s, at);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Parts::walk(s, f, present);
  }
  static constexpr layout_part described_as{part_of::limited, member_asked<Size>, {}, {}};
  static constexpr void describe(row_list& list, const layout_row& r) {
    list.begin(described_as, r);
    Parts::describe(list, r);
    list.end();
  }

 private:
  // Returns the error at the last item. All items were read, but the part does not end after them,
  // or cannot end there.
  template <class S>
  [[gnu::cold, gnu::noinline]] static constexpr scan_result not_filled(S& s, const scan_input& all,
                                                                       errc why) noexcept {
    last_item_note last{};
    static_cast<void>(Parts::scan(s, 0, all, last));
    return {last.at, why, last.field == nullptr ? &base::label : last.field};
  }
};

template <auto Flag, class Parts> struct bound_if_left : bound_parts<Parts> {
  static constexpr bool placed = Parts::placed;
  static constexpr bool greedy = true;
  static constexpr bool may_be_left_out = !Parts::greedy;
  static constexpr auto flag = Flag;
  using computed = sometimes_t<typename Parts::computed>;
  using answer = typename Parts::answer;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    s.*Flag = at != in.size;
    if (s.*Flag) return Parts::scan(s, at, in, notes);
    Parts::note_absent(at, notes);
    return {at};
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(const S& s, answer& a) noexcept {
    return s.*Flag ? Parts::prepare(s, a) : errc::ok;
  }
  template <class S, class Notes> static constexpr extent_type written(const S& s, const answer& a,
                                                                       extent_type at,
                                                                       Notes& notes) noexcept {
    if (s.*Flag) return Parts::written(s, a, at, notes);
    Parts::note_absent(static_cast<std::size_t>(at), notes);
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte* begin) noexcept {
    return s.*Flag ? Parts::store(s, p, a, begin) : p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Parts::unfit_at(s, at);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Parts::walk(s, f, present && s.*Flag);
  }
  static constexpr layout_part part{part_of::if_left, name_of<Flag>, {}, {}};
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part, r);
    Parts::describe(list, r);
    list.end();
  }
};

template <auto P> struct bound_rest {
  using view = typename view_of<P>::type;
  using element = typename view::codec;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = true;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<typename element::value_type>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();
  using answer = nothing_asked;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes&) noexcept {
    const std::size_t n = in.left(at) / element::size;
    if (in.left(at) % element::size != 0) return {at + n * element::size, errc::truncated, &label};
    if (const errc e = accept_rows<element>(in.begin + at, n, element::size); e != errc::ok)
      return {at, e, &label};
    s.*P = view(in.begin + at, n);
    return {in.size};
  }
  template <class S> static constexpr errc prepare(const S&, answer&) noexcept { return errc::ok; }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, answer, extent_type, Notes&) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, answer, const byte*) noexcept {
    const auto bytes = (s.*P).bytes();
    copy(bytes.data(), p, bytes.size());
    return p + bytes.size();
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_rest>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = std::string_view("what is left");
    r.size = element::size;
    r.type = element::type_name();
    r.byte_order = element::byte_order;
    r.has_order = element::has_order;
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::rest, .element = kept_nodes<element>};
};

// Common base class of items without members.
struct memberless {
  using owner = void;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr std::string_view label = padding_name;
  template <auto> static constexpr bool has = false;
  static consteval int mentions(std::string_view) { return 0; }
  using answer = nothing_asked;
  template <class S> static constexpr errc prepare(const S&, answer&) noexcept { return errc::ok; }
  template <class S, class F> static constexpr void walk(S&, bool, F&&) {}
};

// Common base class of items with parts. It combines the members of all inner items.
template <class... Items> struct with_parts {
  using owner = first_owner<typename Items::owner...>;
  static consteval int mentions([[maybe_unused]] std::string_view member) {
    return (Items::mentions(member) + ... + 0);
  }
  static consteval int loads([[maybe_unused]] std::string_view member) {
    return (detail::loads<Items>(member) + ... + 0);
  }
  static consteval bool gives([[maybe_unused]] std::string_view member) {
    return (detail::gives<Items>(member) || ...);
  }
};
}  // namespace detail

// Part of `Size` bytes that contains `Items`. `Size` (&S::member, &S::function or a callable) is
// evaluated on members that were read before. decode returns truncated if the input ends before the
// part ends. decode returns malformed if the items do not end where the part ends: rest keeps the
// remaining bytes, and skip_rest ignores them. encode returns count_mismatch if `Size` differs from
// the size of the items. computed<> with extent_of<> sets the correct size.
template <auto Size, class... Items> struct limited : detail::with_parts<Items...> {
  template <class Policy> using bind =
      detail::bound_limited<Size, detail::parts_t<Policy, Items...>>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Size, Place>() && detail::parts_in_order<Place, Items...>::value;
  }
};

// Array in member `P`, an array_view, that consists of the remaining bytes of a limited<> part or
// of the input. decode returns truncated if the last element is incomplete.
template <auto P> struct rest {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_rest<P>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
};

// Remaining bytes without a use: decode skips them, and encode writes nothing.
struct skip_rest : detail::memberless {
  static constexpr bool greedy = true;
  template <class> using bind = skip_rest;
  template <class S, class Notes> static constexpr scan_result scan(S&, std::size_t,
                                                                    const detail::scan_input& in,
                                                                    Notes&) noexcept {
    return {in.size};
  }
  template <class S, class Notes> static constexpr detail::extent_type written(const S&, answer,
                                                                               detail::extent_type,
                                                                               Notes&) noexcept {
    return 0;
  }
  template <class S> static constexpr byte* store(const S&, byte* p, answer, const byte*) noexcept {
    return p;
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.scanned = true;
    r.count = std::string_view("what is left");
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::skipped};
};

// Optional part: `Items` are present if a limited<> part or the input has bytes left. `Flag` is a
// bool member without bytes of its own, which is true if the items are present. decode sets `Flag`,
// and encode reads it. Only optional parts and an item that takes all remaining bytes may follow.
// encode returns invalid_value if a following item has bytes although `Flag` is false.
template <auto Flag, class... Items> struct if_left : detail::with_parts<Items...> {
  using owner = owner_t<Flag>;
  static_assert(std::is_same_v<member_t<Flag>, bool>,
                "if_left needs a bool member to record its presence");
  template <class Policy> using bind =
      detail::bound_if_left<Flag, detail::parts_t<Policy, Items...>>;
  static consteval int mentions(std::string_view member) {
    return (member == name_of<Flag>)+(Items::mentions(member) + ... + 0);
  }
  static consteval int loads(std::string_view member) {
    return (member == name_of<Flag>)+(detail::loads<Items>(member) + ... + 0);
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::parts_in_order<Place, Items...>::value;
  }
};

// Alignment: unused bytes up to a multiple of `N`, counted from the start of the record or of its
// innermost limited<> part. encode sets each of the bytes to `Fill`.
template <std::size_t N, unsigned char Fill = 0> struct align : detail::memberless {
  static constexpr bool placed = true;
  static_assert(N != 0);
  template <class> using bind = align;
  static constexpr std::size_t gap(std::uint64_t at) noexcept {
    return static_cast<std::size_t>((N - at % N) % N);
  }
  template <class S, class Notes> static constexpr scan_result scan(S&, std::size_t at,
                                                                    const detail::scan_input& in,
                                                                    Notes&) noexcept {
    const std::size_t n = gap(at);
    if (in.left(at) < n) return {at, errc::truncated};
    return {at + n};
  }
  template <class S, class Notes>
  static constexpr detail::extent_type written(const S&, answer, detail::extent_type at,
                                               Notes&) noexcept {
    return gap(at);
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, answer, const byte* begin) noexcept {
    const std::size_t n = gap(static_cast<std::uint64_t>(p - begin));
    for (std::size_t i = 0; i < n; ++i) p[i] = static_cast<byte>(Fill);
    return p + n;
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.scanned = true;
    r.count = std::string_view("to a multiple of ");
    r.count += N;
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::align, .number = N};
};

}  // namespace tracecodec::wire
