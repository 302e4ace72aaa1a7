// Entries of a Git index, Protocol Buffers messages and the records of an STF trace, in the
// library's description language and hand-written for speed. decode and encode return the number of
// bytes read or written, or 0 if the span is too short or a value is invalid. skip returns the size
// of a record.
#pragma once
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <tracecodec/wire.hpp>

#include "bytes_by_hand.hpp"

namespace streams {

namespace wire = tracecodec::wire;
using by_hand::bytes_in;
using by_hand::bytes_out;
using by_hand::get;
using by_hand::put;
using by_hand::put_bytes;

// Entry of a Git index, version 2 (Documentation/gitformat-index.txt).
struct entry {
  std::uint32_t changed, changed_ns, modified, modified_ns, device, inode, mode, user, group, size;
  std::array<std::uint8_t, 20> id;
  bool assume_valid, extended;
  std::uint8_t stage;
  std::uint16_t length;
  wire::array_view<wire::character> name;
};
using entry_codec = wire::record<
    wire::fields<
        wire::field<&entry::changed>, wire::field<&entry::changed_ns>,
        wire::field<&entry::modified>, wire::field<&entry::modified_ns>,
        wire::field<&entry::device>, wire::field<&entry::inode>, wire::field<&entry::mode>,
        wire::field<&entry::user>, wire::field<&entry::group>, wire::field<&entry::size>,
        wire::field<&entry::id>,
        wire::bit_slices<std::uint16_t, wire::bits<&entry::assume_valid, 1>,
                         wire::bits<&entry::extended, 1>, wire::bits<&entry::stage, 2>,
                         wire::computed_bits<&entry::length, 12, wire::size_of<&entry::name>>>,
        wire::counted<&entry::name, &entry::length>, wire::padding<1>, wire::align<8>>,
    wire::order::big>;
struct entry_by_hand {
  using value_type = entry;
  static std::uint32_t number(const std::byte* p) noexcept {
    return __builtin_bswap32(get<std::uint32_t>(p));
  }
  static std::size_t padded(std::size_t length) noexcept { return (62 + length + 8) & ~7U; }
  static std::size_t decode(bytes_in in, entry& e) noexcept {
    if (in.size() < 62) return 0;
    const std::byte* const p = in.data();
    e.changed = number(p);
    e.changed_ns = number(p + 4);
    e.modified = number(p + 8);
    e.modified_ns = number(p + 12);
    e.device = number(p + 16);
    e.inode = number(p + 20);
    e.mode = number(p + 24);
    e.user = number(p + 28);
    e.group = number(p + 32);
    e.size = number(p + 36);
    std::memcpy(e.id.data(), p + 40, 20);
    const std::uint16_t flags = __builtin_bswap16(get<std::uint16_t>(p + 60));
    e.assume_valid = flags >> 15 != 0;
    e.extended = (flags >> 14 & 1) != 0;
    e.stage = flags >> 12 & 3;
    e.length = flags & 0xfff;
    const std::size_t n = padded(e.length);
    if (in.size() < n) return 0;
    e.name = wire::array_view<wire::character>(p + 62, e.length);
    return n;
  }
  static std::size_t skip(bytes_in in) noexcept {
    if (in.size() < 62) return 0;
    const std::size_t n = padded(__builtin_bswap16(get<std::uint16_t>(in.data() + 60)) & 0xfffU);
    return in.size() < n ? 0 : n;
  }
  static std::byte* store(std::uint32_t v, std::byte* p) noexcept {
    return put(__builtin_bswap32(v), p);
  }
  static std::size_t encode(const entry& e, bytes_out out) noexcept {
    const std::size_t length = e.name.size();
    if (length > 0xfff || e.stage > 3) return 0;
    const std::size_t n = padded(length);
    if (out.size() < n) return 0;
    std::byte* p = out.data();
    p = store(e.changed, p);
    p = store(e.changed_ns, p);
    p = store(e.modified, p);
    p = store(e.modified_ns, p);
    p = store(e.device, p);
    p = store(e.inode, p);
    p = store(e.mode, p);
    p = store(e.user, p);
    p = store(e.group, p);
    p = store(e.size, p);
    std::memcpy(p, e.id.data(), 20);
    const unsigned flags = (e.assume_valid ? 0x8000U : 0) | (e.extended ? 0x4000U : 0) |
                           static_cast<unsigned>(e.stage << 12) | static_cast<unsigned>(length);
    p = put(__builtin_bswap16(static_cast<std::uint16_t>(flags)), p + 20);
    p = put_bytes(e.name.bytes(), p);
    for (std::byte* const end = out.data() + n; p != end; ++p) *p = std::byte{0};
    return n;
  }
};

// Reads an unsigned LEB128 number. Returns its end, or null if the bytes from `p` to `end` are not
// a number.
template <class T> [[gnu::always_inline]] inline const std::byte* read_number(const std::byte* p,
                                                                              const std::byte* end,
                                                                              T& v) noexcept {
  if (p == end) return nullptr;
  T r = std::to_integer<T>(*p++);
  if (r >= 0x80) {
    r &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
      if (p == end) return nullptr;
      const auto b = std::to_integer<T>(*p++);
      const T low = b & 0x7f;
      if (shift + 7 > 8 * sizeof(T)) [[unlikely]]
        if (b >= 0x80 || low >> (8 * sizeof(T) - shift) != 0) return nullptr;
      r |= low << shift;
      if (b < 0x80) break;
    }
  }
  v = r;
  return p;
}
template <class T> std::size_t size_of_number(T v) noexcept {
  std::size_t n = 1;
  for (; v > 0x7f; v >>= 7) ++n;
  return n;
}
template <class T> std::byte* put_number(T v, std::byte* p) noexcept {
  for (; v > 0x7f; v >>= 7) *p++ = static_cast<std::byte>((v & 0x7f) | 0x80);
  *p++ = static_cast<std::byte>(v);
  return p;
}

