// Determines which parts of a description Kaitai Struct can express.
#pragma once
#include "emitter.hpp"

namespace tracecodec::emit {

// Hand-written lines for the row `name`, which the emitter cannot express. Each line is indented by
// at least 8 spaces.
struct kaitai_row {
  std::string_view name, lines;
};

namespace detail {
// Returns true if Kaitai can read the row as a plain number.
constexpr bool is_kaitai_number(const layout_row& r) noexcept {
  const row_type t = type_of(r);
  return is_usual(t) || (t.kind == 'u' && t.size < 8 && !t.bytes && !t.array);
}

// Determines which nodes of a description Kaitai can express.
class kaitai_says : protected sayable<kaitai_says> {
  friend sayable;

 public:
  constexpr kaitai_says(node_span nodes, std::span<const kaitai_row> rows) noexcept
      : sayable(nodes), rows_(rows) {}
  constexpr bool whole() const { return stop_in(0, nodes_.size()) == nodes_.size(); }

 protected:
  // Kaitai requires names in lower case.
  static constexpr bool lower_case = true;
  // Returns the first node in [first, last) that Kaitai cannot express, or `last` if it can express
  // all nodes.
  constexpr std::size_t stop_in(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (nodes_[i].is == layout_node::ends) continue;
      if (nodes_[i].is == layout_node::row_of) {
        if (!can_say(i)) return i;
        continue;
      }
      if (has_rows(nodes_, i) && !is_plain_condition(nodes_, i)) return i;
      if (!is_nested(nodes_, i)) continue;
      const std::size_t end = end_of_part(nodes_, i);
      // Kaitai can skip the end of a part with a size, so such a part may contain fields that
      // Kaitai cannot express. An if_left part may not.
      if (is_part(nodes_, i, part_of::if_left) && stop_in(i + 1, end) != end) return i;
      i = end;
    }
    return last;
  }
  constexpr std::string_view said(const layout_row& r) const {
    for (const kaitai_row& k : rows_)
      if (k.name == r.name.view()) return k.lines;
    return {};
  }
  // Returns the node of `member`, on which the row or part at `i` depends. Returns nowhere if the
  // type of node `i` cannot refer to the member.
  constexpr std::size_t find(std::size_t i, std::string_view member) const {
    const std::size_t at = number_before(i, member);
    // The type of a part with a size ends before the first field that cannot be expressed. If this
    // field precedes the member, the type does not contain the member.
    for (std::size_t p = at == nowhere ? nowhere : scope_of(nodes_, at); p != nowhere;
         p = scope_of(nodes_, p))
      if (end_of_part(nodes_, p) < i && stop_in(p + 1, end_of_part(nodes_, p)) <= at)
        return nowhere;
    return at;
  }
  constexpr bool can_say(std::size_t i) const {
    return !said(nodes_[i].row).empty() || sayable::can_say(i);
  }

 private:
  static constexpr bool is_whole(node_span element) { return kaitai_says(element, {}).whole(); }
  static constexpr bool is_varying(const layout_row& number) {
    return is_number(number) && reads(number) != read_as::both_orders;
  }
  static constexpr bool is_length(const layout_row& number) {
    return is_varying(number) && reads(number) != read_as::zigzag;
  }
  static constexpr bool is_terminator(const layout_row& r, const row_type& t) {
    return t.size == 1 || t.kind == 'u' || r.how->number >> (8 * t.size - 1) == 0;
  }
  static constexpr bool can_list_until(const layout_row& r) {
    const node_span element = r.how->element();
    const std::size_t last = find_number(element, element.size(), {}, r.how->last->member);
    return last != nowhere && reads(element[last].row) != read_as::zigzag;
  }
  // A part is a stream of its own, in which the record's beginning is unknown.
  constexpr bool can_align(std::size_t i) const {
    return nodes_[i].row.how->from_part || this->limit_of(i) == nowhere;
  }
  constexpr bool can_read_otherwise(std::size_t i) const {
    const layout_row& r = nodes_[i].row;
    return reads(r) != read_as::strided ||
           (is_there(i, r.how->count) && is_there(i, r.how->stride));
  }

  std::span<const kaitai_row> rows_;
};
}  // namespace detail

}  // namespace tracecodec::emit
