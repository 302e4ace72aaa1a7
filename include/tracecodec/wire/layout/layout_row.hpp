// Row of a record's layout table, and the types that collect the rows of a description.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "../policy.hpp"
#include "../text.hpp"

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
