// Tests of the feed with handwritten traces: estimates without the next instruction, segments,
// unknown values, clipping, threads, cuts.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <array>
#include <ranges>
#include <thread>

#include "support.hpp"
#include "tracecodec/x64dbg/feed.hpp"

using namespace test;
using feed::branch_class;
using x64dbg::outcome;

static_assert(feed::stream<x64dbg::trace_feed<x64>>);
static_assert(feed::stream<x64dbg::trace_feed<x86>>);
static_assert(feed::instruction<x64dbg::instruction_view<x64>>);
static_assert(std::ranges::input_range<x64dbg::trace_feed<x64>>);

namespace {
template <target T> struct run_of {
  std::vector<seen> all;
  x64dbg::lift_counts counts;
};
// Returns what a mapped feed delivers, and checks that a stream delivers the same.
template <target T> run_of<T> run(const bytes& trace, const x64dbg::feed_options& o = {}) {
  const folder dir;
  const auto path = dir.file("t", trace);
  x64dbg::trace_feed<T> f(path, o);
  run_of<T> r{see_all(f), {}};
  r.counts = f.counts();
  x64dbg::trace_feed<T> stream(io::open_input(path, {.map = false}), o);
  CHECK(see_all(stream) == r.all);
  CHECK(stream.counts().estimated == r.counts.estimated);
  return r;
}
template <target T> run_of<T> run(program<T>& p, const x64dbg::feed_options& o = {}) {
  return run<T>(p.trace(), o);
}
}  // namespace

TEST_CASE("estimates the last instruction of a thread from the known state") {
  using state = program<x64>;
  const auto last = [](state& p, std::string_view code,
                       std::vector<x64dbg::memory_access> accesses = {}) {
    p.step(4, 0x1000, code, std::move(accesses));
    const auto r = run(p);
    REQUIRE(r.all.size() == 1);
    CHECK(r.all[0].outcome == outcome::estimated);
    CHECK(r.counts.estimated == 1);
    return r.all[0];
  };
  const auto check = [](const seen& s, branch_class branch, bool taken, std::uint64_t to) {
    CHECK(s.branch == branch);
    CHECK(s.taken == taken);
    CHECK(s.target == to);
  };
  constexpr auto flags = state::flags_word;
  SUBCASE("direct jump") {
    state p;
    check(last(p, "eb10"), branch_class::direct_jump, true, 0x1012);
  }
  SUBCASE("direct call") {
    state p;
    p.set(4, 0x8000);
    check(last(p, "e8fb000000", {{0x7ff8, 0, 0x1005, 0}}), branch_class::direct_call, true, 0x1100);
  }
  SUBCASE("conditional branch that the flags take") {
    state p;
    p.set(flags, state::zero_flag);
    check(last(p, "7410"), branch_class::conditional, true, 0x1012);
  }
  SUBCASE("conditional branch that the flags do not take") {
    state p;
    check(last(p, "7410"), branch_class::conditional, false, 0);
  }
  SUBCASE("conditional branch that depends on the count") {
    state p;
    check(last(p, "e310"), branch_class::conditional, true, 0x1012);
  }
  SUBCASE("jump to a register") {
    state p;
    p.set(0, 0x5000);
    check(last(p, "ffe0"), branch_class::indirect, true, 0x5000);
  }
  SUBCASE("call to a register") {
    state p;
    p.set(9, 0x5000).set(4, 0x8000);
    check(last(p, "41ffd1"), branch_class::indirect_call, true, 0x5000);
  }
  SUBCASE("return to the recorded word on the stack") {
    state p;
    p.set(4, 0x8000);
    check(last(p, "c3", {{0x8000, 0x1234, std::nullopt, 0}}), branch_class::return_, true, 0x1234);
  }
  SUBCASE("jump through memory") {
    state p;
    check(last(p, "ff2510000000", {{0x1016, 0x7766, std::nullopt, 0}}), branch_class::indirect,
          true, 0x7766);
  }
  SUBCASE("call through memory, among several words") {
    state p;
    p.set(4, 0x8000);
    const auto s = last(p, "ff1510000000", {{0x7ff8, 0, 0x1006, 0}, {0x1016, 0x99, {}, 0}});
    check(s, branch_class::indirect_call, true, 0x99);
    CHECK(s.memory == std::vector<x86_::memory_access>{{0x1016, 8, false}, {0x7ff8, 8, true}});
  }
  SUBCASE("return without a recorded word") {
    state p;
    check(last(p, "c3"), branch_class::return_, true, 0);
  }
}

