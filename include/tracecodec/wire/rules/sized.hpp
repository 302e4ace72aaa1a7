// Parts of a record whose end is defined by a size or by the end of the input: sized, rest,
// skip_rest, if_left and align.
#pragma once
#include <type_traits>
#include <utility>

#include "../engine/split.hpp"
#include "computed.hpp"

namespace tracecodec::wire {

namespace detail {
// Notes of a part, which are forwarded to the notes of the whole record. `base` is the offset of
// the part in the record.
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
};
// Notes of a part that is scanned.
template <class Notes> struct shifted_scan_notes : shifted_notes<Notes> {
  constexpr shifted_scan_notes(Notes& notes, std::size_t at) noexcept
      : shifted_notes<Notes>{notes, at} {}
};
// Notes of a part that is scanned to explain a failure.
template <class Notes>
requires explains<Notes>
struct shifted_scan_notes<Notes> : shifted_notes<Notes> {
  static constexpr bool explaining = true;
  constexpr shifted_scan_notes(Notes& notes, std::size_t at) noexcept
      : shifted_notes<Notes>{notes, at}, failure(notes.failure), path(notes.path) {}
  scan_failure& failure;
  failure_path* path;
  // Offset and label of the item with the highest offset.
  std::size_t last_at = 0;
  const std::string_view* last_field = nullptr;

  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    shifted_notes<Notes>::template item<B>(begin, end);
    if constexpr (requires { requires B::fixed; })
      // Ignores members without bytes.
      if (B::size == 0) return;
    if (last_field != nullptr && begin <= last_at) return;
    last_at = begin;
    last_field = &B::label;
  }
};

// Common base class of items with parts. `Parts` are bound_sections.
template <class Parts> struct bound_parts {
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool sized = Parts::sized;
  static constexpr bool absolute = Parts::absolute;
  static constexpr bool nests_records = Parts::nests_records;
  static constexpr std::string_view label = Parts::first_label;
  template <auto> static constexpr bool has = false;
  using computed = typename Parts::computed;
};

// Name of the member that contains the size of a part, or else of the part's first member.
template <auto Size, class Parts>
inline constexpr std::string_view label_of_size = label_or<Size>(Parts::first_label);

