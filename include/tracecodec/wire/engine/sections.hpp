// Engine of wire::record: decode, encode, walk and describe over a list of bound sections.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "section.hpp"

namespace tracecodec::wire::detail {

// Positions of all items from which the items in `List` are computed (computed.hpp).
template <class List> struct computed_notes;

template <class... X> struct bound_sections;

// Concatenation of two lists of sections.
template <class A, class B> struct appended;
template <class... A, class... B> struct appended<bound_sections<A...>, bound_sections<B...>> {
  using type = bound_sections<A..., B...>;
};
// Last of several sections, and the sections before it.
template <class Before, class... X> struct last_section {
  using before = Before;
  struct item {};
};
template <class... Before, class Last> struct last_section<bound_sections<Before...>, Last> {
  using before = bound_sections<Before...>;
  using last = Last;
};
template <class... Before, class First, class Second, class... X>
struct last_section<bound_sections<Before...>, First, Second, X...>
    : last_section<bound_sections<Before..., First>, Second, X...> {};
// True if a section is a choice. If the last section is a choice, encode treats each alternative as
// a separate record, so that there is one branch, as in handwritten code.
template <class Section>
concept chooses = requires {
  requires Section::only_item::is_choice;
};

// Compile error for an item that takes all remaining bytes although more items follow. g++ prints
// the member's name first, clang prints the message first.
template <class Name> struct this_member_takes_all_that_is_left {
  static_assert(never<Name>,
                "nothing can follow what extends to the end (rest<>, skip_rest, list<> with "
                "to_end; after if_left<> only another one): put it last or into a limited<> part");
  static constexpr bool last = true;
};
// True if a section is a single if_left<> that another optional part may follow.
template <class Section>
concept may_be_left_out = requires {
  requires Section::only_item::may_be_left_out;
};
// Returns true if no item with bytes follows the item that takes all remaining bytes. Several
// if_left<> items may follow one another.
consteval bool greedy_is_last(type_list<>) { return true; }
template <class First, class... Rest> consteval bool greedy_is_last(type_list<First, Rest...>) {
  if constexpr (may_be_left_out<First> &&
                ((Rest::greedy || (Rest::fixed && Rest::size == 0)) && ...))
    return greedy_is_last(type_list<Rest...>{});
  else if constexpr (First::greedy && ((!Rest::fixed || Rest::size != 0) || ...))
    return this_member_takes_all_that_is_left<quoted_t<label_of<typename First::only_item>>>::last;
  else
    return greedy_is_last(type_list<Rest...>{});
}

// Bound sections `X` in wire order. wire::record documents how they affect a record.
template <class... X> struct bound_sections {
  static constexpr bool scanned = (X::scanned || ...);
  static constexpr bool refuses = (X::refuses || ...);
  static constexpr bool placed = (X::placed || ...);
  static constexpr bool sized = (X::sized || ...);
  static constexpr bool greedy = (X::greedy || ...);
  static_assert(!greedy || greedy_is_last(type_list<X...>{}));
  // Items that encode computes from other items and decode compares.
  using computed = typename joined<typename X::computed...>::type;
  static constexpr bool computes = !std::is_same_v<computed, type_list<>>;

  // Smallest number of bytes of all sections together.
  static constexpr std::size_t least = (X::size + ... + 0);
  using split = last_section<bound_sections<>, X...>;
  static constexpr bool ends_in_choice = [] {
    if constexpr (sizeof...(X) > 1 && scanned && !computes)
      return chooses<typename split::last>;
    else
      return false;
  }();
  // Name of the first member. Errors use it for a part that has no name.
  static constexpr std::string_view first_label = [] {
    std::string_view first = padding_name;
    const auto look = [&first](const auto& labels) {
      for (const std::string_view one : labels)
        if (first == padding_name) first = one;
    };
    (look(X::labels), ...);
    return first;
  }();

  template <class S>
  TRACECODEC_INLINE static constexpr result decode(std::span<const byte> in, S& s) noexcept {
    if constexpr (scanned || refuses || computes) {
      return result_of(scan(s, {in.data(), in.size()}));
    } else {
      return decode_asked(in, s);
    }
  }

  TRACECODEC_INLINE static constexpr result result_of(const scan_result& r) noexcept {
    if (r.error != errc::ok) [[unlikely]]
      return {r.at, r.error, *r.field};
    // Lets a caller's comparison with 0 fold away.
    if (r.at < least) __builtin_unreachable();
    return {r.at};
  }

  // Reads all sections from the front of `in`.
  template <class S>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, const scan_input& in) noexcept {
    if constexpr (computes) {
      computed_notes<computed> notes{};
      const scan_result r = scan(s, 0, in, notes);
      return r.error == errc::ok ? notes.compare(s, in, r) : at_tag(s, in, r);
    } else {
      no_notes none{};
      const scan_result r = scan(s, 0, in, none);
      if constexpr (scanned)
        if (r.error != errc::ok) [[unlikely]]
          return at_tag(s, in, r);
      return r;
    }
  }
  // Returns the error of `r`. If a tag is unknown, the error is moved to the start of the tag. (The
  // search is pure, like all searches after a failure, so that a caller keeps its record in
  // registers.)
  template <class S>
  TRACECODEC_INLINE static constexpr scan_result at_tag(const S& s, const scan_input& in,
                                                        const scan_result& r) noexcept {
    if (r.error != unknown_tag) [[likely]]
      return r;
    return {place_of(s, in, r), errc::invalid_value, r.field};
  }
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr std::size_t place_of(
      const S& s, scan_input in, scan_result r) noexcept {
    place_note tag{*r.field, r.at};
    S again = s;
    static_cast<void>(scan(again, 0, in, tag));
    return tag.at;
  }
  // Reads the sections as part of a record. `in` begins at the record's first byte. The part begins
  // at offset `at`.
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    scan_result r{at};
    static_cast<void>(((r = X::scan(s, r.at, in, notes), r.error == errc::ok) && ...));
    return r;
  }

  // Reports to `notes` that every item is absent, at offset `at`.
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    if constexpr (notes_absent<Notes>) (X::note_absent(at, notes), ...);
  }
  // True if some part may be absent. Nothing after an absent part may have bytes, because decode
  // would read them as the absent part.
  static constexpr bool leaves_out = (may_be_left_out<X> || ...);

  // Encoding has three steps:
  // - prepare() checks that everything can be written, and evaluates counts and conditions.
  // - written() returns the number of bytes. `at` is the offset of the part in its record.
  // - store() writes the bytes.
  using indices = std::index_sequence_for<X...>;
  using answer = answers_of<indices, X...>;
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    return check(s, a, indices{});
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const answer& a,
                                                         extent_type at, Notes& notes) noexcept {
    return extent(s, a, at, notes, indices{});
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const answer& a,
                                                                    const byte* begin) noexcept {
    return store(s, p, a, begin, indices{});
  }

  // Returns the item that prepare() rejects, and the item's offset. If prepare() accepts all items,
  // the result names no field.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure unfit_at(
      const S& s, std::size_t at) noexcept {
    failure r{};
    [[maybe_unused]] const std::size_t begin = at;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      typename Y::answer a{};
      if constexpr (Y::scanned) {
        if (Y::prepare(s, a) != errc::ok) r = Y::unfit(s, at);
      } else {
        a = Y::ask(s);
        r = Y::unfit(s, at, a);
      }
      no_notes none{};
      if (r.field == nullptr) at += static_cast<std::size_t>(extent_one<Y>(s, a, at, none));
      return r.field == nullptr;
    };
    static_cast<void>((one(std::type_identity<X>{}) && ...));
    if constexpr (leaves_out) {
      if (r.field == nullptr) {
        answer a{};
        static_cast<void>(check(s, a, indices{}));
        return behind_left_out(s, a, begin, indices{});
      }
    }
    return r;
  }

 private:
  template <class S>
  TRACECODEC_INLINE static constexpr result decode_asked(std::span<const byte> in, S& s) noexcept {
    const byte* p = in.data();
    std::size_t left = in.size();
    std::size_t section = 0;
    const auto take = [&]<class Y>(std::type_identity<Y>) __attribute__((always_inline)) {
      const auto a = Y::ask(s);
      const extent_type n = Y::extent(a);
      if (left < n) return false;
      p = Y::load(s, p, a);
      left -= static_cast<std::size_t>(n);
      ++section;
      return true;
    };
    if (!(take(std::type_identity<X>{}) && ...)) [[unlikely]]
      return truncated(s, section, in.size() - left, left);
    return {in.size() - left};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr result encode_in_parts(const S& s,
                                                            std::span<byte> out) noexcept {
    answer a{};
    if (const errc e = check(s, a, indices{}); e != errc::ok) [[unlikely]]
      return refused(s, to_caller(e));
    no_notes none{};
    const extent_type n = extent(s, a, 0, none, indices{});
    if (out.size() < n) [[unlikely]]
      return no_space(s, out.size());
    store(s, out.data(), a, out.data(), indices{});
    return {static_cast<std::size_t>(n)};
  }

 public:
  template <class S>
  TRACECODEC_INLINE static constexpr result encode_as_is(const S& s, std::span<byte> out) noexcept {
    if constexpr (ends_in_choice)
      return split::last::only_item::with_chosen(
          s,
          [&]<class Parts>(std::type_identity<Parts>) __attribute__((always_inline)) {
            return appended<typename split::before, Parts>::type::encode_as_is(s, out);
          },
          [&s] { return refused(s, refusal_of(s)); });
    else
      return encode_in_parts(s, out);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr result encode(const S& s, std::span<byte> out) noexcept {
    if constexpr (computes) {
      S whole = s;
      if (const failure f = complete(whole); f.field != nullptr) [[unlikely]]
        return {f.used, errc::does_not_fit, *f.field};
      const result r = encode_as_is(whole, out);
      if (r)
        if (const failure f = finish(whole, out.first(r.used)); f.field != nullptr) [[unlikely]]
          return {f.used, errc::does_not_fit, *f.field};
      return r;
    } else {
      return encode_as_is(s, out);
    }
  }
  // Sets the members that are computed from other members or from sizes. Returns the first member
  // that does not fit. finish() computes the values that depend on bytes, once those bytes are
  // written.
  template <class S> static constexpr failure complete(S& s) noexcept {
    if constexpr (computes)
      return computed_notes<computed>::template complete<bound_sections>(s);
    else
      return {};
  }
  template <class S> static constexpr failure finish(const S& s, std::span<byte> out) noexcept {
    if constexpr (computes)
      return computed_notes<computed>::template finish<bound_sections>(s, out);
    else
      return {};
  }

  // Returns the number of bytes that encode writes.
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    if constexpr (scanned) {
      no_notes none{};
      return measured(s, none);
    } else {
      return (X::written(s) + ...);
    }
  }
  // Returns the number of bytes that encode writes, and reports the future position of each item to
  // `notes`.
  template <class S, class Notes>
  static constexpr extent_type measured(const S& s, Notes& notes) noexcept {
    answer a{};
    static_cast<void>(check(s, a, indices{}));
    return extent(s, a, 0, notes, indices{});
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    answer a{};
    return to_caller(check(s, a, indices{}));
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, F& f, bool present = true) {
    (X::walk(s, present, f), ...);
  }

  static constexpr void describe(row_list& list, layout_row r) {
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      Y::describe(list, r);
      if constexpr (Y::fixed && !Y::scanned) {
        r.offset += Y::size;
      } else {
        r.floats = true;
        r.offset = 0;
      }
    };
    (one(std::type_identity<X>{}), ...);
  }

  // Returns the error for a record that cannot be written.
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr errc refusal_of(const S& s) noexcept {
    answer a{};
    return to_caller(check(s, a, indices{}));
  }

  // Failure paths. The search for the field is out of line and pure, so a caller that ignores the
  // field does not search. The error itself is set inline, where the compiler sees it, so that the
  // caller's test folds away. (With clang, a ChampSim record takes 11 instructions instead of 20.)
  template <class S>
  TRACECODEC_INLINE static constexpr result truncated(const S& s, std::size_t section,
                                                      std::size_t used, std::size_t left) noexcept {
    const failure f = cut_reading(s, section, used, left);
    return {f.used, errc::truncated, *f.field};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr result no_space(const S& s, std::size_t room) noexcept {
    const failure f = cut_writing(s, room);
    return {f.used, errc::no_space, *f.field};
  }
  // Returns the error `why` from check(), together with the field that failed.
  template <class S>
  TRACECODEC_INLINE static constexpr result refused(const S& s, errc why) noexcept {
    const failure f = named(unfit_at(s, 0));
    return {f.used, why, *f.field};
  }

 private:
  // Checks the sections in order. Each section is evaluated only after the earlier sections passed,
  // so the members on which its counts depend are valid.
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc check(const S& s, answer& a,
                                                std::index_sequence<I...>) noexcept {
    errc e = errc::ok;
    if constexpr (sized) {
      bool differs = false;
      const auto goes_on = [&] {
        differs = differs || e == size_differs;
        return e == errc::ok || e == size_differs;
      };
      const bool all = ((e = check_one<X>(s, answer_at<I>(a)), goes_on()) && ...);
      if (all && differs) return size_differs;
    } else {
      static_cast<void>((((e = check_one<X>(s, answer_at<I>(a))) == errc::ok) && ...));
    }
    if constexpr (leaves_out)
      if (e == errc::ok && behind_left_out(s, a, 0, indices{}).field != nullptr)
        return errc::invalid_value;
    return e;
  }
  template <class S, std::size_t... I>
  static constexpr failure behind_left_out(const S& s, const answer& a, std::size_t at,
                                           std::index_sequence<I...>) noexcept {
    failure r{};
    bool left_out = false;
    const auto one = [&]<class Y>(std::type_identity<Y>, const auto& asked) {
      no_notes none{};
      const auto n = static_cast<std::size_t>(extent_one<Y>(s, asked, at, none));
      if (left_out && n != 0 && r.field == nullptr) r = {at, &Y::labels[0]};
      if constexpr (may_be_left_out<Y>) left_out = left_out || !(s.*Y::only_item::flag);
      at += n;
    };
    (one(std::type_identity<X>{}, answer_at<I>(a)), ...);
    return r;
  }
  template <class Y, class S, class A>
  TRACECODEC_INLINE static constexpr errc check_one(const S& s, A& a) noexcept {
    if constexpr (Y::scanned) {
      return Y::prepare(s, a);
    } else {
      a = Y::ask(s);
      return Y::check(s, a);
    }
  }
  template <class S, class Notes, std::size_t... I>
  TRACECODEC_INLINE static constexpr extent_type extent(const S& s, const answer& a, extent_type at,
                                                        Notes& notes,
                                                        std::index_sequence<I...>) noexcept {
    extent_type n = 0;
    ((n += extent_one<X>(s, answer_at<I>(a), at + n, notes)), ...);
    return n;
  }
  template <class Y, class S, class A, class Notes>
  TRACECODEC_INLINE static constexpr extent_type extent_one(const S& s, const A& a, extent_type at,
                                                            Notes& notes) noexcept {
    if constexpr (Y::scanned) {
      return Y::written(s, a, at, notes);
    } else {
      if constexpr (Notes::wanted) Y::note(static_cast<std::size_t>(at), a, notes);
      return Y::extent(a);
    }
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const answer& a,
                                                 const byte* begin,
                                                 std::index_sequence<I...>) noexcept {
    ((p = store_one<X>(s, p, answer_at<I>(a), begin)), ...);
    return p;
  }
  template <class Y, class S, class A>
  TRACECODEC_INLINE static constexpr byte* store_one(const S& s, byte* p, const A& a,
                                                     const byte* begin) noexcept {
    if constexpr (Y::scanned)
      return Y::store(s, p, a, begin);
    else
      return Y::store(s, p, a);
  }

  // Returns the field in which the input ends. The sections before `section` took `used` bytes, and
  // the remaining `left` bytes are too few for `section`.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure cut_reading(
      const S& s, std::size_t section, std::size_t used, std::size_t left) noexcept {
    failure r{};
    std::size_t i = 0;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      if constexpr (!Y::scanned)
        if (i++ == section) r = Y::cut(used, left, Y::ask(s));
    };
    (one(std::type_identity<X>{}), ...);
    return r;
  }
  // Returns the field in which an output of `room` bytes ends.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure cut_writing(
      const S& s, std::size_t room) noexcept {
    failure r{};
    std::size_t at = 0;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      typename Y::answer a{};
      static_cast<void>(check_one<Y>(s, a));
      no_notes none{};
      const extent_type n = extent_one<Y>(s, a, at, none);
      if (n <= room - at) {
        at += static_cast<std::size_t>(n);
        return true;
      }
      if constexpr (Y::scanned)
        r = {at, &Y::labels[0]};
      else
        r = Y::cut(at, room - at, a);
      return false;
    };
    static_cast<void>((one(std::type_identity<X>{}) && ...));
    return named(r);
  }
  static constexpr std::array<std::string_view, sizeof...(X)> first_labels{X::labels.front()...};
  // Returns `r`, or the first field if `r` names no field. The search evaluates counts and
  // conditions again, so it finds no field if a function now returns another value.
  static constexpr failure named(const failure& r) noexcept {
    return r.field != nullptr ? r : failure{0, first_labels.data()};
  }
};

}  // namespace tracecodec::wire::detail
