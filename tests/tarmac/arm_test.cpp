// Tests the decoder of Arm instructions. The expected values are those of the disassembly in traces of
// Arm's Fast Models, or of the Arm Architecture Reference Manual.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tracecodec/arm/decode.hpp"

namespace arm = tracecodec::arm;
namespace x86 = tracecodec::x86;
using tracecodec::feed::register_part;

namespace {

struct decoded {
  std::string_view name;
  char state;  // A, T or O
  std::uint32_t code;
  std::size_t size;
  std::uint64_t ip;
  x86::kind kind;
  std::uint64_t target;
  std::string_view read, written;
};

x86::instruction decode(const decoded& d) {
  std::array<std::byte, 4> code{};
  for (std::size_t n = 0; n != d.size; ++n) {
    // The first halfword of T32 code of 4 bytes is the upper one.
    const std::size_t from = d.state == 'T' && d.size == 4 ? (n + 2) % 4 : n;
    code[n] = static_cast<std::byte>(d.code >> 8 * from & 0xFF);
  }
  const auto set = d.state == 'O'   ? arm::instruction_set::a64
                   : d.state == 'A' ? arm::instruction_set::a32
                                    : arm::instruction_set::t32;
  return arm::decode(set, std::span(code).first(d.size));
}
std::string names(std::span<const x86::reg> all) {
  std::string s;
  for (const x86::reg r : all) s += (s.empty() ? "" : " ") + arm::name_of(x86::number(r));
  return s;
}

}  // namespace

TEST_SUITE_BEGIN("arm");

TEST_CASE("decodes A64, A32 and T32 instructions") {
  using enum x86::kind;
  for (const decoded& d :
       {decoded{"BL {pc}+0x3e0", 'O', 0x940000f8, 4, 0x2105dc, direct_call, 0x2109bc, "", "x30"},
        {"B {pc}+0x20", 'O', 0x14000008, 4, 0x1000, direct_jump, 0x1020, "", ""},
        {"CBNZ w11,{pc}-0xc", 'O', 0x35ffffab, 4, 0x210764, conditional, 0x210758, "x11", ""},
        {"TBZ w0,#1,{pc}+8", 'O', 0x36080040, 4, 0x1000, conditional, 0x1008, "x0", ""},
        {"B.NE {pc}-0xc", 'O', 0x54ffffa1, 4, 0xc7ec, conditional, 0xc7e0, "nzcv", ""},
        {"RET", 'O', 0xd65f03c0, 4, 0x1000, return_, 0, "x30", ""},
        {"BLR x1", 'O', 0xd63f0020, 4, 0x1000, indirect_call, 0, "x1", "x30"},
        {"BR x16", 'O', 0xd61f0200, 4, 0x1000, indirect_jump, 0, "x16", ""},
        {"HLT #0xf000", 'O', 0xd45e0000, 4, 0x1000, system, 0, "", ""},
        {"MRS x1,MPIDR_EL1", 'O', 0xd53800a1, 4, 0, not_branch, 0, "", "x1"},
        {"MOV sp,x0", 'O', 0x9100001f, 4, 0, not_branch, 0, "x0", "sp"},
        {"UBFX x0,x1,#8,#8", 'O', 0xd3483c20, 4, 0, not_branch, 0, "x1", "x0"},
        {"MUL x1,x0,x0", 'O', 0x9b007c01, 4, 0, not_branch, 0, "x0", "x1"},
        {"STP x29,x30,[sp,#-0x20]!", 'O', 0xa9be7bfd, 4, 0, not_branch, 0, "sp x29 x30", "sp"},
        {"STR x28,[sp,#0x10]", 'O', 0xf9000bfc, 4, 0, not_branch, 0, "sp x28", ""},
        {"LDRB w11,[x8,x9]", 'O', 0x3869690b, 4, 0, not_branch, 0, "x8 x9", "x11"},
        {"LDR x1,{pc}+0x98", 'O', 0x580004c1, 4, 0, not_branch, 0, "", "x1"},
        {"FMOV d5,xzr", 'O', 0x9e6703e5, 4, 0, not_branch, 0, "", "v5"},
        {"LDR q1,[x2],#0x10", 'O', 0x3cc10441, 4, 0, not_branch, 0, "x2", "v1 x2"},
        {"CSEL x0,x1,x2,EQ", 'O', 0x9a820020, 4, 0, not_branch, 0, "x1 x2 nzcv", "x0"},
        {"ADDS x0,x1,x2", 'O', 0xab020020, 4, 0, not_branch, 0, "x1 x2", "x0 nzcv"},
        {"BLX {pc}+8", 'A', 0xfa000000, 4, 0x8000, direct_call, 0x8008, "", "x14"},
        {"BL {pc}+0x398", 'A', 0xeb0000e4, 4, 0x20158, direct_call, 0x204f0, "", "x14"},
        {"BNE {pc}+0x14", 'A', 0x1a000003, 4, 0x207a4, conditional, 0x207b8, "nzcv", ""},
        {"BX lr", 'A', 0xe12fff1e, 4, 0, return_, 0, "x14", ""},
        {"BXEQ lr", 'A', 0x012fff1e, 4, 0, conditional, 0, "x14 nzcv", ""},
        {"POP {r4-r10,pc}", 'A', 0xe8bd87f0, 4, 0, return_, 0, "sp", "x4 x5 x6 x7 x8 x9 x10 sp"},
        {"LDR pc,{pc}+0x20", 'A', 0xe59ff018, 4, 0, indirect_jump, 0, "", ""},
        {"STR r0,[r1,#4]", 'A', 0xe5810004, 4, 0, not_branch, 0, "x1 x0", ""},
        {"ORR r0,r0,r1", 'A', 0xe1800001, 4, 0, not_branch, 0, "x0 x1", "x0"},
        {"TST r0,#1", 'A', 0xe3100001, 4, 0, not_branch, 0, "x0", "nzcv"},
        {"MOVEQ r6,#0x1000", 'A', 0x03a06a01, 4, 0, not_branch, 0, "nzcv", "x6"},
        {"BLX {pc}-0x110", 'T', 0xf7ffef76, 4, 0x815c, direct_call, 0x804c, "", "x14"},
        {"BLX at the second half of a word", 'T', 0xf7ffef76, 4, 0x815e, direct_call, 0x804c, "",
         "x14"},
        {"BL {pc}+4", 'T', 0xf000f800, 4, 0x1000, direct_call, 0x1004, "", "x14"},
        {"B.W {pc}+4", 'T', 0xf000b800, 4, 0x1000, direct_jump, 0x1004, "", ""},
        {"BEQ.W {pc}+4", 'T', 0xf0008000, 4, 0x1000, conditional, 0x1004, "nzcv", ""},
        {"POP {r4-r10,pc}", 'T', 0xe8bd87f0, 4, 0, return_, 0, "sp", ""},
        {"TBB [pc,r0]", 'T', 0xe8dff000, 4, 0, indirect_jump, 0, "x0", ""},
        {"BX lr", 'T', 0x4770, 2, 0, return_, 0, "x14", ""},
        {"BLX r3", 'T', 0x4798, 2, 0, indirect_call, 0, "x3", "x14"},
        {"POP {r4,pc}", 'T', 0xbd10, 2, 0, return_, 0, "sp", ""},
        {"BNE {pc}-4", 'T', 0xd1fc, 2, 0x1004, conditional, 0x1000, "nzcv", ""},
        {"B {pc}+4", 'T', 0xe000, 2, 0x1000, direct_jump, 0x1004, "", ""},
        {"CBZ r2,{pc}+6", 'T', 0xb10a, 2, 0x1000, conditional, 0x1006, "x2", ""},
        {"MOV pc,lr", 'T', 0x46f7, 2, 0, return_, 0, "x14", ""},
        {"SVC #0xab", 'T', 0xdfab, 2, 0, system, 0, "", ""}}) {
    CAPTURE(d.name);
    const x86::instruction i = decode(d);
    CHECK(i.valid());
    CHECK(i.kind == d.kind);
    CHECK(arm::direct_target(i, d.ip) == d.target);
    CHECK(names(i.registers_read()) == d.read);
    CHECK(names(i.registers_written()) == d.written);
  }
  CHECK_FALSE(arm::decode(arm::instruction_set::a64, {}).valid());
}

