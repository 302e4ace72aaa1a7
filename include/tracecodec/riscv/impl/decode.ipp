// Implementation of riscv/decode.hpp.
#pragma once
#include <cstdint>

#include "../../wire/types/scalar.hpp"
#include "../decode.hpp"

namespace tracecodec::riscv {

namespace detail {

using x86::kind;
using x86::reg;

// Returns the `n` bits of an instruction that begin at bit `at`.
constexpr unsigned bits(std::uint32_t w, unsigned at, unsigned n) {
  return w >> at & ((1U << n) - 1);
}
// Sign-extends a number of `n` bits.
constexpr std::int64_t extended(std::uint32_t v, unsigned n) {
  const std::uint32_t sign = 1U << (n - 1);
  return static_cast<std::int64_t>(v ^ sign) - static_cast<std::int64_t>(sign);
}

constexpr reg general(unsigned n) { return static_cast<reg>(number_of_general(n)); }
constexpr reg floating(unsigned n) { return static_cast<reg>(number_of_other(n)); }
// Returns true for x1 and x5, which conventionally contain return addresses (manual, section 2.5,
// on jalr).
constexpr bool is_link(unsigned n) { return n == 1 || n == 5; }

constexpr kind of_jalr(unsigned to, unsigned from) {
  if (is_link(to)) return kind::indirect_call;
  return is_link(from) ? kind::return_ : kind::indirect_jump;
}

// Decodes a 16-bit instruction (extension C). A register field of three bits selects a register
// from x8 to x15. The result for a reserved instruction has no registers.
TRACECODEC_FUNC void decode_short(std::uint32_t w, x86::instruction& to) {
  const unsigned quadrant = bits(w, 0, 2), f = bits(w, 13, 3), rd = bits(w, 7, 5),
                 rs2 = bits(w, 2, 5);
  const unsigned small1 = 8 + bits(w, 7, 3), small2 = 8 + bits(w, 2, 3);
  const bool high = bits(w, 12, 1) != 0;
  if (quadrant == 0) {
    if (f == 0) {  // addi4spn
      to.add_written(general(small2));
      to.add_read(reg::rsp);
      return;
    }
    const bool store = f >= 5, is_floating = f == 1 || f == 5;
    to.add_read(general(small1));
    const reg r = is_floating ? floating(small2) : general(small2);
    store ? to.add_read(r) : to.add_written(r);
  } else if (quadrant == 1) {
    if (f == 5) {  // j
      to.kind = kind::direct_jump;
      to.branch_offset = extended(bits(w, 12, 1) << 11 | bits(w, 11, 1) << 4 | bits(w, 9, 2) << 8 |
                                      bits(w, 8, 1) << 10 | bits(w, 7, 1) << 6 |
                                      bits(w, 6, 1) << 7 | bits(w, 3, 3) << 1 | bits(w, 2, 1) << 5,
                                  12) -
                         2;
    } else if (f >= 6) {  // beqz, bnez
      to.kind = kind::conditional;
      to.add_read(general(small1));
      to.branch_offset = extended(bits(w, 12, 1) << 8 | bits(w, 10, 2) << 3 | bits(w, 5, 2) << 6 |
                                      bits(w, 3, 2) << 1 | bits(w, 2, 1) << 5,
                                  9) -
                         2;
    } else if (f == 4) {
      // The following operations have one register and an immediate, or two registers, in fields of
      // three bits.
      to.add_written(general(small1));
      to.add_read(general(small1));
      if (bits(w, 10, 2) == 3) to.add_read(general(small2));
    } else {  // addi, addiw, li, lui, addi16sp
      to.add_written(general(rd));
      if (f == 0 || f == 1 || (f == 3 && rd == 2)) to.add_read(general(rd));
    }
  } else if (f == 4) {
    if (rs2 != 0) {  // mv, add
      to.add_written(general(rd));
      if (high) to.add_read(general(rd));
      to.add_read(general(rs2));
    } else if (rd == 0) {
      if (high) to.kind = kind::system;  // ebreak
    } else {                             // jr, jalr
      to.kind = of_jalr(high ? 1 : 0, rd);
      to.add_read(general(rd));
      if (high) to.add_written(general(1));
    }
  } else if (f == 0) {  // slli
    to.add_written(general(rd));
    to.add_read(general(rd));
  } else {  // loads and stores relative to the stack pointer
    to.add_read(reg::rsp);
    const bool store = f >= 5, is_floating = f == 1 || f == 5;
    if (store)
      to.add_read(is_floating ? floating(rs2) : general(rs2));
    else
      to.add_written(is_floating ? floating(rd) : general(rd));
  }
}

TRACECODEC_FUNC void decode_long(std::uint32_t w, x86::instruction& to) {
  const unsigned opcode = bits(w, 2, 5), rd = bits(w, 7, 5), f3 = bits(w, 12, 3),
                 rs1 = bits(w, 15, 5), rs2 = bits(w, 20, 5), f7 = bits(w, 25, 7);
  // True if f3 is the width of a vector load or store.
  const bool vector_width = f3 == 0 || f3 >= 5;
  switch (opcode) {
    case 0x1B:  // jal
      to.kind = is_link(rd) ? kind::direct_call : kind::direct_jump;
      to.add_written(general(rd));
      to.branch_offset = extended(bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 |
                                      bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1,
                                  21) -
                         4;
      return;
    case 0x19:  // jalr
      to.kind = of_jalr(rd, rs1);
      to.add_written(general(rd));
      to.add_read(general(rs1));
      return;
    case 0x18:  // branches
      to.kind = kind::conditional;
      to.add_read(general(rs1));
      to.add_read(general(rs2));
      to.branch_offset = extended(bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 |
                                      bits(w, 8, 4) << 1,
                                  13) -
                         4;
      return;
    case 0x1C:  // ecall, ebreak; csr
      if (f3 == 0) {
        to.kind = kind::system;
      } else {
        to.add_written(general(rd));
        if (f3 < 4) to.add_read(general(rs1));
      }
      return;
    case 0x00:  // loads
    case 0x04:  // operations on a register and an immediate
    case 0x06:
      to.add_written(general(rd));
      to.add_read(general(rs1));
      return;
    case 0x05:  // auipc, lui
    case 0x0D:
      to.add_written(general(rd));
      return;
    case 0x08:  // stores
      to.add_read(general(rs1));
      to.add_read(general(rs2));
      return;
    case 0x01:  // loads and stores of floating-point numbers or vectors
      to.add_written(floating(rd));
      to.add_read(general(rs1));
      return;
    case 0x09:
      to.add_read(general(rs1));
      to.add_read(floating(vector_width ? rd : rs2));
      return;
    // Atomic operations, and operations on two registers. The instruction lr has no second source.
    case 0x0B:
    case 0x0C:
    case 0x0E:
      to.add_written(general(rd));
      to.add_read(general(rs1));
      if (opcode != 0x0B || f7 >> 2 != 2) to.add_read(general(rs2));
      // All atomic operations except lr and sc read memory and then write it.
      if (opcode == 0x0B && f7 >> 2 != 2 && f7 >> 2 != 3)
        to.add_memory({.reads = true, .writes = true});
      return;
    case 0x10:  // fmadd and its variants
    case 0x11:
    case 0x12:
    case 0x13:
      to.add_written(floating(rd));
      to.add_read(floating(rs1));
      to.add_read(floating(rs2));
      to.add_read(floating(bits(w, 27, 5)));
      return;
    // Floating-point operations. Some operations use general registers; some have only one source.
    case 0x14: {
      const unsigned what = f7 >> 2;
      const bool to_general = what == 0x14 || what == 0x18 || what == 0x1C;
      const bool from_general = what == 0x1A || what == 0x1E;
      const bool one_source =
          to_general ? what != 0x14 : from_general || what == 0x0B || what == 0x08;
      to.add_written(to_general ? general(rd) : floating(rd));
      to.add_read(from_general ? general(rs1) : floating(rs1));
      if (!one_source) to.add_read(floating(rs2));
      return;
    }
    case 0x15:  // vectors
      if (f3 == 7) {
        to.add_written(general(rd));                         // vsetvl and its variants
        if (bits(w, 30, 2) != 3) to.add_read(general(rs1));  // vsetivli has an immediate
      } else {
        to.add_written(floating(rd));
        to.add_read(floating(rs2));
        if (f3 <= 2 || f3 == 5) to.add_read(floating(rs1));
        if (f3 == 4 || f3 == 6) to.add_read(general(rs1));
      }
      return;
    default:
      return;
  }
}

}  // namespace detail

TRACECODEC_FUNC x86::instruction decode(std::span<const std::byte> code) noexcept {
  x86::instruction to;
  if (code.size() == 2)
    detail::decode_short(wire::u16le::load(code.data()), to);
  else if (code.size() == 4)
    detail::decode_long(wire::u32le::load(code.data()), to);
  else
    return to;
  to.length = static_cast<std::uint8_t>(code.size());
  return to;
}

TRACECODEC_FUNC unsigned access_bytes(std::span<const std::byte> code) noexcept {
  if (code.size() == 2) {
    const std::uint32_t w = wire::u16le::load(code.data());
    // In quadrants 0 and 2, the loads are 1 to 3 and the stores 5 to 7: fld, lw, ld; fsd, sw, sd.
    const unsigned f = detail::bits(w, 13, 3) & 3;
    return w % 2 != 0 || f == 0 ? 0 : f == 2 ? 4 : 8;
  }
  if (code.size() != 4) return 0;
  const std::uint32_t w = wire::u32le::load(code.data());
  const unsigned f3 = detail::bits(w, 12, 3);
  switch (detail::bits(w, 2, 5)) {
    case 0x00:  // loads, of which 4 to 6 have no sign
    case 0x08:  // stores
      return 1U << (f3 & 3);
    case 0x0B:  // atomic operations
      return f3 >= 2 && f3 <= 3 ? 1U << f3 : 0;
    case 0x01:  // loads and stores of floating-point numbers; other widths are those of vectors
    case 0x09:
      return f3 >= 1 && f3 <= 4 ? 1U << f3 : 0;
    default:
      return 0;
  }
}

}  // namespace tracecodec::riscv
