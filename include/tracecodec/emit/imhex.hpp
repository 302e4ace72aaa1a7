// Prints a layout as a struct in ImHex's pattern language.
#pragma once
#include "engine/emitter.hpp"

namespace tracecodec::emit {

namespace detail {
// Determines which nodes of a description ImHex can express.
class imhex_says : protected sayable<imhex_says> {
  friend sayable;

 public:
  constexpr explicit imhex_says(node_span nodes) noexcept : sayable(nodes) {}
  constexpr bool whole() const { return stop() == nodes_.size(); }

 protected:
  static constexpr bool lower_case = false;
  // Returns the first node that cannot be expressed, or the number of nodes.
  constexpr std::size_t stop() const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is == layout_node::ends) continue;
      if (nodes_[i].is == layout_node::row_of ? !can_say(i) : has_rows(nodes_, i) && !accepts(i))
        return i;
    }
    return nodes_.size();
  }
  constexpr std::size_t find(std::size_t i, std::string_view member) const {
    const std::size_t at = number_before(i, member);
    return at != nowhere && has_value(at) ? at : nowhere;
  }

 private:
  constexpr bool has_value(std::size_t i) const {
    return reads(nodes_[i].row) != read_as::zigzag && namesakes_before(nodes_, i) == 0;
  }
  // Returns true if the condition of the part at `i` can be expressed.
  constexpr bool accepts(std::size_t i) const {
    if (!is_plain_condition(nodes_, i)) return false;
    const layout_part& p = *nodes_[i].part;
    if (p.what == part_of::on || p.what == part_of::otherwise)
      return has_value(find_tag(nodes_, i));
    return p.what == part_of::if_left || p.what == part_of::choice || is_there(i, p.member);
  }
  static constexpr bool is_whole(node_span element) { return imhex_says(element).whole(); }
  static constexpr bool is_varying(const layout_row& number) {
    return reads(number) == read_as::uleb128 || reads(number) == read_as::sleb128;
  }
  static constexpr bool is_length(const layout_row& number) {
    return reads(number) == read_as::uleb128 ||
           (reads(number) == read_as::type && is_number(number));
  }
  static constexpr bool is_terminator(const layout_row&, const row_type&) { return true; }
  static constexpr bool can_list_until(const layout_row&) { return false; }
  static constexpr bool can_align(std::size_t) { return true; }
  constexpr bool can_read_otherwise(std::size_t i) const {
    const read_as as = reads(nodes_[i].row);
    return as != read_as::vlq && as != read_as::strided && as != read_as::digits_until;
  }
};

