// REGDUMP, which contains the registers in the layout of x64dbg's C struct. Word N in the register
// changes of a trace is the N-th pointer-sized word of this layout.
#pragma once
#include <array>
#include <cstdint>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Environment of the x87 unit. Padding follows `tag_word`.
struct x87_environment {
  std::uint16_t control_word;
  std::uint16_t status_word;
  std::uint16_t tag_word;
  std::uint32_t error_offset;
  std::uint32_t error_selector;
  std::uint32_t data_offset;
  std::uint32_t data_selector;
  std::uint32_t cr0_state;
};
struct xmm_register {
  std::uint64_t low;
  std::uint64_t high;
};
struct ymm_register {
  xmm_register low;  // copy of the xmm register
  xmm_register high;
};
// Flags of rflags, one byte for each flag.
struct flag_bytes {
  std::uint8_t c, p, a, z, s, t, i, d, o;
};
struct x87_register {
  std::array<std::uint8_t, 10> data;
  std::int32_t st_value;
  std::int32_t tag;
};
struct mxcsr_fields {
  std::uint8_t fz, pm, um, om, zm, im, dm, daz, pe, ue, oe, ze, de, ie;
  std::uint16_t rc;
};
struct x87_status_fields {
  std::uint8_t b, c3, c2, c1, c0, es, sf, p, u, o, z, d, i;
  std::uint16_t top;
};
struct x87_control_fields {
  std::uint8_t ic, iem, pm, um, om, zm, dm, im;
  std::uint16_t rc, pc;
};

// General registers. Only x64 has r8 to r15. In all other parts of REGDUMP, the targets differ only
// in the width and the number of registers.
template <target T> struct general_registers;
template <> struct general_registers<target::x86> {
  std::uint32_t cax, ccx, cdx, cbx, csp, cbp, csi, cdi;
};
template <> struct general_registers<target::x64> {
  std::uint64_t cax, ccx, cdx, cbx, csp, cbp, csi, cdi;
  std::uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
};

template <target T> struct regdump {
  using word = wire::word_t<T>;
  static constexpr std::size_t vectors = T == target::x86 ? 8 : 16;
  general_registers<T> general;
  word cip;
  word eflags;
  std::uint16_t gs, fs, es, ds, cs, ss;
  word dr0, dr1, dr2, dr3, dr6, dr7;
  std::array<std::uint8_t, 80> register_area;
  x87_environment x87;
  std::uint32_t mxcsr;
  std::array<xmm_register, vectors> xmm;
  std::array<ymm_register, vectors> ymm;
  flag_bytes flags;
  std::array<x87_register, 8> x87_registers;
  std::array<std::uint64_t, 8> mmx;
  mxcsr_fields mxcsr_parts;
  x87_status_fields x87_status;
  x87_control_fields x87_control;
  std::uint32_t last_error;
};

template <target T> using regdump_codec =
    wire::record<regdump<T>, wire::order::little, wire::placement::natural, T>;

}  // namespace tracecodec::x64dbg
