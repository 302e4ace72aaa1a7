// Tests of analysis/find.hpp with x64dbg traces: registers, mnemonics, contents of memory.
#include "tracecodec/analysis/find.hpp"

#include <doctest/doctest.h>

#include "support.hpp"
#include "tracecodec/x64dbg/feed.hpp"
#include "tracecodec/x64dbg/values.hpp"

namespace analysis = tracecodec::analysis;

using namespace test;

namespace {

using numbers = std::vector<std::uint64_t>;

template <target T>
numbers found_in(program<T>& p, const analysis::find_criteria& c, bool registers = true) {
  const auto from = feed::make_column_source(
      x64dbg::trace_feed<T>(tracecodec::io::open_bytes(p.trace(), "t"), {.registers = registers}));
  analysis::finder wanted(c, *from);
  from->want(wanted.columns() | feed::column_set{feed::column::index});
  numbers all;
  for (feed::columns batch; from->next(batch);)
    for (std::size_t row = 0; (row = wanted.next(batch, row)) != batch.size(); ++row)
      all.push_back(batch.index()[row]);
  return all;
}
analysis::find_criteria value(const char* name, std::uint64_t v) {
  return {.register_value = std::pair(std::string(name), v)};
}
analysis::find_criteria called(const char* name) { return {.mnemonic = name}; }

template <target T> std::string refusal(program<T>& p, const analysis::find_criteria& c) {
  try {
    found_in(p, c);
  } catch (const tracecodec::trace_error& e) {
    CHECK(e.code() == tracecodec::trace_errc::refused);
    return e.what();
  }
  return "accepted";
}

constexpr std::size_t rax = 0, rsp = 4, rsi = 6;  // words of REGDUMP

}  // namespace

TEST_CASE("finds where a thread's register gets a value") {
  program<x64> p;
  p.set(rax, 0x101).step(1, 0x1000, "90").step(1, 0x1001, "90");
  p.set(rax, 0).step(2, 0x2000, "90");
  p.set(rax, 0x101).step(1, 0x1002, "90").step(2, 0x2001, "90");
  p.set(rax, 7).step(1, 0x1003, "90");
  p.set(rax, 0x101).step(1, 0x1004, "90");
  CHECK(found_in(p, value("rax", 0x101)) == numbers{0, 4, 6});
  analysis::find_criteria c = value("rax", 0x101);
  c.ip = analysis::address_span{0x1001, 0x2FFF};
  CHECK(found_in(p, c) == numbers{1, 3, 4, 6});
  c.thread_switch = true;
  CHECK(found_in(p, c) == numbers{3, 4});
  for (const char* name : {"EAX", "Ax", "al", "AH"})
    CHECK(found_in(p, value(name, name[1] == 'l' || name[1] == 'H' ? 1 : 0x101)) ==
          numbers{0, 4, 6});
  CHECK(found_in(p, value("ah", 0x101)).empty());
  CHECK(refusal(p, value("r16", 0)) == "t: no register 'r16' in this trace");
  program<x86> narrow;
  narrow.step(1, 0x1000, "90");
  CHECK(refusal(narrow, value("rax", 0)) == "t: no register 'rax' in this trace");
  CHECK(found_in(narrow, value("EAX", 0)) == numbers{0});
}

TEST_CASE("finds values in traces with many threads") {
  program<x64> p;
  numbers expected;
  for (std::uint32_t n = 0; n < 3000; ++n) {
    p.step(n * 0x10001U, 0x1000, "90").step(n * 0x10001U, 0x1001, "90");
    expected.push_back(2 * n);
  }
  CHECK(found_in(p, value("rax", 0)) == expected);
}

