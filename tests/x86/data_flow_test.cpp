// Tests of the flow of data through an instruction, compared with Intel's manual.
#include <doctest/doctest.h>

#include <string>

#include "support.hpp"
#include "tracecodec/x86/decode_flow.hpp"

namespace {
using namespace test;
using tracecodec::x86::data_flow;
using tracecodec::x86::flow_bytes;
using tracecodec::x86::flow_of;
using tracecodec::x86::instruction_flow;

std::string flow_text(const flow_bytes& b) {
  std::string s =
      b.which == reg::none ? 'm' + std::to_string(b.access) : std::string(name(b.which).view());
  return s + '[' + std::to_string(b.offset) + '+' + std::to_string(b.size) + ']';
}
// Returns the flows of an instruction, such as "rax[0+4] = rbx[0+4]; rax[4+4] <".
std::string flow_text(target t, std::string_view hex) {
  const auto i = flow_of(t, code(hex));
  if (!i) return "none";
  std::string s;
  for (const data_flow& f : i->flows) {
    s += (s.empty() ? "" : "; ") + flow_text(f.to) + (f.copies ? " =" : " <");
    for (const flow_bytes& b : f.from) s += ' ' + flow_text(b);
  }
  return s;
}
std::string flow_text64(std::string_view hex) { return flow_text(target::x64, hex); }
}  // namespace

TEST_CASE("moves copy bytes") {
  CHECK(flow_text64("48 89 d8") == "rax[0+8] = rbx[0+8]");           // mov rax, rbx
  CHECK(flow_text64("89 d8") == "rax[0+4] = rbx[0+4]; rax[4+4] <");  // mov eax, ebx
  CHECK(flow_text64("66 89 d8") == "rax[0+2] = rbx[0+2]");           // mov ax, bx
  CHECK(flow_text64("88 e0") == "rax[0+1] = rax[1+1]");              // mov al, ah
  CHECK(flow_text64("41 88 c7") == "r15[0+1] = rax[0+1]");           // mov r15b, al
  CHECK(flow_text64("48 8b 03") == "rax[0+8] = m0[0+8]");            // mov rax, [rbx]
  CHECK(flow_text64("89 03") == "m0[0+4] = rax[0+4]");               // mov [rbx], eax
  CHECK(flow_text64("c6 03 05") == "m0[0+1] <");                     // mov byte [rbx], 5
  CHECK(flow_text64("b8 05 00 00 00") == "rax[0+4] <; rax[4+4] <");  // mov eax, 5
  CHECK(flow_text(target::x86, "b8 05 00 00 00") == "rax[0+4] <");   // mov eax, 5
  CHECK(flow_text64("0f b6 c3") == "rax[0+1] = rbx[0+1]; rax[1+3] <; rax[4+4] <");  // movzx eax, bl
  // movsx rax, bl: the upper bytes depend on the sign
  CHECK(flow_text64("48 0f be c3") == "rax[0+1] = rbx[0+1]; rax[1+7] < rbx[0+1]");
  CHECK(flow_text64("48 98") == "rax[4+4] < rax[3+1]");                        // cdqe
  CHECK(flow_text64("48 99") == "rdx[0+8] < rax[7+1]");                        // cqo
  CHECK(flow_text64("48 87 03") == "m0[0+8] = rax[0+8]; rax[0+8] = m0[0+8]");  // xchg [rbx], rax
  // bswap eax
  CHECK(flow_text64("0f c8") ==
        "rax[0+1] = rax[3+1]; rax[1+1] = rax[2+1]; rax[2+1] = rax[1+1]; rax[3+1] = rax[0+1]; "
        "rax[4+4] <");
}

TEST_CASE("the stack pointer depends only on itself") {
  CHECK(flow_text64("50") == "m0[0+8] = rax[0+8]; rsp[0+8] < rsp[0+8]");  // push rax
  CHECK(flow_text(target::x86, "50") == "m0[0+4] = rax[0+4]; rsp[0+4] < rsp[0+4]");
  CHECK(flow_text64("6a 05") == "m0[0+8] <; rsp[0+8] < rsp[0+8]");           // push 5
  CHECK(flow_text64("58") == "rsp[0+8] < rsp[0+8]; rax[0+8] = m0[0+8]");     // pop rax
  CHECK(flow_text64("5c") == "rsp[0+8] = m0[0+8]");                          // pop rsp
  CHECK(flow_text64("ff 33") == "m0[0+8] = m0[0+8]; rsp[0+8] < rsp[0+8]");   // push [rbx]
  CHECK(flow_text64("e8 00 00 00 00") == "m0[0+8] <; rsp[0+8] < rsp[0+8]");  // call
  CHECK(flow_text64("c3") == "rsp[0+8] < rsp[0+8]; ip[0+8] < m0[0+8]");      // ret
  CHECK(flow_text64("c9") == "rsp[0+8] < rbp[0+8]; rbp[0+8] = m0[0+8]");     // leave
}

