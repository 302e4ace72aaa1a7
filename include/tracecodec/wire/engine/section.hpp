// Sections. A section is a run of fields whose extents are known before the first field is read.
// Therefore one bounds check covers the whole section.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <tuple>
#include <utility>

#include "../items/items.hpp"
#include "run.hpp"

namespace tracecodec::wire {

namespace detail {
// Common base class of items with parts. It combines the members of all inner items.
template <class... Items> struct with_parts {
  using owner = first_owner<typename Items::owner...>;
  using items = type_list<Items...>;
  static consteval int mentions([[maybe_unused]] std::string_view member) {
    return (Items::mentions(member) + ... + 0);
  }
  static consteval int loads([[maybe_unused]] std::string_view member) {
    return (detail::loads<Items>(member) + ... + 0);
  }
  static consteval bool is_parameter([[maybe_unused]] std::string_view member) {
    return (detail::is_parameter<Items>(member) || ...);
  }
};
}  // namespace detail

// Section of items that are read together. The extents of the items depend only on earlier
// sections.
template <class... Items> struct section : detail::with_parts<Items...> {};

namespace detail {
template <class Item> inline constexpr bool is_section = false;
template <class... I> inline constexpr bool is_section<section<I...>> = true;

// Returns true if reading `Item` guarantees that the computed item `C` is correct.
template <class Item, class C> consteval bool item_implies() {
  if constexpr (requires { Item::template implies<C>(); })
    return Item::template implies<C>();
  else
    return false;
}

// True if `Item` has a scan() function of its own. If such an item is the only item of a section,
// the section calls this function, which saves the instructions that evaluate all extents first.
template <class Item> inline constexpr bool reads_alone = requires { requires Item::reads_alone; };

// Section of the bound items `B`. If all items have a fixed size, the offsets of the items are
// compile-time constants.
template <placement P, class... B> struct bound_section {
  static constexpr std::size_t count = sizeof...(B);
  static constexpr bool fixed = (B::fixed && ...);
  static constexpr bool variable_length = false;
  static constexpr bool placed = false;
  static constexpr bool absolute = false;
  static constexpr bool sized = false;
  static constexpr bool greedy = false;
  static_assert(fixed || P == placement::packed, "natural placement needs a record of fixed size");

  static constexpr std::array<std::string_view, count> labels{B::label...};

  // Offset of each item, followed by the section's size, including tail padding.
  static constexpr auto offsets = [] {
    std::array<std::size_t, sizeof...(B) + 1> at{};
    if constexpr (fixed) {
      std::size_t i = 0, next = 0, widest = 1;
      const auto align = [](std::size_t n, std::size_t to) {
        return P == placement::natural ? (n + to - 1) / to * to : n;
      };
      ((at[i] = align(next, B::alignment), next = at[i] + B::size,
        widest = B::alignment > widest ? B::alignment : widest, ++i),
       ...);
      at[i] = align(next, widest);
    }
    return at;
  }();
  static constexpr std::size_t size = offsets.back();
  static constexpr std::size_t alignment = [] {
    std::size_t widest = 1;
    if constexpr (fixed) ((widest = B::alignment > widest ? B::alignment : widest), ...);
    return widest;
  }();

  // True if natural placement left no padding.
  static constexpr bool gapless = [] {
    if constexpr (fixed)
      return size == (B::size + ... + 0);
    else
      return true;
  }();

  // Evaluated counts and conditions of all items. Only evaluate() computes them, so that decode and
  // encode evaluate each count and condition once.
  using indices = std::index_sequence_for<B...>;
  using evaluated =
      typename std::conditional_t<fixed, std::type_identity<nothing_evaluated>,
                                  std::type_identity<evaluated_items<indices, B...>>>::type;
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    if constexpr (fixed)
      return {};
    else
      return {{evaluate_one<B>(s)}...};
  }
  // Returns the section's size in bytes, according to the evaluated counts and conditions.
  TRACECODEC_INLINE static constexpr extent_type extent(const evaluated& a) noexcept {
    if constexpr (fixed)
      return size;
    else
      return extent_by(a, indices{});
  }
  // Returns the number of bytes that encode writes. This number depends on the lengths of the
  // members, not on the counts.
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    if constexpr (fixed)
      return size;
    else
      return (written_one<B>(s) + ... + 0);
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return (item_is_unaffected_by<B, Sizes...>() && ...);
  }
  static constexpr std::size_t constant_bytes = (constant_bytes_of<B> + ... + 0);
  static constexpr text constant_text(std::string_view field) noexcept {
    text t{};
    const auto one = [&]<class X>(std::type_identity<X>) {
      if constexpr (requires { X::constant_text(); })
        if (X::label == field) t = X::constant_text();
    };
    (one(std::type_identity<B>{}), ...);
    return t;
  }
  // True if decode rejects some values. `computed` lists the items that are computed from other
  // items.
  static constexpr bool refuses = (may_refuse<B> || ...);
  template <class C> static consteval bool implies() { return (item_implies<B, C>() || ...); }
  using computed =
      typename std::conditional_t<(has_computed<B> || ...), joined<computed_in_t<B>...>,
                                  std::type_identity<type_list<>>>::type;