template <auto Size, class Parts> struct bound_sized : bound_parts<Parts> {
  using base = bound_parts<Parts>;
  static constexpr bool sized = true;
  using sized_by = constant_type<Size>;
  // A part is always affected. If only its size is, has_size() checks this size again.
  template <class... Sizes> static consteval bool is_unaffected_inside() {
    return Parts::template is_unaffected_by<Sizes...>();
  }
  struct evaluated {
    extent_type size;
    typename Parts::evaluated inside;
  };
  template <class S>
  TRACECODEC_INLINE static constexpr bool has_size(const S& s, const evaluated& a) noexcept {
    no_notes none{};
    return Parts::written(s, a.inside, 0, none) == elements<1>(detail::evaluate<Size>(s));
  }
  static constexpr bool checks_next = true;
  template <class S, class Input, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const Input& in,
                                                      Notes& notes) noexcept {
    const extent_type n = elements<1>(detail::evaluate<Size>(s));
    const bool whole = in.holds(at, n);
    if constexpr (!explains<Notes>) {
      if (!whole) [[unlikely]]
        return not_read;
    }
    if constexpr (skips_parts<Notes>) return at + static_cast<std::size_t>(n);
    // If the input ends inside the part, scans the available bytes to find the truncated item.
    const scan_input all{in.begin + at, whole ? static_cast<std::size_t>(n) : in.left(at)};
    shifted_scan_notes<Notes> shifted(notes, at);
    const std::size_t end = Parts::scan(s, 0, all, shifted);
    if (end == not_read) [[unlikely]] {
      // The part is too short, although the input is long enough. More input would not help.
      if constexpr (explains<Notes>)
        if (whole && notes.failure.why == errc::truncated) notes.failure.why = errc::wrong_size;
      return fail_inside(notes, at, base::label);
    }
    if (whole && end == all.size) return at + end;
    if constexpr (!explains<Notes>)
      return not_read;
    else if (whole)  // all items were read, but the part does not end after them
      return fail(notes, at, other_size, &label_of_size<Size, Parts>);
    else
      return fail(notes, at + shifted.last_at, errc::truncated,
                  shifted.last_field == nullptr ? &base::label : shifted.last_field);
  }
  // Returns true if the computed item `C` is the size of this part. Because decode reads the part
  // with this size, the size is always correct.
  template <class C> static consteval bool implies() {
    if constexpr (std::is_member_object_pointer_v<decltype(Size)>)
      return C::template measures<Size>();
    else
      return false;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(S& s, evaluated& a) noexcept {
    a.size = elements<1>(detail::evaluate<Size>(s));
    return compare_size(s, a, Parts::prepare(s, a.inside));
  }
  template <class S> static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept
      requires(base::absolute) {
    a.size = elements<1>(detail::evaluate<Size>(s));
    return compare_size(s, a, Parts::prepare_at(s, a.inside, {at.at, at.at}));
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const evaluated& a, extent_type at,
                                       Notes& notes) noexcept {
    shifted_notes<Notes> shifted{notes, static_cast<std::size_t>(at)};
    return Parts::written(s, a.inside, 0, shifted);
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const evaluated& a, const byte*) noexcept {
    return Parts::store(s, p, a.inside, p);
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Parts::unfit_at(s, at);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Parts::walk(s, f, present);
  }
  // Returns `e`, the result of preparing the items, or size_differs. In a record whose computed
  // members are being set, which is not const, the size may not be known yet.
  template <class S>
  TRACECODEC_INLINE static constexpr errc compare_size(S& s, const evaluated& a, errc e) noexcept {
    if constexpr (!std::is_const_v<S>) return e;
    if (e != errc::ok && e != size_differs) return e;
    no_notes none{};
    return Parts::written(s, a.inside, 0, none) == a.size ? e : size_differs;
  }
  static constexpr layout_part described_as{part_of::sized, member_text<Size>, {}, {}};
  static constexpr void describe(row_list& list, const layout_row& r) {
    list.begin(described_as, r);
    Parts::describe(list, r);
    list.end();
  }
};

template <auto Flag, class Parts> struct bound_if_left : bound_parts<Parts> {
  static constexpr bool placed = Parts::placed;
  static constexpr bool greedy = true;
  static constexpr bool may_be_left_out = !Parts::greedy;
  static constexpr auto flag = Flag;
  using computed = sometimes_t<typename Parts::computed>;
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return Parts::template is_unaffected_by<Sizes...>();
  }
  using evaluated = typename Parts::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    s.*Flag = at != in.size;
    if (s.*Flag) return Parts::scan(s, at, in, notes);
    Parts::note_absent(at, notes);
    return at;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return s.*Flag ? Parts::prepare(s, a) : errc::ok;
  }
  template <class S> static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept
      requires(bound_parts<Parts>::absolute) {
    return s.*Flag ? Parts::prepare_at(s, a, at) : errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const evaluated& a, extent_type at,
                                       Notes& notes) noexcept {
    if (s.*Flag) return Parts::written(s, a, at, notes);
    Parts::note_absent(static_cast<std::size_t>(at), notes);
    return 0;
  }
  template <class S> static constexpr byte* store(const S& s, byte* p, const evaluated& a,
                                                  const byte* begin) noexcept {
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
  static_assert(is_array_view<P>());
  using view = typename view_of<P>::type;
  using element = typename view::codec;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = true;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<typename element::value_type>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class...> static consteval bool is_unaffected_by() { return true; }
  using evaluated = nothing_evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t n = in.left(at) / element::size;
    if (in.left(at) % element::size != 0)
      return fail(notes, at + n * element::size, errc::truncated, &label);
    if (const errc e = accept_rows<element>(in.begin + at, n, element::size); e != errc::ok)
      return fail(notes, at, e, &label);
    s.*P = view(in.begin + at, n);
    return in.size;
  }
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, evaluated, extent_type, Notes&) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, evaluated, const byte*) noexcept {
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
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = padding_name;
  template <auto> static constexpr bool has = false;
  static consteval int mentions(std::string_view) { return 0; }
  template <class...> static consteval bool is_unaffected_by() { return true; }
  using evaluated = nothing_evaluated;
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S, class F> static constexpr void walk(S&, bool, F&&) {}
};
}  // namespace detail

