// diff.hpp: values of registers and memory, in hand-made traces of x64dbg and UMTracer.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracecodec/analysis/diff.hpp"
#include "tracecodec/umtracer/feed.hpp"
#include "tracecodec/umtracer/values.hpp"
#include "tracecodec/x64dbg/feed.hpp"
#include "tracecodec/x64dbg/values.hpp"
#include "umtracer/composed_trace.hpp"
#include "umtracer/from_x64dbg.hpp"
#include "x64dbg_feed/support.hpp"

namespace analysis = tracecodec::analysis;

using namespace test;

namespace {

struct reported {
  analysis::diff_summary sum = {};
  std::vector<std::string> values = {};  // formatted by line_of()
};

std::string hex(std::uint64_t n) {
  std::string s;
  do s.insert(s.begin(), "0123456789abcdef"[n & 15U]);
  while ((n >>= 4U) != 0);
  return s;
}
// Formats a difference: "3 rax 1|2", "3 rax after 1|2", "3 [2000] 1|2 mask ff". 3 is the
// number of a's instruction.
std::string line_of(std::uint64_t index, const analysis::value_difference& v) {
  std::string s = std::to_string(index);
  s += ' ';
  if (v.memory)
    s.append("[").append(hex(v.at)).append("]");
  else
    s += std::string(x86_::name(v.which).view());
  if (!v.memory && v.at != 0) s.append("+").append(std::to_string(v.at));
  if (v.after) s += " after";
  s.append(" ").append(hex(v.a)).append("|").append(hex(v.b));
  if (v.memory) s.append(" mask ").append(hex(v.known));
  return s;
}

reported compare(analysis::diff_source a, analysis::diff_source b,
                 const analysis::diff_options& o = {}) {
  reported t;
  analysis::diff(
      std::move(a), std::move(b), o, t.sum,
      [&](const auto& p, const auto&, analysis::differences d,
          std::span<const analysis::value_difference> values) {
        CHECK(d.values == !values.empty());
        for (const auto& v : values) t.values.push_back(line_of(p.index, v));
      },
      [](const analysis::divergence&) {});
  return t;
}

template <target T> analysis::diff_source source(program<T>& p, bool registers = true) {
  return analysis::diff_source(x64dbg::trace_feed<T>(io::open_bytes(p.trace(), "t"),
                                                     x64dbg::feed_options{.registers = registers}));
}
template <target T>
reported compare(program<T>& a, program<T>& b, const analysis::diff_options& o = {}) {
  return compare(source(a), source(b), o);
}
analysis::diff_source source(composed_trace& t) {
  return analysis::diff_source(umtracer::trace_feed(t.open()));
}

using reported_lines = std::vector<std::string>;
// Indices of words in REGDUMP.
constexpr std::size_t word_of_rax = 0, word_of_rcx = 1, word_of_rsp = 4;
constexpr std::uint64_t base = 0x401000;

// Returns the index of the REGDUMP word that contains the first bytes of the register
// with x64dbg's name.
template <target T> std::size_t word_of(std::string_view name) {
  return x64dbg::find_register<T>(name).value().template word<T>();
}

}  // namespace

TEST_CASE("x64dbg: reports a register once, where it begins to differ") {
  program<x64> a, b;
  a.set(word_of_rsp, 0x7ff00);
  b.set(word_of_rsp, 0x7fe00);
  const std::array<std::uint64_t, 8> of_a{1, 1, 1, 5, 6, 6, 9, 9}, of_b{1, 1, 2, 4, 6, 6, 8, 7};
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    a.set(word_of_rax, of_a[i]).step(1, base + i, "90");
    b.set(word_of_rax, of_b[i]).step(1, base + i, "90");
  }
  const reported t = compare(a, b);
  CHECK(t.values == reported_lines{"0 rsp 7ff00|7fe00", "2 rax 1|2", "6 rax 9|8"});
  CHECK(t.sum.values == 3);
  CHECK(t.sum.values_compared);
  CHECK(t.sum.aligned == 8);
  CHECK(!t.sum.same());
  const reported left = compare(a, b, {.values = false});
  CHECK(left.sum.same());
  CHECK(!left.sum.values_compared);
}

