// Implementation of wire::record: decode, encode, walk and describe for a list of bound sections.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "section_lists.hpp"

namespace tracecodec::wire::detail {

// Notes about the computed items in `List`, defined in computed.hpp. computed_notes contains the
// positions of all items on which the computed items depend. computed_values contains only the
// positions that decode needs. computed_failure_notes explains why decode fails.
template <class List> struct computed_notes;
template <class List> struct computed_values;
template <class List> struct computed_failure_notes;

// Bound sections `X` of a record or of a part of a record, in wire order.
template <class... X> struct bound_sections {
  static constexpr bool variable_length = (X::variable_length || ...);
  static constexpr bool refuses = (X::refuses || ...);
  static constexpr bool placed = (X::placed || ...);
  static constexpr bool absolute = (X::absolute || ...);
  static constexpr bool sized = (X::sized || ...);
  static constexpr bool greedy = (X::greedy || ...);
  static constexpr bool nests_records = (detail::nests_records<X> || ...);
  static_assert(!greedy || greedy_is_last(type_list<X...>{}));
  // Items that encode computes from other items. decode compares the stored values with the
  // computed values.
  using computed = typename implied_in<typename joined<typename X::computed...>::type, X...>::type;
  static constexpr bool computes = !std::is_same_v<computed, type_list<>>;

  // Minimum size of all sections together, in bytes.
  static constexpr std::size_t least = (X::size + ... + 0);
  using split = last_section<bound_sections<>, X...>;
  static constexpr bool ends_in_choice = [] {
    if constexpr (sizeof...(X) > 1 && variable_length && !computes)
      return chooses<typename split::last>;
    else
      return false;
  }();
  // Name of the first member. Errors report this name for a part without a name.
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
    if constexpr (variable_length || refuses || computes) {
      const scan_input all{in.data(), in.size()};
      const std::size_t end = read(s, all);
      if (end == not_read) [[unlikely]] {
        const scan_result r = failed(s, all);
        return {r.at, r.error, *r.field};
      }
      // This hint lets the compiler remove a caller's comparison of the size with 0.
      if (end < least) __builtin_unreachable();
      return {end};
    } else {
      return decode_by_extents(in, s);
    }
  }