// Field of a Protocol Buffers message, and a message after its size.
struct proto_field {
  std::uint32_t key;
  std::uint64_t number, fixed64;
  wire::array_view<wire::u8> bytes;
  std::uint32_t fixed32;
  constexpr unsigned type() const { return key & 7; }
};
using proto_field_codec = wire::record<wire::fields<
    wire::leb128<&proto_field::key>,
    wire::choice<&proto_field::type, wire::on<0, wire::leb128<&proto_field::number>>,
                 wire::on<1, wire::field<&proto_field::fixed64>>,
                 wire::on<2, wire::prefixed<&proto_field::bytes, wire::uleb128_of<std::uint32_t>>>,
                 wire::on<5, wire::field<&proto_field::fixed32>>>>>;
struct proto_field_by_hand {
  using value_type = proto_field;
  [[gnu::always_inline]] static std::size_t decode(bytes_in in, proto_field& f) noexcept {
    const std::byte* p = in.data();
    const std::byte* const end = p + in.size();
    if (p = read_number(p, end, f.key); p == nullptr) return 0;
    switch (f.key & 7) {
      case 0:
        if (p = read_number(p, end, f.number); p == nullptr) return 0;
        break;
      case 1:
        if (end - p < 8) return 0;
        f.fixed64 = get<std::uint64_t>(p);
        p += 8;
        break;
      case 2: {
        std::uint32_t n = 0;
        if (p = read_number(p, end, n); p == nullptr) return 0;
        if (static_cast<std::size_t>(end - p) < n) return 0;
        f.bytes = wire::array_view<wire::u8>(p, n);
        p += n;
        break;
      }
      case 5:
        if (end - p < 4) return 0;
        f.fixed32 = get<std::uint32_t>(p);
        p += 4;
        break;
      default:
        return 0;
    }
    return static_cast<std::size_t>(p - in.data());
  }
  static std::size_t encode(const proto_field& f, bytes_out out) noexcept {
    std::size_t n = size_of_number(f.key);
    const std::uint64_t length = f.bytes.size();
    switch (f.key & 7) {
      case 0:
        n += size_of_number(f.number);
        if (out.size() < n) return 0;
        put_number(f.number, put_number(f.key, out.data()));
        return n;
      case 1:
        n += 8;
        if (out.size() < n) return 0;
        put(f.fixed64, put_number(f.key, out.data()));
        return n;
      case 2:
        if (length > 0xffffffff) return 0;
        n += size_of_number(static_cast<std::uint32_t>(length)) + length;
        if (out.size() < n) return 0;
        put_bytes(f.bytes.bytes(),
                  put_number(static_cast<std::uint32_t>(length), put_number(f.key, out.data())));
        return n;
      case 5:
        n += 4;
        if (out.size() < n) return 0;
        put(f.fixed32, put_number(f.key, out.data()));
        return n;
      default:
        return 0;
    }
  }
};
struct message {
  std::uint32_t size;
  wire::list_view<proto_field_codec> fields;
};
using message_codec = wire::record<
    wire::fields<wire::computed<&message::size, wire::extent_of<wire::sized_by<&message::size>>,
                                wire::uleb128_of<std::uint32_t>>,
                 wire::sized<&message::size, wire::list<&message::fields, wire::to_end>>>>;
