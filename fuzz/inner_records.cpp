// Tests records that contain records of their own kind (wire::inner): boxes with a size, and nodes
// of several kinds, which contain nodes and boxes. Bit 0 of the first byte selects one of them. If
// bit 1 is set, the other bytes are also truncated at every byte. The readers here share no code
// with the library. They predict the value and the number of bytes used, or the error with its
// field, offset and path.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "target.hpp"
#include "tracecodec/wire.hpp"

namespace fuzz::inner_records {
namespace wire = tracecodec::wire;
using wire::errc;

// A box contains boxes or text. At most 4 boxes are inside one another.
struct box_codec;
struct box {
  std::uint8_t kind;
  std::uint16_t size;
  wire::list_view<wire::inner<box, box_codec, 4>> boxes;
  wire::array_view<wire::character> text;
};
struct box_codec
    : wire::record<
          wire::fields<wire::field<&box::kind>,
                       wire::sized<wire::prefix<&box::size>,
                                   wire::choice<&box::kind, wire::on<0, wire::list<&box::boxes>>,
                                                wire::on<1, wire::rest<&box::text>>>>>> {};
constexpr std::size_t deepest_box = 4;

// A node begins with its kind in 3 bits, and a count in 5 bits. At most 3 nodes are inside one
// another. Boxes in a node are counted separately.
struct node_codec;
struct node {
  std::uint8_t kind, count;
  std::uint16_t value;
  wire::array_view<wire::character> text;
  wire::list_view<wire::inner<node, node_codec, 3>> nodes, up_to_end;
  wire::list_view<wire::inner<box, box_codec, 2>> boxes;
  constexpr bool is_end() const { return kind == 7; }
};
struct node_codec
    : wire::record<wire::fields<
          wire::bit_slices<std::uint8_t, wire::bits<&node::kind, 3>, wire::bits<&node::count, 5>>,
          wire::choice<&node::kind, wire::on<0, wire::leb128<&node::value>>,
                       wire::on<1, wire::counted<&node::text, &node::count>>,
                       wire::on<2, wire::list<&node::nodes, wire::times<&node::count>>>,
                       wire::on<3, wire::list<&node::up_to_end, wire::until<&node::is_end>>>,
                       wire::on<4, wire::list<&node::boxes, wire::times<&node::count>>>,
                       wire::on<7, wire::literal<"!">>>>> {};
constexpr std::size_t deepest_node = 3;

struct flaw {
  errc error;
  std::size_t at;
  std::string_view field;
  std::string path = {};  // path of the field through the lists
};
// Reads bytes by hand. `pos` moves, and `text` describes what was read.
struct by_hand {
  view in;
  std::size_t pos = 0;
  std::string text = {};
  std::optional<flaw> failed = {};

  bool fail(errc e, std::size_t at, std::string_view field) {
    failed = flaw{e, at, field, std::string(field)};
    return false;
  }
  // Reports element `n` of a list, which is inside too many others.
  bool fail_at_limit(std::string_view list, std::size_t n) {
    fail(errc::malformed, pos, list);
    failed->path += "[" + std::to_string(n) + "]";
    return false;
  }
  // Reports that element `n` of a list has failed.
  bool fail_inside(std::string_view list, std::size_t n) {
    failed->path = std::string(list) + "[" + std::to_string(n) + "]." + failed->path;
    return false;
  }
  unsigned byte(std::size_t at) const { return std::to_integer<unsigned>(in[at]); }

