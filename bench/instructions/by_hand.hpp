// Codecs of these records without the library, hand-written for speed. They use one bounds check
// for each extent of known size, and memcpy if the layouts agree. They write padding as zero and
// check values. decode and encode return the number of bytes read or written, or 0 if the span is
// too short or a value is invalid.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "formats.hpp"

namespace by_hand {

using bytes_in = std::span<const std::byte>;
using bytes_out = std::span<std::byte>;

inline std::uint64_t big64(const std::byte* p) noexcept {
  std::uint64_t v = 0;
  std::memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}
inline void big64(std::uint64_t v, std::byte* p) noexcept {
  v = __builtin_bswap64(v);
  std::memcpy(p, &v, 8);
}

struct champsim {
  using value_type = formats::champsim::instruction;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 64) [[unlikely]]
      return 0;
    std::memcpy(&s, in.data(), 64);
    return 64;
  }
  static std::size_t encode(const value_type& s, bytes_out out) noexcept {
    if (out.size() < 64) [[unlikely]]
      return 0;
    std::memcpy(out.data(), &s, 64);
    return 64;
  }
};

struct cloudsuite {
  using value_type = formats::champsim::cloudsuite_instruction;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 96) [[unlikely]]
      return 0;
    std::memcpy(&s, in.data(), 96);
    return 96;
  }
  static std::size_t encode(const value_type& s, bytes_out out) noexcept {
    if (out.size() < 96) [[unlikely]]
      return 0;
    std::memcpy(out.data(), &s, 96);
    std::memset(out.data() + 18, 0, 6);
    std::memset(out.data() + 90, 0, 6);
    return 96;
  }
};

struct big_champsim {
  using value_type = formats::champsim::instruction;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 64) [[unlikely]]
      return 0;
    const std::byte* p = in.data();
    s.ip = big64(p);
    s.is_branch = static_cast<std::uint8_t>(p[8]);
    s.branch_taken = static_cast<std::uint8_t>(p[9]);
    std::memcpy(s.destination_registers.data(), p + 10, 2);
    std::memcpy(s.source_registers.data(), p + 12, 4);
    for (std::size_t i = 0; i < 2; ++i) s.destination_memory[i] = big64(p + 16 + 8 * i);
    for (std::size_t i = 0; i < 4; ++i) s.source_memory[i] = big64(p + 32 + 8 * i);
    return 64;
  }
  static std::size_t encode(const value_type& s, bytes_out out) noexcept {
    if (out.size() < 64) [[unlikely]]
      return 0;
    std::byte* p = out.data();
    big64(s.ip, p);
    p[8] = std::byte{s.is_branch};
    p[9] = std::byte{s.branch_taken};
    std::memcpy(p + 10, s.destination_registers.data(), 2);
    std::memcpy(p + 12, s.source_registers.data(), 4);
    for (std::size_t i = 0; i < 2; ++i) big64(s.destination_memory[i], p + 16 + 8 * i);
    for (std::size_t i = 0; i < 4; ++i) big64(s.source_memory[i], p + 32 + 8 * i);
    return 64;
  }
};

struct rapidbin {
  using value_type = tracecodec::rapidbin::event;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 8) [[unlikely]]
      return 0;
    const std::uint64_t v = big64(in.data());
    s.sign = v >> 63 != 0;
    s.location = static_cast<std::uint16_t>(v >> 48 & 0x7FFF);
    s.decor = v >> 14 & 0x3'FFFF'FFFF;
    s.operation = static_cast<tracecodec::rapidbin::operation>(v >> 10 & 0xF);
    s.thread = static_cast<std::uint16_t>(v & 0x3FF);
    return 8;
  }
  static std::size_t encode(const value_type& s, bytes_out out) noexcept {
    if (s.location > 0x7FFF || s.decor > 0x3'FFFF'FFFF ||
        static_cast<unsigned>(s.operation) > 0xF || s.thread > 0x3FF) [[unlikely]]
      return 0;
    if (out.size() < 8) [[unlikely]]
      return 0;
    big64(static_cast<std::uint64_t>(s.sign) << 63 | static_cast<std::uint64_t>(s.location) << 48 |
              s.decor << 14 | static_cast<std::uint64_t>(s.operation) << 10 | s.thread,
          out.data());
    return 8;
  }
};