// Part that is `Size` bytes long and contains `Items`. `Size` (&S::member, &S::function or a
// callable) is evaluated on members that were read earlier. decode returns truncated if the input
// ends before the part ends. decode returns wrong_size if the items do not fill the part. If bytes
// may remain, add rest to store them, or skip_rest to ignore them. encode returns count_mismatch if
// `Size` differs from the size of the items. computed<> with extent_of<sized_by<Size>> sets the
// correct size, and so does prefix<>.
template <auto Size, class... Items> struct sized : detail::with_parts<Items...> {
  using sized_by = detail::constant_type<Size>;
  template <class Policy> using bind = detail::bound_sized<Size, detail::parts_t<Policy, Items...>>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Size, Place, detail::used_as::count>() &&
           detail::parts_in_order<Place, Items...>::value;
  }
};

// Size of a part that is stored right before the part, in member `P`.
// sized<prefix<&S::n>, items...> is short for computed<&S::n, extent_of<sized_by<&S::n>>>,
// sized<&S::n, items...>. `W` is specified as for field, and may be a varint.
template <auto P, class W = member_t<P>> struct prefix_t {
  static constexpr auto member = P;
  using type = W;
  template <class S> constexpr std::uint64_t operator()(const S&) const noexcept {
    static_assert(detail::never<S>,
                  "prefix<&S::n> is the size of a part, sized<prefix<&S::n>, items...>; for an "
                  "array or a list that follows its count, use prefixed<&S::view, T>");
    return 0;
  }
};
template <auto P, class W = member_t<P>> inline constexpr prefix_t<P, W> prefix{};

namespace detail {
template <class Size> inline constexpr bool is_prefix = false;
template <auto P, class W> inline constexpr bool is_prefix<prefix_t<P, W>> = true;
template <class Prefix, class... Items> using prefixed_part =
    type_list<computed<Prefix::member, extent_of<sized_by<Prefix::member>>, typename Prefix::type>,
              sized<Prefix::member, Items...>>;
template <class List> struct with_listed_parts;
template <class... Items> struct with_listed_parts<type_list<Items...>> : with_parts<Items...> {};
}  // namespace detail

template <auto Size, class... Items>
requires detail::is_prefix<std::remove_const_t<decltype(Size)>>
struct sized<Size, Items...>
    : detail::with_listed_parts<detail::prefixed_part<decltype(Size), Items...>> {
  using stands_for = detail::prefixed_part<decltype(Size), Items...>;
  template <class Policy> using bind =
      typename sized<decltype(Size)::member, Items...>::template bind<Policy>;
};

// Array in member `P`, an array_view, that consists of the remaining bytes of a sized<> part or
// of the input. decode returns truncated if the last element is incomplete.
template <auto P> struct rest {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_rest<P>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
};

// Unused remaining bytes: decode skips them, and encode writes nothing.
struct skip_rest : detail::memberless {
  static constexpr bool greedy = true;
  template <class> using bind = skip_rest;
  template <class S, class Notes> static constexpr std::size_t scan(S&, std::size_t,
                                                                    const detail::scan_input& in,
                                                                    Notes&) noexcept {
    return in.size;
  }
  template <class S, class Notes> static constexpr detail::extent_type written(const S&, evaluated,
                                                                               detail::extent_type,
                                                                               Notes&) noexcept {
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, evaluated, const byte*) noexcept {
    return p;
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.variable_length = true;
    r.count = std::string_view("what is left");
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::skipped};
};