struct message_by_hand {
  using value_type = message;
  static std::size_t decode(bytes_in in, message& m) noexcept {
    const std::byte* p = in.data();
    if (p = read_number(p, p + in.size(), m.size); p == nullptr) return 0;
    if (static_cast<std::size_t>(in.data() + in.size() - p) < m.size) return 0;
    const std::byte* const begin = p;
    const std::byte* const end = p + m.size;
    std::size_t n = 0;
    for (; p != end; ++n) {
      proto_field f;
      const std::size_t took = proto_field_by_hand::decode({p, end}, f);
      if (took == 0) return 0;
      p += took;
    }
    m.fields = decltype(m.fields)::of_checked({begin, end}, n, {});
    return static_cast<std::size_t>(end - in.data());
  }
  static std::size_t skip(bytes_in in) noexcept {
    const std::byte* p = in.data();
    std::uint32_t size = 0;
    if (p = read_number(p, p + in.size(), size); p == nullptr) return 0;
    if (static_cast<std::size_t>(in.data() + in.size() - p) < size) return 0;
    return static_cast<std::size_t>(p + size - in.data());
  }
  static std::size_t encode(const message& m, bytes_out out) noexcept {
    const bytes_in fields = m.fields.bytes();
    if (fields.size() > 0xffffffff) return 0;
    const auto size = static_cast<std::uint32_t>(fields.size());
    const std::size_t n = size_of_number(size) + size;
    if (out.size() < n) return 0;
    put_bytes(fields, put_number(size, out.data()));
    return n;
  }
};

// Record of an STF trace (github.com/sparcians/stf_spec): a descriptor of one byte, then a payload.
enum class stf : std::uint8_t {
  comment = 3,
  force_pc = 9,
  end_of_header = 19,
  target = 31,
  operand = 40,
  access = 60,
  content = 61,
  event = 100,
  opcode32 = 240,
  opcode16 = 241
};
struct stf_record {
  stf what;
  wire::array_view<wire::character> comment;
  std::uint64_t pc;
  std::uint16_t reg;
  std::uint8_t kind;
  std::uint64_t value, address;
  std::uint16_t size, attributes;
  std::uint8_t direction;
  std::uint64_t cause;
  wire::array_view<wire::u64le> arguments;
  std::uint32_t opcode;
};
using stf_codec = wire::record<wire::fields<
    wire::field<&stf_record::what>,
    wire::choice<
        &stf_record::what,
        wire::on<stf::comment, wire::prefixed<&stf_record::comment, std::uint32_t>>,
        wire::on<stf::force_pc, wire::field<&stf_record::pc>>, wire::on<stf::end_of_header>,
        wire::on<stf::target, wire::field<&stf_record::pc>>,
        wire::on<stf::operand, wire::field<&stf_record::reg>, wire::field<&stf_record::kind>,
                 wire::field<&stf_record::value>>,
        wire::on<stf::access, wire::field<&stf_record::address>, wire::field<&stf_record::size>,
                 wire::field<&stf_record::attributes>, wire::field<&stf_record::direction>>,
        wire::on<stf::content, wire::field<&stf_record::value>>,
        wire::on<stf::event, wire::field<&stf_record::cause>,
                 wire::prefixed<&stf_record::arguments, std::uint8_t>>,
        wire::on<stf::opcode32, wire::field<&stf_record::opcode>>,
        wire::on<stf::opcode16, wire::field<&stf_record::opcode, wire::u16le>>>>>;
