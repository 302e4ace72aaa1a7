// Prints one field of a Kaitai Struct type: its type, repetition, condition and valid values.
#pragma once
#include "kaitai_says.hpp"

namespace tracecodec::emit::detail {

template <class Out> class kaitai_rows : protected emitter<Out, kaitai_says> {
  using base = emitter<Out, kaitai_says>;

 public:
  constexpr kaitai_rows(Out& out, std::string_view name, node_span nodes,
                        std::span<const kaitai_row> rows) noexcept
      : base(out, name, nodes, rows) {}

 protected:
  using base::find, base::limit_of, base::said, base::say;
  using base::name_, base::nodes_, base::out_;

  constexpr void put_part(std::size_t i) {
    say("      - id: ");
    base::put_free("part_", number_of_scope(nodes_, i));
    say("\n        type: ");
    put_part_type(i);
    say("\n");
    if (is_part(nodes_, i, part_of::sized)) {
      say("        size: ");
      refer(find(i, nodes_[i].part->member), i);
      say("\n");
    }
    put_if(i);
  }
  constexpr void put_part_type(std::size_t i) {
    put_name(out_, name_, true);
    put_numbered(out_, "_part_", number_of_scope(nodes_, i));
  }
  constexpr void put_id(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    if (r.slice && begins_word(nodes_, i) && putting_word_) {
      base::put_word(i);
    } else if (const std::string_view name = memberless_name(r); !name.empty()) {
      base::put_free(name, base::rows_before(
                               i, [](const layout_row& b) { return !memberless_name(b).empty(); }));
    } else {
      base::put_field_name(i);
    }
  }

  constexpr void put_row(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    if (reads(r) == read_as::prefixed && said(r).empty()) put_length(i);
    say("      - id: ");
    putting_word_ = true;
    put_id(i);
    putting_word_ = false;
    say("\n");
    if (const std::string_view lines = said(r); !lines.empty()) {
      say(lines);
    } else if (const layout_values* v = r.values; is_bytes_constant(r) || is_reserved(r)) {
      say("        contents: [");
      for (std::size_t k = 0; k < r.size; ++k) {
        if (k != 0) say(", ");
        put(out_, is_reserved(r) ? 0 : static_cast<unsigned char>(v->chars[k]));
      }
      say("]\n");
    } else {
      put_content(i);
      if (r.slice)
        put_constant_slices(i);
      else if (v != nullptr)
        put_valid(r, *v);
    }
    put_if(i);
    if (reads(r) == read_as::both_orders) put_big(i);
  }
  // Writes the condition under which the node is present in its scope.
  constexpr void put_if(std::size_t i) {
    const expression_words words{" and ", "not ", " or "};
    bool some = false;
    const auto next = [&] { say(some ? " and " : "        if: "), some = true; };
    if (is_part(nodes_, i, part_of::if_left)) next(), say("not _io.eof");
    const std::size_t scope = scope_of(nodes_, i);
    for (std::size_t p = part_around(nodes_, i); p != scope; p = part_around(nodes_, p)) {
      if (is_part(nodes_, p, part_of::choice)) continue;
      next();
      say("(");
      put_condition(out_, words, nodes_, p, [&](std::size_t to) { refer(to, i); });
      say(")");
    }
    if (some) say("\n");
  }

  // Writes a reference from node `from` to the value of the member at node `to`. The reference
  // first leaves the parts around `from`, and then enters the parts around `to`.
  constexpr void refer(std::size_t to, std::size_t from) {
    const layout_row& r = nodes_[to].row;
    const read_as as = reads(r);
    if (as == read_as::zigzag) {
      say("((");
      path(to, from);
      say(".value >> 1) ^ -(");
      path(to, from);
      return say(".value & 1))");
    }
    path(to, from);
    if (!r.slice) put_value_of(as);
  }
  // Writes the suffix that makes a number of a type in Kaitai's library an integer.
  constexpr void put_value_of(read_as as) {
    if (as == read_as::sleb128) say(".value_signed");
    if (as == read_as::uleb128 || as == read_as::vlq) say(".value");
  }

 private:
  bool putting_word_ = false;

  static constexpr bool is_bytes_constant(const layout_row& r) noexcept {
    if (r.values == nullptr || r.values->chars.data() == nullptr) return false;
    const row_type t = type_of(r);
    return r.size == r.values->chars.size() && (is_literal(r) || (t.array && t.size == 1));
  }

  constexpr bool lies_in(std::size_t i, std::size_t scope) const {
    return scope == nowhere || (scope < i && i < end_of_part(nodes_, scope));
  }
  constexpr void path(std::size_t to, std::size_t from) {
    std::size_t scope = scope_of(nodes_, from);
    for (; !lies_in(to, scope); scope = scope_of(nodes_, scope)) say("_parent.");
    put_scopes(scope, scope_of(nodes_, to));
    put_id(to);
  }
  constexpr void put_scopes(std::size_t outer, std::size_t inner) {
    if (inner == outer) return;
    put_scopes(outer, scope_of(nodes_, inner));
    base::put_free("part_", number_of_scope(nodes_, inner));
    say(".");
  }

  constexpr void put_type(const layout_row& r, order o) {
    const row_type t = type_of(r);
    if (is_usual(t)) {
      say(t.kind == 'i' ? "s" : t.kind == 'f' ? "f" : "u");
      put(out_, t.size);
      if (t.size > 1) say(o == order::big ? "be" : "le");
    } else {
      put_numbered(out_, "b", 8 * t.size);
      say(o == order::big ? "be" : "le");
    }
  }
  // Writes the type of one element: a number such as "type: u4le", a record type, or a
  // variable-length integer.
  constexpr void put_element_type(std::size_t i, const layout_row& r) {
    say("        type: ");
    const node_span element = record_element(r);
    if (!element.empty()) {
      put_name(out_, name_, true);
      say("_");
      put_id(i);
    } else {
      put_number_type(base::element_of(r));
    }
    say("\n");
  }
  constexpr void put_number_type(const layout_row& r) {
    switch (reads(r)) {
      case read_as::uleb128:
      case read_as::sleb128:
      case read_as::zigzag:
        return say("vlq_base128_le");
      case read_as::vlq:
        return say("vlq_base128_be");
      default:
        put_type(r, r.byte_order);
    }
  }
  constexpr void put_length(std::size_t i) {
    say("      - id: ");
    base::put_derived_name(i, "_length");
    say("\n        type: ");
    put_number_type(nodes_[i].row.how->prefix()[0].row);
    say("\n");
    put_if(i);
  }
  // Writes the length that precedes the elements, as an expression.
  constexpr void put_length_value(std::size_t i) {
    base::put_derived_name(i, "_length");
    put_value_of(reads(nodes_[i].row.how->prefix()[0].row));
  }
  constexpr void put_big(std::size_t i) {
    say("      - id: ");
    base::put_derived_name(i, "_big");
    say("\n        type: ");
    put_type(nodes_[i].row, order::big);
    say("\n        valid: ");
    put_id(i);
    say("\n");
    put_if(i);
  }
  constexpr void repeat(std::string_view how) {
    say("        repeat: ");
    say(how);
    say("\n");
  }
  constexpr void repeat_as_often(std::size_t to, std::size_t from) {
    repeat("expr");
    say("        repeat-expr: ");
    refer(to, from);
    say("\n");
  }
  constexpr void put_bytes(std::size_t n) {
    say("        size: ");
    put(out_, n);
    say("\n");
  }

  constexpr void put_content(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    const row_type t = type_of(r);
    const bool one_byte = !t.bytes && t.size == 1;
    switch (reads(r)) {
      case read_as::uleb128:
      case read_as::sleb128:
      case read_as::zigzag:
      case read_as::vlq:
        say("        type: ");
        put_number_type(r);
        return say(reads(r) == read_as::zigzag ? "  # zigzag\n" : "\n");
      case read_as::terminated:
        if (one_byte) {
          say("        terminator: ");
          put(out_, r.how->number & 0xff);
          return say("\n");
        }
        put_element_type(i, r);
        repeat("until");
        say("        repeat-until: _ == ");
        put(out_, r.how->number);
        return say("\n");
      case read_as::prefixed:
        if (one_byte && record_element(r).empty()) {
          say("        size: ");
          put_length_value(i);
          return say("\n");
        }
        put_element_type(i, r);
        repeat("expr");
        say("        repeat-expr: ");
        put_length_value(i);
        return say("\n");
      case read_as::padded:
        if (!one_byte) return put_plain(i);
        put_bytes(r.size);
        say("        pad-right: ");
        put(out_, r.how->number & 0xff);
        return say("\n");
      case read_as::digits:
        say("        type: str\n");
        put_bytes(r.size);
        return say("        encoding: ASCII\n"), comment(r.type.view());
      case read_as::digits_until:
        say("        type: str\n        terminator: ");
        put(out_, static_cast<unsigned char>(r.how->end));
        return say("\n        encoding: ASCII\n"), comment(r.type.view());
      case read_as::list:
        return put_list(i);
      case read_as::strided:
        say("        size: ");
        refer(find(i, r.how->stride), i);
        say("\n");
        if (!record_element(r).empty()) put_element_type(i, r);
        return repeat_as_often(find(i, r.how->count), i);
      case read_as::rest:
        if (one_byte && record_element(r).empty()) return say("        size-eos: true\n");
        put_element_type(i, r);
        return repeat("eos");
      case read_as::skipped:
        return say("        size-eos: true\n");
      case read_as::align:
        return put_align(i);
      default:
        return put_plain(i);
    }
  }
  constexpr void put_plain(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    const row_type t = type_of(r);
    const node_span element = record_element(r);
    if (r.counted) {
      put_element_type(i, r);
      return repeat_as_often(find(i, r.count.view()), i);
    }
    if (!element.empty()) {
      put_element_type(i, r);
      repeat("expr");
      say("        repeat-expr: ");
      put(out_, r.size / size_of_record(element));
      return say("\n");
    }
    // The row is a record, padding, or a number that Kaitai does not support.
    if (!r.slice && !is_kaitai_number(r)) {
      put_bytes(r.size);
      if (!t.bytes || r.type.length != 0) comment(r.type.view(), r);
      return;
    }
    say("        type: ");
    put_type(r, r.byte_order);
    say("\n");
    if (!t.array) return;
    repeat("expr");
    say("        repeat-expr: ");
    put(out_, t.count);
    say("\n");
  }
  constexpr void put_list(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    const layout_how& h = *r.how;
    put_element_type(i, r);
    if (h.ends == list_ends::at_end) return repeat("eos");
    if (h.ends == list_ends::counted) return repeat_as_often(find(i, h.count), i);
    repeat("until");
    say("        repeat-until: _.");
    const node_span element = h.element();
    const std::size_t last = find_number(element, element.size(), {}, h.last->member);
    kaitai_rows inner(out_, name_, element, {});
    inner.put_scopes(nowhere, scope_of(element, last));
    inner.put_id(last);
    inner.put_value_of(reads(element[last].row));
    if (h.last->what == part_of::since) {
      say(" >= ");
      say(h.last->value.view());
    } else {
      say(" != 0");
    }
    say("\n");
  }
  // Writes padding up to a multiple of `n` bytes, counted from the beginning of the record or of
  // the innermost part with a size.
  constexpr void put_align(std::size_t i) {
    const std::size_t n = static_cast<std::size_t>(nodes_[i].row.how->number);
    say("        size: (");
    put(out_, n);
    say(" - (_io.pos");
    if (limit_of(i) == nowhere) {
      say(" - ");
      for (std::size_t p = scope_of(nodes_, i); p != nowhere; p = scope_of(nodes_, p))
        say("_parent.");
      say("record_begin");
    }
    say(") % ");
    put(out_, n);
    say(") % ");
    put(out_, n);
    say("\n");
  }

  constexpr void comment(std::string_view s) {
    say("        # ");
    say(s);
    say("\n");
  }
  constexpr void comment(std::string_view s, const layout_row& r) {
    say("        # ");
    say(s);
    if (r.has_order) say(", "), put_order(out_, r);
    say("\n");
  }
  // Writes a comment that lists the slices with restricted values. Slices are instances, whose
  // values Kaitai cannot restrict.
  constexpr void put_constant_slices(std::size_t i) {
    bool any = nodes_[i].row.values != nullptr;
    for (std::size_t k = i + 1; k < nodes_.size() && goes_on_word(nodes_, k); ++k)
      any = any || nodes_[k].row.values != nullptr;
    if (!any) return;
    say("        # ");
    put_slices(out_, nodes_, i);
    say("\n");
  }
  constexpr void put_valid(const layout_row& r, const layout_values& v) {
    const read_as as = reads(r);
    const row_type t = type_of(r);
    const bool number =
        !v.numbers.empty() && !t.array &&
        (as == read_as::both_orders || (as == read_as::type && is_kaitai_number(r)));
    if (!number) {
      say("        # is ");
      put_values(out_, v);
      return say("\n");
    }
    say("        valid:");
    if (v.are == values_are::constant) {
      say(" ");
      say(v.numbers[0].view());
    } else if (v.are == values_are::range) {
      say("\n          min: ");
      say(v.numbers[0].view());
      say("\n          max: ");
      say(v.numbers[1].view());
    } else {
      say("\n          any-of: [");
      for (std::size_t i = 0; i < v.numbers.size(); ++i) {
        if (i != 0) say(", ");
        say(v.numbers[i].view());
      }
      say("]");
    }
    say("\n");
  }
  template <class> friend class kaitai_rows;
};

}  // namespace tracecodec::emit::detail
