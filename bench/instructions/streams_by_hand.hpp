// Entries of a Git index, Protocol Buffers messages and the records of an STF trace, in the
// library's description language and hand-written for speed. decode and encode return the number of
// bytes read or written, or 0 if the span is too short or a value is invalid. skip returns the size
// of a record.
#pragma once
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <tracecodec/stf/layout.hpp>
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

// Record of an STF trace. The parameters `vector_bits` and `has_event64` are those of the record.
using stf = tracecodec::stf::record_kind;
using stf_record = tracecodec::stf::record;
using stf_codec = tracecodec::stf::record_codec;
struct stf_by_hand {
  using value_type = stf_record;
  static std::size_t decode(bytes_in in, stf_record& r) noexcept {
    if (in.empty()) return 0;
    const std::byte* const p = in.data();
    r.descriptor = get<stf>(p);
    // The most frequent records come first, as in the description.
    if (r.descriptor == stf::opcode32) {
      if (in.size() < 5) return 0;
      r.opcode = get<std::uint32_t>(p + 1);
      return 5;
    }
    if (r.descriptor == stf::opcode16) {
      if (in.size() < 3) return 0;
      r.opcode = get<std::uint16_t>(p + 1);
      return 3;
    }
    if (r.descriptor == stf::reg) {
      if (in.size() < 4) return 0;
      r.reg = get<std::uint16_t>(p + 1);
      const auto meta = get<std::uint8_t>(p + 3);
      r.role = static_cast<tracecodec::stf::operand_role>(meta >> 4);
      r.kind = static_cast<tracecodec::stf::register_class>(meta & 15);
      if (r.kind == tracecodec::stf::register_class::vector) {
        const std::size_t n = r.vector_words();
        if (in.size() - 4 < 8 * n) return 0;
        r.values = wire::array_view<wire::u64le>(p + 4, n);
        return 4 + 8 * n;
      }
      if (in.size() < 12) return 0;
      r.value = get<std::uint64_t>(p + 4);
      return 12;
    }
    if (r.descriptor == stf::access) {
      if (in.size() < 14) return 0;
      r.address = get<std::uint64_t>(p + 1);
      r.size = get<std::uint16_t>(p + 9);
      r.attributes = get<std::uint16_t>(p + 11);
      r.direction = get<tracecodec::stf::access_kind>(p + 13);
      return 14;
    }
    if (r.descriptor == stf::content) {
      if (in.size() < 9) return 0;
      r.value = get<std::uint64_t>(p + 1);
      return 9;
    }
    if (r.descriptor == stf::target) {
      if (in.size() < 9) return 0;
      r.pc = get<std::uint64_t>(p + 1);
      return 9;
    }
    return decode_other(in, r);
  }
  static std::size_t decode_other(bytes_in in, stf_record& r) noexcept {
    const std::byte* const p = in.data();
    switch (r.descriptor) {
      case stf::comment:
      case stf::extended_isa: {
        if (in.size() < 5) return 0;
        const auto n = get<std::uint32_t>(p + 1);
        if (in.size() - 5 < n) return 0;
        r.text = wire::array_view<wire::character>(p + 5, n);
        return 5 + std::size_t{n};
      }
      case stf::isa:
        if (in.size() < 3) return 0;
        r.isa = get<std::uint16_t>(p + 1);
        return 3;
      case stf::encoding:
        if (in.size() < 3) return 0;
        r.encoding = get<std::uint16_t>(p + 1);
        return 3;
      case stf::trace_info: {
        if (in.size() < 7) return 0;
        r.generator = get<std::uint8_t>(p + 1);
        std::memcpy(r.version.data(), p + 2, 3);
        const std::size_t n = get<std::uint16_t>(p + 5);
        if (in.size() - 7 < n) return 0;
        r.text = wire::array_view<wire::character>(p + 7, n);
        return 7 + n;
      }
      case stf::features:
        if (in.size() < 9) return 0;
        r.features = get<std::uint64_t>(p + 1);
        return 9;
      case stf::process:
        if (in.size() < 13) return 0;
        r.hardware_thread = get<std::uint32_t>(p + 1);
        r.process = get<std::uint32_t>(p + 5);
        r.thread = get<std::uint32_t>(p + 9);
        return 13;
      case stf::force_pc:
      case stf::event_target:
        if (in.size() < 9) return 0;
        r.pc = get<std::uint64_t>(p + 1);
        return 9;
      case stf::vector_length:
        if (in.size() < 5) return 0;
        r.length = get<std::uint32_t>(p + 1);
        return 5;
      case stf::end_header:
        return 1;
      case stf::ready_reg:
        if (in.size() < 3) return 0;
        r.reg = get<std::uint16_t>(p + 1);
        return 3;
      case stf::page_table_walk: {
        if (in.size() < 22) return 0;
        r.address = get<std::uint64_t>(p + 1);
        r.walk_index = get<std::uint64_t>(p + 9);
        r.page_size = get<std::uint32_t>(p + 17);
        r.levels = get<std::uint8_t>(p + 21);
        const std::size_t n = 2 * std::size_t{r.levels};
        if (in.size() - 22 < 8 * n) return 0;
        r.entries = wire::array_view<wire::u64le>(p + 22, n);
        return 22 + 8 * n;
      }
      case stf::bus_content:
        if (in.size() < 9) return 0;
        r.value = get<std::uint64_t>(p + 1);
        return 9;
      case stf::bus_access:
        if (in.size() < 18) return 0;
        r.address = get<std::uint64_t>(p + 1);
        r.size = get<std::uint16_t>(p + 9);
        r.source_type = get<std::uint8_t>(p + 11);
        r.source_index = get<std::uint8_t>(p + 12);
        r.attributes = get<std::uint32_t>(p + 13);
        r.direction = get<tracecodec::stf::access_kind>(p + 17);
        return 18;
      case stf::event: {
        const std::size_t front = r.has_event64 ? 10 : 6;
        if (in.size() < front) return 0;
        r.cause = r.has_event64 ? get<std::uint64_t>(p + 1) : get<std::uint32_t>(p + 1);
        const std::size_t n = get<std::uint8_t>(p + front - 1);
        if (in.size() - front < 8 * n) return 0;
        r.arguments = wire::array_view<wire::u64le>(p + front, n);
        return front + 8 * n;
      }
      case stf::micro_op:
        if (in.size() < 6) return 0;
        r.micro_size = get<std::uint8_t>(p + 1);
        r.opcode = get<std::uint32_t>(p + 2);
        return 6;
      default:
        return 0;
    }
  }
  // Encodes the records of the measured streams, which have no header.
  static std::size_t encode(const stf_record& r, bytes_out out) noexcept {
    std::byte* const p = out.data();
    switch (r.descriptor) {
      case stf::force_pc:
      case stf::target:
      case stf::event_target:
        if (out.size() < 9) return 0;
        put(r.pc, put(r.descriptor, p));
        return 9;
      case stf::reg: {
        const auto role = static_cast<unsigned>(r.role), kind = static_cast<unsigned>(r.kind);
        if (role > 15 || kind > 15) return 0;
        std::byte* const at = p + 4;
        const std::size_t n =
            r.kind == tracecodec::stf::register_class::vector ? r.values.size() : 1;
        if (r.kind == tracecodec::stf::register_class::vector && n != r.vector_words()) return 0;
        if (out.size() < 4 + 8 * n) return 0;
        put(static_cast<std::uint8_t>(role << 4 | kind), put(r.reg, put(r.descriptor, p)));
        if (r.kind == tracecodec::stf::register_class::vector)
          put_bytes(r.values.bytes(), at);
        else
          put(r.value, at);
        return 4 + 8 * n;
      }
      case stf::access:
        if (r.attributes > 0xffff || out.size() < 14) return 0;
        put(r.direction, put(static_cast<std::uint16_t>(r.attributes),
                             put(r.size, put(r.address, put(r.descriptor, p)))));
        return 14;
      case stf::content:
      case stf::bus_content:
        if (out.size() < 9) return 0;
        put(r.value, put(r.descriptor, p));
        return 9;
      case stf::event: {
        const std::size_t n = r.arguments.size(), front = r.has_event64 ? 10 : 6;
        if (n > 0xff || out.size() < front + 8 * n) return 0;
        std::byte* at = put(r.descriptor, p);
        if (!r.has_event64 && r.cause > 0xffffffff) return 0;
        at = r.has_event64 ? put(r.cause, at) : put(static_cast<std::uint32_t>(r.cause), at);
        put_bytes(r.arguments.bytes(), put(static_cast<std::uint8_t>(n), at));
        return front + 8 * n;
      }
      case stf::opcode32:
        if (out.size() < 5) return 0;
        put(r.opcode, put(r.descriptor, p));
        return 5;
      case stf::opcode16:
        if (r.opcode > 0xffff || out.size() < 3) return 0;
        put(static_cast<std::uint16_t>(r.opcode), put(r.descriptor, p));
        return 3;
      default:
        return 0;
    }
  }
};

}  // namespace streams