struct stf_by_hand {
  using value_type = stf_record;
  static std::size_t decode(bytes_in in, stf_record& r) noexcept {
    if (in.empty()) return 0;
    const std::byte* const p = in.data();
    r.what = get<stf>(p);
    switch (r.what) {
      case stf::comment: {
        if (in.size() < 5) return 0;
        const auto n = get<std::uint32_t>(p + 1);
        if (in.size() - 5 < n) return 0;
        r.comment = wire::array_view<wire::character>(p + 5, n);
        return 5 + std::size_t{n};
      }
      case stf::force_pc:
      case stf::target:
        if (in.size() < 9) return 0;
        r.pc = get<std::uint64_t>(p + 1);
        return 9;
      case stf::end_of_header:
        return 1;
      case stf::operand:
        if (in.size() < 12) return 0;
        r.reg = get<std::uint16_t>(p + 1);
        r.kind = get<std::uint8_t>(p + 3);
        r.value = get<std::uint64_t>(p + 4);
        return 12;
      case stf::access:
        if (in.size() < 14) return 0;
        r.address = get<std::uint64_t>(p + 1);
        r.size = get<std::uint16_t>(p + 9);
        r.attributes = get<std::uint16_t>(p + 11);
        r.direction = get<std::uint8_t>(p + 13);
        return 14;
      case stf::content:
        if (in.size() < 9) return 0;
        r.value = get<std::uint64_t>(p + 1);
        return 9;
      case stf::event: {
        if (in.size() < 10) return 0;
        r.cause = get<std::uint64_t>(p + 1);
        const std::size_t n = get<std::uint8_t>(p + 9);
        if (in.size() < 10 + 8 * n) return 0;
        r.arguments = wire::array_view<wire::u64le>(p + 10, n);
        return 10 + 8 * n;
      }
      case stf::opcode32:
        if (in.size() < 5) return 0;
        r.opcode = get<std::uint32_t>(p + 1);
        return 5;
      case stf::opcode16:
        if (in.size() < 3) return 0;
        r.opcode = get<std::uint16_t>(p + 1);
        return 3;
    }
    return 0;
  }
  static std::size_t skip(bytes_in in) noexcept {
    if (in.empty()) return 0;
    const std::byte* const p = in.data();
    std::size_t n = 0;
    switch (get<stf>(p)) {
      case stf::comment:
        if (in.size() < 5) return 0;
        n = 5 + std::size_t{get<std::uint32_t>(p + 1)};
        break;
      case stf::force_pc:
      case stf::target:
      case stf::content:
        n = 9;
        break;
      case stf::end_of_header:
        n = 1;
        break;
      case stf::operand:
        n = 12;
        break;
      case stf::access:
        n = 14;
        break;
      case stf::event:
        if (in.size() < 10) return 0;
        n = 10 + 8 * std::size_t{get<std::uint8_t>(p + 9)};
        break;
      case stf::opcode32:
        n = 5;
        break;
      case stf::opcode16:
        n = 3;
        break;
      default:
        return 0;
    }
    return in.size() < n ? 0 : n;
  }
  static std::size_t encode(const stf_record& r, bytes_out out) noexcept {
    std::byte* const p = out.data();
    switch (r.what) {
      case stf::comment: {
        const std::size_t n = r.comment.size();
        if (n > 0xffffffff || out.size() < 5 + n) return 0;
        put_bytes(r.comment.bytes(), put(static_cast<std::uint32_t>(n), put(r.what, p)));
        return 5 + n;
      }
      case stf::force_pc:
      case stf::target:
        if (out.size() < 9) return 0;
        put(r.pc, put(r.what, p));
        return 9;
      case stf::end_of_header:
        if (out.empty()) return 0;
        put(r.what, p);
        return 1;
      case stf::operand:
        if (out.size() < 12) return 0;
        put(r.value, put(r.kind, put(r.reg, put(r.what, p))));
        return 12;
      case stf::access:
        if (out.size() < 14) return 0;
        put(r.direction, put(r.attributes, put(r.size, put(r.address, put(r.what, p)))));
        return 14;
      case stf::content:
        if (out.size() < 9) return 0;
        put(r.value, put(r.what, p));
        return 9;
      case stf::event: {
        const std::size_t n = r.arguments.size();
        if (n > 0xff || out.size() < 10 + 8 * n) return 0;
        put_bytes(r.arguments.bytes(),
                  put(static_cast<std::uint8_t>(n), put(r.cause, put(r.what, p))));
        return 10 + 8 * n;
      }
      case stf::opcode32:
        if (out.size() < 5) return 0;
        put(r.opcode, put(r.what, p));
        return 5;
      case stf::opcode16:
        if (r.opcode > 0xffff || out.size() < 3) return 0;
        put(static_cast<std::uint16_t>(r.opcode), put(r.what, p));
        return 3;
    }
    return 0;
  }
};

}  // namespace streams