  // Reads the box at `pos`, which ends at `end` at the latest, and is inside `depth` other boxes.
  bool read_box(std::size_t end, std::size_t depth) {
    const std::size_t begin = pos;
    if (end - begin < 3)
      return fail(errc::truncated, begin == end ? begin : begin + 1,
                  begin == end ? "kind" : "size");
    const unsigned kind = byte(begin);
    const std::size_t size = byte(begin + 1) | byte(begin + 2) << 8, left = end - begin - 3;
    const bool whole = size <= left;
    const std::size_t part_end = begin + 3 + (whole ? size : left);
    pos = begin + 3;
    text += "box(";
    if (kind > 1) return fail(errc::invalid_value, begin, "kind");
    if (kind == 0) {
      for (std::size_t n = 0; pos != part_end; ++n) {
        if (depth == deepest_box) return fail_at_limit("boxes", n);
        if (!read_box(part_end, depth + 1)) {
          if (whole && failed->error == errc::truncated) failed->error = errc::wrong_size;
          return fail_inside("boxes", n);
        }
      }
    } else {
      text += text_of(in.subspan(pos, part_end - pos));
      pos = part_end;
    }
    if (!whole) return fail(errc::truncated, begin + 3, kind == 0 ? "boxes" : "text");
    text += ")";
    return true;
  }
  bool read_node(std::size_t depth) {
    const std::size_t begin = pos, end = in.size();
    if (begin == end) return fail(errc::truncated, begin, "kind");
    const unsigned kind = byte(begin) >> 5, count = byte(begin) & 31U;
    pos = begin + 1;
    text += "node" + std::to_string(kind) + "(";
    switch (kind) {
      case 0: {
        unsigned v = 0;
        for (std::size_t n = 0;; ++n) {
          if (pos == end) return fail(errc::truncated, begin + 1, "value");
          const unsigned b = byte(pos++);
          if (n == 2 && b > 3) return fail(errc::malformed, begin + 1, "value");
          v |= (b & 127U) << 7 * n;
          if (b < 128) break;
        }
        text += std::to_string(v);
        break;
      }
      case 1:
        if (end - pos < count) return fail(errc::truncated, pos, "text");
        text += text_of(in.subspan(pos, count));
        pos += count;
        break;
      case 2:
        for (unsigned n = 0; n < count; ++n) {
          if (pos == end) return fail(errc::truncated, pos, "nodes");
          if (depth == deepest_node) return fail_at_limit("nodes", n);
          if (!read_node(depth + 1)) return fail_inside("nodes", n);
        }
        break;
      case 3:
        for (std::size_t n = 0, done = 0; done == 0; ++n) {
          if (pos == end) return fail(errc::truncated, pos, "up_to_end");
          if (depth == deepest_node) return fail_at_limit("up_to_end", n);
          done = byte(pos) >> 5 == 7;
          if (!read_node(depth + 1)) return fail_inside("up_to_end", n);
        }
        break;
      case 4:
        for (unsigned n = 0; n < count; ++n) {
          if (pos == end) return fail(errc::truncated, pos, "boxes");
          if (!read_box(end, 1)) return fail_inside("boxes", n);
        }
        break;
      case 7:
        if (pos == end) return fail(errc::truncated, pos, "(literal)");
        if (byte(pos) != '!') return fail(errc::invalid_value, pos, "(literal)");
        ++pos;
        break;
      default:
        return fail(errc::invalid_value, begin, "kind");
    }
    text += ")";
    return true;
  }
};

void show(std::string& out, const box& b) {
  out += "box(";
  if (b.kind == 1) out += wire::as_text(b.text);
  if (b.kind == 0)
    for (const box& inside : b.boxes) show(out, inside);
  out += ")";
}
void show(std::string& out, const node& n) {
  out += "node" + std::to_string(n.kind) + "(";
  if (n.kind == 0) out += std::to_string(n.value);
  if (n.kind == 1) out += wire::as_text(n.text);
  if (n.kind == 2)
    for (const node& inside : n.nodes) show(out, inside);
  if (n.kind == 3)
    for (const node& inside : n.up_to_end) show(out, inside);
  if (n.kind == 4)
    for (const box& inside : n.boxes) show(out, inside);
  out += ")";
}

template <class Codec> void compare(view in, const by_hand& want) {
  const bytes exact(in.begin(), in.end());
  typename Codec::value_type s{};
  const wire::result r = Codec::decode(exact, s);
  if (want.failed) {
    const flaw& f = *want.failed;
    const bool same = r.error == f.error && r.used == f.at && r.field == f.field;
    if (!same)
      std::fprintf(
          stderr, "expected error %d at %zu, field %.*s\nfound    error %d at %zu, field %.*s\n",
          static_cast<int>(f.error), f.at, static_cast<int>(f.field.size()), f.field.data(),
          static_cast<int>(r.error), r.used, static_cast<int>(r.field.size()), r.field.data());
    require(same, "the error is at the predicted field and offset");
    require(Codec::path(exact).view() == f.path, "the path leads to the field");
    return;
  }
  require(bool(r) && r.used == want.pos, "a sound record is read to its end");
  std::string text;
  show(text, s);
  require(text == want.text, "its value is as predicted");
  require(Codec::skip(exact).used == r.used, "the skipped size is the same");

  bytes again(Codec::extent(s));
  require(Codec::encode(s, again).used == again.size(), "what was read is written");
  typename Codec::value_type t{};
  require(Codec::decode(again, t).used == again.size(), "and is read again");
  std::string other;
  show(other, t);
  require(other == text, "as the same value");
  for (std::size_t n = 0; n < again.size(); n += 1 + n / 16) {
    bytes small(n);
    require(Codec::encode(s, small).error == errc::no_space, "no space is an error");
  }
}
void check(view in, bool boxes) {
  by_hand want{in};
  if (boxes) {
    want.read_box(in.size(), 0);
    compare<box_codec>(in, want);
  } else {
    want.read_node(0);
    compare<node_codec>(in, want);
  }
}

void run(view in) {
  const unsigned how = take_byte(in);
  check(in, (how & 1U) != 0);
  if ((how & 2U) != 0)
    for (std::size_t n = std::min<std::size_t>(in.size(), 96); n-- > 0;)
      check(in.first(n), (how & 1U) != 0);
}
const target registered("inner_records", run);
}  // namespace fuzz::inner_records
