// Prints a layout as types of Kaitai Struct.
#pragma once
#include "engine/kaitai_row.hpp"

namespace tracecodec::emit {

namespace detail {
template <class Out> class kaitai_writer : kaitai_rows<Out> {
  using base = kaitai_rows<Out>;
  using base::say, base::out_, base::nodes_, base::name_;

 public:
  constexpr kaitai_writer(Out& out, std::string_view name, node_span nodes,
                          std::span<const kaitai_row> rows) noexcept
      : base(out, name, nodes, rows) {}

  constexpr void write() {
    say("  ");
    put_name(out_, name_, true);
    scope(nowhere, 0, nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!is_nested(nodes_, i) || !has_rows(nodes_, i)) continue;
      say("  ");
      this->put_part_type(i);
      scope(i, i + 1, end_of_part(nodes_, i));
    }
    each_record_element(
        name_, nodes_,
        [&](std::string_view inner, node_span element) {
          kaitai_writer(out_, inner, element, {}).write();
        },
        base::lower_case);
  }

 private:
  // Writes the type of the part at node `part`, or of the whole record if `part` is nowhere. The
  // type consists of the nodes [first, last).
  constexpr void scope(std::size_t part, std::size_t first, std::size_t last) {
    say(":\n    seq:");
    const std::size_t stop = this->stop_in(first, last);
    bool some = false;
    const auto more = [&] {
      if (!some) say("\n");
      some = true;
    };
    if (part == nowhere && marks_begin(stop)) {
      more();
      say("      - id: record_begin_mark\n        size: 0\n        if: record_begin < 0\n");
    }
    for (std::size_t i = first; i < stop; ++i) {
      if (is_nested(nodes_, i)) {
        if (has_rows(nodes_, i)) more(), this->put_part(i);
        i = end_of_part(nodes_, i);
      } else if (nodes_[i].is == layout_node::row_of && !goes_on_word(nodes_, i)) {
        more();
        this->put_row(i);
      }
    }
    if (!some) say(" []\n");
    if (stop != last) {
      say("      # then ");
      say(first_name(nodes_, stop));
      say(", which fields alone cannot describe\n");
    }
    instances(part, first, stop);
  }
  // Returns true if padding before node `stop` is aligned relative to the beginning of the record.
  constexpr bool marks_begin(std::size_t stop) const {
    for (std::size_t i = 0; i < stop; ++i)
      if (nodes_[i].is == layout_node::row_of && reads(nodes_[i].row) == read_as::align &&
          this->limit_of(i) == nowhere)
        return true;
    return false;
  }
  constexpr void instances(std::size_t part, std::size_t first, std::size_t stop) {
    bool some = false;
    const auto instance = [&] {
      if (!some) say("    instances:\n");
      some = true;
      say("      ");
    };
    if (part == nowhere && marks_begin(stop)) {
      instance();
      say("record_begin:\n        value: _io.pos\n");
    }
    for (std::size_t i = first; i < stop; ++i) {
      if (is_nested(nodes_, i)) i = end_of_part(nodes_, i);
      const layout_row& r = nodes_[i].row;
      if (nodes_[i].is != layout_node::row_of) continue;
      if (reads(r) == read_as::sleb128 || reads(r) == read_as::zigzag) {
        instance();
        this->put_derived_name(i, "_value");
        say(":\n        value: ");
        this->refer(i, i);
        say("\n");
        this->put_if(i);
      }
      if (!r.slice || is_unused(r)) continue;
      instance();
      this->put_id(i);
      say(":\n        value: (");
      this->put_word(i);
      this->put_value_of(reads(r));
      say(" >> ");
      put(out_, r.low_bit);
      say(") & ");
      put_mask(out_, r.high_bit - r.low_bit + 1);
      say("\n");
      this->put_if(i);
    }
  }
};
}  // namespace detail

// Calls out(std::string_view) with successive pieces of the `types:` section of a .ksy file. The
// record, each nested part and each element of a list have their own type.
// - A word of bit slices is one field, such as bits_0, and each slice is an instance.
// - The value of a signed variable-length number is an instance `name_value`.
// - Conditions and counts are expressions that use members.
// - A type ends before the first row that Kaitai cannot express. A comment names that row. `rows`
//   contains hand-written fields for such rows.
template <class Out> constexpr void print_kaitai(std::string_view name,
                                                 std::span<const wire::layout_node> nodes,
                                                 Out&& out, std::span<const kaitai_row> rows = {}) {
  detail::kaitai_writer(out, name, nodes, rows).write();
}

// Returns true if Kaitai can express the whole record. Only then can Kaitai read data after the
// record correctly.
constexpr bool is_whole_in_kaitai(std::span<const wire::layout_node> nodes,
                                  std::span<const kaitai_row> rows = {}) {
  return detail::kaitai_says(nodes, rows).whole();
}

// Calls import(name) for each type of Kaitai's library that the emitted types need. A name may
// occur more than once.
template <class Import>
constexpr void each_kaitai_import(std::span<const wire::layout_node> nodes, Import&& import) {
  for (const wire::layout_node& n : nodes) {
    if (n.is != wire::layout_node::row_of || n.row.how == nullptr) continue;
    const wire::read_as as = n.row.how->as;
    if (as == wire::read_as::uleb128 || as == wire::read_as::sleb128 || as == wire::read_as::zigzag)
      import(std::string_view("/common/vlq_base128_le"));
    if (as == wire::read_as::vlq) import(std::string_view("/common/vlq_base128_be"));
    if (n.row.how->prefix != nullptr) each_kaitai_import(n.row.how->prefix(), import);
    if (n.row.how->element != nullptr) each_kaitai_import(n.row.how->element(), import);
  }
}

}  // namespace tracecodec::emit
