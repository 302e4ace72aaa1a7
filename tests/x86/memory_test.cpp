// Tests of the memory that instructions access. Addresses and sizes are derived by hand from
// Intel's manual.
#include <doctest/doctest.h>

#include <optional>

#include "support.hpp"

namespace {
using namespace test;
list in64(std::string_view hex, const state& s) { return accesses(decode64(hex), s); }
list in32(std::string_view hex, const state& s) { return accesses(decode32(hex), s); }
}  // namespace

TEST_CASE("computes addresses of all 64-bit forms") {
  const state s({{reg::rax, 0x1000},
                 {reg::rcx, 0x20},
                 {reg::rbp, 0x5000},
                 {reg::r13, 0x7000},
                 {reg::rsp, 0x9000},
                 {reg::ip, 0x400000}});
  CHECK(in64("8b 00", s) == list{load(0x1000, 4)});
  CHECK(in64("89 00", s) == list{store(0x1000, 4)});
  CHECK(in64("48 8b 44 c8 10", s) == list{load(0x1110, 8)});  // [rax+rcx*8+0x10]
  CHECK(in64("8a 40 ff", s) == list{load(0xfff, 1)});
  CHECK(in64("66 41 8b 45 00", s) == list{load(0x7000, 2)});
  CHECK(in64("8b 04 24", s) == list{load(0x9000, 4)});
  CHECK(in64("8b 45 08", s) == list{load(0x5008, 4)});
  CHECK(in64("8b 05 10 00 00 00", s) == list{load(0x400016, 4)});               // rip-relative
  CHECK(in64("c7 05 10 00 00 00 01 02 03 04", s) == list{store(0x40001a, 4)});  // from its end
  CHECK(in64("67 8b 05 10 00 00 00", s) == list{load(0x400017, 4)});            // eip-relative
  CHECK(in64("8b 04 25 00 10 00 80", s) == list{load(0xffffffff80001000, 4)});
  CHECK(in64("48 a1 01 02 03 04 05 06 07 08", s) == list{load(0x0807060504030201, 8)});
  CHECK(in64("67 8b 00", state({{reg::rax, 0x1'0000'1000}})) == list{load(0x1000, 4)});
  CHECK(in64("67 8b 44 08 10", state({{reg::rax, 0xffffffff}, {reg::rcx, 1}})) ==
        list{load(0x10, 4)});
}

TEST_CASE("computes addresses of all 32-bit and 16-bit forms") {
  const state s({{reg::rax, 0xfffffff0},
                 {reg::rcx, 0x20},
                 {reg::rbx, 0x1fff0},
                 {reg::rsi, 0x20020},
                 {reg::rbp, 0x30010}});
  CHECK(in32("8b 44 08 04", s) == list{load(0x14, 4)});            // wraps at 4 GiB
  CHECK(in32("8b 05 00 10 40 00", s) == list{load(0x401000, 4)});  // absolute, not relative
  CHECK(in32("67 8b 00", s) == list{load(0x10, 4)});               // [bx+si], 16 bits each
  CHECK(in32("67 8b 46 04", s) == list{load(0x14, 4)});            // [bp+4]
  CHECK(in32("67 a1 11 22", s) == list{load(0x2211, 4)});
  CHECK(in32("a1 11 22 33 44", s) == list{load(0x44332211, 4)});
}

TEST_CASE("only fs and gs have bases") {
  state s({{reg::rax, 0x10}});
  s.fs_base = 0x7ffe0000;
  s.gs_base = 0xffffffffff000000;
  CHECK(in64("64 48 8b 04 25 28 00 00 00", s) == list{load(0x7ffe0028, 8)});
  CHECK(in64("65 48 8b 00", s) == list{load(0xffffffffff000010, 8)});
  CHECK(in64("2e 48 8b 00", s) == list{load(0x10, 8)});
  CHECK(in32("64 a1 18 00 00 00", s) == list{load(0x7ffe0018, 4)});
  s.fs_base = 0xfffffff8;
  CHECK(in32("64 8b 00", s) == list{load(8, 4)});  // 32 bits
  const auto i = decode64("65 48 8b 00");
  CHECK(segment_offset(i, i.memory[0], s) == 0x10);
}

