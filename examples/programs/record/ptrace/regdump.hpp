// Converts the kernel's registers to x64dbg's REGDUMP. Some information is stored twice and must be
// consistent: flags and flag bytes, mxcsr and the mxcsr fields, xmm and the lower half of ymm, and
// mmx and x87.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tracecodec/x64dbg/layout/regdump.hpp>
#include <tracecodec/x64dbg/reader/state.hpp>

#include "machine.hpp"

namespace record {

namespace x64dbg = tracecodec::x64dbg;
namespace wire = tracecodec::wire;

namespace detail {
// Byte offsets in the XSAVE area (Intel, volume 1, table 10-2 and section 13.4).
enum : std::size_t {
  control = 0,
  status = 2,
  abridged_tags = 4,
  last_opcode = 6,
  last_ip = 8,
  last_data = 16,
  mxcsr = 24,
  st = 32,
  xmm = 160,
  present = 512,
  ymm_high = 576
};

class extended_area {
 public:
  explicit extended_area(const registers& r)
      : bytes_(std::span(r.extended).first(r.extended_size)) {}
  template <class Number> [[nodiscard]] Number at(std::size_t offset) const {
    if (offset + sizeof(Number) > bytes_.size()) return 0;
    return wire::scalar<Number, wire::order::little>::load(&bytes_[offset]);
  }
  [[nodiscard]] bool has_ymm() const { return (at<std::uint64_t>(present) & 4) != 0; }
  // Returns the index of the physical register at the top of the x87 stack. Physical register r is
  // at position (r - top) of the stack.
  [[nodiscard]] std::size_t top() const { return at<std::uint16_t>(status) >> 11 & 7U; }
  [[nodiscard]] std::size_t place(std::size_t r) const { return st + 16 * ((r - top()) & 7U); }
  // Returns the tag of a physical register: 0 valid, 1 zero, 2 special, 3 empty (volume 1, 8.1.7).
  [[nodiscard]] unsigned tag(std::size_t r) const {
    if ((at<std::uint8_t>(abridged_tags) >> r & 1U) == 0) return 3;
    const auto mantissa = at<std::uint64_t>(place(r));
    const unsigned exponent = at<std::uint16_t>(place(r) + 8) & 0x7FFFU;
    if (exponent == 0 && mantissa == 0) return 1;
    return exponent == 0 || exponent == 0x7FFF || mantissa >> 63 == 0 ? 2 : 0;
  }

