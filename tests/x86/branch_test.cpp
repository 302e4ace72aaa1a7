// Tests of every kind of control flow, its target and its outcome. Encodings are
// from Intel's manual.
#include <doctest/doctest.h>

#include <optional>

#include "support.hpp"

namespace {
using namespace test;
using tracecodec::x86::branch_target;
using tracecodec::x86::next_ip;
using tracecodec::x86::taken;

std::optional<std::uint64_t> target64(std::string_view hex, const state& s) {
  return branch_target(decode64(hex), s);
}
std::optional<std::uint64_t> target32(std::string_view hex, const state& s) {
  return branch_target(decode32(hex), s);
}
constexpr std::uint64_t cf = 1, pf = 4, zf = 0x40, sf = 0x80, of = 0x800;
}  // namespace

TEST_CASE("classifies control flow") {
  CHECK(decode64("eb fe").kind == kind::direct_jump);
  CHECK(decode64("e9 00 01 00 00").kind == kind::direct_jump);
  CHECK(decode32("ea 11 22 33 44 55 66").kind == kind::direct_jump);  // jmp 6655:44332211
  CHECK(decode64("ff e0").kind == kind::indirect_jump);               // jmp rax
  CHECK(decode64("ff 25 00 00 00 00").kind == kind::indirect_jump);   // jmp [rip]
  CHECK(decode64("ff 24 c5 00 00 40 00").kind == kind::indirect_jump);
  CHECK(decode64("48 ff 28").kind == kind::indirect_jump);  // jmp far [rax]
  CHECK(decode64("3e ff e0").kind == kind::indirect_jump);  // notrack
  CHECK(decode64("f2 ff e0").kind == kind::indirect_jump);  // bnd
  CHECK(decode64("e8 00 00 00 00").kind == kind::direct_call);
  CHECK(decode32("9a 11 22 33 44 55 66").kind == kind::direct_call);
  CHECK(decode64("ff d0").kind == kind::indirect_call);
  CHECK(decode64("ff 15 00 00 00 00").kind == kind::indirect_call);
  CHECK(decode64("48 ff 18").kind == kind::indirect_call);  // call far [rax]
  CHECK(decode64("c3").kind == kind::return_);
  CHECK(decode64("f3 c3").kind == kind::return_);
  CHECK(decode64("c2 08 00").kind == kind::return_);
  CHECK(decode64("cb").kind == kind::return_);     // ret far
  CHECK(decode64("48 cf").kind == kind::return_);  // iretq
  CHECK(decode32("cf").kind == kind::return_);
  for (const char* conditional : {"70 00", "7f 00", "0f 80 00 00 00 00", "0f 8f 00 00 00 00",
                                  "e0 00", "e1 00", "e2 00", "e3 00", "67 e3 00", "2e 74 00"})
    CHECK(decode64(conditional).kind == kind::conditional);
  for (const char* system : {"0f 05", "0f 34", "cd 80", "cd 2e", "cc", "f1"})
    CHECK(decode64(system).kind == kind::system);
  CHECK(decode32("ce").kind == kind::system);  // into
  for (const char* other : {"0f 07", "0f 35", "c7 f8 00 00 00 00", "c6 f8 00", "f3 0f 01 ec"})
    CHECK(decode64(other).kind == kind::other);  // sysret sysexit xbegin xabort uiret
  for (const char* none : {"90", "48 89 c8", "0f 0b", "f4", "f3 0f 1e fa", "0f 01 d5", "50", "9c"})
    CHECK(decode64(none).kind == kind::not_branch);   // including xend and endbr64
  CHECK(decode32("62 18").kind == kind::not_branch);  // bound
}

TEST_CASE("computes targets of direct branches") {
  const state s({{reg::ip, 0x401000}});
  CHECK(target64("eb fe", s) == 0x401000);
  CHECK(target64("eb 00", s) == 0x401002);
  CHECK(target64("e9 fb ff ff ff", s) == 0x401000);
  CHECK(target64("e8 00 01 00 00", s) == 0x401105);
  CHECK(target64("0f 85 10 00 00 00", s) == 0x401016);
  CHECK(target64("66 e9 fb ff ff ff", s) == 0x401001);  // prefix 66 does not shorten it on Intel
  CHECK(target64("e3 80", s) == 0x400f82);
  CHECK(target32("ea 11 22 33 44 55 66", s) == 0x44332211);
  CHECK(target32("e8 00 00 00 ff", s) == 0xff401005);
  CHECK(target32("66 e9 00 01", s) == 0x1104);  // 16 bits of eip
  CHECK(target32("e9 00 00 00 00", state({{reg::ip, 0xfffffffe}})) == 3);
  CHECK(target64("eb 7f", state({{reg::ip, 0xfffffffffffffffe}})) == 0x7f);
  CHECK(next_ip(decode32("90"), 0xffffffff) == 0);
  CHECK(next_ip(decode64("90"), 0xffffffff) == 0x100000000);
}