TEST_CASE("derives a segment's base from an observed address") {
  using tracecodec::x86::segment_base_from;
  const state s({{reg::rax, 0x10}});
  CHECK(segment_base_from(decode64("65 48 8b 00"), s, 0x7ffe0010) == 0x7ffe0000u);
  CHECK(segment_base_from(decode64("65 48 8b 00"), s, 0) == 0xfffffffffffffff0u);
  CHECK(segment_base_from(decode32("64 8b 00"), s, 0) == 0xfffffff0u);
  for (const char* none : {"48 8b 00", "65 ff 30", "64 48 8d 00", "64 0f 18 08", "90"})
    CHECK(segment_base_from(decode64(none), s, 0x7ffe0010) == std::nullopt);
}

TEST_CASE("push and call write below the stack pointer, and pop and ret read at it") {
  const state s({{reg::rsp, 0x9000}, {reg::rax, 0x100}, {reg::rbp, 0x8000}});
  CHECK(in64("50", s) == list{store(0x8ff8, 8)});
  CHECK(in64("66 50", s) == list{store(0x8ffe, 2)});
  CHECK(in64("6a 00", s) == list{store(0x8ff8, 8)});
  CHECK(in64("58", s) == list{load(0x9000, 8)});
  CHECK(in64("ff 30", s) == list{load(0x100, 8), store(0x8ff8, 8)});         // push [rax]
  CHECK(in64("ff 34 24", s) == list{load(0x9000, 8), store(0x8ff8, 8)});     // push [rsp]
  CHECK(in64("8f 00", s) == list{load(0x9000, 8), store(0x100, 8)});         // pop [rax]
  CHECK(in64("8f 44 24 10", s) == list{load(0x9000, 8), store(0x9018, 8)});  // with rsp raised
  CHECK(in64("66 8f 04 24", s) == list{load(0x9000, 2), store(0x9002, 2)});
  CHECK(in64("9c", s) == list{store(0x8ff8, 8)});
  CHECK(in64("9d", s) == list{load(0x9000, 8)});
  CHECK(in64("0f a0", s) == list{store(0x8ff8, 8)});  // push fs
  CHECK(in64("e8 00 00 00 00", s) == list{store(0x8ff8, 8)});
  CHECK(in64("ff d0", s) == list{store(0x8ff8, 8)});
  CHECK(in64("ff 10", s) == list{load(0x100, 8), store(0x8ff8, 8)});
  CHECK(in64("ff 54 24 08", s) == list{load(0x9008, 8), store(0x8ff8, 8)});  // call [rsp+8]
  CHECK(in64("48 ff 18", s) == list{load(0x100, 10), store(0x8ff0, 16)});    // call far
  CHECK(in64("48 ff 28", s) == list{load(0x100, 10)});
  CHECK(in64("c3", s) == list{load(0x9000, 8)});
  CHECK(in64("c2 10 00", s) == list{load(0x9000, 8)});
  CHECK(in64("48 cb", s) == list{load(0x9000, 16)});
  CHECK(in64("48 cf", s) == list{load(0x9000, 40)});
  CHECK(in64("c9", s) == list{load(0x8000, 8)});  // leave
  CHECK(in64("67 50", s) == list{store(0x8ff8, 8)});
  CHECK(in64("0f 05", s).empty());
}

TEST_CASE("stack accesses of 32-bit code") {
  const state s({{reg::rsp, 0x9000}, {reg::rax, 0x100}, {reg::rbp, 0x8000}});
  CHECK(in32("50", s) == list{store(0x8ffc, 4)});
  CHECK(in32("66 50", s) == list{store(0x8ffe, 2)});
  CHECK(in32("1e", s) == list{store(0x8ffc, 4)});  // push ds
  CHECK(in32("60", s) == list{store(0x8fe0, 32)});
  CHECK(in32("61", s) == list{load(0x9000, 32)});
  CHECK(in32("66 60", s) == list{store(0x8ff0, 16)});
  CHECK(in32("e8 00 00 00 00", s) == list{store(0x8ffc, 4)});
  CHECK(in32("9a 11 22 33 44 55 66", s) == list{store(0x8ff8, 8)});
  CHECK(in32("c3", s) == list{load(0x9000, 4)});
  CHECK(in32("66 c3", s) == list{load(0x9000, 2)});
  CHECK(in32("cb", s) == list{load(0x9000, 8)});
  CHECK(in32("cf", s) == list{load(0x9000, 12)});  // within a privilege level
  CHECK(in32("66 cf", s) == list{load(0x9000, 6)});
  CHECK(in32("c9", s) == list{load(0x8000, 4)});
  CHECK(in32("50", state({})) == list{store(0xfffffffc, 4)});
}

