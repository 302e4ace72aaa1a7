// Whole registers of x86, with the numbers that simulators use. General registers, segment
// registers, flags and ip have the numbers of Intel Pin. The following table defines the numbers of
// all other registers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../wire/text.hpp"

namespace tracecodec::x86 {

// Number     Register
// ---------  ------------------------------------------------------------------------------
// 0          not a register: an unused slot
// 3-10       rdi rsi rbp rsp rbx rdx rcx rax     Pin's; parts such as al, ax and eax are rax
// 11-18      r8-r15                              Pin's
// 19-24      cs ss ds es fs gs                   Pin's
// 25, 26     flags, ip                           Pin's
// 64-95      vector registers 0-31               xmm, ymm and zmm share a number
// 96-103     mask registers k0-k7
// 104-111    mm0-mm7
// 112-119    st(0)-st(7)                         by position on the stack
// 120-123    x87 control, status and tag word, mxcsr
// 124-129    bnd0-bnd3, bndcfg, bndstatus
// 132-139    tmm0-tmm7
// 140-155    cr0-cr15
// 156-171    dr0-dr15
// 172-179    tr0-tr7
// 180-183    gdtr ldtr idtr tr
// 184-186    pkru, xcr0, the user interrupt flag
// 255        not a register: a branch target that was loaded from memory
//
// Pin's numbers above 26 differ between versions, so this table defines its own numbers. The
// enumerators have these numbers, so a cast converts an enumerator to a ChampSim operand.
enum class reg : std::uint8_t {
  none = 0,
  rdi = 3,
  rsi = 4,
  rbp = 5,
  rsp = 6,
  rbx = 7,
  rdx = 8,
  rcx = 9,
  rax = 10,
  r8 = 11,
  r9 = 12,
  r10 = 13,
  r11 = 14,
  r12 = 15,
  r13 = 16,
  r14 = 17,
  r15 = 18,
  cs = 19,
  ss = 20,
  ds = 21,
  es = 22,
  fs = 23,
  gs = 24,
  flags = 25,
  ip = 26,
  vector0 = 64,
  mask0 = 96,
  mmx0 = 104,
  x87_0 = 112,
  x87_control = 120,
  x87_status = 121,
  x87_tag = 122,
  mxcsr = 123,
  bound0 = 124,
  bound_config = 128,
  bound_status = 129,
  tile0 = 132,
  control0 = 140,
  debug0 = 156,
  test0 = 172,
  gdtr = 180,
  ldtr = 181,
  idtr = 182,
  task = 183,
  pkru = 184,
  xcr0 = 185,
  user_interrupt = 186,
  from_memory = 255
};

// Returns register `n` of a sequence of numbered registers. For example, row(reg::vector0, 3) is
// xmm3, ymm3 and zmm3.
constexpr reg row(reg first, std::size_t n) noexcept {
  return static_cast<reg>(static_cast<std::size_t>(first) + n);
}

// Returns the number of the register in a simulator's operand lists.
constexpr std::uint8_t number(reg r) noexcept { return static_cast<std::uint8_t>(r); }

// Returns the name of a register, such as "rax", "flags", "k1" or "st0". Returns a name such as
// "r#200" for a number that is not a register. The names of vector registers are "v0" to "v31",
// because xmm3, ymm3 and zmm3, for example, share a number.
constexpr wire::text name(reg r) noexcept {
  constexpr std::array<std::string_view, 27> general{
      "none", "",    "",   "rdi", "rsi", "rbp", "rsp", "rbx",   "rdx",
      "rcx",  "rax", "r8", "r9",  "r10", "r11", "r12", "r13",   "r14",
      "r15",  "cs",  "ss", "ds",  "es",  "fs",  "gs",  "flags", "ip"};
  struct numbered {
    reg first;
    std::size_t count;
    std::string_view name;
  };
  constexpr std::array<numbered, 9> rows{{{reg::vector0, 32, "v"},
                                          {reg::mask0, 8, "k"},
                                          {reg::mmx0, 8, "mm"},
                                          {reg::x87_0, 8, "st"},
                                          {reg::bound0, 4, "bnd"},
                                          {reg::tile0, 8, "tmm"},
                                          {reg::control0, 16, "cr"},
                                          {reg::debug0, 16, "dr"},
                                          {reg::test0, 8, "tr"}}};
  struct single {
    reg which;
    std::string_view name;
  };
  constexpr std::array<single, 14> others{{{reg::x87_control, "x87_control"},
                                           {reg::x87_status, "x87_status"},
                                           {reg::x87_tag, "x87_tag"},
                                           {reg::mxcsr, "mxcsr"},
                                           {reg::bound_config, "bndcfg"},
                                           {reg::bound_status, "bndstatus"},
                                           {reg::gdtr, "gdtr"},
                                           {reg::ldtr, "ldtr"},
                                           {reg::idtr, "idtr"},
                                           {reg::task, "tr"},
                                           {reg::pkru, "pkru"},
                                           {reg::xcr0, "xcr0"},
                                           {reg::user_interrupt, "uif"},
                                           {reg::from_memory, "from_memory"}}};
  const std::size_t n = number(r);
  if (n < general.size() && !general[n].empty()) return general[n];
  for (const numbered& a : rows)
    if (n >= number(a.first) && n < number(a.first) + a.count) {
      wire::text t = a.name;
      return t += n - number(a.first);
    }
  for (const single& a : others)
    if (a.which == r) return a.name;
  wire::text t = std::string_view("r#");
  return t += n;
}

}  // namespace tracecodec::x86