  // True unless scan() is the scan() of the only item, which may be absent.
  static constexpr bool checks_next = count != 1 || !(reads_alone<B> && ...);
  // A section of fixed size is a front (run.hpp).
  static constexpr bool front_is_whole = true;
  static constexpr extent_type front_end(extent_type at, std::size_t) noexcept requires fixed {
    return at + size;
  }

  // Reads the section at offset `at` if the input contains all bytes of the section and the
  // description allows the values. Reports the position of each item to `notes`.
  template <class S, class Input, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const Input& in,
                                                      Notes& notes) noexcept {
    if constexpr (!checks_next) return item<0>::scan(s, at, in, notes);
    const evaluated a = evaluate(s);
    const extent_type n = extent(a);
    if (!(fixed ? in.holds_whole_front(at, n) : in.holds(at, n))) [[unlikely]] {
      if constexpr (explains<Notes>) {
        const failure f = cut(at, in.left(at), evaluate(s));
        notes.failure = {f.used, errc::truncated, f.field};
      }
      return not_read;
    }
    const byte* const p = in.begin + at;
    load(s, p, a);
    if constexpr (refuses && !skips<Notes>) {
      if (const errc e = accepts(s, p, a, indices{}); e != errc::ok) [[unlikely]] {
        if constexpr (explains<Notes>) {
          const failure f = refused(s, p, at, a);
          notes.failure = {f.used, e, f.field};
        }
        return not_read;
      }
    }
    if constexpr (Notes::wanted) note(at, a, notes, indices{});
    const std::size_t end = at + static_cast<std::size_t>(n);
    // This hint lets the compiler remove the comparison of the end with not_read.
    if (end == not_read) __builtin_unreachable();
    return end;
  }
  template <class Notes>
  static constexpr void note(std::size_t at, const evaluated& a, Notes& notes) noexcept {
    note(at, a, notes, indices{});
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    (note_absent_item<B>(at, notes), ...);
  }
  // Returns ok if decode accepts the values that were read at `p`, or an error if it does not.
  template <class S> TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p,
                                                                     const evaluated& a) noexcept {
    return accepts(s, p, a, indices{});
  }
  // Returns the item that accepts() rejected. The section is at address `p` and begins at offset
  // `at`. `a` must be evaluated before the section is read, because a user's function may return
  // another value afterwards.
  template <class S> static constexpr failure refused(const S& s, const byte* p, std::size_t at,
                                                      const evaluated& a) noexcept {
    failure r{at, &labels[0]};
    bool found = false;
    each_at(p, a, [&]<class X>(std::type_identity<X>, const byte* q, const auto& by) {
      if (found || accepts_one<X>(s, q, by) == errc::ok) return;
      found = true;
      const std::size_t here = at + static_cast<std::size_t>(q - p);
      if constexpr (requires { X::refused(s, q, here, by); })
        r = X::refused(s, q, here, by);
      else if constexpr (requires { X::refused(s, q, here); })
        r = X::refused(s, q, here);
      else
        r = {here, &X::label};
    });
    return r;
  }

  // Reads the section at `p`, where extent(a) bytes must be available.
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                      const evaluated& a) noexcept {
    if constexpr (fixed) {
      load_fixed(s, p, indices{});
      return p + size;
    } else {
      return load_by(s, p, a, indices{});
    }
  }
  // Writes extent(a) bytes at `p`. Requires that check(s, a) returned ok.
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const evaluated& a) noexcept {
    if constexpr (fixed) {
      store_fixed(s, p, indices{});
      zero_gaps(p);
      return p + size;
    } else {
      return store_by(s, p, a, indices{});
    }
  }
  // Zeroes the padding between and after the items. Padding exists only with natural placement.
  TRACECODEC_INLINE static constexpr void zero_gaps(byte* p) noexcept {
    if constexpr (!gapless) zero_gaps(p, indices{});
  }
  // Returns ok if every value fits its field and every array has the length that its count states.
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(S& s, const evaluated& a) noexcept {
    if constexpr (fixed) {
      errc e = errc::ok;
      static_cast<void>((((e = B::check(s)) == errc::ok) && ...));
      return e;
    } else {
      return check_by(s, a, indices{});
    }
  }
  // Returns the first item whose value does not fit, in a section that begins at offset `at`. If
  // the item consists of parts, as a condition or a word of bit slices does, returns the part that
  // failed.
  template <class S>
  static constexpr failure unfit(const S& s, std::size_t at, const evaluated& a) noexcept {
    const std::array<errc, count> errors = errors_by(s, a, indices{});
    std::size_t i = 0;
    while (i < count && errors[i] == errc::ok) ++i;
    if (i == count) return {at};
    failure r = at_item(i, at, sizes_by(a, indices{}));
    in_item(i, a, [&]<class X>(std::type_identity<X>, const auto& by) {
      if constexpr (requires { X::unfit(s, at, by); })
        r = X::unfit(s, r.used, by);
      else if constexpr (requires { X::unfit(s, at); })
        r = X::unfit(s, r.used);
    });
    return r;
  }
  // Returns the item that extends past the end of the input or output. The section begins at offset
  // `at`, and only `available` of its bytes exist. If the item is conditional, returns the failing
  // item inside the condition.
  static constexpr failure cut(std::size_t at, std::size_t available, const evaluated& a) noexcept {
    const sizes bytes = sizes_by(a, indices{});
    const std::size_t i = item_with_end_after(available, bytes);
    failure r = at_item(i, at, bytes);
    in_item(i, a, [&]<class X>(std::type_identity<X>, const auto& by) {
      if constexpr (requires { X::cut(at, available, by); })
        if (by.present) r = X::cut(r.used, available - (r.used - at), by);
    });
    return r;
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    (B::walk(s, present, f), ...);
  }
  static constexpr void describe(row_list& list, const layout_row& from) {
    layout_row r = from;
    if constexpr (fixed) {
      std::size_t i = 0;
      (describe_at(list, from, r, i++, B::size, B::describe), ...);
    } else {
      (describe_next<B>(list, r), ...);
    }
  }
  // Adds the rows of item `i`, which has `bytes` bytes, and of the gap after the item. This
  // function is not a template over the item, because an instantiation for each item would cost
  // more compile time than everything else for the item.
  static constexpr void describe_at(row_list& list, const layout_row& from, layout_row& r,
                                    std::size_t i, std::size_t bytes,
                                    void (*rows_of)(row_list&, layout_row)) {
    r.offset = from.offset + offsets[i];
    rows_of(list, r);
    const std::size_t gap = offsets[i + 1] - offsets[i] - bytes;
    if (gap != 0) add_padding(list, from, r.offset + bytes, gap);
  }
  // Adds the rows of an item at the offset in `r`, and advances `r` past the item.
  template <class X> static constexpr void describe_next(row_list& list, layout_row& r) {
    X::describe(list, r);
    if constexpr (X::fixed)
      r.offset += X::size;
    else
      r.variable_offset = true;
  }
  // Returns true if an object of type S always has the same bytes as the section. (The helpers are
  // functions and not lambdas, because g++ 12 confuses the lambdas of different instantiations.)
  template <class S> static consteval bool lies_like() {
    if constexpr (!fixed || sizeof...(B) != member_count<S> || sizeof(S) != size ||
                  !std::is_standard_layout_v<S> || !std::is_trivially_copyable_v<S> ||
                  !(B::object_bytes && ...))
      return false;
    else if constexpr (gapless)
      return in_order_of<S>(indices{});
    else
      return in_order_of<S>(indices{}) && in_place_of<S>(indices{});
  }
  template <auto M> static constexpr bool has = (B::template has<M> || ...);
  // Offset of the item that stores member `M`. Only for sections of fixed size.
  template <auto M> static constexpr std::size_t offset_of = [] {
    static_assert(fixed && has<M>, "no field of this record has that member at a fixed offset");
    std::size_t i = 0;
    static_cast<void>(((!B::template has<M> && (++i, true)) && ...));
    return offsets[i];
  }();
  // Decodes only member `M` of the record at `p`.
  template <auto M> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    constexpr std::size_t i = item_of(name_of<M>);
    return item<i>::template get<M>(p + offsets[i]);
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    get_from<M>(v, p, indices{});
  }
  // Returns the index of the item that contains `member`, or `count` if no item contains it.
  static constexpr std::size_t item_of(std::string_view member) {
    std::size_t i = 0;
    static_cast<void>(((!holds<B>(member) && (++i, true)) && ...));
    return i;
  }
  template <std::size_t I> using item = std::tuple_element_t<I, std::tuple<B...>>;

 private:
  using sizes = std::array<extent_type, count>;

  // Returns a failure at item `i` of the section that begins at offset `at`. `bytes` contains the
  // sizes of the items.
  static constexpr failure at_item(std::size_t i, std::size_t at, const sizes& bytes) noexcept {
    if constexpr (fixed)
      at += offsets[i];
    else
      for (std::size_t j = 0; j < i; ++j) at += static_cast<std::size_t>(bytes[j]);
    return {at, &labels[i]};
  }
  // Returns the index of the first item that does not end within `available` bytes. If `available`
  // ends inside the tail padding, returns the index of the last item.
  static constexpr std::size_t item_with_end_after(std::size_t available,
                                                   const sizes& bytes) noexcept {
    extent_type end = 0;
    std::size_t i = 0;
    for (; i + 1 < count; ++i) {
      end = (fixed ? offsets[i] : end) + bytes[i];
      if (end > available) break;
    }
    return i;
  }
  // Calls `f` with item `i` and the item's evaluated counts and conditions.
  template <class F>
  static constexpr void in_item(std::size_t i, const evaluated& a, F&& f) noexcept {
    in_item(i, a, f, indices{});
  }
  template <class F, std::size_t... I>
  static constexpr void in_item(std::size_t i, const evaluated& a, F&& f,
                                std::index_sequence<I...>) noexcept {
    ((I == i ? f(std::type_identity<B>{}, evaluated_of<I>(a)) : void()), ...);
  }

  // Calls `f` for each item, with a pointer to the item's bytes and the item's evaluated counts and
  // conditions.
  template <class F>
  static constexpr void each_at(const byte* p, const evaluated& a, F&& f) noexcept {
    each_at(p, a, f, indices{});
  }
  template <class F, std::size_t... I>
  static constexpr void each_at(const byte* p, const evaluated& a, F&& f,
                                std::index_sequence<I...>) noexcept {
    const byte* q = p;
    ((q = fixed ? p + offsets[I] : q, f(std::type_identity<B>{}, q, evaluated_of<I>(a)),
      q += static_cast<std::size_t>(extent_one<B>(evaluated_of<I>(a)))),
     ...);
  }
  template <class X, class S, class A>
  TRACECODEC_INLINE static constexpr errc accepts_one(const S& s, const byte* p,
                                                      const A& a) noexcept {
    if constexpr (!may_refuse<X>)
      return errc::ok;
    else if constexpr (X::fixed)
      return X::accepts(s, p);
    else
      return X::accepts(s, p, a);
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p, const evaluated& a,
                                                  std::index_sequence<I...>) noexcept {
    errc e = errc::ok;
    const byte* q = p;
    static_cast<void>(
        ((q = fixed ? p + offsets[I] : q, e = accepts_one<B>(s, q, evaluated_of<I>(a)),
          q += static_cast<std::size_t>(extent_one<B>(evaluated_of<I>(a))), e == errc::ok) &&
         ...));
    return e;
  }
  template <class Notes, std::size_t... I>
  TRACECODEC_INLINE static constexpr void note(std::size_t at, const evaluated& a, Notes& notes,
                                               std::index_sequence<I...>) noexcept {
    std::size_t here = at;
    const auto one = [&]<class X>(std::type_identity<X>, std::size_t offset, const auto& by) {
      if constexpr (fixed) here = at + offset;
      const std::size_t end = here + static_cast<std::size_t>(extent_one<X>(by));
      notes.template item<X>(here, end);
      if constexpr (requires { X::note(here, by, notes); }) X::note(here, by, notes);
      here = end;
    };
    (one(std::type_identity<B>{}, offsets[I], evaluated_of<I>(a)), ...);
  }

  // Returns the evaluated counts and conditions of item `I`. In a section of fixed size, which has
  // no counts or conditions, the result is empty.
  template <std::size_t I>
  TRACECODEC_INLINE static constexpr decltype(auto) evaluated_of(const evaluated& a) noexcept {
    if constexpr (fixed)
      return nothing_evaluated{};
    else
      return evaluated_at<I>(a);
  }
  template <class X, class S>
  TRACECODEC_INLINE static constexpr auto evaluate_one(const S& s) noexcept {
    if constexpr (X::fixed)
      return nothing_evaluated{};
    else
      return X::evaluate(s);
  }
  template <class X, class A>
  TRACECODEC_INLINE static constexpr extent_type extent_one(const A& a) noexcept {
    if constexpr (X::fixed)
      return X::size;
    else
      return X::extent(a);
  }
  template <class X, class S>
  TRACECODEC_INLINE static constexpr extent_type written_one(const S& s) noexcept {
    if constexpr (X::fixed)
      return X::size;
    else
      return X::written(s);
  }
  template <class X, class S, class A>
  TRACECODEC_INLINE static constexpr const byte* load_one(S& s, const byte* p,
                                                          const A& a) noexcept {
    if constexpr (X::fixed)
      return X::load(s, p);
    else
      return X::load(s, p, a);
  }
  template <class X, class S, class A>
  TRACECODEC_INLINE static constexpr byte* store_one(const S& s, byte* p, const A& a) noexcept {
    if constexpr (X::fixed)
      return X::store(s, p);
    else
      return X::store(s, p, a);
  }
  template <class X, class S, class A>
  TRACECODEC_INLINE static constexpr errc check_one(S& s, const A& a) noexcept {
    if constexpr (X::fixed)
      return X::check(s);
    else
      return X::check(s, a);
  }
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr extent_type extent_by(const evaluated& a,
                                                           std::index_sequence<I...>) noexcept {
    return (extent_one<B>(evaluated_of<I>(a)) + ... + 0);
  }
  template <std::size_t... I>
  static constexpr sizes sizes_by(const evaluated& a, std::index_sequence<I...>) noexcept {
    return {extent_one<B>(evaluated_of<I>(a))...};
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr const byte* load_by(S& s, const byte* p, const evaluated& a,
                                                         std::index_sequence<I...>) noexcept {
    ((p = load_one<B>(s, p, evaluated_of<I>(a))), ...);
    return p;
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr byte* store_by(const S& s, byte* p, const evaluated& a,
                                                    std::index_sequence<I...>) noexcept {
    ((p = store_one<B>(s, p, evaluated_of<I>(a))), ...);
    return p;
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc check_by(S& s, const evaluated& a,
                                                   std::index_sequence<I...>) noexcept {
    errc e = errc::ok;
    static_cast<void>((((e = check_one<B>(s, evaluated_of<I>(a))) == errc::ok) && ...));
    return e;
  }
  template <class S, std::size_t... I>
  static constexpr std::array<errc, count> errors_by(const S& s, const evaluated& a,
                                                     std::index_sequence<I...>) noexcept {
    return {check_one<B>(s, evaluated_of<I>(a))...};
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr void load_fixed(S& s, const byte* p,
                                                     std::index_sequence<I...>) noexcept {
    (B::load(s, p + offsets[I]), ...);
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr void store_fixed(const S& s, byte* p,
                                                      std::index_sequence<I...>) noexcept {
    (B::store(s, p + offsets[I]), ...);
  }
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr void zero_gaps(byte* p, std::index_sequence<I...>) noexcept {
    (zero(p + offsets[I] + B::size, offsets[I + 1] - offsets[I] - B::size), ...);
  }
  template <auto M, std::size_t... I>
  TRACECODEC_INLINE static constexpr void get_from(member_t<M>& v, const byte* p,
                                                   std::index_sequence<I...>) noexcept {
    (get_one<M, B>(v, p + offsets[I]), ...);
  }
  template <class X> static constexpr bool holds(std::string_view member) {
    if constexpr (requires { X::holds(member); })
      return X::holds(member);
    else
      return X::label == member;
  }
  template <auto M, class X>
  TRACECODEC_INLINE static constexpr void get_one(member_t<M>& v, const byte* p) noexcept {
    if constexpr (X::template has<M>) X::template get_into<M>(v, p);
  }
  // Returns true if the members are in the same order as the items. In a section without gaps, each
  // member then also has the same offset as its item.
  template <class S, std::size_t... I>
  static consteval bool in_order_of(std::index_sequence<I...>) {
    return ((B::label == member_name<S, I>)&&...);
  }
  // Returns true if each member has the same offset as its item. In a section with gaps, the same
  // order is not sufficient, because alignas may move a member. Therefore the function creates an
  // object from numbered bytes at compile time, and compares each member with the bytes at its
  // item's offset.
  template <class S, std::size_t... I>
  static consteval bool in_place_of(std::index_sequence<I...>) {
    std::array<byte, size> counted{};
    for (std::size_t i = 0; i < size; ++i) counted[i] = static_cast<byte>(i);
    const S s = std::bit_cast<S>(counted);
    return (is_slice(member_at<I>(s), counted.data() + offsets[I]) && ...);
  }
  template <class M> static consteval bool is_slice(const M& member, const byte* p) {
    for (const byte b : std::bit_cast<std::array<byte, sizeof(M)>>(member))
      if (b != *p++) return false;
    return true;
  }
};
}  // namespace detail

}  // namespace tracecodec::wire