TEST_CASE("enter copies frame pointers according to its level") {
  const state s({{reg::rsp, 0x9000}, {reg::rbp, 0x8000}});
  CHECK(in64("c8 10 00 00", s) == list{store(0x8ff8, 8)});
  CHECK(in64("c8 10 00 01", s) == list{store(0x8ff8, 8), store(0x8ff0, 8)});
  CHECK(in64("c8 10 00 03", s) == list{store(0x8ff8, 8), load(0x7ff8, 8), store(0x8ff0, 8),
                                       load(0x7ff0, 8), store(0x8fe8, 8), store(0x8fe0, 8)});
  CHECK(in64("c8 10 00 20", s) == list{store(0x8ff8, 8)});  // the level is modulo 32
  CHECK(in32("c8 10 00 02", s) ==
        list{store(0x8ffc, 4), load(0x7ffc, 4), store(0x8ff8, 4), store(0x8ff4, 4)});
}

TEST_CASE("string instructions access one element in each step") {
  const state s({{reg::rsi, 0x1000}, {reg::rdi, 0x2000}, {reg::rcx, 3}});
  CHECK(in64("a4", s) == list{load(0x1000, 1), store(0x2000, 1)});
  CHECK(in64("66 a5", s) == list{load(0x1000, 2), store(0x2000, 2)});
  CHECK(in64("a5", s) == list{load(0x1000, 4), store(0x2000, 4)});
  CHECK(in64("48 a5", s) == list{load(0x1000, 8), store(0x2000, 8)});
  CHECK(in64("f3 48 a5", s) == list{load(0x1000, 8), store(0x2000, 8)});
  CHECK(in64("a6", s) == list{load(0x1000, 1), load(0x2000, 1)});
  CHECK(in64("f3 a7", s) == list{load(0x1000, 4), load(0x2000, 4)});
  CHECK(in64("f2 ae", s) == list{load(0x2000, 1)});
  CHECK(in64("48 ad", s) == list{load(0x1000, 8)});
  CHECK(in64("f3 48 ab", s) == list{store(0x2000, 8)});
  CHECK(in64("6c", s) == list{store(0x2000, 1)});
  CHECK(in64("f3 6e", s) == list{load(0x1000, 1)});
  CHECK(in32("67 a4", state({{reg::rsi, 0x51000}, {reg::rdi, 0x62000}})) ==
        list{load(0x1000, 1), store(0x2000, 1)});
  state with_fs = s;
  with_fs.fs_base = 0x100000;
  // The segment fs applies only to the source.
  CHECK(in64("64 a4", with_fs) == list{load(0x101000, 1), store(0x2000, 1)});
}

TEST_CASE(
    "a repeated instruction with count 0 accesses nothing, and the count has the address size") {
  for (const char* repeated : {"f3 a4", "f2 a4", "f3 a6", "f2 ae", "f3 ab", "f3 ac", "f3 6c"}) {
    CHECK(in64(repeated, state({{reg::rcx, 0}})).empty());
    CHECK_FALSE(in64(repeated, state({{reg::rcx, 1}})).empty());
  }
  CHECK_FALSE(in64("f3 aa", state({{reg::rcx, 0x100000000}})).empty());
  CHECK(in64("67 f3 aa", state({{reg::rcx, 0x100000000}})).empty());
  CHECK(in32("67 f3 aa", state({{reg::rcx, 0x10000}})).empty());
  CHECK_FALSE(in64("a4", state({{reg::rcx, 0}})).empty());
  CHECK_FALSE(in64("f3 0f 10 00", state({{reg::rcx, 0}})).empty());  // movss is not repeated
}