TEST_CASE("other results depend on all inputs, but not on addresses") {
  CHECK(flow_text64("48 03 04 8b") ==  // add rax, [rbx+rcx*4]
        "rax[0+8] < rax[0+8] m0[0+8]; flags[0+8] < rax[0+8] m0[0+8]");
  const auto addresses = flow_of(target::x64, code("48 03 04 8b"))->addresses;
  REQUIRE(addresses.size() == 2);
  CHECK(flow_text(addresses[0]) == "rbx[0+8]");
  CHECK(flow_text(addresses[1]) == "rcx[0+8]");
  CHECK(flow_text64("48 8d 44 4b 08") == "rax[0+8] < rbx[0+8] rcx[0+8]");  // lea
  // inc leaves the carry flag
  CHECK(flow_text64("48 ff c0") == "rax[0+8] < rax[0+8]; flags[0+8] < rax[0+8] flags[0+8]");
  CHECK(flow_text64("31 c0") == "rax[0+4] <; rax[4+4] <; flags[0+8] <");  // xor eax, eax
  CHECK(flow_text64("0f 94 c0") == "rax[0+1] < flags[0+8]");              // sete al
  // cmove eax, ebx clears the upper half, even if it does not move
  CHECK(flow_text64("0f 44 c3") == "rax[0+4] < rax[0+4] rbx[0+4] flags[0+8]; rax[4+4] <");
  CHECK(flow_text64("74 00") == "ip[0+8] < flags[0+8]");  // je
  CHECK(flow_text64("eb 00").empty());                    // jmp
  CHECK(flow_text64("90").empty());
  CHECK(flow_text64("06") == "none");  // not an instruction in 64-bit code
}

TEST_CASE("pointers of string instructions depend only on themselves") {
  CHECK(flow_text64("f3 a4") ==
        "rdi[0+8] < rdi[0+8]; rsi[0+8] < rsi[0+8]; rcx[0+8] < rcx[0+8]; m0[0+1] = m0[0+1]");
  CHECK(flow_of(target::x64, code("f3 a4"))->repeated);
  CHECK(flow_text64("ab") == "rdi[0+8] < rdi[0+8]; m0[0+4] = rax[0+4]");  // stosd
  CHECK(flow_text64("ac") == "rsi[0+8] < rsi[0+8]; rax[0+1] = m0[0+1]");  // lodsb
  CHECK(flow_text64("a6") ==                                              // cmpsb
        "rsi[0+8] < rsi[0+8]; rdi[0+8] < rdi[0+8]; flags[0+8] < m0[0+1] m1[0+1]");
}

TEST_CASE("moves between vector registers") {
  CHECK(flow_text64("0f 28 c1") == "v0[0+16] = v1[0+16]");                  // movaps
  CHECK(flow_text64("c5 fe 6f 03") == "v0[0+32] = m0[0+32]; v0[32+32] <");  // vmovdqu ymm0
  CHECK(flow_text64("f3 0f 10 03") == "v0[0+4] = m0[0+4]; v0[4+12] <");     // movss
  CHECK(flow_text64("f3 0f 10 c1") == "v0[0+4] = v1[0+4]");
  CHECK(flow_text64("66 48 0f 6e c0") == "v0[0+8] = rax[0+8]; v0[8+8] <");  // movq
  CHECK(flow_text64("66 0f 7e c0") == "rax[0+4] = v0[0+4]; rax[4+4] <");    // movd
  CHECK(flow_text64("0f 16 03") == "v0[8+8] = m0[0+8]");                    // movhps
  CHECK(flow_text64("66 0f ef c0") == "v0[0+16] <");                        // pxor
  CHECK(flow_text64("66 0f 6d c1") == "v0[0+16] < v0[0+16] v1[0+16]");      // punpckhqdq
}

TEST_CASE("results from outside the program") {
  CHECK(flow_of(target::x64, code("0f 05"))->outside);  // syscall
  CHECK(flow_of(target::x64, code("0f a2"))->outside);  // cpuid
  CHECK(flow_of(target::x64, code("0f 31"))->outside);  // rdtsc
  CHECK_FALSE(flow_of(target::x64, code("48 89 d8"))->outside);
}

TEST_CASE("masked stores may leave bytes") {
  CHECK(flow_of(target::x64, code("62 f1 7e 49 7f 03"))->masks);  // vmovdqu32 [rbx]{k1}, zmm0
  CHECK(flow_of(target::x64, code("c4 e2 75 2e 03"))->masks);     // vmaskmovps [rbx], ymm1, ymm0
  CHECK_FALSE(flow_of(target::x64, code("62 f1 7e 48 7f 03"))->masks);
  CHECK_FALSE(
      flow_of(target::x64, code("0f b1 0b"))->masks);  // cmpxchg [rbx], ecx reads the memory
}
