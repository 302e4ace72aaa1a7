// Tests of registers read and written as whole registers, including implicit ones, and of their
// numbers and names.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "support.hpp"
#include "tracecodec/x86/general_registers.hpp"

namespace {
using namespace test;
constexpr reg flags = reg::flags;
reg v(std::size_t n) { return row(reg::vector0, n); }
}  // namespace

TEST_CASE("register numbers equal Intel Pin's and are below 255") {
  CHECK(number(reg::rdi) == 3);
  CHECK(number(reg::rsp) == 6);
  CHECK(number(reg::rax) == 10);
  CHECK(number(reg::r15) == 18);
  CHECK(number(reg::cs) == 19);
  CHECK(number(reg::gs) == 24);
  CHECK(number(reg::flags) == 25);
  CHECK(number(reg::ip) == 26);
  CHECK(number(v(31)) == 95);
  CHECK(number(reg::from_memory) == 255);
}

TEST_CASE("every number has a distinct name") {
  std::set<std::string> names;
  for (std::size_t n = 0; n < 256; ++n) names.emplace(name(static_cast<reg>(n)).view());
  CHECK(names.size() == 256);
  CHECK(name(reg::none).view() == "none");
  CHECK(name(reg::rax).view() == "rax");
  CHECK(name(reg::ip).view() == "ip");
  CHECK(name(v(17)).view() == "v17");
  CHECK(name(row(reg::x87_0, 7)).view() == "st7");
  CHECK(name(reg::mxcsr).view() == "mxcsr");
  CHECK(name(reg::from_memory).view() == "from_memory");
  CHECK(name(static_cast<reg>(200)).view() == "r#200");
}

TEST_CASE("parts of registers count as the whole registers") {
  CHECK(writes(decode64("b0 01")) == registers{reg::rax});          // mov al, 1
  CHECK(writes(decode64("b7 01")) == registers{reg::rbx});          // mov bh, 1
  CHECK(writes(decode64("40 b7 01")) == registers{reg::rdi});       // mov dil, 1
  CHECK(writes(decode64("41 b7 01")) == registers{reg::r15});       // mov r15b, 1
  CHECK(reads(decode64("66 89 e0")) == registers{reg::rsp});        // mov ax, sp
  CHECK(reads(decode32("89 e8")) == registers{reg::rbp});           // mov eax, ebp
  CHECK(writes(decode64("c5 f8 29 d1")) == registers{v(1)});        // vmovaps xmm1, xmm2
  CHECK(reads(decode64("62 a1 7c 48 28 d1")) == registers{v(17)});  // vmovaps zmm18, zmm17
  CHECK(writes(decode64("0f 6f c1")) == registers{row(reg::mmx0, 0)});
  CHECK(writes(decode64("8e d8")) == registers{reg::ds});
}

TEST_CASE("lists each register once, in operand order, with flags last") {
  CHECK(reads(decode64("48 01 c8")) == registers{reg::rax, reg::rcx});
  CHECK(writes(decode64("48 01 c8")) == registers{reg::rax, flags});
  CHECK(reads(decode64("31 c0")) == registers{reg::rax});
  CHECK(reads(decode64("48 11 c8")) == registers{reg::rax, reg::rcx, flags});  // adc
  CHECK(reads(decode64("48 89 44 cb 08")) == registers{reg::rbx, reg::rcx, reg::rax});
  CHECK(writes(decode64("48 89 44 cb 08")).empty());
  CHECK(reads(decode64("48 8d 04 08")) == registers{reg::rax, reg::rcx});
  CHECK(reads(decode64("64 48 8b 04 25 00 00 00 00")) == registers{reg::fs});
  CHECK(reads(decode64("8b 05 00 00 00 00")) == registers{reg::ip});
  CHECK(reads(decode64("0f 44 c1")) == registers{reg::rax, reg::rcx, flags});  // cmov reads old rax
  CHECK(reads(decode64("0f 94 c0")) == registers{flags});
  CHECK(writes(decode64("87 c8")) == registers{reg::rax, reg::rcx});
  CHECK(reads(decode64("f5")) == registers{flags});  // cmc
  CHECK(writes(decode64("f5")) == registers{flags});
  CHECK(reads(decode64("f9")).empty());              // stc
  CHECK(reads(decode64("0f 1f 44 08 00")).empty());  // nop
}

