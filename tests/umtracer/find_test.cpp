// analysis/find.hpp on UMTracer traces: texts, and operands before and after.
#include "tracecodec/analysis/find.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tracecodec/umtracer/feed.hpp"
#include "tracecodec/umtracer/values.hpp"
#include "umtracer/writer_support.hpp"

using namespace test;
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
using tracecodec::trace_error;

namespace {

using record_numbers = std::vector<std::uint64_t>;
using criteria = analysis::find_criteria;

record_numbers found_in(const written_trace& t, const criteria& c) {
  const auto from = feed::make_column_source(umtracer::trace_feed(t.path));
  analysis::finder wanted(c, *from);
  CHECK(!wanted.keeps_state());
  from->want(wanted.columns() | feed::column_set{feed::column::index});
  record_numbers found;
  for (feed::columns batch; from->next(batch);)
    for (std::size_t row = 0; (row = wanted.next(batch, row)) != batch.size(); ++row)
      found.push_back(batch.index()[row]);
  return found;
}
criteria value(const char* name, std::uint64_t v) {
  return {.register_value = std::pair(std::string(name), v)};
}

// Two executions of add word ptr [esi+8], ax, with registers named rcx (value 1) and rax
// (value 0x246 before, although it is only written).
written_trace two_additions() {
  return written_trace([](umtracer::writer& out) {
    auto slots = golden_slots;
    slots[1].name = 55;
    slots[3].name = 54;
    auto i = golden();
    i.slots = slots;
    out.add_instruction(i);
    const auto thread = out.add_thread({{}, 1, 2});
    for (int k = 0; k < 2; ++k) out.instruction(thread, 0, 0, golden_operands);
  });
}

}  // namespace

TEST_CASE("finds mnemonics and prefixes in upper and lower case") {
  const written_trace t([](umtracer::writer& out) {
    const auto thread = out.add_thread({{}, 1, 2});
    for (const char* text : {"notrack jmp rax", "LOCK xadd [rax], rcx", "xacquire lock inc [rax]",
                             "hint-taken jz 0x10", " jmp rcx", "jmpe rax", "push lock", "bnd"}) {
      auto i = golden();
      i.text = text;
      i.address += static_cast<std::uint64_t>(out.size());
      const auto row = out.add_instruction(i);
      out.instruction(thread, 0, row, golden_operands);
    }
  });
  const auto called = [&](const char* name) { return found_in(t, {.mnemonic = name}); };
  CHECK(called("jmp") == record_numbers{0, 4});
  CHECK(called("JMP") == record_numbers{0, 4});
  CHECK(called("notrack") == record_numbers{0});
  CHECK(called("xadd") == record_numbers{1});
  CHECK(called("lock") == record_numbers{1, 2});
  CHECK(called("inc") == record_numbers{2});
  CHECK(called("jz") == record_numbers{3});
  CHECK(called("push") == record_numbers{6});
  CHECK(called("bnd") == record_numbers{7});
  CHECK(called("rax").empty());
}

TEST_CASE("finds values of register operands before and after, and refuses unknown registers") {
  const written_trace t = two_additions();
  CHECK(found_in(t, value("RCX", 1)) == record_numbers{0, 1});
  CHECK(found_in(t, value("rcx", 2)).empty());
  CHECK(found_in(t, value("rax", 0x246)) == record_numbers{0, 1});
  CHECK_THROWS_AS(found_in(t, value("rdx", 1)), trace_error);
}

TEST_CASE("finds code, and memory before and after") {
  const written_trace t = two_additions();
  const auto code = from_hex("66 01"), old = from_hex("34 12"), stored = from_hex("35 12");
  CHECK(found_in(t, {.code = code}) == record_numbers{0, 1});
  CHECK(found_in(t, {.code = from_hex("66 02")}).empty());
  CHECK(found_in(t, {.writes = false, .bytes = old}) == record_numbers{0, 1});
  CHECK(found_in(t, {.reads = false, .bytes = old}).empty());
  CHECK(found_in(t, {.reads = false, .bytes = stored}) == record_numbers{0, 1});
  CHECK(found_in(t, {.writes = false, .bytes = stored}).empty());
  const analysis::address_span last{0x201001, 0x201001};
  CHECK(found_in(t, {.memory = last, .writes = false}) == record_numbers{0, 1});
  CHECK(found_in(t, {.memory = last, .reads = false}) == record_numbers{0, 1});
  CHECK(found_in(t, {.memory = analysis::address_span{0x201002, 0x202000}}).empty());
}
