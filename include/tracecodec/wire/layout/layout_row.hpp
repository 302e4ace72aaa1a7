// One row of a record's layout table, and what a description needs to fill it.
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

// A field as the tables of a specification show it. Nested records are shown field by field,
// their names joined by dots; an array of records is one row.
struct layout_row {
  std::size_t offset = 0;  // bytes from the start of the record, or of its section if it floats
  bool floats = false;     // whether variable data stand before it, so that `offset` is not fixed
  std::size_t size = 0;    // bytes; of one element if `counted`
  unsigned high_bit = 0;   // a bit slice: its highest and lowest bit in the word at `offset`,
  unsigned low_bit = 0;    // 0 being the least significant
  bool slice = false;
  bool counted = false;      // as many elements as `count` says
  bool conditional = false;  // present only if a condition on the record holds
  bool scanned = false;      // the size lies in its own bytes: `count` says which are possible
  text type = {};            // "u64", "u8[2]"
  text name = {};
  text count = {};  // the name of the count field, or "computed"
  order byte_order = order::native;
  bool has_order = false;  // false for single bytes
  // What no table has room for: how the bytes are read where type and size do not say so, and which
  // values there may be. Other languages (emit/) need it.
  const layout_how* how = nullptr;
  const layout_values* values = nullptr;
};

// Where a bit slice lies: bits [low_bit, low_bit + width) of the word at `offset` in its record, 0
// being the least significant bit.
struct slice {
  std::size_t offset;
  unsigned low_bit, width;
  friend constexpr bool operator==(const slice&, const slice&) = default;
};

// The name of a row that holds no field.
inline constexpr std::string_view padding_name = "(padding)";
inline constexpr std::string_view literal_name = "(literal)";

struct layout_node;
using layout_nodes_of = std::span<const layout_node> (*)() noexcept;

enum class read_as : std::uint8_t {
  type,  // as the row's type says; `element` if that is of records
  uleb128,
  sleb128,
  zigzag,
  vlq,
  terminated,   // `element` up to one that is `number`
  prefixed,     // `prefix`, and as many
  padded,       // those at its end that are `number` are none
  digits,       // in base `number`
  both_orders,  // little-endian, then big-endian
  list,         // of `element`
  strided,      // `element`, `stride` bytes apart
  rest,         // `element` to the end
  skipped,      // bytes to the end
  align         // bytes to a multiple of `number`
};
enum class list_ends : std::uint8_t { counted, at_end, until };
struct layout_part;

struct layout_how {
  read_as as = read_as::type;
  std::uint64_t number = 0;
  // Of a record, its rows; of all else one row without a name. Of numbers none where the row says
  // what they are.
  layout_nodes_of element = nullptr;
  layout_nodes_of prefix = nullptr;
  // Members of the record; empty: functions.
  std::string_view count = {}, stride = {};
  list_ends ends = list_ends::counted;
  const layout_part* last = nullptr;  // until: what holds for the last element
};

enum class values_are : std::uint8_t { constant, one_of, range, valid, computed };
struct layout_values {
  values_are are = values_are::valid;
  std::span<const text> numbers = {};  // the constant; those that may be; the least and the most
  std::string_view chars = {};         // a constant that is a text
};

// Rows that belong together.
enum class part_of : std::uint8_t {
  when,     // present if the member is not 0
  since,    // if it is `value` at least
  if_left,  // if bytes are left
  limited,  // in as many bytes as the member says
  choice,   // of its parts, `on` and `otherwise`, the first that fits is present
  on,       // if the member is `value`, or from that to `last`, or the characters `chars`
  otherwise
};
struct layout_part {
  part_of what = part_of::when;
  std::string_view member = {};  // empty: a function of the record
  text value = {};               // empty: of no form
  std::string_view chars = {};
  text last = {};  // empty: `value` alone
};

// A description as forms read it: rows, and where parts begin and end. (`row` of the beginning has
// the names' prefix.)
struct layout_node {
  enum kind : std::uint8_t { row_of, begins, ends };
  kind is = row_of;
  const layout_part* part = nullptr;
  layout_row row = {};
};

namespace detail {
// An integer or an enumerator in digits; empty of all else.
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
// The member that is asked, or the number; empty: a function of the record.
template <auto Ask> inline constexpr std::string_view member_asked = [] {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return name_of<Ask>;
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return digits_of_number<Ask>.view();
  else
    return std::string_view();
}();
// The same in a table.
template <auto Ask>
inline constexpr std::string_view count_asked = member_asked<Ask>.empty()
                                                    ? std::string_view("computed")
                                                    : member_asked<Ask>;
// A condition as forms say it.
template <auto Pred> inline constexpr layout_part part_when = [] {
  layout_part p{part_of::when, member_asked<Pred>, {}, {}};
  if constexpr (requires { Pred.least; }) {
    p.value = number_text(Pred.least);
    p.what = part_of::since;
    if (p.value.length != 0) p.member = Pred.member;
  }
  return p;
}();

// Collects rows, or has each looked at as it comes; without either it only counts them. Parts are
// passed on to whoever asks for them. (Functions that do nothing stand for none: with
// -fsanitize=undefined g++ takes no comparison of a function with nullptr for a constant.)
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

// Parts and rows of a description: counted, or kept.
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

// The description of a codec, or of any wire type, kept once in the program.
template <class W> inline constexpr auto layout_nodes = detail::nodes_of<W>();

namespace detail {
template <class W> constexpr std::span<const layout_node> kept_nodes() noexcept {
  return layout_nodes<W>;
}
// How an array of what is no number is read.
template <class W> inline constexpr layout_how elements_of{.element = kept_nodes<W>};
// Asked of classes alone: of numbers, which most are, a compiler need not look.
template <class W> consteval bool is_array_of_records() {
  if constexpr (requires { typename W::element; })
    if constexpr (std::is_class_v<typename W::element::value_type>)
      return nested_record<typename W::element>;
  return false;
}

// Adds the row of an array of `W`, of which there are as many as `r` says.
template <class W> constexpr void describe_element(row_list& list, layout_row r) {
  r.size = W::size;
  r.type = W::type_name();
  r.byte_order = W::byte_order;
  r.has_order = W::has_order;
  if constexpr (nested_record<W> || says_how<W>) r.how = &elements_of<W>;
  list.add(r);
}

// Adds the rows of one field of wire type `W`, given its name, offset and condition in `r`.
template <class W> constexpr void describe(row_list& list, layout_row r) {
  if constexpr (nested_record<W>) {
    r.values = nullptr;  // they are of all of it
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

// The same of one whose length lies in its own bytes: a record's rows, or what the type says.
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
