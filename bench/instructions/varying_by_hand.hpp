// Records of varying size in other programs' formats, in the library's description language and
// hand-written for speed. decode and encode return the number of bytes read or written, or 0 if the
// span is too short or a value is invalid. skip returns the size of a record, and reads only what
// the size depends on. get_... decodes one member.
#pragma once
#include <span>
#include <tracecodec/wire.hpp>

#include "bytes_by_hand.hpp"

namespace varying {

namespace wire = tracecodec::wire;
using by_hand::bytes_in;
using by_hand::bytes_out;
using by_hand::get;
using by_hand::put;
using by_hand::put_bytes;

// Block of a pcapng file (draft-ietf-opsawg-pcapng) with its options.
struct option {
  std::uint16_t code, size;
  wire::array_view<wire::character> value;
};
using option_codec =
    wire::record<wire::fields<wire::field<&option::code>,
                              wire::computed<&option::size, wire::size_of<&option::value>>,
                              wire::counted<&option::value, &option::size>, wire::align<4>>>;
enum class kind : std::uint32_t { interface = 1, packet = 6, section = 0x0A0D0D0A };
struct block {
  kind type;
  std::uint32_t size, magic;
  std::uint16_t major, minor, link, reserved;
  std::int64_t section_size;
  std::uint32_t longest, interface, time_high, time_low, captured, original;
  wire::array_view<wire::u8> data;
  wire::list_view<option_codec> options;
  std::uint32_t size_again;
  constexpr std::uint32_t body() const { return size < 12 ? 0 : size - 12; }
};
using block_codec = wire::record<wire::fields<
    wire::field<&block::type>, wire::computed<&block::size, wire::extent_of<>>,
    wire::sized<
        &block::body,
        wire::choice<
            &block::type,
            wire::on<kind::section, wire::constant<&block::magic, 0x1A2B3C4D>,
                     wire::field<&block::major>, wire::field<&block::minor>,
                     wire::field<&block::section_size>, wire::list<&block::options, wire::to_end>>,
            wire::on<kind::interface, wire::field<&block::link>, wire::field<&block::reserved>,
                     wire::field<&block::longest>, wire::list<&block::options, wire::to_end>>,
            wire::on<kind::packet, wire::field<&block::interface>, wire::field<&block::time_high>,
                     wire::field<&block::time_low>,
                     wire::computed<&block::captured, wire::size_of<&block::data>>,
                     wire::field<&block::original>, wire::counted<&block::data, &block::captured>,
                     wire::align<4>, wire::list<&block::options, wire::to_end>>,
            wire::otherwise<wire::rest<&block::data>>>>,
    wire::computed<&block::size_again, wire::extent_of<>>>>;

struct block_by_hand {
  using value_type = block;
  // Returns the number of options from `p` to `end`, or -1 if they are invalid.
  static std::ptrdiff_t options(const std::byte* p, const std::byte* end) noexcept {
    std::ptrdiff_t n = 0;
    while (p != end) {
      const auto left = static_cast<std::size_t>(end - p);
      if (left < 4) return -1;
      const std::size_t size = (get<std::uint16_t>(p + 2) + 4U + 3U) & ~3U;
      if (left < size) return -1;
      p += size;
      ++n;
    }
    return n;
  }
  static std::size_t decode(bytes_in in, block& b) noexcept {
    if (in.size() < 12) return 0;
    const std::byte* p = in.data();
    b.type = get<kind>(p);
    b.size = get<std::uint32_t>(p + 4);
    if (b.size < 12 || in.size() < b.size) return 0;
    const std::byte* const end = p + b.size - 4;
    p += 8;
    const auto body = static_cast<std::size_t>(end - p);
    switch (b.type) {
      case kind::section:
        if (body < 16 || get<std::uint32_t>(p) != 0x1A2B3C4D) return 0;
        b.magic = 0x1A2B3C4D;
        b.major = get<std::uint16_t>(p + 4);
        b.minor = get<std::uint16_t>(p + 6);
        b.section_size = get<std::int64_t>(p + 8);
        p += 16;
        break;
      case kind::interface:
        if (body < 8) return 0;
        b.link = get<std::uint16_t>(p);
        b.reserved = get<std::uint16_t>(p + 2);
        b.longest = get<std::uint32_t>(p + 4);
        p += 8;
        break;
      case kind::packet: {
        if (body < 20) return 0;
        b.interface = get<std::uint32_t>(p);
        b.time_high = get<std::uint32_t>(p + 4);
        b.time_low = get<std::uint32_t>(p + 8);
        b.captured = get<std::uint32_t>(p + 12);
        b.original = get<std::uint32_t>(p + 16);
        const std::uint64_t padded = (std::uint64_t{b.captured} + 3) & ~std::uint64_t{3};
        if (body - 20 < padded) return 0;
        b.data = wire::array_view<wire::u8>(p + 20, b.captured);
        p += 20 + padded;
        break;
      }
      default:
        b.data = wire::array_view<wire::u8>(p, body);
        b.size_again = get<std::uint32_t>(end);
        return b.size_again == b.size ? b.size : 0;
    }
    const std::ptrdiff_t n = options(p, end);
    if (n < 0) return 0;
    b.options = decltype(b.options)::of_checked({p, end}, static_cast<std::size_t>(n), {});
    b.size_again = get<std::uint32_t>(end);
    return b.size_again == b.size ? b.size : 0;
  }
  static std::size_t skip(bytes_in in) noexcept {
    if (in.size() < 12) return 0;
    const auto size = get<std::uint32_t>(in.data() + 4);
    return size < 12 || in.size() < size ? 0 : size;
  }
  static std::size_t encode(const block& b, bytes_out out) noexcept {
    const bytes_in data = b.data.bytes(), options = b.options.bytes();
    std::size_t n = 12;
    switch (b.type) {
      case kind::section:
        n += 16 + options.size();
        break;
      case kind::interface:
        n += 8 + options.size();
        break;
      case kind::packet:
        n += 20 + ((data.size() + 3) & ~std::size_t{3}) + options.size();
        break;
      default:
        n += data.size();
    }
    if (n > 0xffffffff || data.size() > 0xffffffff || out.size() < n) return 0;
    const auto size = static_cast<std::uint32_t>(n);
    std::byte* p = put(size, put(b.type, out.data()));
    switch (b.type) {
      case kind::section:
        p = put(b.section_size, put(b.minor, put(b.major, put(std::uint32_t{0x1A2B3C4D}, p))));
        p = put_bytes(options, p);
        break;
      case kind::interface:
        p = put_bytes(options, put(b.longest, put(b.reserved, put(b.link, p))));
        break;
      case kind::packet: {
        p = put(b.time_low, put(b.time_high, put(b.interface, p)));
        p = put_bytes(data, put(b.original, put(static_cast<std::uint32_t>(data.size()), p)));
        const std::size_t gap = (0 - data.size()) & 3;
        for (std::size_t i = 0; i < gap; ++i) *p++ = std::byte{0};
        p = put_bytes(options, p);
        break;
      }
      default:
        p = put_bytes(data, p);
    }
    put(size, p);
    return n;
  }
};

// Instruction of a CVP-1 trace, with the values that it writes.
enum class operation : std::uint8_t { alu, load, store, conditional, jump, indirect, fp, slow_alu };
struct instruction {
  std::uint64_t pc;
  operation what;
  std::uint64_t address;
  std::uint8_t width;
  bool taken;
  std::uint64_t target;
  wire::array_view<wire::u8> inputs, outputs;
  wire::array_view<wire::u64le> values;  // two for a vector register
  constexpr std::size_t words() const {
    std::size_t n = outputs.size();
    for (const auto r : outputs) n += r >= 32 && r < 64;
    return n;
  }
  constexpr bool branches() const {
    return what >= operation::conditional && what <= operation::indirect;
  }
  constexpr bool accesses() const { return what == operation::load || what == operation::store; }
};
using instruction_codec = wire::record<
    wire::fields<wire::field<&instruction::pc>,
                 wire::in_range<&instruction::what, operation::alu, operation::slow_alu>,
                 wire::when<&instruction::accesses, wire::field<&instruction::address>,
                            wire::field<&instruction::width>>,
                 wire::when<&instruction::branches, wire::field<&instruction::taken>>,
                 wire::when<[](const instruction& i) { return i.branches() && i.taken; },
                            wire::field<&instruction::target>>,
                 wire::prefixed<&instruction::inputs, std::uint8_t>,
                 wire::prefixed<&instruction::outputs, std::uint8_t>,
                 wire::counted<&instruction::values, &instruction::words>>>;
struct instruction_by_hand {
  using value_type = instruction;
  static std::size_t decode(bytes_in in, instruction& i) noexcept {
    if (in.size() < 9) return 0;
    const std::byte* p = in.data();
    const std::byte* const end = p + in.size();
    i.pc = get<std::uint64_t>(p);
    i.what = get<operation>(p + 8);
    if (i.what > operation::slow_alu) return 0;
    p += 9;
    if (i.accesses()) {
      if (end - p < 9) return 0;
      i.address = get<std::uint64_t>(p);
      i.width = get<std::uint8_t>(p + 8);
      p += 9;
    } else if (i.branches()) {
      if (p == end) return 0;
      const auto t = get<std::uint8_t>(p);
      if (t > 1) return 0;
      i.taken = t != 0;
      ++p;
      if (i.taken) {
        if (end - p < 8) return 0;
        i.target = get<std::uint64_t>(p);
        p += 8;
      }
    }
    if (p == end) return 0;
    std::size_t n = get<std::uint8_t>(p);
    ++p;
    if (static_cast<std::size_t>(end - p) < n) return 0;
    i.inputs = wire::array_view<wire::u8>(p, n);
    p += n;
    if (p == end) return 0;
    n = get<std::uint8_t>(p);
    ++p;
    if (static_cast<std::size_t>(end - p) < n) return 0;
    i.outputs = wire::array_view<wire::u8>(p, n);
    p += n;
    const std::size_t w = i.words();
    if (static_cast<std::size_t>(end - p) < 8 * w) return 0;
    i.values = wire::array_view<wire::u64le>(p, w);
    return static_cast<std::size_t>(p + 8 * w - in.data());
  }
  static std::size_t skip(bytes_in in) noexcept {
    if (in.size() < 9) return 0;
    const std::byte* p = in.data();
    const std::byte* const end = p + in.size();
    const auto what = get<operation>(p + 8);
    p += 9;
    if (what == operation::load || what == operation::store) {
      if (end - p < 9) return 0;
      p += 9;
    } else if (what >= operation::conditional && what <= operation::indirect) {
      if (p == end) return 0;
      if (*p++ != std::byte{0}) {
        if (end - p < 8) return 0;
        p += 8;
      }
    }
    if (p == end) return 0;
    std::size_t n = get<std::uint8_t>(p++);
    if (static_cast<std::size_t>(end - p) < n) return 0;
    p += n;
    if (p == end) return 0;
    n = get<std::uint8_t>(p++);
    if (static_cast<std::size_t>(end - p) < n) return 0;
    instruction i;
    i.outputs = wire::array_view<wire::u8>(p, n);
    const std::size_t w = i.words();
    p += n;
    if (static_cast<std::size_t>(end - p) < 8 * w) return 0;
    return static_cast<std::size_t>(p + 8 * w - in.data());
  }
  static std::size_t encode(const instruction& i, bytes_out out) noexcept {
    const bool accesses = i.accesses(), branches = i.branches(), jumps = branches && i.taken;
    const bytes_in inputs = i.inputs.bytes(), outputs = i.outputs.bytes(),
                   values = i.values.bytes();
    if (i.what > operation::slow_alu || inputs.size() > 0xff || outputs.size() > 0xff ||
        i.values.size() != i.words())
      return 0;
    const std::size_t n = 9 + (accesses ? 9U : 0U) + (branches ? 1U : 0U) + (jumps ? 8U : 0U) + 1 +
                          inputs.size() + 1 + outputs.size() + values.size();
    if (out.size() < n) return 0;
    std::byte* p = put(i.what, put(i.pc, out.data()));
    if (accesses) p = put(i.width, put(i.address, p));
    if (branches) p = put(static_cast<std::uint8_t>(i.taken), p);
    if (jumps) p = put(i.target, p);
    p = put_bytes(inputs, put(static_cast<std::uint8_t>(inputs.size()), p));
    p = put_bytes(outputs, put(static_cast<std::uint8_t>(outputs.size()), p));
    put_bytes(values, p);
    return n;
  }
};
}  // namespace varying