template <class Out> class imhex_writer : emitter<Out, imhex_says> {
  using base = emitter<Out, imhex_says>;
  using base::find, base::limit_of, base::say, base::stop;
  using base::name_, base::nodes_, base::out_;

 public:
  constexpr imhex_writer(Out& out, std::string_view name, node_span nodes) noexcept
      : base(out, name, nodes) {}

  constexpr void write() {
    each_record_element(name_, nodes_, [&](std::string_view inner, node_span element) {
      imhex_writer(out_, inner, element).write();
      say("\n");
    });
    say("struct ");
    say(name_);
    say(" {\n");
    body();
    say("};\n");
  }

 private:
  constexpr void indent(std::size_t depth) const {
    for (std::size_t i = 0; i <= depth; ++i) say("  ");
  }

  constexpr void body() {
    const std::size_t end = stop();
    std::size_t depth = 0;
    for (std::size_t i = 0; i < end; ++i) {
      if (nodes_[i].is == layout_node::row_of) {
        if (!goes_on_word(nodes_, i)) put_row(i, depth);
      } else if (nodes_[i].is == layout_node::begins) {
        if (!has_rows(nodes_, i)) {
          i = end_of_part(nodes_, i);
        } else if (is_block(i)) {
          begin_block(i, depth++);
        } else if (is_part(nodes_, i, part_of::sized)) {
          begin_sized(i, depth);
        }
      } else if (is_block(begin_of(i))) {
        indent(--depth);
        say("}\n");
      }
    }
    if (end != nodes_.size()) {
      indent(depth);
      say("// then ");
      put_name(out_, first_name(nodes_, end));
      say(", which fields alone cannot describe\n");
    }
    while (depth != 0) indent(--depth), say("}\n");
  }
  constexpr std::size_t begin_of(std::size_t end) const {
    std::size_t i = end;
    while (nodes_[i].is != layout_node::begins || end_of_part(nodes_, i) != end) --i;
    return i;
  }
  constexpr bool is_block(std::size_t i) const {
    return !is_part(nodes_, i, part_of::sized) && !is_part(nodes_, i, part_of::choice);
  }

  constexpr void refer(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    if (!r.slice) return base::put_field_name(i);
    say("(");
    base::put_word(i);
    say(" >> ");
    put(out_, r.low_bit);
    say(" & ");
    put_mask(out_, r.high_bit - r.low_bit + 1);
    say(")");
  }
  constexpr void put_limit(std::size_t part, std::string_view which) {
    base::put_free("part_", number_of_scope(nodes_, part));
    say(which);
  }
  constexpr void begin_block(std::size_t i, std::size_t depth) {
    indent(depth);
    say("if (");
    if (is_part(nodes_, i, part_of::if_left)) {
      put_while_left(i);
    } else {
      put_condition(out_, {" && ", "!", " || "}, nodes_, i, [&](std::size_t to) { refer(to); });
    }
    say(") {\n");
  }
  constexpr void begin_sized(std::size_t i, std::size_t depth) {
    indent(depth);
    say("u64 ");
    put_limit(i, "_begin = $;\n");
    indent(depth);
    say("u64 ");
    put_limit(i, "_end = $ + ");
    refer(find(i, nodes_[i].part->member));
    say(";\n");
  }
  // Writes a test for remaining bytes: `$ < part_0_end` inside a part with a size, and
  // `!std::mem::eof()` elsewhere.
  constexpr void put_while_left(std::size_t i) {
    const std::size_t limit = limit_of(i);
    if (limit == nowhere) return say("!std::mem::eof()");
    say("$ < ");
    put_limit(limit, "_end");
  }

  constexpr void put_type(const row_type& t, bool big) {
    if (t.size > 1) say(big ? "be " : "le ");
    if (t.kind == 'f') return say(t.size == 4 ? "float " : "double ");
    say(t.kind == 'i' ? "s" : "u");
    put(out_, 8 * t.size);
    say(" ");
  }
  static constexpr bool has_number(const row_type& t) noexcept {
    return is_usual(t) ||
           (!t.bytes && t.kind != 'f' && (t.size == 3 || t.size == 6 || t.size == 16));
  }
  constexpr void put_element_type(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    if (!record_element(r).empty()) {
      say(name_);
      say("_");
      put_id(i);
      return say(" ");
    }
    put_number_type(base::element_of(r));
  }
  constexpr void put_number_type(const layout_row& r) {
    if (reads(r) == read_as::uleb128 || reads(r) == read_as::zigzag) return say("type::uLEB128 ");
    if (reads(r) == read_as::sleb128) return say("type::sLEB128 ");
    put_type(type_of(r), r.byte_order == order::big);
  }
  constexpr void put_id(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    if (r.slice) return base::put_word(i);
    if (is_literal(r)) return base::put_free("literal_", base::rows_before(i, is_literal));
    if (is_reserved(r)) return base::put_free("reserved_", base::rows_before(i, is_reserved));
    base::put_field_name(i);
  }

  constexpr void put_row(std::size_t i, std::size_t depth) {
    const layout_row& r = nodes_[i].row;
    indent(depth);
    if (reads(r) == read_as::prefixed) {
      put_number_type(r.how->prefix()[0].row);
      base::put_derived_name(i, "_length");
      say(";\n");
      indent(depth);
    }
    put_field(i);
    say(";");
    put_comment(i);
    say("\n");
    if (reads(r) == read_as::both_orders) {
      indent(depth);
      put_type(type_of(r), true);
      base::put_derived_name(i, "_big");
      say(";\n");
    }
    if (reads(r) == read_as::terminated) {
      indent(depth);
      say("padding[");
      put(out_, type_of(r).size);
      say("];\n");
    }
  }
  constexpr void put_field(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    switch (reads(r)) {
      case read_as::uleb128:
      case read_as::sleb128:
      case read_as::zigzag:
        return put_number_type(r), put_id(i);
      case read_as::terminated:
        put_element_type(i), put_id(i);
        say("[while(std::mem::read_unsigned($, ");
        put(out_, type_of(r).size);
        if (type_of(r).size > 1)
          say(r.byte_order == order::big ? ", std::mem::Endian::Big"
                                         : ", std::mem::Endian::Little");
        say(") != ");
        put(out_, static_cast<std::size_t>(r.how->number));
        return say(")]");
      case read_as::prefixed:
        put_element_type(i), put_id(i);
        say("[");
        base::put_derived_name(i, "_length");
        return say("]");
      case read_as::list:
        put_element_type(i), put_id(i);
        if (r.how->ends == list_ends::counted) return put_times(find(i, r.how->count));
        return put_to_end(i);
      case read_as::rest:
        put_element_type(i), put_id(i);
        return put_to_end(i);
      case read_as::skipped:
        say("padding");
        return put_to_end(i);
      case read_as::align:
        return put_align(i);
      case read_as::digits:
        say("char ");
        put_id(i);
        return put_number_of(r.size);
      case read_as::both_orders:
        put_type(type_of(r), false);
        return put_id(i);
      default:
        return put_plain(i);
    }
  }
  constexpr void put_plain(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    const row_type t = type_of(r);
    if (is_padding(r) && !r.slice) {
      say("padding");
      return put_number_of(r.size);
    }
    if (r.counted) {
      put_element_type(i), put_id(i);
      return put_times(find(i, r.count.view()));
    }
    if (reads(r) == read_as::type && !record_element(r).empty()) {
      put_element_type(i), put_id(i);
      return put_number_of(r.size / size_of_record(record_element(r)));
    }
    const bool number = has_number(t);
    if (number)
      put_type(t, r.byte_order == order::big);
    else
      say("u8 ");
    put_id(i);
    if (!r.slice && (t.array || !number)) put_number_of(number ? t.count : r.size);
  }
  constexpr void put_number_of(std::size_t n) {
    say("[");
    put(out_, n);
    say("]");
  }
  constexpr void put_times(std::size_t count) {
    say("[");
    refer(count);
    say("]");
  }
  constexpr void put_to_end(std::size_t i) {
    say("[while(");
    put_while_left(i);
    say(")]");
  }
  constexpr void put_align(std::size_t i) {
    const auto n = static_cast<std::size_t>(nodes_[i].row.how->number);
    say("padding[(");
    put(out_, n);
    say(" - ($ - ");
    const std::size_t limit = limit_of(i);
    if (limit == nowhere || !nodes_[i].row.how->from_part)
      say("addressof(this)");
    else
      put_limit(limit, "_begin");
    say(") % ");
    put(out_, n);
    say(") % ");
    put(out_, n);
    say("]");
  }
  constexpr void put_comment(std::size_t i) {
    const layout_row& r = nodes_[i].row;
    const row_type t = type_of(r);
    const bool typed = (reads(r) == read_as::type && !r.slice && !has_number(t) &&
                        r.type.length != 0 && record_element(r).empty() && !r.counted) ||
                       reads(r) == read_as::digits || reads(r) == read_as::zigzag;
    const bool valued = r.values != nullptr && !r.slice;
    if (!r.slice && !typed && !valued && reads(r) != read_as::padded) return;
    say("  // ");
    if (typed) {
      say(r.type.view());
      if (r.has_order) say(", "), put_order(out_, r);
    }
    if (reads(r) == read_as::padded) put_numbered(out_, "padded with ", r.how->number);
    if (valued) say(typed ? ", is " : "is "), put_values(out_, *r.values);
    if (r.slice) put_slices(out_, nodes_, i);
  }
};
}  // namespace detail

// Calls out(std::string_view) with successive pieces of the struct, after the structs for elements
// of lists. The struct needs std.mem and type.leb128.
// - A word of bit slices is one field, such as bits_0, whose comment lists the bits.
// - Conditions and counts are expressions that use members.
// - The struct ends before the first row that ImHex cannot express. A comment names that row.
template <class Out> constexpr void print_imhex(std::string_view name,
                                                std::span<const wire::layout_node> nodes,
                                                Out&& out) {
  detail::imhex_writer(out, name, nodes).write();
}

}  // namespace tracecodec::emit