struct drmemtrace {
  using value_type = formats::drmemtrace::value_type;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 12) [[unlikely]]
      return 0;
    std::memcpy(&s.type, in.data(), 2);
    std::memcpy(&s.size, in.data() + 2, 2);
    std::memcpy(&s.value, in.data() + 4, 8);
    return 12;
  }
  static std::size_t encode(const value_type& s, bytes_out out) noexcept {
    if (out.size() < 12) [[unlikely]]
      return 0;
    std::memcpy(out.data(), &s.type, 2);
    std::memcpy(out.data() + 2, &s.size, 2);
    std::memcpy(out.data() + 4, &s.value, 8);
    return 12;
  }
};

struct x64dbg {
  using value_type = formats::block;
  static std::size_t decode(bytes_in in, value_type& s) noexcept {
    if (in.size() < 4) [[unlikely]]
      return 0;
    const std::byte* p = in.data();
    s.type = static_cast<std::uint8_t>(p[0]);
    s.registers = static_cast<std::uint8_t>(p[1]);
    s.memories = static_cast<std::uint8_t>(p[2]);
    s.flags = static_cast<std::uint8_t>(p[3]);
    p += 4;
    std::size_t left = in.size() - 4;
    const std::size_t regs = s.registers, mems = s.memories, code = s.flags & 0xFU;
    const std::size_t fixed = (s.flags & 0x80 ? 4U : 0U) + code + 9 * regs + 17 * mems;
    if (left < fixed) [[unlikely]]
      return 0;
    left -= fixed;
    if (s.flags & 0x80) {
      std::memcpy(&s.thread, p, 4);
      p += 4;
    }
    const auto take = [&p]<class V>(V& view, std::size_t n) {
      view = V(p, n);
      p += n * V::codec::size;
    };
    take(s.opcode, code);
    take(s.register_index, regs);
    take(s.register_value, regs);
    take(s.memory_flags, mems);
    take(s.address, mems);
    take(s.old_value, mems);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < mems; ++i) changed += (s.memory_flags[i] & 1) == 0;
    if (left < 8 * changed) [[unlikely]]
      return 0;
    take(s.new_value, changed);
    return static_cast<std::size_t>(p - in.data());
  }
  static std::size_t encode(const value_type& s, bytes_out out) noexcept {
    const std::size_t regs = s.registers, mems = s.memories, code = s.flags & 0xFU;
    if (s.opcode.size() != code || s.register_index.size() != regs ||
        s.register_value.size() != regs || s.memory_flags.size() != mems ||
        s.address.size() != mems || s.old_value.size() != mems) [[unlikely]]
      return 0;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < mems; ++i) changed += (s.memory_flags[i] & 1) == 0;
    if (s.new_value.size() != changed) [[unlikely]]
      return 0;
    const std::size_t size =
        4 + (s.flags & 0x80 ? 4U : 0U) + code + 9 * regs + 17 * mems + 8 * changed;
    if (out.size() < size) [[unlikely]]
      return 0;
    std::byte* p = out.data();
    p[0] = std::byte{s.type};
    p[1] = std::byte{s.registers};
    p[2] = std::byte{s.memories};
    p[3] = std::byte{s.flags};
    p += 4;
    if (s.flags & 0x80) {
      std::memcpy(p, &s.thread, 4);
      p += 4;
    }
    const auto put = [&p](bytes_in from) {
      if (!from.empty()) std::memcpy(p, from.data(), from.size());
      p += from.size();
    };
    put(s.opcode.bytes());
    put(s.register_index.bytes());
    put(s.register_value.bytes());
    put(s.memory_flags.bytes());
    put(s.address.bytes());
    put(s.old_value.bytes());
    put(s.new_value.bytes());
    return size;
  }
};

}  // namespace by_hand
