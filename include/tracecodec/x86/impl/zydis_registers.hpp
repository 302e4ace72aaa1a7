// Conversion of Zydis registers to x86::reg. Each part of a register is converted to the whole
// register. This file is a part of impl/zydis.ipp.
#pragma once
#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>

#include "../registers.hpp"

namespace tracecodec::x86::detail {

// Returns the whole register that contains `r`, or reg::none if x86::reg does not include that
// register.
inline reg whole_register(ZydisRegister r) noexcept {
  struct range {
    ZydisRegister first;
    std::size_t count;
    reg to;
  };
  // Zydis numbers the general registers in the order of the machine encoding. The byte registers ah
  // to bh are an exception, because they follow the first four byte registers.
  constexpr std::array<reg, 16> general{reg::rax, reg::rcx, reg::rdx, reg::rbx, reg::rsp, reg::rbp,
                                        reg::rsi, reg::rdi, reg::r8,  reg::r9,  reg::r10, reg::r11,
                                        reg::r12, reg::r13, reg::r14, reg::r15};
  struct general_range {
    ZydisRegister first;
    std::size_t count, from;
  };
  constexpr std::array<general_range, 6> parts{{{ZYDIS_REGISTER_AL, 4, 0},
                                                {ZYDIS_REGISTER_AH, 4, 0},
                                                {ZYDIS_REGISTER_SPL, 12, 4},
                                                {ZYDIS_REGISTER_AX, 16, 0},
                                                {ZYDIS_REGISTER_EAX, 16, 0},
                                                {ZYDIS_REGISTER_RAX, 16, 0}}};
  constexpr std::array<reg, 6> segments{reg::es, reg::cs, reg::ss, reg::ds, reg::fs, reg::gs};
  constexpr std::array<range, 17> rows{{{ZYDIS_REGISTER_XMM0, 32, reg::vector0},
                                        {ZYDIS_REGISTER_YMM0, 32, reg::vector0},
                                        {ZYDIS_REGISTER_ZMM0, 32, reg::vector0},
                                        {ZYDIS_REGISTER_K0, 8, reg::mask0},
                                        {ZYDIS_REGISTER_MM0, 8, reg::mmx0},
                                        {ZYDIS_REGISTER_ST0, 8, reg::x87_0},
                                        {ZYDIS_REGISTER_X87CONTROL, 3, reg::x87_control},
                                        {ZYDIS_REGISTER_MXCSR, 1, reg::mxcsr},
                                        {ZYDIS_REGISTER_BND0, 6, reg::bound0},
                                        {ZYDIS_REGISTER_TMM0, 8, reg::tile0},
                                        {ZYDIS_REGISTER_CR0, 16, reg::control0},
                                        {ZYDIS_REGISTER_DR0, 16, reg::debug0},
                                        {ZYDIS_REGISTER_TR0, 8, reg::test0},
                                        {ZYDIS_REGISTER_GDTR, 4, reg::gdtr},
                                        {ZYDIS_REGISTER_PKRU, 3, reg::pkru},
                                        {ZYDIS_REGISTER_FLAGS, 1, reg::flags},
                                        {ZYDIS_REGISTER_IP, 1, reg::ip}}};
  // `rows` contains only the 16-bit flags and ip, so convert the wider registers here.
  if (r == ZYDIS_REGISTER_EFLAGS || r == ZYDIS_REGISTER_RFLAGS) return reg::flags;
  if (r == ZYDIS_REGISTER_EIP || r == ZYDIS_REGISTER_RIP) return reg::ip;
  const auto within = [r](ZydisRegister first, std::size_t count) {
    return r >= first && static_cast<std::size_t>(r - first) < count;
  };
  for (const general_range& p : parts)
    if (within(p.first, p.count)) return general[static_cast<std::size_t>(r - p.first) + p.from];
  if (within(ZYDIS_REGISTER_ES, 6))
    return segments[static_cast<std::size_t>(r - ZYDIS_REGISTER_ES)];
  for (const range& a : rows)
    if (within(a.first, a.count)) return row(a.to, static_cast<std::size_t>(r - a.first));
  return reg::none;
}

}  // namespace tracecodec::x86::detail
