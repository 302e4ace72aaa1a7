// Prints a layout as JSON.
#pragma once
#include "engine/nodes.hpp"

namespace tracecodec::emit {

namespace detail {
template <class Out> class json_writer {
 public:
  constexpr explicit json_writer(Out& out) noexcept : out_(out) {}

  constexpr void fields(node_span nodes) {
    say("[");
    bool first = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is != layout_node::row_of) continue;
      say(first ? "\n  " : ",\n  ");
      first = false;
      field(nodes, i);
    }
    say("]");
  }
  constexpr void quoted(std::string_view s) {
    say("\"");
    for (const char& c : s) {
      const auto u = static_cast<unsigned char>(c);
      if (u >= ' ' && u <= '~' && c != '"' && c != '\\') {
        say({&c, 1});
        continue;
      }
      say("\\u00");
      say(digits.substr(u >> 4, 1));
      say(digits.substr(u & 0xf, 1));
    }
    say("\"");
  }

 private:
  static constexpr std::string_view digits = "0123456789abcdef";
  constexpr void say(std::string_view s) { out_(s); }
  constexpr void member(std::string_view key) {
    say(", \"");
    say(key);
    say("\": ");
  }
  constexpr void member(std::string_view key, std::string_view value) {
    member(key);
    quoted(value);
  }
  constexpr void number(std::string_view key, std::uint64_t value) {
    member(key);
    put(out_, value);
  }
  constexpr void is_true(std::string_view key) {
    member(key);
    say("true");
  }

  constexpr void field(node_span nodes, std::size_t i) {
    const layout_row& r = nodes[i].row;
    say("{\"name\": ");
    quoted(r.name.view());
    member("offset");
    if (r.variable_offset)
      say("null");
    else
      put(out_, r.offset);
    member("size");
    if (r.variable_length)
      say("null");
    else
      put(out_, r.size);
    if (r.variable_length) member("sizes", r.count.view());
    if (r.type.length != 0) member("type", r.type.view());
    if (r.has_order) member("order", r.byte_order == order::big ? "big" : "little");
    if (r.slice) {
      number("high_bit", r.high_bit);
      number("low_bit", r.low_bit);
    }
    if (r.counted) member("count", r.count.view());
    if (r.how != nullptr) how(*r.how);
    if (r.values != nullptr) values(*r.values);
    if (r.conditional) is_true("conditional");
    parts(nodes, i);
    say("}");
  }

  constexpr void how(const layout_how& h) {
    constexpr std::string_view names[] = {"",       "uleb128",     "sleb128",  "zigzag",
                                          "vlq",    "terminated",  "prefixed", "padded",
                                          "digits", "both orders", "list",     "strided",
                                          "rest",   "skipped",     "align",    "digits until"};
    if (h.as != read_as::type) member("read_as", names[static_cast<std::size_t>(h.as)]);
    if (h.as == read_as::terminated) number("terminator", h.number);
    if (h.as == read_as::padded) number("fill", h.number);
    if (h.as == read_as::digits || h.as == read_as::digits_until) number("base", h.number);
    if (h.as == read_as::digits_until) number("terminator", static_cast<unsigned char>(h.end));
    if (h.as == read_as::align) number("multiple_of", h.number);
    if (h.as == read_as::align) member("from", h.from_part ? "part" : "record");
    if (h.as == read_as::strided) member("stride", by_expression(h.stride));
    if (h.as == read_as::list) list(h);
    if (h.prefix != nullptr) member("prefix"), fields(h.prefix());
    if (h.element == nullptr) return;
    const node_span element = h.element();
    if (!is_plain_element(element) || element[0].row.how != nullptr || h.as == read_as::list)
      member("element"), fields(element);
  }
  constexpr void list(const layout_how& h) {
    if (h.ends == list_ends::counted) member("count", by_expression(h.count));
    if (h.ends == list_ends::at_end) is_true("to_end");
    if (h.ends == list_ends::until) member("until"), condition(*h.last);
  }
  static constexpr std::string_view by_expression(std::string_view name) noexcept {
    return name.empty() ? std::string_view("computed") : name;
  }