  // Reads all sections from the front of `in`. Returns the size of the record, or not_read.
  // failed() and explain() find out why reading failed.
  template <class S>
  TRACECODEC_INLINE static constexpr std::size_t read(S& s, const scan_input& in) noexcept {
    if constexpr (computes) {
      computed_values<computed> values{};
      const std::size_t end = scan(s, 0, in, values);
      return end == not_read || values.hold(s, in, end) ? end : not_read;
    } else {
      no_notes none{};
      return scan(s, 0, in, none);
    }
  }
  // Returns the size of the record at the front of `in`, or not_read. Reads only the members on which
  // the size depends, and does not check their values.
  template <class S>
  TRACECODEC_INLINE static constexpr std::size_t skip(const scan_input& in) noexcept {
    S s{};
    skip_notes<true> notes{};
    return scan(s, 0, in, notes);
  }
  // Reads all sections like read(), but returns the failing field and the error.
  template <class S>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, const scan_input& in) noexcept {
    const std::size_t end = read(s, in);
    if (end == not_read) [[unlikely]]
      return failed(s, in);
    return {end};
  }
  // Returns the field at which read() failed, and the error. read() may have filled only a part of
  // `s`. The functions that search for the failure are pure, so a caller that ignores the failure
  // can keep the record in registers.
  template <class S>
  TRACECODEC_INLINE static constexpr scan_result failed(const S& s, const scan_input& in) noexcept {
    const failure where = place_of_failure(s, in);
    const scan_result r{where.used, reason_of_failure(s, in), where.field};
    // This hint lets the compiler remove a caller's comparison of the error with errc::ok.
    if (r.error == errc::ok) __builtin_unreachable();
    return r;
  }
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure place_of_failure(
      const S& s, scan_input in) noexcept {
    const scan_failure r = explain(s, in, nullptr);
    return {r.at, r.field};
  }
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr errc reason_of_failure(
      const S& s, scan_input in) noexcept {
    return explain(s, in, nullptr).why;
  }
  // Scans the sections again to find out why read() failed. Extends `path` up to the failing field,
  // unless `path` is null.
  template <class S>
  [[gnu::cold, gnu::noinline]] static constexpr scan_failure explain(const S& s, scan_input in,
                                                                     failure_path* path) noexcept {
    using notes_type =
        typename std::conditional_t<computes, std::type_identity<computed_failure_notes<computed>>,
                                    std::type_identity<failure_notes>>::type;
    S again = s;
    notes_type notes{};
    notes.path = path;
    const std::size_t end = scan_again(again, in, notes);
    if constexpr (computes)
      if (end != not_read) notes.compare(again, in, end);
    scan_failure r = notes.failure;
    // If a user's function now returns another value, the second scan may find no failure.
    if (r.why == errc::ok) r.why = errc::malformed;
    if (r.field == nullptr) r.field = first_labels.data();
    if (r.why == unknown_tag || r.why == other_size) {
      // The tag or the size is wrong, so a third scan finds the offset of that field.
      notes_type earlier{};
      earlier.sought = *r.field;
      again = s;
      static_cast<void>(scan_again(again, in, earlier));
      r = {earlier.place == not_read ? r.at : earlier.place,
           r.why == unknown_tag ? errc::invalid_value : errc::wrong_size, r.field};
    }
    return r;
  }
  // Reads all sections for a scan that explains a failure.
  template <class S, class Notes>
  [[gnu::cold, gnu::noinline]] static constexpr std::size_t scan_again(S& s, const scan_input& in,
                                                                       Notes& notes) noexcept {
    return scan(s, 0, in, notes);
  }
  // Reads the sections as part of a record. `in` begins at the record's first byte. The part begins
  // at offset `at`. Returns the offset of its end, or not_read.
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    if constexpr (explains<Notes>) {
      static_cast<void>(((at = X::scan(s, at, in, notes), at != not_read) && ...));
      return at;
    } else {
      return scan_run<false, X...>(s, at, in, notes);
    }
  }
  // Reads the sections `First` and `Rest`. `FrontIsThere` is true if the front of `First` has been
  // checked (run.hpp).
  template <bool FrontIsThere, class First, class... Rest, class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan_run(S& s, std::size_t at,
                                                          const scan_input& in,
                                                          Notes& notes) noexcept {
    const run_input<FrontIsThere, run_after<Rest...>> here{in, begin_of_part(notes)};
    if constexpr (skips<Notes>) {
      skip_notes<Notes::last && (Rest::fixed && ...)> skipped{};
      at = First::scan(s, at, here, skipped);
    } else {
      at = First::scan(s, at, here, notes);
    }
    if constexpr (sizeof...(Rest) != 0)
      return at == not_read ? at : scan_run<checks_next<First>, Rest...>(s, at, in, notes);
    else
      return at;
  }

  // Reports to `notes` that every item is absent. If the items were present, they would begin at
  // offset `at`.
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    if constexpr (notes_absent<Notes>) (X::note_absent(at, notes), ...);
  }
  // True if a part may be absent. No bytes may follow an absent part, because decode would read
  // those bytes as the part.
  static constexpr bool leaves_out = (may_be_left_out<X> || ...);

  // Encoding has three steps:
  // - prepare() checks that everything can be written, and evaluates counts and conditions.
  // - written() returns the number of bytes. `at` is the offset of the part in its record.
  // - store() writes the bytes.
  using indices = std::index_sequence_for<X...>;
  using evaluated = evaluated_items<indices, X...>;
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return check(s, a, indices{});
  }
  // Does the same for a part that begins at offset `at` of its record.
  template <class S> static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept {
    return check(s, a, indices{}, at);
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type at, Notes& notes) noexcept {
    return extent(s, a, at, notes, indices{});
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const evaluated& a,
                                                                    const byte* begin) noexcept {
    return store(s, p, a, begin, indices{});
  }

  // Returns the item that prepare() rejects, and the item's offset. If prepare() accepts all items,
  // the field in the result is null.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure unfit_at(
      const S& s, std::size_t at) noexcept {
    failure r{};
    [[maybe_unused]] const std::size_t begin = at;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      typename Y::evaluated a{};
      if constexpr (Y::variable_length) {
        if (prepare_one<Y>(s, a, {at, 0}) != errc::ok) r = Y::unfit(s, at);
      } else {
        a = Y::evaluate(s);
        r = Y::unfit(s, at, a);
      }
      no_notes none{};
      if (r.field == nullptr) at += static_cast<std::size_t>(extent_one<Y>(s, a, at, none));
      return r.field == nullptr;
    };
    static_cast<void>((one(std::type_identity<X>{}) && ...));
    if constexpr (leaves_out) {
      if (r.field == nullptr) {
        evaluated a{};
        static_cast<void>(check(s, a, indices{}));
        return present_after_left_out(s, a, begin, indices{});
      }
    }
    return r;
  }

 private:
  template <class S>
  TRACECODEC_INLINE static constexpr result decode_by_extents(std::span<const byte> in,
                                                              S& s) noexcept {
    const byte* p = in.data();
    std::size_t left = in.size();
    std::size_t section = 0;
    const auto take = [&]<class Y>(std::type_identity<Y>) __attribute__((always_inline)) {
      const auto a = Y::evaluate(s);
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
    evaluated a{};
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
      evaluated a{};
      if (!prepare_whole(whole, a)) [[unlikely]]
        return not_encoded(s, out.size());
      no_notes none{};
      const extent_type n = extent(whole, a, 0, none, indices{});
      if (out.size() < n) [[unlikely]]
        return not_encoded(s, out.size());
      store(whole, out.data(), a, out.data(), indices{});
      const failure f = finish(whole, out.first(static_cast<std::size_t>(n)));
      if (f.field != nullptr) [[unlikely]]
        return {f.used, errc::does_not_fit, *f.field};
      return {static_cast<std::size_t>(n)};
    } else {
      return encode_as_is(s, out);
    }
  }
  // Sets the computed members of `s`, and stores the evaluated counts and conditions in `a`. Returns
  // false if the record cannot be written. Sizes are known only after the items were checked. If
  // only the sizes of parts depend on them, nothing else is checked again.
  template <class S>
  TRACECODEC_INLINE static constexpr bool prepare_whole(S& s, evaluated& a) noexcept {
    using all = computed_notes<computed>;
    if constexpr (!all::of_sizes) {
      if (check(s, a, indices{}) != errc::ok) return false;
      // The check of a record that is not const ignores the sizes of parts.
      if constexpr (!sized)
        return true;
      else if constexpr (all::template settle<X...>())
        return parts_have_sizes(s, a, indices{});
      else
        return check(std::as_const(s), a, indices{}) == errc::ok;
    } else if constexpr (all::template settle<X...>()) {
      all::start_sizes(s);
      return check(s, a, indices{}) == errc::ok && set_sizes(s, a).field == nullptr &&
             parts_have_sizes(s, a, indices{});
    } else {
      return complete(s).field == nullptr && check(std::as_const(s), a, indices{}) == errc::ok;
    }
  }
  template <class S>
  TRACECODEC_INLINE static constexpr failure set_sizes(S& s, const evaluated& a) noexcept {
    failure unfit{};
    computed_notes<computed> notes{};
    if constexpr (notes.need_places) {
      notes.set_sizes(s, extent(s, a, 0, notes, indices{}), unfit);
    } else {
      no_notes none{};
      notes.set_sizes(s, extent(s, a, 0, none, indices{}), unfit);
    }
    return unfit;
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return (item_is_unaffected_by<X, Sizes...>() && ...);
  }
  // Returns the field at which a record with computed items could not be written to `available`
  // bytes, and the error.
  template <class S>
  TRACECODEC_INLINE static constexpr result not_encoded(const S& s,
                                                        std::size_t available) noexcept {
    const failure where = place_not_encoded(s, available);
    const errc why = reason_not_encoded(s, available);
    if (why == errc::ok) __builtin_unreachable();
    return {where.used, why, *where.field};
  }
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure place_not_encoded(
      const S& s, std::size_t available) noexcept {
    const scan_failure r = explain_encode(s, available);
    return {r.at, r.field};
  }
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr errc reason_not_encoded(
      const S& s, std::size_t available) noexcept {
    return explain_encode(s, available).why;
  }
  template <class S> [[gnu::cold, gnu::noinline]] static constexpr scan_failure explain_encode(
      const S& s, std::size_t available) noexcept {
    S whole = s;
    if (const failure f = complete(whole); f.field != nullptr)
      return {f.used, errc::does_not_fit, f.field};
    evaluated a{};
    const errc e = check(std::as_const(whole), a, indices{});
    const failure f = e != errc::ok ? named(unfit_at(whole, 0)) : cut_writing(whole, available);
    return {f.used, e != errc::ok ? to_caller(e) : errc::no_space, f.field};
  }
  // Sets the members that are computed from other members or from sizes. Returns the first member
  // that does not fit. After the bytes are written, finish() computes the values that depend on
  // bytes.
  template <class S> TRACECODEC_INLINE static constexpr failure complete(S& s) noexcept {
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
    if constexpr (variable_length) {
      no_notes none{};
      return measured(s, none);
    } else {
      return (X::written(s) + ...);
    }
  }
  // Returns the number of bytes that encode writes, and reports to `notes` the position that each
  // item will have.
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type measured(S& s, Notes& notes) noexcept {
    evaluated a{};
    static_cast<void>(check(s, a, indices{}));
    return extent(s, a, 0, notes, indices{});
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    evaluated a{};
    return to_caller(check(s, a, indices{}));
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, F& f, bool present = true) {
    (X::walk(s, present, f), ...);
  }

  static constexpr void describe(row_list& list, layout_row r) {
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      Y::describe(list, r);
      if constexpr (Y::fixed && !Y::variable_length) {
        r.offset += Y::size;
      } else {
        r.variable_offset = true;
        r.offset = 0;
      }
    };
    (one(std::type_identity<X>{}), ...);
  }

  // Returns the error for a record that cannot be written.
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr errc refusal_of(const S& s) noexcept {
    evaluated a{};
    return to_caller(check(s, a, indices{}));
  }

  // Failure paths. The search for the failing field is out of line and pure, so the compiler omits
  // the search if the caller ignores the field. The error is set inline, so the compiler can remove
  // the caller's test of the error. (With clang, a ChampSim record takes 11 instructions instead of
  // 20.)
  template <class S>
  TRACECODEC_INLINE static constexpr result truncated(const S& s, std::size_t section,
                                                      std::size_t used, std::size_t left) noexcept {
    const failure f = cut_reading(s, section, used, left);
    return {f.used, errc::truncated, *f.field};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr result no_space(const S& s, std::size_t available) noexcept {
    const failure f = cut_writing(s, available);
    return {f.used, errc::no_space, *f.field};
  }
  // Returns the error `why` from check(), together with the field that failed.
  template <class S>
  TRACECODEC_INLINE static constexpr result refused(const S& s, errc why) noexcept {
    const failure f = named(unfit_at(s, 0));
    return {f.used, why, *f.field};
  }

 private:
  // Checks the sections in order. A section is evaluated only after the earlier sections passed the
  // check, so the members on which its counts depend are valid.
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc check(S& s, evaluated& a, std::index_sequence<I...>,
                                                [[maybe_unused]] item_offset at = {}) noexcept {
    errc e = errc::ok;
    if constexpr (sized) {
      bool differs = false;
      const auto goes_on = [&] {
        differs = differs || e == size_differs;
        return e == errc::ok || e == size_differs;
      };
      const bool all = ((e = check_one<X>(s, evaluated_at<I>(a), at), goes_on()) && ...);
      if (all && differs) return size_differs;
    } else {
      static_cast<void>((((e = check_one<X>(s, evaluated_at<I>(a), at)) == errc::ok) && ...));
    }
    if constexpr (leaves_out)
      if (e == errc::ok && present_after_left_out(s, a, 0, indices{}).field != nullptr)
        return errc::invalid_value;
    return e;
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr bool parts_have_sizes(const S& s, const evaluated& a,
                                                           std::index_sequence<I...>) noexcept {
    const auto one =
        [&s]<class Y>(std::type_identity<Y>, const auto& values) __attribute__((always_inline)) {
      if constexpr (requires { Y::only_item::has_size(s, values); })
        return Y::only_item::has_size(s, values);
      else
        return true;
    };
    return (one(std::type_identity<X>{}, evaluated_at<I>(a)) && ...);
  }
  template <class S, std::size_t... I>
  static constexpr failure present_after_left_out(const S& s, const evaluated& a, std::size_t at,
                                                  std::index_sequence<I...>) noexcept {
    failure r{};
    bool left_out = false;
    const auto one = [&]<class Y>(std::type_identity<Y>, const auto& values) {
      no_notes none{};
      const auto n = static_cast<std::size_t>(extent_one<Y>(s, values, at, none));
      if (left_out && n != 0 && r.field == nullptr) r = {at, &Y::labels[0]};
      if constexpr (may_be_left_out<Y>) left_out = left_out || !(s.*Y::only_item::flag);
      at += n;
    };
    (one(std::type_identity<X>{}, evaluated_at<I>(a)), ...);
    return r;
  }
  // Checks section `Y`. If a later section needs its own offset in the record, advances `at`.
  template <class Y, class S, class A>
  TRACECODEC_INLINE static constexpr errc check_one(S& s, A& a,
                                                    [[maybe_unused]] item_offset& at) noexcept {
    errc e{};
    if constexpr (Y::variable_length) {
      e = prepare_one<Y>(s, a, at);
    } else {
      a = Y::evaluate(s);
      e = Y::check(s, a);
    }
    if constexpr (absolute)
      if (e == errc::ok || e == size_differs) {
        no_notes none{};
        at.at += extent_one<Y>(s, a, at.at - at.part, none);
      }
    return e;
  }
  template <class Y, class S, class A>
  TRACECODEC_INLINE static constexpr errc prepare_one(S& s, A& a,
                                                      [[maybe_unused]] item_offset at) noexcept {
    if constexpr (Y::absolute)
      return Y::prepare_at(s, a, at);
    else
      return Y::prepare(s, a);
  }
  template <class S, class Notes, std::size_t... I>
  TRACECODEC_INLINE static constexpr extent_type extent(const S& s, const evaluated& a,
                                                        extent_type at, Notes& notes,
                                                        std::index_sequence<I...>) noexcept {
    extent_type n = 0;
    ((n += extent_one<X>(s, evaluated_at<I>(a), at + n, notes)), ...);
    return n;
  }
  template <class Y, class S, class A, class Notes>
  TRACECODEC_INLINE static constexpr extent_type extent_one(const S& s, const A& a, extent_type at,
                                                            Notes& notes) noexcept {
    if constexpr (Y::variable_length) {
      return Y::written(s, a, at, notes);
    } else {
      if constexpr (Notes::wanted) Y::note(static_cast<std::size_t>(at), a, notes);
      return Y::extent(a);
    }
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const evaluated& a,
                                                 const byte* begin,
                                                 std::index_sequence<I...>) noexcept {
    ((p = store_one<X>(s, p, evaluated_at<I>(a), begin)), ...);
    return p;
  }
  template <class Y, class S, class A>
  TRACECODEC_INLINE static constexpr byte* store_one(const S& s, byte* p, const A& a,
                                                     const byte* begin) noexcept {
    if constexpr (Y::variable_length)
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
      if constexpr (!Y::variable_length)
        if (i++ == section) r = Y::cut(used, left, Y::evaluate(s));
    };
    (one(std::type_identity<X>{}), ...);
    return r;
  }
  // Returns the field in which an output of `available` bytes ends.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure cut_writing(
      const S& s, std::size_t available) noexcept {
    failure r{};
    std::size_t at = 0;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      typename Y::evaluated a{};
      item_offset offset{at, 0};
      static_cast<void>(check_one<Y>(s, a, offset));
      no_notes none{};
      const extent_type n = extent_one<Y>(s, a, at, none);
      if (n <= available - at) {
        at += static_cast<std::size_t>(n);
        return true;
      }
      if constexpr (Y::variable_length)
        r = {at, &Y::labels[0]};
      else
        r = Y::cut(at, available - at, a);
      return false;
    };
    static_cast<void>((one(std::type_identity<X>{}) && ...));
    return named(r);
  }
  static constexpr std::array<std::string_view, sizeof...(X)> first_labels{X::labels.front()...};
  // Returns `r`, or a failure at the first field if the field in `r` is null. The field is null if
  // the search for the failure found nothing, because a user's function now returns another value.
  static constexpr failure named(const failure& r) noexcept {
    return r.field != nullptr ? r : failure{0, first_labels.data()};
  }
};

}  // namespace tracecodec::wire::detail