 private:
  std::span<const std::byte> bytes_;
};

template <x64dbg::target T> void fill_general(x64dbg::regdump<T>& d, const user_regs_struct& g) {
  using word = wire::word_t<T>;
  const auto w = [](unsigned long long v) { return static_cast<word>(v); };
  const auto selector = [](unsigned long long v) { return static_cast<std::uint16_t>(v); };
  auto& r = d.general;
  r.cax = w(g.rax), r.ccx = w(g.rcx), r.cdx = w(g.rdx), r.cbx = w(g.rbx);
  r.csp = w(g.rsp), r.cbp = w(g.rbp), r.csi = w(g.rsi), r.cdi = w(g.rdi);
  if constexpr (T == x64dbg::target::x64) {
    r.r8 = g.r8, r.r9 = g.r9, r.r10 = g.r10, r.r11 = g.r11;
    r.r12 = g.r12, r.r13 = g.r13, r.r14 = g.r14, r.r15 = g.r15;
  }
  d.cip = w(g.rip);
  // Clear the trap flag, because single-stepping sets it. The program's own trap flag cannot be
  // recorded.
  constexpr unsigned long long trap = 0x100;
  const unsigned long long f = g.eflags & ~trap;
  d.eflags = w(f);
  d.gs = selector(g.gs), d.fs = selector(g.fs), d.es = selector(g.es);
  d.ds = selector(g.ds), d.cs = selector(g.cs), d.ss = selector(g.ss);
  const auto bit = [f](unsigned n) { return static_cast<std::uint8_t>(f >> n & 1U); };
  d.flags = {bit(0), bit(2), bit(4), bit(6), bit(7), bit(8), bit(9), bit(10), bit(11)};
}

template <x64dbg::target T> void fill_x87(x64dbg::regdump<T>& d, const extended_area& a) {
  const auto control = a.at<std::uint16_t>(detail::control);
  const auto status = a.at<std::uint16_t>(detail::status);
  d.x87.control_word = control;
  d.x87.status_word = status;
  unsigned tags = 0;
  for (std::size_t r = 0; r < 8; ++r) {
    const unsigned tag = a.tag(r);
    tags |= tag << 2 * r;
    auto& e = d.x87_registers[r];
    for (std::size_t i = 0; i < e.data.size(); ++i) {
      e.data[i] = a.at<std::uint8_t>(a.place(r) + i);
      // The registers in the register area are in stack order.
      d.register_area[10 * r + i] = a.at<std::uint8_t>(st + 16 * r + i);
    }
    e.st_value = static_cast<std::int32_t>((r - a.top()) & 7U);
    e.tag = static_cast<std::int32_t>(tag);
    d.mmx[r] = a.at<std::uint64_t>(a.place(r));
  }
  d.x87.tag_word = static_cast<std::uint16_t>(tags);
  d.x87.error_offset = a.at<std::uint32_t>(last_ip);
  d.x87.error_selector = a.at<std::uint16_t>(last_ip + 4);
  d.x87.data_offset = a.at<std::uint32_t>(last_data);
  d.x87.data_selector = a.at<std::uint16_t>(last_data + 4);
  const auto bit = [](unsigned word, unsigned n) {
    return static_cast<std::uint8_t>(word >> n & 1U);
  };
  const auto s = [&](unsigned n) { return bit(status, n); };
  d.x87_status = {s(15), s(14), s(10), s(9), s(8), s(7), s(6),
                  s(5),  s(4),  s(3),  s(2), s(1), s(0), static_cast<std::uint16_t>(a.top())};
  const auto c = [&](unsigned n) { return bit(control, n); };
  d.x87_control = {c(12),
                   c(7),
                   c(5),
                   c(4),
                   c(3),
                   c(2),
                   c(1),
                   c(0),
                   static_cast<std::uint16_t>(control >> 10 & 3U),
                   static_cast<std::uint16_t>(control >> 8 & 3U)};
}

template <x64dbg::target T> void fill_vectors(x64dbg::regdump<T>& d, const extended_area& a) {
  for (std::size_t i = 0; i < d.xmm.size(); ++i) {
    const auto both = [&a](std::size_t at) {
      return x64dbg::xmm_register{a.at<std::uint64_t>(at), a.at<std::uint64_t>(at + 8)};
    };
    d.xmm[i] = d.ymm[i].low = both(xmm + 16 * i);
    if (a.has_ymm()) d.ymm[i].high = both(ymm_high + 16 * i);
  }
  d.mxcsr = a.at<std::uint32_t>(detail::mxcsr);
  const auto b = [m = d.mxcsr](unsigned n) { return static_cast<std::uint8_t>(m >> n & 1U); };
  d.mxcsr_parts = {b(15), b(12), b(11), b(10), b(9),
                   b(7),  b(8),  b(6),  b(5),  b(4),
                   b(3),  b(2),  b(1),  b(0),  static_cast<std::uint16_t>(d.mxcsr >> 13 & 3U)};
}
}  // namespace detail

// Converts the kernel's registers to a register state. The words for the debug registers and for
// the last error are 0. The debug registers belong to the tracer, and Linux has no last error.
template <x64dbg::target T> void to_state(const registers& r, x64dbg::register_state<T>& state) {
  x64dbg::regdump<T> d{};
  const detail::extended_area area(r);
  detail::fill_general<T>(d, r.general);
  detail::fill_x87<T>(d, area);
  detail::fill_vectors<T>(d, area);
  std::array<std::byte, x64dbg::regdump_codec<T>::size> bytes{};
  x64dbg::regdump_codec<T>::encode(d, bytes);
  using word = wire::scalar<wire::word_t<T>, wire::order::little>;
  for (std::size_t w = 0; w < x64dbg::register_words<T>; ++w)
    state.set(w, word::load(&bytes[w * word::size]));
}

}  // namespace record
