// Tests of REGDUMP: every word of the tables in the format's description, by name;
// states and differences.
#include <doctest/doctest.h>

#include <map>

#include "example_blocks.hpp"
#include "tracecodec/x64dbg/layout/regdump.hpp"

using namespace test;

namespace {
template <target T> void check_word(std::string_view name, std::size_t word, std::size_t byte = 0,
                                    std::size_t size = 0) {
  CAPTURE(name);
  const auto r = x64dbg::find_register<T>(name);
  REQUIRE(r);
  CHECK(r->template word<T>() == word);
  CHECK(r->template byte<T>() == byte);
  if (size != 0) CHECK(r->size == size);
}
}  // namespace

TEST_CASE("REGDUMP has 172 words for x64 and 216 for x86") {
  CHECK(x64dbg::regdump_codec<x64>::size == 1376);
  CHECK(x64dbg::regdump_codec<x86>::size == 864);
  CHECK(x64dbg::register_words<x64> == 172);
  CHECK(x64dbg::register_words<x86> == 216);
}

TEST_CASE("x64: each register has its documented place") {
  std::size_t w = 0;
  for (const auto* name : {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9",
                           "r10", "r11", "r12", "r13", "r14", "r15", "rip", "rflags"})
    check_word<x64>(name, w++, 0, 8);
  check_word<x64>("gs", 18, 0, 2);
  check_word<x64>("fs", 18, 2, 2);
  check_word<x64>("es", 18, 4, 2);
  check_word<x64>("ds", 18, 6, 2);
  check_word<x64>("cs", 19, 0, 2);
  check_word<x64>("ss", 19, 2, 2);
  w = 20;
  for (const auto* name : {"dr0", "dr1", "dr2", "dr3", "dr6", "dr7"}) check_word<x64>(name, w++);
  check_word<x64>("x87.control_word", 36, 0, 2);
  check_word<x64>("x87.status_word", 36, 2, 2);
  check_word<x64>("x87.tag_word", 36, 4, 2);
  check_word<x64>("x87.error_offset", 37, 0, 4);
  check_word<x64>("x87.error_selector", 37, 4, 4);
  check_word<x64>("x87.data_offset", 38, 0, 4);
  check_word<x64>("x87.data_selector", 38, 4, 4);
  check_word<x64>("x87.cr0_state", 39, 0, 4);
  check_word<x64>("mxcsr", 39, 4, 4);
  check_word<x64>("xmm0", 40, 0, 16);
  check_word<x64>("xmm15", 70, 0, 16);
  check_word<x64>("ymm0", 72, 0, 32);
  check_word<x64>("ymm15", 132, 0, 32);
  const std::string flags = "cpazstido";
  for (std::size_t i = 0; i < flags.size(); ++i)
    check_word<x64>(std::string(1, flags[i]) + "f", 136 + i / 8, i % 8, 1);
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t at = 1100 + 20 * i;
    const std::string name = "x87r" + std::to_string(i);
    check_word<x64>(name, at / 8, at % 8, 10);
    check_word<x64>(name + ".st_value", (at + 12) / 8, (at + 12) % 8, 4);
    check_word<x64>(name + ".tag", (at + 16) / 8, (at + 16) % 8, 4);
    check_word<x64>("mm" + std::to_string(i), 158 + i, 0, 8);
  }
  check_word<x64>("mxcsr_parts.fz", 166, 0);
  check_word<x64>("mxcsr_parts.ie", 167, 5);
  check_word<x64>("mxcsr_parts.rc", 167, 6, 2);
  check_word<x64>("x87_status.b", 168, 0);
  check_word<x64>("x87_status.i", 169, 4);
  check_word<x64>("x87_status.top", 169, 6, 2);
  check_word<x64>("x87_control.ic", 170, 0);
  check_word<x64>("x87_control.im", 170, 7);
  check_word<x64>("x87_control.rc", 171, 0, 2);
  check_word<x64>("x87_control.pc", 171, 2, 2);
  check_word<x64>("last_error", 171, 4, 4);
  check_word<x64>("eax", 0, 0, 4);
  check_word<x64>("ch", 1, 1, 1);
  check_word<x64>("dil", 7, 0, 1);
  check_word<x64>("r9b", 9, 0, 1);
}

