// Items whose length lies in their own bytes: they are scanned, where others are asked for their
// extent before their bytes are seen.
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

// How far a scan came, and what went wrong.
struct scan_result {
  std::size_t at = 0;  // bytes up to the end of what was read, or to where the failing field begins

  errc error = errc::ok;
  const std::string_view* field =
      nullptr;  // after an error: its name; none if the item has no parts
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

// A wire type whose length lies in its own bytes offers, beside value_type and type_name():
//   scanned = true
//   scan(value_type&, span) -> scan_result     reads the value at the front of the span

//   check(value) -> errc                       whether it can be written
//   written(value) -> std::uint64_t            the bytes that it takes
//   store(value, p) -> byte*                   writes them, returns what is behind
// A record of varying size is one, too. Nothing throws or allocates; everything may be constexpr.
template <class W>
concept scanned_type = requires {
  requires W::scanned;
};

namespace detail {
// Bytes of variable data. 64 bits on every host, and capped, so that the sum of a record's extents
// cannot wrap whatever counts a file states.
using extent_type = std::uint64_t;
inline constexpr extent_type largest_extent = extent_type{1} << 56;

// Where decode or encode failed; the field is the name of an item. Fits two registers.
struct failure {
  std::size_t used = 0;
  const std::string_view* field = nullptr;
};

// The bytes that a record's items lie in, and a place in them. (As an offset: where an item of fixed
// size stands behind others, compilers then know it.)
struct scan_input {
  const byte* begin;
  std::size_t size;
  // Whether `n` bytes are there behind the first `at`.
  TRACECODEC_INLINE constexpr bool holds(std::size_t at, extent_type n) const noexcept {
    return at + n <= size;
  }
  [[nodiscard]] constexpr std::size_t left(std::size_t at) const noexcept { return size - at; }
  [[nodiscard]] constexpr std::span<const byte> behind(std::size_t at) const noexcept {
    return {begin + at, size - at};
  }
};

// Whoever wants to know where items lie passes something that notes it; most do not.
struct no_notes {
  static constexpr bool wanted = false;
};

// Passed to a scan that fails: the way through lists and nested records to where.
struct path_notes {
  static constexpr bool wanted = false;
  text way = {};
  const std::string_view* last = nullptr;  // what names the last step

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
// Notes that element `element...` of the member `label`, of wire type `W`, fails in `in`.
template <class W, class Notes, class... Element>
constexpr void note_failure(Notes& notes, std::span<const byte> in, const std::string_view& label,
                            Element... element) noexcept {
  if constexpr (requires { notes.inside(label, element...); }) {
    notes.inside(label, element...);
    if constexpr (requires { W::note_failure(in, notes); }) W::note_failure(in, notes);
  }
}

// Items that are computed from others (computed.hpp), as a list of types.
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
// Those of a part that may be absent.
template <class C> struct sometimes : C { static constexpr bool conditional = true; };
template <class List> struct sometimes_list;
template <class... C> struct sometimes_list<type_list<C...>> {
  using type = type_list<std::conditional_t<C::conditional, C, sometimes<C>>...>;
};
template <class List> using sometimes_t = typename sometimes_list<List>::type;

// A part whose size is not what its items take. Counts behind it can still be asked, so that sizes
// that are yet to be computed keep nobody from measuring what is there.
inline constexpr errc size_differs = static_cast<errc>(0xff);
constexpr errc to_caller(errc e) noexcept { return e == size_differs ? errc::count_mismatch : e; }
// No alternative is for a tag: whoever knows the whole record says where the tag stands.
inline constexpr errc unknown_tag = static_cast<errc>(0xfe);
// Notes where the first member of a name begins.
struct place_note {
  static constexpr bool wanted = true;
  std::string_view name;
  std::size_t at;  // before it is found, what is said if it is not
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

// A constant of any type, as a type.
template <auto V> struct constant_type {};

// Whether `Notes` wants to know of items that are not there. Then of `Item`, and of all in it.
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

// What an item may offer beside what all do.
template <class Item> inline constexpr bool is_scanned = scanned_type<Item>;
template <class Item> inline constexpr bool may_refuse = requires { requires Item::refuses; };
// Bytes of it that always are the same.
template <class Item> inline constexpr std::size_t constant_bytes_of = [] {
  if constexpr (requires { Item::constant_bytes; })
    return Item::constant_bytes;
  else
    return std::size_t{};
}();
// Whether its size depends on where it stands.
template <class Item> inline constexpr bool is_placed = requires { requires Item::placed; };
// Whether it goes on to the end of the input, or of a limited part: nothing can be read behind it.
template <class Item> inline constexpr bool is_greedy = requires { requires Item::greedy; };
template <class Item> inline constexpr bool has_computed = requires { typename Item::computed; };
}  // namespace detail

}  // namespace tracecodec::wire
