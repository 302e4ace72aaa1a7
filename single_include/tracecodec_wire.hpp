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
#include <span>  // also provides the iterator tags, because <iterator> takes 0.18 s to compile
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

// ---- tracecodec/config.hpp
// Selects where the functions of the library are compiled. By default, functions are inline and are
// compiled in every translation unit that uses them. A header includes its own implementation
// (impl/NAME.ipp) at its end. With TRACECODEC_SEPARATE_COMPILATION, headers only declare functions,
// and src/tracecodec.cpp compiles all functions. Compile all translation units of a program with
// the same setting of this macro, and with the same TRACECODEC_WITH_... macros of the available
// libraries.
//
// Virtual functions also have TRACECODEC_FUNC in the class definition. If the first virtual
// function of a class becomes inline only after the class definition, g++ compiles all functions of
// the class, even unused functions.

// Every header of the library includes this header first, so an older C++ standard always causes
// the following error first. Visual Studio reports the standard in _MSVC_LANG.
#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "tracecodec needs C++20: compile with -std=c++20"
// An error that ends the compilation, so that no others follow.
#include "tracecodec needs C++20"
#endif

#ifdef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_FUNC
#else
#define TRACECODEC_FUNC inline
#endif

// ---- tracecodec/wire/members.hpp
// Members of a plain struct: their number, their types and references to them. The implementation
// uses only the public interface of Boost.PFR. Boost 1.81 searches for the number of members,
// starting at the number of bits of the struct. The search takes clang 0.8 s for a struct of 4 KB
// and 2.5 s for a struct of 16 KB. g++ needs less time.