// Optional part: `Items` are present if a sized<> part or the input has bytes left. `Flag` is a
// bool member without bytes of its own, which is true if the items are present. decode sets `Flag`,
// and encode reads it. Only optional parts and an item that consumes all remaining bytes may
// follow. encode returns invalid_value if a following item has bytes although `Flag` is false.
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

// Place from which align<> counts: the start of the record, or the start of the innermost sized<>
// part. Outside of parts, both are the same.
enum class aligned : std::uint8_t { from_record, from_part };
inline constexpr aligned from_record = aligned::from_record;
inline constexpr aligned from_part = aligned::from_part;

// Alignment: unused bytes up to a multiple of `N`, counted from `From`. encode sets each of the
// bytes to `Fill`.
template <std::size_t N, aligned From = from_record, unsigned char Fill = 0> struct align
    : detail::memberless {
  static_assert(N != 0, "align<n> needs a number of bytes of which the next offset is a multiple");
  static constexpr bool placed = From == from_part;
  // True if prepare_at() needs the offset in the record.
  static constexpr bool absolute = From == from_record;
  // Number of bytes, which prepare_at() sets if they depend on the offset in the record.
  template <class...> static consteval bool is_unaffected_by() { return true; }
  struct evaluated {
    std::size_t gap;
  };
  template <class> using bind = align;
  // Returns the end of the gap at offset `at`, if the offset from which align<> counts is `from`
  // bytes before.
  TRACECODEC_INLINE static constexpr std::uint64_t end_of_gap(std::uint64_t at,
                                                              std::uint64_t from) noexcept {
    return (at + from % N + (N - 1)) / N * N - from % N;
  }
  static constexpr std::size_t gap(std::uint64_t at) noexcept {
    return static_cast<std::size_t>(end_of_gap(at, 0) - at);
  }
  static constexpr bool checks_next = true;
  static constexpr bool front_is_whole = true;
  TRACECODEC_INLINE static constexpr detail::extent_type front_end(detail::extent_type at,
                                                                   std::size_t base) noexcept {
    return end_of_gap(at, absolute ? base : 0);
  }
  template <class S, class Input, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S&, std::size_t at, const Input& in,
                                                      Notes& notes) noexcept {
    const detail::extent_type end = front_end(at, absolute ? detail::begin_of_part(notes) : 0);
    if (!in.holds_whole_front(at, end - at)) [[unlikely]]
      return detail::fail(notes, at, errc::truncated, &label);
    return static_cast<std::size_t>(end);
  }
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S>
  static constexpr errc prepare_at(const S&, evaluated& a, detail::item_offset at) noexcept {
    a.gap = gap(at.at);
    return errc::ok;
  }
  template <class S, class Notes>
  static constexpr detail::extent_type written(const S&, const evaluated& a, detail::extent_type at,
                                               Notes&) noexcept {
    return absolute ? a.gap : gap(at);
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, const evaluated& a, const byte* begin) noexcept {
    const std::size_t n = absolute ? a.gap : gap(static_cast<std::uint64_t>(p - begin));
    fill(p, n, std::make_index_sequence < N <= 8 ? N - 1 : 0 > {});
    return p + n;
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.variable_length = true;
    r.count = std::string_view("to a multiple of ");
    r.count += N;
    r.how = &how;
    list.add(r);
  }
  // Fills a gap of `n` bytes. A short gap is filled without a loop, which compilers would turn into a
  // call of memset().
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr void fill(byte* p, std::size_t n,
                                               std::index_sequence<I...>) noexcept {
    if constexpr (N <= 8)
      static_cast<void>(((I < n && (p[I] = static_cast<byte>(Fill), true)) && ...));
    else
      for (std::size_t i = 0; i < n; ++i) p[i] = static_cast<byte>(Fill);
  }
  static constexpr layout_how how{
      .as = read_as::align, .number = N, .from_part = From == from_part};
};

}  // namespace tracecodec::wire
