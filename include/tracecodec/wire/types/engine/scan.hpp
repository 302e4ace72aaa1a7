// Variable-length items, whose length is stored in their own bytes. Such items are read in one
// pass. The extents of all other items are known before their bytes are read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "../../result.hpp"
#include "../../text.hpp"
#include "../bytes.hpp"

namespace tracecodec::wire {

// Result of a scan: the position that was reached, and the error.
struct scan_result {
  // Offset of the end of the scanned bytes. After an error, offset of the failing field.
  std::size_t at = 0;

  errc error = errc::ok;
  // After an error, name of the failing field, or null if the item has no parts.
  const std::string_view* field = nullptr;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

// Variable-length wire type. The length of a value is stored in the value's own bytes. Besides
// value_type and type_name(), the type has:
//   variable_length = true
//   sizes() -> text                            returns the size for layout tables, such as "1 to 5"
//   scan(value_type&, span) -> scan_result     reads the value at the front of the span
//   check(value) -> errc                       returns ok if the value can be written
//   written(value) -> std::uint64_t            returns the number of bytes of the value
//   store(value, p) -> byte*                   writes the value, and returns its end
// A record of varying size is also such a type. No function throws or allocates, and everything may
// be constexpr.
template <class W>
concept variable_length_type = requires {
  requires W::variable_length;
};

namespace detail {
// Size of variable-length data in bytes. The type has 64 bits on every host, and sizes are capped
// at largest_extent. Therefore the sum of a record's extents cannot overflow, even if a file
// contains excessive counts.
using extent_type = std::uint64_t;
inline constexpr extent_type largest_extent = extent_type{1} << 56;

// Position at which decode or encode failed. `field` points to the name of an item. The struct fits
// in two registers.
struct failure {
  std::size_t used = 0;
  const std::string_view* field = nullptr;
};

// Bytes that contain a record's items. Positions are offsets and not pointers, because offsets
// after items of fixed size are constants.
struct scan_input {
  const byte* begin;
  std::size_t size;
  // Returns true if at least `n` bytes follow the first `at` bytes.
  TRACECODEC_INLINE constexpr bool holds(std::size_t at, extent_type n) const noexcept {
    return at + n <= size;
  }
  // These functions check the first bytes of an item, and an item that consists only of such bytes.
  // In a run of items, the item before may have checked these bytes (run.hpp).
  TRACECODEC_INLINE constexpr bool holds_front(std::size_t at, extent_type n) const noexcept {
    return holds(at, n);
  }
  TRACECODEC_INLINE constexpr bool holds_whole_front(std::size_t at, extent_type n) const noexcept {
    return holds(at, n);
  }
  [[nodiscard]] constexpr std::size_t left(std::size_t at) const noexcept { return size - at; }
  [[nodiscard]] constexpr std::span<const byte> from(std::size_t at) const noexcept {
    return {begin + at, size - at};
  }
};

// Result of a failed scan. A successful scan returns the offset of the end of the scanned bytes.
inline constexpr std::size_t not_read = ~std::size_t{};

// Place and reason of a failure. Only a second scan, which explains the failure of the first one,
// stores them.
struct scan_failure {
  std::size_t at;
  errc why;
  const std::string_view* field;
};

// Notes for callers that do not need the positions of items. Other types of notes record positions.
struct no_notes {
  static constexpr bool wanted = false;
};
// True if `Notes` belong to a second scan, which explains the failure of the first scan.
template <class Notes> inline constexpr bool explains = requires { requires Notes::explaining; };
// Notes of a scan that needs only the size of the record, and does not compare values. `Last` is true
// if only items of fixed size follow, so that nothing depends on the members inside a sized<> part.
template <bool Last> struct skip_notes {
  static constexpr bool wanted = false;
  static constexpr bool skips = true;
  static constexpr bool last = Last;
};
template <class Notes> inline constexpr bool skips = requires { requires Notes::skips; };
template <class Notes> inline constexpr bool skips_parts = requires {
  requires Notes::skips && Notes::last;
};
// Ends a scan that failed at offset `at`, in the member `field`.
template <class Notes> TRACECODEC_INLINE constexpr std::size_t fail(
    [[maybe_unused]] Notes& notes, [[maybe_unused]] std::size_t at, [[maybe_unused]] errc why,
    [[maybe_unused]] const std::string_view* field) noexcept {
  if constexpr (explains<Notes>) notes.failure = {at, why, field};
  return not_read;
}
// Ends a scan in which a nested value failed. The value is stored in the member `label`, at offset
// `at`.
template <class Notes> TRACECODEC_INLINE constexpr std::size_t fail_inside(
    [[maybe_unused]] Notes& notes, [[maybe_unused]] std::size_t at,
    [[maybe_unused]] const std::string_view& label) noexcept {
  if constexpr (explains<Notes>) {
    notes.failure.at += at;
    if (notes.failure.field == nullptr) notes.failure.field = &label;
  }
  return not_read;
}

// Path through lists and nested records to a failing field.
struct failure_path {
  text way = {};
  // Label of the last step, if the failing field is this step. Null if it is inside the last step.
  const std::string_view* last = nullptr;