TEST_CASE("any A64, A32 and T32 code can be decoded") {
  std::uint32_t code = 1;
  for (int n = 0; n != 200000; ++n) {
    code = code * 1664525 + 1013904223;
    for (const char state : {'O', 'A', 'T'}) {
      const x86::instruction i = decode({"", state, code, 4, 0, x86::kind::other, 0, "", ""});
      if (!i.valid() || arm::direct_target(i, 0x1000) % 2 != 0) FAIL(code);
    }
  }
}

TEST_CASE("the T32 instruction IT governs up to four instructions") {
  const auto count = [](unsigned code) {
    return arm::conditional_count(
        std::array{static_cast<std::byte>(code & 0xFF), static_cast<std::byte>(code >> 8)});
  };
  CHECK(count(0xbf08) == 1);  // IT EQ
  CHECK(count(0xbf0c) == 2);  // ITE EQ
  CHECK(count(0xbf1d) == 4);
  CHECK(count(0xbf00) == 0);  // NOP
  CHECK(count(0xb108) == 0);
}

TEST_CASE("names of registers depend on the instruction set") {
  using enum arm::instruction_set;
  const auto is = [](std::string_view name, arm::instruction_set set, std::uint8_t index,
                     unsigned offset, unsigned size) {
    return arm::find_part(name, set) == register_part{arm::number_of(index),
                                                      static_cast<std::uint8_t>(offset),
                                                      static_cast<std::uint8_t>(size)};
  };
  CHECK(is("X30", a64, 30, 0, 8));
  CHECK(is("w5", a64, 5, 0, 4));
  CHECK(is("SP_EL3", a64, 31, 0, 8));
  CHECK(is("r13_svc", a32, 31, 0, 4));
  CHECK(is("LR_SVC", a32, 14, 0, 4));
  CHECK(is("LR", a64, 30, 0, 8));
  CHECK(is("cpsr", t32, arm::flags_register, 0, 4));
  CHECK(is("d3", a64, 32 + 3, 0, 8));
  CHECK(is("d3", a32, 32 + 1, 8, 8));
  CHECK(is("s7", t32, 32 + 1, 12, 4));
  CHECK(is("V31", a64, 63, 0, 16));
  for (const auto* const name : {"SCTLR_EL3", "x31", "r15", "q32", "x01", "", "x", "fpcr"})
    CHECK_FALSE(arm::find_part(name, a64));
  CHECK(arm::find_part("PC", a64) == register_part{tracecodec::feed::instruction_pointer, 0, 8});
  CHECK(arm::find_part("pc", t32)->size == 4);
  CHECK(arm::find_part_64("d3")->size == 8);
  // Whole registers have an index.
  CHECK(arm::find_register("FP") == 29);
  CHECK(arm::find_register("sp") == 31);
  CHECK(arm::find_register("q31") == 63);
  CHECK(arm::find_register("nzcv") == arm::flags_register);
  for (const auto* const name : {"w0", "d0", "s1", "pc", "r0"})
    CHECK_FALSE(arm::find_register(name));
  CHECK(arm::registers().words.size() == arm::word_count);
  CHECK(arm::registers().find("q3")->size == 8);
}

TEST_SUITE_END();
