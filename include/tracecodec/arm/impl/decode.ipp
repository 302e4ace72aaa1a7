// Implementation of arm/decode.hpp.
#pragma once
#include "../../wire/types/scalar.hpp"
#include "../decode.hpp"

namespace tracecodec::arm {

namespace detail {

using x86::kind;
using x86::reg;

// Returns the `n` bits of an instruction that begin at bit `at`.
constexpr unsigned bits(std::uint32_t w, unsigned at, unsigned n) noexcept {
  return w >> at & ((1U << n) - 1);
}
constexpr bool bit(std::uint32_t w, unsigned at) noexcept { return (w >> at & 1U) != 0; }
// Sign-extends a number of `n` bits.
constexpr std::int64_t extended(std::uint32_t v, unsigned n) noexcept {
  const std::uint32_t sign = 1U << (n - 1);
  return static_cast<std::int64_t>(v ^ sign) - static_cast<std::int64_t>(sign);
}
constexpr reg register_at(unsigned index) noexcept {
  return static_cast<reg>(number_of(static_cast<std::uint8_t>(index)));
}
inline constexpr reg stack = register_at(stack_register), flags = register_at(flags_register);
// Return register `n`. Register 31 of 64-bit code is the zero register or, in with_stack(), the stack
// pointer.
constexpr reg general(unsigned n) noexcept { return n == 31 ? reg::none : register_at(n); }
constexpr reg with_stack(unsigned n) noexcept { return register_at(n); }
constexpr reg vector(unsigned n) noexcept { return register_at(first_vector + n % 32); }
// Returns register `n` of 32-bit code, or none for the program counter.
constexpr reg narrow(unsigned n) noexcept {
  return n == 13 ? stack : n >= 15 ? reg::none : register_at(n);
}

struct writer {
  x86::instruction& to;
  void reads(reg r) const noexcept { to.add_read(r); }
  void writes(reg r) const noexcept { to.add_written(r); }
  void moves(reg r, bool load) const noexcept { load ? to.add_written(r) : to.add_read(r); }
  void branches(kind k, std::int64_t offset) const noexcept {
    to.kind = k;
    to.branch_offset = offset;
  }
};

TRACECODEC_FUNC void decode_immediate(std::uint32_t w, const writer& to) {
  const unsigned d = bits(w, 0, 5), n = bits(w, 5, 5), opc = bits(w, 29, 2);
  switch (bits(w, 23, 3)) {
    case 0:  // adr, adrp
    case 1:
      return to.writes(general(d));
    case 2:  // add, sub; with tags
    case 3:
      to.writes(bit(w, 29) && bits(w, 23, 3) == 2 ? general(d) : with_stack(d));
      to.reads(with_stack(n));
      if (bit(w, 29) && bits(w, 23, 3) == 2) to.writes(flags);
      return;
    case 4:  // logical
      to.writes(opc == 3 ? general(d) : with_stack(d));
      to.reads(general(n));
      if (opc == 3) to.writes(flags);
      return;
    case 5:  // movn, movz, movk
      to.writes(general(d));
      if (opc == 3) to.reads(general(d));
      return;
    case 6:  // bit fields
      to.writes(general(d));
      to.reads(general(n));
      if (opc == 1) to.reads(general(d));
      return;
    default:  // extr
      to.writes(general(d));
      to.reads(general(n));
      to.reads(general(bits(w, 16, 5)));
  }
}

TRACECODEC_FUNC void decode_branch(std::uint32_t w, const writer& to) {
  const unsigned t = bits(w, 0, 5), n = bits(w, 5, 5);
  if (bits(w, 26, 5) == 5) {  // b, bl
    to.branches(bit(w, 31) ? kind::direct_call : kind::direct_jump,
                4 * extended(bits(w, 0, 26), 26) - 4);
    if (bit(w, 31)) to.writes(general(30));
  } else if (bits(w, 24, 8) == 0x54) {  // b.cond, of which two conditions are always met
    const bool always = bits(w, 0, 4) >= 14;
    to.branches(always ? kind::direct_jump : kind::conditional,
                4 * extended(bits(w, 5, 19), 19) - 4);
    if (!always) to.reads(flags);
  } else if (bits(w, 25, 6) == 0x1A) {  // cbz, cbnz
    to.branches(kind::conditional, 4 * extended(bits(w, 5, 19), 19) - 4);
    to.reads(general(t));
  } else if (bits(w, 25, 6) == 0x1B) {  // tbz, tbnz
    to.branches(kind::conditional, 4 * extended(bits(w, 5, 14), 14) - 4);
    to.reads(general(t));
  } else if (bits(w, 25, 7) == 0x6B) {  // br, blr, ret, eret, and those with authentication
    const unsigned what = bits(w, 21, 4);
    if ((what & 7) > 5) return;
    to.to.kind = (what & 7) == 0   ? kind::indirect_jump
                 : (what & 7) == 1 ? kind::indirect_call
                 : what == 2       ? kind::return_
                                   : kind::other;
    if (what == 2 && bit(w, 11))
      to.reads(general(30));  // retaa, retab
    else if ((what & 7) < 3)
      to.reads(general(n));
    if (what >= 8) to.reads(with_stack(t));  // modifier of the authentication
    if ((what & 7) == 1) to.writes(general(30));
  } else if (bits(w, 24, 8) == 0xD4) {  // svc, brk, hlt
    to.to.kind = kind::system;
  } else if (bits(w, 20, 12) == 0xD53) {  // mrs
    to.writes(general(t));
    if (bits(w, 5, 16) == 0xDA10) to.reads(flags);
  } else if (bits(w, 19, 13) == 0x1AA1) {  // sys, such as dc and ic
    to.reads(general(t));
  } else if (bits(w, 20, 12) == 0xD51) {  // msr
    to.reads(general(t));
    if (bits(w, 5, 16) == 0xDA10) to.writes(flags);
  }
}

TRACECODEC_FUNC void decode_access(std::uint32_t w, const writer& to) {
  const unsigned t = bits(w, 0, 5), n = bits(w, 5, 5), t2 = bits(w, 10, 5), s = bits(w, 16, 5),
                 opc = bits(w, 22, 2), group = bits(w, 27, 3);
  const bool is_vector = bit(w, 26);
  const auto data = [is_vector](unsigned r) { return is_vector ? vector(r) : general(r); };
  const auto both = [&to] { to.to.add_memory({.reads = true, .writes = true}); };
  if (group == 1 && !is_vector) {  // exclusive and ordered accesses, compare and swap
    const bool load = bit(w, 22), ordered = bit(w, 23), pair = bit(w, 21);
    to.reads(with_stack(n));
    if (pair && (ordered || !bit(w, 31))) {  // cas, casp
      for (unsigned i = 0; i != (ordered ? 1U : 2U); ++i) {
        to.writes(general((s + i) % 32));
        to.reads(general((s + i) % 32));
        to.reads(general((t + i) % 32));
      }
      return both();
    }
    if (!ordered && !load) to.writes(general(s));
    to.moves(general(t), load);
    if (pair) to.moves(general(t2), load);
  } else if (group == 1) {  // structures of vectors
    const bool single = bit(w, 24);
    constexpr std::uint8_t counts[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2, 0, 0, 0, 0, 0};
    const unsigned count =
        single ? 1 + 2 * bits(w, 13, 1) + bits(w, 21, 1) : counts[bits(w, 12, 4)];
    for (unsigned i = 0; i != count; ++i) to.moves(vector(t + i), bit(w, 22));
    to.reads(with_stack(n));
    if (!bit(w, 23)) return;
    to.writes(with_stack(n));
    to.reads(general(s));
  } else if (group == 3) {
    if (bits(w, 24, 2) == 0)  // literals; 3 is prfm
      return is_vector || bits(w, 30, 2) != 3 ? to.writes(data(t)) : void();
    to.reads(with_stack(n));  // rcpc with an offset
    if (bits(w, 24, 2) == 1) to.moves(general(t), opc != 0);
  } else if (group == 5) {  // pairs
    to.reads(with_stack(n));
    to.moves(data(t), bit(w, 22));
    to.moves(data(t2), bit(w, 22));
    if (bit(w, 23)) to.writes(with_stack(n));
  } else if (group == 7) {
    const bool register_form = !bit(w, 24) && bit(w, 21);
    to.reads(with_stack(n));
    if (register_form && bits(w, 10, 2) == 0) {  // atomic operations
      to.reads(general(s));
      to.writes(general(t));
      if (bits(w, 12, 3) != 4 || !bit(w, 15)) both();  // except ldapr
      return;
    }
    if (!is_vector && bits(w, 30, 2) == 3 && opc == 2) {  // prfm
      if (register_form) to.reads(general(s));
      return;
    }
    const bool authenticated = register_form && bit(w, 10);  // ldraa, ldrab
    to.moves(data(t), authenticated || (is_vector ? bit(w, 22) : opc != 0));
    if (register_form && !authenticated) to.reads(general(s));
    if (authenticated ? bit(w, 11) : !bit(w, 24) && !bit(w, 21) && bit(w, 10))
      to.writes(with_stack(n));
  }
}

TRACECODEC_FUNC void decode_registers(std::uint32_t w, const writer& to) {
  const unsigned d = bits(w, 0, 5), n = bits(w, 5, 5), m = bits(w, 16, 5), what = bits(w, 21, 4);
  if (!bit(w, 28)) {
    const bool adds = bit(w, 24), extends = adds && bit(w, 21);
    const bool sets = adds ? bit(w, 29) : bits(w, 29, 2) == 3;
    to.writes(extends && !sets ? with_stack(d) : general(d));
    to.reads(extends ? with_stack(n) : general(n));
    to.reads(general(m));
    if (sets) to.writes(flags);
    return;
  }
  const bool compares = what == 2;
  if (!compares) to.writes(general(d));
  to.reads(general(n));
  const bool second = compares ? !bit(w, 11) : what != 6 || !bit(w, 30);
  if (second) to.reads(general(m));
  if (what >= 8) to.reads(general(bits(w, 10, 5)));
  if (what == 0 || what == 2 || what == 4) to.reads(flags);  // adc, ccmp, csel
  if (compares || (what == 0 && bit(w, 29))) to.writes(flags);
}

// Decodes floating-point and vector instructions. Registers that an instruction both reads and writes
// are only written.
TRACECODEC_FUNC void decode_vector(std::uint32_t w, const writer& to) {
  const reg d = vector(bits(w, 0, 5)), n = vector(bits(w, 5, 5)), m = vector(bits(w, 16, 5));
  const unsigned form = bits(w, 24, 5), operation = bits(w, 16, 3);
  const bool scalar = (form == 0x1E || form == 0x1F) && !bit(w, 30);
  const auto all = [&to](reg to_register, reg a, reg b) {
    to.writes(to_register);
    to.reads(a);
    to.reads(b);
  };
  if (scalar && form == 0x1F) {  // fmadd and its variants
    all(d, n, m);
    return to.reads(vector(bits(w, 10, 5)));
  }
  if (scalar && (!bit(w, 21) || bits(w, 10, 6) == 0)) {  // conversions from and to integers
    const bool from = operation == 2 || operation == 3 || (bit(w, 21) && operation == 7);
    return all(from ? d : general(bits(w, 0, 5)), from ? general(bits(w, 5, 5)) : n, reg::none);
  }
  if (scalar) {
    switch (bits(w, 10, 2)) {
      case 1:  // fccmp
        to.reads(flags);
        return all(flags, n, m);
      case 2:
        return all(d, n, m);
      case 3:  // fcsel
        to.reads(flags);
        return all(d, n, m);
      default:
        if (bits(w, 12, 1) == 1) return to.writes(d);  // fmov of a constant
        if (bits(w, 13, 1) == 1) return all(flags, n, bit(w, 3) ? reg::none : m);  // fcmp
        return all(d, n, reg::none);
    }
  }
  if (bits(w, 21, 3) == 0 && form == 0x0E && !bit(w, 15) && bit(w, 10)) {  // copies
    const unsigned how = bits(w, 11, 4);
    const reg from = how == 1 || how == 3 ? general(bits(w, 5, 5)) : n;
    return all(how == 5 || how == 7 ? general(bits(w, 0, 5)) : d, from, reg::none);
  }
  if (form == 0x0E && bits(w, 21, 3) == 0 && !bit(w, 29) && !bit(w, 15) && bits(w, 10, 2) == 0)
    for (unsigned i = 1; i <= bits(w, 13, 2); ++i)  // tbl, tbx
      to.reads(vector(bits(w, 5, 5) + i));
  if (bits(w, 19, 5) == 0 && (form == 0x0F) && bit(w, 10)) return to.writes(d);  // constants
  const bool one_source = (bits(w, 17, 5) == 0x10 && bits(w, 10, 2) == 2) ||     // two registers
                          (bits(w, 17, 5) == 0x18 && bits(w, 10, 2) == 2) ||     // across lanes
                          ((form == 0x0F || form == 0x1F) && !bit(w, 23) && bit(w, 10));  // shifts
  all(d, n, one_source ? reg::none : m);
}

TRACECODEC_FUNC void decode_a64(std::uint32_t w, const writer& to) {
  const unsigned group = bits(w, 25, 4);
  if ((group & 14U) == 8)
    decode_immediate(w, to);
  else if ((group & 14U) == 10)
    decode_branch(w, to);
  else if ((group & 5U) == 4)
    decode_access(w, to);
  else if ((group & 7U) == 5)
    decode_registers(w, to);
  else if ((group & 7U) == 7)
    decode_vector(w, to);
}

// Makes the instruction a branch to an address that follows from no constant: that of register `from`,
// or of memory.
constexpr void branch_indirectly(x86::instruction& to, kind k, reg from) noexcept {
  to.kind = k;
  to.operand = from;
}

TRACECODEC_FUNC void decode_a32(std::uint32_t w, const writer& to) {
  const unsigned condition = w >> 28, d = bits(w, 12, 4), n = bits(w, 16, 4), m = bits(w, 0, 4),
                 s = bits(w, 8, 4);
  const unsigned group = bits(w, 25, 3);
  const kind call = kind::direct_call;
  if (condition == 15) {
    if (group == 5) {  // blx
      to.branches(call, 4 * extended(bits(w, 0, 24), 24) + 2 * bits(w, 24, 1) + 4);
      to.writes(narrow(14));
    }
    return;
  }
  if (group == 5) {  // b, bl
    to.branches(bit(w, 24) ? call : kind::direct_jump, 4 * extended(bits(w, 0, 24), 24) + 4);
    if (bit(w, 24)) to.writes(narrow(14));
  } else if (bits(w, 24, 4) == 15) {
    to.to.kind = kind::system;                                            // svc
  } else if (bits(w, 4, 24) >= 0x12FFF1 && bits(w, 4, 24) <= 0x12FFF3) {  // bx, bxj, blx
    const bool links = bits(w, 4, 4) == 3;
    branch_indirectly(to.to,
                      links     ? kind::indirect_call
                      : m == 14 ? kind::return_
                                : kind::indirect_jump,
                      narrow(m));
    to.reads(narrow(m));
    if (links) to.writes(narrow(14));
  } else if (group == 4) {  // ldm, stm
    to.reads(narrow(n));
    for (unsigned r = 0; r != 16; ++r)
      if (bit(w, r)) to.moves(narrow(r), bit(w, 20));
    if (bit(w, 21)) to.writes(narrow(n));
    if (bit(w, 20) && bit(w, 15))
      branch_indirectly(to.to, n == 13 ? kind::return_ : kind::indirect_jump, reg::from_memory);
  } else if (group == 2 || (group == 3 && !bit(w, 4))) {  // ldr, str
    to.reads(narrow(n));
    if (group == 3) to.reads(narrow(m));
    to.moves(narrow(d), bit(w, 20));
    if (!bit(w, 24) || bit(w, 21)) to.writes(narrow(n));
    if (bit(w, 20) && d == 15 && !bit(w, 22))
      branch_indirectly(to.to, n == 13 && !bit(w, 24) ? kind::return_ : kind::indirect_jump,
                        reg::from_memory);
  } else if (group == 0 && bit(w, 7) && bit(w, 4)) {
    if (bits(w, 4, 4) != 9) {  // ldrh, strd and others
      to.reads(narrow(n));
      if (!bit(w, 22)) to.reads(narrow(m));
      const bool load = bit(w, 20) || bits(w, 4, 4) == 13, two = !bit(w, 20) && bit(w, 6);
      to.moves(narrow(d), load);
      if (two) to.moves(narrow(d + 1), load);
      if (!bit(w, 24) || bit(w, 21)) to.writes(narrow(n));
    } else if (!bit(w, 24)) {  // multiplications
      to.writes(narrow(n));
      if (bit(w, 23)) to.writes(narrow(d));
      if (!bit(w, 23) && bit(w, 21)) to.reads(narrow(d));
      to.reads(narrow(m));
      to.reads(narrow(s));
      if (bit(w, 20)) to.writes(flags);
    } else {  // swp, ldrex, strex
      to.reads(narrow(n));
      to.writes(narrow(d));
      if (!bit(w, 20)) to.reads(narrow(m));
    }
  } else if (group == 3) {  // media instructions
    const bool divides = (bits(w, 20, 8) & 0xFDU) == 0x71, fields = bits(w, 22, 6) == 0x1F,
               extends = bits(w, 23, 5) == 0xD;
    if (divides) {
      to.writes(narrow(n));
      to.reads(narrow(s));
    } else if (fields || extends) {  // bfi, ubfx; uxtb, uxtab and others
      to.writes(narrow(d));
      if (extends) to.reads(narrow(n));
    }
    if (divides || fields || extends) to.reads(narrow(m));
  } else if (bits(w, 20, 8) == 0x16 && bits(w, 4, 4) == 1) {  // clz
    to.writes(narrow(d));
    to.reads(narrow(m));
  } else if (group <= 1 && (bits(w, 23, 2) != 2 || bit(w, 20))) {  // operations on registers
    const unsigned operation = bits(w, 21, 4);
    const bool tests = operation >= 8 && operation < 12, moves = operation == 13 || operation == 15;
    if (!tests) to.writes(narrow(d));
    if (!moves) to.reads(narrow(n));
    if (group == 0) to.reads(narrow(m));
    if (group == 0 && bit(w, 4)) to.reads(narrow(s));
    if (operation >= 5 && operation <= 7) to.reads(flags);
    if (bit(w, 20)) to.writes(flags);
    if (d == 15 && !tests) {
      const bool returns = operation == 13 && group == 0 && m == 14 && bits(w, 4, 8) == 0;
      branch_indirectly(to.to, returns || bit(w, 20) ? kind::return_ : kind::indirect_jump,
                        group == 0 ? narrow(m) : reg::from_memory);
    }
  } else if (group == 1 && bits(w, 20, 2) == 0) {  // movw, movt
    to.writes(narrow(d));
    if (bit(w, 22)) to.reads(narrow(d));
  }
  if (condition != 14) {
    to.reads(flags);
    if (to.to.kind < kind::not_branch) to.to.kind = kind::conditional;
  }
}

TRACECODEC_FUNC void decode_t16(std::uint32_t w, const writer& to) {
  const unsigned m = bits(w, 3, 4), d = bits(w, 7, 1) << 3 | bits(w, 0, 3);
  if (bits(w, 12, 4) == 13) {  // b with a condition, svc
    if (bits(w, 8, 4) == 15) to.to.kind = kind::system;
    if (bits(w, 8, 4) >= 14) return;
    to.branches(kind::conditional, 2 * extended(bits(w, 0, 8), 8) + 2);
    to.reads(flags);
  } else if (bits(w, 11, 5) == 0x1C) {  // b
    to.branches(kind::direct_jump, 2 * extended(bits(w, 0, 11), 11) + 2);
  } else if ((w & 0xF500U) == 0xB100U) {  // cbz, cbnz
    to.branches(kind::conditional, 64 * bits(w, 9, 1) + 2 * bits(w, 3, 5) + 2);
    to.reads(narrow(bits(w, 0, 3)));
  } else if (bits(w, 8, 8) == 0x47) {  // bx, blx
    branch_indirectly(to.to,
                      bit(w, 7) ? kind::indirect_call
                      : m == 14 ? kind::return_
                                : kind::indirect_jump,
                      narrow(m));
    to.reads(narrow(m));
    if (bit(w, 7)) to.writes(narrow(14));
  } else if (bits(w, 8, 8) == 0xBD) {  // pop with pc
    branch_indirectly(to.to, kind::return_, reg::from_memory);
    to.reads(stack);
  } else if ((bits(w, 8, 8) == 0x46 || bits(w, 8, 8) == 0x44) && d == 15) {  // mov, add to pc
    branch_indirectly(to.to, bits(w, 8, 8) == 0x46 && m == 14 ? kind::return_ : kind::indirect_jump,
                      narrow(m));
    to.reads(narrow(m));
  }
}

// Decodes an instruction of two halfwords, of which the first one is the upper half of `w`.
TRACECODEC_FUNC void decode_t32(std::uint32_t w, const writer& to) {
  const unsigned n = bits(w, 16, 4);
  const std::uint32_t sign = bits(w, 26, 1), j1 = bits(w, 13, 1), j2 = bits(w, 11, 1);
  if (bits(w, 27, 5) == 0x1E && bit(w, 15)) {
    if (bit(w, 14) || bit(w, 12)) {  // b, bl, blx
      const std::uint32_t offset = sign << 24 | (j1 ^ sign ^ 1U) << 23 | (j2 ^ sign ^ 1U) << 22 |
                                   bits(w, 16, 10) << 12 | bits(w, 0, 11) << 1;
      to.branches(bit(w, 14) ? kind::direct_call : kind::direct_jump, extended(offset, 25));
      if (bit(w, 14)) to.writes(narrow(14));
      if (!bit(w, 12)) to.to.target_bytes = 4;
    } else if (bits(w, 22, 4) < 14) {
      to.branches(kind::conditional, extended(sign << 20 | j2 << 19 | j1 << 18 |
                                                  bits(w, 16, 6) << 12 | bits(w, 0, 11) << 1,
                                              21));
      to.reads(flags);
    } else if (w == 0xF3DE8F00U || (w >> 16 == 0xF3DEU && bits(w, 8, 8) == 0x8F)) {
      branch_indirectly(to.to, kind::return_, narrow(14));  // subs to pc
    }
  } else if (bits(w, 20, 12) == 0xF85 || bits(w, 20, 12) == 0xF8D) {  // ldr
    if (bits(w, 12, 4) != 15) return;
    const bool pops = n == 13 && bits(w, 20, 12) == 0xF85 && bits(w, 8, 4) == 11;
    branch_indirectly(to.to, pops ? kind::return_ : kind::indirect_jump, reg::from_memory);
    to.reads(narrow(n));
  } else if ((w & 0xFE500000U) == 0xE8100000U && bit(w, 15) && bits(w, 23, 2) != 0 &&
             bits(w, 23, 2) != 3 && !bit(w, 22)) {  // ldm
    branch_indirectly(to.to, n == 13 ? kind::return_ : kind::indirect_jump, reg::from_memory);
    to.reads(narrow(n));
  } else if ((w & 0xFFF0FFE0U) == 0xE8D0F000U) {  // tbb, tbh
    branch_indirectly(to.to, kind::indirect_jump, reg::from_memory);
    to.reads(narrow(n));
    to.reads(narrow(bits(w, 0, 4)));
  }
}

}  // namespace detail

TRACECODEC_FUNC x86::instruction decode(instruction_set set,
                                        std::span<const std::byte> code) noexcept {
  x86::instruction to;
  const detail::writer writer{to};
  const bool thumb = set == instruction_set::t32;
  if (code.size() != 4 && !(thumb && code.size() == 2)) return to;
  to.length = static_cast<std::uint8_t>(code.size());
  if (set != instruction_set::a64) to.pointer_bytes = 4;
  const auto half = [&code](std::size_t at) {
    return std::uint32_t{wire::u16le::load(code.data() + at)};
  };
  if (code.size() == 2)
    detail::decode_t16(half(0), writer);
  else if (thumb)
    detail::decode_t32(half(0) << 16 | half(2), writer);
  else if (set == instruction_set::a32)
    detail::decode_a32(wire::u32le::load(code.data()), writer);
  else
    detail::decode_a64(wire::u32le::load(code.data()), writer);
  return to;
}

TRACECODEC_FUNC unsigned conditional_count(std::span<const std::byte> code) noexcept {
  if (code.size() != 2 || code[1] != std::byte{0xBF}) return 0;
  const auto mask = std::to_integer<unsigned>(code[0]) & 15U;
  for (unsigned n = 1; n <= 4; ++n)
    if ((mask & ((1U << n) - 1)) != 0) return 5 - n;
  return 0;
}

}  // namespace tracecodec::arm