TEST_CASE("lists implicit operands") {
  CHECK(reads(decode64("50")) == registers{reg::rax, reg::rsp});
  CHECK(writes(decode64("50")) == registers{reg::rsp});
  CHECK(writes(decode64("58")) == registers{reg::rax, reg::rsp});
  CHECK(writes(decode64("c9")) == registers{reg::rbp, reg::rsp});
  CHECK(writes(decode64("f7 e1")) == registers{reg::rax, reg::rdx, flags});    // mul
  CHECK(reads(decode64("f7 f1")) == registers{reg::rcx, reg::rax, reg::rdx});  // div
  CHECK(writes(decode64("48 99")) == registers{reg::rdx});                     // cqo
  CHECK(writes(decode64("0f a2")) == registers{reg::rax, reg::rbx, reg::rcx, reg::rdx});
  CHECK(reads(decode64("d3 e0")) == registers{reg::rax, reg::rcx});               // shl eax, cl
  CHECK(reads(decode64("d7")) == registers{reg::rbx, reg::rax});                  // xlat
  CHECK(reads(decode64("0f b1 0b")) == registers{reg::rbx, reg::rcx, reg::rax});  // cmpxchg
  CHECK(writes(decode64("c5 f8 77")).size() == 16);                               // vzeroupper
  CHECK(writes(decode32("c5 f8 77")).size() == 8);
  CHECK(writes(decode32("61")).size() == 8);  // popad
  CHECK(reads(decode64("0f 05")) == registers{reg::rax});
}

TEST_CASE("lists the registers of string instructions") {
  CHECK(reads(decode64("a4")) == registers{reg::rdi, reg::rsi, flags});
  CHECK(writes(decode64("a4")) == registers{reg::rdi, reg::rsi});
  CHECK(reads(decode64("f3 a4")) == registers{reg::rdi, reg::rsi, reg::rcx, flags});
  CHECK(writes(decode64("f3 a4")) == registers{reg::rdi, reg::rsi, reg::rcx});
  // Zydis does not report that these instructions change rsi and rdi.
  CHECK(writes(decode64("a6")) == registers{reg::rsi, reg::rdi, flags});
  CHECK(writes(decode64("f3 a6")) == registers{reg::rsi, reg::rdi, reg::rcx, flags});
  CHECK(writes(decode64("f2 ae")) == registers{reg::rdi, reg::rcx, flags});
}

// The parts of general registers in Intel's manual, volume 1, section 3.4.1.
TEST_CASE("names of general registers stand for parts of them") {
  using tracecodec::feed::register_part;
  using tracecodec::x86::find_general;
  const auto is = [](std::string_view name, reg r, int size, int offset = 0) {
    return find_general(name) == register_part{number(r), static_cast<std::uint8_t>(offset),
                                               static_cast<std::uint8_t>(size)};
  };
  CHECK((is("rax", reg::rax, 8) && is("EAX", reg::rax, 4) && is("ax", reg::rax, 2)));
  CHECK((is("al", reg::rax, 1) && is("AH", reg::rax, 1, 1) && is("bh", reg::rbx, 1, 1)));
  CHECK((is("rsi", reg::rsi, 8) && is("esi", reg::rsi, 4) && is("si", reg::rsi, 2)));
  CHECK((is("sil", reg::rsi, 1) && is("spl", reg::rsp, 1) && is("ebp", reg::rbp, 4)));
  CHECK((is("r8", reg::r8, 8) && is("r9d", reg::r9, 4) && is("R10W", reg::r10, 2)));
  CHECK((is("r15b", reg::r15, 1) && is("r15", reg::r15, 8) && is("rip", reg::ip, 8)));
  CHECK((is("flags", reg::flags, 8) && is("eip", reg::ip, 4)));
  for (const std::string_view name : {"", "r", "r1", "r16", "r8x", "r150", "xmm0", "sih", "ipl",
                                      "rbxx", "a", "x", "rax_a_long_name"})
    CHECK_FALSE(find_general(name));
  // A constant expression allocates nothing that remains.
  static_assert(find_general("r12d")->size == 4);
}

TEST_CASE("mask k0 means no mask") {
  CHECK(reads(decode64("62 f1 7c 48 58 c1")) == registers{v(0), v(1)});  // vaddps zmm0, zmm0, zmm1
  CHECK(reads(decode64("62 f1 7c c9 58 d1")) ==
        registers{row(reg::mask0, 1), v(0), v(1)});  // vaddps zmm2{k1}{z}, zmm0, zmm1
}

TEST_CASE("disassembles to text") {
  const tracecodec::x86::zydis_disassembler z(target::x64);
  CHECK(z.text(code("48 89 c8"), 0) == "mov rax, rcx");
  CHECK(z.text(code("e8 00 00 00 00"), 0x401000) == "call 0x0000000000401005");
  CHECK(z.text(code("ff"), 0) == "(bad)");
  CHECK(z.text({}, 0) == "(bad)");
}