TEST_CASE("returns the sizes of vector, x87 and system operands") {
  const state s({{reg::rax, 0x1000}, {reg::rdi, 0x2000}});
  const auto reads = [&](std::string_view hex, std::uint16_t n) {
    return in64(hex, s) == list{load(0x1000, n)};
  };
  const auto writes = [&](std::string_view hex, std::uint16_t n) {
    return in64(hex, s) == list{store(0x1000, n)};
  };
  CHECK(reads("0f 10 00", 16));           // movups
  CHECK(reads("f3 0f 10 00", 4));         // movss
  CHECK(reads("f2 0f 10 00", 8));         // movsd
  CHECK(writes("66 0f d6 00", 8));        // movq
  CHECK(reads("66 0f 12 00", 8));         // movlpd
  CHECK(reads("0f 6f 00", 8));            // movq mm0
  CHECK(reads("c5 fe 6f 00", 32));        // vmovdqu ymm0
  CHECK(writes("c5 f8 29 10", 16));       // vmovaps xmm2
  CHECK(reads("62 f1 fe 48 6f 00", 64));  // vmovdqu64 zmm0
  CHECK(reads("62 f1 7c 58 58 08", 4));   // vaddps zmm1, zmm0, [rax]{1to16}
  CHECK(reads("c4 e2 7d 18 00", 4));      // vbroadcastss ymm0
  CHECK(reads("66 0f 38 21 00", 4));      // pmovsxbd
  CHECK(reads("c4 e2 75 2c 18", 32));     // vmaskmovps ymm3, ymm1, [rax]: counts as a whole
  CHECK(decode64("c4 e2 75 2c 18").memory[0].conditional);
  CHECK(in64("66 0f f7 c8", s) == list{store(0x2000, 16)});                   // maskmovdqu
  CHECK(reads("d9 00", 4));                                                   // fld m32
  CHECK(reads("db 28", 10));                                                  // fld m80
  CHECK(writes("d9 30", 28));                                                 // fnstenv
  CHECK(writes("dd 30", 108));                                                // fnsave
  CHECK(writes("0f ae 00", 512));                                             // fxsave
  CHECK(writes("0f c7 20", 576));                                             // xsavec
  CHECK(in64("0f ae 20", s) == list{load(0x1000, 576), store(0x1000, 576)});  // xsave reads header
  CHECK(writes("0f c3 00", 4));                                               // movnti
  CHECK(in64("0f b4 08", s) == list{load(0x1000, 6)});                        // lfs
}

TEST_CASE("an operand that is read and written has a read, then a write") {
  const state s({{reg::rax, 0x1000}, {reg::rcx, 1}});
  for (const char* both : {"01 08", "f0 01 08", "87 08", "ff 00", "f7 18", "f0 0f b1 08",
                           "0f b1 08", "0f c1 08", "d1 20"})
    CHECK(in64(both, s) == list{load(0x1000, 4), store(0x1000, 4)});
  CHECK(in64("f0 48 0f c7 08", s) == list{load(0x1000, 16), store(0x1000, 16)});  // cmpxchg16b
  CHECK(in64("0f 44 18", s) == list{load(0x1000, 4)});  // cmov reads even if it does not move
  CHECK(in64("0f 94 00", s) == list{store(0x1000, 1)});
  CHECK(in64("39 08", s) == list{load(0x1000, 4)});  // cmp
}

TEST_CASE("computes the addresses of xlat and of bit strings") {
  CHECK(in64("d7", state({{reg::rbx, 0x1000}, {reg::rax, 0xab12}})) == list{load(0x1012, 1)});
  const auto bt = [](std::string_view hex, std::uint64_t bit) {
    return in64(hex, state({{reg::rax, 0x1000}, {reg::rcx, bit}}));
  };
  CHECK(bt("0f a3 08", 31) == list{load(0x1000, 4)});
  CHECK(bt("0f a3 08", 32) == list{load(0x1004, 4)});
  CHECK(bt("0f a3 08", 0xffffffff) == list{load(0xffc, 4)});  // bit -1
  CHECK(bt("48 0f ab 08", 130) == list{load(0x1010, 8), store(0x1010, 8)});
  CHECK(bt("66 0f a3 08", 0xfff0) == list{load(0xffe, 2)});  // bit -16
  CHECK(bt("0f ba 20 25", 999) == list{load(0x1000, 4)});    // an immediate stays within
}

TEST_CASE("lea, nop and hints access nothing, and gathers are reported as unknown") {
  const state s({{reg::rax, 0x1000}});
  for (const char* none :
       {"48 8d 04 08", "0f 1f 40 00", "66 0f 1f 44 00 00", "0f 18 08", "0f 0d 08", "0f ae 38",
        "66 0f ae 38", "0f 01 38", "0f ae e8", "0f b9 00"}) {
    CHECK(in64(none, s).empty());
    CHECK(tracecodec::x86::accesses(decode64(none), s, [](const memory_access&) {}));
  }
  const auto gather = decode64("c4 e2 e9 92 04 c8");  // vgatherdpd xmm0, [rax+xmm1*8], xmm2
  CHECK(gather.memory[0].kind == memory_kind::scattered);
  CHECK(gather.memory[0].index == row(reg::vector0, 1));
  CHECK_FALSE(
      tracecodec::x86::accesses(gather, s, [](const memory_access&) { FAIL("no access"); }));
}
