// Base classes of the emitters for languages with expressions (Kaitai Struct and ImHex). They
// determine which rows a language can express, and how fields are named.
#pragma once
#include "conditions.hpp"

namespace tracecodec::emit::detail {

// Base class that determines which rows of a description a language can express. `Own`, the class
// for one language, derives from this class, declares it a friend, and has these members:
//   find(i, member)           returns the number that the row or part at `i` depends on, or
//                             nowhere
//   is_whole(element)         returns true if all of a record can be expressed
//   is_varying(number)        returns true if a number of varying size can be an element
//   is_length(number)         returns true if a number can be the length before elements
//   is_terminator(row, type)  returns true if the row's terminator can be compared
//   can_list_until(row)       returns true if the condition for the last element can be expressed
//   can_align(i)              returns true if the place from which alignment counts can be expressed
//   can_read_otherwise(i)     returns true if a row that is read in any other way can be expressed
template <class Own> class sayable {
 protected:
  constexpr explicit sayable(node_span nodes) noexcept : nodes_(nodes) {}

  // Returns the node of the number `member` before the row or part at `i`. Returns nowhere if the
  // member may be absent.
  constexpr std::size_t number_before(std::size_t i, std::string_view member) const {
    const std::string_view name = nodes_[i].row.name.view();
    return find_number(nodes_, i, nodes_[i].is == layout_node::row_of ? prefix_of(name) : name,
                       member);
  }
  // Returns the innermost part with a size that contains `i`, or nowhere if there is none.
  constexpr std::size_t limit_of(std::size_t i) const {
    std::size_t p = scope_of(nodes_, i);
    while (p != nowhere && !is_part(nodes_, p, part_of::sized)) p = scope_of(nodes_, p);
    return p;
  }

  constexpr bool can_say(std::size_t i) const {
    const layout_row& r = nodes_[i].row;
    switch (reads(r)) {
      case read_as::type:
        return r.counted ? is_there(i, r.count.view()) && is_readable(r) : !r.variable_length;
      case read_as::terminated: {
        const row_type t = type_of(r);
        return is_usual(t) && t.kind != 'f' && Own::is_terminator(r, t);
      }
      case read_as::prefixed:
        return Own::is_length(r.how->prefix()[0].row) && is_readable(r);
      case read_as::list:
        if (!is_readable(r)) return false;
        if (r.how->ends == list_ends::counted) return is_there(i, r.how->count);
        return r.how->ends == list_ends::at_end || Own::can_list_until(r);
      case read_as::rest:
        return is_readable(r);
      case read_as::align:
        return prefix_of(r.name.view()).empty() && own().can_align(i);
      default:
        return own().can_read_otherwise(i);
    }
  }
  constexpr bool is_there(std::size_t i, std::string_view member) const {
    return own().find(i, member) != nowhere;
  }

  node_span nodes_;

 private:
  constexpr const Own& own() const noexcept { return static_cast<const Own&>(*this); }

  // Returns true if the element is a number that the language can read, or a record that the
  // language can express completely.
  static constexpr bool is_readable(const layout_row& r) {
    if (r.how == nullptr || r.how->element == nullptr) return is_usual(type_of(r));
    const node_span element = r.how->element();
    if (!is_plain_element(element)) return Own::is_whole(element);
    const layout_row& e = element[0].row;
    return reads(e) == read_as::type ? is_usual(type_of(e)) && !e.variable_length
                                     : Own::is_varying(e);
  }
};

// Base class that prints a record named `name` to `out`. `Says`, which derives from sayable,
// determines the rows that can be printed.
template <class Out, class Says> class emitter : protected Says {
 protected:
  template <class... Args>
  constexpr emitter(Out& out, std::string_view name, const Args&... description) noexcept
      : Says(description...), out_(out), name_(name) {}

  using Says::nodes_;

  constexpr void say(std::string_view s) const { out_(s); }
  // Writes a numbered name that no row has, such as "part_0".
  constexpr void put_free(std::string_view what, std::uint64_t number) const {
    out_(free_id(nodes_, what, number, Says::lower_case).view());
  }
  // Writes the name of row `i`, which no other row has.
  constexpr void put_field_name(std::size_t i) const {
    out_(id_of(nodes_, i, Says::lower_case).view());
  }
  // Writes the name of a field that belongs to row `i`, such as "name_length", and that no row has.
  constexpr void put_derived_name(std::size_t i, std::string_view suffix) const {
    text id = id_of(nodes_, i, Says::lower_case);
    id += suffix;
    out_(free_id(nodes_, id, Says::lower_case).view());
  }
  // Writes the name of the word that contains slice `i`.
  constexpr void put_word(std::size_t i) const {
    put_free("bits_", words_before(nodes_, i) - !begins_word(nodes_, i));
  }
  // Returns the number of rows before `i` for which wanted(row) is true.
  template <class Wanted> constexpr std::size_t rows_before(std::size_t i, Wanted wanted) const {
    std::size_t n = 0;
    for (std::size_t k = 0; k < i; ++k)
      n += nodes_[k].is == layout_node::row_of && wanted(nodes_[k].row);
    return n;
  }
  // Returns the row that describes an element of `r`, which must not be a record.
  static constexpr const layout_row& element_of(const layout_row& r) {
    return r.how != nullptr && r.how->element != nullptr ? r.how->element()[0].row : r;
  }

  Out& out_;
  std::string_view name_;
};

}  // namespace tracecodec::emit::detail