  // Adds the failing field. In a path that would be too long, the last steps are omitted.
  constexpr void end(std::string_view field) noexcept {
    constexpr std::string_view omitted = "...";
    if (way.length + 1 + field.size() > text::most) {
      const std::size_t needed = omitted.size() + field.size();
      while (way.length != 0 &&
             (way.length + needed > text::most || way.chars[way.length - 1] != '.'))
        --way.length;
      way += omitted;
    } else {
      way += ".";
    }
    way += field;
  }
  constexpr void inside(const std::string_view& label) noexcept {
    if (way.length != 0) way += ".";
    way += label;
    last = &label;
  }
  constexpr void inside(const std::string_view& label, extent_type element) noexcept {
    inside(label);
    way += "[";
    way += static_cast<std::size_t>(element);
    way += "]";
  }
};
// Notes of a scan that explains why a scan of the same bytes failed.
struct failure_notes {
  static constexpr bool wanted = true;
  static constexpr bool explaining = true;
  scan_failure failure = {0, errc::ok, nullptr};
  // Path to extend with the failing field. Null if the path is not needed.
  failure_path* path = nullptr;
  // Name of the member to locate, and offset of the first item that stores the member.
  std::string_view sought = {};
  std::size_t place = not_read;

  template <class B> constexpr void item(std::size_t begin, std::size_t) noexcept {
    if constexpr (requires { B::holds(sought); }) {
      if (place == not_read && !sought.empty() && B::holds(sought)) place = begin;
    } else {
      item(B::label, begin);
    }
  }
  // This function is not a template, because each item calls it.
  [[gnu::noinline]] constexpr void item(const std::string_view& label, std::size_t begin) noexcept {
    if (place == not_read && !sought.empty() && label == sought) place = begin;
  }
};
// Extends the path of a failure by the member `label`, of wire type `W`, or by the element
// `element` of that member. `in` begins at the member or the element.
template <class W, class... Element>
constexpr void extend_path(failure_path* path, std::span<const byte> in,
                           const std::string_view& label, Element... element) noexcept {
  if (path == nullptr) return;
  path->inside(label, element...);
  if constexpr (requires { W::extend_path(in, *path); }) W::extend_path(in, *path);
}

// True if wire type `W` is a record of varying size.
template <class W> inline constexpr bool is_read = requires(typename W::value_type& v) {
  W::read(v, std::span<const byte>{});
};
// Reads a value of the variable-length wire type `W` as part of a scan that explains a failure. Not
// inlined, because such a scan happens once.
template <class W>
[[gnu::noinline]] constexpr std::size_t read_again(typename W::value_type& v,
                                                   std::span<const byte> in,
                                                   scan_failure& failure) noexcept {
  if constexpr (is_read<W>) {
    const std::size_t n = W::read(v, in);
    if (n == not_read) failure = W::explain(v, in);
    return n;
  } else {
    const scan_result r = W::scan(v, in);
    if (r.error == errc::ok) return r.at;
    failure = {r.at, r.error, r.field};
    return not_read;
  }
}
// True if a record or an item contains records of varying size, as a member or in a list.
// read_nested() reads such a record, so that the compiler may keep its code out of line.
template <class Item> inline constexpr bool nests_records = requires {
  requires Item::nests_records;
};
// Reads a record that contains records. Unlike W::read(), it is not marked TRACECODEC_INLINE.
template <class W>
constexpr std::size_t read_nested(typename W::value_type& v, std::span<const byte> in) noexcept {
  return W::read(v, in);
}
// Reads a value of the variable-length wire type `W` from the front of `in`. Returns the size of
// the value, or not_read.
template <class W, class Notes>
TRACECODEC_INLINE constexpr std::size_t read_value(typename W::value_type& v,
                                                   std::span<const byte> in,
                                                   [[maybe_unused]] Notes& notes) noexcept {
  if constexpr (explains<Notes>) {
    return read_again<W>(v, in, notes.failure);
  } else if constexpr (nests_records<W>) {
    return read_nested<W>(v, in);
  } else if constexpr (is_read<W>) {
    return W::read(v, in);
  } else {
    const scan_result r = W::scan(v, in);
    return r.error == errc::ok ? r.at : not_read;
  }
}
// Reads a value of wire type `W`, of fixed size or variable length, from the front of `in`. Returns
// the size of the value, or not_read.
template <class W, class Notes>
TRACECODEC_INLINE constexpr std::size_t read_element(typename W::value_type& v,
                                                     std::span<const byte> in,
                                                     Notes& notes) noexcept {
  if constexpr (variable_length_type<W>) {
    return read_value<W>(v, in, notes);
  } else {
    if (in.size() < W::size) return fail(notes, 0, errc::truncated, nullptr);
    if constexpr (requires { requires W::refuses; })
      if (const errc e = W::accepts(in.data()); e != errc::ok) return fail(notes, 0, e, nullptr);
    v = W::load(in.data());
    return W::size;
  }
}
// Returns does_not_fit, or the reason of `W`, if wire type `W` cannot store `v`.
template <class W> constexpr errc check_element(const typename W::value_type& v) noexcept {
  if constexpr (requires { W::check(v); })
    return W::check(v);
  else
    return W::fits(v) ? errc::ok : errc::does_not_fit;
}
// Returns the number of bytes of `v` as wire type `W`.
template <class W>
constexpr std::uint64_t size_of_element([[maybe_unused]] const typename W::value_type& v) noexcept {
  if constexpr (variable_length_type<W>)
    return W::written(v);
  else
    return W::size;
}
// Stores `v` as wire type `W` at `p`. Returns the end of its bytes.
template <class W>
constexpr byte* store_element(const typename W::value_type& v, byte* p) noexcept {
  if constexpr (variable_length_type<W>) {
    return W::store(v, p);
  } else {
    W::store(v, p);
    return p + W::size;
  }
}
// Reads the member `label`, of wire type `W`, at offset `at`. Returns the offset of the member's
// end, or not_read.
template <class W, class Notes>
TRACECODEC_INLINE constexpr std::size_t read_member(typename W::value_type& v, std::size_t at,
                                                    const scan_input& in, Notes& notes,
                                                    const std::string_view& label) noexcept {
  const std::size_t n = read_element<W>(v, in.from(at), notes);
  return n == not_read ? fail_inside(notes, at, label) : at + n;
}

// List of types, used for the items that are computed from other items (computed.hpp).
template <class... C> struct type_list {};
template <class... L> struct joined { using type = type_list<>; };
template <class... A> struct joined<type_list<A...>> { using type = type_list<A...>; };
template <class... A, class... B, class... Rest>
struct joined<type_list<A...>, type_list<B...>, Rest...> : joined<type_list<A..., B...>, Rest...> {
};
template <class Item> struct computed_in { using type = type_list<>; };
template <class Item>
requires requires { typename Item::computed; }
struct computed_in<Item> {
  using type = typename Item::computed;
};
template <class Item> using computed_in_t = typename computed_in<Item>::type;
// Computed item in an optional part.
template <class C> struct sometimes : C { static constexpr bool conditional = true; };
template <class List> struct sometimes_list;
template <class... C> struct sometimes_list<type_list<C...>> {
  using type = type_list<std::conditional_t<C::conditional, C, sometimes<C>>...>;
};
template <class List> using sometimes_t = typename sometimes_list<List>::type;
// Computed item that is always correct after its record was read, because it is the count with
// which an array was read.
template <class C> struct implied : C { static constexpr bool is_implied = true; };

// Internal error for a part whose size differs from the size of its items. Counts after the part
// can still be evaluated, so that the record can be measured before all sizes are computed.
inline constexpr errc size_differs = static_cast<errc>(0xff);
constexpr errc to_caller(errc e) noexcept { return e == size_differs ? errc::count_mismatch : e; }
// Internal error for a tag that no alternative matches. A caller that has the whole record finds
// the offset of the tag.
inline constexpr errc unknown_tag = static_cast<errc>(0xfe);
// Internal error for a part whose items take fewer bytes than its size states. The failing field is
// the size. A caller that has the whole record finds the offset of the size.
inline constexpr errc other_size = static_cast<errc>(0xfc);
template <class Item> inline constexpr bool is_sized = requires { requires Item::sized; };

// Constant of any type, represented as a type.
template <auto V> struct constant_type {};

// True if `Notes` records absent items. In that case, note_absent_item() records `Item` and
// everything inside `Item`.
template <class Notes> inline constexpr bool notes_absent = requires {
  requires Notes::wants_absent;
};
template <class Item, class Notes>
constexpr void note_absent_item(std::size_t at, Notes& notes) noexcept {
  if constexpr (notes_absent<Notes>) {
    notes.template absent<Item>(at);
    if constexpr (requires { Item::note_absent(at, notes); }) Item::note_absent(at, notes);
  }
}

// Offset of an item in its record, and of the part that contains the item. encode passes it to items
// whose size depends on their offset in the record.
struct item_offset {
  extent_type at = 0;
  extent_type part = 0;
};

// Returns the offset in the record at which the part begins whose notes are `notes`.
template <class Notes>
TRACECODEC_INLINE constexpr std::size_t begin_of_part(const Notes& notes) noexcept {
  if constexpr (requires { notes.base + begin_of_part(notes.whole); })
    return notes.base + begin_of_part(notes.whole);
  else
    return 0;
}

// Optional properties of an item.
template <class Item> inline constexpr bool is_variable_length = variable_length_type<Item>;
template <class Item> inline constexpr bool may_refuse = requires { requires Item::refuses; };
// Number of bytes of an item that belong to constants.
template <class Item> inline constexpr std::size_t constant_bytes_of = [] {
  if constexpr (requires { Item::constant_bytes; })
    return Item::constant_bytes;
  else
    return std::size_t{};
}();
// True if the size of an item depends on the item's offset.
template <class Item> inline constexpr bool is_placed = requires { requires Item::placed; };
// True if encode needs the item's offset in the record before it can check the item.
template <class Item> inline constexpr bool is_absolute = requires { requires Item::absolute; };
// True if an item extends to the end of the input or of a sized<> part. Nothing can follow such an
// item.
template <class Item> inline constexpr bool is_greedy = requires { requires Item::greedy; };
template <class Item> inline constexpr bool has_computed = requires { typename Item::computed; };
}  // namespace detail

}  // namespace tracecodec::wire