TEST_CASE("x86: each register has its documented place") {
  std::size_t w = 0;
  for (const auto* name : {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip", "eflags"})
    check_word<x86>(name, w++, 0, 4);
  check_word<x86>("gs", 10, 0);
  check_word<x86>("fs", 10, 2);
  check_word<x86>("es", 11, 0);
  check_word<x86>("ds", 11, 2);
  check_word<x86>("cs", 12, 0);
  check_word<x86>("ss", 12, 2);
  check_word<x86>("dr0", 13);
  check_word<x86>("dr7", 18);
  check_word<x86>("x87.control_word", 39, 0);
  check_word<x86>("x87.status_word", 39, 2);
  check_word<x86>("x87.tag_word", 40, 0);
  check_word<x86>("x87.error_offset", 41);
  check_word<x86>("x87.error_selector", 42);
  check_word<x86>("x87.data_offset", 43);
  check_word<x86>("x87.data_selector", 44);
  check_word<x86>("x87.cr0_state", 45);
  check_word<x86>("mxcsr", 46);
  check_word<x86>("xmm0", 48, 0, 16);
  check_word<x86>("xmm7", 76);
  check_word<x86>("ymm0", 80);
  check_word<x86>("ymm7", 136);
  check_word<x86>("cf", 144, 0);
  check_word<x86>("of", 146, 0);
  check_word<x86>("x87r0", 147, 0, 10);
  check_word<x86>("x87r7.tag", 186, 0, 4);
  check_word<x86>("mm0", 188, 0, 8);
  check_word<x86>("mm7", 202);
  check_word<x86>("mxcsr_parts.fz", 204, 0);
  check_word<x86>("x87_status.b", 208, 0);
  check_word<x86>("x87_control.ic", 212, 0);
  check_word<x86>("last_error", 215, 0, 4);
  CHECK(!x64dbg::find_register<x86>("rax"));
  CHECK(!x64dbg::find_register<x86>("r8"));
  CHECK(!x64dbg::find_register<x86>("sil"));
  CHECK(!x64dbg::find_register<x64>("st0"));
}

TEST_CASE("register names are unique, and all registers are inside REGDUMP") {
  std::map<std::string, int> seen;
  for (const auto& r : x64dbg::register_names<x64>()) {
    CHECK(++seen[std::string(r.name.view())] == 1);
    CHECK(r.offset + r.size <= 1376);
  }
}

TEST_CASE("a state distinguishes known words from unknown words") {
  x64dbg::register_state<x64> s;
  CHECK(!s.get("rax"));
  s.set(0, 0x1122334455667788);
  CHECK(s.get("rax") == 0x1122334455667788);
  CHECK(s.get("eax") == 0x55667788);
  CHECK(s.get("ah") == 0x77);
  CHECK(!s.get("rcx"));
  CHECK(!s.get("nonsense"));
  CHECK(!s.get("ymm0"));  // longer than 8 bytes
  CHECK(!s.complete());
  s.fill_unknown(0);
  CHECK(s.complete());
  CHECK(s.get("rcx") == 0);
  CHECK(s.get("rax") == 0x1122334455667788);
  s.forget();
  CHECK(!s.known(0));
}

TEST_CASE("the changes of an instruction exclude padding") {
  x64dbg::register_state<x64> a, b;
  a.fill_unknown(0);
  b.fill_unknown(0);
  b.set(0, 5);
  b.set(19, 0xFFFFFFFF00000000);  // padding after cs and ss
  b.set(36, 0xFFFF000000000000);  // padding after the tag word
  b.set(137, 0xFF00);             // padding after the flags
  std::vector<std::size_t> words;
  x64dbg::for_each_change(a, b, [&](std::size_t w, auto from, auto to) {
    words.push_back(w);
    CHECK(from == 0);
    CHECK(to == 5);
  });
  CHECK(words == std::vector<std::size_t>{0});
  // x87 entry 0 is at byte 1100. Its data ends at 1110, and two bytes of padding follow.
  CHECK((x64dbg::meaningful_bits<x64>()[1104 / 8] >> 48) == 0);
  CHECK(x64dbg::meaningful_bits<x86>()[47] == 0);
  CHECK(x64dbg::meaningful_bits<x86>()[187] == 0);
}