TEST_CASE("x64dbg: reports each compared register by name, and ignores the others") {
  const auto check = []<target T>(std::string_view name, std::uint64_t before, std::uint64_t after,
                                  std::size_t further_words, const reported_lines& expected) {
    CAPTURE(name);
    using word = typename program<T>::word;
    program<T> a, b;
    const std::size_t w = word_of<T>(name) + further_words;
    a.set(w, static_cast<word>(before)).step(1, 0x1000, "90").step(1, 0x1001, "90");
    b.set(w, static_cast<word>(before)).step(1, 0x1000, "90");
    b.set(w, static_cast<word>(after)).step(1, 0x1001, "90");
    CHECK(compare(a, b).values == expected);
  };
  for (const std::string name : {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9",
                                 "r10", "r11", "r12", "r13", "r14", "r15"})
    check.operator()<test::x64>(name, 0x8000000000000003U, 4, 0,
                                {"1 " + name + " 8000000000000003|4"});
  for (const std::string name : {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"})
    check.operator()<test::x86>("e" + name, 0x80000003U, 4, 0, {"1 r" + name + " 80000003|4"});
  check.operator()<test::x64>("xmm3", 7, 8, 0, {"1 v3 7|8"});
  check.operator()<test::x64>("xmm15", 7, 8, 1, {"1 v15+8 7|8"});
  check.operator()<test::x64>("ymm3", 7, 8, 2, {"1 v3+16 7|8"});
  check.operator()<test::x64>("ymm0", 7, 8, 3, {"1 v0+24 7|8"});
  check.operator()<test::x86>("xmm2", 7, 8, 1, {"1 v2 700000000|800000000"});
  check.operator()<test::x86>("ymm2", 7, 8, 7, {"1 v2+24 700000000|800000000"});
  check.operator()<test::x64>("mm5", 7, 8, 0, {"1 mm5 7|8"});
  check.operator()<test::x86>("mm5", 7, 8, 1, {"1 mm5 700000000|800000000"});
  // ZF and CF are compared. TF, IF and RF are set by a debugger or the operating system.
  check.operator()<test::x64>("rflags", 0x346, 0x10203, 0, {"1 flags 44|1"});
  check.operator()<test::x64>("rflags", 0x202, 0x10302, 0, {});
  check.operator()<test::x64>("gs", 1, 2, 0, {});
  check.operator()<test::x64>("dr0", 1, 2, 0, {});
  check.operator()<test::x64>("last_error", 1, 2, 0, {});
  // The register's position in its word does not matter.
  program<x64> a, b;
  const auto mxcsr = x64dbg::find_register<x64>("mxcsr").value();
  a.step(1, 0x1000, "90");
  b.set(mxcsr.word<x64>(), std::uint64_t{0x1f80} << 8 * mxcsr.byte<x64>()).step(1, 0x1000, "90");
  CHECK(compare(a, b).values == reported_lines{"0 mxcsr 0|1f80"});
}

TEST_CASE("x64dbg: compares only memory if registers are excluded") {
  program<x64> a, b;
  a.set(word_of_rax, 1).step(1, base, "8b03", {{.address = 0x2000, .old_value = 5}});
  b.set(word_of_rax, 2).step(1, base, "8b03", {{.address = 0x2000, .old_value = 6}});
  CHECK(compare(source(a, false), source(b, false)).values ==
        reported_lines{"0 [2000] 5|6 mask ff"});
  CHECK(compare(source(a), source(b, false)).values == reported_lines{"0 [2000] 5|6 mask ff"});
}

TEST_CASE("x64dbg: compares memory that instructions read and write") {
  program<x64> a, b;
  std::uint64_t ip = base;
  const auto both = [&](std::string_view code, x64dbg::memory_access of_a,
                        x64dbg::memory_access of_b) {
    a.step(1, ip, code, {of_a});
    b.step(1, ip, code, {of_b});
    ip += code.size() / 2;
  };
  a.set(word_of_rsp, 0x8000);
  b.set(word_of_rsp, 0x8000);
  const auto load = "8b03", store = "8903", push = "50";
  both(load, {0x2000, 5}, {0x2000, 5});         // 0
  both(store, {0x2000, 5, 6}, {0x2000, 5, 7});  // the written values differ
  both(load, {0x2000, 6}, {0x2000, 7});         // unchanged difference
  both(load, {0x2010, 1}, {0x2010, 2});         // another word
  both(load, {0x2000, 8}, {0x2000, 8});         // 4: equal again
  both(load, {0x2000, 8}, {0x2000, 9});
  both(load, {0x3000, 1}, {0x4000, 2});  // 6: nothing to compare
  // Crosses the border of two words; only the upper word differs.
  both(load, {0x5004, 0x1100000000}, {0x5004, 0x2200000000});  // 7
  // The old value that a push records is not compared.
  both(push, {0x7ff8, 1, 3}, {0x7ff8, 2, 3});  // 8
  both(push, {0x7ff0, 1, 3}, {0x7ff0, 2, 4});
  // One trace writes the value that was there already, so it records no new value.
  both(store, {0x6000, 0, 0x41}, {0x6000, 0});  // 10
  both(store, {0x6000, 0x41, 0x42}, {0x6000, 0, 0x42});
  both(store, {0x6000, 0x42}, {0x6000, 0x42, 0x43});  // 12
  both(load, {0x6000, 0x42}, {0x6000, 0x43});
  CHECK(compare(a, b).values ==
        reported_lines{"1 [2000] after 6|7 mask ff", "3 [2010] 1|2 mask ff", "5 [2000] 8|9 mask ff",
                       "7 [5008] 11|22 mask f", "9 [7ff0] after 3|4 mask ff",
                       "10 [6000] after 41|0 mask ff", "12 [6000] after 42|43 mask ff"});
}

TEST_CASE("x64dbg: reports changes from a divergence where the traces meet again") {
  program<x64> a, b;
  for (unsigned i = 0; i < 20; ++i) {
    a.step(1, base + i, "90");
    b.step(1, base + i, "90");
  }
  b.set(word_of_rax, 3)
      .step(1, 0x9000, "90")
      .set(word_of_rcx, 4)
      .step(1, 0x9001, "90")
      .set(word_of_rcx, 0);
  b.step(1, 0x9002, "90");
  for (unsigned i = 20; i < 60; ++i) {
    a.step(1, base + i, "90");
    b.step(1, base + i, "90");
  }
  const reported t = compare(a, b);
  CHECK(t.sum.only_b == 3);
  CHECK(t.values == reported_lines{"20 rax 0|3"});
}

analysis::diff_source of_thread_1(program<x64>& p) {
  return analysis::diff_source(x64dbg::trace_feed<x64>(
      io::open_bytes(p.trace(), "t"), x64dbg::feed_options{.thread = 1U, .registers = true}));
}

TEST_CASE("x64dbg: registers of other threads do not affect a selected thread") {
  program<x64> a, b;
  for (unsigned i = 0; i < 30; ++i) {
    a.set(word_of_rax, 1).step(1, base + i, "90");
    a.set(word_of_rax, 100 + i).step(2, base + 0x1000 + i, "90");
    b.set(word_of_rax, i < 7 ? 1 : 2).step(1, base + i, "90");
  }
  CHECK(compare(of_thread_1(a), of_thread_1(b)).values == reported_lines{"7 rax 1|2"});
}

TEST_CASE("x64dbg: compares a vector register of a selected thread that other threads changed") {
  program<x64> a, b;
  const std::size_t xmm0 = word_of<x64>("xmm0");
  for (unsigned i = 0; i < 30; ++i) {
    a.step(1, base + i, "90");
    a.set(xmm0, 100 + i).step(2, base + 0x1000 + i, "90");
    b.set(xmm0, i == 0 ? 0 : i == 29 ? 999 : 99 + i).step(1, base + i, "90");
  }
  CHECK(compare(of_thread_1(a), of_thread_1(b)).values == reported_lines{"29 v0 80|3e7"});
}

TEST_CASE("x64dbg: reports no wrong difference when changes exceed the buffer") {
  // All registers change at each instruction, and the traces only meet again far away, so that
  // the search finds more changes than are kept.
  program<x64> a, b;
  const std::size_t rbx = 3;
  for (unsigned i = 0; i < 5000; ++i) {
    for (unsigned k = 0; i == 500 && k < 400; ++k) b.step(1, base + 0x10000 + k, "90");
    for (program<x64>* p : {&a, &b}) {
      for (std::size_t w = 0; w < x64dbg::register_words<x64>; ++w)
        if (w != rbx && w != program<x64>::state::cip_word) p->set(w, i * 77 + w);
      p->set(rbx, p == &b && i > 1000 ? 9 : 8).step(1, base + i, "90");
    }
  }
  const reported t = compare(a, b, {.window = 8192});
  CHECK(t.sum.aligned == 5000);
  CHECK(t.sum.only_b == 400);
  REQUIRE(t.values.size() == 1);
  CHECK(t.values[0].ends_with(" rbx 8|9"));
  const auto at = std::stoul(t.values[0]);
  CHECK(at > 1000);
  CHECK(at < 4500);
  CHECK(t.sum.values_left_out > 0);
  CHECK(t.sum.values_left_out < 4500);
}

TEST_CASE("UMTracer: compares operands and parts of registers") {
  composed_trace a, b;
  const auto row = [&](composed_trace::instruction i) {
    a.add(i);
    return b.add(i);
  };
  std::uint64_t ip = base;
  const auto next = [&] { return ip++; };
  const auto both = [&](std::size_t r, std::string_view of_a, std::string_view of_b) {
    a.run(1, r, of_a);
    b.run(1, r, of_b);
  };
  both(row({.in = {{regs::rax, 8}}, .address = next()}), "0100000000000000", "0200000000000000");
  // 1: al still differs. 2: ah did not differ before, but does now.
  both(row({.in = {{regs::al, 1}}, .address = next()}), "01", "02");
  both(row({.in = {{regs::ah, 1}}, .address = next()}), "07", "08");
  // 3: equal before, but written with different values.
  both(row({.in = {{regs::eax, 4}}, .after = {{regs::eax, 4}}, .address = next()}),
       "05000000 06000000", "05000000 07000000");
  // 4: only one trace has rcx, and rax is equal.
  const std::size_t r4 = row({.in = {{regs::rcx, 8}}, .address = next()});
  both(r4, "0100000000000000", "0100000000000000");
  // 5: the upper half of xmm0. 6: two bytes of memory, before they are written and after.
  both(row({.in = {{regs::xmm0, 16}}, .address = next()}), "00000000000000000100000000000000",
       "00000000000000000200000000000000");
  both(row({.before = {{0xFFFF, 2, true}}, .after = {{0xFFFF, 2, true}}, .address = next()}),
       "0620000000000000 1111 0620000000000000 2222",
       "0620000000000000 1111 0620000000000000 2233");
  // 7: the instruction pointer is not compared.
  both(row({.in = {{regs::rip, 8}}, .address = next()}), "0100000000000000", "0200000000000000");
  CHECK(compare(source(a), source(b)).values ==
        reported_lines{"0 rax 1|2", "2 rax 700|800", "3 rax after 6|7", "5 v0+8 1|2",
                       "6 [2000] after 2222000000000000|3322000000000000 mask c0"});
}

TEST_CASE("UMTracer: compares the first 8 KiB of an operand and counts longer ones") {
  const auto compare_with = [](std::size_t changed) {
    composed_trace a, b;
    for (composed_trace* t : {&a, &b}) {
      const std::size_t xsave = t->add({.after = {{0xFFFF, 16384, true}}, .address = base});
      const std::size_t load = t->add({.before = {{0xFFFF, 8, true}}, .address = base + 1});
      std::string content(std::size_t{2} * 16384, '0');
      if (t == &b) content[2 * changed] = '1';
      t->run(1, xsave, "0020000000000000 " + content);
      t->run(1, load, "0080000000000000 0100000000000000");
    }
    return compare(source(a), source(b));
  };
  const reported seen = compare_with(8191);
  CHECK(seen.values == reported_lines{"0 [3ff8] after 0|1000000000000000 mask ff"});
  CHECK(seen.sum.values_left_out == 1);
  const reported unseen = compare_with(8192);
  CHECK(unseen.values.empty());
  CHECK(unseen.sum.values_left_out == 1);
}

TEST_CASE("compares a trace of x64dbg with one of UMTracer by the instructions' operands") {
  program<x64> a;
  composed_trace b;
  const auto run = [&](std::uint64_t ip, std::vector<composed_trace::operand> in,
                       std::string_view values, std::vector<x64dbg::memory_access> memory = {}) {
    a.step(1, ip, "8b03", std::move(memory));
    b.run(1, b.add({.in = std::move(in), .address = ip}), values);
  };
  a.set(word_of_rax, 0x1122334455667788);
  // 0: equal. 1: rcx differs, although no instruction of the first trace changes it there.
  run(base, {{regs::rax, 8}}, "8877665544332211");
  run(base + 2, {{regs::rcx, 8}}, "0900000000000000");
  // 2: one trace does not have the register while it changes in the other. 3: both have
  // it, and it differs.
  a.set(word_of_rax, 0x1122334455667700);
  run(base + 4, {}, "");
  run(base + 6, {{regs::al, 1}}, "88");
  // 4: eax is the lower half, so only that half is compared.
  a.set(word_of_rax, 0x5555555500000001);
  run(base + 8, {{regs::eax, 4}}, "01000000");
  a.set(word_of_rax, 0x5555555500000002);
  run(base + 10, {{regs::eax, 4}}, "01000000");
  // 6: only the operand's two bytes of the memory word are compared.
  run(base + 12, {{0xFFFF, 2, true}}, "0620000000000000 1234",
      {{.address = 0x2006, .old_value = 0xffff3312}});
  CHECK(compare(source(a), source(b)).values ==
        reported_lines{"1 rcx 0|9", "3 rax 0|88", "5 rax 2|1",
                       "6 [2000] 3312000000000000|3412000000000000 mask c0"});
}

TEST_CASE("UMTracer: recognises names of registers in upper and lower case") {
  const auto place = [](std::string_view name) {
    const auto p = umtracer::detail::place_of(name);
    return std::pair(p.which, p.offset);
  };
  CHECK(place("rax") == std::pair(reg::rax, std::size_t{0}));
  CHECK(place("Ah") == std::pair(reg::rax, std::size_t{1}));
  CHECK(place("r15d") == std::pair(x86_::row(reg::r8, 7), std::size_t{0}));
  CHECK(place("bh") == std::pair(reg::rbx, std::size_t{1}));
  CHECK(place("ymm31") == std::pair(x86_::row(reg::vector0, 31), std::size_t{0}));
  CHECK(place("EFLAGS").first == reg::flags);
  CHECK(place("").first == reg::none);
  CHECK(place("a name of more than sixteen letters").first == reg::none);
}

TEST_CASE("finds no differences between formats of one recording, and finds changed values") {
  for (const std::string name : x64dbg_samples) {
    CAPTURE(name);
    const folder dir;
    with_sample(name, [&]<target T>(x64dbg::reader<T>& from) {
      convert_x64dbg(from, dir / "t");
      // Sorted by file order, so that both traces have one order.
      const auto source = [&] {
        return analysis::diff_source(
            x64dbg::trace_feed<T>(data(name), x64dbg::feed_options{.registers = true}));
      };
      const auto made = [&] { return analysis::diff_source(umtracer::trace_feed(dir / "t")); };
      const reported t = compare(source(), made());
      CHECK(t.sum.values_compared);
      CHECK(t.sum.aligned >= 30000);
      CHECK(t.values == reported_lines{});
      CHECK(compare(source(), source()).sum.same());
      CHECK(compare(made(), made()).sum.same());

      // The same trace, but eax is greater by 1 from the 1000th instruction on.
      x64dbg::reader<T> again(io::open_input(data(name)));
      bytes changed;
      x64dbg::writer<T> out(std::make_unique<vector_sink>(changed), "t", again.header());
      x64dbg::instruction<T> i;
      for (unsigned n = 0; n < 3000 && again.next(i); ++n) {
        auto state = *i.before;
        if (n >= 1000) state.set(0, state[0] + 1);
        std::vector<x64dbg::memory_access> accesses;
        for (const auto& access : i.accesses()) accesses.push_back(access);
        out.write(i.thread, state, i.opcode(), accesses);
      }
      out.finish();
      const auto other = [&] {
        return analysis::diff_source(x64dbg::trace_feed<T>(
            io::open_bytes(changed, "t"), x64dbg::feed_options{.registers = true}));
      };
      const reported one = compare(source(), other());
      REQUIRE(one.values.size() == 1);
      CHECK(one.values[0].starts_with("1000 rax "));
      const reported cross = compare(made(), other());
      REQUIRE(cross.values.size() >= 1);
      CHECK(std::stoul(cross.values[0]) >= 1000);
      for (const std::string& s : cross.values) CHECK(s.find(" rax ") != std::string::npos);
    });
  }
}

TEST_CASE("x64dbg: disassembles each side from its own code") {
  program<x64> a, b;
  a.step(1, base, "b801000000").step(1, base + 5, "90").step(1, base + 6, "c3");
  b.step(1, base, "b802000000").step(1, 0x2000, "e800000000").step(1, 0x2005, "0f0b");
  auto of_a = source(a), of_b = source(b);
  const auto texts = [&trace = of_a.trace()](std::span<const analysis::diff_step> all) {
    reported_lines lines;
    for (const analysis::diff_step& i : all) lines.push_back(analysis::assembly_of(i, trace));
    return lines;
  };
  analysis::diff_summary sum;
  analysis::diff(
      std::move(of_a), std::move(of_b), {}, sum,
      [](const auto&, const auto&, analysis::differences) {},
      [&](const analysis::divergence& d) {
        CHECK(texts(d.before_a) == reported_lines{"mov eax, 0x01"});
        CHECK(texts(d.before_b) == reported_lines{"mov eax, 0x02"});
        CHECK(texts(d.only_a) == reported_lines{"nop", "ret"});
        CHECK(texts(d.only_b) == reported_lines{"call 0x0000000000002005", "ud2"});
      });
  CHECK(sum.divergences == 1);
}

TEST_CASE("UMTracer: uses the disassembly that the trace contains") {
  const std::string folder = data("umtracer/plain64");
  umtracer::trace_feed in(folder);
  const auto batch = in.next();
  REQUIRE(batch.size() != 0);
  const auto first = batch[0];
  analysis::diff_source from{umtracer::trace_feed(folder)};
  std::vector<analysis::diff_step> steps;
  REQUIRE(from.take(steps, nullptr));
  CHECK(analysis::assembly_of(steps[0], from.trace()) == "add ch, 0x11");
  CHECK(std::ranges::equal(steps[0].reads.code(), first.code()));
}

TEST_CASE("UMTracer: compares instructions whose disassembly pointer is invalid") {
  composed_trace a, b;
  for (composed_trace* t : {&a, &b})
    t->run(1, t->add({.address = base, .disassembly = std::int64_t{1} << 40}), "");
  analysis::diff_source from = source(a);
  std::vector<analysis::diff_step> steps;
  REQUIRE(from.take(steps, nullptr));
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].record.ip == base);
  CHECK_THROWS_AS(static_cast<void>(from.trace().assembly_at(steps[0].number)), trace_error);
  CHECK(analysis::assembly_of(steps[0], from.trace()).empty());
  CHECK(compare(source(a), source(b), {.values = false}).sum.aligned == 1);
}