TEST_CASE("an indirect branch's target is the register's value, or unknown for memory") {
  const state s({{reg::rax, 0x123456789abcdef0}, {reg::r11, 7}});
  CHECK(target64("ff e0", s) == 0x123456789abcdef0);
  CHECK(target64("41 ff d3", s) == 7);
  CHECK(target32("ff d0", s) == 0x9abcdef0);
  CHECK(target32("66 ff d0", s) == 0xdef0);
  for (const char* unknown :
       {"ff 20", "ff 25 00 00 00 00", "48 ff 28", "c3", "0f 05", "90", "0f 07"})
    CHECK(target64(unknown, s) == std::nullopt);
}

TEST_CASE("evaluates Intel's 16 condition codes") {
  const auto holds = [](int code, std::uint64_t flags) {
    const char digits[] = "0123456789abcdef";
    const char hex[] = {'7', digits[code], '0', '0', 0};
    return *taken(decode64(hex), state({{reg::flags, flags}}));
  };
  for (std::uint64_t flags = 0; flags < 0x1000; flags += 4)
    for (const std::uint64_t carry : {std::uint64_t{0}, cf}) {
      const std::uint64_t f = flags | carry;
      const bool o = f & of, c = f & cf, z = f & zf, s = f & sf, p = f & pf;
      const bool expected[] = {o, c, z, c || z, s, p, s != o, z || s != o};
      for (int code = 0; code < 16; ++code)
        REQUIRE(holds(code, f) == (expected[code / 2] != code % 2));
    }
  const auto long_form = decode64("0f 8c 00 00 00 00");  // jl
  CHECK(*taken(long_form, state({{reg::flags, sf}})));
  CHECK_FALSE(*taken(long_form, state({{reg::flags, sf | of}})));
}

TEST_CASE("loops use rcx, ecx or cx as the count") {
  const auto t = [](target mode, std::string_view hex, std::uint64_t count, std::uint64_t flags) {
    return *taken(decode(mode, hex), state({{reg::rcx, count}, {reg::flags, flags}}));
  };
  CHECK(t(target::x64, "e3 00", 0, 0));
  CHECK_FALSE(t(target::x64, "e3 00", 0x100000000, 0));
  CHECK(t(target::x64, "67 e3 00", 0x100000000, 0));  // jecxz
  CHECK(t(target::x86, "67 e3 00", 0x10000, 0));      // jcxz
  CHECK_FALSE(t(target::x86, "e3 00", 0x10000, 0));
  CHECK(t(target::x64, "e2 00", 2, 0));
  CHECK_FALSE(t(target::x64, "e2 00", 1, 0));
  CHECK(t(target::x64, "e2 00", 0, 0));  // wraps around
  CHECK_FALSE(t(target::x64, "67 e2 00", 0x100000001, 0));
  CHECK(t(target::x64, "e1 00", 2, zf));
  CHECK_FALSE(t(target::x64, "e1 00", 2, 0));
  CHECK_FALSE(t(target::x64, "e1 00", 1, zf));
  CHECK(t(target::x64, "e0 00", 2, 0));
  CHECK_FALSE(t(target::x64, "e0 00", 2, zf));
}

TEST_CASE("determines the outcome from only the state") {
  const state s;
  for (const char* always : {"eb 00", "ff e0", "e8 00 00 00 00", "ff 10", "c3", "48 cf"})
    CHECK(taken(decode64(always), s) == true);
  for (const char* never : {"90", "0f 05", "cc"}) CHECK(taken(decode64(never), s) == false);
  CHECK(taken(decode64("c7 f8 00 00 00 00"), s) == std::nullopt);
}

TEST_CASE("determines the outcome from the next ip, or else from the flags") {
  state s({{reg::ip, 0x1000}, {reg::flags, 0}});
  const auto je = decode64("74 10");
  CHECK(taken(je, s, 0x1012));  // against the flags: the path decides
  CHECK_FALSE(taken(je, s, 0x1002));
  CHECK_FALSE(taken(je, s, 0x7ff0));  // an exception: the flags decide
  const auto to_next = decode64("74 00");
  CHECK_FALSE(taken(to_next, s, 0x1002));
  s.values[number(reg::flags)] = zf;
  CHECK(taken(to_next, s, 0x1002));
  CHECK(taken(je, s, 0x7ff0));
  CHECK_FALSE(taken(je, s, 0x1002));
  CHECK(taken(decode64("eb 00"), s, 0x1002));  // jmp +0
  CHECK_FALSE(taken(decode64("0f 05"), s, 0x7ff0));
  CHECK_FALSE(taken(decode64("90"), s, 0x7ff0));
  CHECK_FALSE(taken(decode64("c7 f8 10 00 00 00"), s, 0x1006));
  CHECK(taken(decode64("c7 f8 10 00 00 00"), s, 0x1016));
}