namespace tracecodec::wire {

template <class S> inline constexpr std::size_t member_count = boost::pfr::tuple_size_v<S>;

// Largest number of members that Boost.PFR supports.
inline constexpr std::size_t most_members = 100;

namespace detail {
// Placeholder that converts to the type of any member. The conversions are never called, but clang
// requires that they have bodies for types without linkage.
struct any_value {
  std::size_t index;
  template <class T> operator T&() const&& noexcept { __builtin_unreachable(); }
  template <class T> operator T&() const& noexcept { __builtin_unreachable(); }
};

// Returns true if value `I` of `N` initialises the first element of a C array. In that case
// `{value}` initialises the whole array, and too few members remain for the other values. Returns
// false for a class with several constructors that accept the value.
template <class S, std::size_t I, std::size_t... Before, std::size_t... After>
consteval bool begins_array(std::index_sequence<Before...>, std::index_sequence<After...>) {
  if constexpr (requires { S{any_value{Before}..., {any_value{I}}}; }) return !requires {
      S{any_value{Before}..., {any_value{I}}, any_value{After}...};
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

// Placeholder that converts only to a base class of `S`.
template <class S> struct any_base {
  template <class T>
  requires(std::is_base_of_v<T, S> && !std::is_same_v<T, S>) operator T&() const&& noexcept;
};
// Placeholder that converts to the type of any member, and adds the size of this type to `sum`.
struct size_adder {
  std::size_t* sum;
  template <class T>
  requires std::is_default_constructible_v<T>
  constexpr operator T() const {
    *sum += std::is_empty_v<T> ? 0 : sizeof(T);
    return T{};
  }
};
template <class S, std::size_t... I> constexpr std::size_t sum_of_sizes(std::index_sequence<I...>) {
  std::size_t sum = 0;
  static_cast<void>(S{(static_cast<void>(I), size_adder{&sum})...});
  return sum;
}
template <std::size_t> struct size_constant {};
template <class S, std::size_t... I>
consteval bool has_overlapping_members(std::index_sequence<I...>) {
  using all = std::index_sequence<I...>;
  if constexpr (requires { S{(static_cast<void>(I), size_adder{})...}; }) {
    if constexpr (requires { typename size_constant<sum_of_sizes<S>(all{})>; })
      return sum_of_sizes<S>(all{}) > sizeof(S);
  }
  return false;
}
}  // namespace detail

// Returns true if the aggregate `S` has a base class.
template <class S> consteval bool has_base_class() {
  return requires { S{detail::any_base<S>{}}; };
}
// Returns true if the members of `S` need more bytes than `S` has, because some are bit-fields.
// (A language without reflection cannot recognise a bit-field that shares its bytes with no other.)
template <class S> consteval bool has_bit_fields() {
  return detail::has_overlapping_members<S>(std::make_index_sequence<member_count<S>>{});
}

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
  return boost::pfr::get<I>(s);
}

// Type of member `I` of `S`.
template <class S, std::size_t I> using member_type = boost::pfr::tuple_element_t<I, S>;

}  // namespace tracecodec::wire

// ---- tracecodec/wire/text.hpp
// Short strings built at compile time, such as names of members and of wire types.

namespace tracecodec::wire {

// String of up to 95 characters. Longer strings are truncated.
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
template <class P> consteval bool this_is_not_a_member() {
  static_assert(sizeof(P*) == 0,
                "the first argument of an item is a pointer to a member that has bytes: write "
                "field<&S::m>, constant<&S::m, value>, counted<&S::view, count>; a static member "
                "has none");
  return true;
}
template <class P> struct member_pointer {
  static_assert(this_is_not_a_member<P>());
  struct owner {};
  using type = std::uint8_t;
};
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

// The characters of spelling<P>() alone. The compiler's own string contains all of
// __PRETTY_FUNCTION__, and would stay in the program.
template <std::size_t N> struct name_chars {
  char of[N]{};
  consteval name_chars(const char* s) noexcept {
    for (std::size_t i = 0; i < N; ++i) of[i] = s[i];
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {of, N}; }
};
template <auto P> inline constexpr name_chars<spelling<P>().size()> spelled{spelling<P>().data()};

// Wrapper for a pointer that is a template argument.
template <class T> struct address {
  // clang 14 accepts a pointer to a subobject as a template argument only inside a class.
  T* of;
};
// Object whose members' addresses are used, but whose values are never read. (The object is not
// constant, because constants would cause unneeded instantiations of Boost.PFR's functions.)
template <class S> inline S blank{};
}  // namespace detail

template <auto P> using owner_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::owner;
template <auto P> using member_t =
    typename detail::member_pointer<std::remove_cv_t<decltype(P)>>::type;

// Name of the member that `P` (&S::member) points to.
template <auto P> inline constexpr std::string_view name_of = detail::spelled<P>.view();

// Returns the name of the enumerator among `Values` that equals `v`, or an empty string.
template <auto... Values, class E> constexpr std::string_view name_among(E v) noexcept {
  std::string_view name;
  static_cast<void>(((v == Values && (name = detail::spelled<Values>.view(), true)) || ...));
  return name;
}

// Name of member `I` of a plain struct. (The operator & would instantiate the codecs of a member that
// is a view.)
template <class S, std::size_t I>
inline constexpr std::string_view member_name = detail::spelled<detail::address<member_type<S, I>>{
    __builtin_addressof(member_at<I>(detail::blank<S>))}>.view();

// Returns true if two pointers to members refer to the same member. The pointers may have different
// types.
template <auto A, auto B> consteval bool same_member() {
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(A)>, std::remove_cv_t<decltype(B)>>)
    return A == B;
  else
    return false;
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/engine/quoted.hpp
// Strings that appear in compiler messages as part of a type's name.

namespace tracecodec::wire::detail {

// clang prints a string argument as a list of numbers. For clang, each character is therefore a
// separate argument, which is printed as a letter.
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
// Type whose name contains the string From::value.
template <class From> using quoted_t =
    decltype(quoted_of<From>(std::make_index_sequence<From::value.length>{}));

// Name of member `I` of `S`, for quoted_t.
template <class S, std::size_t I> struct name_at {
  static constexpr text value = std::string_view(member_name<S, I>);
};

// Always false, but value-dependent, for a static_assert that fires only on instantiation.
template <class...> inline constexpr bool never = false;

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/policy.hpp
// Policy of a record: the byte order, placement and target that determine how a struct is stored as
// bytes.

namespace tracecodec::wire {

// Byte order: order::little, order::big or order::native.
using order = std::endian;

enum class placement : std::uint8_t {
  packed,  // each field directly after the previous one
  natural  // C's rule: each field is aligned, and the tail is padded to the largest alignment
};

enum class target : std::uint8_t { x86, x64 };

// Unsigned integer as wide as a pointer of the target: 4 bytes for x86, 8 for x64.
template <target T> using word_t =
    std::conditional_t<T == target::x86, std::uint32_t, std::uint64_t>;

// Placeholder in descriptions for the target's word_t, as in field<&S::address, word>.
struct word {
  word() = delete;
};

template <order O, placement P, target T> struct policy {
  static constexpr order byte_order = O;
  static constexpr placement place = P;
  static constexpr target arch = T;
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/layout_row.hpp
// Row of a record's layout table, and the types that collect the rows of a description.

namespace tracecodec::wire {

struct layout_how;
struct layout_values;

// Row for a field in a layout table. The fields of a nested record have their own rows, with names
// joined by dots. An array of records has a single row.
struct layout_row {
  // Offset in bytes from the start of the record, or of the section if `variable_offset` is true.
  std::size_t offset = 0;
  // True if variable-length data precede the field, so the field's offset in the record varies.
  bool variable_offset = false;
  // Size in bytes of the field, or of one element if `counted` is true.
  std::size_t size = 0;
  // Highest and lowest bit of a bit slice in the word at `offset`. Bit 0 is the least significant.
  unsigned high_bit = 0;
  unsigned low_bit = 0;
  bool slice = false;
  bool counted = false;          // true for an array of `count` elements
  bool conditional = false;      // true if the field is present only under a condition
  bool variable_length = false;  // true for a variable-length field: `count` states its size
  // Name of the type, such as "u64" or "u8[2]".
  text type = {};
  text name = {};
  // Name of the field that stores the count, or "computed" if a function returns the count. For a
  // variable-length field, the size as text.
  text count = {};
  order byte_order = order::native;
  bool has_order = false;  // false if the field consists of single bytes
  // Details that tables omit, but that emitters for other languages (emit/) need. `how` describes
  // the encoding of the bytes if the type and the size do not determine it. `values` contains the
  // allowed values.
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

// Names of rows that do not represent a field.
inline constexpr std::string_view padding_name = "(padding)";
inline constexpr std::string_view literal_name = "(literal)";
inline constexpr std::string_view reserved_name = "(reserved)";

struct layout_node;
using layout_nodes_of = std::span<const layout_node> (*)() noexcept;

enum class read_as : std::uint8_t {
  // The row's type determines the encoding. `element` is set if the type consists of records.
  type,
  uleb128,
  sleb128,
  zigzag,
  vlq,
  terminated,   // elements up to and including an element that equals `number`
  prefixed,     // `prefix`, then as many elements as `prefix` states
  padded,       // elements, then fill elements that equal `number`
  digits,       // digits in base `number`
  both_orders,  // the same value in little-endian and then in big-endian order
  list,         // list of elements
  strided,      // elements that begin `stride` bytes apart
  rest,         // elements up to the end
  skipped,      // ignored bytes up to the end
  align,        // fill bytes up to a multiple of `number`
  digits_until  // digits in base `number`, then the character `end`
};
enum class list_ends : std::uint8_t { counted, at_end, until };
struct layout_part;

struct layout_how {
  read_as as = read_as::type;
  std::uint64_t number = 0;
  // Layout of one element: the rows of a record, or a single unnamed row for any other type. Null
  // if the element is a number that this row itself describes.
  layout_nodes_of element = nullptr;
  layout_nodes_of prefix = nullptr;
  // Names of the members that contain the count and the stride. A name is empty if a function
  // returns the value.
  std::string_view count = {}, stride = {};
  list_ends ends = list_ends::counted;
  // Condition that the last element satisfies. Used for list_ends::until.
  const layout_part* last = nullptr;
  // Character after the digits. Used for read_as::digits_until.
  char end = 0;
  // True if alignment counts from the start of the innermost part, false if from the record's.
  bool from_part = false;
};

enum class values_are : std::uint8_t { constant, one_of, range, valid, computed, relative };
struct layout_values {
  values_are are = values_are::valid;
  // The constant, the allowed values, or the minimum and the maximum.
  std::span<const text> numbers = {};
  // Characters of a constant that is text.
  std::string_view chars = {};
  // Allowed values that are texts.
  std::span<const std::string_view> texts = {};
  // Name of the member from which a relative value is counted. Empty if a function computes it.
  std::string_view base = {};
};

// Kind of a part. A part is a group of rows that are present or absent together, or share a limit.
enum class part_of : std::uint8_t {
  when,     // present if `member` is not 0
  since,    // present if `member` is at least `value`
  if_left,  // present if bytes are left
  sized,    // occupies the number of bytes that `member` states
  choice,   // the first of its `on` and `otherwise` parts that matches is present
  // Matches if the member is `value`, is in [`value`, `last`], or consists of `chars`, or if one of
  // the `values` parts at `any` matches.
  on,
  otherwise
};
struct layout_part {
  part_of what = part_of::when;
  // Name of the member, or empty if a function of the record evaluates the condition.
  std::string_view member = {};
  text value = {};  // empty if the value cannot be written in digits
  std::string_view chars = {};
  text last = {};  // empty if only `value` matches
  const layout_part* any = nullptr;
  std::size_t values = 0;
};

// Node of a description in the form that emitters (emit/) read: a row, or the beginning or the end
// of a part. (For the beginning of a part, `row` stores the prefix of all names in the part.)
struct layout_node {
  enum kind : std::uint8_t { row_of, begins, ends };
  kind is = row_of;
  const layout_part* part = nullptr;
  layout_row row = {};
};

namespace detail {
// Returns an integer or an enumerator in digits. Returns an empty text for anything else.
template <class T> constexpr text number_text(const T& v) noexcept {
  text t{};
  if constexpr (std::is_enum_v<T>) {
    return number_text(static_cast<std::underlying_type_t<T>>(v));
  } else if constexpr (std::is_integral_v<T>) {
    const bool negative = v < T{};
    if (negative) t += "-";
    const auto n = static_cast<std::uint64_t>(v);
    t += negative ? 0 - n : n;
  }
  return t;
}
template <auto Number> inline constexpr text digits_of_number = number_text(Number);
// Name of the member `Expr`, or the number `Expr` in digits. Empty if `Expr` is a function of the
// record.
template <auto Expr> inline constexpr std::string_view member_text = [] {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return name_of<Expr>;
  else if constexpr (std::is_integral_v<decltype(Expr)>)
    return digits_of_number<Expr>.view();
  else
    return std::string_view();
}();
// Name or number as shown in a table, or "computed" for a function.
template <auto Expr>
inline constexpr std::string_view count_text = member_text<Expr>.empty()
                                                   ? std::string_view("computed")
                                                   : member_text<Expr>;
// Condition in the form that emitters (emit/) read.
template <auto Pred> inline constexpr layout_part part_when = [] {
  layout_part p{part_of::when, member_text<Pred>, {}, {}};
  if constexpr (requires { Pred.least; }) {
    p.value = number_text(Pred.least);
    p.what = part_of::since;
    if (p.value.length != 0) p.member = Pred.member;
  }
  return p;
}();

// Collector of rows. It counts the rows, passes each row to `look`, and stores each row in `rows`
// unless `rows` is null. It passes parts to `see`. (By default, `look` and `see` are functions that
// do nothing, and not null. With -fsanitize=undefined, g++ does not treat the comparison of a
// function with nullptr as a constant.)
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

// Collector of the parts and rows of a description. It counts the nodes, and stores them unless
// `nodes` is null.
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
// Encoding of an array whose elements are not numbers.
template <class W> inline constexpr layout_how elements_of{.element = kept_nodes<W>};
// Returns true if `W` is an array of records. To save compile time, elements that are not classes,
// such as numbers, are not examined further.
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
    // The allowed values apply to the whole record, not to its fields.
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

// Adds the rows of a variable-length field: the rows of a nested record, or a single row for any
// other type.
template <class W> constexpr void describe_variable_length(row_list& list, layout_row r) {
  r.variable_length = true;
  if constexpr (nested_record<W>) {
    r.variable_length = false;
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
  if constexpr (requires { requires W::variable_length; })
    describe_variable_length<W>(list, r);
  else
    describe<W>(list, r);
}
}  // namespace detail

}  // namespace tracecodec::wire

// ---- tracecodec/wire/meaning.hpp
// Meaning of a field's value for human readers. It determines how rows of text show the value.

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

// Meaning of a field whose description does not specify a meaning (address_field, number_field).
// Unsigned 64-bit integers, and arrays of such integers, count as addresses, because they usually
// contain addresses or registers. Bit slices, signed fields and narrower fields are numbers.
template <class Member> inline constexpr meaning usual_meaning = detail::meaning_of_type<Member>;

// Compile-time facts about a field, which record::walk_fields passes to its callback.
template <class Item> struct field_info {
  static constexpr std::string_view name = Item::label;
  static constexpr meaning says = Item::says;
  // True if the field stores member `M`.
  template <auto M> static constexpr bool is = [] {
    if constexpr (requires { Item::template is<M>; })
      return Item::template is<M>;
    else
      return Item::template has<M>;
  }();
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/result.hpp
// Result of decode and encode, in the style of std::from_chars: the number of bytes used, the error
// and the failing field.

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
  wrong_size,      // decode: the items of a part do not fill the part exactly. The field is the
                   // item that extends past the end of the part, or the part's size if bytes remain
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
    case errc::wrong_size:
      return "the items do not end where the size of their part says";
    case errc::not_as_computed:
      return "the value differs from the computed one";
  }
  return "unknown error";
}

struct result {
  // Number of bytes read or written. After an error, offset of the failing field.
  std::size_t used = 0;
  errc error = errc::ok;
  // After an error, name of the failing field. The name has static storage.
  std::string_view field = {};

  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/bytes.hpp
// Basics of the wire layer: the byte type, the macro that forces inlining, and byte operations that
// also work at compile time.
// Include only the byte-swap macros, because conversion.hpp would increase the compile time of a
// record by a tenth.

// Forces inlining. Without this macro, g++ -O2 does not inline the decoding of a dozen fields. It
// then reads the record from memory again, which takes 1.5 times as many instructions.
#define TRACECODEC_INLINE [[gnu::always_inline]] inline

namespace tracecodec::wire {

using byte = std::byte;

namespace detail {
// True if the instruction set has instructions that shuffle 16 or 32 bytes at a time. Loops over
// many records have this flag as a template parameter, so that translation units compiled for
// different instruction sets do not share the loops.
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
    // No object is larger than SIZE_MAX / 2. Without this hint, g++ warns about such lengths.
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
// Variable-length items, whose length is stored in their own bytes. Such items are read in one
// pass. The extents of all other items are known before their bytes are read.

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

// ---- tracecodec/wire/types/scalar.hpp
// Integers, enumerations, bool and floating-point numbers in a given byte order.

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
// True for an integer. A bool is not one.
template <class T> inline constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;
}  // namespace detail

// Underlying integer type of an enumeration. Any other type is unchanged.
template <class T> using integer_t = typename detail::integer_of<T>::type;

template <class T>
concept scalar_value =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || std::is_enum_v<T>;

// Scalar `T` in sizeof(T) bytes of order `O`. A bool is one byte with value 0 or 1. decode rejects
// any other byte with invalid_value, because encode could not reproduce that byte. nonzero<>
// accepts all bytes.
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
    // The array is used only at compile time. At run time, g++ sometimes generated 51 instructions
    // with an array instead of 38 for a big-endian ChampSim record, depending on the preceding
    // code.
    if (std::is_constant_evaluated()) {
      const auto raw = std::bit_cast<std::array<byte, size>>(v);
      copy(raw.data(), p, size);
    } else {
      std::memcpy(p, &v, size);
    }
  }

  static constexpr bool refuses = std::is_same_v<integer_t<T>, bool>;
  TRACECODEC_INLINE static constexpr errc accepts(const byte* p) noexcept requires refuses {
    return std::to_integer<unsigned>(*p) <= 1 ? errc::ok : errc::invalid_value;
  }

  // Returns true if `T` can hold the value `v`, which may have a different integer type.
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
    // Loading element by element keeps the result in registers. Otherwise g++ would copy an object
    // through the stack.
    if constexpr (N <= 8)
      load_each(a, p, std::make_index_sequence<N>{});
    else
      load_into(a, p);
    return a;
  }
  TRACECODEC_INLINE static constexpr void load_into(value_type& a, const byte* p) noexcept {
    if constexpr (object_bytes) {
      // Copying the whole array at once takes 27 instructions for a ChampSim record, instead of 41.
      if (!std::is_constant_evaluated()) {
        std::memcpy(a.data(), p, size);
        return;
      }
    }
    // Reads up to 8 elements without a loop. Inside a loop over records, g++ -O2 would not unroll a
    // loop of even 4 iterations.
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
  // Returns the error of the first nested record that cannot be written, or ok if all can be
  // written.
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
// Views of arrays and records, which do not own the bytes. The bytes are not copied and need not be
// aligned. Elements are decoded on access.

namespace tracecodec::wire {

namespace detail {
// Compile error for the element type of a view. Compilers print the type.
template <class W> consteval bool this_is_not_a_wire_type() {
  static_assert(
      sizeof(W*) == 0,
      "a view needs the wire type of its elements: array_view<u16le> instead of "
      "array_view<std::uint16_t>, array_view<record<S>> instead of array_view<S>, and the "
      "same for list_view; of a codec that is only declared here, list_view<inner<S, codec>>");
  return true;
}
template <class W> struct declared_value {
  static_assert(this_is_not_a_wire_type<W>());
  using type = std::uint8_t;
};
template <class W>
requires requires { typename W::value_type; }
struct declared_value<W> {
  using type = typename W::value_type;
};
// Value type of a wire type. (For records, describe.hpp specialises this template, so that the
// descriptions of the records need not be compiled.)
template <class W> struct value_of : declared_value<W> {};
template <class W> using value_of_t = typename value_of<W>::type;
}  // namespace detail

// Random-access range of `size()` elements of wire type `W`. The view does not own its bytes.
template <class W> class array_view {
 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;

  constexpr array_view() = default;
  // Constructs a view of the `n` elements at `p`, which take n * W::size bytes.
  constexpr array_view(const byte* p, std::size_t n) noexcept : p_(p), n_(n) {}
  // Constructs a view of all complete elements in `bytes`.
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

// View of one fixed-size record, or of the fixed front of a record. It decodes single members on
// request, and does not own the bytes. For example, v.get<&instruction::ip>() of a
// record_view<codec> `v` decodes only the ip.
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

// Wire type of a character in text. A member that stores text is an array_view<character>.
using character = scalar<char, order::little>;

// Returns the characters of a view, without copying them.
inline std::string_view as_text(array_view<character> v) noexcept {
  return {reinterpret_cast<const char*>(v.bytes().data()), v.size()};
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/engine/infer.hpp
// Maps a member's type to its wire type, under a record's policy.

namespace tracecodec::wire {

// Wire type. It provides its value type, its size in bytes, load(), store(), and its entry in a
// layout table. `object_bytes` is true if every value has the same bytes in memory and on the wire.
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
  using type = std::conditional_t<wire_type<M> || variable_length_type<M>, M, no_wire_type<M>>;
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
requires(!wire_type<M> && !variable_length_type<M> && std::is_class_v<M> &&
         std::is_aggregate_v<M> &&
         !requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = record<M, Policy::byte_order, Policy::place, Policy::arch>;
};
}  // namespace detail

// Wire type of `M`. The policy determines the wire type of a plain type. If `M` is a wire type, the
// result is `M`.
template <class M, class Policy> using infer_t = typename detail::infer<M, Policy>::type;

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/engine/dependencies.hpp
// Compile-time checks that counts and conditions depend only on members that are read earlier. The
// checks compare the names of members. Which members a function reads is unknown, so decode calls
// each function once, before the section is read.

namespace tracecodec::wire::detail {

// Label of an item, as a wire::text, for quoted_t.
template <class Labelled> struct label_of {
  static constexpr text value = std::string_view(Labelled::label);
};
template <auto P> struct pointed { static constexpr std::string_view label = name_of<P>; };
// Returns the name of the member `Expr`, or `other` if `Expr` is not a member.
template <auto Expr> consteval std::string_view label_or(std::string_view other) {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return name_of<Expr>;
  else
    return other;
}

// Evaluates `Expr`, which is &S::member, &S::function, a callable that takes the record, or a
// number.
template <auto Expr, class S> TRACECODEC_INLINE constexpr auto evaluate(const S& s) noexcept {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return s.*Expr;
  else if constexpr (std::is_integral_v<decltype(Expr)>)
    return Expr;
  else if constexpr (std::is_member_function_pointer_v<decltype(Expr)>)
    return (s.*Expr)();
  else {
    // Make a copy to avoid a link error: for a template parameter object of a local type, clang 19
    // emits an unresolved symbol.
    constexpr auto expr = Expr;
    return expr(s);
  }
}

// Returns how many times decoding `Item` sets `member`, or 0 if the member has no bytes.
template <class Item> consteval int loads(std::string_view member) {
  if constexpr (requires { Item::loads(member); })
    return Item::loads(member);
  else
    return Item::mentions(member);
}

// Returns true if `Item` declares the member as a parameter, which the caller sets before decode.
template <class Item> consteval bool is_parameter(std::string_view member) {
  if constexpr (requires { Item::is_parameter(member); })
    return Item::is_parameter(member);
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
    return (Earlier::mentions(member) + ... + 0) != 0 || (is_parameter<Later>(member) || ...);
  }
};

// Compile error for a member that is read too late. g++ prints the member's name first, clang prints
// the message first.
template <class Name> consteval bool this_member_is_read_too_late() {
  static_assert(
      never<Name>,
      "a count or a condition must be read in an earlier section than what depends on it");
  return true;
}

// Use of an expression: as a count, as a condition, or as a value of any type, such as a tag or the
// argument of a nested record.
enum class used_as : std::uint8_t { value, count, condition };
template <auto Expr> struct expression_label {
  static constexpr std::string_view label = label_or<Expr>("a function");
};
template <class Name, class Owner, class S> consteval bool this_member_belongs_to_another_struct() {
  static_assert(never<Name>,
                "a count, condition or tag is a member of the struct that the record describes, or "
                "a parameter<> that the enclosing record sets with args<>");
  return true;
}
template <class Function, class S> consteval bool this_function_does_not_accept_the_record() {
  static_assert(never<Function>,
                "a count, condition or tag is &S::member, a const member function of S without "
                "arguments, or a callable that accepts a const S&");
  return true;
}
template <class Name, class T> consteval bool this_count_is_not_an_integer() {
  static_assert(never<Name>,
                "a count is an integer of up to 64 bits, or an enumeration: name another member, "
                "or a function that returns an integer");
  return true;
}
template <class Name, class T> consteval bool this_condition_is_neither_true_nor_false() {
  static_assert(never<Name>,
                "a condition is a bool, or converts to one: name another member, or a function "
                "that returns a bool");
  return true;
}
// Returns true if the record `S` can evaluate `Expr`, and the value suits its use. Otherwise a
// compile error names the member.
template <auto Expr, class S, used_as Use> consteval bool is_evaluated() {
  using name = quoted_t<label_of<expression_label<Expr>>>;
  using type = std::remove_cv_t<decltype(Expr)>;
  if constexpr (std::is_member_object_pointer_v<type>) {
    if constexpr (!std::is_base_of_v<owner_t<Expr>, S>)
      return this_member_belongs_to_another_struct<name, owner_t<Expr>, S>();
  } else if constexpr (!std::is_integral_v<type>) {
    if constexpr (!std::is_invocable_v<type, const S&>)
      return this_function_does_not_accept_the_record<type, S>();
  }
  if constexpr (std::is_member_object_pointer_v<type>) {
    using value = member_t<Expr>;
    if constexpr (Use == used_as::count &&
                  !(std::is_integral_v<integer_t<value>> && sizeof(value) <= 8))
      return this_count_is_not_an_integer<name, value>();
    else if constexpr (Use == used_as::condition && !std::is_constructible_v<bool, value>)
      return this_condition_is_neither_true_nor_false<name, value>();
  }
  return true;
}

// Returns true. If the record cannot evaluate `Expr`, or `Expr` is a member that is not read before
// `Place`, compilation fails.
template <auto Expr, class Place, used_as Use = used_as::value> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>) {
    if constexpr (Place::earlier(name_of<Expr>))
      return is_evaluated<Expr, typename Place::record, Use>();
    else
      return this_member_is_read_too_late<quoted_t<label_of<pointed<Expr>>>>();
  } else if constexpr (requires { decltype(Expr)::template depends_on_earlier<Place>(); })
    return decltype(Expr)::template depends_on_earlier<Place>();
  else
    return is_evaluated<Expr, typename Place::record, Use>();
}

// Returns true if `Expr` may depend on members that section `Open` reads. A function is always
// assumed to depend on `Open`. item_depends_on() checks the counts and conditions of `Item`.
template <auto Expr, class Open> consteval bool depends_on() {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return Open::loads(name_of<Expr>) != 0;
  else
    return !std::is_integral_v<decltype(Expr)>;
}
template <class Item, class Open> consteval bool item_depends_on() {
  if constexpr (requires { Item::template depends_on<Open>(); })
    return Item::template depends_on<Open>();
  else
    return false;
}

// Returns true if `Expr` cannot depend on the members of the computed items `Sizes`. A function is
// always assumed to depend on them.
template <auto Expr, class... Sizes> consteval bool is_unaffected_by() {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return ((name_of<Expr> != Sizes::label) && ...);
  else
    return std::is_integral_v<decltype(Expr)>;
}
// Returns true if the counts and conditions of `Item` cannot depend on the members of `Sizes`. An
// item of fixed size has neither.
template <class Item, class... Sizes> consteval bool item_is_unaffected_by() {
  if constexpr (requires { Item::template is_unaffected_by<Sizes...>(); })
    return Item::template is_unaffected_by<Sizes...>();
  else
    return Item::fixed;
}

// Returns false if a count or a condition of `Item` is a member that is not read before `Place`,
// otherwise true.
template <class Item, class Place> consteval bool depends_on_earlier() {
  if constexpr (requires { Item::template depends_on_earlier<Place>(); })
    return Item::template depends_on_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/items/items.hpp
// Basic items of a description: field, padding, counted and not_on_wire. (bits.hpp adds bit slices,
// and when.hpp adds conditions.) Each item is bound to a record's policy. A bound item can load,
// store and describe itself.

namespace tracecodec::wire {

namespace detail {
// Returns `count` as a number of elements of `Size` bytes. A negative or excessive count is clamped
// to a number that no input can hold, and therefore causes an error (truncated) instead of an
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

// Returns ok if decode accepts each of `n` rows that are `stride` bytes apart. Returns the first
// error if it does not.
template <class W>
constexpr errc accept_rows(const byte* p, std::uint64_t n, std::uint64_t stride) noexcept {
  if constexpr (may_refuse<W>)
    for (; n != 0; --n, p += stride)
      if (const errc e = W::accepts(p); e != errc::ok) return e;
  return errc::ok;
}

// Struct to which the items of a list belong. Padding does not belong to a struct.
template <class... O> struct first_owner_of { using type = void; };
template <class O, class... Rest> struct first_owner_of<O, Rest...> { using type = O; };
template <class... Rest> struct first_owner_of<void, Rest...> : first_owner_of<Rest...> {};
template <class... O> using first_owner = typename first_owner_of<O...>::type;

// Placeholder for evaluated counts and conditions, for an item or section of fixed size, which has
// none.
struct nothing_evaluated {};
template <class Item> struct evaluated_type_of { using type = nothing_evaluated; };
template <class Item>
requires requires { typename Item::evaluated; }
struct evaluated_type_of<Item> {
  using type = typename Item::evaluated;
};

// Evaluated counts and conditions of a section's items. Each count and condition is evaluated once,
// before the section is read or written. Therefore only bytes that passed the bounds check are
// loaded or stored, even if a user's function would later return another value. (The type is a
// struct and not an array, so that compilers can keep each value in a register.)
template <std::size_t I, class Value> struct indexed_value { Value value; };
template <class Indices, class... Items> struct evaluated_items;
template <std::size_t... I, class... Items>
struct evaluated_items<std::index_sequence<I...>, Items...>
    : indexed_value<I, typename evaluated_type_of<Items>::type>... {};
template <std::size_t I, class Value>
TRACECODEC_INLINE constexpr Value& evaluated_at(indexed_value<I, Value>& a) noexcept {
  return a.value;
}
template <std::size_t I, class Value>
TRACECODEC_INLINE constexpr const Value& evaluated_at(const indexed_value<I, Value>& a) noexcept {
  return a.value;
}

// Compile errors about a member. Compilers print the template arguments, which contain the member's
// name and type.
template <class Name, class T> consteval bool this_member_has_a_type_without_bytes() {
  static_assert(never<Name, T>,
                "a member of this type has no known bytes: members are integers, enumerations, "
                "floating point, bool, std::array of these and plain structs; a struct with views "
                "needs a codec of its own: field<&S::m, codec>; name others in not_on_wire");
  return true;
}
template <class Name, class T> consteval bool this_view_has_no_end() {
  static_assert(never<Name, T>,
                "a view needs an item that determines its end: counted<>, prefixed<>, "
                "terminated<>, padded<>, strided<> or rest<> for an array_view, and list<> or "
                "prefixed<> for a list_view");
  return true;
}
template <class Name, class T> consteval bool has_known_bytes() {
  if constexpr (requires { typename T::codec; })
    return this_view_has_no_end<Name, T>();
  else
    return this_member_has_a_type_without_bytes<Name, T>();
}
template <class Name> consteval bool this_member_must_be_a_view_of_the_bytes() {
  static_assert(never<Name>,
                "this item needs a member that is a view of the bytes, such as array_view<u8>: "
                "nothing is copied");
  return true;
}
template <class Name> consteval bool this_member_must_be_an_array_view() {
  static_assert(never<Name>,
                "this item needs a member that is an array_view<W>; list<> and prefixed<> read a "
                "list_view<W>");
  return true;
}
// Returns true if the member is an array_view. Otherwise compilation fails.
template <auto P> consteval bool is_array_view() {
  if constexpr (requires { typename member_t<P>::arguments_type; })
    return this_member_must_be_an_array_view<quoted_t<label_of<pointed<P>>>>();
  else
    return true;
}
// View type of member `P`. If the member is not a view, compilation fails.
template <auto P> struct view_of : std::type_identity<member_t<P>> {};
template <auto P>
requires(!requires { typename member_t<P>::codec; }) struct view_of<P> {
  static_assert(this_member_must_be_a_view_of_the_bytes<quoted_t<label_of<pointed<P>>>>());
  using type = array_view<u8>;
};

// Compile errors about a member that cannot hold the value of its field.
template <class Name, class Member, class Value> consteval bool this_member_is_not_a_bool() {
  static_assert(never<Name>, "the field is true or false: make the member a bool");
  return true;
}
template <class Name, class Member, class Value>
consteval bool this_member_cannot_hold_its_field() {
  static_assert(std::is_floating_point_v<Member> == std::is_floating_point_v<Value>,
                "a floating-point field needs a member of its own type");
  static_assert(
      requires(const Value& v) { static_cast<Member>(v); },
      "the field's value does not convert to the member: change the type of either");
  return true;
}
template <class Name, class Member, class W>
consteval bool this_member_is_narrower_than_its_field() {
  static_assert(never<Name>,
                "the member is narrower than its field, so decoding would lose bits: use a wider "
                "member, or a narrower type of the field");
  return true;
}
// Returns true if the member can hold the values of wire type `W`.
template <class Access, class W> consteval bool can_hold() {
  using member = typename Access::type;
  using value = typename W::value_type;
  if constexpr (std::is_same_v<member, value>)
    return true;
  else if constexpr (std::is_floating_point_v<member> != std::is_floating_point_v<value> ||
                     !requires(const value& v, const member& m) {
                       static_cast<member>(v);
                       static_cast<value>(m);
                     })
    return this_member_cannot_hold_its_field<quoted_t<label_of<Access>>, member, value>();
  else if constexpr (sizeof(member) < W::size)
    return this_member_is_narrower_than_its_field<quoted_t<label_of<Access>>, member, W>();
  else if constexpr (std::is_same_v<value, bool>)
    return this_member_is_not_a_bool<quoted_t<label_of<Access>>, member, value>();
  else
    return true;
}

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
  static_assert(can_hold<Access, W>());
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;

  template <auto M> static constexpr bool has = Access::template is<M>;
  template <auto> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    return static_cast<typename Access::type>(W::load(p));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    // Decodes arrays directly into the member, because g++ would make an extra copy of a returned
    // array.
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

  // True if decode can reject the field. accepts() checks the value that was read at `p`, and
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
// Placeholder for the wire type of a member without a wire type, so that compilation continues
// after the error message.
struct any_byte {
  using type = std::uint8_t;
  static constexpr std::string_view label = "a byte";
  template <auto> static constexpr bool is = false;
};
template <class Access, class T, meaning Says> struct bound_field<Access, no_wire_type<T>, Says>
    : bound_field<any_byte, u8, meaning::number> {
  static_assert(has_known_bytes<quoted_t<label_of<Access>>, T>());
};

// Number of parameters of the record of wire type `W`, or 0 for any other wire type.
template <class W> inline constexpr std::size_t parameters_of = [] {
  if constexpr (requires { W::parameters; })
    return W::parameters;
  else
    return std::size_t{};
}();
// List of the parameters that a record of wire type `W` carries from record to record (previous<>).
template <class W> struct carried_by { using type = type_list<>; };
template <class W>
requires requires { typename W::carried; }
struct carried_by<W> {
  using type = typename W::carried;
};
template <class W> inline constexpr bool carries =
    !std::is_same_v<typename carried_by<W>::type, type_list<>>;
template <auto M, class... P> consteval bool is_carried(type_list<P...>) {
  return (same_member<P::member, M>() || ...);
}
// Sets the carried parameters `P` of the record `next`, which follows the record `last`.
template <class S, class... P>
constexpr void carry(type_list<P...>, [[maybe_unused]] S& next, [[maybe_unused]] const S& last) {
  (P::carry(next, last), ...);
}
// Copies the carried parameters `P`.
template <class S, class... P> constexpr void copy_carried(type_list<P...>, [[maybe_unused]] S& to,
                                                           [[maybe_unused]] const S& from) {
  (P::copy(to, from), ...);
}
// Number of parameters of the record of wire type `W` that a list or a file must set, and number of
// these parameters among the members `M`.
template <class... P> consteval std::size_t how_many(type_list<P...>) { return sizeof...(P); }
template <class W>
inline constexpr std::size_t parameters_to_set = parameters_of<W> -
                                                 how_many(typename carried_by<W>::type{});
template <class W, auto... M> inline constexpr std::size_t parameters_set =
    (std::size_t{!is_carried<M>(typename carried_by<W>::type{})} + ... + std::size_t{});
// Compile error for a nested record that does not receive all its parameters. Without this error,
// decode would use whatever values the object contains.
template <class Name> consteval bool this_member_does_not_receive_its_parameters() {
  static_assert(never<Name>,
                "a record with parameters needs one args<&inner::parameter, from> for each of "
                "them: field<&S::member, codec, args<...>...>, or list<&S::members, end, "
                "args<...>...> of a list_view<codec, &inner::parameter...>");
  return true;
}
template <class Label, class W, std::size_t Args> consteval bool receives_parameters() {
  if constexpr (parameters_of<W> == Args)
    return true;
  else
    return this_member_does_not_receive_its_parameters<quoted_t<label_of<Label>>>();
}
// Does the same for the elements of a list, which receive the parameters `M`.
template <class Label, class W, auto... M> consteval bool elements_receive_parameters() {
  if constexpr (parameters_to_set<W> == parameters_set<W, M...>)
    return true;
  else
    return this_member_does_not_receive_its_parameters<quoted_t<label_of<Label>>>();
}

// Bound field whose length is stored in the field's own bytes. `evaluated` holds the evaluated
// counts and conditions of a nested record.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct bound_variable_length_field {
  using type = typename Access::type;
  static_assert(
      std::is_same_v<type, typename W::value_type>,
      "a field whose bytes determine its length needs a member of its wire type's own type");
  static_assert(receives_parameters<Access, W, 0>());
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr bool nests_records = is_read<W>;
  static constexpr std::string_view label = Access::label;
  static constexpr meaning says = Says;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = Access::template is<M>;

  template <class...> static consteval bool is_unaffected_by() { return true; }

  using evaluated = typename evaluated_type_of<W>::type;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = read_member<W>(Access::of(s), at, in, notes, label);
    if constexpr (explains<Notes>)
      if (end == not_read && notes.failure.field != &label)
        extend_path<W>(notes.path, in.from(at), label);
    return end;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, evaluated& a) noexcept {
    if constexpr (requires { W::prepare(Access::of(s), a); })
      return W::prepare(Access::of(s), a);
    else
      return W::check(Access::of(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type, Notes&) noexcept {
    if constexpr (requires { W::written(Access::of(s), a); })
      return W::written(Access::of(s), a);
    else
      return W::written(Access::of(s));
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const evaluated& a,
                                                                    const byte*) noexcept {
    if constexpr (requires { W::store(Access::of(s), p, a); })
      return W::store(Access::of(s), p, a);
    else
      return W::store(Access::of(s), p);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_variable_length_field>{}, Access::of(s), present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    wire::detail::describe_variable_length<W>(list, r);
  }
};

// Bound field of wire type `W`: a bound_field if the size is fixed, otherwise a
// bound_variable_length_field.
template <class Access, class W, meaning Says = usual_meaning<typename Access::type>>
struct field_of {
  using type = bound_field<Access, W, Says>;
};
template <class Access, variable_length_type W, meaning Says> struct field_of<Access, W, Says> {
  using type = bound_variable_length_field<Access, W, Says>;
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

template <auto P> consteval bool this_field_is_a_function() {
  static_assert(sizeof(owner_t<P>*) == 0,
                "a function has no bytes: use it as the count, condition or tag of an item, or for "
                "computed<&S::m, &S::function>");
  return true;
}
template <auto P> consteval bool is_data_member() {
  if constexpr (std::is_member_function_pointer_v<std::remove_cv_t<decltype(P)>>)
    return this_field_is_a_function<P>();
  else
    return true;
}
}  // namespace detail

// Field that stores member `P` as wire type `W`. By default, the member's type and the record's
// policy determine the wire type. `W` may be a wire type such as u32be, or a plain type or `word`,
// for which the policy determines the wire type. `Args` are the arguments for the parameters of a
// nested record (args.hpp).
template <auto P, class W = member_t<P>, class... Args> struct field {
  static_assert(detail::is_data_member<P>());
  using owner = owner_t<P>;
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>>::type;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
};

// Field whose value is shown as an address in rows of text (rows/), whatever the member's type is.
// A number_field is shown as a number.
template <auto P, class W = member_t<P>> struct address_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::address>::type;
};
template <auto P, class W = member_t<P>> struct number_field : field<P, W> {
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>, infer_t<W, Policy>, meaning::number>::type;
};

// Padding of `N` bytes. decode skips it, and encode writes zeros.
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
// may depend only on earlier sections. The compiler checks this rule if `Count` is a member. encode
// returns count_mismatch if the array's length differs from `Count`.
template <auto P, auto Count> struct counted {
  using owner = owner_t<P>;
  static_assert(detail::is_array_view<P>());
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
    return detail::is_earlier<Count, Place, detail::used_as::count>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>();
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Count, Sizes...>();
  }

  // Returns true if the computed item `C` is the count of this array. Because decode reads the
  // array with this count, the count is always correct.
  template <class C> static consteval bool implies() {
    if constexpr (std::is_member_object_pointer_v<decltype(Count)>)
      return C::template counts<Count, P>();
    else
      return false;
  }

  // Evaluated count: number of elements.
  using evaluated = detail::extent_type;
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    return detail::elements<element::size>(detail::evaluate<Count>(s));
  }
  TRACECODEC_INLINE static constexpr detail::extent_type extent(evaluated a) noexcept {
    return a * element::size;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr detail::extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p, evaluated a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    s.*P = view(p, n);
    return p + n * element::size;
  }
  // Copies the array's bytes. check() has already verified that the array has `a` elements.
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, evaluated a) noexcept {
    const auto n = static_cast<std::size_t>(a);
    copy((s.*P).bytes().data(), p, n * element::size);
    return p + n * element::size;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(const S& s, evaluated a) noexcept {
    return a == (s.*P).size() ? errc::ok : errc::count_mismatch;
  }
  static constexpr bool refuses = detail::may_refuse<element>;
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, evaluated a) noexcept requires refuses {
    return detail::accept_rows<element>(p, a, element::size);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<counted>{}, s.*P, present);
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = detail::count_text<Count>;
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

// ---- tracecodec/wire/items/args.hpp
// Parameters of a record: members that are not stored, but are set by the caller, by the enclosing
// record, or from the previous record.

namespace tracecodec::wire {

namespace detail {
// Compile error about a carried member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_cannot_be_carried() {
  static_assert(never<Name>,
                "previous<> needs a member that is a number, an enumeration, a bool or a "
                "std::array of these: the bytes to which a view points may be gone");
  return true;
}
template <class T> inline constexpr bool is_carriable =
    std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
requires is_std_array<T>
inline constexpr bool is_carriable<T> = is_carriable<typename T::value_type>;
template <auto P> consteval bool can_be_carried() {
  if constexpr (is_carriable<member_t<P>>)
    return true;
  else
    return this_member_cannot_be_carried<quoted_t<label_of<pointed<P>>>>();
}
}  // namespace detail

// Parameter of a record. Member `P` has no bytes. The caller, or args<> of the enclosing record,
// sets it before decode and encode. Counts and conditions may depend on `P`. The parameter may
// appear anywhere in the description.
template <auto P> struct parameter : not_on_wire<P> {
  template <class Policy> using bind = parameter;
  static consteval bool is_parameter(std::string_view member) { return member == name_of<P>; }
};

// Parameter `P` that is carried from record to record in a list or a file: `From` (&S::member,
// &S::function or a callable), evaluated on the previous record. `P` is 0 in the first record, or
// the value that args<P, ...> of the list or the file states. A caller that decodes or encodes
// records one by one sets `P` itself, or calls carry() of the codec.
template <auto P, auto From> struct previous : parameter<P> {
  static_assert(detail::can_be_carried<P>());
  using carried = detail::type_list<previous>;
  template <class Policy> using bind = previous;
  static constexpr auto member = P;
  // Sets the parameter of `next`, which follows `last`.
  static constexpr void carry(owner_t<P>& next, const owner_t<P>& last) noexcept {
    next.*P = static_cast<member_t<P>>(detail::evaluate<From>(last));
  }
  static constexpr void copy(owner_t<P>& to, const owner_t<P>& from) noexcept { to.*P = from.*P; }
};

// Argument for parameter `P` of a record that is part of another record (field, list) or of a file
// (file::records). `From` (&T::member, &T::function or a callable) is evaluated on the enclosing
// record or on the file's header. The result is stored in `P`.
template <auto P, auto From> struct args {
  static constexpr auto member = P;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<From, Place>();
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr member_t<P> value(const Outer& from) noexcept {
    return static_cast<member_t<P>>(detail::evaluate<From>(from));
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr void set(owner_t<P>& s, const Outer& from) noexcept {
    s.*P = value(from);
  }
};

// Argument that differs from element to element of a list: element k of the list receives element k
// of another view of the same record. The view is named twice:
// - args<&element::m, each<&S::view>> in the description: `P` is the other view.
// - list_view<W, each<&element::m, View>> in the struct: `P` is the parameter, and `View` is the
//   type of the other view, an array_view or a list_view.
// decode returns invalid_value for an element without a counterpart in the other view. Elements may
// have no bytes; if the other view is itself a parameter, limit its length.
template <auto P, class View> struct each_t {
  static constexpr auto member = P;
  using view = View;
};
template <auto P, class View = void> inline constexpr each_t<P, View> each{};

template <auto P, auto From>
requires std::is_same_v<std::remove_const_t<decltype(From)>, each_t<From.member, void>>
struct args<P, From> {
  using view = member_t<From.member>;
  static constexpr auto member = each<P, view>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<From.member, Place>();
  }
  template <class Outer>
  TRACECODEC_INLINE static constexpr const view& value(const Outer& from) noexcept {
    return from.*From.member;
  }
  template <class Outer> static constexpr void set(owner_t<P>&, const Outer&) noexcept {
    static_assert(detail::never<Outer>,
                  "args<&element::m, each<&S::view>> is for the elements of list<> and prefixed<>; "
                  "the argument of a single record is a member or a function");
  }
};

namespace detail {
template <class T> inline constexpr bool is_each = false;
template <auto P, class View> inline constexpr bool is_each<each_t<P, View>> = true;
template <auto Arg> inline constexpr bool is_each_argument =
    is_each<std::remove_const_t<decltype(Arg)>>;

// Value that a list_view stores for the argument `Arg`, and the position of the next element in it.
template <auto Arg> struct argument {
  using type = member_t<Arg>;
  struct cursor {
    type value;
    constexpr cursor() = default;
    constexpr explicit cursor(const type& v) noexcept : value(v) {}
    // Sets the parameter of the next element. Returns false if it has no value.
    template <class S> TRACECODEC_INLINE constexpr bool to_next(S& s) noexcept {
      s.*Arg = value;
      return true;
    }
  };
};
template <auto Arg>
requires is_each_argument<Arg>
struct argument<Arg> {
  using type = typename decltype(Arg)::view;
  struct cursor {
    using parameter = member_t<decltype(Arg)::member>;
    decltype(std::declval<const type&>().begin()) at;
    decltype(std::declval<const type&>().end()) end;
    constexpr cursor() = default;
    constexpr explicit cursor(const type& v) noexcept : at(v.begin()), end(v.end()) {}
    template <class S> constexpr bool to_next(S& s) noexcept {
      if (at == end) return false;
      s.*(decltype(Arg)::member) = static_cast<parameter>(*at);
      ++at;
      return true;
    }
  };
};

// Returns true if two arguments are equal. Views are equal if they view the same bytes.
template <class T> constexpr bool same_argument(const T& a, const T& b) noexcept {
  if constexpr (requires { a.bytes().data(); }) {
    return a.bytes().data() == b.bytes().data() && a.bytes().size() == b.bytes().size();
  } else {
    static_assert(
        requires { static_cast<bool>(a == b); },
        "a parameter of a list's elements needs operator==, because encode compares it "
        "with the value that the view stores");
    return a == b;
  }
}

// Arguments for the parameters `M` of a list's elements.
template <auto... M> struct argument_values {
  constexpr argument_values() = default;
  struct cursor {
    constexpr cursor() = default;
    constexpr explicit cursor(const argument_values&) noexcept {}
    template <class S> constexpr bool to_next(S&) noexcept { return true; }
  };
  friend constexpr bool operator==(const argument_values&, const argument_values&) noexcept {
    return true;
  }
};
template <auto M, auto... Rest> struct argument_values<M, Rest...> {
  typename argument<M>::type value{};
  argument_values<Rest...> rest;

  constexpr argument_values() = default;
  constexpr explicit argument_values(const typename argument<M>::type& v,
                                     const typename argument<Rest>::type&... others) noexcept
      : value(v), rest(others...) {}
  // Sets the parameters of one element after another.
  struct cursor {
    typename argument<M>::cursor first;
    typename argument_values<Rest...>::cursor others;
    constexpr cursor() = default;
    constexpr explicit cursor(const argument_values& a) noexcept : first(a.value), others(a.rest) {}
    template <class S> constexpr bool to_next(S& s) noexcept {
      return first.to_next(s) && others.to_next(s);
    }
  };
  friend constexpr bool operator==(const argument_values& a, const argument_values& b) noexcept {
    return same_argument(a.value, b.value) && a.rest == b.rest;
  }
};

// Bound field that stores a nested record of wire type `W`, for records that have parameters and
// vary in size.
template <auto P, class W, class... Args> struct bound_field_with_args {
  using value = member_t<P>;
  static_assert(variable_length_type<W> && std::is_same_v<value, typename W::value_type>,
                "only a record of varying size can receive parameters");
  static_assert(receives_parameters<pointed<P>, W, sizeof...(Args)>());
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = is_greedy<W>;
  static constexpr bool nests_records = is_read<W>;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<value>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  using evaluated = typename W::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    (Args::set(s.*P, s), ...);
    // The path to the failing field ends at this member, because extend_path() would read the
    // record without its arguments.
    return read_member<W>(s.*P, at, in, notes, label);
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated& a) noexcept {
    return W::prepare(with_args(s), a);
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const evaluated& a, extent_type,
                                       Notes&) noexcept {
    return W::written(with_args(s), a);
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const evaluated& a, const byte*) noexcept {
    return W::store(with_args(s), p, a);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_field_with_args>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    describe_variable_length<W>(list, r);
  }

 private:
  template <class S> static constexpr value with_args(const S& s) noexcept {
    value inner = s.*P;
    (Args::set(inner, s), ...);
    return inner;
  }
};
}  // namespace detail

// Nested record `P` of varying size, with parameters that the enclosing record sets. (A record of
// fixed size needs no parameters, because its items cannot depend on a parameter.) Both decode and
// encode overwrite the parameters stored in the member.
template <auto P, class W, class... Args>
requires(sizeof...(Args) != 0) struct field<P, W, Args...> {
  using owner = owner_t<P>;
  template <class Policy> using bind =
      detail::bound_field_with_args<P, infer_t<W, Policy>, Args...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return (Args::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/varint.hpp
// Integers whose number of bytes depends on the value: leb128, sleb128, zigzag, vlq.

namespace tracecodec::wire {

namespace detail {
template <class T> inline constexpr unsigned bits_of = 8 * sizeof(T);
// Maximum number of 7-bit groups in a value of type `T`.
template <class T> inline constexpr unsigned groups_of = (bits_of<T> + 6) / 7;

// Returns the range of sizes in bytes as text, such as "1 to 10".
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

// LEB128 number in exactly `N` bytes, the last of which may be unnecessary. Linkers write such
// numbers so that they can store another value in the same bytes later.
template <class T, std::size_t N> struct leb_in_bytes {
  static_assert(N <= groups_of<T>, "a LEB128 number has at most one byte for 7 bits of its value");
  using value_type = T;
  static constexpr std::size_t size = N;
  static constexpr std::size_t alignment = 1;
  static constexpr order byte_order = order::native;
  static constexpr bool has_order = false;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = true;
  TRACECODEC_INLINE static constexpr T load(const byte* p) noexcept {
    unsigned_type v = 0;
    for (std::size_t i = 0; i < N; ++i)
      v = static_cast<unsigned_type>(v | static_cast<unsigned_type>(group(p[i]) << (7 * i)));
    if constexpr (std::is_signed_v<T> && 7 * N < bits_of<T>) {
      constexpr auto sign = static_cast<unsigned_type>(unsigned_type{1} << (7 * N - 1));
      v = static_cast<unsigned_type>((v ^ sign) - sign);
    }
    return static_cast<T>(v);
  }
  TRACECODEC_INLINE static constexpr void store(T v, byte* p) noexcept {
    for (std::size_t i = 0; i < N; ++i, v = static_cast<T>(v >> 7))
      p[i] = static_cast<byte>((v & 0x7f) | (i + 1 == N ? 0 : 0x80));
  }
  // Returns malformed if the number does not have exactly `N` bytes or does not fit `T`.
  static constexpr errc accepts(const byte* p) noexcept {
    for (std::size_t i = 0; i < N; ++i)
      if ((std::to_integer<unsigned>(p[i]) > 0x7f) != (i + 1 != N)) return errc::malformed;
    if constexpr (7 * N > bits_of<T>) {
      // Bits of the last group above the value's most significant bit. They must be 0, or equal to
      // the sign.
      constexpr unsigned kept = bits_of<T> - 7 * (N - 1);
      const auto last = std::to_integer<unsigned>(p[N - 1]);
      if constexpr (std::is_signed_v<T>) {
        const unsigned rest = last >> (kept - 1);
        if (rest != 0 && rest != 0x7fU >> (kept - 1)) return errc::malformed;
      } else {
        if (last >> kept != 0) return errc::malformed;
      }
    }
    return errc::ok;
  }
  static constexpr bool fits(T v) noexcept {
    if constexpr (7 * N >= bits_of<T>)
      return true;
    else if constexpr (std::is_signed_v<T>)
      return v >> (7 * N - 1) == 0 || v >> (7 * N - 1) == -1;
    else
      return v >> (7 * N) == 0;
  }
  static constexpr layout_how how{.as = std::is_signed_v<T> ? read_as::sleb128 : read_as::uleb128};
  static constexpr text type_name() noexcept {
    return named<T>(std::is_signed_v<T> ? "sleb" : "uleb");
  }

 private:
  using unsigned_type = std::make_unsigned_t<T>;
  static constexpr unsigned_type group(byte b) noexcept {
    return static_cast<unsigned_type>(std::to_integer<unsigned_type>(b) & 0x7f);
  }
};
}  // namespace detail

// Unsigned LEB128: 7-bit groups, least significant first, with bit 7 set in all groups except the
// last (DWARF, section 7.6). A number is malformed if it does not fit `T`, or has more groups than
// `T` needs. decode accepts unnecessary groups of zeros, and encode does not write them. If `N` is
// not 0, the number has exactly `N` bytes, and comes back byte for byte.
template <class T, std::size_t N = 0> struct uleb128_of : detail::leb_in_bytes<T, N> {
  static_assert(std::is_unsigned_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
};
template <class T> struct uleb128_of<T, 0> {
  static_assert(std::is_unsigned_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool variable_length = true;
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

// Signed LEB128: 7-bit groups of a two's complement number. Bit 6 of the last group is the sign. If
// `N` is not 0, the number has exactly `N` bytes.
template <class T, std::size_t N = 0> struct sleb128_of : detail::leb_in_bytes<T, N> {
  static_assert(std::is_signed_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
};
template <class T> struct sleb128_of<T, 0> {
  static_assert(std::is_signed_v<T>, "leb128 needs an unsigned integer, sleb128 a signed one");
  using value_type = T;
  static constexpr bool variable_length = true;
  TRACECODEC_INLINE static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const byte* q = in.data();
    const byte* const end = q + in.size();
    bits r = 0;
    for (unsigned shift = 0; q != end; shift += 7) {
      const auto b = std::to_integer<bits>(*q++);
      const bits low = b & 0x7f;
      if (shift + 7 > width) [[unlikely]] {
        // All bits above the sign bit must be equal to the sign bit.
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

// Signed integer stored as its index in the sequence 0, -1, 1, -2, 2, ... (Protocol Buffers' sint32
// and sint64). The index is an unsigned LEB128 number.
template <class T> struct zigzag_of {
  static_assert(std::is_signed_v<T>, "zigzag needs a signed integer");
  using value_type = T;
  static constexpr bool variable_length = true;
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

// Variable-length quantity: 7-bit groups, most significant first, with bit 7 set in all groups
// except the last (Standard MIDI Files).
template <class T> struct vlq_of {
  static_assert(std::is_unsigned_v<T>, "vlq needs an unsigned integer");
  using value_type = T;
  static constexpr bool variable_length = true;
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

namespace detail {
template <class Name> consteval bool this_member_has_fewer_bits_than_its_bytes() {
  static_assert(never<Name>,
                "a LEB128 number has at most one byte for 7 bits of its member: 5 bytes for "
                "std::uint32_t, 10 for std::uint64_t");
  return true;
}
template <auto P, std::size_t N> consteval bool fills_bytes() {
  if constexpr (N <= groups_of<member_t<P>>)
    return true;
  else
    return this_member_has_fewer_bits_than_its_bytes<quoted_t<label_of<pointed<P>>>>();
}
template <class Name, class T> consteval bool this_member_does_not_suit_its_varint() {
  static_assert(never<Name>,
                "leb128 and vlq need a member that is an unsigned integer; sleb128 and zigzag need "
                "a signed one");
  return true;
}
template <auto P, bool Signed> consteval bool member_suits_varint() {
  using type = member_t<P>;
  if constexpr (is_integer<type> && std::is_signed_v<type> == Signed)
    return true;
  else
    return this_member_does_not_suit_its_varint<quoted_t<label_of<pointed<P>>>, type>();
}
}  // namespace detail

// Fields that store member `P` in one of the encodings above.
template <auto P, std::size_t N = 0> struct leb128 : field<P, uleb128_of<member_t<P>, N>> {
  static_assert(detail::member_suits_varint<P, false>() && detail::fills_bytes<P, N>());
};
template <auto P, std::size_t N = 0> struct sleb128 : field<P, sleb128_of<member_t<P>, N>> {
  static_assert(detail::member_suits_varint<P, true>() && detail::fills_bytes<P, N>());
};
template <auto P> struct zigzag : field<P, zigzag_of<member_t<P>>> {
  static_assert(detail::member_suits_varint<P, true>());
};
template <auto P> struct vlq : field<P, vlq_of<member_t<P>>> {
  static_assert(detail::member_suits_varint<P, false>());
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/delta.hpp
// Members that are stored relative to another value.

namespace tracecodec::wire {

namespace detail {
// Compile errors about a relative member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_cannot_be_relative() {
  static_assert(never<Name>,
                "delta<> needs a member that is an integer, and stores an integer of at most the "
                "member's width");
  return true;
}
template <class W> struct number_stored { using type = bool; };
template <class W>
requires requires { typename W::value_type; }
struct number_stored<W> {
  using type = typename W::value_type;
};
template <auto P, class Number> consteval bool can_be_relative() {
  if constexpr (is_integer<member_t<P>> && is_integer<Number> &&
                sizeof(Number) <= sizeof(member_t<P>))
    return true;
  else
    return this_member_cannot_be_relative<quoted_t<label_of<pointed<P>>>>();
}

// Member `P`, stored as its difference from `Base` in the wire type `W`.
template <auto P, auto Base, class W> struct bound_delta {
  using value = member_t<P>;
  using number = typename number_stored<W>::type;
  static_assert(can_be_relative<P, number>());
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = usual_meaning<value>;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Base, Sizes...>();
  }
  using evaluated = nothing_evaluated;

  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    number d{};
    const bits base = base_of(s);
    const std::size_t end = read_member<W>(d, at, in, notes, label);
    if (end == not_read) return end;
    s.*P = static_cast<value>(static_cast<bits>(base + static_cast<bits>(d)));
    return end;
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated&) noexcept {
    const number d = difference(s);
    // The difference must come back when it is widened to the member's width.
    if (static_cast<bits>(base_of(s) + static_cast<bits>(d)) != static_cast<bits>(s.*P))
      return errc::does_not_fit;
    return check_element<W>(d);
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, evaluated, extent_type, Notes&) noexcept {
    return size_of_element<W>(difference(s));
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, evaluated, const byte*) noexcept {
    return store_element<W>(difference(s), p);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_delta>{}, s.*P, present);
  }
  static constexpr layout_values values{.are = values_are::relative, .base = member_text<Base>};
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.values = &values;
    describe_any<W>(list, r);
  }

 private:
  // Differences are computed modulo the range of the member's type.
  using bits = std::make_unsigned_t<value>;
  template <class S> TRACECODEC_INLINE static constexpr bits base_of(const S& s) noexcept {
    return static_cast<bits>(detail::evaluate<Base>(s));
  }
  template <class S> static constexpr number difference(const S& s) noexcept {
    return static_cast<number>(static_cast<bits>(static_cast<bits>(s.*P) - base_of(s)));
  }
};
}  // namespace detail

// Member `P` that is stored as its difference from `Base` (&S::member, &S::function or a callable),
// which is evaluated on members that were read earlier, and usually is a member of previous<>. The
// difference is stored as `W`, by default as a zigzag varint. It is computed modulo the range of
// the member's type, so that any value can follow any other. encode returns does_not_fit if the
// difference does not fit `W`.
template <auto P, auto Base, class W = zigzag_of<std::make_signed_t<member_t<P>>>> struct delta
    : field<P, W> {
  template <class Policy> using bind = detail::bound_delta<P, Base, infer_t<W, Policy>>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Base, Place>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Base, Open>();
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/integers.hpp
// Numbers in representations that processors do not support: integers of 24 to 56 bits and of 128
// bits, integers in both byte orders, numbers as text, and short floating point.

namespace tracecodec::wire {

// Integer `T` stored in `N` bytes, in byte order `O`. Signed integers are in two's complement.
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

// Unsigned integer of 128 bits. It is a struct, because some compilers do not provide such an
// integer type.
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

// Integer `T` stored twice: first little-endian, then big-endian (ISO 9660, 7.2.3 and 7.3.3).
// decode returns malformed if the two values differ.
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

namespace detail {
// Wire type of nonzero<>, stored as the integer wire type `W`.
template <class W> struct nonzero_of {
  using value_type = bool;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr bool object_bytes = false;
  TRACECODEC_INLINE static constexpr bool load(const byte* p) noexcept { return W::load(p) != 0; }
  TRACECODEC_INLINE static constexpr void store(bool v, byte* p) noexcept {
    W::store(static_cast<typename W::value_type>(v), p);
  }
  static constexpr bool fits(bool) noexcept { return true; }
  static constexpr text type_name() noexcept { return W::type_name(); }
};
}  // namespace detail

// bool that is stored in an integer `T`, as in C and in the Windows type BOOL: 0 is false, and any
// other value is true. An example is field<&S::flag, nonzero<std::uint32_t>>. encode writes only 0
// or 1, so other values do not round-trip. In contrast, a plain bool accepts only the bytes 0 and
// 1.
template <class T = std::uint8_t> struct nonzero {
  template <class Policy> using wire_type = detail::nonzero_of<infer_t<T, Policy>>;
};

// Position of the digits in the characters of a number:
// - zeros_nul: leading zeros, and a NUL as the last character.
// - zeros_nul_blank: leading zeros, and a NUL and a blank as the last two characters (tar).
// - zeros: leading zeros, and digits up to the last character.
// - left: digits, then blanks (ar).
// - right: blanks, then digits.
enum class digits_as : std::uint8_t { zeros_nul, zeros_nul_blank, zeros, left, right };

namespace detail {
// Returns the value of a digit of base 16, or 16 for any other character.
constexpr unsigned digit_of(unsigned char c) noexcept {
  if (c >= '0' && c <= '9') return c - unsigned{'0'};
  if (c >= 'a' && c <= 'f') return c - unsigned{'a'} + 10;
  if (c >= 'A' && c <= 'F') return c - unsigned{'A'} + 10;
  return 16;
}
// Returns the number of digits of `v` in base `Base`.
template <unsigned Base, class T> constexpr std::size_t digits_in(T v) noexcept {
  std::size_t n = 1;
  for (; v >= Base; v = static_cast<T>(v / Base)) ++n;
  return n;
}
// Writes the last `n` digits of `v` in base `Base` to `p`.
template <unsigned Base, class T>
constexpr void store_digits(T v, std::size_t n, byte* p) noexcept {
  for (; n != 0; v = static_cast<T>(v / Base))
    p[--n] = static_cast<byte>("0123456789abcdef"[v % Base]);
}
template <unsigned Base> constexpr text name_of_digits() noexcept {
  text t = std::string_view("digits, base ");
  return t += Base;
}
}  // namespace detail

// Unsigned number stored as `N` characters in base `Base`, which is from 2 to 16. decode accepts
// blanks before the digits, and blanks and NULs after them. A field that contains only blanks and
// NULs is 0. Anything else is malformed, including a number that does not fit `T`. encode writes
// lower-case digits at the position that `As` specifies. If there are too many digits, encode
// returns does_not_fit.
template <class T, std::size_t N, unsigned Base, digits_as As> struct digits_of {
  static_assert(std::is_unsigned_v<T> && Base >= 2 && Base <= 16 && N != 0,
                "digits<&S::m, n, base> needs an unsigned member, at least one character, and a "
                "base from 2 to 16");
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
    const std::size_t n = detail::digits_in<Base>(v);
    const std::size_t end = As == digits_as::left ? n : N - trailing;
    constexpr bool zeros = trailing != 0 || As == digits_as::zeros;
    for (std::size_t i = 0; i < N; ++i) p[i] = static_cast<byte>(zeros ? '0' : ' ');
    if constexpr (trailing != 0) p[N - trailing] = byte{0};
    if constexpr (trailing == 2) p[N - 1] = static_cast<byte>(' ');
    const std::size_t kept = n < end ? n : end;
    detail::store_digits<Base>(v, kept, p + (end - kept));
  }
  static constexpr bool fits(T v) noexcept { return detail::digits_in<Base>(v) <= N - trailing; }
  static constexpr layout_how how{.as = read_as::digits, .number = Base};
  static constexpr text type_name() noexcept { return detail::name_of_digits<Base>(); }

 private:
  // Number of terminating characters (NUL and blank) after the digits.
  static constexpr std::size_t trailing = As == digits_as::zeros_nul         ? 1
                                          : As == digits_as::zeros_nul_blank ? 2
                                                                             : 0;
  struct parsed {
    T value = 0;
    bool good = true;
  };
  static constexpr parsed parse(const byte* p) noexcept {
    const auto at = [p](std::size_t i) { return std::to_integer<unsigned char>(p[i]); };
    parsed r{};
    std::size_t i = 0;
    while (i < N && at(i) == ' ') ++i;
    for (; i < N && detail::digit_of(at(i)) < Base; ++i) {
      const unsigned d = detail::digit_of(at(i));
      if (r.value > (std::numeric_limits<T>::max() - d) / Base) return {0, false};
      r.value = static_cast<T>(r.value * Base + d);
    }
    for (; i < N; ++i)
      if (at(i) != ' ' && at(i) != 0) return {0, false};
    return r;
  }
};

namespace detail {
template <class T, unsigned Base, char End>
inline constexpr bool has_digits_until = is_integer<T>&& Base >= 2 && Base <= 16 && End != '-' &&
                                         digit_of(static_cast<unsigned char>(End)) >= Base;
// Compile error about digits. Compilers print the template argument, which contains the member's
// name.
template <class Name> consteval bool this_member_cannot_be_digits() {
  static_assert(never<Name>,
                "digits_until<> needs an integer, a base from 2 to 16, and a last character that "
                "is not a digit of this base or a minus sign");
  return true;
}
template <auto P, unsigned Base, char End> consteval bool digits_are_good() {
  if constexpr (has_digits_until<member_t<P>, Base, End>)
    return true;
  else
    return this_member_cannot_be_digits<quoted_t<label_of<pointed<P>>>>();
}
}  // namespace detail

// Number stored as digits in base `Base`, which is from 2 to 16, followed by the character `End`.
// A negative number begins with a minus sign. encode writes lower-case digits without leading
// zeros. decode rejects anything else as malformed, because encode could not reproduce the bytes,
// and a number that does not fit `T`.
template <class T, unsigned Base, char End> struct digits_until_of {
  static_assert(detail::has_digits_until<T, Base, End>);
  using value_type = T;
  static constexpr bool variable_length = true;
  static constexpr scan_result scan(T& v, std::span<const byte> in) noexcept {
    const auto at = [in](std::size_t i) { return std::to_integer<unsigned char>(in[i]); };
    const std::size_t first = std::is_signed_v<T> && !in.empty() && at(0) == '-' ? 1 : 0;
    const bits most =
        static_cast<bits>(static_cast<bits>(std::numeric_limits<T>::max()) + (first != 0 ? 1 : 0));
    bits r = 0;
    std::size_t i = first;
    for (; i < in.size() && at(i) != static_cast<unsigned char>(End); ++i) {
      const unsigned d = detail::digit_of(at(i));
      const bool leading_zero = i != first && r == 0, upper = at(i) >= 'A' && at(i) <= 'F';
      if (d >= Base || leading_zero || upper || r > (most - d) / Base) return {0, errc::malformed};
      r = static_cast<bits>(r * Base + d);
    }
    if (i == in.size()) return {0, errc::truncated};
    if (i == first || (first != 0 && r == 0)) return {0, errc::malformed};
    v = static_cast<T>(first != 0 ? static_cast<bits>(bits{0} - r) : r);
    return {i + 1};
  }
  static constexpr errc check(T) noexcept { return errc::ok; }
  static constexpr std::uint64_t written(T v) noexcept {
    return detail::digits_in<Base>(magnitude(v)) + (v < T{} ? 2 : 1);
  }
  static constexpr byte* store(T v, byte* p) noexcept {
    if (v < T{}) *p++ = static_cast<byte>('-');
    const std::size_t n = detail::digits_in<Base>(magnitude(v));
    detail::store_digits<Base>(magnitude(v), n, p);
    p[n] = static_cast<byte>(End);
    return p + n + 1;
  }
  static constexpr layout_how how{.as = read_as::digits_until, .number = Base, .end = End};
  static constexpr text type_name() noexcept { return detail::name_of_digits<Base>(); }
  static constexpr text sizes() noexcept {
    text t = std::string_view("2 to ");
    return t += std::size_t{detail::digits_in<Base>(std::numeric_limits<bits>::max()) +
                            (std::is_signed_v<T> ? 2 : 1)};
  }

 private:
  using bits = std::make_unsigned_t<T>;
  static constexpr bits magnitude(T v) noexcept {
    return static_cast<bits>(v < T{} ? bits{0} - static_cast<bits>(v) : static_cast<bits>(v));
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
      // `e` can wrap below 0. Adding the bias later undoes the wrap.
      for (e = 1; (f >> fraction) == 0; f <<= 1) --e;
      f &= (1U << fraction) - 1;
    }
    return std::bit_cast<float>(sign | (e + 127 - bias) << 23 | f << (23 - fraction));
  }
  // Returns the 16-bit form of `v`. Low fraction bits that do not fit are dropped.
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

namespace detail {
template <class Name, unsigned Bits> consteval bool this_integer_has_another_width() {
  static_assert(never<Name>,
                "integer<&S::m, bits> needs a multiple of 8 that is less than the width of the "
                "member, such as 24; a width inside a byte is a slice of bit_slices<>");
  return true;
}
template <auto P, unsigned Bits> consteval bool integer_has_width() {
  if constexpr (Bits % 8 == 0 && Bits != 0 && Bits < 8 * sizeof(member_t<P>))
    return true;
  else
    return this_integer_has_another_width<quoted_t<label_of<pointed<P>>>, Bits>();
}
}  // namespace detail

// Field that stores member `P` in `Bits` bits, in the record's byte order. `Bits` is a multiple of
// 8, and less than the width of the member's type.
template <auto P, unsigned Bits> struct integer : field<P> {
  static_assert(detail::integer_has_width<P, Bits>());
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>,
                          integer_of<member_t<P>, Bits / 8, Policy::byte_order>>;
};
template <auto P> struct both_orders : field<P, both_orders_of<member_t<P>>> {};
template <auto P, std::size_t N, unsigned Base, digits_as As = digits_as::zeros_nul> struct digits
    : field<P, digits_of<member_t<P>, N, Base, As>> {};
template <auto P, unsigned Base, char End> struct digits_until
    : field<P, digits_until_of<member_t<P>, Base, End>> {
  static_assert(detail::digits_are_good<P, Base, End>());
};
template <auto P> struct float16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<5, Policy::byte_order>>;
};
template <auto P> struct bfloat16 : field<P> {
  template <class Policy> using bind =
      detail::bound_field<detail::by_pointer<P>, float16_of<8, Policy::byte_order>>;
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/strings.hpp
// Views of text and of other sequences of elements. A sequence ends with a terminator, follows its
// length, or is padded to a fixed length.

namespace tracecodec::wire {

namespace detail {
// Reads a number of wire type `W`, of fixed size or variable length, from the front of `in` into
// `v`.
template <class W>
TRACECODEC_INLINE constexpr scan_result scan_number(typename W::value_type& v,
                                                    std::span<const byte> in) noexcept {
  if constexpr (variable_length_type<W>) {
    return W::scan(v, in);
  } else {
    if (in.size() < W::size) return {0, errc::truncated};
    if (const errc e = detail::accept_rows<W>(in.data(), 1, W::size); e != errc::ok) return {0, e};
    v = W::load(in.data());
    return {W::size};
  }
}
// Returns does_not_fit if a number of wire type `C` cannot store the count `n`.
template <class C> constexpr errc check_count(std::size_t n) noexcept {
  using number = typename C::value_type;
  const auto v = static_cast<number>(n);
  if (std::uint64_t{n} != static_cast<std::uint64_t>(v) || v < number{}) return errc::does_not_fit;
  return check_element<C>(v);
}

// Returns the terminator or fill value `v` as a number for layout_how, or 0 if `v` is not an
// integer.
template <class T> constexpr std::uint64_t bits_of_number(const T& v) noexcept {
  if constexpr (is_integer<integer_t<T>>)
    return static_cast<std::make_unsigned_t<integer_t<T>>>(v);
  else
    return 0;
}
}  // namespace detail

// Elements of wire type `W` that end at a terminating element equal to `End`. The view excludes the
// terminator.
template <class W, typename W::value_type End = typename W::value_type{}> struct terminated_view {
  using value_type = array_view<W>;
  static constexpr bool variable_length = true;
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
  // equals `End`.
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

// Length stored as wire type `C`, of fixed size or variable length, followed by that many elements
// of wire type `W`.
template <class C, class W> struct prefixed_view {
  using value_type = array_view<W>;
  using number = typename C::value_type;
  static_assert(std::is_integral_v<number>, "a length is an integer");
  static constexpr bool variable_length = true;
  // True if the length prefix has a byte order. `has_order` and `byte_order` describe the elements,
  // or the prefix if the elements have no byte order.
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
  // Returns does_not_fit if the length prefix cannot hold the view's length.
  static constexpr errc check(const value_type& v) noexcept {
    return detail::check_count<C>(v.size());
  }
  static constexpr std::uint64_t written(const value_type& v) noexcept {
    return detail::size_of_element<C>(static_cast<number>(v.size())) + v.bytes().size();
  }
  static constexpr byte* store(const value_type& v, byte* p) noexcept {
    p = detail::store_element<C>(static_cast<number>(v.size()), p);
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

// Array in member `P`, an array_view, followed by an element equal to `End`. Examples are
// NUL-terminated text, and UTF-16 text that ends with a 16-bit NUL.
template <auto P, auto End = 0> struct terminated
    : field<P, terminated_view<detail::element_of<P>,
                               static_cast<typename detail::element_of<P>::value_type>(End)>> {};

// Array in member `P`, an array_view, whose length in elements is stored before the elements.
// `Count` is the type of the length: a plain type in the record's byte order, or a wire type of
// fixed size or variable length. If the member is a list_view, list.hpp defines the item, and
// `Args` are the parameters of the elements.
template <auto P, class Count, class... Args> struct prefixed : field<P> {
  static_assert(sizeof...(Args) == 0, "only the elements of a list_view receive parameters");
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>,
                                prefixed_view<infer_t<Count, Policy>, detail::element_of<P>>>::type;
};

// Array in member `P`, an array_view, in a field of `N` elements. Unused elements are equal to
// `Fill`.
template <auto P, std::size_t N, auto Fill = 0> struct padded
    : field<P, padded_view<detail::element_of<P>, N,
                           static_cast<typename detail::element_of<P>::value_type>(Fill)>> {};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/list.hpp
// Lists of variable-length records or values, as lazy views.

namespace tracecodec::wire {

namespace detail {
// Returns true if `W` can receive `N` parameters. Without parameters, does not instantiate `W`, so
// that a record may contain a list of itself.
template <class W, std::size_t N> consteval bool can_receive_parameters() {
  if constexpr (N == 0)
    return true;
  else
    return variable_length_type<W>;
}
// Sets the parameters of `v`, the next element of a list: the list's arguments, and the values that
// `v` carries from the previous element `last`. `last` is null for the first element. Returns false
// if `v` has no argument.
template <class W, class Cursor> TRACECODEC_INLINE constexpr bool set_parameters(
    value_of_t<W>& v, Cursor& arguments, [[maybe_unused]] const value_of_t<W>* last) noexcept {
  if (!arguments.to_next(v)) return false;
  if constexpr (carries<W>)
    if (last != nullptr) W::carry(v, *last);
  return true;
}
}  // namespace detail

// Input range of `size()` elements of wire type `W`, which may vary in size. An iterator decodes an
// element when it reaches the element. The view does not own the bytes. `Args` are the parameters
// of the elements (args.hpp). The view stores the values of these parameters.
template <class W, auto... Args> class list_view {
  static_assert(detail::can_receive_parameters<W, sizeof...(Args)>(),
                "only a record of varying size can receive parameters");

 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;
  using arguments_type = detail::argument_values<Args...>;
  // True if each element receives an element of another view. Such a list ends with the other view
  // or earlier, so its elements may have no bytes.
  static constexpr bool has_each = (detail::is_each_argument<Args> || ...);

  constexpr list_view() = default;
  // Constructs a view of the complete elements at the front of `bytes`, up to the first element
  // that decode rejects.
  constexpr explicit list_view(std::span<const byte> bytes,
                               const typename detail::argument<Args>::type&... args) noexcept
      : p_(bytes.data()), args_(args...) {
    [[maybe_unused]] value_type last{};
    typename arguments_type::cursor arguments(args_);
    for (; has_each || size_ != bytes.size(); ++n_) {
      value_type v{};
      if (!detail::set_parameters<W>(v, arguments, n_ == 0 ? nullptr : &last)) break;
      detail::no_notes none{};
      const std::size_t n = detail::read_element<W>(v, bytes.subspan(size_), none);
      if (n == detail::not_read || (n == 0 && !has_each)) break;
      size_ += n;
      if constexpr (detail::carries<W>) last = v;
    }
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept { return {p_, size_}; }
  // Returns the values of the elements' parameters.
  [[nodiscard]] constexpr const arguments_type& args() const noexcept { return args_; }

  class iterator {
   public:
    using value_type = typename W::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = const value_type&;
    using pointer = const value_type*;
    using iterator_category = std::input_iterator_tag;
    // The iterator stores the current element, so it is only an input iterator.
    using iterator_concept = std::input_iterator_tag;

    constexpr iterator() = default;
    constexpr iterator(const byte* p, const byte* end, std::size_t n,
                       const arguments_type& args) noexcept
        : p_(p), next_(p), end_(end), left_(n), args_(args) {
      load(nullptr);
    }
    constexpr reference operator*() const& noexcept { return value_; }
    // Returns a copy, because a temporary iterator is destroyed together with its element.
    constexpr value_type operator*() const&& noexcept { return value_; }
    constexpr pointer operator->() const noexcept { return &value_; }
    // Returns the bytes of the current element.
    [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
      return {p_, static_cast<std::size_t>(next_ - p_)};
    }
    constexpr iterator& operator++() noexcept {
      p_ = next_;
      if constexpr (has_each) --left_;
      if constexpr (detail::carries<W>) {
        const value_type last = value_;
        load(&last);
      } else {
        load(nullptr);
      }
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return has_each ? a.left_ == b.left_ : a.p_ == b.p_;
    }
    friend constexpr bool operator==(const iterator& a, std::default_sentinel_t) noexcept {
      return a.is_at_end();
    }

   private:
    // Decodes the element at `p_`. All elements were valid when the list was constructed. If their
    // bytes have changed since then, as can happen in a mapped file, the list ends after the first
    // element that is no longer valid.
    constexpr void load(const value_type* last) noexcept {
      if (is_at_end()) return;
      value_ = value_type{};
      detail::no_notes none{};
      const std::size_t n =
          detail::set_parameters<W>(value_, args_, last)
              ? detail::read_element<W>(value_, {p_, static_cast<std::size_t>(end_ - p_)}, none)
              : detail::not_read;
      const bool good = n != detail::not_read && (n != 0 || has_each);
      next_ = good ? p_ + n : end_;
      if constexpr (has_each)
        if (!good) left_ = 1;
    }
    constexpr bool is_at_end() const noexcept { return has_each ? left_ == 0 : p_ == end_; }
    const byte* p_ = nullptr;
    const byte* next_ = nullptr;
    const byte* end_ = nullptr;
    // Number of elements from the current one on, if the list has each<>.
    std::size_t left_ = 0;
    [[no_unique_address]] typename arguments_type::cursor args_{};
    value_type value_{};
  };
  constexpr iterator begin() const noexcept { return iterator(p_, p_ + size_, n_, args_); }
  constexpr std::default_sentinel_t end() const noexcept { return {}; }

 private:
  const byte* p_ = nullptr;
  std::size_t size_ = 0, n_ = 0;
  [[no_unique_address]] arguments_type args_{};

 public:
  // Returns a view of the `n` elements in `bytes`, which a scan has already found valid.
  static constexpr list_view of_checked(std::span<const byte> bytes, std::size_t n,
                                        const arguments_type& args) noexcept {
    list_view v;
    v.args_ = args;
    v.p_ = bytes.data();
    v.size_ = bytes.size();
    v.n_ = n;
    return v;
  }
};

// Ways in which a list ends:
// - times: after `Count` elements (&S::member, &S::function, a callable or a number).
// - to_end: at the end of the input or of the sized<> part.
// - until: after the first element for which `Pred` returns true.
template <auto Count> struct times {};
struct to_end {};
template <auto Pred> struct until {};

namespace detail {
// Implementation of to_end.
template <class End> struct list_end {
  static constexpr bool greedy = true;
  // True if `V` can be an element.
  template <class V> static constexpr bool accepts = true;
  static constexpr std::string_view says = "to the end";
  static constexpr list_ends ends = list_ends::at_end;
  static constexpr std::string_view count{};
  static constexpr const layout_part* condition = nullptr;
  template <class Place> static consteval bool depends_on_earlier() { return true; }
  template <class...> static consteval bool is_unaffected_by() { return true; }
  template <class S> static constexpr extent_type most(const S&) noexcept { return largest_extent; }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  // Returns true if a list may end at the current position. The arguments are the result of last()
  // for the latest element, the number of elements so far, and the result of most().
  static constexpr bool complete(bool, extent_type, extent_type) noexcept { return true; }
};
template <auto Count> struct list_end<times<Count>> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool accepts = true;
  static constexpr list_ends ends = list_ends::counted;
  static constexpr std::string_view count = member_text<Count>;
  static constexpr const layout_part* condition = nullptr;
  static constexpr std::string_view says = count_text<Count>;
  template <class Place> static consteval bool depends_on_earlier() {
    return is_earlier<Count, Place, used_as::count>();
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Count, Sizes...>();
  }
  template <class S> static constexpr extent_type most(const S& s) noexcept {
    return elements<1>(detail::evaluate<Count>(s));
  }
  template <class V> static constexpr bool last(const V&) noexcept { return false; }
  static constexpr bool complete(bool, extent_type n, extent_type most) noexcept {
    return n == most;
  }
};
template <auto Pred> struct list_end<until<Pred>> : list_end<to_end> {
  static constexpr bool greedy = false;
  template <class V> static constexpr bool accepts =
      std::is_invocable_r_v<bool, decltype(Pred), const V&>;
  static constexpr std::string_view says = "until one ends it";
  static constexpr list_ends ends = list_ends::until;
  static constexpr const layout_part* condition = &part_when<Pred>;
  template <class V> static constexpr bool last(const V& v) noexcept {
    return static_cast<bool>(detail::evaluate<Pred>(v));
  }
  static constexpr bool complete(bool done, extent_type, extent_type) noexcept { return done; }
};

// Compile errors about a list. Compilers print the template argument, which contains the member's
// name.
template <class Name> consteval bool this_member_must_be_a_list_view() {
  static_assert(never<Name>, "list<> needs a member that is a list_view<W>");
  return true;
}
template <class Name> consteval bool this_member_is_a_list_of_its_own_record() {
  static_assert(never<Name>,
                "a record that contains a list of its own kind needs a list_view<inner<S, codec>>, "
                "where codec is a struct that is declared before S and derives from the record");
  return true;
}
template <class Name> consteval bool this_list_has_elements_without_an_end() {
  static_assert(
      never<Name>,
      "an element of a list must have its own end: put an item that extends to the end (rest<>, "
      "skip_rest, if_left<>, list<> with to_end) into a sized<> part");
  return true;
}
template <class Name> consteval bool this_list_has_elements_that_its_predicate_does_not_accept() {
  static_assert(never<Name>, "the predicate of until<> must accept an element of the list");
  return true;
}
template <class Name> consteval bool this_list_needs_a_number_of_elements() {
  static_assert(never<Name>,
                "a list whose elements receive each<&S::view> needs a number of elements: "
                "times<size_of<&S::view>>, times<count>, or prefixed<>");
  return true;
}
template <auto P, class End, class View> consteval bool list_is_good() {
  if constexpr (!requires { typename View::arguments_type; })
    return this_member_must_be_a_list_view<quoted_t<label_of<pointed<P>>>>();
  else if constexpr (std::is_same_v<typename View::value_type, owner_t<P>> &&
                     !requires { View::codec::is_inner; })
    return this_member_is_a_list_of_its_own_record<quoted_t<label_of<pointed<P>>>>();
  else if constexpr (is_greedy<typename View::codec>)
    return this_list_has_elements_without_an_end<quoted_t<label_of<pointed<P>>>>();
  else if constexpr (!End::template accepts<typename View::value_type>)
    return this_list_has_elements_that_its_predicate_does_not_accept<
        quoted_t<label_of<pointed<P>>>>();
  else if constexpr (View::has_each && End::ends != list_ends::counted)
    return this_list_needs_a_number_of_elements<quoted_t<label_of<pointed<P>>>>();
  else
    return true;
}

template <auto P, class End, class... Args> struct bound_list {
  static_assert(list_is_good<P, End, typename view_of<P>::type>());
  using view = typename view_of<P>::type;
  using arguments_type = argument_values<Args::member...>;
  static_assert(std::is_same_v<arguments_type, typename view::arguments_type>,
                "the list's elements must receive the members that its list_view names");
  using element = typename view::codec;
  static_assert(elements_receive_parameters<pointed<P>, element, Args::member...>());
  using value = typename view::value_type;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool greedy = End::greedy;
  static constexpr bool nests_records = is_read<element>;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return sizeof...(Args) == 0 && End::template is_unaffected_by<Sizes...>();
  }

  using evaluated = nothing_evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    return scan_elements(s, at, in, notes, End::most(s));
  }
  // Reads the elements at offset `at`. `most` is the result of End::most(), or the number of
  // elements that precedes them.
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan_elements(S& s, std::size_t at,
                                                               const scan_input& in, Notes& notes,
                                                               extent_type most) noexcept {
    constexpr bool is_counted = End::ends == list_ends::counted;
    const byte* const begin = in.begin + at;
    const byte* const end = in.begin + in.size;
    const byte* p = begin;
    extent_type n = 0;
    bool done = false;
    const arguments_type args = arguments_of(s);
    [[maybe_unused]] value last{};
    typename arguments_type::cursor arguments(args);
    for (; (!is_counted || n < most) && !done && (view::has_each || p != end); ++n) {
      // Begin each element with a new value, so that absent members do not keep values of the
      // previous element.
      value v{};
      if (!set_parameters<element>(v, arguments, n == 0 ? nullptr : &last)) [[unlikely]]
        return fail(notes, offset(in, p), errc::invalid_value, &label);
      const std::span<const byte> rest{p, static_cast<std::size_t>(end - p)};
      const std::size_t took = read_element<element>(v, rest, notes);
      if (took == not_read) [[unlikely]] {
        // If elements have parameters, the path to the failing field ends at the list, because
        // extend_path() would read the element without its parameters.
        if constexpr (explains<Notes> && parameters_of<element> == 0)
          extend_path<element>(notes.path, rest, label, n);
        return fail_inside(notes, offset(in, p), label);
      }
      // An element without bytes would make the loop endless, unless another view ends it.
      if (took == 0 && !view::has_each) [[unlikely]]
        return fail(notes, offset(in, p), errc::malformed, &label);
      p += took;
      done = End::last(v);
      if constexpr (carries<element>) last = v;
    }
    if (!End::complete(done, n, most)) return fail(notes, offset(in, p), errc::truncated, &label);
    // A list to the end always ends there, which spares the caller's comparison.
    if constexpr (End::ends == list_ends::at_end) p = end;
    s.*P = view::of_checked({begin, static_cast<std::size_t>(p - begin)},
                            static_cast<std::size_t>(n), args);
    return End::ends == list_ends::at_end ? in.size : offset(in, p);
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated&) noexcept {
    return prepare_elements(s, End::most(s));
  }
  template <class S> static constexpr errc prepare_elements(const S& s, extent_type most) noexcept {
    const view& all = s.*P;
    if (End::ends == list_ends::counted && all.size() > most) return errc::count_mismatch;
    if constexpr (sizeof...(Args) != 0)
      if (!all.empty() && !(all.args() == arguments_of(s))) return errc::invalid_value;
    bool done = false;
    // Elements are decoded only if their values end the list.
    if constexpr (End::ends == list_ends::until)
      for (const value& v : all) {
        if (done) return errc::count_mismatch;
        done = End::last(v);
      }
    return End::complete(done, all.size(), most) ? errc::ok : errc::count_mismatch;
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
    f(field_info<bound_list>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.variable_length = true;
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
  TRACECODEC_INLINE static constexpr std::size_t offset(const scan_input& in,
                                                        const byte* p) noexcept {
    return static_cast<std::size_t>(p - in.begin);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr arguments_type arguments_of(const S& s) noexcept {
    if constexpr (sizeof...(Args) == 0)
      return {};
    else
      return arguments_type(Args::value(s)...);
  }
};

// End of a list whose number of elements precedes the elements.
struct after_its_count : list_end<to_end> {
  static constexpr bool greedy = false;
  static constexpr list_ends ends = list_ends::counted;
  static constexpr bool complete(bool, extent_type n, extent_type most) noexcept {
    return n == most;
  }
};
// List of member `P` that follows the number of its elements, which is stored as wire type `C`.
template <auto P, class C, class... Args> struct bound_prefixed_list
    : bound_list<P, after_its_count, Args...> {
  using base = bound_list<P, after_its_count, Args...>;
  using number = typename C::value_type;
  static_assert(std::is_integral_v<number>, "the number of elements is an integer");
  using evaluated = typename base::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    number n{};
    const std::size_t first = read_member<C>(n, at, in, notes, base::label);
    if (first == not_read) [[unlikely]]
      return first;
    return base::scan_elements(s, first, in, notes, elements<1>(n));
  }
  template <class S> static constexpr errc prepare(const S& s, evaluated&) noexcept {
    const errc e = check_count<C>((s.*P).size());
    return e != errc::ok ? e : base::prepare_elements(s, (s.*P).size());
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, evaluated, extent_type, Notes&) noexcept {
    return size_of_element<C>(static_cast<number>((s.*P).size())) + (s.*P).bytes().size();
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, evaluated a, const byte* begin) noexcept {
    return base::store(s, store_element<C>(static_cast<number>((s.*P).size()), p), a, begin);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_prefixed_list>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += base::label;
    r.variable_length = true;
    r.count = C::type_name();
    r.count += " + list";
    r.type = base::element::type_name();
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::prefixed,
                                  .element = kept_nodes<typename base::element>,
                                  .prefix = kept_nodes<C>};
};
template <class T> inline constexpr bool is_list_view = false;
template <class W, auto... Args> inline constexpr bool is_list_view<list_view<W, Args...>> = true;
}  // namespace detail

// List of elements that may vary in length, in member `P`, a list_view. `End` is times<count>,
// to_end or until<pred>. decode checks all elements once, so that a later iteration cannot fail. An
// element without bytes is malformed. Each element receives the values that it carries from the
// previous element (previous<>). encode copies the view's bytes. Each of `Args`, such as
// args<&element::m, From>, sets a parameter of each element. encode returns invalid_value for a
// view that stores other values of the parameters.
template <auto P, class End = to_end, class... Args> struct list {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_list<P, detail::list_end<End>, Args...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::list_end<End>::template depends_on_earlier<Place>() &&
           (Args::template depends_on_earlier<Place>() && ...);
  }
};

// List in member `P`, a list_view, that follows the number of its elements, which has the type
// `Count`. `Args` are the same as for list<>.
template <auto P, class Count, class... Args>
requires detail::is_list_view<member_t<P>>
struct prefixed<P, Count, Args...> {
  using owner = owner_t<P>;
  template <class Policy> using bind =
      detail::bound_prefixed_list<P, infer_t<Count, Policy>, Args...>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return (Args::template depends_on_earlier<Place>() && ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/types/file_pointer.hpp
// Typed offsets stored in a file. The type of an offset specifies the target and the region to
// which the offset is relative.

namespace tracecodec::wire {

// Base of a pointer that is relative to the file's first byte.
struct whole_file;

// Bytes to which pointers with base `Base` are relative. The type prevents mistakes, such as
// applying a pointer that is relative to a table's extra area to the whole file.
template <class Base = whole_file> struct region { std::span<const byte> bytes; };

// Bytes to which a pointer refers, or the error if the pointer is out of bounds.
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
  // Returns the bytes of a `To`, which must be a codec of fixed size. (This function is a template,
  // because clang 14 examines the constraints of a plain member function even if nothing calls the
  // function.)
  template <class T = To> [[nodiscard]] constexpr located locate(region<Base> base) const noexcept
      requires(T::size > 0) {
    return locate(base, T::size);
  }

  friend constexpr bool operator==(const file_pointer&, const file_pointer&) = default;

  template <class Policy> using wire_type =
      file_pointer_codec<file_pointer, scalar<Rep, Policy::byte_order>>;
};

// Decodes the record at `at` into `s`, for a `To` that is a codec. The record may extend to the end of
// the region. Returns the same errors as To::decode(), and out_of_bounds if the pointer leads out of
// the region. `used` is the size of the record. After an error, `used` is the offset of the failing
// field in the region, or 0 for out_of_bounds.
template <class To, class Base, std::integral Rep>
constexpr result decode_at(const file_pointer<To, Base, Rep>& at, region<Base> base,
                           typename To::value_type& s) noexcept {
  const located rest = at.locate_rest(base);
  if (!rest) return {0, rest.error, {}};
  result r = To::decode(rest.bytes, s);
  if (!r) r.used += static_cast<std::size_t>(at.offset);
  return r;
}

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
// Iterator for views whose elements are decoded on access.

namespace tracecodec::wire {

// Random-access iterator over `View`, which has a value_type and returns elements by operator[].
// The iterator stores a copy of the view and can outlive the original. (array_view has its own
// iterator, which stores a pointer. With an index instead, clang needed up to a quarter more
// instructions for a loop.)
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
// Tables whose row size (stride) is stored in the file. Later versions of a format may append
// fields to each row, so a reader decodes only the fields at the front of a row.

namespace tracecodec::wire {

// Random-access range of `size()` elements of wire type `W`. Consecutive elements begin `stride()`
// bytes apart. The stride is at least W::size. The view does not own the bytes.
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
// out_of_bounds, or invalid_value if the stride is smaller than an element. If decode can reject
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

  struct evaluated {
    extent_type n, stride;
  };
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    return {elements<1>(detail::evaluate<Count>(s)), elements<1>(detail::evaluate<Stride>(s))};
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const evaluated& a) noexcept {
    return a.n == 0 || a.stride <= largest_extent / a.n ? a.n * a.stride : largest_extent;
  }
  template <class S> static constexpr extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                      const evaluated& a) noexcept {
    // If rows are too short for an element, the view is empty, and accepts() rejects the table.
    const auto n = static_cast<std::size_t>(a.stride < element::size ? 0 : a.n);
    s.*P = view(p, n, static_cast<std::size_t>(a.stride));
    return p + static_cast<std::size_t>(extent(a));
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const evaluated& a) noexcept {
    copy((s.*P).bytes().data(), p, static_cast<std::size_t>(extent(a)));
    return p + static_cast<std::size_t>(extent(a));
  }
  template <class S> static constexpr errc check(const S& s, const evaluated& a) noexcept {
    return a.n == (s.*P).size() && a.stride == (s.*P).stride() && a.stride >= element::size
               ? errc::ok
               : errc::count_mismatch;
  }
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, const evaluated& a) noexcept {
    if (a.stride < element::size) return errc::invalid_value;
    return accept_rows<element>(p, a.n, a.stride);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_strided>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = count_text<Count>;
    r.size = element::size;
    r.type = element::type_name();
    r.byte_order = element::byte_order;
    r.has_order = element::has_order;
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::strided,
                                  .element = kept_nodes<element>,
                                  .count = member_text<Count>,
                                  .stride = member_text<Stride>};
};
}  // namespace detail

// Table of `Count` rows that are `Stride` bytes apart, in member `P`, a strided_view. `Count` and
// `Stride` are specified like the count in counted<>. decode returns invalid_value if rows are
// shorter than an element.
template <auto P, auto Count, auto Stride> struct strided {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_strided<P, Count, Stride>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Count, Place, detail::used_as::count>() &&
           detail::is_earlier<Stride, Place, detail::used_as::count>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>() || detail::depends_on<Stride, Open>();
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/cells.hpp
// Cells of a row in a layout table, as printed in a specification.

namespace tracecodec::wire {

// Writes the offset of a row's field in bytes, or "varies" if variable-length data precede the
// field. `Cell` is a type that appends strings and numbers with +=, like `text`.
template <class Cell> constexpr void write_offset(const layout_row& r, Cell& to) noexcept {
  if (r.variable_offset)
    to += std::string_view("varies");
  else
    to += r.offset;
}

// Writes the size of a row's field. The size is in bytes unless the cell contains "bit" or "bits".
// "8 x count" is an array of `count` elements, and "0 or 4" is a field that may be absent. A
// variable-length field has a size such as "1 to 10".
template <class Cell> constexpr void write_size(const layout_row& r, Cell& to) noexcept {
  if (r.conditional) to += std::string_view("0 or ");
  if (r.slice) {
    to += std::size_t{r.high_bit - r.low_bit + 1};
    to += std::string_view(r.high_bit == r.low_bit ? " bit" : " bits");
  } else if (r.variable_length) {
    to += r.count.view();
  } else {
    to += r.size;
  }
  if (r.counted) {
    to += std::string_view(" x ");
    to += r.count.view();
  }
}

// Returns "big" or "little", or an empty string if the field consists of single bytes.
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
// Compile-time assertion that the layout table in a specification matches a description.
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

// Line of a table, compared with the cells that are appended to this object. A blank in a cell
// matches one or more blanks in the line. (A line ends with a line feed or a NUL, which no cell
// contains. Therefore the comparison need not test for the end of the line, which saves compile
// time.)
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
  // Ends a cell. The line matches only if its current word also ends here.
  constexpr void end_cell() noexcept {
    same_ = same_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\0');
    while (*p_ == ' ') ++p_;
  }
  [[nodiscard]] constexpr bool same() const noexcept { return same_; }
  // Returns the unread rest of the line.
  [[nodiscard]] constexpr const char* rest() const noexcept { return p_; }

 private:
  const char* p_;
  bool same_ = true;
};

// Interpretation of a table's columns.
struct table_columns {
  // Number to add to each offset.
  std::size_t at = 0;
  bool bits = false;          // true if the first column contains a slice's bits, not its offset
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
      if (r.variable_offset)
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

// First difference: the row in the table and the row in the description. If the table or the
// description has no more rows, its row is "no further row".
struct row_difference {
  bool found = false;
  text table = {};
  text description = {};
};

// Comparison of the rows of a description with the lines of a table, one row at a time.
class table_comparison : public row_list {
 public:
  // Compares the rows with `table`, whose offsets start at `at`. `shown` is true if the caller
  // needs the two rows of the difference as text.
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
  // Returns the next line that contains a row. Such a line begins with a number or "varies". If
  // there is no such line, returns the NUL at the end of the table.
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

// Type whose name appears in the compile error. The type is never defined. Its arguments are the
// table's row and the description's row.
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

// ---- tracecodec/wire/items/ranges.hpp
// Ends and parts that say a range of bytes of a record, for sizes and checksums (computations.hpp).

namespace tracecodec::wire {

// Places at which a range of bytes can begin or end, besides members: the start and the end of the
// record, and the computed member itself. A range that ends `here` ends before the computed member,
// and a range that begins `here` begins after it.
enum class range_end : std::uint8_t { record_start, record_end, here };
inline constexpr range_end record_start = range_end::record_start;
inline constexpr range_end record_end = range_end::record_end;
inline constexpr range_end here = range_end::here;
// Range of the part sized<Size, ...>.
template <auto Size> struct sized_by_t { static constexpr auto size_of_part = Size; };
template <auto Size> inline constexpr sized_by_t<Size> sized_by{};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/engine/ends.hpp
// Compile-time checks of computed items. The members and parts to which extent_of<> and
// over<> refer must belong to the same record, and be in wire order.

namespace tracecodec::wire::detail {

// Positions of a member among the items of a record, in wire order. Items inside parts also count.
// A member has several positions if several alternatives of a choice contain it.
struct wire_positions {
  std::size_t items = 0;
  std::size_t first = static_cast<std::size_t>(-1), last = 0;
  constexpr bool found() const noexcept { return first <= last; }
};
template <class... Items>
consteval void find_member(type_list<Items...>, std::string_view member, wire_positions& p);
template <class Item> consteval void find_member_in(std::string_view member, wire_positions& p) {
  if constexpr (requires { typename Item::items; }) {
    find_member(typename Item::items{}, member, p);
  } else {
    if (detail::loads<Item>(member) != 0) {
      if (!p.found()) p.first = p.items;
      p.last = p.items;
    }
    ++p.items;
  }
}
template <class... Items> consteval void find_member(type_list<Items...>,
                                                     [[maybe_unused]] std::string_view member,
                                                     [[maybe_unused]] wire_positions& p) {
  (find_member_in<Items>(member, p), ...);
}
template <class Items> consteval wire_positions positions_of(std::string_view member) {
  wire_positions p{};
  find_member(Items{}, member, p);
  return p;
}

// Returns true if one of the items, or an item nested in a part, is sized<Size, ...>.
template <auto Size, class... Items> consteval bool has_part(type_list<Items...>);
template <auto Size, class Item> consteval bool is_or_has_part() {
  bool found = false;
  if constexpr (requires { typename Item::sized_by; })
    found = std::is_same_v<typename Item::sized_by, constant_type<Size>>;
  if constexpr (requires { typename Item::items; })
    found = found || has_part<Size>(typename Item::items{});
  return found;
}
template <auto Size, class... Items> consteval bool has_part(type_list<Items...>) {
  return (is_or_has_part<Size, Items>() || ...);
}

// Compile errors about computed items. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_has_no_bytes_in_the_record() {
  static_assert(never<Name>,
                "size_of<>, extent_of<> and over<> need members that the same record describes: "
                "name a member of this struct that has a field");
  return true;
}
template <class Name> consteval bool this_member_comes_too_late() {
  static_assert(never<Name>,
                "extent_of<first, last> and over<sum, first, last> need the first end before the "
                "last; `here` is the computed member, and the record starts before everything");
  return true;
}
template <class Name> consteval bool this_computed_member_has_no_part() {
  static_assert(never<Name>,
                "sized_by<&S::n> is the part sized<&S::n, items...>, which the record lacks: add "
                "the part, or name the first and the last member");
  return true;
}

// Name of the first member that `Item` mentions, for quoted_t.
template <class Item, class Indices> struct mentioned_by;
template <class Item, std::size_t... I> struct mentioned_by<Item, std::index_sequence<I...>> {
  static constexpr text value = [] {
    text name{};
    static_cast<void>(((Item::mentions(member_name<typename Item::owner, I>) != 0 &&
                        (name = member_name<typename Item::owner, I>, true)) ||
                       ...));
    return name;
  }();
};
template <class Owner, class Name, class S> consteval bool this_item_belongs_to_another_struct() {
  static_assert(never<Owner, Name, S>, "all items of a description are members of one struct");
  return true;
}
// Returns true if all items of the record are members of `S`. Otherwise compilation fails.
template <class S, class... Items> consteval bool owners_agree(type_list<Items...>);
template <class S, class Item> consteval bool owner_agrees() {
  if constexpr (requires { typename Item::items; })
    return owners_agree<S>(typename Item::items{});
  else if constexpr (std::is_void_v<typename Item::owner> ||
                     std::is_same_v<typename Item::owner, S>)
    return true;
  else
    return this_item_belongs_to_another_struct<
        typename Item::owner,
        quoted_t<mentioned_by<Item, std::make_index_sequence<member_count<typename Item::owner>>>>,
        S>();
}
template <class S, class... Items> consteval bool owners_agree(type_list<Items...>) {
  return (owner_agrees<S, Items>() && ...);
}

template <class S, class Items, auto End> consteval bool end_is_good() {
  if constexpr (!std::is_member_object_pointer_v<decltype(End)>)
    return true;
  else if constexpr (std::is_same_v<owner_t<End>, S> && positions_of<Items>(name_of<End>).found())
    return true;
  else
    return this_member_has_no_bytes_in_the_record<quoted_t<label_of<pointed<End>>>>();
}
// Returns the positions of an end of a range. The computed member is named `here`.
template <class Items, auto End> consteval wire_positions positions_of_end(std::string_view here) {
  if constexpr (std::is_member_object_pointer_v<decltype(End)>) {
    return positions_of<Items>(name_of<End>);
  } else {
    wire_positions all{};
    all.first = all.last = 0;
    if (End == range_end::record_end) all.first = all.last = static_cast<std::size_t>(-1);
    return End == range_end::here ? positions_of<Items>(here) : all;
  }
}
// Name of the member at an end of a range, or of the computed member.
template <auto End, class C> struct end_label {
  static constexpr std::string_view label = label_or<End>(C::label);
};
template <class S, class Items, class C, auto First, auto Last> consteval bool ends_are_in_order() {
  if constexpr (!end_is_good<S, Items, First>() || !end_is_good<S, Items, Last>())
    return true;
  else if constexpr (positions_of_end<Items, First>(C::label).first >
                     positions_of_end<Items, Last>(C::label).last)
    return this_member_comes_too_late<quoted_t<label_of<end_label<First, C>>>>();
  else
    return true;
}

template <class Name, class S> consteval bool this_function_computes_no_integer() {
  static_assert(never<Name>,
                "a member is computed by a member function of S, or by a callable that accepts a "
                "const S&, which returns an integer");
  return true;
}

// Returns true if the computed item `C` refers only to members and parts of its own record, and its
// function returns an integer. The record has the value type `S` and consists of `Items`. Otherwise
// a compile error names the member.
template <class S, class Items, class C> consteval bool refers_to_the_record() {
  using how = typename C::how;
  if constexpr (requires { how::size_of_part; }) {
    if constexpr (has_part<how::size_of_part>(Items{}))
      return true;
    else
      return this_computed_member_has_no_part<quoted_t<label_of<C>>>();
  } else if constexpr (requires { how::counted; })
    return end_is_good<S, Items, how::counted>();
  else if constexpr (requires { how::first_end; })
    return ends_are_in_order<S, Items, C, how::first_end, how::last_end>();
  else if constexpr (how::of_members && !C::template is_computed_from<S>())
    return this_function_computes_no_integer<quoted_t<label_of<C>>, S>();
  else
    return true;
}
template <class S, class Items, class... C>
consteval bool computed_items_are_good(type_list<C...>) {
  return (refers_to_the_record<S, Items, C>() && ...);
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/engine/run.hpp
// Runs of items that one bounds check covers. If the place of an item's first bytes follows from
// the end of the item before, that item checks those bytes together with its own.

namespace tracecodec::wire::detail {

// Sections with a front: bytes whose end follows from the section's offset. front_end(at, base)
// returns this end for a section at offset `at` of a part that begins at offset `base` of the
// record. `front_is_whole` is true if the section has no other bytes.
template <class Section>
concept has_front = requires(extent_type at, std::size_t base) {
  { Section::front_end(at, base) } -> std::same_as<extent_type>;
  requires Section::front_is_whole || !Section::front_is_whole;
};
// True if a section's scan() calls holds() of its input for the section's last byte, whatever the
// section contains. Then the scan also checks the front of the next section.
template <class Section> inline constexpr bool checks_next = requires {
  requires Section::checks_next;
};

// Sections after an item. end() returns the end of the bytes that a check of the item covers, if
// the item ends at offset `at`.
template <class... Next> struct run_after {
  static constexpr extent_type end(extent_type at, std::size_t) noexcept { return at; }
};
template <has_front First, class... Rest> struct run_after<First, Rest...> {
  TRACECODEC_INLINE static constexpr extent_type end(extent_type at, std::size_t base) noexcept {
    if constexpr (First::front_is_whole)
      return run_after<Rest...>::end(First::front_end(at, base), base);
    else
      return First::front_end(at, base);
  }
};

// Input of a section in a run. `FrontIsThere` is true if the section before has checked the front.
// `After` is the run_after of the later sections.
template <bool FrontIsThere, class After> struct run_input : scan_input {
  std::size_t base;
  TRACECODEC_INLINE constexpr bool holds(std::size_t at, extent_type n) const noexcept {
    return After::end(at + n, base) <= size;
  }
  TRACECODEC_INLINE constexpr bool holds_front(std::size_t at, extent_type n) const noexcept {
    return FrontIsThere || scan_input::holds_front(at, n);
  }
  TRACECODEC_INLINE constexpr bool holds_whole_front(std::size_t at, extent_type n) const noexcept {
    return FrontIsThere || holds(at, n);
  }
};

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/engine/section.hpp
// Sections. A section is a run of fields whose extents are known before the first field is read.
// Therefore one bounds check covers the whole section.

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

// ---- tracecodec/wire/engine/section_lists.hpp
// Properties of lists of bound sections: the last section, sections after which nothing can follow,
// and computed items that are always correct.

namespace tracecodec::wire::detail {

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
// a separate record. Encoding then needs only one branch, as in handwritten code.
template <class Section>
concept chooses = requires {
  requires Section::only_item::is_choice;
};

// Compile error for an item that consumes all remaining bytes although more items follow. Compilers
// print the template argument, which contains the member's name.
template <class Name> consteval bool this_member_takes_all_remaining_bytes() {
  static_assert(
      never<Name>,
      "nothing can follow an item that extends to the end (rest<>, skip_rest, list<> with "
      "to_end; after if_left<> only another one): put it last or into a sized<> part");
  return true;
}
// True if a section consists of a single if_left<>. Another optional part may follow such a
// section.
template <class Section>
concept may_be_left_out = requires {
  requires Section::only_item::may_be_left_out;
};
// Returns true if no item with bytes follows the item that consumes all remaining bytes. Several
// if_left<> items may follow one another.
consteval bool greedy_is_last(type_list<>) { return true; }
template <class First, class... Rest> consteval bool greedy_is_last(type_list<First, Rest...>) {
  if constexpr (may_be_left_out<First> &&
                ((Rest::greedy || (Rest::fixed && Rest::size == 0)) && ...))
    return greedy_is_last(type_list<Rest...>{});
  else if constexpr (First::greedy && ((!Rest::fixed || Rest::size != 0) || ...))
    return this_member_takes_all_remaining_bytes<quoted_t<label_of<typename First::only_item>>>();
  else
    return greedy_is_last(type_list<Rest...>{});
}

// Returns true if reading the sections `X` guarantees that the computed item `C` is correct.
template <class C, class... X> consteval bool is_implied_in() {
  return !C::conditional && (X::template implies<C>() || ...);
}
// Computed items in `List`. Items that the sections `X` guarantee to be correct are marked as
// implied<>, because decode need not compare them.
template <class List, class... X> struct implied_in;
template <class... C, class... X> struct implied_in<type_list<C...>, X...> {
  using type = type_list<std::conditional_t<is_implied_in<C, X...>(), implied<C>, C>...>;
};

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/engine/sections.hpp
// Implementation of wire::record: decode, encode, walk and describe for a list of bound sections.

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

// ---- tracecodec/wire/engine/variable_section.hpp
// Section that consists of one item whose length is stored in the item's own bytes.

namespace tracecodec::wire::detail {

// Section that consists of the variable-length item `B`.
template <class B> struct variable_section {
  using only_item = B;
  template <std::size_t I> using item = std::tuple_element_t<I, std::tuple<B>>;
  static constexpr std::size_t item_of(std::string_view) { return 0; }
  static constexpr std::size_t count = 1;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool refuses = true;
  static constexpr bool placed = is_placed<B>;
  static constexpr bool absolute = is_absolute<B>;
  static constexpr bool greedy = is_greedy<B>;
  static constexpr bool nests_records = detail::nests_records<B>;
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
  template <class C> static consteval bool implies() { return item_implies<B, C>(); }
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr std::size_t offset_of = [] {
    static_assert(has<M>, "no field of this record has that member at a fixed offset");
    return std::size_t{};
  }();

  // Properties of a run (run.hpp).
  static constexpr bool checks_next = detail::checks_next<B>;
  static constexpr bool front_is_whole = [] {
    if constexpr (has_front<B>) return B::front_is_whole;
    return false;
  }();
  TRACECODEC_INLINE static constexpr extent_type front_end(
      extent_type at, std::size_t base) noexcept requires has_front<B> {
    return B::front_end(at, base);
  }

  using evaluated = typename B::evaluated;
  template <class S, class Input, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const Input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = B::scan(s, at, in, notes);
    if constexpr (Notes::wanted)
      if (end != not_read) notes.template item<B>(at, end);
    return end;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    note_absent_item<B>(at, notes);
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return item_is_unaffected_by<B, Sizes...>();
  }
  // Returns ok if the item can be written, and stores the item's evaluated counts and conditions in
  // `a`.
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return B::prepare(s, a);
  }
  // Does the same for an item whose size depends on its offset in the record.
  template <class S>
  static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept requires absolute {
    return B::prepare_at(s, a, at);
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type at, Notes& notes) noexcept {
    const extent_type n = B::written(s, a, at, notes);
    if constexpr (Notes::wanted)
      notes.template item<B>(static_cast<std::size_t>(at), static_cast<std::size_t>(at + n));
    return n;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const evaluated& a,
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

// ---- tracecodec/wire/engine/split.hpp
// Divides a list of items into bound sections. Each variable-length item forms a separate section.
// The items between two variable-length items are read together.

namespace tracecodec::wire::detail {

// True if `Item` has a variable length under a record's policy.
template <class Policy, class Item> inline constexpr bool is_variable_length_item =
    is_variable_length<typename Item::template bind<Policy>>;

// Relation of item `Next` to the current section, whose items are `Open`:
// - open: `Next` joins the current section.
// - alone: `Next` forms a separate section, because its length is variable.
// - anew: `Next` begins a new section, because it depends on a member that `Open` reads.
enum class joins : std::uint8_t { open, alone, anew };
template <class Policy, bool Free, class Open, class Next> consteval joins how_it_joins() {
  if constexpr (is_variable_length_item<Policy, Next>)
    return joins::alone;
  else if constexpr (Free && item_depends_on<Next, Open>())
    return joins::anew;
  else
    return joins::open;
}

// State of the division of a list: the finished sections `Done`, the items `Open` of the current
// section, and the remaining items. `Free` is true if an item may begin a new section because of a
// dependency.
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
// Item that stands for several items. They are read as if the description listed them instead.
template <class Item>
concept stands_for_items = requires {
  typename Item::stands_for;
};
template <class Policy, bool Free, class Done, class Open, class List, class... Rest>
struct split_listed;
template <class Policy, bool Free, class Done, class Open, class... Items, class... Rest>
struct split_listed<Policy, Free, Done, Open, type_list<Items...>, Rest...>
    : split_items<Policy, Free, Done, Open, Items..., Rest...> {};
template <class Policy, bool Free, class Done, class Open, class Next, class... Rest>
requires stands_for_items<Next>
struct split_items<Policy, Free, Done, Open, Next, Rest...>
    : split_listed<Policy, Free, Done, Open, typename Next::stands_for, Rest...> {
};
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
      typename std::conditional_t<(is_variable_length_item<Policy, Items> || ...),
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

// Sections of a record. If the description lists items instead of sections, the items are first
// grouped into sections.
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
requires is_variable_length_item<Policy, Item>
struct bind_items<Policy, Item> {
  using type = variable_section<typename Item::template bind<Policy>>;
};
template <class Section, class Policy> struct bind_section;
template <class... Items, class Policy> struct bind_section<section<Items...>, Policy>
    : bind_items<Policy, Items...> {};

template <class List, class Policy> struct bind_sections;
template <class... Sections, class Policy> struct bind_sections<section_list<Sections...>, Policy> {
  using type = bound_sections<typename bind_section<Sections, Policy>::type...>;
};

// Bound sections of the items inside a part, such as sized<> or choice<>.
template <class Policy, class... Items> using parts_t =
    typename bind_sections<typename split_any<Policy, Items...>::type, Policy>::type;

// Returns true if the counts and conditions of a section depend only on members of earlier
// sections. in_order() performs this check for every section of a record.
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
consteval bool in_order_after(section_list<Earlier...>, section_list<Next, Later...>) {
  using here = place<S, Policy, section_list<Earlier...>, section_list<Next, Later...>>;
  return section_depends_on_earlier<here>(std::type_identity<Next>{}) &&
         in_order<S, Policy, section_list<Earlier..., Next>>(section_list<Later...>{});
}
template <class S, class Policy, class Earlier, class Next, class... Later>
consteval bool in_order(section_list<Next, Later...> all) {
  return in_order_after<S, Policy>(Earlier{}, all);
}

// Check of the order of the `Items` inside a part. Their counts and conditions may depend only on
// members that are read earlier. The part is a section at `Place`.
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

// ---- tracecodec/wire/engine/struct_checks.hpp
// Compile-time checks of a struct: whether Boost.PFR can list its members, and decode can set them.

namespace tracecodec::wire::detail {

// Reason why a struct cannot be described.
enum class obstacle : std::uint8_t {
  none,
  union_type,
  an_item,
  not_an_aggregate,
  base_class,
  too_many_members,
  no_members,
  c_array,
  bit_fields,
  constant_members
};

// Reason why `S` cannot be described, or none. (Each test needs the tests before it to pass.)
template <class S> inline constexpr obstacle obstacle_of = [] {
  auto found = obstacle::none;
  if constexpr (std::is_union_v<S>)
    found = obstacle::union_type;
  else if constexpr (requires { S::mentions(std::string_view()); })
    found = obstacle::an_item;
  else if constexpr (!std::is_aggregate_v<S>)
    found = obstacle::not_an_aggregate;
  else if constexpr (has_base_class<S>())
    found = obstacle::base_class;
  else if constexpr (member_count<S> > most_members)
    found = obstacle::too_many_members;
  else if constexpr (member_count<S> == 0)
    found = obstacle::no_members;
  else if constexpr (c_array_in<S>() != member_count<S>)
    found = obstacle::c_array;
  else if constexpr (has_bit_fields<S>())
    found = obstacle::bit_fields;
  else if constexpr (!std::is_move_assignable_v<S>)
    found = obstacle::constant_members;
  return found;
}();

// Compile error that names the struct `S`.
template <class S, obstacle Why> consteval bool this_struct_cannot_be_described() {
  static_assert(Why != obstacle::union_type,
                "a union cannot be described: which of its members is active is unknown; make it a "
                "struct, and describe the alternatives with choice<>");
  static_assert(Why != obstacle::an_item,
                "put the items of a record into fields<...>: "
                "record<fields<field<&S::m>, ...>>");
  static_assert(Why != obstacle::not_an_aggregate,
                "a described struct has only public members and no constructors: describe a plain "
                "struct, and convert it to your class");
  static_assert(Why != obstacle::base_class,
                "a described struct has no base class: make the base a member, and describe it as "
                "a nested record");
  static_assert(Why != obstacle::too_many_members,
                "a struct has at most 100 members, which Boost.PFR can list: group some of them in "
                "a nested struct");
  static_assert(Why != obstacle::no_members,
                "a struct without members or a codec of varying size cannot be a field");
  static_assert(Why != obstacle::c_array,
                "a member is a C array, which cannot be described: std::array can");
  static_assert(Why != obstacle::bit_fields,
                "a described struct has no bit-fields, because compilers place them differently: "
                "make them plain members, and list them in bit_slices<T, bits<&S::m, width>...>");
  static_assert(Why != obstacle::constant_members,
                "decode assigns the members: a described struct has no const members and no "
                "references; for a constant value, use constant<&S::m, value>");
  return true;
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/describe.hpp
// Descriptions of records, and their binding to a policy. A description is either a plain struct or
// an explicit list of items. The compiler checks that a list is complete.

namespace tracecodec::wire {

namespace detail {
template <class Item> consteval bool this_is_not_an_item_of_a_description() {
  static_assert(never<Item>,
                "the items of fields<> are field<&S::m>, counted<&S::view, count>, bit_slices<T, "
                "bits<&S::m, n>...> and so on: a codec is field<&S::m, codec>, and bits<> belong "
                "into bit_slices<>");
  return true;
}
template <class Item> consteval bool is_item() {
  if constexpr (requires { Item::mentions(std::string_view()); })
    return true;
  else
    return this_is_not_an_item_of_a_description<Item>();
}
}  // namespace detail

// Explicit description of a struct: a list of items, or a list of section<>s. Every member of the
// struct must appear exactly once. A member without bytes must appear as not_on_wire. If these
// conditions are not met, compilation fails.
template <class... Items> struct fields {
  static_assert((detail::is_item<Items>() && ...));
  using owner = detail::first_owner<typename Items::owner...>;
  static_assert(!std::is_void_v<owner>,
                "a description needs an item that has a member, such as field<&S::m>: literal<>, "
                "padding<> and the like belong to no struct");
};

namespace detail {
// Struct described by `What`. This struct is the value type of the record.
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

// Section of a plain struct that is described without a list of items. Boost.PFR supplies the
// members, and the policy supplies their wire types and placement.
template <class S, class Policy, class> struct plain_section;
template <class S, class Policy, std::size_t... I>
struct plain_section<S, Policy, std::index_sequence<I...>> {
  using type = bound_section<Policy::place,
                             bound_field<by_index<S, I>, infer_t<member_type<S, I>, Policy>>...>;
};
template <class What, class Policy> struct described {
  using value_type = What;
  using first =
      typename plain_section<What, Policy, std::make_index_sequence<member_count<What>>>::type;
  using sections = bound_sections<first>;
  static constexpr bool fixed = true;
  static constexpr std::size_t parameters = 0;
  using carried = type_list<>;
};

// A struct that cannot be described: one error, and no others that follow from it.
template <class What, class Policy>
requires(obstacle_of<typename value_described<What>::type> !=
         obstacle::none) struct described<What, Policy> {
  using value_type = typename value_described<What>::type;
  static_assert(this_struct_cannot_be_described<value_type, obstacle_of<value_type>>());
  using first = bound_section<placement::packed, padding<0>>;
  using sections = bound_sections<first>;
  static constexpr bool fixed = true;
  static constexpr std::size_t parameters = 0;
  using carried = type_list<>;
};

// Smallest and largest number of times that the description mentions a member of the struct.
struct mention_range {
  int least, most;
  // Indices of the members with the fewest and the most mentions.
  std::size_t least_at = 0, most_at = 0;
};
template <class Name> consteval bool this_member_is_not_described() {
  static_assert(never<Name>,
                "a member of the struct is not described: add a field, or name it in not_on_wire");
  return true;
}
template <class Name> consteval bool this_member_is_described_twice() {
  static_assert(never<Name>, "a member of the struct is described more than once");
  return true;
}
// Returns true if each member is described exactly once. If not, a compile error names the member.
template <class S, mention_range R> consteval bool complete() {
  if constexpr (R.least < 1)
    return this_member_is_not_described<quoted_t<name_at<S, R.least_at>>>();
  else if constexpr (R.most > 1)
    return this_member_is_described_twice<quoted_t<name_at<S, R.most_at>>>();
  else
    return true;
}
// Returns the number of times that `Item` mentions each member of the struct.
template <class S, class Item, std::size_t... I>
consteval std::array<int, sizeof...(I)> times_mentioned(std::index_sequence<I...>) {
  if constexpr (requires { Item::member_index; }) {
    std::array<int, sizeof...(I)> once{};
    once[Item::member_index] = 1;
    return once;
  } else {
    return {Item::mentions(member_name<S, I>)...};
  }
}
template <class S, class... Items, std::size_t... I>
consteval mention_range mentions(std::index_sequence<I...> members) {
  std::array<int, sizeof...(I)> times{};
  const auto add = [&times](const std::array<int, sizeof...(I)>& item) {
    for (std::size_t i = 0; i < times.size(); ++i) times[i] += item[i];
  };
  (add(times_mentioned<S, Items>(members)), ...);
  mention_range r{1, 1};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < r.least) r.least = times[i], r.least_at = i;
    if (times[i] > r.most) r.most = times[i], r.most_at = i;
  }
  return r;
}

// True if an item may contain parameters.
template <class Item>
inline constexpr bool may_have_parameters = requires(std::string_view member) {
  Item::is_parameter(member);
};
template <class... Items> consteval bool is_parameter_of_any(std::string_view member) {
  return (detail::is_parameter<Items>(member) || ...);
}
// Returns the number of members that are parameters.
template <class S, class... Items, std::size_t... I>
consteval std::size_t count_parameters(std::index_sequence<I...>) {
  if constexpr ((may_have_parameters<Items> || ...))
    return ((is_parameter_of_any<Items...>(member_name<S, I>) ? 1U : 0U) + ... + std::size_t{});
  else
    return 0;
}

// Compile error about a carried member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_is_carried_in_a_record_of_fixed_size() {
  static_assert(never<Name>,
                "previous<> needs an item that depends on it, such as delta<>, a count or a "
                "condition: a record of fixed size is read without the record before it");
  return true;
}
template <bool Fixed> consteval bool carried_items_are_good(type_list<>) { return true; }
template <bool Fixed, class First, class... Rest>
consteval bool carried_items_are_good(type_list<First, Rest...>) {
  if constexpr (Fixed)
    return this_member_is_carried_in_a_record_of_fixed_size<
        quoted_t<label_of<pointed<First::member>>>>();
  else
    return true;
}
// Parameters that are carried from record to record (previous<>), among the items and in parts.
template <class Item> struct carried_in : carried_by<Item> {};
template <class... Items> struct carried_in<type_list<Items...>>
    : joined<type_list<>, typename carried_in<Items>::type...> {};
template <class Item>
requires(
    requires { typename Item::items; } &&
    !requires { typename Item::carried; }) struct carried_in<Item>
    : carried_in<typename Item::items> {
};

template <class S, class Policy, class... Items> struct sectioned {
  using list = typename split_any<Policy, Items...>::type;
  static_assert(in_order<S, Policy, section_list<>>(list{}));
  static_assert(!several<list> || Policy::place == placement::packed,
                "natural placement needs a record of fixed size, that is of one section");
  using sections = typename bind_sections<list, Policy>::type;
};

template <class... Items, class Policy>
requires(obstacle_of<typename fields<Items...>::owner> ==
         obstacle::none) struct described<fields<Items...>, Policy> {
  using value_type = typename fields<Items...>::owner;
  static_assert(owners_agree<value_type>(type_list<Items...>{}));
  static constexpr mention_range mentioned =
      mentions<value_type, Items...>(std::make_index_sequence<member_count<value_type>>{});
  static_assert(complete<value_type, mentioned>());
  using sections = typename sectioned<value_type, Policy, Items...>::sections;
  static_assert(
      computed_items_are_good<value_type, type_list<Items...>>(typename sections::computed{}));
  using first = typename list_front<sections>::type;
  static constexpr bool fixed = list_front<sections>::fixed;
  static constexpr std::size_t parameters =
      count_parameters<value_type, Items...>(std::make_index_sequence<member_count<value_type>>{});
  using carried = typename carried_in<type_list<Items...>>::type;
  static_assert(carried_items_are_good<fixed>(carried{}));
};
}  // namespace detail

}  // namespace tracecodec::wire

// ---- tracecodec/wire/items/bits.hpp
// Bit slices: members that share one integer, listed from the most significant bit down.

namespace tracecodec::wire {

namespace detail {
template <class M> inline constexpr unsigned bits_of_type = std::is_same_v<M, bool> ? 1
                                                                                    : 8 * sizeof(M);
}  // namespace detail

// Bit slice of `Width` bits that stores member `P`, which is an unsigned integer, an enumeration or
// a bool. Without a width, a bool has one bit and any other member all its bits.
template <auto P, unsigned Width = detail::bits_of_type<member_t<P>>> struct bits {
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
  static_assert(Width == 1 || !std::is_same_v<integer_t<type>, bool>,
                "a bool has one bit: a wider slice needs an unsigned integer or an enumeration");
  template <auto M> static constexpr bool is = same_member<P, M>();
  template <class S> TRACECODEC_INLINE static constexpr auto& of(S& s) noexcept { return s.*P; }
};

// Unused bit slice of `Width` bits. decode skips it, and encode writes zeros.
template <unsigned Width> struct unused_bits {
  static_assert(Width > 0);
  using owner = void;
  static constexpr unsigned width = Width;
  static constexpr bool unused = true;
  static constexpr std::string_view label = "unused";
  template <auto> static constexpr bool is = false;
};

// Constant bit slice of `Width` bits, such as reserved bits. decode rejects any value other than
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

template <unsigned Sum, unsigned Word, class FirstSlice>
consteval bool widths_of_slices_and_of_their_word() {
  static_assert(Sum == Word,
                "the widths of the bit slices must add up to the width of their integer: use "
                "unused_bits<n> for the others, or another integer");
  return true;
}
template <class B>
concept slice_word = requires {
  B::width;
  B::unused;
};
template <class B> consteval bool this_is_not_a_bit_slice() {
  static_assert(
      never<B>,
      "bit slices are bits<>, unused_bits<>, constant_bits<> and computed_bits<>; padding<> and "
      "computed<> are for bytes, outside of bit slices");
  return true;
}
template <class B> consteval bool is_slice() {
  if constexpr (slice_word<B>)
    return true;
  else
    return this_is_not_a_bit_slice<B>();
}

template <class Word, class FirstSlice> consteval bool this_word_of_slices_is_not_unsigned() {
  static_assert(never<Word>,
                "bit slices share an unsigned integer or an unsigned varint, which is the first "
                "argument: bit_slices<std::uint16_t, bits<&S::m, width>...>");
  return true;
}
// Returns true if bit slices can share a number of wire type `W`. Otherwise compilation fails.
template <class W, class FirstSlice> consteval bool is_word_of_slices() {
  using value = typename W::value_type;
  if constexpr (is_integer<value> && std::is_unsigned_v<value> &&
                (variable_length_type<W> || !(says_how<W> || may_refuse<W>)))
    return true;
  else
    return this_word_of_slices_is_not_unsigned<W, FirstSlice>();
}
// Number of bits of a word. A varint has the bits of its largest value.
template <class W> inline constexpr unsigned width_of_word = [] {
  if constexpr (variable_length_type<W>)
    return 8 * sizeof(typename W::value_type);
  else
    return 8 * W::size;
}();

// Bit slices `B` of a number of wire type `W`.
template <class W, class... B> struct sliced_word {
  using codec = W;
  using word_type = typename W::value_type;
  using first = std::tuple_element_t<0, std::tuple<B...>>;
  static constexpr std::string_view label = first::label;
  static_assert(is_word_of_slices<W, quoted_t<label_of<first>>>());
  static constexpr unsigned total = width_of_word<W>;
  static_assert(
      widths_of_slices_and_of_their_word<(B::width + ...), total, quoted_t<label_of<first>>>());

  template <auto M> static constexpr bool has = (B::template is<M> || ...);
  static constexpr bool holds(std::string_view member) {
    return ((!B::unused && member == B::label) || ...);
  }
  // Returns the position of the slice that stores `member`. The member must be in this word, which
  // is at `offset`.
  static constexpr slice slice_of(std::string_view member, std::size_t offset) {
    slice s{offset, total, 0};
    static_cast<void>(((s.low_bit -= s.width = B::width, B::unused || member != B::label) && ...));
    return s;
  }
  // Sets the members to the slices of the word `w`.
  template <class S> TRACECODEC_INLINE static constexpr void put_word(S& s, word_type w) noexcept {
    unsigned at = total;
    ((at -= B::width, put<B>(s, w, at)), ...);
  }
  // Returns the word that consists of the members.
  template <class S> TRACECODEC_INLINE static constexpr word_type word_of(const S& s) noexcept {
    word_type w{};
    unsigned at = total;
    ((at -= B::width, w = static_cast<word_type>(
                          w | static_cast<word_type>(static_cast<word_type>(raw<B>(s)) << at))),
     ...);
    return w;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    return (fits<B>(s) && ...) ? errc::ok : errc::does_not_fit;
  }
  // Returns the first slice whose value is too wide. The word begins at offset `at`.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    static_cast<void>(((fits<B>(s) || (r.field = &B::label, false)) && ...));
    return r;
  }
  static constexpr bool has_constants = (is_constant_slice<B> || ...);
  // Returns true if decode accepts the word `w`.
  TRACECODEC_INLINE static constexpr bool accepts_word([[maybe_unused]] word_type w) noexcept {
    unsigned at = total;
    return ((at -= B::width, allowed<B>(w, at)) && ...);
  }
  // Returns the first slice of `w` that decode rejects. The word begins at offset `begin`.
  static constexpr failure refused_word([[maybe_unused]] word_type w, std::size_t begin) noexcept {
    failure r{begin, &label};
    unsigned at = total;
    static_cast<void>(((at -= B::width, allowed<B>(w, at) || (r.field = &B::label, false)) && ...));
    return r;
  }
  // Reports the positions of the computed slices. The word lies at [begin, end).
  template <class Notes> static constexpr void note_slices([[maybe_unused]] std::size_t begin,
                                                           [[maybe_unused]] std::size_t end,
                                                           [[maybe_unused]] Notes& notes) noexcept {
    const auto one = [&]<class X>(std::type_identity<X>) {
      if constexpr (has_computed<X>) notes.template item<typename X::itself>(begin, end);
    };
    (one(std::type_identity<B>{}), ...);
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, bool present, F&& f) {
    (walk_one<B>(s, present, f), ...);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.slice = true;
    r.size = total / 8;
    r.type = W::type_name();
    if constexpr (variable_length_type<W>) {
      r.variable_length = true;
      r.count = W::sizes();
      if constexpr (says_how<W>) r.how = &W::how;
    } else {
      r.byte_order = W::byte_order;
      r.has_order = W::has_order;
    }
    const text prefix = r.name;
    unsigned at = total;
    const auto add = [&]<class X>(std::type_identity<X>) {
      r.high_bit = at - 1;
      at -= X::width;
      r.low_bit = at;
      r.name = prefix;
      r.name += X::label;
      if constexpr (requires { X::values; })
        r.values = &X::values;
      else
        r.values = nullptr;
      list.add(r);
    };
    (add(std::type_identity<B>{}), ...);
  }
  static constexpr word_type mask(unsigned n) noexcept {
    return static_cast<word_type>(static_cast<word_type>(~word_type{}) >>
                                  (8 * sizeof(word_type) - n));
  }

 private:
  template <class X, class S> TRACECODEC_INLINE static constexpr bool fits(S& s) noexcept {
    if constexpr (has_computed<X>)
      return X::check(s) == errc::ok;
    else
      return raw<X>(s) <= mask(X::width);
  }
  // Extracts the slice whose lowest bit is bit `at` of the word. A bool is tested in place: with a
  // shift, g++ 12's code for a RapidBin event is a third slower.
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
  // Returns all bits of the value to encode, including bits that do not fit in the word, because a
  // member may be wider than the word.
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

// Slices of a word of fixed size.
template <class W, class... B> struct bound_slices : sliced_word<W, B...> {
  using base = sliced_word<W, B...>;
  static constexpr bool fixed = true;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool object_bytes = false;
  static constexpr bool refuses = base::has_constants;
  using computed = typename joined<computed_in_t<B>...>::type;

  template <auto M> TRACECODEC_INLINE static constexpr auto get(const byte* p) noexcept {
    constexpr slice at = base::slice_of(name_of<M>, 0);
    return static_cast<member_t<M>>((W::load(p) >> at.low_bit) & base::mask(at.width));
  }
  template <auto M>
  TRACECODEC_INLINE static constexpr void get_into(member_t<M>& v, const byte* p) noexcept {
    v = get<M>(p);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    base::put_word(s, W::load(p));
    return p + size;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    W::store(base::word_of(s), p);
    return p + size;
  }
  template <class Notes>
  static constexpr void note(std::size_t at, nothing_evaluated, Notes& notes) noexcept {
    base::note_slices(at, at + size, notes);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&,
                                                  const byte* p) noexcept requires refuses {
    return base::accepts_word(W::load(p)) ? errc::ok : errc::invalid_value;
  }
  template <class S> static constexpr failure refused(const S&, const byte* p,
                                                      std::size_t begin) noexcept requires refuses {
    return base::refused_word(W::load(p), begin);
  }
};

// Computed slice of a varint. The slice's value affects the size of the record.
template <class C> struct computed_in_varint : C { static constexpr bool variable_length = true; };
template <class List> struct computed_in_varints;
template <class... C> struct computed_in_varints<type_list<C...>> {
  using type = type_list<computed_in_varint<C>...>;
};

// Slices of a varint.
template <variable_length_type W, class... B> struct bound_slices<W, B...> : sliced_word<W, B...> {
  using base = sliced_word<W, B...>;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool refuses = true;
  using computed = typename computed_in_varints<typename joined<computed_in_t<B>...>::type>::type;
  using evaluated = nothing_evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    typename base::word_type w{};
    const std::size_t end = read_member<W>(w, at, in, notes, base::label);
    if (end == not_read) return end;
    if constexpr (base::has_constants)
      if (!base::accepts_word(w)) [[unlikely]]
        return fail(notes, at, errc::invalid_value, base::refused_word(w, at).field);
    base::put_word(s, w);
    if constexpr (Notes::wanted) base::note_slices(at, end, notes);
    return end;
  }
  template <class...> static consteval bool is_unaffected_by() { return true; }
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated&) noexcept {
    const errc e = base::check(s);
    return e != errc::ok ? e : W::check(base::word_of(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, evaluated, extent_type at,
                                                         Notes& notes) noexcept {
    const extent_type n = W::written(base::word_of(s));
    if constexpr (Notes::wanted)
      base::note_slices(static_cast<std::size_t>(at), static_cast<std::size_t>(at + n), notes);
    return n;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, evaluated,
                                                                    const byte*) noexcept {
    return W::store(base::word_of(s), p);
  }
};
}  // namespace detail

// Slices `B` of one unsigned integer `W`, most significant first. `W` is a plain type such as
// std::uint64_t, in the record's byte order, a wire type such as u64be, or a varint such as
// uleb128_of<std::uint64_t>. The widths must add up to the width of `W`; a varint has the width of
// its integer type.
template <class W, class... B> struct bit_slices {
  static_assert(
      !detail::slice_word<W>,
      "the first argument of bit_slices<> is the unsigned integer that the members share");
  static_assert((detail::is_slice<B>() && ...));
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

// ---- tracecodec/wire/types/engine/sum_value.hpp
// Values of checksums: numbers, and digests, which are arrays of bytes.

namespace tracecodec::wire::detail {

// True for an array of bytes or characters.
template <class T> inline constexpr bool is_digest = false;
template <class T, std::size_t N> inline constexpr bool is_digest<std::array<T, N>> = sizeof(T) ==
                                                                                      1;

// Type of a checksum's value: std::uint64_t, or the type of the digest that `Sum` returns.
template <class Sum> using returned_by_sum =
    std::remove_cvref_t<decltype(std::declval<const Sum&>().value())>;
template <class Sum> using sum_value =
    std::conditional_t<is_digest<returned_by_sum<Sum>>, returned_by_sum<Sum>, std::uint64_t>;

// True if a member of type `M` can contain a value of type `N`.
template <class M, class N> inline constexpr bool can_hold_sum = std::is_integral_v<integer_t<M>>;
template <class M, class T, std::size_t N> inline constexpr bool can_hold_sum<M, std::array<T, N>> =
    false;
template <class E, class T, std::size_t N>
inline constexpr bool can_hold_sum<std::array<E, N>, std::array<T, N>> = sizeof(E) == 1;

// Returns true if the member `m` is equal to the value `n`.
template <class M, class N> constexpr bool equals_sum(const M& m, const N& n) noexcept {
  if constexpr (is_digest<N>) {
    for (std::size_t i = 0; i < n.size(); ++i)
      if (static_cast<std::uint8_t>(m[i]) != static_cast<std::uint8_t>(n[i])) return false;
    return true;
  } else {
    return static_cast<std::uint64_t>(static_cast<integer_t<M>>(m)) == n;
  }
}
// Sets the member `m` to the value `n`. Returns false if `n` does not fit the member.
template <class M, class N> constexpr bool set_to_sum(M& m, const N& n) noexcept {
  if constexpr (is_digest<N>)
    for (std::size_t i = 0; i < n.size(); ++i) m[i] = static_cast<typename M::value_type>(n[i]);
  else
    m = static_cast<M>(n);
  return equals_sum(m, n);
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/rules/computations.hpp
// Computations of values from the other members of a record: numbers of elements, numbers of bytes
// and checksums (computed.hpp).

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

// ---- tracecodec/wire/rules/computed.hpp
// Members that are computed from other members: counts, sizes and checksums. encode writes the
// computed value and ignores the member's value. decode rejects any other value with
// not_as_computed.

namespace tracecodec::wire {

namespace detail {
// Compile error about a computed member. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_cannot_be_computed() {
  static_assert(never<Name>,
                "a computed field must be an integer, or for a digest a "
                "std::array<std::uint8_t, n> of as many bytes");
  return true;
}
template <class Access, class How> consteval bool computed_member_is_good() {
  if constexpr (can_hold_sum<typename Access::type, typename computation<How>::result>)
    return true;
  else
    return this_member_cannot_be_computed<quoted_t<label_of<Access>>>();
}
// Base class of all computed items. `Access` returns a reference to the member, and `How` computes
// the value.
template <class Access, auto How> struct computed_member {
  using value = typename Access::type;
  using how = computation<std::remove_const_t<decltype(How)>>;
  static_assert(computed_member_is_good<Access, std::remove_const_t<decltype(How)>>());
  // True for items that may be absent. sometimes<> sets this flag.
  static constexpr bool conditional = false;
  // True for items that decode need not compare. implied<> sets this flag.
  static constexpr bool is_implied = false;
  // Returns true if the item is member `P` and is computed as the number of elements of member
  // `View`.
  template <auto P, auto View> static consteval bool counts() {
    if constexpr (Access::template is<P>)
      return std::is_same_v<std::remove_const_t<decltype(How)>, size_of_t<View>>;
    else
      return false;
  }
  // Returns true if the item is member `P` and is computed as the size of the part sized<P, ...>.
  template <auto P> static consteval bool measures() {
    if constexpr (Access::template is<P>)
      return std::is_same_v<std::remove_const_t<decltype(How)>, extent_of_t<sized_by<P>>>;
    else
      return false;
  }
  // Returns true if `How` accepts a record of type `S`, and returns an integer.
  template <class S> static consteval bool is_computed_from() {
    if constexpr (std::is_invocable_v<decltype(How), const S&>)
      return std::is_convertible_v<
          integer_t<std::remove_cvref_t<std::invoke_result_t<decltype(How), const S&>>>,
          std::uint64_t>;
    else
      return false;
  }
  static constexpr layout_values values{values_are::computed, {}, {}};
  template <class S> static constexpr std::uint64_t of_members(const S& s) noexcept {
    constexpr auto f = How;
    if constexpr (std::is_member_function_pointer_v<decltype(How)>)
      return static_cast<std::uint64_t>((s.*f)());
    else
      return static_cast<std::uint64_t>(f(s));
  }
  // Sets the member to `n`. Returns false if `n` does not fit the member.
  template <class S, class N> static constexpr bool set_member(S& s, const N& n) noexcept {
    return set_to_sum(Access::of(s), n);
  }
  template <class S, class N> static constexpr bool equals(const S& s, const N& n) noexcept {
    return equals_sum(Access::of(s), n);
  }
  // Sets the member if it is computed from members, unless the record is const. Returns false if
  // the member differs from the computed value, which then does not fit the member.
  template <class S> TRACECODEC_INLINE static constexpr bool complete(S& s) noexcept {
    if constexpr (how::of_members) {
      const std::uint64_t n = of_members(s);
      if constexpr (!std::is_const_v<S>) return set_member(s, n);
      return equals(s, n);
    }
    return true;
  }
};

template <class Access, class W, auto How> struct bound_computed : bound_field<Access, W>,
                                                                   computed_member<Access, How> {
  using base = bound_field<Access, W>;
  // False, because the member's value may differ from the value that encode writes.
  static constexpr bool object_bytes = false;
  using itself = bound_computed;
  using computed = type_list<bound_computed>;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &bound_computed::values;
    base::describe(list, r);
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    return bound_computed::complete(s) ? base::check(s) : errc::does_not_fit;
  }
  // Sets the member to `n`. Returns false if `n` does not fit the member or its field.
  template <class S, class N> static constexpr bool set(S& s, const N& n) noexcept {
    return bound_computed::set_member(s, n) && W::fits(Access::of(s));
  }
};
// Computed field of a variable-length wire type, such as a varint.
template <class Access, variable_length_type W, auto How> struct bound_computed<Access, W, How>
    : bound_variable_length_field<Access, W>, computed_member<Access, How> {
  using base = bound_variable_length_field<Access, W>;
  using itself = bound_computed;
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &bound_computed::values;
    base::describe(list, r);
  }
  using computed = type_list<bound_computed>;
  static_assert(computed_member<Access, How>::how::of_members ||
                    !computes_bytes<typename computed_member<Access, How>::how>,
                "a checksum needs a field of fixed size");
  using typename base::evaluated;
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return bound_computed::complete(s) ? base::prepare(s, a) : errc::does_not_fit;
  }
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return bound_computed::set_member(s, n) && W::check(Access::of(s)) == errc::ok;
  }
};
// Computed bit slice.
template <auto P, unsigned Width, auto How>
struct computed_slice : bits<P, Width>, computed_member<by_pointer<P>, How> {
  using itself = computed_slice;
  using computed = type_list<computed_slice>;
  static_assert(computed_member<by_pointer<P>, How>::how::of_members ||
                    !computes_bytes<typename computed_member<by_pointer<P>, How>::how>,
                "a checksum needs a field of its own");
  template <class S> TRACECODEC_INLINE static constexpr errc check(S& s) noexcept {
    return computed_slice::complete(s) && fits(s) ? errc::ok : errc::does_not_fit;
  }
  template <class S> static constexpr bool set(S& s, std::uint64_t n) noexcept {
    return computed_slice::set_member(s, n) && fits(s);
  }

 private:
  template <class S> static constexpr bool fits(const S& s) noexcept {
    using number = integer_t<member_t<P>>;
    return Width >= 64 ||
           static_cast<std::uint64_t>(static_cast<number>(s.*P)) >> (Width % 64) == 0;
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
  // Records an absent item at the offset that it would have if it were present, because a range may
  // begin or end there.
  template <class B> constexpr void absent(std::size_t at) noexcept {
    std::size_t i = 0;
    (C::how::template item<B>(places[i++], at, at), ...);
  }

  // Calls failed(offset, label) for the record's first computed value that is wrong. The record was
  // read from `in` up to offset `end`.
  template <class S, class F> constexpr void compare(const S& s, const scan_input& in,
                                                     std::size_t end, F&& failed) const noexcept {
    const std::span<const byte> all(in.begin, end);
    std::size_t i = 0;
    const auto one = [&]<class One>(std::type_identity<One>) {
      const computed_place& c = places[i++];
      if (!c.there || One::equals(s, value_of<One>(s, c, all))) return true;
      failed(c.own_begin, &One::label);
      return false;
    };
    static_cast<void>((one(std::type_identity<C>{}) && ...));
  }
  template <class One, class S>
  static constexpr typename One::how::result value_of(const S& s, const computed_place& c,
                                                      std::span<const byte> all) noexcept {
    if constexpr (One::how::of_members)
      return One::of_members(s);
    else if constexpr (One::how::of_bytes)
      return One::how::of(c, all);
    else
      return One::how::of(c, all.size());
  }

  // Items that are computed from sizes. Items that are computed from members are set when they are
  // checked, and items that are computed from bytes after the bytes are written.
  template <class One> static constexpr bool is_size =
      !One::how::of_members && !computes_bytes<typename One::how>;
  using sizes = typename joined<std::conditional_t<is_size<C>, type_list<C>, type_list<>>...>::type;
  static constexpr bool of_sizes = (is_size<C> || ...);
  // True if a size stored as a varint affects other sizes, or itself. It does not if it is the only
  // size and counts a part, because the part begins after its size.
  static constexpr bool grows = [] {
    if constexpr (((is_size<C> ? 1 : 0) + ... + 0) == 1)
      return ((is_size<C> && is_variable_length<C> && !requires { C::how::size_of_part; }) || ...);
    else
      return ((is_size<C> && is_variable_length<C>) || ...);
  }();
  // True if sizes depend on the places of items, or on their presence.
  static constexpr bool need_places =
      ((is_size<C> && (C::how::of_places || C::conditional)) || ...);
  // Returns true if sizes affect nothing but the sizes of parts among the sections `X`.
  template <class... X> static consteval bool settle() {
    return !grows && (settles<X>(sizes{}) && ...);
  }
  template <class X, class... Sizes> static consteval bool settles(type_list<Sizes...>) {
    if constexpr (requires { X::only_item::template is_unaffected_inside<Sizes...>(); })
      return X::only_item::template is_unaffected_inside<Sizes...>();
    else
      return item_is_unaffected_by<X, Sizes...>();
  }

  // Sets all members that are computed from members or from sizes. Returns the first size that does
  // not fit. If sizes affect each other, all sizes are computed again until no size changes, up to
  // 16 times.
  template <class Sections, class S>
  TRACECODEC_INLINE static constexpr failure complete(S& s) noexcept {
    failure r{};
    start_sizes(s);
    bool changed = true;
    for (unsigned round = 0; changed && round < (grows ? 16 : 1); ++round) {
      computed_notes notes{};
      const extent_type size = Sections::measured(s, notes);
      changed = notes.set_sizes(s, size, r);
    }
    return r;
  }
  // Sets the sizes that are stored as varints to 0. They grow from there.
  template <class S> TRACECODEC_INLINE static constexpr void start_sizes(S& s) noexcept {
    const auto one = [&s]<class One>(std::type_identity<One>) __attribute__((always_inline)) {
      if constexpr (is_size<One> && is_variable_length<One>) One::set(s, 0);
    };
    (one(std::type_identity<C>{}), ...);
  }
  // Sets the members that are computed from sizes. The record has `size` bytes. Returns true if a
  // member has changed, and stores the first size that does not fit in `unfit`.
  template <class S> TRACECODEC_INLINE constexpr bool set_sizes(S& s, extent_type size,
                                                                failure& unfit) const noexcept {
    bool changed = false;
    std::size_t i = 0;
    const auto one = [&]<class One>(std::type_identity<One>) __attribute__((always_inline)) {
      const computed_place& c = places[i++];
      if constexpr (is_size<One>) {
        if (need_places && !c.there) return;
        const std::uint64_t n = One::how::of(c, static_cast<std::size_t>(size));
        changed = changed || !One::equals(s, n);
        if (!One::set(s, n) && unfit.field == nullptr) unfit = {c.own_begin, &One::label};
      }
    };
    (one(std::type_identity<C>{}), ...);
    return changed;
  }
  // Writes all values that are computed from bytes. Returns the first field that does not fit. If a
  // checksum covers another checksum that is written later, the first checksum is computed again.
  // The number of rounds is limited, because two checksums can cover each other.
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
                          One::how::covers(c, notes.places[k], out.size()));
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

// Presence of a computed item that may be absent.
struct computed_presence {
  bool there = false;
};
// Data that decode records in order to check a computed item: positions if the value depends on
// positions, or a presence flag if the item may be absent.
template <class One> using noted_of = std::conditional_t<
    One::is_implied, nothing_evaluated,
    std::conditional_t<One::how::of_places, computed_place,
                       std::conditional_t<One::conditional, computed_presence, nothing_evaluated>>>;
template <class One> inline constexpr bool is_noted =
    !std::is_same_v<noted_of<One>, nothing_evaluated>;
template <class One> inline constexpr bool notes_place = One::how::of_places && !One::is_implied;
template <class Indices, class... C> struct noted_values;
template <std::size_t... I, class... C> struct noted_values<std::index_sequence<I...>, C...>
    : indexed_value<I, noted_of<C>>... {
  static constexpr bool wanted = (is_noted<C> || ...);
  static constexpr bool wants_absent = (notes_place<C> || ...);

  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    (item_of<B, C>(evaluated_at<I>(*this), begin, end), ...);
  }
  template <class B, class One, class Noted>
  TRACECODEC_INLINE static constexpr void item_of(Noted& c, std::size_t begin,
                                                  std::size_t end) noexcept {
    if constexpr (notes_place<One>) {
      computed_notes<type_list<One>>::template item<B, One>(c, begin, end);
    } else if constexpr (is_noted<One>) {
      if constexpr (std::is_same_v<B, typename One::itself>) c.there = true;
    }
  }
  template <class B> constexpr void absent(std::size_t at) noexcept {
    const auto one = [at]<class One>(std::type_identity<One>, auto& c) {
      if constexpr (notes_place<One>) One::how::template item<B>(c, at, at);
    };
    (one(std::type_identity<C>{}, evaluated_at<I>(*this)), ...);
  }
  // Returns true if all computed values of the record are correct. The record was read from `in` up
  // to offset `end`.
  template <class S> TRACECODEC_INLINE constexpr bool hold(const S& s, const scan_input& in,
                                                           std::size_t end) const noexcept {
    const std::span<const byte> all(in.begin, end);
    return (holds<C>(s, all, evaluated_at<I>(*this)) && ...);
  }
  template <class One, class S, class Noted>
  TRACECODEC_INLINE static constexpr bool holds(const S& s, std::span<const byte> all,
                                                const Noted& c) noexcept {
    if constexpr (One::conditional && !One::is_implied)
      if (!c.there) return true;
    if constexpr (One::is_implied)
      return true;
    else if constexpr (One::how::of_members)
      return One::equals(s, One::of_members(s));
    else if constexpr (!One::how::of_places)
      return One::equals(s, all.size());
    else
      return One::equals(s, computed_notes<type_list<One>>::template value_of<One>(s, c, all));
  }
};
template <class... C> struct computed_values<type_list<C...>>
    : noted_values<std::index_sequence_for<C...>, C...> {};

template <class... C> struct computed_failure_notes<type_list<C...>> : failure_notes {
  static constexpr bool wants_absent = true;
  computed_notes<type_list<C...>> positions{};

  template <class B> constexpr void item(std::size_t begin, std::size_t end) noexcept {
    failure_notes::item<B>(begin, end);
    positions.template item<B>(begin, end);
  }
  template <class B> constexpr void absent(std::size_t at) noexcept {
    positions.template absent<B>(at);
  }
  template <class S>
  constexpr void compare(const S& s, const scan_input& in, std::size_t end) noexcept {
    positions.compare(s, in, end, [this](std::size_t at, const std::string_view* field) {
      failure = {at, errc::not_as_computed, field};
    });
  }
};
}  // namespace detail

// Computed member `P`. `How` is one of:
// - size_of<&S::v>
// - extent_of<...>: the number of bytes of a range
// - over<sum, ...>: the checksum of a range
// - &S::function or a callable that takes the record
//
// `W` is specified as for field. A checksum needs a field of fixed size. encode returns
// does_not_fit if the computed value does not fit the field.
template <auto P, auto How, class W = member_t<P>> struct computed : field<P, W> {
  template <class Policy> using bind =
      detail::bound_computed<detail::by_pointer<P>, infer_t<W, Policy>, How>;
};
// Computed bit slice of `Width` bits. A checksum cannot be a bit slice.
template <auto P, unsigned Width, auto How> struct computed_bits
    : detail::computed_slice<P, Width, How> {};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/sized.hpp
// Parts of a record whose end is defined by a size or by the end of the input: sized, rest,
// skip_rest, if_left and align.

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

// ---- tracecodec/wire/in_struct_order.hpp
// Description that states only what is special. All other members are plain fields, in the order of
// the struct.

namespace tracecodec::wire {

namespace detail {
template <class... Items> struct this_at_is_not_an_item_of_in_struct_order {
  static_assert(never<Items...>,
                "at<items...> is for in_struct_order<S, items...>: other lists of items, such as "
                "fields<> and when<>, contain its items without at<>");
  static constexpr bool fixed = true;
};
}  // namespace detail

// Items that stand together in in_struct_order<>, at the place of the first member that they
// mention. An item without a member, such as literal<> or padding<>, gets its place in this way.
template <class... Items> struct at : detail::with_parts<Items...> {
  template <class> using bind = detail::this_at_is_not_an_item_of_in_struct_order<Items...>;
};

namespace detail {
// Member `I` of `S` as a field of the wire type that follows from its type.
template <class S, std::size_t I> struct plain_member {
  using owner = S;
  static constexpr std::size_t member_index = I;
  template <class Policy> using bind =
      typename field_of<by_index<S, I>, infer_t<member_type<S, I>, Policy>>::type;
  static consteval int mentions(std::string_view member) { return member == member_name<S, I>; }
};

// Number of times that an item mentions and reads each of the `Members` members of a struct.
template <std::size_t Members> struct mention_counts { std::array<int, Members> mentions, loads; };
template <class S, class Item, std::size_t... I>
consteval mention_counts<sizeof...(I)> count_mentions(std::index_sequence<I...> members) {
  return {times_mentioned<S, Item>(members), {detail::loads<Item>(member_name<S, I>)...}};
}

// Places of `Items` items among the `Members` members of a struct.
template <std::size_t Members, std::size_t Items> struct places_of_items {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  // Item that mentions a member, or `none` for a plain field.
  std::array<std::size_t, Members> item_of{};
  // First member that an item reads, or mentions if it reads none.
  std::array<std::size_t, Items> first{};
  // Number of plain fields.
  std::size_t plain = 0;
  // First member that is mentioned twice, and first one that an item reads out of order, or `none`.
  std::size_t twice = none, out_of_order = none;
};
template <std::size_t M, std::size_t N>
consteval places_of_items<M, N> find_places(const std::array<mention_counts<M>, N>& items) {
  places_of_items<M, N> p{};
  p.item_of.fill(p.none);
  p.first.fill(p.none);
  for (std::size_t i = 0; i < M; ++i) {
    int times = 0;
    for (std::size_t item = 0; item < N; ++item) {
      if (items[item].mentions[i] == 0) continue;
      times += items[item].mentions[i];
      p.item_of[i] = item;
      if (p.first[item] == p.none) p.first[item] = i;
    }
    if (times == 0) ++p.plain;
    if (times > 1 && p.twice == p.none) p.twice = i;
  }
  // Passes the members that have bytes. `open` is the item of the previous one, and the items below
  // `begun` must not begin again.
  std::size_t open = p.none, begun = 0;
  for (std::size_t i = 0; i < M; ++i) {
    const std::size_t item = p.item_of[i];
    if (item != p.none) {
      if (items[item].loads[i] == 0 || item == open) continue;
      if (item < begun && p.out_of_order == p.none) p.out_of_order = i;
      p.first[item] = i;
      begun = item + 1;
    }
    open = item;
  }
  return p;
}

// Element of a description: member `index` as a plain field, or item `index`.
struct slot {
  bool plain;
  std::size_t index;
};
// Returns the elements in wire order. `widths` holds the number of elements of each item, which is
// above one for at<>.
template <std::size_t Slots, std::size_t M, std::size_t N>
consteval std::array<slot, Slots> slots_of(const places_of_items<M, N>& p,
                                           const std::array<std::size_t, N>& widths) {
  std::array<std::size_t, N> begin{};
  for (std::size_t item = 1; item < N; ++item) begin[item] = begin[item - 1] + widths[item - 1];
  std::array<slot, Slots> slots{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < M; ++i) {
    const std::size_t item = p.item_of[i];
    if (item == p.none)
      slots[n++] = {true, i};
    else if (p.first[item] == i)
      for (std::size_t k = 0; k < widths[item]; ++k) slots[n++] = {false, begin[item] + k};
  }
  return slots;
}

// Compile errors about the items. Compilers print the template argument, which is the item or
// contains the member's name.
template <class Item> consteval bool this_item_mentions_no_member() {
  static_assert(never<Item>,
                "in_struct_order<S, items...> has no place for an item without a member, such as "
                "literal<> or padding<>: put it beside an item with a member, in at<items...>");
  return true;
}
template <class Name> consteval bool this_member_is_out_of_order() {
  static_assert(never<Name>,
                "in_struct_order<S, items...> lists items in the order of the struct, and the "
                "members of an item follow each other there: reorder the members or the items, or "
                "list all items in fields<...>");
  return true;
}
template <class Item> consteval bool mentions_a_member() {
  if constexpr (!std::is_void_v<typename Item::owner>)
    return true;
  else
    return this_item_mentions_no_member<Item>();
}
template <class S, const auto& Places> consteval bool places_are_good() {
  if constexpr (Places.twice != Places.none)
    return this_member_is_described_twice<quoted_t<name_at<S, Places.twice>>>();
  else if constexpr (Places.out_of_order != Places.none)
    return this_member_is_out_of_order<quoted_t<name_at<S, Places.out_of_order>>>();
  else
    return true;
}

template <class Item> struct spread { using type = type_list<Item>; };
template <class... Items> struct spread<at<Items...>> { using type = type_list<Items...>; };

template <class S, slot At, class Items> struct item_in { using type = plain_member<S, At.index>; };
template <class S, slot At, class... Items>
requires(!At.plain) struct item_in<S, At, type_list<Items...>> {
  using type = std::tuple_element_t<At.index, std::tuple<Items...>>;
};

// List of the fields of `S`, in wire order.
template <class S, class... Items> struct listed_in_order {
  static_assert(std::is_aggregate_v<S> && !std::is_empty_v<S>,
                "in_struct_order<S, items...> begins with a plain struct that has members");
  using members = std::make_index_sequence<member_count<S>>;
  static_assert((mentions_a_member<Items>() && ...));
  static_assert(owners_agree<S>(type_list<Items...>{}));
  static constexpr auto places =
      find_places(std::array<mention_counts<members::size()>, sizeof...(Items)>{
          count_mentions<S, Items>(members{})...});
  static_assert(places_are_good<S, places>());

  using items = typename joined<typename spread<Items>::type...>::type;
  static constexpr auto slots = slots_of<places.plain + how_many(items{})>(
      places,
      std::array<std::size_t, sizeof...(Items)>{how_many(typename spread<Items>::type{})...});
  template <std::size_t... I> static auto list(std::index_sequence<I...>)
      -> fields<typename item_in<S, slots[I], items>::type...>;
  using type = decltype(list(std::make_index_sequence<slots.size()>{}));
};
}  // namespace detail

// Description of `S` that states only what is special. The members are plain fields, in the order
// of the struct, except those that `Items` mention: an item stands at the place of the first member
// that it mentions. Items are listed in the order of the struct, too. If these conditions are not
// met, compilation fails.
//
//   struct packet { std::uint32_t time, size, flags; wire::array_view<wire::u8> data; };
//   using packet_codec = wire::record<wire::in_struct_order<
//       packet, wire::computed<&packet::size, wire::size_of<&packet::data>>,
//       wire::counted<&packet::data, &packet::size>>>;
template <class S, class... Items> using in_struct_order =
    typename detail::listed_in_order<S, Items...>::type;

}  // namespace tracecodec::wire

// ---- tracecodec/wire/plain_record.hpp
// Record codec. From one description, the codec derives its size, the functions decode and encode,
// a walk by name, and a layout table.
//
//   struct header { std::int16_t threads; std::int32_t locks; };        // plain members suffice
//   using header_codec = wire::record<header, wire::order::big>;
//
//   using event_codec = wire::record<                            // only what is special
//       wire::in_struct_order<event, wire::bit_slices<std::uint32_t, wire::bits<&event::op, 4>,
//                                                     wire::bits<&event::id, 28>>>,
//       wire::order::big>;

namespace tracecodec::wire {

// Layout table of a codec, stored once per program.
template <class Codec> inline constexpr auto layout_table = Codec::layout();

// Codec of one record. `What` is a plain struct (an aggregate of plain members, std::array and
// nested structs), in_struct_order<...> or fields<...>. `O` is the byte order of fields whose
// description does not specify an order. `P` is the placement. `T` is the target, which determines
// the width of `word`. No function throws or allocates, and everything is constexpr.
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
  // Size in bytes of a fixed-size record, or 0 if the size varies (see extent()).
  static constexpr std::size_t size = fixed ? only::size : 0;
  // Size in bytes of the first section, or 0 if the size of the first section varies.
  static constexpr std::size_t front_size = only::fixed ? only::size : 0;
  static constexpr std::size_t alignment = P == placement::natural ? only::alignment : 1;
  // True if decode rejects some bytes: wrong constants, values that the description does not allow,
  // or wrong computed values.
  static constexpr bool refuses = sections::refuses || sections::computes;
  // True if the record is a variable-length item when it is part of another record.
  static constexpr bool variable_length = !fixed;
  static constexpr bool greedy = sections::greedy;
  static constexpr bool nests_records = sections::nests_records;
  // Number of parameters. An enclosing record, a file or the caller sets the parameters before
  // decode.
  static constexpr std::size_t parameters = described::parameters;
  // List of the parameters that are carried from record to record (previous<>).
  using carried = typename described::carried;
  // Sets the carried parameters of the record `next`, which follows the record `last`.
  static constexpr void carry(value_type& next, const value_type& last) noexcept {
    detail::carry(carried{}, next, last);
  }
  // Number of bytes of constants in the first section.
  static constexpr std::size_t constant_bytes = only::constant_bytes;
  // Returns the required text of the constant `field` in the first section, for messages. Returns
  // an empty text if the first section has no constant called `field`.
  static constexpr text constant_text(std::string_view field) noexcept {
    return only::constant_text(field);
  }

  // The first section. columns.hpp builds columns from its items.
  using front = only;

  // True if value_type has the same layout in memory as the record has on the wire. In that case,
  // decode is a single copy of the bytes, and aligned input can be viewed in place as an array of
  // value_type.
  static constexpr bool object_layout = [] {
    if constexpr (fixed)
      return only::template lies_like<value_type>();
    else
      return false;
  }();
  // True if object_layout is true and the layout contains no padding. (An object does not preserve
  // its padding bytes.)
  static constexpr bool object_bytes = object_layout && only::gapless;

  // Decodes a fixed-size record from exactly `size` bytes. This function cannot fail.
  TRACECODEC_INLINE static constexpr value_type decode(std::span<const byte, size> in) noexcept
      requires(fixed && !refuses) {
    return load(in.data());
  }

  // Decodes the record at the front of `in` into `s`. Views in `s` point into `in`. Returns
  // truncated if `in` ends inside the record. Returns invalid_value, malformed, wrong_size or
  // not_as_computed if the description does not allow the bytes. After an error, `used` and `field`
  // locate the failure, and any members of `s` may have been set.
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

  // Returns the size of the record at the front of `in` without decoding the record. Values are
  // checked only if the size depends on them, so decode() may reject a record that skip() accepts.
  // Returns the error of decode() if the size cannot be determined.
  TRACECODEC_INLINE static constexpr result skip(std::span<const byte> in) noexcept
      requires(parameters == 0) {
    const std::size_t n = sections::template skip<value_type>({in.data(), in.size()});
    if (n == detail::not_read) [[unlikely]]
      return not_skipped(in);
    return {n};
  }

  // Explains how bytes of another type are decoded.
  template <class Input, class S>
  requires(!std::is_convertible_v<const Input&, std::span<const byte>> ||
           !std::is_same_v<S, value_type>) static result decode(const Input&, S&) {
    static_assert(std::is_same_v<S, value_type>,
                  "decode sets an object of the struct that the record describes");
    static_assert(std::is_convertible_v<const Input&, std::span<const byte>>,
                  "decode reads std::byte: pass std::as_bytes(std::span(input))");
    return {};
  }

  // Returns the path of the field at which decode() fails in `in`, such as "kind", or
  // "options[3].kind" inside an element of a list. Returns an empty text if decode() succeeds.
  static constexpr text path(std::span<const std::byte> in) noexcept {
    value_type s{};
    if constexpr (variable_length) {
      detail::failure_path path{};
      if (detail::scan_failure r{}; detail::read_again<record>(s, in, r) != detail::not_read)
        return {};
      const std::string_view field = *sections::explain(s, {in.data(), in.size()}, &path).field;
      if (path.way.length == 0) return field;
      if (path.last == nullptr || field.data() != path.last->data()) path.end(field);
      return path.way;
    } else {
      return decode(in, s).field;
    }
  }

  // Encodes `s` to the front of `out`, which must not overlap the bytes of views in `s`. Padding
  // becomes zero. After an error (no_space, does_not_fit, count_mismatch, invalid_value), nothing
  // was written, and `used` and `field` locate the failing field. The only exception is a checksum
  // that does not fit, which is detected only after the whole record was written.
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

  // Calls f(field_info, member, present) for each field in wire order. field_info contains the
  // compile-time properties of the field. `f` is also called for absent fields, whose members have
  // no meaning.
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

  // Decodes only member `M`. In a variable-size record, `M` must be in the fixed-size section at
  // the beginning.
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
  // Wire type of the bytes that store member `M`: the shared word for a bit slice, otherwise the
  // field's wire type.
  template <auto M> using word_of =
      typename front::template item<front::item_of(name_of<M>)>::codec;
  // Returns the offset of `member` in the bytes that encode writes for `s`, or 0 if they do not
  // contain the member.
  static constexpr std::size_t offset_in(
      const value_type& s, std::string_view member) noexcept requires variable_length {
    detail::failure_notes notes{};
    notes.sought = member;
    static_cast<void>(sections::measured(s, notes));
    return notes.place == detail::not_read ? 0 : notes.place;
  }
  // Compile-time position of bit slice `M` in its word.
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

  // Decodes the record as a field of another record, from `size` bytes at `p`. store() encodes the
  // record, and requires that fits() returns true for the value.
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
  // Returns the error for a record that cannot be written, or ok if the record can be written. (If
  // an enclosing record cannot be encoded, its error names only the field that contains this
  // record.)
  static constexpr errc check(const value_type& s) noexcept requires fixed { return refusal(s); }
  static constexpr void describe(detail::row_list& list, layout_row r) noexcept {
    if (!r.name.view().empty()) r.name += ".";
    sections::describe(list, r);
  }
  static constexpr text type_name() noexcept { return std::string_view("record"); }

  // Returns ok if decode accepts the fixed-size record at `p`, or the error if decode rejects it.
  // refused() returns the field that failed.
  static constexpr errc accepts(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    return sections::decode({p, size}, s).error;
  }
  static constexpr detail::failure refused(const byte* p) noexcept requires(fixed&& refuses) {
    value_type s{};
    const scan_result r = sections::scan(s, {p, size});
    return {r.at, r.field};
  }

  // Interface of a variable-length field (scan.hpp). `evaluated` holds the evaluated counts and
  // conditions.
  using evaluated = typename sections::evaluated;
  TRACECODEC_INLINE static constexpr scan_result scan(
      value_type& s, std::span<const byte> in) noexcept requires variable_length {
    return sections::scan(s, {in.data(), in.size()});
  }
  // Reads a record like scan(), but returns only the record's size, or not_read.
  TRACECODEC_INLINE static constexpr std::size_t read(
      value_type& s, std::span<const byte> in) noexcept requires variable_length {
    return sections::read(s, {in.data(), in.size()});
  }
  // Returns the place of the failure of read(), and the reason.
  static constexpr detail::scan_failure explain(
      const value_type& s, std::span<const byte> in) noexcept requires variable_length {
    return sections::explain(s, {in.data(), in.size()}, nullptr);
  }
  // Extends `path` to the field at which decode() fails in `in`.
  static constexpr void extend_path(std::span<const std::byte> in,
                                    detail::failure_path& path) noexcept requires variable_length {
    value_type s{};
    path.last = nullptr;
    static_cast<void>(sections::explain(s, {in.data(), in.size()}, &path));
  }
  static constexpr errc prepare(const value_type& s,
                                evaluated& a) noexcept requires variable_length {
    if constexpr (sections::computes) {
      value_type whole = s;
      if (sections::complete(whole).field != nullptr) return errc::does_not_fit;
      return detail::to_caller(sections::prepare(std::as_const(whole), a));
    } else {
      return detail::to_caller(sections::prepare(s, a));
    }
  }
  static constexpr std::uint64_t written(const value_type& s,
                                         const evaluated& a) noexcept requires variable_length {
    return with_computed(s, [&](const value_type& whole) {
      detail::no_notes none{};
      return sections::written(whole, a, 0, none);
    });
  }
  TRACECODEC_INLINE static constexpr byte* store(
      const value_type& s, byte* p, const evaluated& a) noexcept requires variable_length {
    return with_computed(s, [&](const value_type& whole) {
      byte* const end = sections::store(whole, p, a, p);
      static_cast<void>(sections::finish(whole, {p, static_cast<std::size_t>(end - p)}));
      return end;
    });
  }

 private:
  // Returns the error of decode().
  [[gnu::cold, gnu::noinline]] static constexpr result not_skipped(
      std::span<const byte> in) noexcept {
    value_type s{};
    return decode(in, s);
  }
  TRACECODEC_INLINE static constexpr errc refusal(const value_type& s) noexcept {
    if constexpr (sections::computes) {
      value_type whole = s;
      return sections::complete(whole).field != nullptr ? errc::does_not_fit
                                                        : sections::check(std::as_const(whole));
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
        // This copy takes 19 instructions for a ChampSim record, instead of 27 for field-by-field
        // loads.
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
  static constexpr bool reads_alone = true;
  static constexpr std::string_view label = Inside::labels.front();
  template <auto M> static constexpr bool has = false;

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Pred, Sizes...>() &&
           Inside::template is_unaffected_by<Sizes...>();
  }

  // Evaluated condition and, if the items are present, their counts and conditions. (Counts and
  // conditions of absent items are not evaluated.)
  struct evaluated {
    [[no_unique_address]] typename Inside::evaluated inside;
    bool present;
  };
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    if constexpr (Inside::fixed)
      return {{}, static_cast<bool>(detail::evaluate<Pred>(s))};
    else
      return detail::evaluate<Pred>(s) ? evaluated{Inside::evaluate(s), true} : evaluated{};
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    if (detail::evaluate<Pred>(s)) return Inside::scan(s, at, in, notes);
    if constexpr (notes_absent<Notes>) Inside::note_absent(at, notes);
    return at;
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const evaluated& a) noexcept {
    return a.present ? Inside::extent(a.inside) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    return detail::evaluate<Pred>(s) ? Inside::written(s) : 0;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                      const evaluated& a) noexcept {
    return a.present ? Inside::load(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const evaluated& a) noexcept {
    return a.present ? Inside::store(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(S& s, const evaluated& a) noexcept {
    return a.present ? Inside::check(s, a.inside) : errc::ok;
  }
  // Returns the item that does not fit. Requires that the items are present.
  template <class S>
  static constexpr failure unfit(const S& s, std::size_t at, const evaluated& a) noexcept {
    return Inside::unfit(s, at, a.inside);
  }
  static constexpr failure cut(std::size_t at, std::size_t available, const evaluated& a) noexcept {
    return Inside::cut(at, available, a.inside);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Inside::walk(s, present && detail::evaluate<Pred>(s), f);
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
                                                   const evaluated& a) noexcept requires refuses {
    return a.present ? Inside::accepts(s, p, a.inside) : errc::ok;
  }
  template <class S>
  static constexpr failure refused(const S& s, const byte* p, std::size_t at,
                                   const evaluated& a) noexcept requires refuses {
    return Inside::refused(s, p, at, a.inside);
  }
  template <class Notes>
  static constexpr void note(std::size_t at, const evaluated& a, Notes& notes) noexcept {
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
template <auto Pred, class Parts> struct bound_when_in_steps {
  static constexpr bool placed = Parts::placed;
  static constexpr bool absolute = Parts::absolute;
  static constexpr bool greedy = Parts::greedy;
  static constexpr bool nests_records = Parts::nests_records;
  static constexpr bool sized = Parts::sized;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = Parts::first_label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename Parts::computed>;

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Pred, Sizes...>() &&
           Parts::template is_unaffected_by<Sizes...>();
  }
  struct evaluated {
    typename Parts::evaluated inside;
    bool present;
  };
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    if (detail::evaluate<Pred>(s)) return Parts::scan(s, at, in, notes);
    Parts::note_absent(at, notes);
    return at;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    Parts::note_absent(at, notes);
  }
  template <class S> static constexpr errc prepare(S& s, evaluated& a) noexcept {
    a.present = static_cast<bool>(detail::evaluate<Pred>(s));
    return a.present ? Parts::prepare(s, a.inside) : errc::ok;
  }
  template <class S>
  static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept requires absolute {
    a.present = static_cast<bool>(detail::evaluate<Pred>(s));
    return a.present ? Parts::prepare_at(s, a.inside, at) : errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S& s, const evaluated& a, extent_type at,
                                       Notes& notes) noexcept {
    if (a.present) return Parts::written(s, a.inside, at, notes);
    Parts::note_absent(static_cast<std::size_t>(at), notes);
    return 0;
  }
  template <class S> static constexpr byte* store(const S& s, byte* p, const evaluated& a,
                                                  const byte* begin) noexcept {
    return a.present ? Parts::store(s, p, a.inside, begin) : p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Parts::unfit_at(s, at);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Parts::walk(s, f, present && detail::evaluate<Pred>(s));
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
// True if the items must be read one by one. The reason is an item of variable length, or a count
// or condition that may depend on another of the items.
template <class Policy, class... Items> inline constexpr bool in_steps =
    (is_variable_length_item<Policy, Items> || ...) || depend_on_each_other<Policy, Items...>();

template <auto Pred, class Policy, class... Items> struct when_of {
  using type =
      bound_when<Pred, bound_section<Policy::place, typename Items::template bind<Policy>...>>;
};
template <auto Pred, class Policy, class... Items>
requires in_steps<Policy, Items...>
struct when_of<Pred, Policy, Items...> {
  using type = bound_when_in_steps<Pred, parts_t<Policy, Items...>>;
};
// Order check of conditional items. Items that are read together may depend only on members before
// the first item. Items that are read one by one may also depend on earlier conditional items.
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
// callable) is evaluated once, on members that were read before the section of `Items`. If the
// items are absent, decode leaves their members unchanged.
template <auto Pred, class... Items> struct when : detail::with_parts<Items...> {
  static_assert(sizeof...(Items) != 0, "when<condition, items...> needs at least one item");
  template <class Policy> using bind = typename detail::when_of<Pred, Policy, Items...>::type;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Pred, Place, detail::used_as::condition>() &&
           detail::when_in_order<Place, Items...>::value;
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Pred, Open>() || (detail::item_depends_on<Items, Open>() || ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/record.hpp
// Records with bit slices and conditions, which most descriptions need.

// ---- tracecodec/wire/rules/constant.hpp
// Restrictions on values: constant, literal, reserved, valid, one_of and in_range. decode rejects
// values that violate a restriction. The error names the field and its offset.

namespace tracecodec::wire {

namespace detail {
// Constant as a template argument: a number, an enumerator, or the characters of a string without
// its NUL.
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

// Converts the constant `v` to the type `M` of a member.
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

// Returns true if a member of type `M` can hold the number or string `v`.
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
    if (std::is_enum_v<M> && std::is_enum_v<T> && !std::is_same_v<M, T>) return false;
    const auto n = static_cast<integer_t<T>>(v);
    const auto m = static_cast<integer_t<M>>(static_cast<M>(v));
    return static_cast<integer_t<T>>(m) == n && (m < integer_t<M>{}) == (n < integer_t<T>{});
  } else {
    return true;
  }
}
// Compile errors about the values of a member. Compilers print the template argument, which
// contains the member's name.
template <class Name> consteval bool this_member_cannot_have_its_value() {
  static_assert(never<Name>,
                "a constant, a value of one_of<> or an end of in_range<> does not fit the member's "
                "type: it is a number in the member's range, an enumerator of the member's "
                "enumeration, or a text of as many characters as a std::array has");
  return true;
}
template <class Name> consteval bool this_member_has_an_empty_range() {
  static_assert(never<Name>, "in_range<> extends from the least value to the greatest");
  return true;
}
template <class Name> consteval bool this_member_is_not_accepted_by_its_predicate() {
  static_assert(never<Name>, "the predicate of valid<> must accept the member's value");
  return true;
}
template <class Access, auto... V> consteval bool values_are_good() {
  if constexpr ((can_have<typename Access::type>(V) && ...))
    return true;
  else
    return this_member_cannot_have_its_value<quoted_t<label_of<Access>>>();
}
template <class Access, auto Least, auto Most> consteval bool range_is_good() {
  if constexpr (!values_are_good<Access, Least, Most>())
    return true;
  else if constexpr (static_cast<typename Access::type>(Most) <
                     static_cast<typename Access::type>(Least))
    return this_member_has_an_empty_range<quoted_t<label_of<Access>>>();
  else
    return true;
}
template <class Access, class Pred> consteval bool predicate_is_good() {
  if constexpr (std::is_invocable_r_v<bool, const Pred&, const typename Access::type&>)
    return true;
  else
    return this_member_is_not_accepted_by_its_predicate<quoted_t<label_of<Access>>>();
}

// Returns a constant as text: the characters of a string, or the digits of an integer. Returns an
// empty text for any other number.
template <class T> constexpr text text_of(const T& v) noexcept {
  if constexpr (is_std_array<T>)
    return std::string_view(v.data(), v.size());
  else
    return number_text(v);
}

// Constant in the form that emitters (emit/) read.
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
// Values that `Pred` allows, or empty if `Pred` does not list values.
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
  static_assert(W::fits(static_cast<typename W::value_type>(expected)),
                "the constant does not fit its field");
  // False, because an object can hold a value other than the constant.
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
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p) noexcept {
    const errc e = base::accepts(s, p);
    return e != errc::ok || Access::of(s) == expected ? e : errc::invalid_value;
  }
  template <class S>
  static constexpr failure refused(const S&, const byte*, std::size_t at) noexcept {
    return {at, &base::label};
  }
};

// Constant of a variable-length wire type, such as a varint.
template <class Access, variable_length_type W, auto V> struct bound_constant<Access, W, V>
    : bound_variable_length_field<Access, W> {
  using base = bound_variable_length_field<Access, W>;
  static constexpr typename Access::type expected = as_member<typename Access::type>(V.value);
  static_assert(W::check(expected) == errc::ok, "the constant does not fit its field");
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &constant_values<V>::value;
    base::describe(list, r);
  }
  static constexpr text constant_text() noexcept { return text_of(V.value); }
  using typename base::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = base::scan(s, at, in, notes);
    if (end == not_read || Access::of(s) == expected) return end;
    return fail(notes, at, errc::invalid_value, &base::label);
  }
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, evaluated, extent_type, Notes&) noexcept {
    return W::written(expected);
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, evaluated, const byte*) noexcept {
    return W::store(expected, p);
  }
};

// Field `Base` whose values must satisfy `Pred`.
template <class Base, class Access, auto Pred> struct restricted : Base {
  template <class S> static constexpr bool allowed(const S& s) noexcept {
    return static_cast<bool>(detail::evaluate<Pred>(Access::of(s)));
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.values = &values_of<Pred>;
    Base::describe(list, r);
  }
};
template <class Base, class Access, auto Pred> struct bound_valid : restricted<Base, Access, Pred> {
  using restricted<Base, Access, Pred>::allowed;
  static constexpr bool refuses = true;
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    const errc e = Base::check(s);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S& s, const byte* p) noexcept {
    const errc e = Base::accepts(s, p);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
};
template <class Base, class Access, auto Pred>
requires variable_length_type<Base>
struct bound_valid<Base, Access, Pred> : restricted<Base, Access, Pred> {
  using restricted<Base, Access, Pred>::allowed;
  using typename Base::evaluated;
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = Base::scan(s, at, in, notes);
    if (end == not_read || allowed(s)) return end;
    return fail(notes, at, errc::invalid_value, &Base::label);
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc prepare(const S& s, evaluated& a) noexcept {
    const errc e = Base::prepare(s, a);
    return e != errc::ok || allowed(s) ? e : errc::invalid_value;
  }
};

// Listed numbers in the form that emitters (emit/) read. The list is empty if a value cannot be
// written in digits.
template <values_are Are, auto... V> struct listed_values {
  static constexpr std::array<text, sizeof...(V)> numbers{number_text(V)...};
  static constexpr layout_values values =
      ((number_text(V).length != 0) && ...) ? layout_values{Are, numbers, {}} : layout_values{};
};
// Listed texts in this form.
template <constant_value... V> struct listed_texts {
  static constexpr std::array<std::string_view, sizeof...(V)> texts{
      std::string_view(V.value.data(), V.value.size())...};
  static constexpr layout_values values{.are = values_are::one_of, .texts = texts};
};
template <constant_value... V> struct listed : listed_values<values_are::one_of, V.value...> {};
template <constant_value... V>
requires(sizeof...(V) != 0 && (is_std_array<std::remove_cvref_t<decltype(V.value)>> &&
                               ...)) struct listed<V...> : listed_texts<V...> {
};
template <constant_value... V> struct is_one_of_t : listed<V...> {
  template <class M> constexpr bool operator()(const M& m) const noexcept {
    return ((m == as_member<M>(V.value)) || ...);
  }
};
template <constant_value... V> inline constexpr is_one_of_t<V...> is_one_of{};
template <auto Least, auto Most> struct is_in_range_t
    : listed_values<values_are::range, Least, Most> {
  template <class M> constexpr bool operator()(const M& m) const noexcept {
    return !(m < static_cast<M>(Least)) && !(static_cast<M>(Most) < m);
  }
};
template <auto Least, auto Most> inline constexpr is_in_range_t<Least, Most> is_in_range{};
}  // namespace detail

// Member `P` with the constant value `V`: a number, an enumerator, or a string for a std::array of
// characters or bytes. encode writes `V` and ignores the member's value. decode rejects any other
// value with invalid_value. `W` is specified as for field, and may be a varint.
template <auto P, detail::constant_value V, class W = member_t<P>> struct constant : field<P, W> {
  static_assert(detail::values_are_good<detail::by_pointer<P>, V.value>());
  template <class Policy> using bind =
      detail::bound_constant<detail::by_pointer<P>, infer_t<W, Policy>, V>;
};

// Constant string without a member: the characters of `V`.
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

// `N` reserved bytes: encode writes zeros, and decode rejects other bytes with invalid_value.
template <std::size_t N> struct reserved : padding<N> {
  static constexpr bool refuses = true;
  static constexpr std::string_view label = reserved_name;
  template <class> using bind = reserved;
  template <class S>
  TRACECODEC_INLINE static constexpr errc accepts(const S&, const byte* p) noexcept {
    for (std::size_t i = 0; i < N; ++i)
      if (p[i] != byte{0}) return errc::invalid_value;
    return errc::ok;
  }
  static constexpr void describe(detail::row_list& list, layout_row r) {
    r.name += label;
    r.size = N;
    r.values = &detail::listed_values<values_are::constant, 0>::values;
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
// Member `P` whose value must be one of `Values`, which are specified as in constant<>: numbers,
// enumerators, or strings for a std::array of characters or bytes.
template <auto P, detail::constant_value... Values> struct one_of
    : valid<P, detail::is_one_of<Values...>> {
  static_assert(sizeof...(Values) != 0, "one_of<&S::m, values...> needs at least one value");
  static_assert(detail::values_are_good<detail::by_pointer<P>, Values.value...>());
};
// Member `P` whose value must be at least `Least` and at most `Most`.
template <auto P, auto Least, auto Most, class W = member_t<P>> struct in_range
    : valid<P, detail::is_in_range<Least, Most>, W> {
  static_assert(detail::range_is_good<detail::by_pointer<P>, Least, Most>());
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/engine/dispatch.hpp
// Dispatch on the tag of a choice: a switch over alternatives whose values are numbers, and
// comparisons for all others.

namespace tracecodec::wire::detail {

// Switch over up to 8 numbers. by() returns f(std::integral_constant<std::size_t, First + I>) if `n`
// is the number `V` with index I, and other() if `n` is none of them.
template <std::size_t First, std::uint64_t... V> struct cases {
  static constexpr std::size_t count = sizeof...(V);
  // The numbers, and other ones for the unused cases.
  static constexpr std::array<std::uint64_t, 8> v = [] {
    static_assert(count <= 8);
    std::array<std::uint64_t, 8> all{V...};
    std::uint64_t unused = 0;
    for (std::size_t n = count; n < all.size(); ++unused) {
      bool used = false;
      for (std::size_t i = 0; i < n; ++i) used = used || all[i] == unused;
      if (!used) all[n++] = unused;
    }
    return all;
  }();
  template <class F, class Other>
  TRACECODEC_INLINE static constexpr auto by(std::uint64_t n, F& f, Other&& other) noexcept {
    // clang-format off
    switch (n) {
      case v[0]: if constexpr (count > 0) return f(index<0>{}); else break;
      case v[1]: if constexpr (count > 1) return f(index<1>{}); else break;
      case v[2]: if constexpr (count > 2) return f(index<2>{}); else break;
      case v[3]: if constexpr (count > 3) return f(index<3>{}); else break;
      case v[4]: if constexpr (count > 4) return f(index<4>{}); else break;
      case v[5]: if constexpr (count > 5) return f(index<5>{}); else break;
      case v[6]: if constexpr (count > 6) return f(index<6>{}); else break;
      case v[7]: if constexpr (count > 7) return f(index<7>{}); else break;
      default: break;
    }
    // clang-format on
    return other();
  }

 private:
  template <std::size_t I> using index = std::integral_constant<std::size_t, First + I>;
};

// Dispatch over alternatives. f receives the index of an alternative as a
// std::integral_constant.
template <class... A> struct dispatch {
  template <std::size_t I> using alternative = std::tuple_element_t<I, std::tuple<A...>>;

  // Returns f(index) for the first alternative that matches `tag`, or none() if no alternative
  // matches.
  template <class T, class F, class None>
  TRACECODEC_INLINE static constexpr auto by_tag(const T& tag, F&& f, None&& none) noexcept {
    return from_tag<0>(tag, f, none);
  }
  // Returns f(index) for alternative number `i`, or none() if `i` is too large.
  template <class F, class None>
  TRACECODEC_INLINE static constexpr auto by_index(std::size_t i, F&& f, None&& none) noexcept {
    return from_index<0>(i, f, none);
  }

 private:
  template <class T> static constexpr std::uint64_t number(const T& tag) noexcept {
    return static_cast<std::uint64_t>(static_cast<integer_t<T>>(tag));
  }
  template <class On, class T> static consteval bool has_number() {
    if constexpr (requires { On::value; } && (std::is_integral_v<T> || std::is_enum_v<T>))
      return !requires { On::value.size(); };
    else
      return false;
  }
  // Returns the number of alternatives, starting at number `First`, that fit one switch.
  template <std::size_t First, class T> static consteval std::size_t numbers() {
    if constexpr (First == sizeof...(A)) {
      return 0;
    } else {
      constexpr std::array<bool, sizeof...(A)> are{has_number<typename A::on, T>()...};
      std::size_t n = 0;
      while (n < 8 && First + n < are.size() && are[First + n]) ++n;
      return n;
    }
  }

  template <std::size_t First, class T, class F, class None>
  TRACECODEC_INLINE static constexpr auto from_tag(const T& tag, F& f, None& none) noexcept {
    constexpr std::size_t n = numbers<First, T>();
    if constexpr (First == sizeof...(A)) {
      return none();
    } else if constexpr (n < 2) {
      if (alternative<First>::on::matches(tag))
        return f(std::integral_constant<std::size_t, First>{});
      return from_tag<First + 1>(tag, f, none);
    } else {
      return switch_on<First>(
          number(tag), std::make_index_sequence<n>{}, std::type_identity<T>{},
          f, [&]() __attribute__((always_inline)) { return from_tag<First + n>(tag, f, none); });
    }
  }
  template <std::size_t First, std::size_t... I, class T, class F, class Other>
  TRACECODEC_INLINE static constexpr auto switch_on(std::uint64_t tag, std::index_sequence<I...>,
                                                    std::type_identity<T>, F& f,
                                                    Other&& other) noexcept {
    return cases<First, number(alternative<First + I>::on::template expected<T>())...>::by(tag, f,
                                                                                           other);
  }
  template <std::size_t First, class F, class None>
  TRACECODEC_INLINE static constexpr auto from_index(std::size_t i, F& f, None& none) noexcept {
    constexpr std::size_t left = sizeof...(A) - First;
    if constexpr (left == 0)
      return none();
    else
      return switch_on_index<First>(i, std::make_index_sequence<(left < 8 ? left : 8)>{}, f, none);
  }
  template <std::size_t First, std::size_t... I, class F, class None>
  TRACECODEC_INLINE static constexpr auto switch_on_index(std::size_t i, std::index_sequence<I...>,
                                                          F& f, None& none) noexcept {
    return cases<First, First + I...>::by(
        i, f, [&]() __attribute__((always_inline)) {
          return from_index<First + sizeof...(I)>(i, f, none);
        });
  }
};

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/rules/choice.hpp
// Choice between several parts. The choice depends on a tag that decode has already read.

namespace tracecodec::wire {

namespace detail {
// Common base class of alternatives.
template <class... Items> struct alternative_of : with_parts<Items...> {
  static constexpr bool matches_all = false;
  template <class Policy> using parts = parts_t<Policy, Items...>;
  template <class Place> static constexpr bool in_order = parts_in_order<Place, Items...>::value;
  static constexpr bool empty = sizeof...(Items) == 0;
  // Least and greatest value of an alternative that matches a range.
  using limits = type_list<>;
};
}  // namespace detail

// Several values of a tag, which are specified as in constant<>.
template <detail::constant_value... Values> struct values {};

namespace detail {
// Test of a tag for `Value`.
template <constant_value Value> struct tag_is {
  using tests = type_list<tag_is>;
  static constexpr auto value = Value.value;
  static constexpr layout_part part{
      part_of::on, {}, number_text(Value.value), constant_values<Value>::value.chars, {}};
  template <class Tag> static consteval Tag expected() {
    static_assert(can_have<Tag>(Value.value), "the value of an on<> does not fit the tag's type");
    return as_member<Tag>(Value.value);
  }
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    constexpr Tag value_of_tag = expected<Tag>();
    return tag == value_of_tag;
  }
};
template <class Values> struct tag_is_any {
  static_assert(never<Values>, "the first argument of on_any<> is values<a, b...>");
  using tests = type_list<>;
  static constexpr layout_part part{};
  template <class Tag> static constexpr bool matches(const Tag&) noexcept { return false; }
};
template <constant_value... V> struct tag_is_any<values<V...>> {
  static_assert(sizeof...(V) != 0, "values<> lists at least one value");
  using tests = type_list<tag_is<V>...>;
  static constexpr std::array<layout_part, sizeof...(V)> parts_of_values{tag_is<V>::part...};
  static constexpr layout_part part{
      .what = part_of::on, .any = parts_of_values.data(), .values = sizeof...(V)};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    return (tag_is<V>::matches(tag) || ...);
  }
};
}  // namespace detail

// Alternatives of a choice. on<> matches if the tag is `Value`, which is specified as in
// constant<>. on_any<> matches the tags of values<a, b...>. on_range<> matches tags from `First` to
// `Last`. otherwise<> matches every tag.
template <detail::constant_value Value, class... Items>
struct on : detail::alternative_of<Items...>, detail::tag_is<Value> {};
template <class Values, class... Items> struct on_any : detail::alternative_of<Items...>,
                                                        detail::tag_is_any<Values> {};
template <auto First, auto Last, class... Items> struct on_range
    : detail::alternative_of<Items...> {
  using tests = detail::type_list<>;
  using limits = detail::type_list<detail::tag_is<First>, detail::tag_is<Last>>;
  static_assert(!(Last < First), "the range of tags is empty: the first is above the last");
  static constexpr layout_part part{
      part_of::on, {}, detail::number_text(First), {}, detail::number_text(Last)};
  template <class Tag> static constexpr bool matches(const Tag& tag) noexcept {
    return detail::is_in_range<First, Last>(tag);
  }
};
template <class... Items> struct otherwise : detail::alternative_of<Items...> {
  using tests = detail::type_list<>;
  static constexpr bool matches_all = true;
  static constexpr layout_part part{part_of::otherwise, {}, {}, {}};
  template <class Tag> static constexpr bool matches(const Tag&) noexcept { return true; }
};

namespace detail {
// Compile errors about the alternatives of a choice. Compilers print the template argument, which
// contains the tag's name.
template <class Name> consteval bool this_choice_has_an_invalid_alternative() {
  static_assert(never<Name>,
                "the alternatives of a choice are on<value, items...>, on_any<values<a, b...>, "
                "items...>, on_range<first, last, items...> and, as the last one, "
                "otherwise<items...>");
  return true;
}
template <class Name> consteval bool this_choice_has_a_value_twice() {
  static_assert(never<Name>, "two alternatives of a choice are for the same value");
  return true;
}
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
template <class Tests> inline constexpr bool some_value_twice = false;
template <class First, class... Rest>
inline constexpr bool some_value_twice<type_list<First, Rest...>> =
    (same_value<First, Rest>() || ...) || some_value_twice<type_list<Rest...>>;
template <auto Tag> struct tag_label {
  static constexpr std::string_view label = label_or<Tag>("choice");
};
template <auto Tag, class... A> consteval bool alternatives_are_good() {
  if constexpr (sizeof...(A) == 0 || !good_alternatives<A...>)
    return this_choice_has_an_invalid_alternative<quoted_t<label_of<tag_label<Tag>>>>();
  else if constexpr (some_value_twice<typename joined<type_list<>, typename A::tests...>::type>)
    return this_choice_has_a_value_twice<quoted_t<label_of<tag_label<Tag>>>>();
  else
    return true;
}

template <class Name, class Tag, auto... Value> consteval bool this_tag_cannot_have_the_value() {
  static_assert(never<Name>,
                "the value of an alternative does not fit the tag's type: it is a number in the "
                "tag's range, an enumerator of the tag's enumeration, or a text of as many "
                "characters");
  return true;
}
template <class Name, class Tag, class Test> consteval bool tag_can_have_value() {
  if constexpr (can_have<Tag>(Test::value))
    return true;
  else if constexpr (is_std_array<std::remove_cv_t<decltype(Test::value)>>)
    return this_tag_cannot_have_the_value<Name, Tag>();
  else
    return this_tag_cannot_have_the_value<Name, Tag, Test::value>();
}
template <class Name, class Tag, class... Test>
consteval bool tag_can_have_values(type_list<Test...>) {
  return (tag_can_have_value<Name, Tag, Test>() && ...);
}
// Returns true if the tag can have the values of all alternatives.
template <auto Tag, class S, class... A> consteval bool tags_are_good() {
  if constexpr (std::is_invocable_v<decltype(Tag), const S&>)
    return tag_can_have_values<quoted_t<label_of<tag_label<Tag>>>,
                               std::remove_cvref_t<std::invoke_result_t<decltype(Tag), const S&>>>(
        typename joined<type_list<>, typename A::tests..., typename A::limits...>::type{});
  else
    return true;
}

// Parts of an alternative without items. All functions do nothing.
struct no_parts {
  static constexpr bool placed = false;
  static constexpr bool absolute = false;
  static constexpr bool sized = false;
  static constexpr bool greedy = false;
  static constexpr bool nests_records = false;
  struct evaluated {};
  using computed = type_list<>;
  template <class...> static consteval bool is_unaffected_by() { return true; }
  template <class S, class Notes>
  static constexpr std::size_t scan(S&, std::size_t at, const scan_input&, Notes&) noexcept {
    return at;
  }
  template <class S> static constexpr errc prepare(const S&, evaluated&) noexcept {
    return errc::ok;
  }
  template <class S> static constexpr errc prepare_at(const S&, evaluated&, item_offset) noexcept {
    return errc::ok;
  }
  template <class S, class Notes>
  static constexpr extent_type written(const S&, const evaluated&, extent_type, Notes&) noexcept {
    return 0;
  }
  template <class S>
  static constexpr byte* store(const S&, byte* p, const evaluated&, const byte*) noexcept {
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
  static constexpr bool absolute = (A::parts::absolute || ...);
  static constexpr bool sized = (A::parts::sized || ...);
  static constexpr bool greedy = (A::parts::greedy || ...);
  static constexpr bool nests_records = (A::parts::nests_records || ...);
  static constexpr bool is_choice = true;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr std::string_view label = tag_label<Tag>::label;
  template <auto> static constexpr bool has = false;
  using computed = sometimes_t<typename joined<typename A::parts::computed...>::type>;

  template <class... Sizes> static consteval bool is_unaffected_by() {
    return detail::is_unaffected_by<Tag, Sizes...>() &&
           (A::parts::template is_unaffected_by<Sizes...>() && ...);
  }

  using indices = std::index_sequence_for<A...>;
  // Chosen alternative, with its evaluated counts and conditions. `size` is set unless the size
  // depends on the offset of the part in its record.
  struct evaluated {
    std::size_t chosen;
    extent_type size;
    evaluated_items<indices, typename A::parts...> inside;
  };

  // Returns f(std::type_identity<parts>) for the alternative that the tag selects, or none() if no
  // alternative matches. The tag is evaluated once.
  template <class S, class F, class None>
  TRACECODEC_INLINE static constexpr auto with_chosen(const S& s, F&& f, None&& none) noexcept {
    return dispatch<A...>::by_tag(
        detail::evaluate<Tag>(s),
        [&]<std::size_t I>(std::integral_constant<std::size_t, I>)
            __attribute__((always_inline)) { return f(std::type_identity<parts_at<I>>{}); },
        none);
  }

  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const scan_input& in,
                                                      Notes& notes) noexcept {
    // First records all items as absent. The scan below then records the items that are present.
    note_absent(at, notes);
    return with_chosen(
        s,
        [&]<class Parts>(std::type_identity<Parts>)
            __attribute__((always_inline)) { return Parts::scan(s, at, in, notes); },
        [&] { return fail(notes, at, unknown_tag, &label); });
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    if constexpr (notes_absent<Notes>) (A::parts::note_absent(at, notes), ...);
  }
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return prepare_chosen(s, a, {}, detail::evaluate<Tag>(s));
  }
  template <class S>
  static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept requires absolute {
    return prepare_chosen(s, a, at, detail::evaluate<Tag>(s));
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type at, Notes& notes) noexcept {
    if constexpr (!placed && !Notes::wanted) return a.size;
    note_absent(static_cast<std::size_t>(at), notes);
    extent_type n = 0;
    with(a, [&]<class X>(std::type_identity<X>, const auto& inside) {
      n = X::written(s, inside, at, notes);
    });
    return n;
  }
  template <class S> static constexpr byte* store(const S& s, byte* p, const evaluated& a,
                                                  const byte* begin) noexcept {
    with(a, [&]<class X>(std::type_identity<X>, const auto& inside) {
      p = X::store(s, p, inside, begin);
    });
    return p;
  }
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    failure r{at, &label};
    evaluated a{};
    a.chosen = index_of(detail::evaluate<Tag>(s), indices{});
    with(a, [&]<class X>(std::type_identity<X>, const auto&) { r = X::unfit_at(s, at); });
    return r;
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    const std::size_t chosen =
        present ? index_of(detail::evaluate<Tag>(s), indices{}) : sizeof...(A);
    std::size_t i = 0;
    (A::parts::walk(s, f, chosen == i++), ...);
  }
  static constexpr layout_part part{part_of::choice, member_text<Tag>, {}, {}};
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    list.begin(part, r);
    (A::describe(list, r), ...);
    list.end();
  }

 private:
  template <std::size_t I> using parts_at = typename dispatch<A...>::template alternative<I>::parts;
  template <class S, class T>
  TRACECODEC_INLINE static constexpr errc prepare_chosen(S& s, evaluated& a,
                                                         [[maybe_unused]] item_offset at,
                                                         const T& tag) noexcept {
    return dispatch<A...>::by_tag(
        tag,
        [&]<std::size_t I>(std::integral_constant<std::size_t, I>) __attribute__((always_inline)) {
          using parts = parts_at<I>;
          auto& inside = evaluated_at<I>(a.inside);
          a.chosen = I;
          errc e{};
          if constexpr (parts::absolute)
            e = parts::prepare_at(s, inside, at);
          else
            e = parts::prepare(s, inside);
          no_notes none{};
          if constexpr (!placed) a.size = parts::written(s, inside, 0, none);
          return e;
        },
        [] { return errc::invalid_value; });
  }
  template <class T, std::size_t... I>
  static constexpr std::size_t index_of(const T& tag, std::index_sequence<I...>) noexcept {
    std::size_t at = sizeof...(A);
    static_cast<void>(((A::on::matches(tag) && (at = I, true)) || ...));
    return at;
  }
  // Calls `f` with the parts of the chosen alternative and their evaluated counts and conditions.
  template <class Value, class F>
  TRACECODEC_INLINE static constexpr void with(Value& a, F&& f) noexcept {
    dispatch<A...>::by_index(
        a.chosen,
        [&]<std::size_t I>(std::integral_constant<std::size_t, I>) __attribute__((always_inline)) {
          f(std::type_identity<parts_at<I>>{}, evaluated_at<I>(a.inside));
        },
        [] {});
  }
};
}  // namespace detail

// Choice of one alternative among on<value, items...>, on_any<values<a, b...>, items...>,
// on_range<first, last, items...> and otherwise<items...>. `Tag` (&S::member, &S::function or a
// callable) selects the first alternative that matches. Members of the other alternatives keep
// their values. If no alternative matches the tag, the error is invalid_value.
template <auto Tag, class... Alternatives> struct choice {
  static_assert(detail::alternatives_are_good<Tag, Alternatives...>());
  using owner = detail::first_owner<typename Alternatives::owner...>;
  using items = detail::type_list<Alternatives...>;
  template <class Policy> using bind = detail::bound_choice<
      Tag,
      detail::alternative<Alternatives, typename detail::parts_of<Policy, Alternatives>::type>...>;
  // Returns the maximum over the alternatives, not the sum: a member may appear in several
  // alternatives, of which one is present.
  static consteval int mentions(std::string_view member) {
    int most = 0;
    ((most = Alternatives::mentions(member) > most ? Alternatives::mentions(member) : most), ...);
    return most;
  }
  static consteval int loads(std::string_view member) {
    return (Alternatives::loads(member) + ...);
  }
  static consteval bool is_parameter(std::string_view member) {
    return (Alternatives::is_parameter(member) || ...);
  }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Tag, Place>() &&
           detail::tags_are_good<Tag, typename Place::record, Alternatives...>() &&
           (Alternatives::template in_order<Place> && ...);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/byte_order.hpp
// Items whose byte order is stored in the record, or depends on an earlier record.

namespace tracecodec::wire {

namespace detail {
// Compile error about a byte order. Compilers print the template argument, which contains the
// member's name.
template <class Name> consteval bool this_member_is_not_a_byte_order() {
  static_assert(never<Name>,
                "in_byte_order<> needs a wire::order: a member of this type that has no bytes, or "
                "a function that returns it, such as magic == \"MM\" ? order::big : order::little");
  return true;
}
template <auto Order, class S> consteval bool is_byte_order() {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(detail::evaluate<Order>(
                                   std::declval<const S&>()))>,
                               order>)
    return true;
  else
    return this_member_is_not_a_byte_order<quoted_t<label_of<tag_label<Order>>>>();
}
// `Items` in the byte order `O`, if the evaluated order is `O`.
template <order O, class Policy, class... Items> using if_order =
    alternative<tag_is<O>, parts_t<policy<O, Policy::place, Policy::arch>, Items...>>;
// `Items` in the byte order that `Order` returns. Errors about all items name the first one.
template <auto Order, class Policy, class... Items> struct bound_in_byte_order
    : bound_choice<Order, if_order<order::big, Policy, Items...>,
                   if_order<order::little, Policy, Items...>> {
  static constexpr std::string_view label =
      if_order<order::big, Policy, Items...>::parts::first_label;
};
}  // namespace detail

// `Items` in the byte order that `Order` (&S::member, &S::function or a callable) returns. It is
// evaluated on members that were read earlier. The order applies to all items that do not state an
// order of their own, except inside nested records. previous<> carries an order from record to
// record, as pcapng does.
template <auto Order, class... Items> struct in_byte_order : detail::with_parts<Items...> {
  template <class Policy> using bind = detail::bound_in_byte_order<Order, Policy, Items...>;
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_byte_order<Order, typename Place::record>() &&
           detail::is_earlier<Order, Place>() && detail::parts_in_order<Place, Items...>::value;
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/rules/chosen.hpp
// Records whose choice (choice.hpp) is already made. From one description, a separate record type
// is derived for each alternative.

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

// Placeholder without bytes for members that belong only to other alternatives.
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
template <class... Before, auto Tag, class... A, class... After>
struct choice_of<type_list<Before...>, choice<Tag, A...>, After...> {
  using owner = first_owner<typename Before::owner..., typename A::owner...>;
  using tag_type =
      std::remove_cvref_t<decltype(detail::evaluate<Tag>(std::declval<const owner&>()))>;

  // Number of alternatives. `of_tag` is the index of the first alternative that matches a tag.
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
      -> fields<Before..., left_out<Chosen, A...>, Items..., After...>;
  template <std::size_t I> using alternative = std::tuple_element_t<I, std::tuple<A...>>;
  template <std::size_t I> using fields_of =
      decltype(with<alternative<I>>(typename alternative<I>::items{}));

  template <auto M> TRACECODEC_INLINE static constexpr bool has(const tag_type& tag) noexcept {
    bool found = false;
    static_cast<void>(((A::matches(tag) && (found = A::mentions(name_of<M>) != 0, true)) || ...));
    return found;
  }
};
template <class... Before, class Next, class... After>
struct choice_of<type_list<Before...>, Next, After...>
    : choice_of<type_list<Before..., Next>, After...> {};

template <class Record> struct record_with_choice;
template <class... Items, order O, placement P, target T>
struct record_with_choice<record<fields<Items...>, O, P, T>> : choice_of<type_list<>, Items...> {
  template <class What> using like = record<What, O, P, T>;
};

// Description in which the choice is already made. (It is a named type, because the equivalent
// fields<...> would have a long name.)
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

// Offset of member `M` if the front contains the member, otherwise the offset of the front's end.
template <class Made, auto M> inline constexpr std::size_t begin_of = [] {
  if constexpr (Made::front::template has<M>)
    return Made::template offset_of<M>;
  else
    return Made::front_size;
}();
// Returns true if alternative `I` does not have member `M`, or has `M` at the same offset as the
// first alternative with `M`.
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

// Variant of `Record` in which the alternative that tag `Value` selects replaces the choice. The
// tag remains a field. The caller must check the tag before decoding.
template <class Record, detail::constant_value Value> using chosen =
    detail::made<Record, detail::index_of_tag<Record, Value>>;

// Variant of `Record` in which the first alternative with member `M` replaces the choice. All
// alternatives with `M` must have `M` at the same offset.
template <class Record, auto M> using chosen_with = typename detail::made_for<Record, M>::type;

// Returns true if a `Record` with this tag has member `M`, which belongs to one or more
// alternatives of the choice.
template <class Record, auto M> TRACECODEC_INLINE constexpr bool tag_has(
    const typename detail::record_with_choice<Record>::tag_type& tag) noexcept {
  return detail::record_with_choice<Record>::template has<M>(tag);
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire/layout/engine/values_text.hpp
// Writes the allowed values of a field as text.

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

// Writes the allowed values in a form such as `"GIF8"`, `3`, `1 or 2`, or `1 to 9`. Writes
// "restricted" if a function checks the value, "computed" if the value is computed from the record,
// and "relative to last" if the field stores the difference from member `last`.
template <class Out> constexpr void put_values(Out& out, const layout_values& v) {
  const auto numbers = [&](std::string_view between) {
    for (std::size_t i = 0; i < v.numbers.size(); ++i) {
      if (i != 0) out(i + 1 == v.numbers.size() ? between : std::string_view(", "));
      out(v.numbers[i].view());
    }
  };
  if (v.are == values_are::computed)
    out(std::string_view("computed"));
  else if (v.are == values_are::relative)
    out(std::string_view("relative to ")),
        out(v.base.empty() ? std::string_view("computed") : v.base);
  else if (v.are == values_are::constant && v.chars.data() != nullptr)
    put_quoted(out, v.chars);
  else if (!v.texts.empty())
    for (std::size_t i = 0; i < v.texts.size(); ++i) {
      if (i != 0) out(std::string_view(i + 1 == v.texts.size() ? " or " : ", "));
      put_quoted(out, v.texts[i]);
    }
  else if (v.numbers.empty())
    out(std::string_view("restricted"));
  else
    numbers(v.are == values_are::range ? std::string_view(" to ") : std::string_view(" or "));
}

}  // namespace tracecodec::wire::detail

// ---- tracecodec/wire/table.hpp
// Prints layout tables as plain text or as Markdown. If the values of any field are restricted, a
// sixth column lists the allowed values. If a field is a list, another table for the elements of
// the list follows.

namespace tracecodec::wire {

namespace detail {
// Calls f(row) for each row in a table or in a list of nodes.
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
// Cells of a row, including the sixth cell if the table has six columns.
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
// Returns true if the row is a list. A prefixed row is a list if its elements are records.
constexpr bool is_list(const layout_row& r) noexcept {
  if (r.how == nullptr) return false;
  return r.how->as == read_as::list ||
         (r.how->as == read_as::prefixed && r.how->element()[0].row.name.length != 0);
}
// Calls f(row) for each row that represents a list.
template <class Rows, class F> constexpr void each_list(Rows rows, F&& f) {
  each_row(rows, [&](const layout_row& r) {
    if (is_list(r)) f(r);
  });
}

template <class Rows, class Out> constexpr void print_table(Rows rows, Out& out) {
  // Returns a run of characters `c` that is long enough for the longest cell and the gap after it.
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
      // Omit the gap after the last cell, so that lines have no trailing blanks.
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

// ---- tracecodec/wire/types/inner.hpp
// Records that contain records of their own kind, such as the boxes of MP4, the items of CBOR and the
// directories of a tree.

namespace tracecodec::wire {

namespace detail {
// Counts the inner records `S` that are being read, one inside another. It counts nothing in
// constant expressions, whose depth the compiler limits.
template <class S> class inner_record_is_read {
 public:
  constexpr inner_record_is_read() noexcept {
    if (!std::is_constant_evaluated()) ++depth;
  }
  constexpr ~inner_record_is_read() {
    if (!std::is_constant_evaluated()) --depth;
  }
  inner_record_is_read(const inner_record_is_read&) = delete;
  inner_record_is_read& operator=(const inner_record_is_read&) = delete;

  static constexpr bool is_deeper_than(std::size_t most) noexcept {
    return !std::is_constant_evaluated() && depth > most;
  }

 private:
  static inline thread_local std::size_t depth = 0;
};
}  // namespace detail

// Wire type of the records `S` in a list of a record `S`. `Codec` is their codec: a struct that is
// declared before `S`, and later derives from the record:
//
//   struct box_codec;
//   struct box {
//     std::uint32_t size;
//     wire::list_view<wire::inner<box, box_codec>> boxes;
//   };
//   struct box_codec
//       : wire::record<wire::fields<
//             wire::sized<wire::prefix<&box::size>, wire::list<&box::boxes>>>> {};
//
// decode reads all inner records. It returns malformed if more than `Depth` records `S` are inside
// one another, so that no input can exhaust the stack. Inner records of other structs do not count.
template <class S, class Codec, std::size_t Depth = 32> struct inner {
  using value_type = S;
  static constexpr bool variable_length = true;
  static constexpr bool is_inner = true;
  static constexpr text type_name() noexcept { return std::string_view("record"); }
  static constexpr text sizes() noexcept { return std::string_view("its own size"); }

  [[gnu::noinline]] static constexpr std::size_t read(S& s, std::span<const byte> in) noexcept {
    // (The codec is complete only in the bodies of functions.)
    static_assert(std::is_same_v<typename Codec::value_type, S>,
                  "inner<S, codec> needs the codec of S");
    static_assert(!detail::is_greedy<Codec>,
                  "a record inside a record must have its own end: put an item that extends to the "
                  "end (rest<>, skip_rest, if_left<>, list<> with to_end) into a sized<> part");
    static_assert(Codec::parameters == 0, "a record inside a record has no parameters");
    const detail::inner_record_is_read<S> reading;
    if (reading.is_deeper_than(Depth)) return detail::not_read;
    detail::no_notes none{};
    return detail::read_value<Codec>(s, in, none);
  }
  // Returns the place of the failure of read(), and the reason.
  static constexpr detail::scan_failure explain(const S& s, std::span<const byte> in) noexcept {
    const detail::inner_record_is_read<S> reading;
    if (reading.is_deeper_than(Depth)) return {0, errc::malformed, nullptr};
    return Codec::explain(s, in);
  }
  // Extends `path` to the field at which read() fails in `in`.
  static constexpr void extend_path(std::span<const byte> in, detail::failure_path& path) noexcept {
    const detail::inner_record_is_read<S> reading;
    if (!reading.is_deeper_than(Depth)) Codec::extend_path(in, path);
  }
  static constexpr scan_result scan(S& s, std::span<const byte> in) noexcept {
    const std::size_t n = read(s, in);
    if (n != detail::not_read) return {n};
    const detail::scan_failure why = explain(s, in);
    return {why.at, why.why, why.field};
  }
  // Returns ok if the value can be written.
  static constexpr errc check(const S& s) noexcept {
    typename Codec::evaluated a{};
    return Codec::prepare(s, a);
  }
  static constexpr std::uint64_t written(const S& s) noexcept { return Codec::extent(s); }
  static constexpr byte* store(const S& s, byte* p) noexcept {
    typename Codec::evaluated a{};
    static_cast<void>(Codec::prepare(s, a));
    return Codec::store(s, p, a);
  }
};

}  // namespace tracecodec::wire

// ---- tracecodec/wire/with_order.hpp
// Dispatches on a byte order that is known only at run time. The only branch is outside `f`, so the
// code in `f` is as fast as with an order fixed at compile time.

namespace tracecodec::wire {

// Calls f.template operator()<order::big>() or f.template operator()<order::little>(), according to
// `o`:
//   with_order(o, [&]<wire::order O>() { return decode_all<O>(bytes); });
template <class F> constexpr decltype(auto) with_order(order o, F&& f) {
  if (o == order::big) return f.template operator()<order::big>();
  return f.template operator()<order::little>();
}

// Calls `f` with the byte order and the target. Pointers have 4 bytes for target::x86 and 8 for
// target::x64:
//   with_order_and_target(o, t, [&]<wire::order O, wire::target T>() { ... });
template <class F> constexpr decltype(auto) with_order_and_target(order o, target t, F&& f) {
  return with_order(o, [&]<order O>() -> decltype(auto) {
    if (t == target::x86) return f.template operator()<O, target::x86>();
    return f.template operator()<O, target::x64>();
  });
}

}  // namespace tracecodec::wire

// ---- tracecodec/wire.hpp
// The descriptor language: one description of a record generates its decoder, encoder, walk and
// table. This header includes every construct of the language, except columns
// (wire/columns/columns.hpp) and checksums (io/checksum.hpp).