TEST_CASE("a 16-bit return uses two bytes of the word") {
  program<x86> p;
  p.set(4, 0x8000).step(4, 0x1000, "66c3", {{0x8000, 0x12345678, {}, 0}});
  CHECK(run(p).all.at(0).target == 0x5678);
}

TEST_CASE("the path takes precedence over the flags, which decide if the path is ambiguous") {
  constexpr auto flags = program<x64>::flags_word;
  program<x64> p;
  p.step(4, 0x1000, "7410");                                        // zero flag clear, but taken
  p.set(flags, program<x64>::zero_flag).step(4, 0x1012, "7410");    // set, but not taken
  p.step(4, 0x1014, "7400");                                        // both ways lead to 0x1016
  p.set(flags, 0).step(4, 0x1016, "7400").step(4, 0x1018, "eb00");  // jmp +0
  p.step(4, 0x101a, "0f05").step(4, 0x101c, "90");                  // syscall
  const auto r = run(p);
  REQUIRE(r.all.size() == 7);
  const std::array<std::uint64_t, 7> targets{0x1012, 0, 0x1016, 0, 0x101a, 0, 0};
  for (std::size_t n = 0; n < 7; ++n) {
    CHECK(r.all[n].target == targets[n]);
    CHECK(r.all[n].taken == (targets[n] != 0));
    CHECK(r.all[n].outcome == (n < 5 ? outcome::followed : outcome::no_branch));
  }
  CHECK(r.all[5].branch == branch_class::not_branch);
  CHECK(r.counts.estimated == 0);
}

