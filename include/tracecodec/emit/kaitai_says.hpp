// What of a description Kaitai Struct has words for.
#pragma once
#include "conditions.hpp"

namespace tracecodec::emit {

// What a description cannot say of a row, as lines of the field, each of 8 blanks and more.
struct kaitai_row {
  std::string_view name, lines;
};

namespace detail {
// Whether Kaitai reads a plain number.
constexpr bool is_kaitai_number(const layout_row& r) noexcept {
  const row_type t = type_of(r);
  return is_usual(t) || (t.kind == 'u' && t.size < 8 && !t.bytes && !t.array);
}

// What of a description can be said.
class kaitai_says {
 public:
  constexpr kaitai_says(node_span nodes, std::span<const kaitai_row> rows) noexcept
      : nodes_(nodes), rows_(rows) {}
  constexpr bool whole() const { return stop_in(0, nodes_.size()) == nodes_.size(); }

 protected:
  // The first node from `first` on that no field can say; `last`: none.
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
      // What has a size ends where it does, whatever of it is said.
      if (is_part(nodes_, i, part_of::if_left) && stop_in(i + 1, end) != end) return i;
      i = end;
    }
    return last;
  }
  constexpr bool in_limited(std::size_t i) const {
    std::size_t p = scope_of(nodes_, i);
    while (p != nowhere && !is_part(nodes_, p, part_of::limited)) p = scope_of(nodes_, p);
    return p != nowhere;
  }
  constexpr std::string_view said(const layout_row& r) const {
    for (const kaitai_row& k : rows_)
      if (k.name == r.name.view()) return k.lines;
    return {};
  }
  // The member that the row or part at `i` asks.
  constexpr std::size_t find(std::size_t i, std::string_view member) const {
    const std::string_view name = nodes_[i].row.name.view();
    const std::size_t at = find_number(
        nodes_, i, nodes_[i].is == layout_node::row_of ? prefix_of(name) : name, member);
    // A part with a size may end with less than the member.
    for (std::size_t p = at == nowhere ? nowhere : scope_of(nodes_, at); p != nowhere;
         p = scope_of(nodes_, p))
      if (end_of_part(nodes_, p) < i && stop_in(p + 1, end_of_part(nodes_, p)) <= at)
        return nowhere;
    return at;
  }
  // Whether the element is a number that Kaitai reads, or a record all of which can be said.
  static constexpr bool is_readable(const layout_row& r) {
    if (r.how == nullptr || r.how->element == nullptr) return is_usual(type_of(r));
    const node_span element = r.how->element();
    if (!is_plain_element(element)) return kaitai_says(element, {}).whole();
    const layout_row& e = element[0].row;
    if (reads(e) == read_as::type) return is_usual(type_of(e)) && !e.scanned;
    return is_number(e) && reads(e) != read_as::both_orders;
  }

  constexpr bool can_say(std::size_t i) const {
    const layout_row& r = nodes_[i].row;
    if (!said(r).empty()) return true;
    switch (reads(r)) {
      case read_as::type:
        if (r.counted) return find(i, r.count.view()) != nowhere && is_readable(r);
        return !r.scanned;
      case read_as::terminated: {
        const row_type t = type_of(r);
        return is_usual(t) && t.kind != 'f' &&
               (t.size == 1 || t.kind == 'u' || r.how->number >> (8 * t.size - 1) == 0);
      }
      case read_as::prefixed: {
        const layout_row& n = r.how->prefix()[0].row;
        return is_number(n) && reads(n) != read_as::zigzag && reads(n) != read_as::both_orders &&
               is_readable(r);
      }
      case read_as::list:
        return can_list(i);
      case read_as::strided:
        return find(i, r.how->count) != nowhere && find(i, r.how->stride) != nowhere;
      case read_as::rest:
        return is_readable(r);
      case read_as::align:
        return prefix_of(r.name.view()).empty();
      default:
        return true;
    }
  }
  constexpr bool can_list(std::size_t i) const {
    const layout_row& r = nodes_[i].row;
    const layout_how& h = *r.how;
    if (!is_readable(r)) return false;
    if (h.ends == list_ends::counted) return find(i, h.count) != nowhere;
    if (h.ends == list_ends::at_end) return true;
    const node_span element = h.element();
    const std::size_t last = find_number(element, element.size(), {}, h.last->member);
    return last != nowhere && reads(element[last].row) != read_as::zigzag;
  }

  node_span nodes_;

 private:
  std::span<const kaitai_row> rows_;
};
}  // namespace detail

}  // namespace tracecodec::emit