  constexpr void values(const layout_values& v) {
    if (v.are == values_are::computed) return is_true("computed");
    if (v.are == values_are::relative) return member("relative_to", by_expression(v.base));
    if (v.chars.data() != nullptr) return member("constant", v.chars);
    if (!v.texts.empty()) return member("one_of"), texts(v.texts);
    if (v.numbers.empty()) return is_true("restricted");
    if (v.are == values_are::constant) return member("constant"), say(v.numbers[0].view());
    if (v.are == values_are::range) {
      member("minimum"), say(v.numbers[0].view());
      member("maximum"), say(v.numbers[1].view());
      return;
    }
    member("one_of");
    numbers(v.numbers);
  }
  constexpr void texts(std::span<const std::string_view> all) {
    say("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != 0) say(", ");
      quoted(all[i]);
    }
    say("]");
  }
  constexpr void numbers(std::span<const text> all) {
    say("[");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != 0) say(", ");
      say(all[i].view());
    }
    say("]");
  }

  // Writes a condition: {"member": "flag"}, {"member": "version", "minimum": 2} or {"left": true}.
  // Writes null if a function computes the condition.
  constexpr void condition(const layout_part& p) {
    if (p.what == part_of::if_left) return say("{\"left\": true}");
    if (p.member.empty()) return say("null");
    say("{\"member\": ");
    quoted(p.member);
    if (p.what == part_of::since) member("minimum"), say(p.value.view());
    say("}");
  }
  // Writes the condition of an alternative, or null if a function computes the tag. Examples of
  // output:
  //   {"member": "tag", "is": 3}
  //   {"member": "tag", "is": {"minimum": 3, "maximum": 5}}
  //   {"member": "tag", "is": [3, 5]}
  //   {"member": "tag", "is_not": [3, 4]}
  constexpr void alternative(node_span nodes, std::size_t at) {
    const std::size_t choice = part_around(nodes, at);
    const std::string_view tag = nodes[choice].part->member;
    if (tag.empty()) return say("null");
    say("{\"member\": ");
    quoted(tag);
    if (nodes[at].part->what == part_of::on) {
      member("is");
      tag_value(*nodes[at].part);
    } else {
      member("is_not");
      say("[");
      bool first = true;
      for (std::size_t i = choice + 1; i < at; i = end_of_part(nodes, i) + 1)
        for (const layout_part& p : values_of(*nodes[i].part)) {
          if (!first) say(", ");
          first = false;
          tag_value(p);
        }
      say("]");
    }
    say("}");
  }
  constexpr void tag_value(const layout_part& p) {
    if (p.any != nullptr) {
      for (std::size_t i = 0; i < p.values; ++i) say(i == 0 ? "[" : ", "), tag_value(p.any[i]);
      return say("]");
    }
    if (p.chars.data() != nullptr)
      quoted(p.chars);
    else if (p.last.length != 0)
      say("{\"minimum\": "), say(p.value.view()), member("maximum"), say(p.last.view()), say("}");
    else
      say(p.value.length != 0 ? p.value.view() : std::string_view("null"));
  }
  // Writes the properties of a field that depend on the parts around the field. The conditions of
  // these parts become "if", from the innermost to the outermost part. The member that limits the
  // size becomes "sized_by".
  constexpr void parts(node_span nodes, std::size_t i) {
    bool first = true;
    for (std::size_t p = part_around(nodes, i); p != nowhere; p = part_around(nodes, p)) {
      const part_of what = nodes[p].part->what;
      if (what == part_of::sized || what == part_of::choice) continue;
      if (first)
        member("if"), say("[");
      else
        say(", ");
      first = false;
      if (what == part_of::on || what == part_of::otherwise)
        alternative(nodes, p);
      else
        condition(*nodes[p].part);
    }
    if (!first) say("]");
    for (std::size_t p = part_around(nodes, i); p != nowhere; p = part_around(nodes, p))
      if (nodes[p].part->what == part_of::sized)
        return member("sized_by", by_expression(nodes[p].part->member));
  }

  Out& out_;
};
}  // namespace detail

// Calls out(std::string_view) with successive pieces of one JSON object, with one field per line:
//   {"name": "header", "fields": [
//     {"name": "threads", "offset": 0, "size": 2, "type": "i16", "order": "big"}, ...]}
// - "offset" is null after variable-length data. Padding has no "type".
// - A bit slice also has "high_bit" and "low_bit", which are numbered within the word of "size"
//   bytes at "offset". Bit 0 is the least significant.
// - An array whose length is stored in another field has "count".
// - A field that may be absent has "conditional". "if" contains the condition.
// - If the size depends on the bytes, "size" is null, "sizes" describes the possible sizes, and
//   "read_as" is the encoding.
// - "element" is the element type of arrays and lists of records.
// - "constant", "one_of", "minimum" and "maximum" are the valid values. "restricted" means that a
//   function checks the value. "computed" means that the value is computed from the record.
template <class Out> constexpr void print_json(std::string_view name,
                                               std::span<const wire::layout_node> nodes,
                                               Out&& out) {
  detail::json_writer writer(out);
  out(std::string_view("{\"name\": "));
  writer.quoted(name);
  out(std::string_view(", \"fields\": "));
  writer.fields(nodes);
  out(std::string_view("}"));
}

}  // namespace tracecodec::emit
