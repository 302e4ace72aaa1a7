// Tests of operand lists for simulators: ChampSim derives the true class from them.
#include <doctest/doctest.h>

#include "support.hpp"
#include "tracecodec/champsim/feed.hpp"
#include "tracecodec/x86/operands.hpp"

namespace {
using namespace test;
using tracecodec::champsim::branch_class_of;
using tracecodec::feed::branch_class;
using tracecodec::x86::memory_lists;
using tracecodec::x86::simulator_registers;

using two = std::array<std::uint8_t, 2>;
using four = std::array<std::uint8_t, 4>;
auto lists(std::string_view hex) { return simulator_registers<2, 4>(decode64(hex)); }

template <class Record> branch_class derived(const instruction& i) {
  Record r{};
  constexpr std::size_t d = r.destination_registers.size(), s = r.source_registers.size();
  const auto found = simulator_registers<d, s>(i);
  r.destination_registers = found.destinations;
  r.source_registers = found.sources;
  return branch_class_of(r);
}

void check_class(target t, std::string_view hex, branch_class c) {
  CAPTURE(hex);
  CHECK(derived<tracecodec::champsim::instruction>(decode(t, hex)) == c);
  CHECK(derived<tracecodec::champsim::cloudsuite_instruction>(decode(t, hex)) == c);
}
}  // namespace

TEST_CASE("ChampSim derives the true class of each instruction") {
  const auto is = [](branch_class c, std::initializer_list<const char*> all) {
    for (const char* hex : all) check_class(target::x64, hex, c);
  };
  is(branch_class::direct_jump, {"eb 00", "e9 00 00 00 00"});
  // jmp rax, rsp, [rax+rcx*8], [rip], [rsp+8], [abs], gs:[abs], far [rax]
  is(branch_class::indirect, {"ff e0", "ff e4", "ff 24 c8", "ff 25 00 00 00 00", "ff 64 24 08",
                              "ff 24 25 00 00 00 00", "65 ff 24 25 00 00 00 00", "48 ff 28"});
  is(branch_class::conditional,
     {"74 00", "0f 8f 00 00 00 00", "e3 00", "67 e3 00", "e2 00", "e1 00", "e0 00"});
  is(branch_class::direct_call, {"e8 00 00 00 00"});
  is(branch_class::indirect_call, {"ff d0", "ff d4", "ff 14 c8", "ff 15 00 00 00 00", "ff 54 24 08",
                                   "ff 14 25 00 00 00 00", "48 ff 18"});
  is(branch_class::return_, {"c3", "c2 08 00", "cb", "48 cf", "f3 c3"});
  is(branch_class::other, {"0f 07", "0f 35", "c7 f8 00 00 00 00", "c6 f8 00", "f3 0f 01 ec"});
  is(branch_class::not_branch,
     {"0f 05", "0f 34", "cd 80", "cc", "90", "50", "c9", "f3 a4", "9d", "8b 05 00 00 00 00"});
  check_class(target::x86, "ea 11 22 33 44 55 66", branch_class::direct_jump);
  check_class(target::x86, "9a 11 22 33 44 55 66", branch_class::direct_call);
  check_class(target::x86, "ff 25 00 00 00 00", branch_class::indirect);
  check_class(target::x86, "66 e8 00 00", branch_class::direct_call);
  check_class(target::x86, "cf", branch_class::return_);
}

TEST_CASE("ChampSim derives the true class for any registers that a trace contains") {
  using tracecodec::x86::kind;
  constexpr std::array some{reg::ip, reg::rsp, reg::flags, reg::rcx, reg::rax};
  constexpr unsigned sets = 1U << some.size();
  for (unsigned k = 0; k < static_cast<unsigned>(kind::not_branch); ++k) {
    for (unsigned n = 0; n < sets * sets; ++n) {
      instruction i;
      i.kind = static_cast<kind>(k);
      for (std::size_t r = 0; r < some.size(); ++r) {
        if ((n >> r & 1U) != 0) i.add_read(some[r]);
        if ((n / sets >> r & 1U) != 0) i.add_written(some[r]);
      }
      CAPTURE(n);
      REQUIRE(derived<tracecodec::champsim::instruction>(i) == static_cast<branch_class>(k));
      REQUIRE(derived<tracecodec::champsim::cloudsuite_instruction>(i) ==
              static_cast<branch_class>(k));
    }
  }
}

TEST_CASE("lists the registers of branches") {
  CHECK(lists("eb 00").destinations == two{26, 0});
  CHECK(lists("eb 00").sources == four{26});
  CHECK(lists("74 00").sources == four{26, 25});
  CHECK(lists("e3 00").sources == four{26, 9});
  CHECK(lists("e2 00").destinations == two{26, 9});
  CHECK(lists("e8 00 00 00 00").destinations == two{26, 6});
  CHECK(lists("e8 00 00 00 00").sources == four{26, 6});
  CHECK(lists("c3").sources == four{6});
  CHECK(lists("ff 24 c8").sources == four{10, 9});
  CHECK(lists("ff 25 00 00 00 00").sources == four{255});
  CHECK(lists("ff 64 24 08").sources == four{255});
  CHECK(lists("ff 15 00 00 00 00").sources == four{26, 6, 255});
  CHECK(lists("ff 14 c8").sources == four{26, 6, 10, 9});
  CHECK(lists("65 ff 14 c8").dropped_sources == 1);  // gs does not fit
}

TEST_CASE("clipping drops flags first and counts dropped registers") {
  const auto mul = lists("f7 e1");
  CHECK(mul.destinations == two{10, 8});
  CHECK(mul.dropped_destinations == 1);
  CHECK(mul.dropped_sources == 0);
  const auto full = lists("4b 0f b1 0c 01");  // cmpxchg [r9+r8], rcx: 4 sources with rax
  CHECK(full.sources == four{12, 11, 9, 10});
  CHECK(full.dropped_sources == 0);
  const auto wide = lists("4a 0f b1 4c 00 08");
  CHECK(wide.dropped_sources == 0);
  const auto over = lists("64 4b 0f b1 0c 01");
  CHECK(over.sources == four{12, 11, 23, 9});
  CHECK(over.dropped_sources == 1);
  const auto cloudsuite = simulator_registers<4, 4>(decode64("f7 e1"));
  CHECK(cloudsuite.dropped_destinations == 0);
  CHECK(cloudsuite.destinations == four{10, 8, 25});
}

TEST_CASE("lists memory operands and counts dropped ones") {
  const state s({{reg::rsp, 0x9000}, {reg::rax, 0x100}, {reg::rbp, 0x8000}});
  memory_lists<2, 4> m;
  tracecodec::x86::accesses(decode64("ff 30"), s, m);
  CHECK(m.sources == std::array<std::uint64_t, 4>{0x100});
  CHECK(m.destinations == std::array<std::uint64_t, 2>{0x8ff8});
  CHECK(m.dropped_destinations() == 0);
  memory_lists<2, 4> enter;
  tracecodec::x86::accesses(decode64("c8 00 00 1f"), s, enter);  // 30 reads, 32 writes
  CHECK(enter.dropped_destinations() == 30);
  CHECK(enter.dropped_sources() == 26);
  CHECK(enter.destinations == std::array<std::uint64_t, 2>{0x8ff8, 0x8ff0});
}
