// Variable-length items, whose length is stored in their own bytes. Such items are scanned. The
// extent of all other items is known before their bytes are read.
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

// Result of a scan: the position that it reached, and the error.
struct scan_result {
  // Offset of the end of the scanned bytes. After an error, the offset of the failing field.
  std::size_t at = 0;

  errc error = errc::ok;
  // After an error, the name of the failing field. Null if the item has no parts.
  const std::string_view* field = nullptr;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

// Variable-length wire type, whose length is stored in its own bytes. Besides value_type and
// type_name(), it has:
//   scanned = true
//   scan(value_type&, span) -> scan_result     reads the value at the front of the span
//   check(value) -> errc                       returns ok if the value can be written
//   written(value) -> std::uint64_t            returns the number of bytes of the value
//   store(value, p) -> byte*                   writes the value, and returns its end
// A record of varying size is also such a type. No function throws or allocates, and everything may
// be constexpr.
template <class W>
concept scanned_type = requires {
  requires W::scanned;
};

namespace detail {
// Size of variable-length data in bytes. It has 64 bits on every host and is capped. Therefore the
// sum of a record's extents cannot overflow, whatever counts a file states.
using extent_type = std::uint64_t;
inline constexpr extent_type largest_extent = extent_type{1} << 56;

// Position at which decode or encode failed. `field` points to the name of an item. The struct fits
// two registers.
struct failure {
  std::size_t used = 0;
  const std::string_view* field = nullptr;
};

// Bytes that contain a record's items. Positions are offsets, because compilers then know the
// position of an item that follows items of fixed size.
struct scan_input {
  const byte* begin;
  std::size_t size;
  // Returns true if at least `n` bytes follow the first `at` bytes.
  TRACECODEC_INLINE constexpr bool holds(std::size_t at, extent_type n) const noexcept {
    return at + n <= size;
  }
  [[nodiscard]] constexpr std::size_t left(std::size_t at) const noexcept { return size - at; }
  [[nodiscard]] constexpr std::span<const byte> behind(std::size_t at) const noexcept {
    return {begin + at, size - at};
  }
};

// Notes for callers that do not need the positions of items. Other types of notes record positions.
struct no_notes {
  static constexpr bool wanted = false;
};

// Note of the path through lists and nested records to a failing field.
struct path_notes {
  static constexpr bool wanted = false;
  text way = {};
  const std::string_view* last = nullptr;  // label of the last step of the path

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
// Notes that decode fails for the member `label`, of wire type `W`, or for its element `element`.
// `in` begins at that value.
template <class W, class Notes, class... Element>
constexpr void note_failure(Notes& notes, std::span<const byte> in, const std::string_view& label,
                            Element... element) noexcept {
  if constexpr (requires { notes.inside(label, element...); }) {
    notes.inside(label, element...);
    if constexpr (requires { W::note_failure(in, notes); }) W::note_failure(in, notes);
  }
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
// Computed item in a part that may be absent.
template <class C> struct sometimes : C { static constexpr bool conditional = true; };
template <class List> struct sometimes_list;
template <class... C> struct sometimes_list<type_list<C...>> {
  using type = type_list<std::conditional_t<C::conditional, C, sometimes<C>>...>;
};
template <class List> using sometimes_t = typename sometimes_list<List>::type;

// Internal error for a part whose size differs from the size of its items. Counts after the part
// can still be evaluated, so the record can be measured before all sizes are computed.
inline constexpr errc size_differs = static_cast<errc>(0xff);
constexpr errc to_caller(errc e) noexcept { return e == size_differs ? errc::count_mismatch : e; }
// Internal error for a tag that no alternative matches. A caller that has the whole record finds
// the offset of the tag.
inline constexpr errc unknown_tag = static_cast<errc>(0xfe);
// Note of the offset of the first item that holds the member `name`.
struct place_note {
  static constexpr bool wanted = true;
  std::string_view name;
  std::size_t at;  // the default offset until the member is found
  bool found = false;
  template <class B> constexpr void item(std::size_t begin, std::size_t) noexcept {
    bool is = !found;
    if constexpr (requires { B::holds(name); })
      is = is && B::holds(name);
    else
      is = is && B::label == name;
    if (is) at = begin;
    found = found || is;
  }
};
template <class Item> inline constexpr bool is_sized = requires { requires Item::sized; };

// Constant of any type, represented as a type.
template <auto V> struct constant_type {};

// True if `Notes` records absent items. In that case, note_absent_item() notes `Item` and
// everything inside it.
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

// Optional properties of an item.
template <class Item> inline constexpr bool is_scanned = scanned_type<Item>;
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
// True if an item extends to the end of the input or of a limited<> part, so that nothing can
// follow it.
template <class Item> inline constexpr bool is_greedy = requires { requires Item::greedy; };
template <class Item> inline constexpr bool has_computed = requires { typename Item::computed; };
}  // namespace detail

}  // namespace tracecodec::wire