TEST_CASE("finds the disassembler's mnemonics and prefixes") {
  program<x64> p;
  // notrack jmp rax; bnd jmp rax; jmp rax; lock xadd [rax], rcx; rep movsb; jz; none; repne scasb.
  std::uint64_t at = 0x1000;
  for (const char* code :
       {"3e ff e0", "f2 ff e0", "ff e0", "f0 48 0f c1 08", "f3 a4", "74 00", "06", "f2 ae"})
    p.step(1, at += 16, code);
  CHECK(found_in(p, called("jmp")) == numbers{0, 1, 2});
  CHECK(found_in(p, called("JMP")) == numbers{0, 1, 2});
  CHECK(found_in(p, called("notrack")) == numbers{0});
  CHECK(found_in(p, called("bnd")) == numbers{1});
  CHECK(found_in(p, called("lock")) == numbers{3});
  CHECK(found_in(p, called("xadd")) == numbers{3});
  CHECK(found_in(p, called("Rep")) == numbers{4});
  CHECK(found_in(p, called("movsb")) == numbers{4});
  CHECK(found_in(p, called("jz")) == numbers{5});
  CHECK(found_in(p, called("(bad)")) == numbers{6});
  CHECK(found_in(p, called("repnz")) == numbers{7});
  CHECK(found_in(p, called("repne")) == numbers{7});
  CHECK(found_in(p, called("je")) == numbers{5});
  CHECK(found_in(p, called("JE")) == numbers{5});
  for (const char* name : {"jq", "movs", "jmp rax", "invalid", " "})
    CHECK(refusal(p, called(name)).starts_with("t: the disassembler has no mnemonic '"));
}

TEST_CASE("finds stored bytes of memory and ignores stale values") {
  constexpr std::uint64_t old = 0x1111111111111111, stored = 0x2222222222222222;
  const auto bytes = [](std::uint64_t v, std::size_t n = 8) {
    return std::vector(n, std::byte(v));
  };
  program<x64> p;
  p.set(rax, 0x9000).set(rsp, 0x8000).set(rsi, stored);
  p.step(1, 0x1000, "56", {{0x7FF8, old, stored}});                             // push rsi
  p.step(1, 0x1001, "56", {{0x7FF8, stored, std::nullopt}});                    // the same
  p.step(1, 0x1002, "ff 30", {{0x9000, old, std::nullopt}, {0x7FF8, 0, old}});  // push [rax]
  p.step(1, 0x1004, "48 89 30", {{0x9000, stored, std::nullopt}});              // mov [rax], rsi
  p.step(1, 0x1007, "48 8b 30", {{0x9000, stored, std::nullopt}});              // mov rsi, [rax]
  p.step(1, 0x100A, "48 89 30", {{0x9000, old, stored}});                       // mov [rax], rsi
  p.step(1, 0x100D, "e8 00 00 00 00", {{0x7FF8, old, 0x1012}});                 // call
  for (const bool registers : {true, false}) {
    const auto found = [&](std::uint64_t v, bool reads, bool writes) {
      return found_in(p, {.reads = reads, .writes = writes, .bytes = bytes(v)}, registers);
    };
    CHECK(found(old, true, true) == numbers{2, 5});
    CHECK(found(old, true, false) == numbers{2, 5});
    CHECK(found(old, false, true) == numbers{2});
    CHECK(found(stored, false, true) == numbers{0, 1, 3, 5});
    CHECK(found(stored, true, false) == numbers{3, 4});
    CHECK(found(stored, true, true) == numbers{0, 1, 3, 4, 5});
  }
  CHECK(found_in(p, {.bytes = bytes(old, 9)}).empty());
  // Stale word next to a valid one: only bytes entirely within the valid word are found.
  program<x64> beside;
  beside.set(rax, 0x8000).set(rsp, 0x8000);
  beside.step(1, 0x1000, "ff 30", {{0x7FF8, old, 0}, {0x8000, old, std::nullopt}});
  CHECK(found_in(beside, {.writes = false, .bytes = bytes(old)}) == numbers{0});
  CHECK(found_in(beside, {.writes = false, .bytes = bytes(old, 9)}).empty());
}