TEST_CASE("waits for a paused thread within the reach, and estimates its branch beyond") {
  // Thread 4 is at a conditional jump. Thread 8 runs, then thread 4 continues against its flags.
  for (const std::size_t asleep : {10U, 3000U, 70000U}) {
    CAPTURE(asleep);
    program<x64> p;
    p.step(4, 0x1000, "7410");
    for (std::size_t n = 0; n < asleep; ++n) p.step(8, 0x2000, n % 2 == 0 ? "ebfe" : "90");
    p.step(4, 0x1012, "90").step(8, 0x2000, "90");
    for (const std::size_t reach : {16U, 4096U, 65536U}) {
      CAPTURE(reach);
      const auto r = run(p, {.reach = reach});
      REQUIRE(r.all.size() == asleep + 3);
      const bool near = asleep < reach;
      CHECK(r.all[0].outcome == (near ? outcome::followed : outcome::estimated));
      CHECK(r.all[0].target == (near ? 0x1012 : 0));
      CHECK(r.counts.estimated == (near ? 0 : 1));
      std::size_t wrong = 0;
      for (std::size_t n = 0; n < r.all.size(); ++n) {
        wrong += r.all[n].index != n;
        if (r.all[n].branch == branch_class::direct_jump) wrong += r.all[n].target != 0x2000;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("derives each thread's segment bases from recorded addresses") {
  program<x64> p;
  const auto read = [&p](std::uint32_t thread, std::vector<x64dbg::memory_access> a) {
    p.step(thread, 0x1000, "65488b042530000000", std::move(a));  // mov rax, gs:[0x30]
  };
  read(4, {});  // not known yet
  read(4, {{0x7ff000030, 0, {}, 0}});
  read(8, {{0x7aa000030, 0, {}, 0}});
  read(4, {});  // known now
  read(8, {});
  read(8, {{0x7bb000030, 0, {}, 0}});  // the base has moved
  const auto r = run(p);
  REQUIRE(r.all.size() == 6);
  const auto address = [&](std::size_t n) { return r.all[n].memory.at(0).address; };
  CHECK(address(1) == 0x7ff000030);
  CHECK(address(2) == 0x7aa000030);
  CHECK(address(3) == 0x7ff000030);
  CHECK(address(4) == 0x7aa000030);
  CHECK(address(5) == 0x7bb000030);
  CHECK(r.counts.incomplete == 1);
}

TEST_CASE("derives segment bases from instructions that also access another operand") {
  program<x86> p;
  p.set(4, 0x8000);
  // push dword ptr fs:[0]; pop dword ptr fs:[0]; call dword ptr fs:[0xc0]
  p.step(4, 0x1000, "64ff3500000000", {{0x7ffc, 0, 5, 0}, {0x7ffde000, 5, {}, 0}});
  p.set(4, 0x7ffc).step(4, 0x1007, "648f0500000000");
  p.set(4, 0x8000).step(4, 0x100e, "64ff15c0000000", {{0x7ffde0c0, 0x4444, {}, 0}});
  const auto r = run(p);
  REQUIRE(r.all.size() == 3);
  using list = std::vector<x86_::memory_access>;
  CHECK(r.all[0].memory == list{{0x7ffde000, 4, false}, {0x7ffc, 4, true}});
  CHECK(r.all[1].memory == list{{0x7ffc, 4, false}, {0x7ffde000, 4, true}});
  CHECK(r.all[2].memory == list{{0x7ffde0c0, 4, false}, {0x7ffc, 4, true}});
  CHECK(r.all[2].target == 0x4444);
  CHECK(r.counts.incomplete == 0);
}

TEST_CASE("accesses have the true sizes of the operands") {
  using list = std::vector<x86_::memory_access>;
  program<x64> p;
  p.set(7, 0x9000).set(6, 0xa000).set(1, 2);                           // rdi, rsi, rcx
  p.step(4, 0x1000, "f3a4", {{0xa000, 1, {}, 0}, {0x9000, 2, 3, 0}});  // rep movsb
  p.set(1, 0).step(4, 0x1000, "f3a4", {{0xa000, 1, {}, 0}, {0x9000, 2, {}, 0}});
  p.step(4, 0x1002, "c5fe6f06");  // vmovdqu ymm0, [rsi]
  p.step(4, 0x1006, "000f");      // add [rdi], cl: read and written
  p.step(4, 0x1008, "0fae07");    // fxsave [rdi]
  p.step(4, 0x100b, "488d0437");  // lea
  const auto r = run(p);
  REQUIRE(r.all.size() == 6);
  CHECK(r.all[0].memory == list{{0xa000, 1, false}, {0x9000, 1, true}});
  CHECK(r.all[1].memory == list{});
  CHECK(r.all[2].memory == list{{0xa000, 32, false}});
  CHECK(r.all[3].memory == list{{0x9000, 1, false}, {0x9000, 1, true}});
  CHECK(r.all[4].memory == list{{0x9000, 512, true}});
  CHECK(r.all[5].memory == list{});
  CHECK(r.all[0].target == 0);
}

TEST_CASE("counts dropped operands and undecoded instructions") {
  const folder dir;
  program<x64> p;
  p.set(4, 0x8000).set(5, 0x9000);
  p.step(4, 0x1000, "0fa2");              // cpuid writes rax rbx rcx rdx
  p.step(4, 0x1002, "c8000003");          // enter 0, 3 stores 4 words, loads 2
  p.step(4, 0x1006, "06");                // not an instruction in 64-bit mode
  p.step(4, 0x1007, "c4e2ed9004c8", {});  // vpgatherdq
  p.step(4, 0x100d, "90");
  x64dbg::trace_feed<x64> f(dir.file("t", p.trace()));
  std::vector<x64dbg::executed_instruction> all;
  feed::for_each(f, [&](const auto& i) { all.push_back(i.record()); });
  REQUIRE(all.size() == 5);
  CHECK(all[0].dropped_destination_registers == 2);
  CHECK(all[0].clipped());
  CHECK(all[1].dropped_destination_memory == 2);
  CHECK(all[1].source_memory == std::array<std::uint64_t, 4>{0x8ff8, 0x8ff0, 0, 0});
  CHECK(all[1].destination_memory == std::array<std::uint64_t, 2>{0x7ff8, 0x7ff0});
  CHECK(!all[2].decoded);
  CHECK(all[2].length == 1);
  CHECK(all[2].kind == x86_::kind::not_branch);
  CHECK(!all[3].complete);
  CHECK(!all[4].clipped());
  const auto c = f.counts();
  CHECK(f.dropped_operands() == 2);
  CHECK(c.clipped == 2);
  CHECK(c.undecoded == 1);
  CHECK(c.incomplete == 1);
  CHECK(c.instructions == 5);
}

TEST_CASE("an unknown thread has number 0") {
  program<x64> p;
  p.step(std::nullopt, 0x1000, "eb02").step(std::nullopt, 0x1004, "90").step(12, 0x2000, "90");
  const auto r = run(p);
  REQUIRE(r.all.size() == 3);
  CHECK(r.all[0].asid == 0);
  CHECK(r.all[0].target == 0x1004);
  CHECK(r.all[2].asid == 12);
  CHECK(run(p, {.thread = 0}).all.size() == 2);
}

TEST_CASE("an indirect branch without a target register reads the stand-in register") {
  program<x64> p;
  p.set(4, 0x8000);
  p.step(4, 0x1000, "ff2510000000").step(4, 0x2000, "ff542408").step(4, 0x3000, "c3");
  p.step(4, 0x2004, "ff20");
  const auto r = run(p);
  REQUIRE(r.all.size() == 4);
  CHECK(r.all[0].read == std::vector<unsigned>{255});
  CHECK(r.all[0].written == std::vector<unsigned>{26});
  CHECK(r.all[1].read == std::vector<unsigned>{26, 6, 255});
  CHECK(r.all[1].written == std::vector<unsigned>{26, 6});
  CHECK(r.all[2].read == std::vector<unsigned>{6});
  CHECK(r.all[3].read == std::vector<unsigned>{10});
}

TEST_CASE("a trace truncated at every byte delivers its whole instructions, then the error") {
  program<x64> p;
  p.set(4, 0x8000).step(4, 0x1000, "eb00").step(8, 0x2000, "c3", {{0x8000, 0x3000, {}, 0}});
  p.step(4, 0x1002, "7410").step(8, 0x3000, "50", {{0x7ff8, 1, 2, 0}}).step(4, 0x1004, "90");
  const bytes all = p.trace();
  const folder dir;
  const auto path = dir.file("t", all);
  std::vector<std::uint64_t> starts;
  x64dbg::reader<x64> r(io::open_input(path));
  for (const auto& i : r) starts.push_back(i.offset);
  REQUIRE(starts.size() == 5);
  const auto whole = see_all(x64dbg::trace_feed<x64>(path));
  for (std::size_t n = static_cast<std::size_t>(starts[0]); n <= all.size(); ++n) {
    const auto cut = dir.file("cut", std::span(all).first(n));
    std::size_t blocks = n == all.size() ? 5 : 0;
    bool sound = n == all.size();
    for (std::size_t k = 0; k < 5 && n < all.size(); ++k) {
      if (k > 0) blocks += starts[k] <= n;
      sound |= starts[k] == n;
    }
    for (const bool map : {true, false}) {
      x64dbg::trace_feed<x64> f(io::open_input(cut, {.map = map}));
      std::vector<seen> got;
      const auto read = [&] { feed::for_each(f, [&](const auto& i) { got.push_back(see(i)); }); };
      const auto e = error_of(read);
      REQUIRE(got.size() == blocks);
      for (std::size_t k = 0; k < blocks; ++k) CHECK(got[k].ip == whole[k].ip);
      CHECK(e.has_value() == !sound);
      if (e) CHECK(e->code() == trace_errc::truncated);
      CHECK(error_of(read).has_value() == !sound);  // the error repeats
      CHECK(got.size() == blocks);
      CHECK(f.count() == blocks);
      f.rewind();
      CHECK(f.skip(100) == blocks);
      CHECK(error_of([&] { f.next(); }).has_value() == !sound);
    }
  }
}

TEST_CASE("reads, counts and rewinds a trace in memory") {
  const auto all = small_trace();
  x64dbg::trace_feed<x64> f(io::open_bytes(all, "memory"));
  CHECK(f.count() == 4);
  CHECK(see_all(f).size() == 4);
  f.rewind();
  CHECK(see_all(f).size() == 4);
}

TEST_CASE("refuses a trace of another architecture") {
  const folder dir;
  const auto path = dir.file("t", small_trace());
  const auto e = error_of([&] { x64dbg::trace_feed<x86> f(path); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
}

TEST_CASE("reads a pipe only once") {
  const folder dir;
  const auto path = dir / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] { dir.file("pipe", small_trace()); });
  x64dbg::trace_feed<x64> f(path);
  const auto e = error_of([&] { f.count(); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
  CHECK(!f.progress());
  CHECK(see_all(f).size() == 4);
  writer.join();
}
