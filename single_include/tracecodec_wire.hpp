// tracecodec 0.1.0, its descriptor language alone: wire.hpp and what it includes, as one file.
// scripts/single_include writes it. It needs C++20 and Boost 1.81 (PFR, Endian). Use this or the
// library's own headers in a program, not both.
// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <boost/endian/detail/intrinsic.hpp>
#include <boost/pfr/core.hpp>

#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>  // also provides iterator tags; <iterator> alone takes 0.18 s to compile
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

// ---- tracecodec/wire/policy.hpp
// Policy of a record: the byte order, placement and target with which a struct becomes bytes.

namespace tracecodec::wire {

// Byte order: order::little, order::big or order::native.
using order = std::endian;

enum class placement : std::uint8_t {
  packed,  // each field directly after the previous one
  natural  // the C rule: each field is aligned, and the tail is padded to the largest alignment
};

enum class target : std::uint8_t { x86, x64 };

// Unsigned integer as wide as a pointer of the target: 4 bytes for x86, 8 for x64.
template <target T> using word_t =
    std::conditional_t<T == target::x86, std::uint32_t, std::uint64_t>;

// Placeholder in descriptions for word_t of the record's target, as in field<&S::address, word>.
struct word {
  word() = delete;
};

template <order O, placement P, target T> struct policy {
  static constexpr order byte_order = O;
  static constexpr placement place = P;
  static constexpr target arch = T;
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/in_order.hpp
// Dispatch on a byte order that is known only at run time. The only branch is outside `f`, so the
// code in `f` is as fast as with an order fixed at compile time.

namespace tracecodec::wire {

// Calls f.template operator()<order::big>() or <order::little>(), according to `o`:
//   in_order(o, [&]<wire::order O>() { return decode_all<O>(bytes); });
template <class F> constexpr decltype(auto) in_order(order o, F&& f) {
  if (o == order::big) return f.template operator()<order::big>();
  return f.template operator()<order::little>();
}

// Calls `f` with the byte order and the target. Pointers have 4 bytes for target::x86 and 8 for
// target::x64:
//   in_order_and_target(o, t, [&]<wire::order O, wire::target T>() { ... });
template <class F> constexpr decltype(auto) in_order_and_target(order o, target t, F&& f) {
  return in_order(o, [&]<order O>() -> decltype(auto) {
    if (t == target::x86) return f.template operator()<O, target::x86>();
    return f.template operator()<O, target::x64>();
  });
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/members.hpp
// Members of a plain struct: their number, their types and references to them, through the public
// interface of Boost.PFR. Boost 1.81 searches for the number of members downwards from the number
// of bits. The search takes clang 0.8 s for a struct of 4 KB and 2.5 s for a struct of 16 KB. g++
// needs less time.

namespace tracecodec::wire {

template <class S> inline constexpr std::size_t member_count = boost::pfr::tuple_size_v<S>;

namespace detail {
// Placeholder that converts to the type of any member. The conversions are never called, but clang
// requires their bodies for types without linkage.
struct any_value {
  std::size_t index;
  template <class T> operator T&() const&& noexcept { __builtin_unreachable(); }
  template <class T> operator T&() const& noexcept { __builtin_unreachable(); }
};

// Returns true if value `I` of `N` initialises the first element of a C array. In that case
// `{value}` initialises the whole array, and too few members remain for the other values. Returns
// false for a class with several constructors that accept the value.
template <class S, std::size_t I, std::size_t... Before, std::size_t... Behind>
consteval bool begins_array(std::index_sequence<Before...>, std::index_sequence<Behind...>) {
  if constexpr (requires { S{any_value{Before}..., {any_value{I}}}; }) return !requires {
      S{any_value{Before}..., {any_value{I}}, any_value{Behind}...};
    };
  else
    return false;
}
template <class S, std::size_t I, std::size_t N> consteval std::size_t first_array() {
  if constexpr (I == N)
    return N;
  else if constexpr (begins_array<S, I>(std::make_index_sequence<I>{},
                                        std::make_index_sequence<N - I - 1>{}))
    return I;
  else
    return first_array<S, I + 1, N>();
}
template <class S, std::size_t... I> consteval bool takes_braced(std::index_sequence<I...>) {
  return requires { S{{any_value{I}}...}; };
}
}  // namespace detail

// Returns the index of the first member that is a C array, or member_count if there is none.
template <class S> consteval std::size_t c_array_in() {
  constexpr std::size_t n = member_count<S>;
  if constexpr (detail::takes_braced<S>(std::make_index_sequence<n>{}))
    return n;
  else
    return detail::first_array<S, 0, n>();
}

// Returns a reference to member `I` of `s`.
template <std::size_t I, class S> constexpr auto& member_at(S& s) noexcept {
  static_assert(!std::is_union_v<S>, "a union cannot be described: its active member is unknown");
  static_assert(c_array_in<std::remove_cv_t<S>>() == member_count<S>,
                "a member is a C array, which cannot be described: std::array can");
  return boost::pfr::get<I>(s);
}

// Type of member `I` of `S`.
template <class S, std::size_t I> using member_type = boost::pfr::tuple_element_t<I, S>;

}  // namespace tracecodec::wire

// ---- tracecodec/wire/text.hpp
// Short texts built at compile time, such as names of members and of wire types.

namespace tracecodec::wire {

// Text of up to 95 characters. Longer text is truncated.
struct text {
  static constexpr std::size_t most = 95;
  // A C array saves compile time: the functions of std::array would be evaluated for each
  // character.
  char chars[most]{};
  unsigned char length = 0;

  constexpr text() = default;
  constexpr text(std::string_view s) noexcept { *this += s; }
  constexpr text& operator+=(std::string_view s) noexcept {
    for (const char c : s)
      if (length < most) chars[length++] = c;
    return *this;
  }
  constexpr text& operator+=(std::uint64_t number) noexcept {
    if (number >= 10) *this += number / 10;
    const char digit = static_cast<char>('0' + number % 10);
    return *this += std::string_view(&digit, 1);
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, length}; }
};

// String literal that can be a template argument.
template <std::size_t N> struct fixed_string {
  char chars[N]{};
  consteval fixed_string(const char (&s)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
  // Returns the characters without the terminating 0.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, N - 1}; }
};

namespace detail {
template <class P> struct member_pointer;
template <class S, class T> struct member_pointer<T S::*> {
  using owner = S;
  using type = T;
};

// Returns the name of the member that `P` points to. __PRETTY_FUNCTION__ ends with the compiler's
// spelling of `P`: "... P = &S::ip]" or "... .S::ip)}]". The last identifier is the member's name.
// (The return type is deduced, because otherwise g++ would append the expansion of
// std::string_view.)
template <auto P> consteval auto spelling() {
  const char* const s = __PRETTY_FUNCTION__;
  std::size_t end = sizeof(__PRETTY_FUNCTION__) - 1;
  while (s[end - 1] == ']' || s[end - 1] == ')' || s[end - 1] == '}') --end;
  std::size_t begin = end;
  while (s[begin - 1] != ':' && s[begin - 1] != '.') --begin;
  return std::string_view(s + begin, end - begin);
}

// Pointer as a template argument.
template <class T> struct address {
  // clang 14 accepts a pointer to a subobject as a template argument only inside a class.
  T* of;
};
// Object whose members' addresses are used, but whose values are never read. (It is not a constant,
// so that Boost.PFR's functions for constants are instantiated only where they are needed.)
template <class S> inline S blank{};
}  // namespace detail

template <auto P> using owner_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::owner;
template <auto P> using member_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::type;

// Name of the member that `P` (&S::member) points to.
template <auto P> inline constexpr std::string_view name_of = detail::spelling<P>();

// Name of member `I` of a plain struct.
template <class S, std::size_t I> inline constexpr std::string_view member_name =
    detail::spelling<detail::address<member_type<S, I>>{&member_at<I>(detail::blank<S>)}>();

// Returns true if two pointers to members, possibly of different types, are the same.
template <auto A, auto B> consteval bool same_member() {
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(A)>, std::remove_cv_t<decltype(B)>>)
    return A == B;
  else
    return false;
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/engine/quoted.hpp
// Texts in compiler messages, as part of a type's name.

namespace tracecodec::wire::detail {

// clang prints a text argument as numbers, but single characters as letters.
#if defined(__clang__)
template <char... Letters> struct quoted;
template <class From, std::size_t... I>
quoted<From::value.chars[I]...> quoted_of(std::index_sequence<I...>);
#else
template <std::size_t N> struct letters { char chars[N + 1]{}; };
template <letters Text> struct quoted;
template <class From, std::size_t... I>
quoted<letters<sizeof...(I)>{{From::value.chars[I]...}}> quoted_of(std::index_sequence<I...>);
#endif
// Type whose name contains the text From::value.
template <class From> using quoted_t =
    decltype(quoted_of<From>(std::make_index_sequence<From::value.length>{}));

// Name of member `I` of `S`, for quoted_t.
template <class S, std::size_t I> struct name_at {
  static constexpr text value = std::string_view(member_name<S, I>);
};

// Always false, but value-dependent, for a static_assert that fires only on instantiation.
template <class...> inline constexpr bool never = false;

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/layout/layout_row.hpp
// One row of a record's layout table, and the types with which descriptions fill it.

namespace tracecodec::wire {

struct layout_how;
struct layout_values;

// Field as shown in the tables of a specification. Nested records appear field by field, with
// names joined by dots. An array of records is one row.
struct layout_row {
  // In bytes, from the start of the record, or of the section if `floats` is true.
  std::size_t offset = 0;
  bool floats = false;  // true if variable-length data precede, so that `offset` is not fixed
  // In bytes. The size of one element if `counted` is true.
  std::size_t size = 0;
  // Highest and lowest bit of a bit slice in the word at `offset`. Bit 0 is the least significant.
  unsigned high_bit = 0;
  unsigned low_bit = 0;
  bool slice = false;
  bool counted = false;      // true for an array of `count` elements
  bool conditional = false;  // true if the field is present only under a condition
  bool scanned = false;      // true for a variable-length field: `count` states its size
  // Name of the type, such as "u64" or "u8[2]".
  text type = {};
  text name = {};
  // Name of the count field, "computed", or a size.
  text count = {};
  order byte_order = order::native;
  bool has_order = false;  // false for single bytes
  // Details that tables omit but other languages (emit/) need: how the bytes are read if type and
  // size do not determine it, and the allowed values.
  const layout_how* how = nullptr;
  const layout_values* values = nullptr;
};

// Position of a bit slice: bits [low_bit, low_bit + width) of the word at `offset` in its record.
// Bit 0 is the least significant.
struct slice {
  std::size_t offset;
  unsigned low_bit, width;
  friend constexpr bool operator==(const slice&, const slice&) = default;
};

// Names of rows that hold no field.
inline constexpr std::string_view padding_name = "(padding)";
inline constexpr std::string_view literal_name = "(literal)";

struct layout_node;
using layout_nodes_of = std::span<const layout_node> (*)() noexcept;

enum class read_as : std::uint8_t {
  // As the row's type states. `element` is set if the type consists of records.
  type,
  uleb128,
  sleb128,
  zigzag,
  vlq,
  terminated,   // elements up to and including one that equals `number`
  prefixed,     // `prefix`, then as many elements as `prefix` states
  padded,       // trailing elements that equal `number` are fill
  digits,       // digits in base `number`
  both_orders,  // little-endian, then big-endian
  list,         // list of elements
  strided,      // elements that begin `stride` bytes apart
  rest,         // elements up to the end
  skipped,      // ignored bytes up to the end
  align         // fill bytes up to a multiple of `number`
};
enum class list_ends : std::uint8_t { counted, at_end, until };
struct layout_part;

struct layout_how {
  read_as as = read_as::type;
  std::uint64_t number = 0;
  // Rows of an element that is a record, or one row without a name for any other element. Null if
  // the row itself describes the element, which is then a number.
  layout_nodes_of element = nullptr;
  layout_nodes_of prefix = nullptr;
  // Names of the members that hold the count and the stride. Empty if functions return them.
  std::string_view count = {}, stride = {};
  list_ends ends = list_ends::counted;
  // For list_ends::until: the condition that the last element meets.
  const layout_part* last = nullptr;
};

enum class values_are : std::uint8_t { constant, one_of, range, valid, computed };
struct layout_values {
  values_are are = values_are::valid;
  // The constant, the allowed values, or the least and the greatest value.
  std::span<const text> numbers = {};
  // Characters of a constant that is text.
  std::string_view chars = {};
};

// Kind of a part. A part is a group of rows that are present or absent together, or share a limit.
enum class part_of : std::uint8_t {
  when,     // present if `member` is not 0
  since,    // present if `member` is at least `value`
  if_left,  // present if bytes are left
  limited,  // takes the number of bytes that `member` states
  choice,   // the first of its `on` and `otherwise` parts that matches is present
  // Matches if the member is `value`, is in [`value`, `last`], or consists of `chars`.
  on,
  otherwise
};
struct layout_part {
  part_of what = part_of::when;
  // Empty if a function of the record decides.
  std::string_view member = {};
  text value = {};  // empty if the value cannot be written in digits
  std::string_view chars = {};
  text last = {};  // empty if only `value` matches
};

// Node of a description in the form that emitters (emit/) read: a row, or the beginning or the end
// of a part. (At the beginning of a part, `row` holds the prefix of the names.)
struct layout_node {
  enum kind : std::uint8_t { row_of, begins, ends };
  kind is = row_of;
  const layout_part* part = nullptr;
  layout_row row = {};
};

namespace detail {
// Returns an integer or an enumerator in digits, or an empty text for anything else.
template <class T> constexpr text number_text(const T& v) noexcept {
  text t{};
  if constexpr (std::is_enum_v<T>) {
    return number_text(static_cast<std::underlying_type_t<T>>(v));
  } else if constexpr (std::is_integral_v<T>) {
    const bool negative = v < T{};
    if (negative) t += "-";
    const auto n = static_cast<std::uint64_t>(v);
    t += static_cast<std::size_t>(negative ? 0 - n : n);
  }
  return t;
}
template <auto Number> inline constexpr text digits_of_number = number_text(Number);
// Name of the member `Ask`, or the number `Ask` in digits. Empty if `Ask` is a function of the
// record.
template <auto Ask> inline constexpr std::string_view member_asked = [] {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return name_of<Ask>;
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return digits_of_number<Ask>.view();
  else
    return std::string_view();
}();
// Name or number as shown in a table, or "computed" for a function.
template <auto Ask>
inline constexpr std::string_view count_asked = member_asked<Ask>.empty()
                                                    ? std::string_view("computed")
                                                    : member_asked<Ask>;
// Condition in the form that emitters (emit/) read.
template <auto Pred> inline constexpr layout_part part_when = [] {
  layout_part p{part_of::when, member_asked<Pred>, {}, {}};
  if constexpr (requires { Pred.least; }) {
    p.value = number_text(Pred.least);
    p.what = part_of::since;
    if (p.value.length != 0) p.member = Pred.member;
  }
  return p;
}();

// Collector of rows. Stores rows in `rows` unless it is null, passes each row to `look`, and counts
// rows. Passes parts to `see`. (Functions that do nothing replace null: with -fsanitize=undefined,
// g++ does not treat the comparison of a function with nullptr as a constant.)
struct row_list {
  static constexpr void look_at_none(row_list&, const layout_row&) noexcept {}
  static constexpr void see_none(row_list&, const layout_part*, const layout_row&) noexcept {}

  layout_row* rows = nullptr;
  void (*look)(row_list&, const layout_row&) = look_at_none;
  std::size_t n = 0;
  void (*see)(row_list&, const layout_part*, const layout_row&) = see_none;
  constexpr void add(const layout_row& r) noexcept {
    if (rows != nullptr) rows[n] = r;
    look(*this, r);
    ++n;
  }
  constexpr void begin(const layout_part& p, const layout_row& r) noexcept { see(*this, &p, r); }
  constexpr void end() noexcept { see(*this, nullptr, {}); }
};

constexpr void add_padding(row_list& list, layout_row r, std::size_t offset, std::size_t size) {
  r.name += padding_name;
  r.offset = offset;
  r.size = size;
  list.add(r);
}

template <class W>
concept nested_record = requires(row_list& list, layout_row r) {
  W::describe(list, r);
};
template <class W>
concept says_how = requires {
  W::how;
};

template <class W> constexpr void describe_any(row_list& list, layout_row r);

// List of the parts and rows of a description. Counts its nodes, and stores them if `nodes` is not
// null.
struct node_list : row_list {
  layout_node* nodes = nullptr;
  std::size_t seen = 0;
  constexpr explicit node_list(layout_node* to) noexcept : nodes(to) {
    look = [](row_list& list, const layout_row& r) {
      static_cast<node_list&>(list).keep({layout_node::row_of, nullptr, r});
    };
    see = [](row_list& list, const layout_part* p, const layout_row& r) {
      static_cast<node_list&>(list).keep(
          {p != nullptr ? layout_node::begins : layout_node::ends, p, r});
    };
  }
  constexpr void keep(const layout_node& node) noexcept {
    if (nodes != nullptr) nodes[seen] = node;
    ++seen;
  }
};
template <class W> constexpr auto nodes_of() noexcept {
  constexpr std::size_t n = [] {
    node_list counting(nullptr);
    wire::detail::describe_any<W>(counting, {});
    return counting.seen;
  }();
  std::array<layout_node, n> nodes{};
  node_list list(nodes.data());
  wire::detail::describe_any<W>(list, {});
  return nodes;
}
}  // namespace detail

// Nodes of the description of a codec or another wire type, stored once per program.
template <class W> inline constexpr auto layout_nodes = detail::nodes_of<W>();

namespace detail {
template <class W> constexpr std::span<const layout_node> kept_nodes() noexcept {
  return layout_nodes<W>;
}
// How to read an array whose elements are not numbers.
template <class W> inline constexpr layout_how elements_of{.element = kept_nodes<W>};
// Returns true if `W` is an array of records. Non-class elements are skipped, which saves compile
// time because most elements are numbers.
template <class W> consteval bool is_array_of_records() {
  if constexpr (requires { typename W::element; })
    if constexpr (std::is_class_v<typename W::element::value_type>)
      return nested_record<typename W::element>;
  return false;
}

// Adds the row of an array of `W`. `r` contains the number of elements.
template <class W> constexpr void describe_element(row_list& list, layout_row r) {
  r.size = W::size;
  r.type = W::type_name();
  r.byte_order = W::byte_order;
  r.has_order = W::has_order;
  if constexpr (nested_record<W> || says_how<W>) r.how = &elements_of<W>;
  list.add(r);
}

// Adds the rows of one field of wire type `W`. `r` contains the field's name, offset and condition.
template <class W> constexpr void describe(row_list& list, layout_row r) {
  if constexpr (nested_record<W>) {
    // The allowed values apply to the whole record.
    r.values = nullptr;
    W::describe(list, r);
  } else {
    r.size = W::size;
    r.type = W::type_name();
    r.byte_order = W::byte_order;
    r.has_order = W::has_order;
    if constexpr (says_how<W>)
      r.how = &W::how;
    else if constexpr (is_array_of_records<W>())
      r.how = &elements_of<typename W::element>;
    list.add(r);
  }
}

// Adds the rows of a variable-length field: the rows of a nested record, or one row for the field's
// type.
template <class W> constexpr void describe_scanned(row_list& list, layout_row r) {
  r.scanned = true;
  if constexpr (nested_record<W>) {
    r.scanned = false;
    r.values = nullptr;
    W::describe(list, r);
  } else {
    r.size = 0;
    r.type = W::type_name();
    r.count = W::sizes();
    if constexpr (requires { W::byte_order; }) {
      r.byte_order = W::byte_order;
      r.has_order = W::has_order;
    }
    if constexpr (says_how<W>) r.how = &W::how;
    list.add(r);
  }
}

template <class W> constexpr void describe_any(row_list& list, layout_row r) {
  if constexpr (requires { requires W::scanned; })
    describe_scanned<W>(list, r);
  else
    describe<W>(list, r);
}
}  // namespace detail

}  // namespace tracecodec::wire

// ---- tracecodec/wire/meaning.hpp
// Meaning of a field's value to a human reader. Rows of text show the value accordingly.

namespace tracecodec::wire {

enum class meaning : std::uint8_t { number, address };

namespace detail {
template <class T>
inline constexpr meaning meaning_of_type = std::is_integral_v<T>&& std::is_unsigned_v<T> &&
                                                   sizeof(T) == 8
                                               ? meaning::address
                                               : meaning::number;
template <class T, std::size_t N> inline constexpr meaning meaning_of_type<std::array<T, N>> =
    meaning_of_type<T>;
}  // namespace detail

// Meaning of a field whose description does not state a meaning (address_field, number_field).
// Unsigned 64-bit integers, and arrays of them, are addresses, because they hold addresses or
// register contents. Bit slices, signed fields and narrower fields are numbers.
template <class Member> inline constexpr meaning usual_meaning = detail::meaning_of_type<Member>;

// Compile-time facts about a field, which record::walk_fields passes to its callback.
template <class Item> struct field_info {
  static constexpr std::string_view name = Item::label;
  static constexpr meaning says = Item::says;
  // True if the field holds member `M`.
  template <auto M> static constexpr bool is = [] {
    if constexpr (requires { Item::template is<M>; })
      return Item::template is<M>;
    else
      return Item::template has<M>;
  }();
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/result.hpp
// Result of decode and encode, in the style of std::from_chars: the bytes used, the error and
// the failing field.

namespace tracecodec::wire {

enum class errc : std::uint8_t {
  ok,
  truncated,       // decode: the input ends inside the field
  no_space,        // encode: the output ends inside the field
  does_not_fit,    // encode: the value needs more bits than the field has
  count_mismatch,  // encode: the array's length differs from the count that describes it
  out_of_bounds,   // the target of a file pointer is outside the pointer's region
  invalid_value,   // decode or encode: the description does not allow the value
  malformed,       // decode: the bytes are not a value of the field's kind
  not_as_computed  // decode: a count, size or checksum differs from the computed value
};

// Returns a short description of the error, for messages.
constexpr std::string_view message(errc e) noexcept {
  switch (e) {
    case errc::ok:
      return "no error";
    case errc::truncated:
      return "the input ends inside the field";
    case errc::no_space:
      return "the output ends inside the field";
    case errc::does_not_fit:
      return "the value does not fit the field";
    case errc::count_mismatch:
      return "the array's length differs from its count";
    case errc::out_of_bounds:
      return "the pointer points outside its bytes";
    case errc::invalid_value:
      return "invalid value for the field";
    case errc::malformed:
      return "invalid encoding for the field";
    case errc::not_as_computed:
      return "the value differs from the computed one";
  }
  return "unknown error";
}

struct result {
  // Number of bytes read or written. After an error, the offset of the failing field.
  std::size_t used = 0;
  errc error = errc::ok;
  // Name of the failing field after an error. It has static storage.
  std::string_view field = {};

  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/bytes.hpp
// Foundation of the wire layer: the byte, the inline attribute, and a copy that also runs at
// compile time.
// Only the byte-swap macros: conversion.hpp would add a tenth to the compile time of a record.

// Forces inlining. Without it, g++ -O2 does not inline the decoding of a dozen fields and rereads
// the record from memory, which takes half again as many instructions.
#define TRACECODEC_INLINE [[gnu::always_inline]] inline

namespace tracecodec::wire {

using byte = std::byte;

namespace detail {
// True if the instruction set has instructions that shuffle 16 or 32 bytes at a time. Loops over
// many records take it as a template parameter, so that translation units compiled for different
// instruction sets do not share the loops.
#if defined(__AVX2__)
inline constexpr bool has_shuffles = true;
#else
inline constexpr bool has_shuffles = false;
#endif
}  // namespace detail

// Copies `n` bytes. The ranges must not overlap.
TRACECODEC_INLINE constexpr void copy(const byte* from, byte* to, std::size_t n) noexcept {
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  } else if (n != 0) {
    // No object is that large. Without this hint, g++ warns about lengths that it cannot exclude.
    if (n > SIZE_MAX / 2) __builtin_unreachable();
    std::memcpy(to, from, n);
  }
}

TRACECODEC_INLINE constexpr void zero(byte* to, std::size_t n) noexcept {
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i < n; ++i) to[i] = byte{0};
  } else if (n != 0) {
    std::memset(to, 0, n);
  }
}

// Returns the bytes of an unsigned integer in reverse order.
template <class U> TRACECODEC_INLINE constexpr U reversed(U v) noexcept {
  static_assert(std::is_unsigned_v<U> && sizeof(U) <= 8);
  if constexpr (sizeof(U) == 8)
    return BOOST_ENDIAN_INTRINSIC_BYTE_SWAP_8(v);
  else if constexpr (sizeof(U) == 4)
    return BOOST_ENDIAN_INTRINSIC_BYTE_SWAP_4(v);
  else if constexpr (sizeof(U) == 2)
    return BOOST_ENDIAN_INTRINSIC_BYTE_SWAP_2(v);
  else
    return v;
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/engine/scan.hpp
// Variable-length items, whose length is stored in their own bytes. Such items are scanned. The
// extent of all other items is known before their bytes are read.

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

// ---- tracecodec/wire/types/scalar.hpp
// Integers, enumerations, bool and floating point of a given byte order.

namespace tracecodec::wire {

namespace detail {
template <std::size_t Size> struct unsigned_of;
template <> struct unsigned_of<1> { using type = std::uint8_t; };
template <> struct unsigned_of<2> { using type = std::uint16_t; };
template <> struct unsigned_of<4> { using type = std::uint32_t; };
template <> struct unsigned_of<8> { using type = std::uint64_t; };

template <class T> struct integer_of { using type = T; };
template <class T>
requires std::is_enum_v<T>
struct integer_of<T> : std::underlying_type<T> {
};
}  // namespace detail

// Underlying integer type of an enumeration. Any other type is unchanged.
template <class T> using integer_t = typename detail::integer_of<T>::type;

template <class T>
concept scalar_value = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Scalar `T` in sizeof(T) bytes of order `O`. A bool is one byte: 0 is false, and any other value
// is true.
template <scalar_value T, order O> struct scalar {
  using value_type = T;
  static constexpr std::size_t size = sizeof(T);
  static constexpr std::size_t alignment = size;
  static constexpr order byte_order = O;
  static constexpr bool has_order = size > 1;
  // True if every value has the same bytes on the wire and in memory.
  static constexpr bool object_bytes =
      !std::is_same_v<integer_t<T>, bool> && (size == 1 || O == order::native);

  // Reads `size` bytes at `p`, which need not be aligned.
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept {
    bits v{};
    if (std::is_constant_evaluated()) {
      std::array<byte, size> raw{};
      copy(p, raw.data(), size);
      v = std::bit_cast<bits>(raw);
    } else {
      std::memcpy(&v, p, size);
    }
    if constexpr (O != order::native) v = reversed(v);
    if constexpr (std::is_same_v<integer_t<T>, bool>)
      return static_cast<T>(v != 0);
    else if constexpr (std::is_floating_point_v<T>)
      return std::bit_cast<T>(v);
    else
      return static_cast<T>(v);
  }

  // Writes `size` bytes at `p`.
  TRACECODEC_INLINE static constexpr void store(T t, byte* p) noexcept {
    bits v{};
    if constexpr (std::is_floating_point_v<T>)
      v = std::bit_cast<bits>(t);
    else
      v = static_cast<bits>(t);
    if constexpr (O != order::native) v = reversed(v);
    // An array is used only at compile time. With an array at run time, g++ generated 51
    // instructions instead of 38 for a big-endian ChampSim record, depending on the preceding code
    // in the file.
    if (std::is_constant_evaluated()) {
      const auto raw = std::bit_cast<std::array<byte, size>>(v);
      copy(raw.data(), p, size);
    } else {
      std::memcpy(p, &v, size);
    }
  }

  // Returns true if `T` can hold the value `v`, which may have another integer type.
  template <class V> static constexpr bool fits(const V& v) noexcept {
    if constexpr (std::is_same_v<V, T> || std::is_floating_point_v<T>) {
      return true;
    } else {
      using from = integer_t<V>;
      using to = integer_t<T>;
      return static_cast<from>(static_cast<to>(static_cast<from>(v))) == static_cast<from>(v) &&
             (static_cast<from>(v) < from{}) == (static_cast<to>(static_cast<from>(v)) < to{});
    }
  }

  // Returns text such as "u64", "i16" or "f32". An enumeration has the name of its underlying
  // integer.
  static constexpr text type_name() noexcept {
    using integer = integer_t<T>;
    text t = std::is_floating_point_v<T> ? std::string_view("f")
             : std::is_signed_v<integer> ? std::string_view("i")
                                         : std::string_view("u");
    return t += 8 * size;
  }

 private:
  using bits = typename detail::unsigned_of<size>::type;
};

using u8 = scalar<std::uint8_t, order::little>;
using u16le = scalar<std::uint16_t, order::little>;
using u32le = scalar<std::uint32_t, order::little>;
using u64le = scalar<std::uint64_t, order::little>;
using i64le = scalar<std::int64_t, order::little>;
using u16be = scalar<std::uint16_t, order::big>;
using u32be = scalar<std::uint32_t, order::big>;
using u64be = scalar<std::uint64_t, order::big>;

// Returns the little-endian number in the `n` bytes at `p`. If `n` is greater than 8, only the
// first 8 bytes are used.
TRACECODEC_INLINE constexpr std::uint64_t load_little(const byte* p, std::size_t n) noexcept {
  if (n >= 8) return u64le::load(p);
  std::uint64_t v = 0;
  while (n-- != 0) v = v << 8U | std::to_integer<std::uint64_t>(p[n]);
  return v;
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/array.hpp
// Arrays of fixed length.

namespace tracecodec::wire {

template <class T> inline constexpr bool is_std_array = false;
template <class T, std::size_t N> inline constexpr bool is_std_array<std::array<T, N>> = true;

// Array of `N` adjacent values of wire type `W`.
template <class W, std::size_t N> struct array_of {
  using element = W;
  using value_type = std::array<typename W::value_type, N>;
  static constexpr std::size_t size = W::size * N;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr bool object_bytes =
      W::object_bytes && sizeof(value_type) == size && std::is_trivially_copyable_v<value_type>;

  TRACECODEC_INLINE static constexpr value_type load(const byte* p) noexcept {
    value_type a{};
    // Loading element by element keeps the result in registers, whereas g++ copies an object
    // through the stack.
    if constexpr (N <= 8)
      load_each(a, p, std::make_index_sequence<N>{});
    else
      load_into(a, p);
    return a;
  }
  TRACECODEC_INLINE static constexpr void load_into(value_type& a, const byte* p) noexcept {
    if constexpr (object_bytes) {
      // One move for the whole array: a ChampSim record takes 27 instructions instead of 41.
      if (!std::is_constant_evaluated()) {
        std::memcpy(a.data(), p, size);
        return;
      }
    }
    // Reads up to 8 elements one by one. Inside a loop over records, g++ -O2 does not unroll a loop
    // of even 4 iterations.
    if constexpr (N <= 8)
      load_each(a, p, std::make_index_sequence<N>{});
    else
      for (std::size_t i = 0; i < N; ++i) a[i] = W::load(p + i * W::size);
  }

  TRACECODEC_INLINE static constexpr void store(const value_type& a, byte* p) noexcept {
    if constexpr (object_bytes) {
      if (!std::is_constant_evaluated()) {
        std::memcpy(p, a.data(), size);
        return;
      }
    }
    for (std::size_t i = 0; i < N; ++i) W::store(a[i], p + i * W::size);
  }

  // Returns true if all elements fit. A scalar of the element's own type always fits, so only
  // nested records are checked.
  static constexpr bool fits(const value_type& a) noexcept {
    if constexpr (!scalar_value<typename W::value_type>)
      for (const auto& v : a)
        if (!W::fits(v)) return false;
    return true;
  }
  // Returns the error for nested records of the array that cannot be written, otherwise ok.
  static constexpr errc check(const value_type& a) noexcept requires requires { W::check(a[0]); }
  {
    for (const auto& v : a)
      if (const errc e = W::check(v); e != errc::ok) return e;
    return errc::ok;
  }

  static constexpr bool refuses = detail::may_refuse<W>;
  static constexpr errc accepts(const byte* p) noexcept requires refuses {
    for (std::size_t i = 0; i < N; ++i, p += W::size)
      if (const errc e = W::accepts(p); e != errc::ok) return e;
    return errc::ok;
  }

  static constexpr text type_name() noexcept {
    text t = W::type_name();
    t += "[";
    t += N;
    return t += "]";
  }

 private:
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr void load_each([[maybe_unused]] value_type& a,
                                                    [[maybe_unused]] const byte* p,
                                                    std::index_sequence<I...>) noexcept {
    ((a[I] = W::load(p + I * W::size)), ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/view.hpp
// Arrays in bytes that the view does not own. The bytes are not copied and need not be aligned, and
// elements are decoded on access.

namespace tracecodec::wire {

namespace detail {
// Value type of a wire type. (describe.hpp specialises it for records, so that their descriptions
// need not be compiled.)
template <class W> struct value_of { using type = typename W::value_type; };
template <class W> using value_of_t = typename value_of<W>::type;
}  // namespace detail

// Random-access range of `size()` elements of wire type `W`. The view does not own its bytes.
template <class W> class array_view {
 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;

  constexpr array_view() = default;
  // Views `n` elements from `p` on, which are n * W::size bytes.
  constexpr array_view(const byte* p, std::size_t n) noexcept : p_(p), n_(n) {}
  // Views all complete elements in `bytes`.
  constexpr explicit array_view(std::span<const byte> bytes) noexcept
      : p_(bytes.data()), n_(bytes.size() / W::size) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
    return {p_, n_ * W::size};
  }
  // Returns element `i`, which must be below size().
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return W::load(p_ + i * W::size);
  }
  // Returns a view of the elements [from, from + n), which must exist.
  [[nodiscard]] constexpr array_view subview(std::size_t from, std::size_t n) const noexcept {
    return {p_ + from * W::size, n};
  }

  class iterator {
   public:
    using value_type = detail::value_of_t<W>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;

    constexpr iterator() = default;
    constexpr explicit iterator(const byte* p) noexcept : p_(p) {}
    constexpr value_type operator*() const noexcept { return W::load(p_); }
    constexpr value_type operator[](difference_type n) const noexcept { return *(*this + n); }
    constexpr iterator& operator+=(difference_type n) noexcept {
      p_ += n * step;
      return *this;
    }
    constexpr iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    constexpr iterator& operator++() noexcept { return *this += 1; }
    constexpr iterator& operator--() noexcept { return *this -= 1; }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    constexpr iterator operator--(int) noexcept {
      const iterator old = *this;
      --*this;
      return old;
    }
    friend constexpr iterator operator+(iterator i, difference_type n) noexcept { return i += n; }
    friend constexpr iterator operator+(difference_type n, iterator i) noexcept { return i += n; }
    friend constexpr iterator operator-(iterator i, difference_type n) noexcept { return i -= n; }
    friend constexpr difference_type operator-(iterator a, iterator b) noexcept {
      return (a.p_ - b.p_) / step;
    }
    friend constexpr auto operator<=>(iterator, iterator) = default;

   private:
    static constexpr difference_type step = static_cast<difference_type>(W::size);
    const byte* p_ = nullptr;
  };
  constexpr iterator begin() const noexcept { return iterator(p_); }
  constexpr iterator end() const noexcept { return iterator(p_ + n_ * W::size); }

 private:
  const byte* p_ = nullptr;
  std::size_t n_ = 0;
};

// View of one fixed-size record, or of the fixed front of a record. It decodes members one by one
// and does not own its bytes. For example, v.get<&instruction::ip>() of a record_view<codec> `v`
// decodes only the ip.
template <class Codec> class record_view {
 public:
  constexpr explicit record_view(std::span<const byte, Codec::front_size> bytes) noexcept
      : p_(bytes.data()) {}

  template <auto M> [[nodiscard]] TRACECODEC_INLINE constexpr auto get() const noexcept {
    return Codec::template get<M>(bytes());
  }
  // Decodes member `M` directly into `to`.
  template <auto M, class T> TRACECODEC_INLINE constexpr void get_into(T& to) const noexcept {
    Codec::template get_into<M>(to, bytes());
  }
  // Decodes the whole record, which must have a fixed size.
  [[nodiscard]] constexpr typename Codec::value_type value() const noexcept {
    return Codec::load(p_);
  }
  [[nodiscard]] constexpr std::span<const byte, Codec::front_size> bytes() const noexcept {
    return std::span<const byte, Codec::front_size>(p_, Codec::front_size);
  }

 private:
  const byte* p_;
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/engine/infer.hpp
// Mapping of a member's type to its wire type, under a record's policy.

namespace tracecodec::wire {

// Wire type: provides its value type, its size in bytes, load(), store(), and its entry in a layout
// table. `object_bytes` is true if every value has the same bytes in memory and on the wire.
template <class W>
concept wire_type = requires(const byte* in, byte* out, const typename W::value_type& v) {
  { W::size } -> std::convertible_to<std::size_t>;
  { W::alignment } -> std::convertible_to<std::size_t>;
  { W::load(in) } -> std::same_as<typename W::value_type>;
  W::store(v, out);
  { W::fits(v) } -> std::same_as<bool>;
  { W::object_bytes } -> std::convertible_to<bool>;
  { W::byte_order } -> std::convertible_to<order>;
  { W::has_order } -> std::convertible_to<bool>;
  { W::type_name() } -> std::same_as<text>;
};

template <class S, order O, placement P, target T> struct record;

namespace detail {
// Placeholder for a type without a wire type. bound_field (items.hpp) reports the error.
template <class M> struct no_wire_type;

// Mapping of a wire type to itself.
template <class M, class Policy> struct infer {
  using type = std::conditional_t<wire_type<M> || scanned_type<M>, M, no_wire_type<M>>;
};

template <scalar_value M, class Policy> struct infer<M, Policy> {
  using type = scalar<M, Policy::byte_order>;
};
template <class Policy> struct infer<word, Policy> {
  using type = scalar<word_t<Policy::arch>, Policy::byte_order>;
};
template <class Element, std::size_t N> struct array_type { using type = array_of<Element, N>; };
template <class M, std::size_t N> struct array_type<no_wire_type<M>, N> {
  using type = no_wire_type<std::array<M, N>>;
};
template <class M, std::size_t N, class Policy> struct infer<std::array<M, N>, Policy>
    : array_type<typename infer<M, Policy>::type, N> {};
// A member's type may define its own wire type, for example file_pointer.
template <class M, class Policy>
requires(!wire_type<M> &&
         requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = typename M::template wire_type<Policy>;
};
// Any other plain struct is a nested record under the same policy.
template <class M, class Policy>
requires(!wire_type<M> && !scanned_type<M> && std::is_class_v<M> && std::is_aggregate_v<M> &&
         !requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = record<M, Policy::byte_order, Policy::place, Policy::arch>;
};
}  // namespace detail

// Wire type of `M`. The policy determines the wire type of a plain type. If `M` is a wire type, the
// result is `M`.
template <class M, class Policy> using infer_t = typename detail::infer<M, Policy>::type;

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/engine/dependencies.hpp
// Dependencies of counts and conditions on members that must be read before them. A dependency on a
// member is checked by the member's name. The members that a function reads are unknown, so decode
// calls the function once, before the section is read.

namespace tracecodec::wire::detail {

// Evaluates `Ask`, which is &S::member, &S::function, a callable that takes the record, or a
// number.
template <auto Ask, class S> TRACECODEC_INLINE constexpr auto ask(const S& s) noexcept {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return s.*Ask;
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return Ask;
  else if constexpr (std::is_member_function_pointer_v<decltype(Ask)>)
    return (s.*Ask)();
  else {
    // The copy avoids an error: for a parameter object of a local type, clang 19 emits a symbol
    // that does not link.
    constexpr auto asked = Ask;
    return asked(s);
  }
}

// Returns the number of times that `Item` sets the member in decode, which is 0 if the member has
// no bytes.
template <class Item> consteval int loads(std::string_view member) {
  if constexpr (requires { Item::loads(member); })
    return Item::loads(member);
  else
    return Item::mentions(member);
}

// Returns true if `Item` declares the member as one that the caller sets before decode.
template <class Item> consteval bool gives(std::string_view member) {
  if constexpr (requires { Item::gives(member); })
    return Item::gives(member);
  else
    return false;
}

// Place in a record of type S: after the sections `Earlier` and before the sections `Later`.
template <class... Sections> struct section_list {};
template <class S, class Policy, class Earlier, class Later> struct place;
template <class S, class Policy, class... Earlier, class... Later>
struct place<S, Policy, section_list<Earlier...>, section_list<Later...>> {
  using record = S;
  // Returns true if the member is read before this place or is set by the caller.
  static consteval bool earlier(std::string_view member) {
    return (Earlier::mentions(member) + ... + 0) != 0 || (gives<Later>(member) || ...);
  }
};

// Returns false if `Ask` is a member that is not read before `Place`.
template <auto Ask, class Place> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Place::earlier(name_of<Ask>);
  else if constexpr (requires { decltype(Ask)::template depends_on_earlier<Place>(); })
    return decltype(Ask)::template depends_on_earlier<Place>();
  else
    return true;
}

// Returns true if `Ask` may depend on members that section `Open` reads. Every function is assumed
// to depend on them. item_depends_on() checks the counts and conditions of `Item`.
template <auto Ask, class Open> consteval bool depends_on() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Open::loads(name_of<Ask>) != 0;
  else
    return !std::is_integral_v<decltype(Ask)>;
}
template <class Item, class Open> consteval bool item_depends_on() {
  if constexpr (requires { Item::template depends_on<Open>(); })
    return Item::template depends_on<Open>();
  else
    return false;
}

// Returns false if a count or a condition of `Item` is a member that is not read before `Place`.
template <class Item, class Place> consteval bool depends_on_earlier() {
  if constexpr (requires { Item::template depends_on_earlier<Place>(); })
    return Item::template depends_on_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/items/items.hpp
// Basic items of a description: field, padding, counted and not_on_wire. (bits.hpp adds bit slices,
// and when.hpp adds conditions.) Each item is bound to a record's policy, and can then load, store
// and describe itself.

namespace tracecodec::wire {

namespace detail {
// Returns `count` as a number of elements of `Size` bytes, clamped to a number that no input can
// hold. A negative or excessive count therefore causes an error (truncated) instead of an
// out-of-bounds read.
template <std::size_t Size, class N>
TRACECODEC_INLINE constexpr extent_type elements(N count) noexcept {
  static_assert(std::is_integral_v<integer_t<N>> && sizeof(N) <= 8,
                "a count is an integer of up to 64 bits, or an enumeration");
  constexpr extent_type most = largest_extent / Size;
  const auto n = static_cast<integer_t<N>>(count);
  if constexpr (std::is_signed_v<integer_t<N>>)
    if (n < 0) return most;
  if constexpr (sizeof(N) <= 4 && (most >> 32) != 0)
    return static_cast<extent_type>(n);
  else
    return static_cast<extent_type>(n) > most ? most : static_cast<extent_type>(n);
}

// Returns ok if decode accepts each of `n` rows that are `stride` bytes apart, otherwise the first
// error.
template <class W>
constexpr errc accept_rows(const byte* p, std::uint64_t n, std::uint64_t stride) noexcept {
  if constexpr (may_refuse<W>)
    for (; n != 0; --n, p += stride)
      if (const errc e = W::accepts(p); e != errc::ok) return e;
  return errc::ok;
}

// Struct to which the items of a list belong. Padding belongs to no struct.
template <class... O> struct first_owner_of { using type = void; };
template <class O, class... Rest> struct first_owner_of<O, Rest...> { using type = O; };
template <class... Rest> struct first_owner_of<void, Rest...> : first_owner_of<Rest...> {};
template <class... O> using first_owner = typename first_owner_of<O...>::type;

// Placeholder for items and sections of fixed size, which have no counts or conditions.
struct nothing_asked {};
template <class Item> struct answer_to { using type = nothing_asked; };
template <class Item>
requires requires { typename Item::answer; }
struct answer_to<Item> {
  using type = typename Item::answer;
};

// Evaluated counts and conditions of a section's items. Each is evaluated once, before the section
// is read or written. The loaded or stored bytes are therefore the bytes that passed the bounds
// check, even if a later call to a function would return another value. (A struct rather than an
// array, so that compilers keep each value in a register.)
template <std::size_t I, class Answer> struct indexed_answer { Answer value; };
template <class Indices, class... Items> struct answers_of;
template <std::size_t... I, class... Items> struct answers_of<std::index_sequence<I...>, Items...>
    : indexed_answer<I, typename answer_to<Items>::type>... {};
template <std::size_t I, class Answer>
TRACECODEC_INLINE constexpr Answer& answer_at(indexed_answer<I, Answer>& a) noexcept {
  return a.value;
}
template <std::size_t I, class Answer>
TRACECODEC_INLINE constexpr const Answer& answer_at(const indexed_answer<I, Answer>& a) noexcept {
  return a.value;
}

// Compile errors about a member. g++ prints the names first, clang prints the messages first.
template <class Name, class T> struct this_member_has_a_type_without_bytes {
  static_assert(never<Name, T>,
                "a member of this type has no known bytes: members are integers, enumerations, "
                "floating point, bool, std::array of these, plain structs, and views "
                "(array_view<u8>) for varying lengths; name others in not_on_wire");
};
template <class Name> struct this_member_must_be_a_view_of_the_bytes {
  static_assert(never<Name>,
                "this item needs a member that is a view of the bytes, such as array_view<u8>: "
                "nothing is copied");
};
// Label of an item as a text, for quoted_t.
template <class Labelled> struct label_of {
  static constexpr text value = std::string_view(Labelled::label);
};
template <auto P> struct pointed { static constexpr std::string_view label = name_of<P>; };
// View type of member `P`. A member of any other type is a compile error.
template <auto P> struct view_of : std::type_identity<member_t<P>> {};
template <auto P>
requires(!requires { typename member_t<P>::codec; }) struct view_of<P>
    : this_member_must_be_a_view_of_the_bytes<quoted_t<label_of<pointed<P>>>> {
  using type = array_view<u8>;
};

// Bound field of fixed size. `Access` provides the label and a reference to the value.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct bound_field {
  using codec = W;
  static_assert(wire_type<W>, "a field needs a wire type of fixed size");
  static constexpr bool fixed = true;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool same_type = std::is_same_v<typename Access::type, typename W::value_type>;
  static constexpr bool object_bytes = W::object_bytes && same_type;
  static_assert(same_type || sizeof(typename Access::type) >= W::size,
                "the member is narrower than its field: decoding would lose bits");
  static_assert(same_type || !(std::is_floating_point_v<typename Access::type> ||
                               std::is_floating_point_v<typename W::value_type>),
                "a floating-point field needs a member of its own type");
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;

  template <auto M> static constexpr bool has = Access::template is<M>;
  template <auto> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    return static_cast<typename Access::type>(W::load(p));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    // Decodes arrays directly into the member, because g++ copies a returned array once more.
    if constexpr (same_type && requires { W::load_into(v, p); })
      W::load_into(v, p);
    else
      v = static_cast<member_t<M>>(W::load(p));
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    if constexpr (same_type && requires { W::load_into(Access::of(s), p); })
      W::load_into(Access::of(s), p);
    else
      Access::of(s) = static_cast<typename Access::type>(W::load(p));
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    if constexpr (same_type)
      W::store(Access::of(s), p);
    else
      W::store(static_cast<typename W::value_type>(Access::of(s)), p);
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    if constexpr (requires { W::check(Access::of(s)); })
      return W::check(Access::of(s));
    else
      return W::fits(Access::of(s)) ? errc::ok : errc::does_not_fit;
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_field>{}, Access::of(s), present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    wire::detail::describe<W>(list, r);
  }

  // True if decode may reject the field. accepts() checks the value that was read at `p`, and
  // refused() returns the part that failed.
  static constexpr bool refuses = may_refuse<W>;
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&, const byte* p) noexcept {
    if constexpr (refuses)
      return W::accepts(p);
    else
      return errc::ok;
  }
  template <class S>
  static constexpr failure refused(const S&, const byte* p, std::size_t at) noexcept {
    if constexpr (requires { W::refused(p); }) {
      const failure f = W::refused(p);
      return {at + f.used, f.field};
    } else {
      return {at, &label};
    }
  }
};
// Placeholder for a field whose type has no wire type. It lets compilation continue after the error
// message.
struct any_byte {
  using type = std::uint8_t;
  static constexpr std::string_view label = "a byte";
  template <auto> static constexpr bool is = false;
};
template <class Access, class T, meaning Says> struct bound_field<Access, no_wire_type<T>, Says>
    : this_member_has_a_type_without_bytes<quoted_t<label_of<Access>>, T>,
      bound_field<any_byte, u8, meaning::number> {};

// Bound field whose length is stored in its own bytes. `answer` holds the evaluated counts and
// conditions of a nested record.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct bound_scanned_field {
  using type = typename Access::type;
  static_assert(
      std::is_same_v<type, typename W::value_type>,
      "a field whose bytes determine its length needs a member of its wire type's own type");
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = Access::template is<M>;

  using answer = typename answer_to<W>::type;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const scan_result r = W::scan(Access::of(s), in.behind(at));
    if (r.error != errc::ok && r.field != nullptr) note_failure<W>(notes, in.behind(at), label);
    return {at + r.at, r.error, r.field == nullptr ? &label : r.field};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    if constexpr (requires { W::prepare(Access::of(s), a); })
      return W::prepare(Access::of(s), a);
    else
      return W::check(Access::of(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const answer& a, extent_type,
                                                         Notes&) noexcept {
    if constexpr (requires { W::written(Access::of(s), a); })
      return W::written(Access::of(s), a);
    else
      return W::written(Access::of(s));
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const answer& a,
                                                                    const byte*) noexcept {
    if constexpr (requires { W::store(Access::of(s), p, a); })
      return W::store(Access::of(s), p, a);
    else
      return W::store(Access::of(s), p);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_scanned_field>{}, Access::of(s), present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    wire::detail::describe_scanned<W>(list, r);
  }
};

// Bound field of wire type `W`, with a fixed size or a variable length.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct field_of {
  using type = bound_field<Access, W, Says>;
};
template <class Access, scanned_type W, meaning Says> struct field_of<Access, W, Says> {
  using type = bound_scanned_field<Access, W, Says>;
};

template <auto P> struct by_pointer {
  using type = member_t<P>;
  static constexpr std::string_view label = name_of<P>;
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class S> TRACECODEC_INLINE static constexpr auto& of(S& s) noexcept { return s.*P; }
};

template <class S, std::size_t I> struct by_index {
  using type = member_type<S, I>;
  static constexpr std::string_view label = member_name<S, I>;
  template <auto M> static constexpr bool is = std::is_same_v<owner_t<M>, S>&& name_of<M> == label;
  template <class T> TRACECODEC_INLINE static constexpr auto& of(T& s) noexcept {
    return member_at<I>(s);
  }
};
}  // namespace detail

// Field that stores member `P` as wire type `W`. By default, the member's type and the record's
// policy determine the wire type. `W` may be a wire type (u32be), or a plain type or `word`, which
// the policy completes. (`Given` are the parameters of a nested record: given.hpp.)
template <auto P, class W = member_t<P>, class... Given> struct field {
  using owner = owner_t<P>;
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>>::type;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
};

// Field that rows of text (rows/) show as an address, whatever its type. Rows of text show a
// number_field as a number.
template <auto P, class W = member_t<P>> struct address_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::address>::type;
};
template <auto P, class W = member_t<P>> struct number_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::number>::type;
};

// Padding of `N` bytes: decode skips it, and encode writes zeros.
template <std::size_t N> struct padding {
  static_assert(N <= detail::largest_extent);
  using owner = void;
  static constexpr bool fixed = true;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr bool object_bytes = false;
  static constexpr std::string_view label = padding_name;
  template <auto M> static constexpr bool has = false;
  static consteval int mentions(std::string_view) { return 0; }
  template <class> using bind = padding;
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S&, const byte* p) noexcept {
    return p + N;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S&, byte* p) noexcept {
    zero(p, N);
    return p + N;
  }
  template <class S> static constexpr errc check(const S&) noexcept { return errc::ok; }
  template <class S, class F> static constexpr void walk(S&, bool, F&&) {}
  static constexpr void describe(detail::row_list& list, layout_row r) {
    detail::add_padding(list, r, r.offset, N);
  }
};

// Array of `Count` elements in member `P`, an array_view. `Count` is &S::count, a callable that
// takes the record, or a number. It is evaluated once, before the array's section is read, so it
// may depend only on earlier sections. The compiler checks this if `Count` is a member. encode
// returns count_mismatch if the array's length differs from `Count`.
template <auto P, auto Count> struct counted {
  using owner = owner_t<P>;
  using view = typename detail::view_of<P>::type;
  using element = typename view::codec;
  static constexpr bool fixed = false;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<typename element::value_type>;
  static_assert(element::size != 0, "elements without bytes cannot be counted");
  template <class> using bind = counted;
  template <auto M> static constexpr bool has = false;
  // True for member `P`. (`has` is false, because get<> cannot read an array of varying size.)
  template <auto M> static constexpr bool is = same_member<P, M>();
  static consteval int mentions(std::string_view member) { return member == label; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Count, Place>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>();
  }

  // Number of elements.
  using answer = detail::extent_type;
  template <class S> TRACECODEC_INLINE static constexpr answer ask(const S& s) noexcept {
    return detail::elements<element::size>(detail::ask<Count>(s));
  }
  TRACECODEC_INLINE static constexpr detail::extent_type extent(answer a) noexcept {
    return a * element::size;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr detail::extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p, answer a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    s.*P = view(p, n);
    return p + n * element::size;
  }
  // Copies the array's bytes. check() has already verified that the array has `a` elements.
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, answer a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    copy((s.*P).bytes().data(), p, n * element::size);
    return p + n * element::size;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s, answer a) noexcept {
    return a == (s.*P).size() ? errc::ok : errc::count_mismatch;
  }
  static constexpr bool refuses = detail::may_refuse<element>;
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, answer a) noexcept requires refuses {
    return detail::accept_rows<element>(p, a, element::size);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<counted>{}, s.*P, present);
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = detail::count_asked<Count>;
    detail::describe_element<element>(list, r);
  }
};

// Member without bytes, which decode and encode leave unchanged.
template <auto P> struct not_on_wire : padding<0> {
  using owner = owner_t<P>;
  template <class> using bind = not_on_wire;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  static consteval int loads(std::string_view) { return 0; }
  static constexpr void describe(detail::row_list&, layout_row) {}
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/given.hpp
// Parameters of a record: members that are not stored but set by the caller or by the
// enclosing record.

namespace tracecodec::wire {

// Parameter of a record or of a nested record.
//
// given<&S::m>, in the description of S, declares a member without bytes that is set before decode
// and encode. Counts and conditions may depend on `m`, wherever the description lists it.
//
// given<&S::m, From> is used where a record of type S is part of another record (field, list) or of
// a file (file::records). `From` (&T::member, &T::function or a callable) is evaluated on the
// enclosing record or on the header. The result is stored in `m`.
template <auto P, auto... From> struct given {
  static_assert(sizeof...(From) == 1, "a member receives one value");
  static constexpr auto member = P;
  template <class Place> static consteval bool depends_on_earlier() {
    return (detail::is_earlier<From, Place>() && ...);
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr member_t<P> value(const Outer& from) noexcept {
    return static_cast<member_t<P>>((detail::ask<From>(from), ...));
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr void set(owner_t<P>& s, const Outer& from) noexcept {
    s.*P = value(from);
  }
};
template <auto P> struct given<P> : not_on_wire<P> {
  template <class Policy> using bind = given;
  static consteval bool gives(std::string_view member) { return member == name_of<P>; }
};

namespace detail {
// Values of the parameters `M`, which are members of one record.
template <auto... M> struct given_values {
  constexpr given_values() = default;
  template <class S> constexpr void to(S&) const noexcept {}
  friend constexpr bool operator==(const given_values&, const given_values&) noexcept {
    return true;
  }
};
template <auto M, auto... Rest> struct given_values<M, Rest...> {
  member_t<M> value{};
  given_values<Rest...> rest;

  constexpr given_values() = default;
  constexpr explicit given_values(const member_t<M>& v, const member_t<Rest>&... others) noexcept
      : value(v), rest(others...) {}
  template <class S> constexpr void to(S& s) const noexcept {
    s.*M = value;
    rest.to(s);
  }
  friend constexpr bool operator==(const given_values& a, const given_values& b) noexcept {
    return a.value == b.value && a.rest == b.rest;
  }
};

// Nested record with parameters, of wire type `W`, which has a varying size.
template <auto P, class W, class... Given> struct bound_given_field {
  using value = member_t<P>;
  static_assert(scanned_type<W> && std::is_same_v<value, typename W::value_type>,
                "only a record of varying size can receive parameters");
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<value>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  using answer = typename W::answer;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes&) noexcept {
    (Given::set(s.*P, s), ...);
    const scan_result r = W::scan(s.*P, in.behind(at));
    return {at + r.at, r.error, r.field == nullptr ? &label : r.field};
  }
  template <class S> static constexpr errc prepare(const S& s, answer& a) noexcept {
    return W::prepare(told(s), a);
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const answer& a, extent_type, Notes&) noexcept {
    return W::written(told(s), a);
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte*) noexcept {
    return W::store(told(s), p, a);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_given_field>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    describe_scanned<W>(list, r);
  }

 private:
  template <class S> static constexpr value told(const S& s) noexcept {
    value inner = s.*P;
    (Given::set(inner, s), ...);
    return inner;
  }
};
}  // namespace detail

// Nested record `P` of varying size, with parameters that the enclosing record sets. (A record of
// fixed size needs no parameters, because nothing in such a record depends on one.) Both decode
// and encode set the parameters, whatever values the member holds.
template <auto P, class W, class... Given>
requires(sizeof...(Given) != 0) struct field<P, W, Given...> {
  using owner = owner_t<P>;
  template <class Policy> using bind = detail::bound_given_field<P, infer_t<W, Policy>, Given...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return (Given::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/integers.hpp
// Numbers in representations that processors do not support: integers of 24 to 56 bits and of 128
// bits, integers in both byte orders, numbers as text, and short floating point.

namespace tracecodec::wire {

// Integer `T` in `N` bytes of order `O`. Signed integers are in two's complement.
template <class T, std::size_t N, order O> struct integer_of {
  static_assert(std::is_integral_v<T> && N != 0 && N < sizeof(T),
                "an integer of fewer bytes than its member has");
  using value_type = T;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr order byte_order = O;
  static constexpr bool has_order = N > 1;
  static constexpr bool object_bytes = false;
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept {
    bits v = 0;
    for (std::size_t i = 0; i < N; ++i)
      v = static_cast<bits>(v | static_cast<bits>(std::to_integer<bits>(p[i]) << shift(i)));
    if constexpr (std::is_signed_v<T>) v = static_cast<bits>((v ^ sign) - sign);
    return static_cast<T>(v);
  }
  TRACECODEC_INLINE static constexpr void store(T t, byte* p) noexcept {
    const auto v = static_cast<bits>(t);
    for (std::size_t i = 0; i < N; ++i) p[i] = static_cast<byte>((v >> shift(i)) & 0xff);
  }
  static constexpr bool fits(T t) noexcept {
    constexpr auto most = static_cast<T>(std::is_signed_v<T> ? sign - 1 : sign * 2 - 1);
    if constexpr (std::is_signed_v<T>) return t >= -most - 1 && t <= most;
    return t <= most;
  }
  static constexpr text type_name() noexcept {
    text t = std::is_signed_v<T> ? std::string_view("i") : std::string_view("u");
    return t += 8 * N;
  }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr bits sign = bits{1} << (8 * N - 1);
  static constexpr unsigned shift(std::size_t i) noexcept {
    return static_cast<unsigned>(8 * (O == order::little ? i : N - 1 - i));
  }
};

// Unsigned integer of 128 bits, because not every host has such a type.
struct uint128 {
  std::uint64_t low = 0, high = 0;
  friend constexpr bool operator==(const uint128&, const uint128&) = default;
  template <class Policy> struct codec {
    using value_type = uint128;
    using half = scalar<std::uint64_t, Policy::byte_order>;
    static constexpr std::size_t size = 16;
    static constexpr std::size_t alignment = 16;
    static constexpr order byte_order = Policy::byte_order;
    static constexpr bool has_order = true;
    static constexpr bool object_bytes = Policy::byte_order == order::little && half::object_bytes;
    static constexpr std::size_t low_at = byte_order == order::little ? 0 : 8;
    TRACECODEC_INLINE static constexpr uint128 load(const byte* p) noexcept {
      return {half::load(p + low_at), half::load(p + (8 - low_at))};
    }
    TRACECODEC_INLINE static constexpr void store(const uint128& v, byte* p) noexcept {
      half::store(v.low, p + low_at);
      half::store(v.high, p + (8 - low_at));
    }
    static constexpr bool fits(const uint128&) noexcept { return true; }
    static constexpr text type_name() noexcept { return std::string_view("u128"); }
  };
  template <class Policy> using wire_type = codec<Policy>;
};

// Integer `T` stored twice: little-endian, then big-endian (ISO 9660, 7.2.3 and 7.3.3). decode
// returns malformed if the two values differ.
template <scalar_value T> struct both_orders_of {
  using value_type = T;
  using little = scalar<T, order::little>;
  using big = scalar<T, order::big>;
  static constexpr std::size_t size = 2 * little::size;
  static constexpr std::size_t alignment = little::alignment;
  static constexpr order byte_order = order::little;
  static constexpr bool has_order = false;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = true;
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept { return little::load(p); }
  TRACECODEC_INLINE static constexpr void store(T v, byte* p) noexcept {
    little::store(v, p);
    big::store(v, p + little::size);
  }
  static constexpr errc accepts(const byte* p) noexcept {
    return little::load(p) == big::load(p + little::size) ? errc::ok : errc::malformed;
  }
  static constexpr bool fits(T) noexcept { return true; }
  static constexpr layout_how how{.as = read_as::both_orders};
  static constexpr text type_name() noexcept {
    text t = little::type_name();
    return t += ", both orders";
  }
};

// Position of a number's digits in its characters:
// - zeros_nul: leading zeros, and a NUL as the last character.
// - zeros_nul_blank: leading zeros, and a NUL and a blank as the last two characters (tar).
// - zeros: leading zeros, and digits up to the last character.
// - left: digits, then blanks (ar).
// - right: blanks, then digits.
enum class digits_as : std::uint8_t { zeros_nul, zeros_nul_blank, zeros, left, right };

// Unsigned number as `N` characters in base `Base`, from 2 to 16. decode accepts blanks before the
// digits, and blanks and NULs after them. A field of blanks and NULs is 0. Anything else is
// malformed, including a number that does not fit `T`. encode writes the digits as `As` states, in
// lower case, or returns does_not_fit if there are too many digits.
template <class T, std::size_t N, unsigned Base, digits_as As> struct digits_of {
  static_assert(std::is_unsigned_v<T> && Base >= 2 && Base <= 16 && N != 0);
  using value_type = T;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr order byte_order = order::native;
  static constexpr bool has_order = false;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = true;
  static constexpr T load(const byte* p) noexcept { return parse(p).value; }
  static constexpr errc accepts(const byte* p) noexcept {
    return parse(p).good ? errc::ok : errc::malformed;
  }
  static constexpr void store(T v, byte* p) noexcept {
    const std::size_t n = length(v);
    const std::size_t end = As == digits_as::left ? n : N - behind;
    constexpr bool zeros = behind != 0 || As == digits_as::zeros;
    for (std::size_t i = 0; i < N; ++i) p[i] = static_cast<byte>(zeros ? '0' : ' ');
    if constexpr (behind != 0) p[N - behind] = byte{0};
    if constexpr (behind == 2) p[N - 1] = static_cast<byte>(' ');
    for (std::size_t i = 0; i < n && i < end; ++i, v = static_cast<T>(v / Base))
      p[end - 1 - i] = static_cast<byte>("0123456789abcdef"[v % Base]);
  }
  static constexpr bool fits(T v) noexcept { return length(v) <= N - behind; }
  static constexpr layout_how how{.as = read_as::digits, .number = Base};
  static constexpr text type_name() noexcept {
    text t = std::string_view("digits, base ");
    return t += Base;
  }

 private:
  // Number of characters after the digits.
  static constexpr std::size_t behind = As == digits_as::zeros_nul         ? 1
                                        : As == digits_as::zeros_nul_blank ? 2
                                                                           : 0;
  struct parsed {
    T value = 0;
    bool good = true;
  };
  static constexpr std::size_t length(T v) noexcept {
    std::size_t n = 1;
    for (; v >= Base; v = static_cast<T>(v / Base)) ++n;
    return n;
  }
  static constexpr unsigned digit(unsigned char c) noexcept {
    if (c >= '0' && c <= '9') return c - unsigned{'0'};
    if (c >= 'a' && c <= 'f') return c - unsigned{'a'} + 10;
    if (c >= 'A' && c <= 'F') return c - unsigned{'A'} + 10;
    return 16;
  }
  static constexpr parsed parse(const byte* p) noexcept {
    const auto at = [p](std::size_t i) { return std::to_integer<unsigned char>(p[i]); };
    parsed r{};
    std::size_t i = 0;
    while (i < N && at(i) == ' ') ++i;
    for (; i < N && digit(at(i)) < Base; ++i) {
      const unsigned d = digit(at(i));
      if (r.value > (std::numeric_limits<T>::max() - d) / Base) return {0, false};
      r.value = static_cast<T>(r.value * Base + d);
    }
    for (; i < N; ++i)
      if (at(i) != ' ' && at(i) != 0) return {0, false};
    return r;
  }
};

// Floating-point number of 16 bits. `Exponent` is 5 for IEEE 754 binary16 and 8 for bfloat16.
// encode returns does_not_fit for values that would not round-trip, except NaNs.
template <unsigned Exponent, order O> struct float16_of {
  static_assert(Exponent == 5 || Exponent == 8);
  using value_type = float;
  using half = scalar<std::uint16_t, O>;
  static constexpr std::size_t size = 2;
  static constexpr std::size_t alignment = 2;
  static constexpr order byte_order = O;
  static constexpr bool has_order = true;
  static constexpr bool object_bytes = false;
  static constexpr float load(const byte* p) noexcept { return widen(half::load(p)); }
  static constexpr void store(float v, byte* p) noexcept { half::store(narrow(v), p); }
  static constexpr bool fits(float v) noexcept { return v != v || widen(narrow(v)) == v; }
  static constexpr text type_name() noexcept {
    return Exponent == 5 ? std::string_view("f16") : std::string_view("bf16");
  }

 private:
  static constexpr unsigned fraction = 15 - Exponent;
  // Exponent of infinities and NaNs.
  static constexpr std::uint32_t largest = (1U << Exponent) - 1;
  static constexpr std::uint32_t bias = largest / 2;

  static constexpr float widen(std::uint16_t h) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000U) << 16;
    std::uint32_t e = (h >> fraction) & largest, f = h & ((1U << fraction) - 1);
    if (e == largest) return std::bit_cast<float>(sign | 0x7f800000U | f << (23 - fraction));
    if (e == 0) {
      if (f == 0) return std::bit_cast<float>(sign);
      if constexpr (Exponent == 8) return std::bit_cast<float>(sign | f << (23 - fraction));
      // `e` may wrap below 0. Adding the bias below undoes the wrap.
      for (e = 1; (f >> fraction) == 0; f <<= 1) --e;
      f &= (1U << fraction) - 1;
    }
    return std::bit_cast<float>(sign | (e + 127 - bias) << 23 | f << (23 - fraction));
  }
  // Returns the 16-bit form of `v`, without the low fraction bits that do not fit.
  static constexpr std::uint16_t narrow(float v) noexcept {
    const auto u = std::bit_cast<std::uint32_t>(v);
    const std::uint32_t sign = u >> 16 & 0x8000U, f = u & 0x7fffffU;
    const auto e =
        static_cast<std::int32_t>(u >> 23 & 0xff) - 127 + static_cast<std::int32_t>(bias);
    std::uint32_t h = 0;
    if ((u >> 23 & 0xff) == 0xff)
      h = largest << fraction | f >> (23 - fraction) | (f != 0 && f >> (23 - fraction) == 0);
    else if (e >= static_cast<std::int32_t>(largest))
      h = largest << fraction;
    else if (e > 0)
      h = static_cast<std::uint32_t>(e) << fraction | f >> (23 - fraction);
    else if (Exponent == 8)
      h = f >> (23 - fraction);
    else if (e > -static_cast<std::int32_t>(fraction))
      h = (f | 0x800000U) >> (23 - fraction + 1 - static_cast<std::uint32_t>(e));
    return static_cast<std::uint16_t>(sign | h);
  }
};

// Member `P` in `Bits` bits, in the record's byte order. `Bits` is a multiple of 8 and below the
// width of the member's type.
template <auto P, unsigned Bits> struct integer : field<P> {
  static_assert(Bits % 8 == 0);
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>,
                          integer_of<member_t<P>, Bits / 8, Policy::byte_order>>;
};
template <auto P> struct both_orders : field<P, both_orders_of<member_t<P>>> {};
template <auto P, std::size_t N, unsigned Base, digits_as As = digits_as::zeros_nul> struct digits
    : field<P, digits_of<member_t<P>, N, Base, As>> {};
template <auto P> struct float16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<5, Policy::byte_order>>;
};
template <auto P> struct bfloat16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<8, Policy::byte_order>>;
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/list.hpp
// Lists of variable-length records or values, as lazy views.

namespace tracecodec::wire {

namespace detail {
// Reads a value of wire type `W`, of fixed size or variable length, from the front of `in`.
template <class W>
TRACECODEC_INLINE constexpr scan_result scan_element(typename W::value_type& v,
                                                     std::span<const byte> in) noexcept {
  if constexpr (scanned_type<W>) {
    return W::scan(v, in);
  } else {
    if (in.size() < W::size) return {0, errc::truncated};
    if constexpr (may_refuse<W>)
      if (const errc e = W::accepts(in.data()); e != errc::ok) return {0, e};
    v = W::load(in.data());
    return {W::size};
  }
}
}  // namespace detail

// Input range of `size()` elements of wire type `W`, which may vary in size. An iterator decodes an
// element when it reaches the element. The view does not own its bytes. `Given` are the parameters
// of the elements (given.hpp), and the view stores the values of the parameters.
template <class W, auto... Given> class list_view {
  static_assert(sizeof...(Given) == 0 || scanned_type<W>,
                "only a record of varying size can receive parameters");

 public:
  using codec = W;
  using value_type = typename W::value_type;
  using given_type = detail::given_values<Given...>;

  constexpr list_view() = default;
  // Views the complete elements at the front of `bytes`, up to the first element that decode
  // rejects.
  constexpr explicit list_view(std::span<const byte> bytes,
                               const member_t<Given>&... given) noexcept
      : p_(bytes.data()), given_(given...) {
    for (; size_ != bytes.size(); ++n_) {
      value_type v{};
      given_.to(v);
      const scan_result r = detail::scan_element<W>(v, bytes.subspan(size_));
      if (!r || r.at == 0) break;
      size_ += r.at;
    }
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept { return {p_, size_}; }
  // Returns the values of the elements' parameters.
  [[nodiscard]] constexpr const given_type& given() const noexcept { return given_; }

  class iterator {
   public:
    using value_type = typename W::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = const value_type&;
    using pointer = const value_type*;
    using iterator_category = std::input_iterator_tag;
    // An input iterator, because it stores the element that it refers to.
    using iterator_concept = std::input_iterator_tag;

    constexpr iterator() = default;
    constexpr iterator(const byte* p, const byte* end, const given_type& given) noexcept
        : p_(p), next_(p), end_(end), given_(given) {
      load();
    }
    constexpr reference operator*() const& noexcept { return value_; }
    // Returns a copy, because the element is destroyed together with a temporary iterator.
    constexpr value_type operator*() const&& noexcept { return value_; }
    constexpr pointer operator->() const noexcept { return &value_; }
    // Returns the bytes of the current element.
    [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
      return {p_, static_cast<std::size_t>(next_ - p_)};
    }
    constexpr iterator& operator++() noexcept {
      p_ = next_;
      load();
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.p_ == b.p_;
    }
    friend constexpr bool operator==(const iterator& a, std::default_sentinel_t) noexcept {
      return a.p_ == a.end_;
    }

   private:
    // Decodes the element at `p_`. All elements were valid when the list was made. If their bytes
    // have changed since then, as in a mapped file, the list ends after the first element that is
    // no longer valid.
    constexpr void load() noexcept {
      if (p_ == end_) return;
      value_ = value_type{};
      given_.to(value_);
      const scan_result r =
          detail::scan_element<W>(value_, {p_, static_cast<std::size_t>(end_ - p_)});
      next_ = r && r.at != 0 ? p_ + r.at : end_;
    }
    const byte* p_ = nullptr;
    const byte* next_ = nullptr;
    const byte* end_ = nullptr;
    [[no_unique_address]] given_type given_{};
    value_type value_{};
  };
  constexpr iterator begin() const noexcept { return iterator(p_, p_ + size_, given_); }
  constexpr std::default_sentinel_t end() const noexcept { return {}; }

 private:
  const byte* p_ = nullptr;
  std::size_t size_ = 0, n_ = 0;
  [[no_unique_address]] given_type given_{};

 public:
  // Returns a view of `n` elements in `bytes`. A scan has already found them valid.
  static constexpr list_view of_scanned(std::span<const byte> bytes, std::size_t n,
                                        const given_type& given) noexcept {
    list_view v;
    v.given_ = given;
    v.p_ = bytes.data();
    v.size_ = bytes.size();
    v.n_ = n;
    return v;
  }
};

// Where a list ends:
// - times: after `Count` elements (&S::member, &S::function, a callable or a number).
// - to_end: at the end of the input or of the limited<> part.
// - until: after the first element for which `Pred` returns true.
template <auto Count> struct times {};
struct to_end {};
template <auto Pred> struct until {};

namespace detail {
// Implementation of to_end.
template <class End> struct list_end {
  static constexpr bool greedy = true;
  // True if `V` can be an element.
  template <class V> static constexpr bool can_ask = true;
  static constexpr std::string_view says = "to the end";
  static constexpr list_ends ends = list_ends::at_end;
  static constexpr std::string_view count{};
  static constexpr const layout_part* condition = nullptr;
  template <class Place> static consteval bool depends_on_earlier() { return true; }
  template <class S> static constexpr extent_type most(const S&) noexcept { return largest_extent; }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  // Returns true if a list may end here. The arguments are the result of last() for the latest
  // element, the number of elements, and the result of most().
  static constexpr bool complete(bool, extent_type, extent_type) noexcept { return true; }
};
template <auto Count> struct list_end<times<Count>> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool can_ask = true;
  static constexpr list_ends ends = list_ends::counted;
  static constexpr std::string_view count = member_asked<Count>;
  static constexpr const layout_part* condition = nullptr;
  static constexpr std::string_view says = count_asked<Count>;
  template <class Place> static consteval bool depends_on_earlier() {
    return is_earlier<Count, Place>();
  }
  template <class S> static constexpr extent_type most(const S& s) noexcept {
    return elements<1>(detail::ask<Count>(s));
  }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  static constexpr bool complete(bool, extent_type n, extent_type most) noexcept {
    return n == most;
  }
};
template <auto Pred> struct list_end<until<Pred>> : list_end<to_end> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool can_ask =
      std::is_invocable_r_v<bool, decltype(Pred), const V&>;
  static constexpr std::string_view says = "until one ends it";
  static constexpr list_ends ends = list_ends::until;
  static constexpr const layout_part* condition = &part_when<Pred>;
  template <class V> static constexpr bool last(const V& v) noexcept {
    constexpr auto pred = Pred;
    return static_cast<bool>(pred(v));
  }
  static constexpr bool complete(bool done, extent_type, extent_type) noexcept { return done; }
};

// Compile errors about a list. g++ prints the member's name first, clang prints the message first.
template <class Name> struct this_member_must_be_a_list_view {
  static_assert(never<Name>, "list<> needs a member that is a list_view<W>");
  static constexpr bool good = true;
};
template <class Name> struct this_list_has_elements_without_an_end {
  static_assert(never<Name>,
                "an element of a list must have its own end: put what extends to the end (rest<>, "
                "skip_rest, if_left<>, list<> with to_end) into a limited<> part");
  static constexpr bool good = true;
};
template <class Name> struct this_list_has_a_predicate_of_something_else {
  static_assert(never<Name>, "the predicate of until<> must accept an element of the list");
  static constexpr bool good = true;
};
template <auto P, class End, class View> consteval bool list_is_good() {
  if constexpr (!requires { typename View::given_type; })
    return this_member_must_be_a_list_view<quoted_t<label_of<pointed<P>>>>::good;
  else if constexpr (is_greedy<typename View::codec>)
    return this_list_has_elements_without_an_end<quoted_t<label_of<pointed<P>>>>::good;
  else if constexpr (!End::template can_ask<typename View::value_type>)
    return this_list_has_a_predicate_of_something_else<quoted_t<label_of<pointed<P>>>>::good;
  else
    return true;
}

template <auto P, class End, class... Given> struct bound_list {
  static_assert(list_is_good<P, End, typename view_of<P>::type>());
  using view = typename view_of<P>::type;
  using given_type = given_values<Given::member...>;
  static_assert(std::is_same_v<given_type, typename view::given_type>,
                "the list's elements must receive the members that its list_view names");
  using element = typename view::codec;
  using value = typename view::value_type;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool greedy = End::greedy;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  using answer = nothing_asked;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const extent_type most = End::most(s);
    const auto all = in.behind(at);
    std::size_t size = 0;
    extent_type n = 0;
    bool done = false;
    const given_type given = told(s);
    for (; n < most && !done && size != all.size(); ++n) {
      // A new value per element, so that absent members do not keep values of the previous element.
      value v{};
      given.to(v);
      const scan_result r = scan_element<element>(v, all.subspan(size));
      if (!r) {
        // The path of an element with parameters is not noted, because note_failure() would read
        // the element without its parameters.
        if constexpr (sizeof...(Given) == 0)
          note_failure<element>(notes, all.subspan(size), label, n);
        return {at + size + r.at, r.error, r.field == nullptr ? &label : r.field};
      }
      // An element without bytes would make the loop endless.
      if (r.at == 0) return {at + size, errc::malformed, &label};
      size += r.at;
      done = End::last(v);
    }
    if (!End::complete(done, n, most)) return {at + size, errc::truncated, &label};
    s.*P = view::of_scanned(all.first(size), static_cast<std::size_t>(n), given);
    return {at + size};
  }
  template <class S> static constexpr errc prepare(const S& s, answer&) noexcept {
    const view& all = s.*P;
    const extent_type most = End::most(s);
    if (all.size() > most) return errc::count_mismatch;
    if constexpr (sizeof...(Given) != 0)
      if (!all.empty() && !(all.given() == told(s))) return errc::invalid_value;
    bool done = false;
    for (const value& v : all) {
      if (done) return errc::count_mismatch;
      done = End::last(v);
    }
    return End::complete(done, all.size(), most) ? errc::ok : errc::count_mismatch;
  }
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
    f(field_info<bound_list>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.scanned = true;
    r.count = std::string_view("list ");
    r.count += End::says;
    r.type = element::type_name();
    r.how = &how;
    list.add(r);
  }

  static constexpr layout_how how{.as = read_as::list,
                                  .element = kept_nodes<element>,
                                  .count = End::count,
                                  .ends = End::ends,
                                  .last = End::condition};

 private:
  template <class S> TRACECODEC_INLINE static constexpr given_type told(const S& s) noexcept {
    if constexpr (sizeof...(Given) == 0)
      return {};
    else
      return given_type(Given::value(s)...);
  }
};
}  // namespace detail

// List of elements that may vary in length, in member `P`, a list_view. `End` is times<count>,
// to_end or until<pred>. decode scans the elements once, so that later iteration meets no errors.
// An element without bytes is malformed. encode copies the view's bytes. `Given`, such as
// given<&element::m, From>, sets a parameter of each element. encode returns invalid_value for a
// view whose elements had other parameters.
template <auto P, class End = to_end, class... Given> struct list {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_list<P, detail::list_end<End>, Given...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::list_end<End>::template depends_on_earlier<Place>() &&
           (Given::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/file_pointer.hpp
// Typed offsets stored in a file. The type of an offset states the target and the region that the
// offset is relative to.

namespace tracecodec::wire {

// Base of a pointer that is measured from the file's first byte.
struct whole_file;

// Bytes that pointers with base `Base` are relative to. The type prevents mistakes such as applying
// a pointer that is relative to a table's extra area to the whole file.
template <class Base = whole_file> struct region { std::span<const byte> bytes; };

// Bytes that a pointer refers to, or the error if it is out of bounds.
struct located {
  std::span<const byte> bytes = {};
  errc error = errc::ok;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

template <class P, class W> struct file_pointer_codec;

// Offset in bytes of a `To` from the start of a region<Base>, stored as integer `Rep`.
template <class To, class Base = whole_file, std::integral Rep = std::uint64_t>
struct file_pointer {
  Rep offset{};

  // Returns the `n` bytes at the offset. Returns out_of_bounds if the offset is negative, or if the
  // region has fewer than `n` bytes after the offset. Never forms a pointer outside the region.
  [[nodiscard]] constexpr located locate(region<Base> base, std::size_t n) const noexcept {
    const located rest = locate_rest(base);
    if (!rest) return rest;
    if (rest.bytes.size() < n) return {{}, errc::out_of_bounds};
    return {rest.bytes.first(n), errc::ok};
  }
  // Returns all bytes from the offset to the region's end, for data that contain their own length.
  [[nodiscard]] constexpr located locate_rest(region<Base> base) const noexcept {
    if (offset < Rep{} || static_cast<std::uint64_t>(offset) > base.bytes.size())
      return {{}, errc::out_of_bounds};
    return {base.bytes.subspan(static_cast<std::size_t>(offset)), errc::ok};
  }
  // Returns the bytes of a `To`, which must be a codec of fixed size. (A template, because clang 14
  // examines the constraints of a plain member function even if nothing calls it.)
  template <class T = To> [[nodiscard]] constexpr located locate(region<Base> base) const noexcept
      requires(T::size > 0) {
    return locate(base, T::size);
  }

  friend constexpr bool operator==(const file_pointer&, const file_pointer&) = default;

  template <class Policy> using wire_type =
      file_pointer_codec<file_pointer, scalar<Rep, Policy::byte_order>>;
};

// Wire type of a file_pointer `P`, which is stored as an integer of wire type `W`.
template <class P, class W> struct file_pointer_codec {
  using value_type = P;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr bool object_bytes = W::object_bytes;
  TRACECODEC_INLINE static constexpr P load(const byte* p) noexcept { return {W::load(p)}; }
  TRACECODEC_INLINE static constexpr void store(P v, byte* p) noexcept { W::store(v.offset, p); }
  static constexpr bool fits(const P&) noexcept { return true; }
  static constexpr text type_name() noexcept {
    text t = W::type_name();
    return t += " pointer";
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/index_iterator.hpp
// Iterator of views whose elements are decoded on access.

namespace tracecodec::wire {

// Random-access iterator over `View`, which has a value_type and returns elements by operator[].
// The iterator holds a copy of the view and may outlive the original. (array_view has its own
// iterator, which stores a pointer: with an index, clang needed up to a quarter more instructions
// for a loop.)
template <class View> class index_iterator {
 public:
  using value_type = typename View::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;

  constexpr index_iterator() = default;
  TRACECODEC_INLINE constexpr index_iterator(const View& view, std::size_t index) noexcept
      : view_(view), index_(static_cast<difference_type>(index)) {}
  TRACECODEC_INLINE constexpr value_type operator*() const noexcept {
    return view_[static_cast<std::size_t>(index_)];
  }
  constexpr value_type operator[](difference_type n) const noexcept { return *(*this + n); }
  constexpr index_iterator& operator+=(difference_type n) noexcept {
    index_ += n;
    return *this;
  }
  constexpr index_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  TRACECODEC_INLINE constexpr index_iterator& operator++() noexcept {
    ++index_;
    return *this;
  }
  constexpr index_iterator& operator--() noexcept {
    --index_;
    return *this;
  }
  constexpr index_iterator operator++(int) noexcept {
    const index_iterator old = *this;
    ++*this;
    return old;
  }
  constexpr index_iterator operator--(int) noexcept {
    const index_iterator old = *this;
    --*this;
    return old;
  }
  friend constexpr index_iterator operator+(index_iterator i, difference_type n) noexcept {
    return i += n;
  }
  friend constexpr index_iterator operator+(difference_type n, index_iterator i) noexcept {
    return i += n;
  }
  friend constexpr index_iterator operator-(index_iterator i, difference_type n) noexcept {
    return i -= n;
  }
  friend constexpr difference_type operator-(const index_iterator& a,
                                             const index_iterator& b) noexcept {
    return a.index_ - b.index_;
  }
  TRACECODEC_INLINE friend constexpr bool operator==(const index_iterator& a,
                                                     const index_iterator& b) noexcept {
    return a.index_ == b.index_;
  }
  friend constexpr std::strong_ordering operator<=>(const index_iterator& a,
                                                    const index_iterator& b) noexcept {
    return a.index_ <=> b.index_;
  }

 private:
  View view_{};
  difference_type index_ = 0;
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/strided.hpp
// Tables whose row distance is stored in the file. A reader uses the front of each row. Later
// versions of a format append fields to each row.

namespace tracecodec::wire {

// Random-access range of `size()` elements of wire type `W`, which begin `stride()` bytes
// apart. The stride is at least W::size. The view does not own its bytes.
template <class W> class strided_view {
 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;

  constexpr strided_view() = default;
  constexpr strided_view(const byte* p, std::size_t n, std::size_t stride) noexcept
      : p_(p), n_(n), stride_(stride) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
    return {p_, n_ * stride_};
  }
  // Returns element `i`, which must be below size(). get<M>() returns only member `M` of that
  // element, and row() returns all bytes of its row.
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return W::load(p_ + i * stride_);
  }
  template <auto M> TRACECODEC_INLINE constexpr auto get(std::size_t i) const noexcept {
    return W::template get<M>(std::span<const byte, W::size>(p_ + i * stride_, W::size));
  }
  [[nodiscard]] constexpr std::span<const byte> row(std::size_t i) const noexcept {
    return {p_ + i * stride_, stride_};
  }

  using iterator = index_iterator<strided_view>;
  constexpr iterator begin() const noexcept { return {*this, 0}; }
  constexpr iterator end() const noexcept { return {*this, n_}; }

 private:
  const byte* p_ = nullptr;
  std::size_t n_ = 0, stride_ = W::size;
};

// Result of table_at(): a view of the table that a file pointer refers to. The error is
// out_of_bounds, or invalid_value if the stride is smaller than an element. If decode may reject
// elements, all elements are checked, and the first error is returned.
template <class W> struct located_table {
  strided_view<W> rows = {};
  errc error = errc::ok;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};
template <class To, class Base, std::integral Rep>
constexpr located_table<To> table_at(const file_pointer<To, Base, Rep>& p, region<Base> base,
                                     std::uint64_t n, std::uint64_t stride = To::size) noexcept {
  if (stride < To::size) return {{}, errc::invalid_value};
  if (n > base.bytes.size() / stride) return {{}, errc::out_of_bounds};
  const located at = p.locate(base, static_cast<std::size_t>(n * stride));
  if (!at) return {{}, at.error};
  if (const errc e = detail::accept_rows<To>(at.bytes.data(), n, stride); e != errc::ok)
    return {{}, e};
  return {strided_view<To>(at.bytes.data(), static_cast<std::size_t>(n),
                           static_cast<std::size_t>(stride))};
}

namespace detail {
template <auto P, auto Count, auto Stride> struct bound_strided {
  using view = typename view_of<P>::type;
  using element = typename view::codec;
  static constexpr bool fixed = false;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();
  static constexpr bool refuses = true;

  struct answer {
    extent_type n, stride;
  };
  template <class S> TRACECODEC_INLINE static constexpr answer ask(const S& s) noexcept {
    return {elements<1>(detail::ask<Count>(s)), elements<1>(detail::ask<Stride>(s))};
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const answer& a) noexcept {
    return a.n == 0 || a.stride <= largest_extent / a.n ? a.n * a.stride : largest_extent;
  }
  template <class S> static constexpr extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S> TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                                         const answer& a) noexcept {
    // If rows are too short for an element, the view is empty, and accepts() rejects it.
    const auto n = static_cast<std::size_t>(a.stride < element::size ? 0 : a.n);
    s.*P = view(p, n, static_cast<std::size_t>(a.stride));
    return p + static_cast<std::size_t>(extent(a));
  }
  template <class S> static constexpr byte* store(const S& s, byte* p, const answer& a) noexcept {
    copy((s.*P).bytes().data(), p, static_cast<std::size_t>(extent(a)));
    return p + static_cast<std::size_t>(extent(a));
  }
  template <class S> static constexpr errc check(const S& s, const answer& a) noexcept {
    return a.n == (s.*P).size() && a.stride == (s.*P).stride() && a.stride >= element::size
               ? errc::ok
               : errc::count_mismatch;
  }
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, const answer& a) noexcept {
    if (a.stride < element::size) return errc::invalid_value;
    return accept_rows<element>(p, a.n, a.stride);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_strided>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = count_asked<Count>;
    r.size = element::size;
    r.type = element::type_name();
    r.byte_order = element::byte_order;
    r.has_order = element::has_order;
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::strided,
                                  .element = kept_nodes<element>,
                                  .count = member_asked<Count>,
                                  .stride = member_asked<Stride>};
};
}  // namespace detail

// Table of `Count` rows that are `Stride` bytes apart, in member `P`, a strided_view. `Count` and
// `Stride` are specified like the count of counted<>. decode returns invalid_value if rows are
// shorter than an element.
template <auto P, auto Count, auto Stride> struct strided {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_strided<P, Count, Stride>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Count, Place>() && detail::is_earlier<Stride, Place>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>() || detail::depends_on<Stride, Open>();
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/strings.hpp
// Text and other sequences of elements as views: terminated, prefixed by a length, or padded to a
// length.

namespace tracecodec::wire {

// Character of text. A text member is an array_view<character>.
using character = scalar<char, order::little>;

// Returns the characters of a view without a copy.
inline std::string_view as_text(array_view<character> v) noexcept {
  return {reinterpret_cast<const char*>(v.bytes().data()), v.size()};
}

namespace detail {
// Reads a number of wire type `W`, of fixed size or variable length, from the front of `in`.
template <class W>
TRACECODEC_INLINE constexpr scan_result scan_number(typename W::value_type& v,
                                                    std::span<const byte> in) noexcept {
  if constexpr (scanned_type<W>) {
    return W::scan(v, in);
  } else {
    if (in.size() < W::size) return {0, errc::truncated};
    if (const errc e = detail::accept_rows<W>(in.data(), 1, W::size); e != errc::ok) return {0, e};
    v = W::load(in.data());
    return {W::size};
  }
}

// Returns the terminator or fill value as the number that layout_how stores, or 0 if it is not an
// integer.
template <class T> constexpr std::uint64_t bits_of_number(const T& v) noexcept {
  if constexpr (std::is_integral_v<integer_t<T>> && !std::is_same_v<integer_t<T>, bool>)
    return static_cast<std::make_unsigned_t<integer_t<T>>>(v);
  else
    return 0;
}
}  // namespace detail

// Elements of wire type `W` up to an element that equals `End`. The view excludes that element.
template <class W, typename W::value_type End = typename W::value_type{}> struct terminated_view {
  using value_type = array_view<W>;
  static constexpr bool scanned = true;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  TRACECODEC_INLINE static constexpr scan_result scan(value_type& v,
                                                      std::span<const byte> in) noexcept {
    const std::size_t most = in.size() / W::size;
    const byte* const at = find(in.data(), most);
    if (at == nullptr) return {0, errc::truncated};
    const auto n = static_cast<std::size_t>(at - in.data());
    if (const errc e = detail::accept_rows<W>(in.data(), n / W::size, W::size); e != errc::ok)
      return {0, e};
    v = value_type(in.data(), n / W::size);
    return {n + W::size};
  }
  // Returns does_not_fit if `End` is among the elements.
  static constexpr errc check(const value_type& v) noexcept {
    return find(v.bytes().data(), v.size()) == nullptr ? errc::ok : errc::does_not_fit;
  }
  static constexpr std::uint64_t written(const value_type& v) noexcept {
    return std::uint64_t{v.bytes().size()} + W::size;
  }
  static constexpr byte* store(const value_type& v, byte* p) noexcept {
    copy(v.bytes().data(), p, v.bytes().size());
    W::store(End, p + v.bytes().size());
    return p + v.bytes().size() + W::size;
  }
  static constexpr layout_how how{.as = read_as::terminated,
                                  .number = detail::bits_of_number(End),
                                  .element = detail::kept_nodes<W>};
  static constexpr text type_name() noexcept { return W::type_name(); }
  static constexpr text sizes() noexcept {
    text t{};
    t += W::size;
    return t += " x terminated";
  }

 private:
  // Returns a pointer to the first of `n` elements that equals `End`, or nullptr if no element
  // does.
  TRACECODEC_INLINE static constexpr const byte* find(const byte* p, std::size_t n) noexcept {
    if constexpr (W::size == 1 && std::is_integral_v<typename W::value_type>) {
      if (!std::is_constant_evaluated())
        return n == 0
                   ? nullptr
                   : static_cast<const byte*>(std::memchr(p, static_cast<unsigned char>(End), n));
    }
    for (; n != 0; --n, p += W::size)
      if (W::load(p) == End) return p;
    return nullptr;
  }
};

// Number of wire type `C`, of fixed size or variable length, followed by that many elements of
// wire type `W`.
template <class C, class W> struct prefixed_view {
  using value_type = array_view<W>;
  using number = typename C::value_type;
  static_assert(std::is_integral_v<number>, "a length is an integer");
  static constexpr bool scanned = true;
  // True if the number has a byte order. `has_order` and `byte_order` describe the elements, or the
  // number if elements have no byte order.
  static constexpr bool number_has_order = [] {
    if constexpr (requires { C::has_order; }) return C::has_order;
    return false;
  }();
  static constexpr bool has_order = W::has_order || number_has_order;
  static constexpr order byte_order = [] {
    if constexpr (!W::has_order && number_has_order) return C::byte_order;
    return W::byte_order;
  }();
  TRACECODEC_INLINE static constexpr scan_result scan(value_type& v,
                                                      std::span<const byte> in) noexcept {
    number n{};
    const scan_result r = detail::scan_number<C>(n, in);
    if (!r) return {0, r.error};
    const detail::extent_type end = r.at + detail::elements<W::size>(n) * W::size;
    if (in.size() < end) return {0, errc::truncated};
    const value_type all(in.data() + r.at, static_cast<std::size_t>(n));
    if (const errc e = detail::accept_rows<W>(all.bytes().data(), all.size(), W::size);
        e != errc::ok)
      return {0, e};
    v = all;
    return {static_cast<std::size_t>(end)};
  }
  // Returns does_not_fit if the number cannot hold the view's length.
  static constexpr errc check(const value_type& v) noexcept {
    const auto n = static_cast<number>(v.size());
    return std::uint64_t{v.size()} == static_cast<std::uint64_t>(n) && n >= number{}
               ? errc::ok
               : errc::does_not_fit;
  }
  static constexpr std::uint64_t written(const value_type& v) noexcept {
    return prefix(v) + v.bytes().size();
  }
  static constexpr byte* store(const value_type& v, byte* p) noexcept {
    C::store(static_cast<number>(v.size()), p);
    p += prefix(v);
    copy(v.bytes().data(), p, v.bytes().size());
    return p + v.bytes().size();
  }
  static constexpr layout_how how{
      .as = read_as::prefixed, .element = detail::kept_nodes<W>, .prefix = detail::kept_nodes<C>};
  static constexpr text type_name() noexcept { return W::type_name(); }
  static constexpr text sizes() noexcept {
    text t = C::type_name();
    t += " + ";
    t += W::size;
    return t += " x it";
  }

 private:
  static constexpr std::size_t prefix(const value_type& v) noexcept {
    if constexpr (scanned_type<C>)
      return static_cast<std::size_t>(C::written(static_cast<number>(v.size())));
    else
      return C::size;
  }
};

// Array of `N` elements of wire type `W`. The view excludes trailing elements equal to `Fill`.
template <class W, std::size_t N, typename W::value_type Fill = typename W::value_type{}>
struct padded_view {
  using value_type = array_view<W>;
  static constexpr std::size_t size = N * W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool object_bytes = false;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr value_type load(const byte* p) noexcept {
    std::size_t n = N;
    while (n != 0 && W::load(p + (n - 1) * W::size) == Fill) --n;
    return value_type(p, n);
  }
  static constexpr void store(const value_type& v, byte* p) noexcept {
    copy(v.bytes().data(), p, v.bytes().size());
    for (std::size_t i = v.size(); i < N; ++i) W::store(Fill, p + i * W::size);
  }
  static constexpr bool fits(const value_type& v) noexcept { return v.size() <= N; }
  static constexpr layout_how how{.as = read_as::padded,
                                  .number = detail::bits_of_number(Fill),
                                  .element = detail::kept_nodes<W>};
  static constexpr bool refuses = detail::may_refuse<W>;
  static constexpr errc accepts(const byte* p) noexcept requires refuses {
    return detail::accept_rows<W>(p, load(p).size(), W::size);
  }
  static constexpr text type_name() noexcept {
    text t = W::type_name();
    t += "[";
    t += N;
    return t += "]";
  }
};

namespace detail {
template <auto P> using element_of = typename view_of<P>::type::codec;
}

// Array in member `P`, an array_view, followed by an element equal to `End`: for example text with
// a NUL, or UTF-16 with a 16-bit NUL.
template <auto P, auto End = 0> struct terminated
    : field<P, terminated_view<detail::element_of<P>,
                               static_cast<typename detail::element_of<P>::value_type>(End)>> {};

// Array in member `P`, an array_view, after its length in elements. `Count` is a plain type in the
// record's byte order, or a wire type of fixed size or variable length.
template <auto P, class Count> struct prefixed : field<P> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>,
                                prefixed_view<infer_t<Count, Policy>, detail::element_of<P>>>::type;
};

// Array in member `P`, an array_view, in a field of `N` elements. Unused elements equal `Fill`.
template <auto P, std::size_t N, auto Fill = 0> struct padded
    : field<P, padded_view<detail::element_of<P>, N,
                           static_cast<typename detail::element_of<P>::value_type>(Fill)>> {};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/varint.hpp
// Integers whose number of bytes depends on the value: leb128, sleb128, zigzag, vlq.

namespace tracecodec::wire {

namespace detail {
template <class T> inline constexpr unsigned bits_of = 8 * sizeof(T);
// Largest number of 7-bit groups that a value of type `T` needs.
template <class T> inline constexpr unsigned groups_of = (bits_of<T> + 6) / 7;

// Returns the range of sizes as text, such as "1 to 10".
template <class T> constexpr text sizes_of_groups() noexcept {
  text t = std::string_view("1 to ");
  return t += groups_of<T>;
}
template <class T> constexpr text named(std::string_view kind) noexcept {
  text t = kind;
  return t += bits_of<T>;
}

// Reads an unsigned LEB128 number of up to groups_of<T> bytes from the front of `in`. Returns
// malformed if the number does not fit `T`.
template <class T>
TRACECODEC_INLINE constexpr scan_result scan_uleb(T& v, std::span<const byte> in) noexcept {
  const std::size_t most = in.size();
  if (most == 0) return {0, errc::truncated};
  T r = std::to_integer<T>(in[0]);
  // Fast path: most numbers are small.
  if (r < 0x80) {
    v = r;
    return {1};
  }
  r &= 0x7f;
  unsigned shift = 7;
  for (std::size_t i = 1; i != most; shift += 7) {
    const auto b = std::to_integer<T>(in[i++]);
    const T low = b & 0x7f;
    if (shift + 7 > bits_of<T>) [[unlikely]]
      if (low >> (bits_of<T> - shift) != 0 || b > 0x7f) return {0, errc::malformed};
    r = static_cast<T>(r | static_cast<T>(low << shift));
    if (b < 0x80) {
      v = r;
      return {i};
    }
  }
  return {0, errc::truncated};
}
template <class T> constexpr extent_type uleb_size(T v) noexcept {
  extent_type n = 1;
  for (; v > 0x7f; v = static_cast<T>(v >> 7)) ++n;
  return n;
}
template <class T> constexpr byte* store_uleb(T v, byte* p) noexcept {
  for (; v > 0x7f; v = static_cast<T>(v >> 7)) *p++ = static_cast<byte>((v & 0x7f) | 0x80);
  *p++ = static_cast<byte>(v);
  return p;
}
}  // namespace detail

// Unsigned LEB128: groups of 7 bits, least significant first, with bit 7 set in all groups but the
// last (DWARF, section 7.6). A number is malformed if it does not fit `T` or has more groups than
// `T` needs.
template <class T> struct uleb128_of {
  static_assert(std::is_unsigned_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool scanned = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    return detail::scan_uleb(v, in);
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return detail::uleb_size(v); }
  static constexpr byte* store(T v, byte* p) noexcept { return detail::store_uleb(v, p); }
  static constexpr layout_how how{.as = read_as::uleb128};
  static constexpr text type_name() noexcept { return detail::named<T>("uleb"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<T>(); }
};

// Signed LEB128: 7-bit groups of a two's complement number. Bit 6 of the last group is the sign.
template <class T> struct sleb128_of {
  static_assert(std::is_signed_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool scanned = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const byte* q = in.data();
    const byte* const end = q + in.size();
    bits r = 0;
    for (unsigned shift = 0; q != end; shift += 7) {
      const auto b = std::to_integer<bits>(*q++);
      const bits low = b & 0x7f;
      if (shift + 7 > width) [[unlikely]] {
        // All bits above the sign bit must equal the sign bit.
        const unsigned kept = width - shift;
        const bits rest = low >> (kept - 1);
        if (b > 0x7f || (rest != 0 && rest != bits{0x7f} >> (kept - 1)))
          return {0, errc::malformed};
      }
      r = static_cast<bits>(r | static_cast<bits>(low << shift));
      if (b < 0x80) {
        if (shift + 7 < width && (b & 0x40) != 0)
          r = static_cast<bits>(r | static_cast<bits>(static_cast<bits>(~bits{0}) << (shift + 7)));
        v = static_cast<T>(r);
        return {static_cast<std::size_t>(q - in.data())};
      }
    }
    return {0, errc::truncated};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept {
    std::uint64_t n = 1;
    for (; v < -64 || v > 63; v = static_cast<T>(v >> 7)) ++n;
    return n;
  }
  static constexpr byte* store(T v, byte* p) noexcept {
    for (; v < -64 || v > 63; v = static_cast<T>(v >> 7))
      *p++ = static_cast<byte>((v & 0x7f) | 0x80);
    *p++ = static_cast<byte>(v & 0x7f);
    return p;
  }
  static constexpr layout_how how{.as = read_as::sleb128};
  static constexpr text type_name() noexcept { return detail::named<T>("sleb"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<T>(); }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr unsigned width = detail::bits_of<T>;
};

// Signed integer stored as the unsigned LEB128 number of its index in 0, -1, 1, -2, 2, ...
// (Protocol Buffers' sint32 and sint64).
template <class T> struct zigzag_of {
  static_assert(std::is_signed_v<T>, "zigzag needs a signed integer");
  using value_type = T;
  static constexpr bool scanned = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    bits u = 0;
    const scan_result r = detail::scan_uleb(u, in);
    if (r) v = static_cast<T>((u >> 1) ^ (bits{0} - (u & 1)));
    return r;
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return detail::uleb_size(folded(v)); }
  static constexpr byte* store(T v, byte* p) noexcept { return detail::store_uleb(folded(v), p); }
  static constexpr layout_how how{.as = read_as::zigzag};
  static constexpr text type_name() noexcept { return detail::named<T>("zigzag"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<bits>(); }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr bits folded(T v) noexcept {
    return static_cast<bits>((static_cast<bits>(v) << 1) ^
                             (v < 0 ? static_cast<bits>(~bits{0}) : bits{0}));
  }
};

// Variable-length quantity: groups of 7 bits, most significant first, with bit 7 set in all groups
// but the last (Standard MIDI Files).
template <class T> struct vlq_of {
  static_assert(std::is_unsigned_v<T>, "vlq needs an unsigned integer");
  using value_type = T;
  static constexpr bool scanned = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const byte* q = in.data();
    const byte* const end = q + in.size();
    T r = 0;
    for (unsigned n = 0; q != end; ++n) {
      const auto b = std::to_integer<T>(*q++);
      if (n == detail::groups_of<T> || r >> (detail::bits_of<T> - 7) != 0)
        return {0, errc::malformed};
      r = static_cast<T>(static_cast<T>(r << 7) | (b & 0x7f));
      if (b < 0x80) {
        v = r;
        return {static_cast<std::size_t>(q - in.data())};
      }
    }
    return {0, errc::truncated};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept { return detail::uleb_size(v); }
  static constexpr byte* store(T v, byte* p) noexcept {
    const auto n = static_cast<unsigned>(written(v));
    for (unsigned i = n; i-- != 0; v = static_cast<T>(v >> 7))
      p[i] = static_cast<byte>((v & 0x7f) | (i + 1 == n ? 0 : 0x80));
    return p + n;
  }
  static constexpr layout_how how{.as = read_as::vlq};
  static constexpr text type_name() noexcept { return detail::named<T>("vlq"); }
  static constexpr text sizes() noexcept { return detail::sizes_of_groups<T>(); }
};

// Members in the encodings above.
template <auto P> struct leb128 : field<P, uleb128_of<member_t<P>>> {};
template <auto P> struct sleb128 : field<P, sleb128_of<member_t<P>>> {};
template <auto P> struct zigzag : field<P, zigzag_of<member_t<P>>> {};
template <auto P> struct vlq : field<P, vlq_of<member_t<P>>> {};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/cells.hpp
// Cells of one row of a layout table, as a specification prints them.

namespace tracecodec::wire {

// Writes the offset of a row's field in bytes, or "varies" if variable-length data precede the
// field. `Cell` accepts texts and numbers through +=, like `text`.
template <class Cell> constexpr void write_offset(const layout_row& r, Cell& to) noexcept {
  if (r.floats)
    to += std::string_view("varies");
  else
    to += r.offset;
}

// Writes the size of a row's field, in bytes unless the cell contains "bit" or "bits". "8 x count"
// is an array of `count` elements, and "0 or 4" is a field that may be absent. A variable-length
// field has a size such as "1 to 10".
template <class Cell> constexpr void write_size(const layout_row& r, Cell& to) noexcept {
  if (r.conditional) to += std::string_view("0 or ");
  if (r.slice) {
    to += std::size_t{r.high_bit - r.low_bit + 1};
    to += std::string_view(r.high_bit == r.low_bit ? " bit" : " bits");
  } else if (r.scanned) {
    to += r.count.view();
  } else {
    to += r.size;
  }
  if (r.counted) {
    to += std::string_view(" x ");
    to += r.count.view();
  }
}

// Returns "big" or "little", or an empty string for single bytes.
constexpr std::string_view order_name(const layout_row& r) noexcept {
  if (!r.has_order) return {};
  return r.byte_order == order::big ? "big" : "little";
}

// Cells of a row: offset, size, field, type and byte order.
using table_cells = std::array<text, 5>;
inline constexpr std::array<std::string_view, 5> table_header{"Offset", "Size", "Field", "Type",
                                                              "Byte order"};

constexpr table_cells cells_of(const layout_row& r) noexcept {
  table_cells c{};
  write_offset(r, c[0]);
  write_size(r, c[1]);
  c[2] = r.name;
  c[3] = r.type;
  c[4] = order_name(r);
  return c;
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/laid_out_as.hpp
// Assertion that the layout table in a specification matches a description. The compiler compares
// the two.
//
//   static_assert(wire::is_laid_out_as<header_codec, R"(
//   Offset  Size  Field
//   ------  ----  -------
//   0       4     magic    "TCXI"
//   4       4     (padding)
//   8       8     entries  how many follow
//   )">);

namespace tracecodec::wire {

namespace detail {

// Line of a table that compares itself with the cells written to it. A blank in a cell matches one
// or more blanks in the line. (A line ends with a line feed or a NUL, which no cell contains. The
// comparison therefore needs no test for the end of the line, which saves compile time.)
class table_line {
 public:
  constexpr explicit table_line(const char* begin) noexcept : p_(begin) {}
  constexpr void operator+=(std::string_view s) noexcept {
    const char* p = p_;
    bool same = same_;
    for (const char c : s) {
      if (c == ' ') {
        same = same && *p == ' ';
        while (*p == ' ') ++p;
      } else {
        same = same && *p == c;
        if (same) ++p;
      }
    }
    p_ = p;
    same_ = same;
  }
  constexpr void operator+=(std::size_t number) noexcept {
    std::size_t stated = 0;
    const char* p = p_;
    for (; *p >= '0' && *p <= '9'; ++p) stated = 10 * stated + static_cast<std::size_t>(*p - '0');
    same_ = same_ && p != p_ && stated == number;
    p_ = p;
  }
  // Ends a cell. The current word of the line must also end.
  constexpr void end_cell() noexcept {
    same_ = same_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\0');
    while (*p_ == ' ') ++p_;
  }
  [[nodiscard]] constexpr bool same() const noexcept { return same_; }
  // Returns the part of the line that was not read.
  [[nodiscard]] constexpr const char* rest() const noexcept { return p_; }

 private:
  const char* p_;
  bool same_ = true;
};

// Columns of a table.
struct table_columns {
  // Number that is added to each offset.
  std::size_t at = 0;
  bool bits = false;  // true if a bit slice has its bits in the first column, not its offset
  bool from_highest = false;  // true if bits are numbered from the most significant bit
  bool types = false;

  // Writes the cells of row `r` for these columns.
  template <class Cells> constexpr void write(const layout_row& r, Cells& to) const noexcept {
    if (bits && r.slice) {
      const std::size_t highest = 8 * r.size - 1;
      to += from_highest ? highest - r.high_bit : r.high_bit;
      if (r.high_bit != r.low_bit) {
        to += std::string_view("-");
        to += from_highest ? highest - r.low_bit : r.low_bit;
      }
      to.end_cell();
      to += std::size_t{r.high_bit - r.low_bit + 1};
    } else {
      if (r.floats)
        write_offset(r, to);
      else
        to += r.offset + at;
      to.end_cell();
      write_size(r, to);
    }
    to.end_cell();
    to += r.name.view();
    to.end_cell();
    if (!types || r.type.length == 0) return;
    to += r.type.view();
    to.end_cell();
    if (!r.has_order) return;
    to += order_name(r);
    to.end_cell();
  }
};

// Cells as text, each followed by a blank.
struct shown_cells {
  text shown = {};
  constexpr void operator+=(std::string_view s) noexcept { shown += s; }
  constexpr void operator+=(std::size_t n) noexcept { shown += n; }
  constexpr void end_cell() noexcept { shown += " "; }
};

// First row that differs, as stated by the table and by the description. If the table or the
// description has no such row, its text is "no further row".
struct row_difference {
  bool found = false;
  text table = {};
  text description = {};
};

// Comparison of the rows of a description with the lines of a table, in the order in which the rows
// arrive.
class table_comparison : public row_list {
 public:
  // Compares with `table`, whose offsets start at `at`. `shown` is true if the texts of the
  // difference are needed.
  constexpr table_comparison(std::string_view table, std::size_t at, bool shown) noexcept
      : table_(table.data()), rest_(table_), columns_{at}, shown_(shown) {
    look = [](row_list& list, const layout_row& r) {
      static_cast<table_comparison&>(list).compare(r);
    };
  }
  constexpr void end() noexcept {
    if (difference_.found) return;
    if (const char* const line = next_line(); *line != '\0') differ(line, nullptr);
  }
  [[nodiscard]] constexpr const row_difference& difference() const noexcept { return difference_; }

 private:
  constexpr void compare(const layout_row& r) noexcept {
    if (difference_.found) return;
    const char* const line = next_line();
    if (n == 0) columns_.from_highest = *line == '0';
    table_line cells(line);
    columns_.write(r, cells);
    if (!cells.same()) return differ(line, &r);
    rest_ = cells.rest();
  }
  // Returns the next line that contains a row. Such a line begins with a number or "varies". At the
  // end, returns the NUL after the text.
  constexpr const char* next_line() noexcept {
    const char* p = rest_;
    for (bool within = rest_ != table_;; within = true) {
      if (within)
        while (*p != '\n' && *p != '\0') ++p;
      while (*p == '\n' || *p == ' ') ++p;
      if (*p == '\0' || (*p >= '0' && *p <= '9') || begins(p, "varies")) return p;
      if (begins(p, "Bits")) columns_.bits = true;
      if (begins(p, "Offset"))
        for (; *p != '\n' && *p != '\0'; ++p) columns_.types |= begins(p, "Type");
    }
  }
  static constexpr bool begins(const char* p, std::string_view word) noexcept {
    for (const char c : word)
      if (*p++ != c) return false;
    return true;
  }
  constexpr void differ(const char* begin, const layout_row* r) noexcept {
    difference_.found = true;
    if (!shown_) return;
    const char* end = begin;
    while (*end != '\n' && *end != '\0') ++end;
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    std::size_t words = 3;
    if (r != nullptr) {
      shown_cells cells;
      columns_.write(*r, cells);
      words = 0;
      for (const char c : cells.shown.view()) words += c == ' ';
      --cells.shown.length;
      difference_.description = cells.shown;
    }
    // Copies the first `words` words of the line, separated by single blanks.
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] != ' ' || line[i - 1] != ' ') words -= line[i] == ' ';
      if (words == 0) break;
      if (line[i] != ' ' || line[i - 1] != ' ') difference_.table += line.substr(i, 1);
    }
    if (line.empty()) difference_.table = std::string_view("no further row");
    if (r == nullptr) difference_.description = std::string_view("no further row");
  }

  const char* table_;
  const char* rest_;
  table_columns columns_;
  bool shown_;
  row_difference difference_ = {};
};

template <class Codec, fixed_string Table, std::size_t At> struct laid_out {
  static consteval row_difference difference(bool shown) {
    table_comparison c(Table.view(), At, shown);
    Codec::describe(c, {});
    c.end();
    return c.difference();
  }
};

// One of the two rows of a difference, for quoted_t.
template <class Difference, text row_difference::*Which> struct row_of {
  static constexpr text value = Difference::value.*Which;
};

// Type whose name appears in the compile error. It is never defined. Its arguments are the table's
// row and the description's row.
template <class InTable, class InDescription> struct table_and_description_differ;

template <class LaidOut> struct difference_of {
  static constexpr row_difference value = LaidOut::difference(true);
  static constexpr bool shown = sizeof(
      table_and_description_differ<quoted_t<row_of<difference_of, &row_difference::table>>,
                                   quoted_t<row_of<difference_of, &row_difference::description>>>);
};
template <class LaidOut> consteval bool agree() {
  if constexpr (LaidOut::difference(false).found)
    return difference_of<LaidOut>::shown;
  else
    return true;
}
}  // namespace detail

// True if the rows of `Codec` match `Table`. Otherwise a compile error shows the first row that
// differs. `Table` has a line for each row of the layout table, including padding. A line contains
// the field's offset, size and name, in the form that print_table (table.hpp) prints. Text after
// the name is a comment. Offsets are measured from `At` bytes before the record. Two headings
// select other columns:
//
//   Offset ... Type ...   The type and the byte order follow the name and are also compared.
//                         The output of print_table is therefore a valid table.
//   Bits ...              A bit slice has its bits instead of its offset, such as "1-15", and its
//                         size is a number without a unit. Bits are numbered from the most
//                         significant bit if the first bit is 0.
//
// Other lines that do not begin with a number or "varies" are comments.
template <class Codec, fixed_string Table, std::size_t At = 0>
inline constexpr bool is_laid_out_as = detail::agree<detail::laid_out<Codec, Table, At>>();

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/bits.hpp
// Bit slices: members that share one integer, listed from its most significant bit down.

namespace tracecodec::wire {

// Bit slice of `Width` bits that holds member `P`, which is an unsigned integer, an enumeration or
// a bool.
template <auto P, unsigned Width> struct bits {
  using owner = owner_t<P>;
  using type = member_t<P>;
  static constexpr unsigned width = Width;
  static constexpr bool unused = false;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  static_assert(std::is_unsigned_v<integer_t<type>>,
                "a bit slice holds an unsigned integer, an enumeration or a bool");
  static_assert(Width > 0 && (Width <= 8 * sizeof(type)),
                "the member is narrower than its bit slice");
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class S> TRACECODEC_INLINE static constexpr auto& of(S& s) noexcept { return s.*P; }
};

// Unused bit slice of `Width` bits: decode skips it, and encode writes zeros.
template <unsigned Width> struct unused_bits {
  static_assert(Width > 0);
  using owner = void;
  static constexpr unsigned width = Width;
  static constexpr bool unused = true;
  static constexpr std::string_view label = "unused";
  template <auto> static constexpr bool is = false;
};

// Constant bit slice of `Width` bits, such as reserved bits. decode rejects any value except
// `Value` with invalid_value.
template <unsigned Width, std::uint64_t Value = 0> struct constant_bits : unused_bits<Width> {
  static constexpr std::string_view label = "reserved";
  static constexpr std::uint64_t value = Value;
  static_assert(Width >= 64 || Value >> Width == 0, "the constant is wider than its bits");
  static constexpr std::array<text, 1> number{detail::number_text(Value)};
  static constexpr layout_values values{values_are::constant, number, {}};
};

namespace detail {
template <class B> inline constexpr bool is_constant_slice = requires { B::value; };

template <unsigned Sum, unsigned Word> struct widths_of_slices_and_of_their_word {
  static_assert(Sum == Word,
                "the widths of the bit slices must add up to the width of their integer");
  static constexpr bool add_up = true;
};
template <class B>
concept slice_word = requires {
  B::width;
  B::unused;
};
template <class B> struct this_is_no_bit_slice {
  static_assert(never<B>,
                "bit slices are bits<>, unused_bits<> and constant_bits<>; padding<> is for bytes, "
                "outside of bit slices");
  static constexpr bool good = true;
};
template <class B> struct slice_of_word : this_is_no_bit_slice<B> {};
template <slice_word B> struct slice_of_word<B> { static constexpr bool good = true; };

template <class W, class... B> struct bound_slices {
  using codec = W;
  using word_type = typename W::value_type;
  static constexpr unsigned total = 8 * W::size;
  static_assert(std::is_unsigned_v<word_type> && !std::is_same_v<word_type, bool>,
                "bit slices share an unsigned integer");
  static_assert(widths_of_slices_and_of_their_word<(B::width + ...), total>::add_up);
  static constexpr bool fixed = true;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool object_bytes = false;
  static constexpr std::string_view label = std::tuple_element_t<0, std::tuple<B...>>::label;

  template <auto M> static constexpr bool has = (B::template is<M> || ...);
  static constexpr bool holds(std::string_view member) {
    return ((!B::unused && member == B::label) || ...);
  }
  // Returns the place of the slice that holds `member`. The member must be in this word, which is
  // at `offset`.
  static constexpr slice slice_of(std::string_view member, std::size_t offset) {
    slice s{offset, total, 0};
    static_cast<void>(((s.low_bit -= s.width = B::width, B::unused || member != B::label) && ...));
    return s;
  }
  template <auto M> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    constexpr slice at = slice_of(name_of<M>, 0);
    return static_cast<member_t<M>>((W::load(p) >> at.low_bit) & mask(at.width));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    v = get<M>(p);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    const word_type w = W::load(p);
    unsigned at = total;
    ((at -= B::width, put<B>(s, w, at)), ...);
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    word_type w{};
    unsigned at = total;
    ((at -= B::width, w = static_cast<word_type>(
                          w | static_cast<word_type>(static_cast<word_type>(raw<B>(s)) << at))),
     ...);
    W::store(w, p);
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    return ((raw<B>(s) <= mask(B::width)) && ...) ? errc::ok : errc::does_not_fit;
  }
  // Returns the first slice whose value is too wide. The word begins at offset `at`.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    static_cast<void>(((raw<B>(s) <= mask(B::width) || (r.field = &B::label, false)) && ...));
    return r;
  }
  using computed = typename joined<computed_in_t<B>...>::type;
  template <class Notes>
  static constexpr void note(std::size_t at, nothing_asked, Notes& notes) noexcept {
    const auto one = [&]<class X>(std::type_identity<X>) {
      if constexpr (has_computed<X>) notes.template item<X>(at, at + size);
    };
    (one(std::type_identity<B>{}), ...);
  }
  static constexpr bool refuses = (is_constant_slice<B> || ...);
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&,
                                                  const byte* p) noexcept requires refuses {
    const word_type w = W::load(p);
    unsigned at = total;
    return ((at -= B::width, allowed<B>(w, at)) && ...) ? errc::ok : errc::invalid_value;
  }
  template <class S> static constexpr failure refused(const S&, const byte* p,
                                                      std::size_t begin) noexcept requires refuses {
    failure r{begin, &label};
    const word_type w = W::load(p);
    unsigned at = total;
    static_cast<void>(((at -= B::width, allowed<B>(w, at) || (r.field = &B::label, false)) && ...));
    return r;
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    (walk_one<B>(s, present, f), ...);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.slice = true;
    r.size = W::size;
    r.byte_order = W::byte_order;
    r.has_order = W::has_order;
    const text prefix = r.name;
    unsigned at = total;
    const auto add = [&]<class X>(std::type_identity<X>) {
      r.high_bit = at - 1;
      at -= X::width;
      r.low_bit = at;
      r.name = prefix;
      r.name += X::label;
      r.type = W::type_name();
      if constexpr (requires { X::values; })
        r.values = &X::values;
      else
        r.values = nullptr;
      list.add(r);
    };
    (add(std::type_identity<B>{}), ...);
  }

 private:
  static constexpr word_type mask(unsigned n) noexcept {
    return static_cast<word_type>(static_cast<word_type>(~word_type{}) >> (total - n));
  }
  // Extracts the slice whose lowest bit is bit `at` of the word. A bool is not shifted down first,
  // because with the shift g++ 12 generates code that takes a third longer for a RapidBin event.
  template <class X, class S>
  TRACECODEC_INLINE static constexpr void put(S& s, word_type w, unsigned at) noexcept {
    if constexpr (!X::unused) {
      using type = typename X::type;
      if constexpr (std::is_same_v<type, bool>)
        X::of(s) = (w & static_cast<word_type>(mask(X::width) << at)) != 0;
      else
        X::of(s) = static_cast<type>(static_cast<integer_t<type>>((w >> at) & mask(X::width)));
    }
  }
  // Returns the value to encode, with all its bits. A member may be wider than the whole word.
  template <class X, class S>
  TRACECODEC_INLINE static constexpr std::uint64_t raw(const S& s) noexcept {
    if constexpr (!X::unused)
      return static_cast<std::uint64_t>(X::of(s));
    else if constexpr (is_constant_slice<X>)
      return X::value;
    else
      return 0;
  }
  // Returns true if decode accepts the slice whose lowest bit is bit `at` of the word.
  template <class X> static constexpr bool allowed(word_type w, unsigned at) noexcept {
    if constexpr (is_constant_slice<X>)
      return ((w >> at) & mask(X::width)) == X::value;
    else
      return true;
  }
  template <class X, class S, class F>
  TRACECODEC_INLINE static constexpr void walk_one(S& s, bool present, F&& f) {
    if constexpr (!X::unused) f(field_info<X>{}, X::of(s), present);
  }
};
}  // namespace detail

// Slices `B` of one unsigned integer `W`, most significant first. `W` is a plain type such as
// std::uint64_t, in the record's byte order, or a wire type such as u64be. The widths must add up
// to the width of `W`.
template <class W, class... B> struct bit_slices {
  static_assert((detail::slice_of_word<B>::good && ...));
  template <class Policy> using bind = detail::bound_slices<infer_t<W, Policy>, B...>;
  using owner = detail::first_owner<typename B::owner...>;
  static consteval int mentions(std::string_view member) {
    return ((B::unused ? 0 : member == B::label) + ...);
  }
};

namespace detail {
template <class W, class Done, class... Rest> struct turned;
template <class... B> struct slice_list {};
template <class W, class... Done> struct turned<W, slice_list<Done...>> {
  using type = bit_slices<W, Done...>;
};
template <class W, class... Done, class First, class... Rest>
struct turned<W, slice_list<Done...>, First, Rest...>
    : turned<W, slice_list<First, Done...>, Rest...> {};
}  // namespace detail

// Bit slices listed from the least significant bit up, as C compilers lay out bit-fields on
// little-endian machines.
template <class W, class... B> struct bits_from_low
    : detail::turned<W, detail::slice_list<>, B...>::type {};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/engine/scanned_section.hpp
// Section that consists of one item whose length is stored in the item's own bytes.

namespace tracecodec::wire::detail {

// Section that consists of the variable-length item `B`.
template <class B> struct scanned_section {
  using only_item = B;
  template <std::size_t I> using item = std::tuple_element_t<I, std::tuple<B>>;
  static constexpr std::size_t item_of(std::string_view) { return 0; }
  static constexpr std::size_t count = 1;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr bool refuses = true;
  static constexpr bool placed = is_placed<B>;
  static constexpr bool greedy = is_greedy<B>;
  static constexpr std::size_t constant_bytes = 0;
  static constexpr text constant_text(std::string_view field) noexcept {
    if constexpr (requires { B::constant_text(); })
      if (field == B::label) return B::constant_text();
    return {};
  }
  static constexpr bool sized = is_sized<B>;
  static constexpr std::size_t size = 0;
  static constexpr std::size_t alignment = 1;
  static constexpr bool gapless = false;
  static constexpr std::array<std::string_view, 1> labels{B::label};
  using computed = computed_in_t<B>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr std::size_t offset_of = [] {
    static_assert(has<M>, "no field of this record has that member at a fixed offset");
    return std::size_t{};
  }();

  using answer = typename B::answer;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    scan_result r = B::scan(s, at, in, notes);
    if constexpr (Notes::wanted)
      if (r.error == errc::ok) notes.template item<B>(at, r.at);
    if (r.error != errc::ok && r.field == nullptr) r.field = &B::label;
    return r;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    note_absent_item<B>(at, notes);
  }
  // Returns ok if the item can be written, and stores the item's evaluated counts and conditions in
  // `a`.
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    return B::prepare(s, a);
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const answer& a,
                                                         extent_type at, Notes& notes) noexcept {
    const extent_type n = B::written(s, a, at, notes);
    if constexpr (Notes::wanted)
      notes.template item<B>(static_cast<std::size_t>(at), static_cast<std::size_t>(at + n));
    return n;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const answer& a,
                                                                    const byte* begin) noexcept {
    return B::store(s, p, a, begin);
  }
  // Returns the field that prepare() rejected. The item begins at offset `at`.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    if constexpr (requires { B::unfit(s, at); }) {
      const failure f = B::unfit(s, at);
      if (f.field != nullptr) return f;
    }
    return {at, &B::label};
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    B::walk(s, present, f);
  }
  static constexpr void describe(row_list& list, const layout_row& from) {
    B::describe(list, from);
  }
};

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/engine/section.hpp
// Sections: runs of fields whose extents are known before the first field is read, so that one
// bounds check covers the run.

namespace tracecodec::wire {

// Section of items that are read together. The extents of the items depend only on earlier
// sections.
template <class... Items> struct section {
  using owner = detail::first_owner<typename Items::owner...>;
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

namespace detail {
template <class Item> inline constexpr bool is_section = false;
template <class... I> inline constexpr bool is_section<section<I...>> = true;

// Section of the bound items `B`. If all of them have a fixed size, their offsets are
// compile-time constants.
template <placement P, class... B> struct bound_section {
  static constexpr std::size_t count = sizeof...(B);
  static constexpr bool fixed = (B::fixed && ...);
  static constexpr bool scanned = false;
  static constexpr bool placed = false;
  static constexpr bool sized = false;
  static constexpr bool greedy = false;
  static_assert(fixed || P == placement::packed, "natural placement needs a record of fixed size");

  static constexpr std::array<std::string_view, count> labels{B::label...};

  // Offset of each item. The last entry is the section's size, including tail padding.
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

  // Evaluated counts and conditions of all items. decode and encode evaluate them only in ask().
  using indices = std::index_sequence_for<B...>;
  using answer = typename std::conditional_t<fixed, std::type_identity<nothing_asked>,
                                             std::type_identity<answers_of<indices, B...>>>::type;
  template <class S> TRACECODEC_INLINE static constexpr answer ask(const S& s) noexcept {
    if constexpr (fixed)
      return {};
    else
      return {{ask_one<B>(s)}...};
  }
  // Returns the section's size in bytes, according to the evaluated counts and conditions.
  TRACECODEC_INLINE static constexpr extent_type extent(const answer& a) noexcept {
    if constexpr (fixed)
      return size;
    else
      return extent_by(a, indices{});
  }
  // Returns the number of bytes that encode writes, whatever the counts are.
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    if constexpr (fixed)
      return size;
    else
      return (written_one<B>(s) + ... + 0);
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
  // True if decode rejects some values. `computed` lists the items that are computed from
  // other items.
  static constexpr bool refuses = (may_refuse<B> || ...);
  using computed =
      typename std::conditional_t<(has_computed<B> || ...), joined<computed_in_t<B>...>,
                                  std::type_identity<type_list<>>>::type;

  // Reads the section at offset `at` if the input contains all its bytes and its values are
  // allowed. Reports the position of each item to `notes`.
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const answer a = ask(s);
    const extent_type n = extent(a);
    if (!in.holds(at, n)) [[unlikely]] {
      const failure f = cut_here(s, at, in.left(at));
      return {f.used, errc::truncated, f.field};
    }
    const byte* const p = in.begin + at;
    load(s, p, a);
    if constexpr (refuses) {
      if (const errc e = accepts(s, p, a, indices{}); e != errc::ok) [[unlikely]] {
        const failure f = refused(s, p, at, a);
        return {f.used, e, f.field};
      }
    }
    if constexpr (Notes::wanted) note(at, a, notes, indices{});
    return {at + static_cast<std::size_t>(n)};
  }
  template <class Notes>
  static constexpr void note(std::size_t at, const answer& a, Notes& notes) noexcept {
    note(at, a, notes, indices{});
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    (note_absent_item<B>(at, notes), ...);
  }
  // Returns ok if decode accepts the values that were read at `p`.
  template <class S> TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p,
                                                                     const answer& a) noexcept {
    return accepts(s, p, a, indices{});
  }
  // Returns the item that accepts() rejected. The section is at address `p` and begins at offset
  // `at`. (The function takes the evaluation `a` from before the section was read, because a user's
  // function may now return another value.)
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure refused(
      const S& s, const byte* p, std::size_t at, const answer& a) noexcept {
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
  template <class S> TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                                         const answer& a) noexcept {
    if constexpr (fixed) {
      load_fixed(s, p, indices{});
      return p + size;
    } else {
      return load_by(s, p, a, indices{});
    }
  }
  // Writes extent(a) bytes at `p`. Requires that check(s, a) returned ok.
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const answer& a) noexcept {
    if constexpr (fixed) {
      store_fixed(s, p, indices{});
      zero_gaps(p);
      return p + size;
    } else {
      return store_by(s, p, a, indices{});
    }
  }
  // Zeroes the padding that natural placement leaves between and after the items.
  TRACECODEC_INLINE static constexpr void zero_gaps(byte* p) noexcept {
    if constexpr (!gapless) zero_gaps(p, indices{});
  }
  // Returns ok if every value fits its field and every array has the length that its count states.
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(const S& s, const answer& a) noexcept {
    if constexpr (fixed) {
      errc e = errc::ok;
      static_cast<void>((((e = B::check(s)) == errc::ok) && ...));
      return e;
    } else {
      return check_by(s, a, indices{});
    }
  }
  // Returns the first item whose value does not fit, in a section that begins at offset `at`. If
  // the item has parts (a condition or a word of bit slices), returns the part that failed.
  template <class S>
  static constexpr failure unfit(const S& s, std::size_t at, const answer& a) noexcept {
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
  // Returns the item in which the input or the output ends, `room` bytes after the start of the
  // section at offset `at`. If that item is a condition, returns the item inside the condition.
  static constexpr failure cut(std::size_t at, std::size_t room, const answer& a) noexcept {
    const sizes bytes = sizes_by(a, indices{});
    const std::size_t i = item_behind(room, bytes);
    failure r = at_item(i, at, bytes);
    in_item(i, a, [&]<class X>(std::type_identity<X>, const auto& by) {
      if constexpr (requires { X::cut(at, room, by); })
        if (by.present) r = X::cut(r.used, room - (r.used - at), by);
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
      (describe_behind<B>(list, r), ...);
    }
  }
  // Adds the rows of item `i`, which has `bytes` bytes, and of the gap after it. (Not a template
  // over the item: a function per item would cost more compile time than everything else about the
  // item.)
  static constexpr void describe_at(row_list& list, const layout_row& from, layout_row& r,
                                    std::size_t i, std::size_t bytes,
                                    void (*rows_of)(row_list&, layout_row)) {
    r.offset = from.offset + offsets[i];
    rows_of(list, r);
    const std::size_t gap = offsets[i + 1] - offsets[i] - bytes;
    if (gap != 0) add_padding(list, from, r.offset + bytes, gap);
  }
  // Adds the rows of an item at the offset in `r`, and advances `r` past the item.
  template <class X> static constexpr void describe_behind(row_list& list, layout_row& r) {
    X::describe(list, r);
    if constexpr (X::fixed)
      r.offset += X::size;
    else
      r.floats = true;
  }
  // Returns true if an object of type S has the same layout as the section, and every value has the
  // same bytes in both. (Functions rather than lambdas, because g++ 12 mixes up the lambdas of two
  // instantiations.)
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
  // Offset of the item that holds member `M`, for sections of fixed size only.
  template <auto M> static constexpr std::size_t offset_of = [] {
    static_assert(fixed && has<M>, "no field of this record has that member at a fixed offset");
    std::size_t i = 0;
    static_cast<void>(((!B::template has<M> && (++i, true)) && ...));
    return offsets[i];
  }();
  // Returns member `M` alone, decoded from a record at `p`.
  template <auto M> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    constexpr std::size_t i = item_of(name_of<M>);
    return item<i>::template get<M>(p + offsets[i]);
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    get_from<M>(v, p, indices{});
  }
  // Returns the index of the item that holds the member of that name, or `count` if there is
  // none.
  static constexpr std::size_t item_of(std::string_view member) {
    std::size_t i = 0;
    static_cast<void>(((!holds<B>(member) && (++i, true)) && ...));
    return i;
  }
  template <std::size_t I> using item = std::tuple_element_t<I, std::tuple<B...>>;

 private:
  using sizes = std::array<extent_type, count>;

  // Returns a failure that names item `i`. The section begins at offset `at`.
  static constexpr failure at_item(std::size_t i, std::size_t at, const sizes& bytes) noexcept {
    if constexpr (fixed)
      at += offsets[i];
    else
      for (std::size_t j = 0; j < i; ++j) at += static_cast<std::size_t>(bytes[j]);
    return {at, &labels[i]};
  }
  // Returns the index of the first item that does not end within `room` bytes. If `room` ends in
  // the tail padding, returns the index of the last item.
  static constexpr std::size_t item_behind(std::size_t room, const sizes& bytes) noexcept {
    extent_type end = 0;
    std::size_t i = 0;
    for (; i + 1 < count; ++i) {
      end = (fixed ? offsets[i] : end) + bytes[i];
      if (end > room) break;
    }
    return i;
  }
  // Calls `f` with item `i` and the item's evaluated counts and conditions.
  template <class F> static constexpr void in_item(std::size_t i, const answer& a, F&& f) noexcept {
    in_item(i, a, f, indices{});
  }
  template <class F, std::size_t... I>
  static constexpr void in_item(std::size_t i, const answer& a, F&& f,
                                std::index_sequence<I...>) noexcept {
    ((I == i ? f(std::type_identity<B>{}, asked<I>(a)) : void()), ...);
  }

  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure cut_here(
      const S& s, std::size_t at, std::size_t room) noexcept {
    return cut(at, room, ask(s));
  }
  // Calls `f` for each item with the start of its bytes and its evaluated counts and conditions.
  template <class F> static constexpr void each_at(const byte* p, const answer& a, F&& f) noexcept {
    each_at(p, a, f, indices{});
  }
  template <class F, std::size_t... I>
  static constexpr void each_at(const byte* p, const answer& a, F&& f,
                                std::index_sequence<I...>) noexcept {
    const byte* q = p;
    ((q = fixed ? p + offsets[I] : q, f(std::type_identity<B>{}, q, asked<I>(a)),
      q += static_cast<std::size_t>(extent_one<B>(asked<I>(a)))),
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
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p, const answer& a,
                                                  std::index_sequence<I...>) noexcept {
    errc e = errc::ok;
    const byte* q = p;
    static_cast<void>(((q = fixed ? p + offsets[I] : q, e = accepts_one<B>(s, q, asked<I>(a)),
                        q += static_cast<std::size_t>(extent_one<B>(asked<I>(a))), e == errc::ok) &&
                       ...));
    return e;
  }
  template <class Notes, std::size_t... I>
  TRACECODEC_INLINE static constexpr void note(std::size_t at, const answer& a, Notes& notes,
                                               std::index_sequence<I...>) noexcept {
    std::size_t here = at;
    const auto one = [&]<class X>(std::type_identity<X>, std::size_t offset, const auto& by) {
      if constexpr (fixed) here = at + offset;
      const std::size_t behind = here + static_cast<std::size_t>(extent_one<X>(by));
      notes.template item<X>(here, behind);
      if constexpr (requires { X::note(here, by, notes); }) X::note(here, by, notes);
      here = behind;
    };
    (one(std::type_identity<B>{}, offsets[I], asked<I>(a)), ...);
  }

  // Returns the evaluated counts and conditions of item `I`. Items of fixed size have none, so
  // sections of fixed size have none either.
  template <std::size_t I>
  TRACECODEC_INLINE static constexpr decltype(auto) asked(const answer& a) noexcept {
    if constexpr (fixed)
      return nothing_asked{};
    else
      return answer_at<I>(a);
  }
  template <class X, class S> TRACECODEC_INLINE static constexpr auto ask_one(const S& s) noexcept {
    if constexpr (X::fixed)
      return nothing_asked{};
    else
      return X::ask(s);
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
  TRACECODEC_INLINE static constexpr errc check_one(const S& s, const A& a) noexcept {
    if constexpr (X::fixed)
      return X::check(s);
    else
      return X::check(s, a);
  }
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr extent_type extent_by(const answer& a,
                                                           std::index_sequence<I...>) noexcept {
    return (extent_one<B>(asked<I>(a)) + ... + 0);
  }
  template <std::size_t... I>
  static constexpr sizes sizes_by(const answer& a, std::index_sequence<I...>) noexcept {
    return {extent_one<B>(asked<I>(a))...};
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr const byte* load_by(S& s, const byte* p, const answer& a,
                                                         std::index_sequence<I...>) noexcept {
    ((p = load_one<B>(s, p, asked<I>(a))), ...);
    return p;
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr byte* store_by(const S& s, byte* p, const answer& a,
                                                    std::index_sequence<I...>) noexcept {
    ((p = store_one<B>(s, p, asked<I>(a))), ...);
    return p;
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc check_by(const S& s, const answer& a,
                                                   std::index_sequence<I...>) noexcept {
    errc e = errc::ok;
    static_cast<void>((((e = check_one<B>(s, asked<I>(a))) == errc::ok) && ...));
    return e;
  }
  template <class S, std::size_t... I>
  static constexpr std::array<errc, count> errors_by(const S& s, const answer& a,
                                                     std::index_sequence<I...>) noexcept {
    return {check_one<B>(s, asked<I>(a))...};
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
  // Returns true if the members have the order of the items. Without gaps, each member then has its
  // item's offset.
  template <class S, std::size_t... I>
  static consteval bool in_order_of(std::index_sequence<I...>) {
    return ((B::label == member_name<S, I>)&&...);
  }
  // Returns true if each member has its item's offset. With gaps, order alone does not suffice,
  // because alignas moves a member. The compiler therefore makes an object from numbered bytes,
  // which show the offset of each member.
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

// ---- tracecodec/wire/engine/sections.hpp
// Engine of wire::record: decode, encode, walk and describe over a list of bound sections.

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

// ---- tracecodec/wire/engine/split.hpp
// Splitting of items into bound sections. Each variable-length item forms its own section, and the
// items between two such items are read together.

namespace tracecodec::wire::detail {

// True if `Item` has a variable length under a record's policy.
template <class Policy, class Item> inline constexpr bool scanned_item =
    is_scanned<typename Item::template bind<Policy>>;

// How item `Next` relates to the items `Open`, which are read together. It joins them, forms a
// section alone because its length is variable, or begins a new section because it depends on a
// member that they read.
enum class joins : std::uint8_t { open, alone, anew };
template <class Policy, bool Free, class Open, class Next> consteval joins how_it_joins() {
  if constexpr (scanned_item<Policy, Next>)
    return joins::alone;
  else if constexpr (Free && item_depends_on<Next, Open>())
    return joins::anew;
  else
    return joins::open;
}

// Split of a list: the finished sections `Done`, the items `Open` of the current section, and the
// remaining items. `Free` is true if an item may begin a new section.
template <class Policy, bool Free, class Done, class Open, class... Rest> struct split_items;
template <class Policy, bool Free, joins How, class Done, class Open, class Next, class... Rest>
struct split_next;

template <class Policy, bool Free, class... Done>
struct split_items<Policy, Free, section_list<Done...>, section<>> {
  using type = section_list<Done...>;
};
template <class Policy, bool Free, class... Done, class Open, class... More>
struct split_items<Policy, Free, section_list<Done...>, section<Open, More...>> {
  using type = section_list<Done..., section<Open, More...>>;
};
template <class Policy, bool Free, class Done, class Open, class Next, class... Rest>
struct split_items<Policy, Free, Done, Open, Next, Rest...>
    : split_next<Policy, Free, how_it_joins<Policy, Free, Open, Next>(), Done, Open, Next,
                 Rest...> {};
template <class Policy, bool Free, joins How, class... Done, class Open, class... More, class Next,
          class... Rest>
struct split_next<Policy, Free, How, section_list<Done...>, section<Open, More...>, Next, Rest...>
    : split_items<Policy, Free, section_list<Done..., section<Open, More...>>, section<>, Next,
                  Rest...> {};
template <class Policy, bool Free, class... Done, class Open, class... More, class Next,
          class... Rest>
struct split_next<Policy, Free, joins::open, section_list<Done...>, section<Open, More...>, Next,
                  Rest...>
    : split_items<Policy, Free, section_list<Done...>, section<Open, More..., Next>, Rest...> {};
template <class Policy, bool Free, joins How, class... Done, class Next, class... Rest>
struct split_next<Policy, Free, How, section_list<Done...>, section<>, Next, Rest...>
    : split_items<Policy, Free, section_list<Done...>, section<Next>, Rest...> {};
template <class Policy, bool Free, class... Done, class Next, class... Rest>
struct split_next<Policy, Free, joins::alone, section_list<Done...>, section<>, Next, Rest...>
    : split_items<Policy, Free, section_list<Done..., section<Next>>, section<>, Rest...> {};

template <class Policy, class Section> struct split_section;
template <class Policy, class... Items> struct split_section<Policy, section<Items...>> {
  using type =
      typename std::conditional_t<(scanned_item<Policy, Items> || ...),
                                  split_items<Policy, false, section_list<>, section<>, Items...>,
                                  std::type_identity<section_list<section<Items...>>>>::type;
};
template <class... L> struct joined_sections;
template <class... A> struct joined_sections<section_list<A...>> {
  using type = section_list<A...>;
};
template <class... A, class... B, class... Rest>
struct joined_sections<section_list<A...>, section_list<B...>, Rest...>
    : joined_sections<section_list<A..., B...>, Rest...> {};

template <class List> inline constexpr bool several = false;
template <class A, class B, class... Rest>
inline constexpr bool several<section_list<A, B, Rest...>> = true;

template <class Policy, class... Sections> using split_t =
    typename joined_sections<typename split_section<Policy, Sections>::type...>::type;

// Split of a record's sections. If the record lists items instead, they are first grouped into
// sections.
template <class Policy, class... Items> struct split_any {
  static_assert((is_section<Items> && ...) || !(is_section<Items> || ...),
                "group all items in sections, or none");
  using type = typename std::conditional_t<
      (Items::template bind<Policy>::fixed && ...),
      std::type_identity<section_list<section<Items...>>>,
      split_items<Policy, true, section_list<>, section<>, Items...>>::type;
};
template <class Policy, class... Items>
requires(sizeof...(Items) != 0 && (is_section<Items> && ...)) struct split_any<Policy, Items...> {
  using type = split_t<Policy, Items...>;
};

template <class Policy, class... Items> struct bind_items {
  using type = bound_section<Policy::place, typename Items::template bind<Policy>...>;
};
template <class Policy, class Item>
requires scanned_item<Policy, Item>
struct bind_items<Policy, Item> {
  using type = scanned_section<typename Item::template bind<Policy>>;
};
template <class Section, class Policy> struct bind_section;
template <class... Items, class Policy> struct bind_section<section<Items...>, Policy>
    : bind_items<Policy, Items...> {};

template <class List, class Policy> struct bind_sections;
template <class... Sections, class Policy> struct bind_sections<section_list<Sections...>, Policy> {
  using type = bound_sections<typename bind_section<Sections, Policy>::type...>;
};

// Bound sections of the items inside a part, such as limited<> or choice<>.
template <class Policy, class... Items> using parts_t =
    typename bind_sections<typename split_any<Policy, Items...>::type, Policy>::type;

// Returns true if the counts and conditions of a section depend only on members of earlier
// sections. in_order() checks every section of a record.
template <class Place, class... Items>
consteval bool section_depends_on_earlier(std::type_identity<section<Items...>>) {
  return (detail::depends_on_earlier<Items, Place>() && ...);
}
template <class S, class Policy, class Earlier> consteval bool in_order(section_list<>) {
  return true;
}
template <class S, class Policy, class Earlier, class Next, class... Later>
consteval bool in_order(section_list<Next, Later...>);
template <class S, class Policy, class... Earlier, class Next, class... Later>
consteval bool in_order_behind(section_list<Earlier...>, section_list<Next, Later...>) {
  using here = place<S, Policy, section_list<Earlier...>, section_list<Next, Later...>>;
  return section_depends_on_earlier<here>(std::type_identity<Next>{}) &&
         in_order<S, Policy, section_list<Earlier..., Next>>(section_list<Later...>{});
}
template <class S, class Policy, class Earlier, class Next, class... Later>
consteval bool in_order(section_list<Next, Later...> all) {
  return in_order_behind<S, Policy>(Earlier{}, all);
}

// Order check for the items inside a part that is a section at `Place`.
template <class Place, class... Items> struct parts_in_order;
template <class S, class Policy, class... Earlier, class Self, class... Later, class... Items>
struct parts_in_order<place<S, Policy, section_list<Earlier...>, section_list<Self, Later...>>,
                      Items...> {
  template <class... Before, class Next, class... Rest>
  static consteval bool walk(section_list<Before...>, section_list<Next, Rest...>) {
    using here = place<S, Policy, section_list<Before...>, section_list<Next, Rest..., Later...>>;
    return section_depends_on_earlier<here>(std::type_identity<Next>{}) &&
           walk(section_list<Before..., Next>{}, section_list<Rest...>{});
  }
  template <class... Before> static consteval bool walk(section_list<Before...>, section_list<>) {
    return true;
  }
  static constexpr bool value =
      walk(section_list<Earlier...>{}, typename split_any<Policy, Items...>::type{});
};

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/describe.hpp
// Descriptions bound to a policy: either the members of a plain struct, or an explicit list
// that is checked to be complete.

namespace tracecodec::wire {

// Explicit description of a struct: a list of items, or a list of section<>s. Every member of
// the struct must appear exactly once, as not_on_wire if it has no bytes. Otherwise
// compilation fails.
template <class... Items> struct fields {
  using owner = detail::first_owner<typename Items::owner...>;
};

namespace detail {
// Struct that a description is for, and therefore the value type of its record.
template <class What> struct value_described { using type = What; };
template <class... Items> struct value_described<fields<Items...>> {
  using type = typename fields<Items...>::owner;
};
template <class What, order O, placement P, target T> struct value_of<record<What, O, P, T>>
    : value_described<What> {};

template <class... X> struct list_front;
template <class First, class... Rest> struct list_front<bound_sections<First, Rest...>> {
  using type = First;
  static constexpr bool fixed = sizeof...(Rest) == 0 && First::fixed;
};

// Shorthand description: Boost.PFR supplies the members, and the policy supplies their wire types
// and placement.
template <class S, class Policy, class> struct plain_section;
template <class S, class Policy, std::size_t... I>
struct plain_section<S, Policy, std::index_sequence<I...>> {
  using type = bound_section<Policy::place,
                             bound_field<by_index<S, I>, infer_t<member_type<S, I>, Policy>>...>;
};
template <class What, class Policy> struct described {
  static_assert(std::is_aggregate_v<What>,
                "describe a plain struct, or list its fields in fields<...>");
  static_assert(member_count<What> != 0,
                "a struct without members or a codec of varying size cannot be a field");
  static_assert(c_array_in<What>() == member_count<What>,
                "a member is a C array, which cannot be described: std::array can");
  using value_type = What;
  using first =
      typename plain_section<What, Policy, std::make_index_sequence<member_count<What>>>::type;
  using sections = bound_sections<first>;
  static constexpr bool fixed = true;
};

// Smallest and largest number of times that any member of a struct is described.
struct mention_range {
  int least, most;
  // Indices of these two members in the struct.
  std::size_t least_at = 0, most_at = 0;
};
template <class Name> struct this_member_is_not_described {
  static_assert(never<Name>,
                "a member of the struct is not described: add a field, or name it in not_on_wire");
  static constexpr bool described = true;
};
template <class Name> struct this_member_is_described_twice {
  static_assert(never<Name>, "a member of the struct is described more than once");
  static constexpr bool good = true;
};
// Returns true if each member is described exactly once. Otherwise compilation fails with an error
// that names the member.
template <class S, mention_range R> consteval bool complete() {
  if constexpr (R.least < 1)
    return this_member_is_not_described<quoted_t<name_at<S, R.least_at>>>::described;
  else if constexpr (R.most > 1)
    return this_member_is_described_twice<quoted_t<name_at<S, R.most_at>>>::good;
  else
    return true;
}
template <class... Items> consteval int times_mentioned(std::string_view member) {
  return (Items::mentions(member) + ...);
}
template <class S, class... Items, std::size_t... I>
consteval mention_range mentions(std::index_sequence<I...>) {
  mention_range r{1, 1};
  const auto count = [&r](std::size_t i, int n) {
    if (n < r.least) r.least = n, r.least_at = i;
    if (n > r.most) r.most = n, r.most_at = i;
  };
  (count(I, times_mentioned<Items...>(member_name<S, I>)), ...);
  return r;
}

template <class S, class Policy, class... Items> struct sectioned {
  using list = typename split_any<Policy, Items...>::type;
  static_assert(
      in_order<S, Policy, section_list<>>(list{}),
      "a count or a condition must be read in an earlier section than what depends on it");
  static_assert(!several<list> || Policy::place == placement::packed,
                "natural placement needs a record of fixed size, that is of one section");
  using sections = typename bind_sections<list, Policy>::type;
};

template <class... Items, class Policy> struct described<fields<Items...>, Policy> {
  using value_type = typename fields<Items...>::owner;
  static constexpr mention_range mentioned =
      mentions<value_type, Items...>(std::make_index_sequence<member_count<value_type>>{});
  static_assert(complete<value_type, mentioned>());
  using sections = typename sectioned<value_type, Policy, Items...>::sections;
  using first = typename list_front<sections>::type;
  static constexpr bool fixed = list_front<sections>::fixed;
};
}  // namespace detail

}  // namespace tracecodec::wire

// ---- tracecodec/wire/plain_record.hpp
// Record codec: derives its size, decode, encode, a walk by name and a layout table from one
// description.
//
//   struct header { std::int16_t threads; std::int32_t locks; };        // plain members suffice
//   using header_codec = wire::record<header, wire::order::big>;
//
//   using event_codec = wire::record<wire::fields<               // an explicit description
//       wire::bit_slices<std::uint32_t, wire::bits<&event::op, 4>, wire::bits<&event::id, 28>>>,
//       wire::order::big>;

namespace tracecodec::wire {

// Layout table of a codec, stored once per program.
template <class Codec> inline constexpr auto layout_table = Codec::layout();

// Codec of one record. `What` is a plain struct (an aggregate of plain members, std::array and
// nested structs) or fields<...>. `O` is the byte order of each field whose description states no
// order. `P` is the placement. `T` is the target that determines the width of `word`. No function
// throws or allocates, and everything is constexpr.
template <class What, order O = order::little, placement P = placement::packed,
          target T = target::x64>
struct record {
 private:
  using described = detail::described<What, policy<O, P, T>>;
  using sections = typename described::sections;  // bound_sections<...>
  // The first section, which is the only section if the size is fixed.
  using only = typename described::first;

 public:
  using value_type = typename described::value_type;
  static constexpr order byte_order = O;
  // False, because each field has its own byte order.
  static constexpr bool has_order = false;
  static constexpr bool fixed = described::fixed;
  // Size in bytes of a fixed-size record. 0 if the size varies (see extent()).
  static constexpr std::size_t size = fixed ? only::size : 0;
  // Size in bytes of the first section. 0 if the size of the first section varies.
  static constexpr std::size_t front_size = only::fixed ? only::size : 0;
  static constexpr std::size_t alignment = P == placement::natural ? only::alignment : 1;
  // True if decode rejects some bytes: wrong constants, values that the description does not allow,
  // or wrong computed values.
  static constexpr bool refuses = sections::refuses || sections::computes;
  // True if the record has a variable length as an item of another record.
  static constexpr bool scanned = !fixed;
  static constexpr bool greedy = sections::greedy;
  // Number of bytes of constants in the first section.
  static constexpr std::size_t constant_bytes = only::constant_bytes;
  // Returns the required text of the constant `field` in the first section, for messages. Returns
  // an empty text if the first section has no constant of that name.
  static constexpr text constant_text(std::string_view field) noexcept {
    return only::constant_text(field);
  }

  // Items of the first section, from which columns.hpp builds columns.
  using front = only;

  // True if value_type has the same layout in memory as the record has on the wire. If true, decode
  // is one move, and aligned input can be viewed in place as an array of value_type.
  static constexpr bool object_layout = [] {
    if constexpr (fixed)
      return only::template lies_like<value_type>();
    else
      return false;
  }();
  // True if object_layout is true and the layout contains no padding. (An object does not preserve
  // its padding bytes.)
  static constexpr bool object_bytes = object_layout && only::gapless;

  // Decodes a fixed-size record from exactly `size` bytes. Cannot fail.
  TRACECODEC_INLINE static constexpr value_type decode(std::span<const byte, size> in) noexcept
      requires(fixed && !refuses) {
    return load(in.data());
  }

  // Decodes the record at the front of `in` into `s`. Views in `s` point into `in`. Returns
  // truncated if `in` ends inside the record. Returns invalid_value, malformed or not_as_computed
  // if the description does not allow the bytes. After an error, `used` and `field` locate the
  // failure, and only the members of earlier sections are guaranteed to be set.
  TRACECODEC_INLINE static constexpr result decode(std::span<const byte> in,
                                                   value_type& s) noexcept {
    if constexpr (fixed && !refuses) {
      if (in.size() < size) [[unlikely]]
        return sections::truncated(s, 0, 0, in.size());
      load_into(s, in.data());
      return {size};
    } else {
      return sections::decode(in, s);
    }
  }

  // Returns the path of the field at which decode() fails in `in`, or an empty text if decode()
  // succeeds. The path is text such as "kind", or "options[3].kind" inside an element of a list.
  static constexpr text path(std::span<const std::byte> in) noexcept {
    value_type s{};
    const result r = decode(in, s);
    if constexpr (scanned) {
      detail::path_notes notes{};
      note_failure(in, notes);
      if (notes.last != nullptr) {
        if (r.field.data() != notes.last->data()) {
          notes.way += ".";
          notes.way += r.field;
        }
        return notes.way;
      }
    }
    return r.field;
  }

  // Encodes `s` to the front of `out`, which must not overlap the bytes of views in `s`. Padding
  // becomes zero. After an error (no_space, does_not_fit, count_mismatch, invalid_value), nothing
  // was written, and `used` and `field` locate the failing field. Exception: a checksum that does
  // not fit is detected only after the whole record was written.
  TRACECODEC_INLINE static constexpr result encode(const value_type& s,
                                                   std::span<byte> out) noexcept {
    if constexpr (fixed && !sections::computes) {
      if (const errc e = sections::check(s); e != errc::ok) [[unlikely]]
        return sections::refused(s, e);
      if (out.size() < size) [[unlikely]]
        return sections::no_space(s, out.size());
      store(s, out.data());
      return {size};
    } else {
      return sections::encode(s, out);
    }
  }

  // Encodes only the first section, for callers that write the rest in pieces. The members must fit
  // their fields.
  TRACECODEC_INLINE static constexpr void store_front(const value_type& s,
                                                      std::span<byte, front_size> out) noexcept
      requires(front_size != 0) {
    only::store(s, out.data(), {});
  }

  // Returns the number of bytes that encode writes for `s`.
  static constexpr std::size_t extent(const value_type& s) noexcept {
    return static_cast<std::size_t>(
        with_computed(s, [](const value_type& whole) { return sections::written(whole); }));
  }

  // Calls f(name, member) for each field in wire order, skipping absent conditional fields.
  template <class F> static constexpr void walk(const value_type& s, F&& f) { walk_present(s, f); }
  template <class F> static constexpr void walk(value_type& s, F&& f) { walk_present(s, f); }

  // Calls f(field_info, member, present) for each field in wire order. field_info holds facts that
  // are known at compile time. The calls include absent fields, whose members have no meaning.
  template <class F>
  TRACECODEC_INLINE static constexpr void walk_fields(const value_type& s, F&& f) {
    sections::walk(s, f);
  }
  // Calls f(field_info, member, false) for each field, without a record and without evaluating
  // conditions.
  template <class F> static constexpr void walk_absent(F&& f) {
    const value_type nothing{};
    sections::walk(nothing, f, false);
  }

  // Returns only member `M`, decoded from a fixed-size record. A record of varying size must begin
  // with a fixed-size section that holds `M`.
  template <auto M>
  TRACECODEC_INLINE static constexpr auto get(std::span<const byte, front_size> in) noexcept
      requires(front_size != 0) {
    static_assert(only::template has<M>, "no field of this record holds that member");
    return only::template get<M>(in.data());
  }
  // Decodes member `M` directly into `to`, which saves a copy of a large array.
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& to,
                                                   std::span<const byte, front_size> in) noexcept
      requires(front_size != 0) {
    static_assert(only::template has<M>, "no field of this record holds that member");
    only::template get_into<M>(to, in.data());
  }
  // Offset of member `M` in bytes from the start of the record.
  template <auto M> static constexpr std::size_t offset_of = only::template offset_of<M>;
  // Wire type of the bytes that hold member `M`: the shared word for a bit slice, otherwise the
  // field's wire type.
  template <auto M> using word_of =
      typename front::template item<front::item_of(name_of<M>)>::codec;
  // Position of bit slice `M` in its word, as constants.
  template <auto M> static constexpr slice slice_of =
      front::template item<front::item_of(name_of<M>)>::slice_of(name_of<M>, offset_of<M>);

  // Returns the layout table: a std::array of layout_row in wire order.
  static constexpr auto layout() noexcept {
    constexpr std::size_t n = [] {
      detail::row_list counting;
      describe(counting, {});
      return counting.n;
    }();
    std::array<layout_row, n> rows{};
    detail::row_list list{rows.data()};
    describe(list, {});
    return rows;
  }

  // Decodes the record as a field of another record, from `size` bytes at `p`. store() does the
  // reverse and requires a value for which fits() returns true.
  TRACECODEC_INLINE static constexpr value_type load(const byte* p) noexcept requires fixed {
    value_type s{};
    load_into(s, p);
    return s;
  }
  TRACECODEC_INLINE static constexpr void store(const value_type& s,
                                                byte* p) noexcept requires fixed {
    if constexpr (sections::computes) {
      static_cast<void>(sections::encode(s, {p, size}));
      return;
    }
    if constexpr (object_layout) {
      if (!std::is_constant_evaluated()) {
        std::memcpy(p, &s, size);
        only::zero_gaps(p);
        return;
      }
    }
    only::store(s, p, {});
  }
  static constexpr bool fits(const value_type& s) noexcept { return refusal(s) == errc::ok; }
  // Returns the error for a record that cannot be written, otherwise ok. (The encode function of an
  // enclosing record names only the field that holds this record.)
  static constexpr errc check(const value_type& s) noexcept requires fixed { return refusal(s); }
  static constexpr void describe(detail::row_list& list, layout_row r) noexcept {
    if (!r.name.view().empty()) r.name += ".";
    sections::describe(list, r);
  }
  static constexpr text type_name() noexcept { return std::string_view("record"); }

  // Returns ok if decode accepts the fixed-size record at `p`, otherwise the error. refused()
  // returns the field that failed.
  static constexpr errc accepts(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    return sections::decode({p, size}, s).error;
  }
  static constexpr detail::failure refused(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    const scan_result r = sections::scan(s, {p, size});
    return {r.at, r.field};
  }

  // Interface of a variable-length field (scan.hpp). `answer` holds the evaluated counts and
  // conditions.
  using answer = typename sections::answer;
  TRACECODEC_INLINE static constexpr scan_result scan(
      value_type& s, std::span<const byte> in) noexcept requires scanned {
    return sections::scan(s, {in.data(), in.size()});
  }
  template <class Notes>
  static constexpr void note_failure(std::span<const std::byte> in,
                                     Notes& notes) noexcept requires scanned {
    value_type s{};
    static_cast<void>(sections::scan(s, 0, {in.data(), in.size()}, notes));
  }
  static constexpr errc prepare(const value_type& s, answer& a) noexcept requires scanned {
    if constexpr (sections::computes) {
      value_type whole = s;
      if (sections::complete(whole).field != nullptr) return errc::does_not_fit;
      return detail::to_caller(sections::prepare(whole, a));
    } else {
      return detail::to_caller(sections::prepare(s, a));
    }
  }
  static constexpr std::uint64_t written(const value_type& s,
                                         const answer& a) noexcept requires scanned {
    return with_computed(s, [&](const value_type& whole) {
      detail::no_notes none{};
      return sections::written(whole, a, 0, none);
    });
  }
  TRACECODEC_INLINE static constexpr byte* store(const value_type& s, byte* p,
                                                 const answer& a) noexcept requires scanned {
    return with_computed(s, [&](const value_type& whole) {
      byte* const end = sections::store(whole, p, a, p);
      static_cast<void>(sections::finish(whole, {p, static_cast<std::size_t>(end - p)}));
      return end;
    });
  }

 private:
  TRACECODEC_INLINE static constexpr errc refusal(const value_type& s) noexcept {
    if constexpr (sections::computes) {
      value_type whole = s;
      return sections::complete(whole).field != nullptr ? errc::does_not_fit
                                                        : sections::check(whole);
    } else {
      return sections::check(s);
    }
  }
  template <class F>
  TRACECODEC_INLINE static constexpr auto with_computed(const value_type& s, F&& f) noexcept {
    if constexpr (sections::computes) {
      value_type whole = s;
      static_cast<void>(sections::complete(whole));
      return f(whole);
    } else {
      return f(s);
    }
  }
  template <class S, class F> static constexpr void walk_present(S& s, F&& f) {
    const auto one = [&f](auto info, auto& member, bool present) {
      if (present) f(info.name, member);
    };
    sections::walk(s, one);
  }
  TRACECODEC_INLINE static constexpr void load_into(value_type& s, const byte* p) noexcept {
    if constexpr (object_layout) {
      if (!std::is_constant_evaluated()) {
        // Takes 19 instructions for a ChampSim record, instead of 27 for field-by-field loads.
        std::memcpy(&s, p, size);
        return;
      }
    }
    only::load(s, p, {});
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/when.hpp
// Conditional items: present only if a predicate on the record is true.

namespace tracecodec::wire {

// Condition that member `P` is at least `Least`.
template <auto P, auto Least> struct at_least_t {
  template <class S> constexpr bool operator()(const S& s) const noexcept {
    return !(s.*P < static_cast<member_t<P>>(Least));
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return Place::earlier(name_of<P>);
  }
  static constexpr std::string_view member = name_of<P>;
  static constexpr auto least = Least;
};
template <auto P, auto Least> inline constexpr at_least_t<P, Least> at_least{};

namespace detail {
// Conditional items that are read together. `Inside` is their bound section.
template <auto Pred, class Inside> struct bound_when {
  static constexpr bool fixed = false;
  static constexpr std::string_view label = Inside::labels.front();
  template <auto M> static constexpr bool has = false;

  // Evaluated condition and, if the items are present, their counts and conditions. (Counts and
  // conditions of absent items are not evaluated.)
  struct answer {
    typename Inside::answer inside;
    bool present;
  };
  template <class S> TRACECODEC_INLINE static constexpr answer ask(const S& s) noexcept {
    if constexpr (Inside::fixed)
      return {{}, static_cast<bool>(detail::ask<Pred>(s))};
    else
      return detail::ask<Pred>(s) ? answer{Inside::ask(s), true} : answer{};
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const answer& a) noexcept {
    return a.present ? Inside::extent(a.inside) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    return detail::ask<Pred>(s) ? Inside::written(s) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                                         const answer& a) noexcept {
    return a.present ? Inside::load(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const answer& a) noexcept {
    return a.present ? Inside::store(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(const S& s, const answer& a) noexcept {
    return a.present ? Inside::check(s, a.inside) : errc::ok;
  }
  // Returns the item that does not fit. Requires that the items are present.
  template <class S>
  static constexpr failure unfit(const S& s, std::size_t at, const answer& a) noexcept {
    return Inside::unfit(s, at, a.inside);
  }
  static constexpr failure cut(std::size_t at, std::size_t room, const answer& a) noexcept {
    return Inside::cut(at, room, a.inside);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Inside::walk(s, present && detail::ask<Pred>(s), f);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part_when<Pred>, r);
    Inside::describe(list, r);
    list.end();
  }

  using computed = sometimes_t<typename Inside::computed>;
  static constexpr bool refuses = Inside::refuses;
  template <class S> static constexpr errc accepts(const S& s, const byte* p,
                                                   const answer& a) noexcept requires refuses {
    return a.present ? Inside::accepts(s, p, a.inside) : errc::ok;
  }
  template <class S> static constexpr failure refused(const S& s, const byte* p, std::size_t at,
                                                      const answer& a) noexcept requires refuses {
    return Inside::refused(s, p, at, a.inside);
  }
  template <class Notes>
  static constexpr void note(std::size_t at, const answer& a, Notes& notes) noexcept {
    if (a.present)
      Inside::note(at, a.inside, notes);
    else if constexpr (notes_absent<Notes>)
      Inside::note_absent(at, notes);
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Inside::note_absent(at, notes);
  }
};

// Conditional items that are read one by one.
template <auto Pred, class Parts> struct bound_scanned_when {
  static constexpr bool placed = Parts::placed;
  static constexpr bool greedy = Parts::greedy;
  static constexpr bool sized = Parts::sized;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr std::string_view label = Parts::first_label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename Parts::computed>;

  struct answer {
    typename Parts::answer inside;
    bool present;
  };
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    if (detail::ask<Pred>(s)) return Parts::scan(s, at, in, notes);
    Parts::note_absent(at, notes);
    return {at};
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(const S& s, answer& a) noexcept {
    a.present = static_cast<bool>(detail::ask<Pred>(s));
    return a.present ? Parts::prepare(s, a.inside) : errc::ok;
  }
  template <class S, class Notes> static constexpr extent_type written(const S& s, const answer& a,
                                                                       extent_type at,
                                                                       Notes& notes) noexcept {
    if (a.present) return Parts::written(s, a.inside, at, notes);
    Parts::note_absent(static_cast<std::size_t>(at), notes);
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte* begin) noexcept {
    return a.present ? Parts::store(s, p, a.inside, begin) : p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Parts::unfit_at(s, at);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Parts::walk(s, f, present && detail::ask<Pred>(s));
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part_when<Pred>, r);
    Parts::describe(list, r);
    list.end();
  }
};

template <class Policy, class... Items> consteval bool depend_on_each_other() {
  if constexpr (several<typename split_any<Policy, Items...>::type>)
    return (item_depends_on<Items, section<Items...>>() || ...);
  else
    return false;
}
// True if the items are read one by one: an item has a variable length, or a count or condition of
// an item may depend on another of the items.
template <class Policy, class... Items> inline constexpr bool in_steps =
    (scanned_item<Policy, Items> || ...) || depend_on_each_other<Policy, Items...>();

template <auto Pred, class Policy, class... Items> struct when_of {
  using type =
      bound_when<Pred, bound_section<Policy::place, typename Items::template bind<Policy>...>>;
};
template <auto Pred, class Policy, class... Items>
requires in_steps<Policy, Items...>
struct when_of<Pred, Policy, Items...> {
  using type = bound_scanned_when<Pred, parts_t<Policy, Items...>>;
};
// Order check of conditional items. Items that are read together may depend only on members before
// all of them. Items that are read one by one may also depend on earlier items among them.
template <class Place, class... Items> struct when_in_order;
template <class S, class Policy, class Earlier, class Unread, class... Items>
struct when_in_order<place<S, Policy, Earlier, Unread>, Items...> {
  using here = place<S, Policy, Earlier, Unread>;
  static constexpr bool value = (detail::depends_on_earlier<Items, here>() && ...);
};
template <class S, class Policy, class Earlier, class Unread, class... Items>
requires in_steps<Policy, Items...>
struct when_in_order<place<S, Policy, Earlier, Unread>, Items...>
    : parts_in_order<place<S, Policy, Earlier, Unread>, Items...> {
};
}  // namespace detail

// Conditional `Items`, present only if `Pred` is true. `Pred` (&S::member, &S::function or a
// callable) is evaluated once, on the members that were read before the section of `Items`. If the
// items are absent, decode leaves their members unchanged.
template <auto Pred, class... Items> struct when {
  using owner = detail::first_owner<typename Items::owner...>;
  template <class Policy> using bind = typename detail::when_of<Pred, Policy, Items...>::type;
  static consteval int mentions(std::string_view member) { return (Items::mentions(member) + ...); }
  static consteval int loads(std::string_view member) {
    return (detail::loads<Items>(member) + ...);
  }
  static consteval bool gives(std::string_view member) {
    return (detail::gives<Items>(member) || ...);
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Pred, Place>() && detail::when_in_order<Place, Items...>::value;
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Pred, Open>() || (detail::item_depends_on<Items, Open>() || ...);
  }
};

// Items that later versions add: present if member `Version` is at least `First`.
template <auto Version, auto First, class... Items> struct since
    : when<at_least<Version, First>, Items...> {};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/record.hpp
// Records (plain_record.hpp) with bit slices and conditions, which most descriptions use.

// ---- tracecodec/wire/rules/constant.hpp
// Restrictions of values: constant, literal, valid, one_of and in_range. decode rejects values that
// violate a restriction, and the error names the field and its offset.

namespace tracecodec::wire {

namespace detail {
// Constant as a template argument: a number, an enumerator, or the characters of a text
// without its NUL.
template <class T> struct constant_value {
  T value{};
  consteval constant_value(T v) : value(v) {}
  template <std::size_t N>
  consteval constant_value(const char (&s)[N]) requires std::is_same_v<T, std::array<char, N - 1>> {
    for (std::size_t i = 0; i + 1 < N; ++i) value[i] = s[i];
  }
};
template <class T> constant_value(T) -> constant_value<T>;
template <std::size_t N> constant_value(const char (&)[N])
    -> constant_value<std::array<char, N - 1>>;

// Returns the constant as a value of a member's type.
template <class M, class T> consteval M as_member(const T& v) {
  if constexpr (is_std_array<T>) {
    static_assert(is_std_array<M> && std::tuple_size_v<M> == std::tuple_size_v<T>,
                  "a constant text needs a std::array of as many characters");
    M m{};
    for (std::size_t i = 0; i < v.size(); ++i)
      m[i] = static_cast<typename M::value_type>(static_cast<unsigned char>(v[i]));
    return m;
  } else {
    static_assert(!is_std_array<M>, "a constant of an array is a text");
    return static_cast<M>(v);
  }
}

// Returns true if a member of type `M` can hold the number or text `v`.
template <class M, class T> consteval bool can_have(const T& v) {
  if constexpr (is_std_array<T>) {
    if constexpr (is_std_array<M>)
      return std::tuple_size_v<M> == std::tuple_size_v<T>;
    else
      return false;
  } else if constexpr (is_std_array<M>) {
    return false;
  } else if constexpr ((std::is_integral_v<M> || std::is_enum_v<M>)&&(std::is_integral_v<T> ||
                                                                      std::is_enum_v<T>)) {
    const auto n = static_cast<integer_t<T>>(v);
    const auto m = static_cast<integer_t<M>>(static_cast<M>(v));
    return static_cast<integer_t<T>>(m) == n && (m < integer_t<M>{}) == (n < integer_t<T>{});
  } else {
    return true;
  }
}
// Compile errors about the values of a member. g++ prints the member's name first, clang prints the
// message first.
template <class Name> struct this_member_cannot_have_its_value {
  static_assert(never<Name>,
                "a constant, a value of one_of<> or an end of in_range<> does not fit the member's "
                "type; the constant of a std::array is a text of as many characters");
  static constexpr bool good = true;
};
template <class Name> struct this_member_has_an_empty_range {
  static_assert(never<Name>, "in_range<> extends from the least value to the greatest");
  static constexpr bool good = true;
};
template <class Name> struct this_member_has_a_predicate_of_something_else {
  static_assert(never<Name>, "the predicate of valid<> must accept the member's value");
  static constexpr bool good = true;
};
template <class Access, auto... V> consteval bool values_are_good() {
  if constexpr ((can_have<typename Access::type>(V) && ...))
    return true;
  else
    return this_member_cannot_have_its_value<quoted_t<label_of<Access>>>::good;
}
template <class Access, auto Least, auto Most> consteval bool range_is_good() {
  if constexpr (!values_are_good<Access, Least, Most>())
    return true;
  else if constexpr (static_cast<typename Access::type>(Most) <
                     static_cast<typename Access::type>(Least))
    return this_member_has_an_empty_range<quoted_t<label_of<Access>>>::good;
  else
    return true;
}
template <class Access, class Pred> consteval bool predicate_is_good() {
  if constexpr (std::is_invocable_r_v<bool, const Pred&, const typename Access::type&>)
    return true;
  else
    return this_member_has_a_predicate_of_something_else<quoted_t<label_of<Access>>>::good;
}

// Returns a constant as text: its characters, or its number in digits.
template <class T> constexpr text text_of(const T& v) noexcept {
  text t{};
  if constexpr (is_std_array<T>) {
    t += std::string_view(v.data(), v.size());
  } else {
    const auto n = static_cast<integer_t<T>>(v);
    if (n < 0) t += "-";
    t += static_cast<std::size_t>(n < 0 ? -n : n);
  }
  return t;
}

// Constant in the form in which emitters (emit/) read it.
template <auto V> struct constant_values {
  static constexpr std::array<text, 1> number{number_text(V.value)};
  static constexpr layout_values value = [] {
    layout_values v{values_are::constant, {}, {}};
    if constexpr (is_std_array<std::remove_cvref_t<decltype(V.value)>>)
      v.chars = std::string_view(V.value.data(), V.value.size());
    else if (number[0].length != 0)
      v.numbers = number;
    return v;
  }();
};
// Values that `Pred` allows, if `Pred` lists them.
template <auto Pred> inline constexpr layout_values values_of = [] {
  if constexpr (requires { Pred.values; })
    return Pred.values;
  else
    return layout_values{};
}();

template <class Access, class W, auto V> struct bound_constant : bound_field<Access, W> {
  using base = bound_field<Access, W>;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &constant_values<V>::value;
    base::describe(list, r);
  }
  static constexpr typename Access::type expected = as_member<typename Access::type>(V.value);
  // False, because an object may hold a value other than the constant.
  static constexpr bool object_bytes = false;
  static constexpr std::size_t constant_bytes = W::size;
  static constexpr text constant_text() noexcept { return text_of(V.value); }
  static constexpr bool refuses = true;
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S&, byte* p) noexcept {
    W::store(static_cast<typename W::value_type>(expected), p);
    return p + base::size;
  }
  template <class S> static constexpr errc check(const S&) noexcept { return errc::ok; }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte*) noexcept {
    return Access::of(s) == expected ? errc::ok : errc::invalid_value;
  }
  template <class S>
  static constexpr failure refused(const S&, const byte*, std::size_t at) noexcept {
    return {at, &base::label};
  }
};

// Constant whose length is stored in its own bytes.
template <class Access, scanned_type W, auto V> struct bound_constant<Access, W, V>
    : bound_scanned_field<Access, W> {
  using base = bound_scanned_field<Access, W>;
  static constexpr typename Access::type expected = as_member<typename Access::type>(V.value);
  static_assert(W::check(expected) == errc::ok, "the constant does not fit its field");
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &constant_values<V>::value;
    base::describe(list, r);
  }
  static constexpr text constant_text() noexcept { return text_of(V.value); }
  using typename base::answer;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const scan_result r = base::scan(s, at, in, notes);
    if (r.error != errc::ok || Access::of(s) == expected) return r;
    return {at, errc::invalid_value, &base::label};
  }
  template <class S> static constexpr errc prepare(const S&, answer&) noexcept { return errc::ok; }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, answer, extent_type, Notes&) noexcept {
    return W::written(expected);
  }
  template <class S> static constexpr byte* store(const S&, byte* p, answer, const byte*) noexcept {
    return W::store(expected, p);
  }
};

// Field `Base` whose values must satisfy `Pred`.
template <class Base, class Access, auto Pred> struct bound_valid : Base {
  static constexpr bool refuses = true;
  template <class S> static constexpr bool allowed(const S& s) noexcept {
    constexpr auto pred = Pred;
    return static_cast<bool>(pred(Access::of(s)));
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    const errc e = Base::check(s);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p) noexcept {
    const errc e = Base::accepts(s, p);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &values_of<Pred>;
    Base::describe(list, r);
  }
};
template <class Base, class Access, auto Pred>
requires scanned_type<Base>
struct bound_valid<Base, Access, Pred> : Base {
  using typename Base::answer;
  template <class S> static constexpr bool allowed(const S& s) noexcept {
    constexpr auto pred = Pred;
    return static_cast<bool>(pred(Access::of(s)));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const scan_result r = Base::scan(s, at, in, notes);
    return r.error != errc::ok || allowed(s) ? r
                                             : scan_result{at, errc::invalid_value, &Base::label};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    const errc e = Base::prepare(s, a);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &values_of<Pred>;
    Base::describe(list, r);
  }
};

// Listed values in the form in which emitters (emit/) read them. Omitted if a value cannot be
// written in digits.
template <values_are Are, auto... V> struct listed_values {
  static constexpr std::array<text, sizeof...(V)> numbers{number_text(V)...};
  static constexpr layout_values values =
      ((number_text(V).length != 0) && ...) ? layout_values{Are, numbers, {}} : layout_values{};
};
template <auto... V> struct is_one_of_t : listed_values<values_are::one_of, V...> {
  template <class M> constexpr bool operator()(const M& m) const noexcept {
    return ((m == static_cast<M>(V)) || ...);
  }
};
template <auto... V> inline constexpr is_one_of_t<V...> is_one_of{};
template <auto Least, auto Most> struct is_in_range_t
    : listed_values<values_are::range, Least, Most> {
  template <class M> constexpr bool operator()(const M& m) const noexcept {
    return !(m < static_cast<M>(Least)) && !(static_cast<M>(Most) < m);
  }
};
template <auto Least, auto Most> inline constexpr is_in_range_t<Least, Most> is_in_range{};
}  // namespace detail

// Member `P` with the constant value `V`: a number, an enumerator, or a text for a std::array of
// characters or bytes. encode writes `V`, whatever the member holds. decode rejects any other value
// with invalid_value. `W` is specified as for field, and may be a varint.
template <auto P, detail::constant_value V, class W = member_t<P>> struct constant : field<P, W> {
  static_assert(detail::values_are_good<detail::by_pointer<P>, V.value>());
  template <class Policy> using bind =
      detail::bound_constant<detail::by_pointer<P>, infer_t<W, Policy>, V>;
};

// Constant text without a member: the characters of `V`.
template <detail::constant_value V> struct literal {
  static constexpr auto expected = [] {
    std::array<byte, V.value.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<byte>(V.value[i]);
    return all;
  }();
  using owner = void;
  static constexpr bool fixed = true;
  static constexpr bool refuses = true;
  static constexpr std::size_t size = expected.size();
  static constexpr std::size_t constant_bytes = size;
  static constexpr text constant_text() noexcept { return detail::text_of(V.value); }
  static constexpr std::size_t alignment = 1;
  static constexpr bool object_bytes = false;
  static constexpr std::string_view label = literal_name;
  template <auto> static constexpr bool has = false;
  static consteval int mentions(std::string_view) { return 0; }
  template <class> using bind = literal;
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S&, const byte* p) noexcept {
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S&, byte* p) noexcept {
    copy(expected.data(), p, size);
    return p + size;
  }
  template <class S> static constexpr errc check(const S&) noexcept { return errc::ok; }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&, const byte* p) noexcept {
    for (std::size_t i = 0; i < size; ++i)
      if (p[i] != expected[i]) return errc::invalid_value;
    return errc::ok;
  }
  template <class S, class F> static constexpr void walk(S&, bool, F&&) {}
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.size = size;
    r.values = &detail::constant_values<V>::value;
    list.add(r);
  }
};

// Member `P` whose value must satisfy `Pred`, a callable that takes the value. decode and encode
// reject other values with invalid_value. `W` is specified as for field.
template <auto P, auto Pred, class W = member_t<P>> struct valid : field<P, W> {
  static_assert(detail::predicate_is_good<detail::by_pointer<P>, decltype(Pred)>());
  template <class Policy> using bind =
      detail::bound_valid<typename field<P, W>::template bind<Policy>, detail::by_pointer<P>, Pred>;
};
// Member `P` whose value must be one of `Values`.
template <auto P, auto... Values> struct one_of : valid<P, detail::is_one_of<Values...>> {
  static_assert(detail::values_are_good<detail::by_pointer<P>, Values...>());
};
// Member `P` whose value must be at least `Least` and at most `Most`.
template <auto P, auto Least, auto Most, class W = member_t<P>> struct in_range
    : valid<P, detail::is_in_range<Least, Most>, W> {
  static_assert(detail::range_is_good<detail::by_pointer<P>, Least, Most>());
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/limited.hpp
// Parts of a record whose end is defined by a size or by the end of the input: limited, rest,
// skip_rest, if_left and align.

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

// ---- tracecodec/wire/rules/choice.hpp
// Choice between several parts by a tag that decode has read before.

namespace tracecodec::wire {

namespace detail {
// Common base class of alternatives.
template <class... Items> struct alternative_of : with_parts<Items...> {
  static constexpr bool matches_all = false;
  template <class Policy> using parts = parts_t<Policy, Items...>;
  template <class Place> static constexpr bool in_order = parts_in_order<Place, Items...>::value;
  static constexpr bool empty = sizeof...(Items) == 0;
  using items = type_list<Items...>;
};
}  // namespace detail

// Alternatives of a choice. on<> matches if the tag is `Value`, which is specified as in
// constant<>. on_range<> matches tags from `First` to `Last`. otherwise<> matches every tag.
template <detail::constant_value Value, class... Items> struct on
    : detail::alternative_of<Items...> {
  static constexpr auto value = Value.value;
  static constexpr layout_part part{part_of::on,
                                    {},
                                    detail::number_text(Value.value),
                                    detail::constant_values<Value>::value.chars,
                                    {}};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    static_assert(detail::can_have<Tag>(Value.value),
                  "the value of an on<> does not fit the tag's type");
    constexpr Tag expected = detail::as_member<Tag>(Value.value);
    return tag == expected;
  }
};
template <auto First, auto Last, class... Items> struct on_range
    : detail::alternative_of<Items...> {
  static_assert(!(Last < First), "the range of tags is empty: the first is above the last");
  static constexpr layout_part part{
      part_of::on, {}, detail::number_text(First), {}, detail::number_text(Last)};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    return detail::is_in_range<First, Last>(tag);
  }
};
template <class... Items> struct otherwise : detail::alternative_of<Items...> {
  static constexpr bool matches_all = true;
  static constexpr layout_part part{part_of::otherwise, {}, {}, {}};
  template <class Tag> static constexpr bool matches(const Tag&) noexcept { return true; }
};

namespace detail {
// Compile errors about the alternatives of a choice. g++ prints the tag's name first, clang prints
// the message first.
template <class Name> struct this_choice_has_something_else {
  static_assert(never<Name>,
                "the alternatives of a choice are on<value, items...>, on_range<first, last, "
                "items...> and, as the last one, otherwise<items...>");
  static constexpr bool good = true;
};
template <class Name> struct this_choice_has_a_value_twice {
  static_assert(never<Name>, "two alternatives of a choice are for the same value");
  static constexpr bool good = true;
};
template <class A, class B> consteval bool same_value() {
  if constexpr (!requires { A::value == B::value; })
    return false;
  else
    return A::value == B::value;
}
template <class... A> inline constexpr bool good_alternatives = true;
template <class First, class... Rest> inline constexpr bool good_alternatives<First, Rest...> = [] {
  if constexpr (requires { First::matches_all; })
    return (!First::matches_all || sizeof...(Rest) == 0) && good_alternatives<Rest...>;
  else
    return false;
}();
template <class... A> inline constexpr bool some_value_twice = false;
template <class First, class... Rest> inline constexpr bool some_value_twice<First, Rest...> =
    (same_value<First, Rest>() || ...) || some_value_twice<Rest...>;
template <auto Tag> struct tag_label {
  static constexpr std::string_view label = [] {
    if constexpr (std::is_member_object_pointer_v<decltype(Tag)>)
      return name_of<Tag>;
    else
      return std::string_view("choice");
  }();
};
template <auto Tag, class... A> consteval bool alternatives_are_good() {
  if constexpr (!good_alternatives<A...>)
    return this_choice_has_something_else<quoted_t<label_of<tag_label<Tag>>>>::good;
  else if constexpr (some_value_twice<A...>)
    return this_choice_has_a_value_twice<quoted_t<label_of<tag_label<Tag>>>>::good;
  else
    return true;
}

// Parts of an alternative without items. All functions do nothing.
struct no_parts {
  static constexpr bool placed = false;
  static constexpr bool sized = false;
  static constexpr bool greedy = false;
  struct answer {};
  using computed = type_list<>;
  template <class S, class Notes>
  static constexpr scan_result scan(S&, std::size_t at, const scan_input&, Notes&) noexcept {
    return {at};
  }
  template <class S> static constexpr errc prepare(const S&, answer&) noexcept { return errc::ok; }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, const answer&, extent_type, Notes&) noexcept {
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, const answer&, const byte*) noexcept {
    return p;
  }
  template <class S> static constexpr failure unfit_at(const S&, std::size_t at) noexcept {
    return {at};
  }
  template <class Notes> static constexpr void note_absent(std::size_t, Notes&) noexcept {}
  template <class S, class F> static constexpr void walk(S&, F&, bool) {}
  static constexpr void describe(row_list&, const layout_row&) {}
};
template <class... X> struct appended<bound_sections<X...>, no_parts> {
  using type = bound_sections<X...>;
};
template <class Policy, class On> struct parts_of { using type = no_parts; };
template <class Policy, class On>
requires(!On::empty) struct parts_of<Policy, On> {
  using type = typename On::template parts<Policy>;
};

template <class On, class Parts> struct alternative {
  using on = On;
  using parts = Parts;
  static constexpr void describe(row_list& list, const layout_row& r) {
    list.begin(On::part, r);
    Parts::describe(list, r);
    list.end();
  }
};

template <auto Tag, class... A> struct bound_choice {
  static constexpr bool placed = (A::parts::placed || ...);
  static constexpr bool sized = (A::parts::sized || ...);
  static constexpr bool greedy = (A::parts::greedy || ...);
  static constexpr bool is_choice = true;
  static constexpr bool fixed = false;
  static constexpr bool scanned = true;
  static constexpr std::string_view label = tag_label<Tag>::label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename joined<typename A::parts::computed...>::type>;

  using indices = std::index_sequence_for<A...>;
  // Chosen alternative, with its evaluated counts and conditions. `size` is set unless the size
  // depends on the offset of the part in its record.
  struct answer {
    std::size_t chosen;
    extent_type size;
    answers_of<indices, typename A::parts...> inside;
  };

  // Returns f(std::type_identity<parts>) for the alternative that the tag selects, or none() if no
  // alternative matches. The tag is evaluated once.
  template <class S, class F, class None>
  TRACECODEC_INLINE static constexpr auto with_chosen(const S& s, F&& f, None&& none) noexcept {
    return with_chosen_of<A...>(detail::ask<Tag>(s), f, none);
  }

  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr scan_result scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const auto tag = detail::ask<Tag>(s);
    // All items are noted as absent first. The scan below notes the present items again.
    note_absent(at, notes);
    scan_result r{at, unknown_tag, &label};
    static_cast<void>(
        ((A::on::matches(tag) && (r = A::parts::scan(s, at, in, notes), true)) || ...));
    return r;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    if constexpr (notes_absent<Notes>) (A::parts::note_absent(at, notes), ...);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a) noexcept {
    return prepare(s, a, detail::ask<Tag>(s), indices{});
  }
  template <class S, class Notes> static constexpr extent_type written(const S& s, const answer& a,
                                                                       extent_type at,
                                                                       Notes& notes) noexcept {
    if constexpr (!placed && !Notes::wanted) return a.size;
    note_absent(static_cast<std::size_t>(at), notes);
    extent_type n = 0;
    with(a, indices{}, [&]<class X>(std::type_identity<X>, const auto& inside) {
      n = X::written(s, inside, at, notes);
    });
    return n;
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const answer& a, const byte* begin) noexcept {
    with(a, indices{}, [&]<class X>(std::type_identity<X>, const auto& inside) {
      p = X::store(s, p, inside, begin);
    });
    return p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    answer a{};
    a.chosen = index_of(detail::ask<Tag>(s), indices{});
    with(a, indices{},
         [&]<class X>(std::type_identity<X>, const auto&) { r = X::unfit_at(s, at); });
    return r;
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    const std::size_t chosen = present ? index_of(detail::ask<Tag>(s), indices{}) : sizeof...(A);
    std::size_t i = 0;
    (A::parts::walk(s, f, chosen == i++), ...);
  }
  static constexpr layout_part part{part_of::choice, member_asked<Tag>, {}, {}};
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part, r);
    (A::describe(list, r), ...);
    list.end();
  }

 private:
  template <class First, class... Rest, class T, class F, class None>
  TRACECODEC_INLINE static constexpr auto with_chosen_of(const T& tag, F& f, None& none) noexcept {
    if (First::on::matches(tag)) return f(std::type_identity<typename First::parts>{});
    if constexpr (sizeof...(Rest) != 0)
      return with_chosen_of<Rest...>(tag, f, none);
    else
      return none();
  }
  template <class S, class T, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, answer& a, const T& tag,
                                                  std::index_sequence<I...>) noexcept {
    errc e = errc::invalid_value;
    const auto one = [&]<class X>(std::type_identity<X>, std::size_t i, auto& inside)
        __attribute__((always_inline)) {
      a.chosen = i;
      e = X::prepare(s, inside);
      no_notes none{};
      if constexpr (!placed) a.size = X::written(s, inside, 0, none);
      return true;
    };
    static_cast<void>(((A::on::matches(tag) &&
                        one(std::type_identity<typename A::parts>{}, I, answer_at<I>(a.inside))) ||
                       ...));
    return e;
  }
  template <class T, std::size_t... I>
  static constexpr std::size_t index_of(const T& tag, std::index_sequence<I...>) noexcept {
    std::size_t at = sizeof...(A);
    static_cast<void>(((A::on::matches(tag) && (at = I, true)) || ...));
    return at;
  }
  template <class Answer, class F, std::size_t... I>
  TRACECODEC_INLINE static constexpr void with(Answer& a, std::index_sequence<I...>,
                                               F&& f) noexcept {
    static_cast<void>(
        ((a.chosen == I &&
          (f(std::type_identity<typename A::parts>{}, answer_at<I>(a.inside)), true)) ||
         ...));
  }
};
}  // namespace detail

// Choice of one alternative among on<value, items...>, on_range<first, last, items...> and
// otherwise<items...>. `Tag` (&S::member, &S::function or a callable) selects the first alternative
// that matches. Members of the other alternatives keep their values. If no alternative matches the
// tag, the error is invalid_value.
template <auto Tag, class... Alternatives> struct choice {
  static_assert(detail::alternatives_are_good<Tag, Alternatives...>());
  using owner = detail::first_owner<typename Alternatives::owner...>;
  template <class Policy> using bind = detail::bound_choice<
      Tag,
      detail::alternative<Alternatives, typename detail::parts_of<Policy, Alternatives>::type>...>;
  // Returns the largest number of mentions in one alternative, because a member may appear in
  // several alternatives.
  static consteval int mentions(std::string_view member) {
    int most = 0;
    ((most = Alternatives::mentions(member) > most ? Alternatives::mentions(member) : most), ...);
    return most;
  }
  static consteval int loads(std::string_view member) {
    return (Alternatives::loads(member) + ...);
  }
  static consteval bool gives(std::string_view member) {
    return (Alternatives::gives(member) || ...);
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Tag, Place>() && (Alternatives::template in_order<Place> && ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/chosen.hpp
// Records whose choice (choice.hpp) is already made: one description yields a record type for each
// alternative.

namespace tracecodec::wire {

namespace detail {
template <auto Value> struct no_alternative_has_this_tag {
  static_assert(never<constant_type<Value>>, "no alternative of the choice has that tag");
  static constexpr std::size_t value = 0;
};
template <auto M> struct no_alternative_has_this_member {
  static_assert(never<constant_type<M>>, "no alternative of the choice has that member");
  static constexpr std::size_t value = 0;
};

// Placeholder without bytes for the members that only other alternatives have.
struct nothing_there : padding<0> {
  static constexpr void describe(row_list&, layout_row) {}
};
template <class Chosen, class... Alternatives> struct left_out {
  using owner = void;
  template <class> using bind = nothing_there;
  static consteval int mentions(std::string_view member) {
    return Chosen::mentions(member) == 0 && (Alternatives::mentions(member) + ...) != 0 ? 1 : 0;
  }
  static consteval int loads(std::string_view) { return 0; }
};

// Choice among the items of a record, with the items before and after the choice.
template <class Before, class... Items> struct choice_of;
template <class... Before, auto Tag, class... A, class... Behind>
struct choice_of<type_list<Before...>, choice<Tag, A...>, Behind...> {
  using owner = first_owner<typename Before::owner..., typename A::owner...>;
  using tag_type = std::remove_cvref_t<decltype(detail::ask<Tag>(std::declval<const owner&>()))>;

  // Number of alternatives. `of_tag` is the index of the first alternative that a tag selects.
  // `with_member` marks the alternatives that have a member.
  static constexpr std::size_t count = sizeof...(A);
  static constexpr std::size_t first(std::array<bool, count> fits) noexcept {
    std::size_t i = 0;
    while (i != count && !fits[i]) ++i;
    return i;
  }
  template <auto Value>
  static constexpr std::size_t of_tag = first({A::matches(as_member<tag_type>(Value.value))...});
  template <auto M>
  static constexpr std::array<bool, count> with_member{A::mentions(name_of<M>) != 0 ...};

  template <class Chosen, class... Items> static auto with(type_list<Items...>)
      -> fields<Before..., left_out<Chosen, A...>, Items..., Behind...>;
  template <std::size_t I> using alternative = std::tuple_element_t<I, std::tuple<A...>>;
  template <std::size_t I> using fields_of =
      decltype(with<alternative<I>>(typename alternative<I>::items{}));

  template <auto M> TRACECODEC_INLINE static constexpr bool has(const tag_type& tag) noexcept {
    bool found = false;
    static_cast<void>(((A::matches(tag) && (found = A::mentions(name_of<M>) != 0, true)) || ...));
    return found;
  }
};
template <class... Before, class Next, class... Behind>
struct choice_of<type_list<Before...>, Next, Behind...>
    : choice_of<type_list<Before..., Next>, Behind...> {};

template <class Record> struct record_with_choice;
template <class... Items, order O, placement P, target T>
struct record_with_choice<record<fields<Items...>, O, P, T>> : choice_of<type_list<>, Items...> {
  template <class What> using like = record<What, O, P, T>;
};

// Description in which the choice is made. (A named type, because the equivalent fields<...> has a
// long name.)
template <class Record, std::size_t I> struct choice_made;
template <class Record, std::size_t I, class Policy>
struct described<choice_made<Record, I>, Policy>
    : described<typename record_with_choice<Record>::template fields_of<I>, Policy> {};
template <class Record, std::size_t I> struct value_described<choice_made<Record, I>>
    : value_of<Record> {};
template <class Record, std::size_t I> using made =
    typename record_with_choice<Record>::template like<choice_made<Record, I>>;

template <class Record, auto Value> inline constexpr std::size_t index_of_tag = [] {
  using choice = record_with_choice<Record>;
  constexpr std::size_t i = choice::template of_tag<Value>;
  if constexpr (i == choice::count)
    return no_alternative_has_this_tag<Value.value>::value;
  else
    return i;
}();
template <class Record, auto M> inline constexpr std::size_t index_of_member = [] {
  using choice = record_with_choice<Record>;
  constexpr std::size_t i = choice::first(choice::template with_member<M>);
  if constexpr (i == choice::count)
    return no_alternative_has_this_member<M>::value;
  else
    return i;
}();

// Offset of member `M` if the front contains it, otherwise the offset of the front's end.
template <class Made, auto M> inline constexpr std::size_t begin_of = [] {
  if constexpr (Made::front::template has<M>)
    return Made::template offset_of<M>;
  else
    return Made::front_size;
}();
// Returns true if alternative `I` has member `M` at the same offset as the first alternative with
// `M`, or does not have `M`.
template <class Record, auto M, std::size_t I> consteval bool in_its_place() {
  if constexpr (record_with_choice<Record>::template with_member<M>[I])
    return begin_of<made<Record, I>, M> == begin_of<made<Record, index_of_member<Record, M>>, M>;
  else
    return true;
}
template <class Record, auto M, std::size_t... I>
consteval bool in_one_place(std::index_sequence<I...>) {
  return (in_its_place<Record, M, I>() && ...);
}
template <class Record, auto M> struct made_for {
  static_assert(
      in_one_place<Record, M>(std::make_index_sequence<record_with_choice<Record>::count>{}),
      "the alternatives that have the member have it in different places");
  using type = made<Record, index_of_member<Record, M>>;
};
}  // namespace detail

// Record type of `Record` after its choice is made: the items of the alternative that tag `Value`
// selects replace the choice. The tag remains a field. The caller must have examined the tag.
template <class Record, detail::constant_value Value> using chosen =
    detail::made<Record, detail::index_of_tag<Record, Value>>;

// Record type of `Record` for the first alternative that has member `M`. All alternatives with `M`
// must have it at the same offset.
template <class Record, auto M> using chosen_with = typename detail::made_for<Record, M>::type;

// Returns true if a `Record` with this tag has member `M`, which belongs to one or more
// alternatives of the choice.
template <class Record, auto M> TRACECODEC_INLINE constexpr bool tag_has(
    const typename detail::record_with_choice<Record>::tag_type& tag) noexcept {
  return detail::record_with_choice<Record>::template has<M>(tag);
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/computed.hpp
// Members that are computed from other members: counts, sizes and checksums. encode writes the
// computed value, whatever the member holds. decode rejects any other value with not_as_computed.

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

// ---- tracecodec/wire/layout/engine/values_text.hpp
// Allowed values of a field, as text.

namespace tracecodec::wire::detail {

// Writes the characters of a constant as a quoted string. Quotes, backslashes, *, | and unprintable
// characters become \xNN. (A * could end a C comment.)
template <class Out> constexpr void put_quoted(Out& out, std::string_view chars) {
  constexpr std::string_view digits = "0123456789abcdef";
  out(std::string_view("\""));
  for (const char& c : chars) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= ' ' && u <= '~' && c != '"' && c != '\\' && c != '*' && c != '|') {
      out(std::string_view(&c, 1));
      continue;
    }
    out(std::string_view("\\x"));
    out(digits.substr(u >> 4, 1));
    out(digits.substr(u & 0xf, 1));
  }
  out(std::string_view("\""));
}

// Writes the allowed values: text such as "GIF8", 3, 1 or 2, 1 to 9. Writes "restricted" if a
// function checks the value, and "computed" if the value is computed from the record.
template <class Out> constexpr void put_values(Out& out, const layout_values& v) {
  const auto numbers = [&](std::string_view between) {
    for (std::size_t i = 0; i < v.numbers.size(); ++i) {
      if (i != 0) out(i + 1 == v.numbers.size() ? between : std::string_view(", "));
      out(v.numbers[i].view());
    }
  };
  if (v.are == values_are::computed)
    out(std::string_view("computed"));
  else if (v.are == values_are::constant && v.chars.data() != nullptr)
    put_quoted(out, v.chars);
  else if (v.numbers.empty())
    out(std::string_view("restricted"));
  else
    numbers(v.are == values_are::range ? std::string_view(" to ") : std::string_view(" or "));
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/table.hpp
// Layout tables as text, with the columns of a specification, or as Markdown. A sixth column
// appears if a field's values are restricted. Each list is followed by a table for its elements.

namespace tracecodec::wire {

namespace detail {
// Calls f(row) for each row of a table or of a list of nodes.
template <class F> constexpr void each_row(std::span<const layout_row> rows, F&& f) {
  for (const layout_row& r : rows) f(r);
}
template <class F> constexpr void each_row(std::span<const layout_node> nodes, F&& f) {
  for (const layout_node& n : nodes)
    if (n.is == layout_node::row_of) f(n.row);
}
template <class Rows> constexpr bool any_values(Rows rows) {
  bool any = false;
  each_row(rows, [&](const layout_row& r) { any = any || r.values != nullptr; });
  return any;
}
// Cells of a row, with the sixth cell if the table has six columns.
template <class Out> struct row_of_cells {
  table_cells cells;
  const layout_values* values;
  constexpr explicit row_of_cells(const layout_row& r) noexcept
      : cells(cells_of(r)), values(r.values) {
    if (cells[2].length == 0) cells[2] = std::string_view("(element)");
  }
  constexpr void put(std::size_t i, Out& out) const {
    if (i < 5)
      out(cells[i].view());
    else if (values != nullptr)
      put_values(out, *values);
  }
};
inline constexpr std::string_view values_header = "Values";
constexpr std::string_view header_of(std::size_t i) noexcept {
  return i < 5 ? table_header[i] : values_header;
}
// Calls f(row) for each row that is a list.
template <class Rows, class F> constexpr void each_list(Rows rows, F&& f) {
  each_row(rows, [&](const layout_row& r) {
    if (r.how != nullptr && r.how->as == read_as::list) f(r);
  });
}

template <class Rows, class Out> constexpr void print_table(Rows rows, Out& out) {
  // Returns a run of `c` that is long enough for the longest cell and the gap after it.
  constexpr auto run_of = [](char c) {
    std::array<char, text::most + 2> run{};
    for (char& r : run) r = c;
    return run;
  };
  constexpr auto spaces = run_of(' '), dashes = run_of('-');
  const std::size_t columns = any_values(rows) ? 6 : 5;
  std::array<std::size_t, 6> width{};
  for (std::size_t i = 0; i < columns; ++i) width[i] = header_of(i).size();
  each_row(rows, [&](const layout_row& r) {
    const row_of_cells<Out> c(r);
    for (std::size_t i = 0; i < 5; ++i)
      if (width[i] < c.cells[i].length) width[i] = c.cells[i].length;
  });
  // Prints a line of `cells` cells. put(i) prints cell `i`, and size(i) returns its length.
  const auto line = [&](std::size_t cells, auto&& size, auto&& put) {
    for (std::size_t i = 0; i < cells; ++i) {
      put(i);
      // Lines have no trailing blanks.
      if (i + 1 < cells) out(std::string_view(spaces.data(), width[i] - size(i) + 2));
    }
    out(std::string_view("\n"));
  };
  line(
      columns, [](std::size_t i) { return header_of(i).size(); },
      [&](std::size_t i) { out(header_of(i)); });
  line(
      columns, [&](std::size_t i) { return width[i]; },
      [&](std::size_t i) { out(std::string_view(dashes.data(), width[i])); });
  each_row(rows, [&](const layout_row& r) {
    const row_of_cells<Out> c(r);
    std::size_t cells = r.values != nullptr ? 6 : 5;
    while (cells < 6 && c.cells[cells - 1].length == 0) --cells;
    line(
        cells, [&](std::size_t i) { return std::size_t{c.cells[i].length}; },
        [&](std::size_t i) { c.put(i, out); });
  });
  each_list(rows, [&](const layout_row& r) {
    out(std::string_view("\nEach of "));
    out(r.name.view());
    out(std::string_view("\n"));
    print_table(r.how->element(), out);
  });
}

template <class Rows, class Out> constexpr void print_markdown(Rows rows, Out& out) {
  const std::size_t columns = any_values(rows) ? 6 : 5;
  const auto line = [&](auto&& put) {
    for (std::size_t i = 0; i < columns; ++i) {
      out(std::string_view("| "));
      put(i);
      out(std::string_view(" "));
    }
    out(std::string_view("|\n"));
  };
  line([&](std::size_t i) { out(header_of(i)); });
  line([&](std::size_t) { out(std::string_view("---")); });
  each_row(rows, [&](const layout_row& r) {
    const row_of_cells<Out> c(r);
    line([&](std::size_t i) { c.put(i, out); });
  });
  each_list(rows, [&](const layout_row& r) {
    out(std::string_view("\nEach of `"));
    out(r.name.view());
    out(std::string_view("`:\n\n"));
    print_markdown(r.how->element(), out);
  });
}
}  // namespace detail

// Calls out(std::string_view) with successive pieces of the table. Each line ends with '\n'.
template <class Out> constexpr void print_table(std::span<const layout_row> rows, Out&& out) {
  detail::print_table(rows, out);
}

// Calls out(std::string_view) with successive pieces of the table as Markdown.
template <class Out> constexpr void print_markdown(std::span<const layout_row> rows, Out&& out) {
  detail::print_markdown(rows, out);
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire.hpp
// The descriptor language: one description of a record generates its decoder, encoder, walk
// and table. Includes every construct of the language, except columns
// (wire/columns/columns.hpp) and checksums (io/checksum.hpp).
