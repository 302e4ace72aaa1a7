// Compares every instruction of the x64dbg samples with ChampSim traces of the same programs,
// made from the tracer's own data with another disassembler.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include <string>
#include <vector>

#include "sample.hpp"
#include "tracecodec/champsim/feed.hpp"
#include "tracecodec/x86/branch.hpp"
#include "tracecodec/x86/cache.hpp"
#include "tracecodec/x86/operands.hpp"
#include "tracecodec/x86/zydis.hpp"

namespace {

using namespace tracecodec;
namespace x = tracecodec::x86;
using cached = x::cached_disassembler<x::zydis_disassembler>;

struct differences {
  std::size_t steps = 0, records = 0;
  std::size_t undecoded = 0, incomplete = 0, clipped = 0;
  std::size_t ip = 0, length = 0, kind = 0, derived = 0, is_branch = 0, taken = 0, target = 0;
  std::size_t straight =
      0;  // not a branch or not taken, but the next ip is not the address after the instruction
  std::size_t by_flags = 0;  // conditions for which the flags contradict the path
  std::size_t reads = 0, writes = 0;
  std::size_t registers = 0;  // differences in either list, compared as sets
};

template <class A> std::vector<std::uint64_t> set_of(const A& list) {
  std::vector<std::uint64_t> v;
  for (const auto e : list)
    if (e != 0) v.push_back(e);
  std::sort(v.begin(), v.end());
  return v;
}

// Returns the record that a converter would write for `now`.
champsim::instruction record_of(const x::instruction& i, const test::step& now, bool taken,
                                differences& d) {
  champsim::instruction r{};
  const auto registers = x::simulator_registers<2, 4>(i);
  x::memory_lists<2, 4> memory;
  d.incomplete += !x::accesses(i, now, memory);
  d.clipped += registers.dropped_destinations + registers.dropped_sources != 0;
  r.ip = now.value(x::reg::ip);
  r.is_branch = i.kind < x::kind::not_branch;
  r.branch_taken = taken;
  r.destination_registers = registers.destinations;
  r.source_registers = registers.sources;
  r.destination_memory = memory.destinations;
  r.source_memory = memory.sources;
  return r;
}

differences compare(const std::string& trace, const std::string& champsim_trace) {
  differences d;
  test::sample s = test::read_sample(trace);
  cached decoder{x::zydis_disassembler(s.mode)};
  test::find_segment_bases(s, decoder);
  d.steps = s.steps.size();

  champsim::reader<champsim::instruction_codec> reader(io::open_input(champsim_trace));
  std::vector<champsim::instruction> records;
  for (auto batch = reader.next(); !batch.records.empty(); batch = reader.next())
    records.insert(records.end(), batch.records.begin(), batch.records.end());
  d.records = records.size();
  if (d.steps != d.records) return d;

  for (std::size_t n = 0; n < s.steps.size(); ++n) {
    const test::step& now = s.steps[n];
    const champsim::instruction& expected = records[n];
    const x::instruction& i = decoder.decode(now.opcode);
    d.undecoded += !i.valid();
    d.length += i.length != now.opcode.size();
    const auto expected_class = champsim::branch_class_of(expected);
    const auto found_class = i.kind == x::kind::system ? feed::branch_class::not_branch
                                                       : static_cast<feed::branch_class>(i.kind);
    d.ip += now.value(x::reg::ip) != expected.ip;
    d.kind += found_class != expected_class;

    const bool last = now.next == test::step::none;
    const std::uint64_t successor = last ? 0 : s.steps[now.next].value(x::reg::ip);
    const bool taken = !last && x::taken(i, now, successor);
    const champsim::instruction found = record_of(i, now, taken, d);
    d.derived += champsim::branch_class_of(found) != expected_class;
    d.is_branch += found.is_branch != expected.is_branch;
    const auto same = [](const auto& a, const auto& b) { return set_of(a) == set_of(b); };
    d.reads += !same(found.source_memory, expected.source_memory);
    d.writes += !same(found.destination_memory, expected.destination_memory);
    d.registers += !same(found.source_registers, expected.source_registers) ||
                   !same(found.destination_registers, expected.destination_registers);
    if (last) continue;
    d.taken += found.branch_taken != expected.branch_taken;
    const std::uint64_t behind = x::next_ip(i, expected.ip);
    if (i.kind == x::kind::conditional) d.by_flags += x::taken(i, now) != taken;
    if (taken) {
      const auto target = x::branch_target(i, now);
      d.target += target && *target != successor;
    } else {
      d.straight += successor != behind && !(i.repeated && successor == expected.ip);
    }
  }
  MESSAGE(trace << ": " << d.steps << " steps, " << decoder.misses() << " decoded, " << d.registers
                << " register sets differ, " << d.clipped << " clipped");
  return d;
}

void check(const differences& d, std::size_t steps, std::size_t by_flags) {
  CHECK(d.steps == steps);
  CHECK(d.records == steps);
  CHECK(d.undecoded == 0);
  CHECK(d.incomplete == 0);
  CHECK(d.length == 0);
  CHECK(d.ip == 0);
  CHECK(d.kind == 0);
  CHECK(d.derived == 0);
  CHECK(d.is_branch == 0);
  CHECK(d.taken == 0);
  CHECK(d.target == 0);
  CHECK(d.straight == 0);
  // The tracer (Valgrind) executes both halves of `a && b`. Its path therefore contains branches
  // that contradict the registers of the same trace. An example is `cmp eax, 0xf8000000` with a
  // smaller eax, then a taken `ja`, and a branch back to the address after `ja`. The records follow
  // the path.
  CHECK(d.by_flags == by_flags);
  CHECK(d.reads == 0);
  CHECK(d.writes == 0);
}

std::string data(const std::string& name) { return std::string(TRACECODEC_TEST_DATA) + "/" + name; }

}  // namespace

TEST_CASE("every instruction of a 32-bit program equals its ChampSim record") {
  check(compare(data("work32.trace32.xz"), data("work32.champsimtrace.xz")), 50000, 36);
}

TEST_CASE("every instruction of a 64-bit program with three threads equals its ChampSim record") {
  check(compare(data("threads3_64.trace64.xz"), data("threads3_64.champsimtrace.xz")), 30000, 13);
}

// Traces that may not be part of the project, from the folder that TRACECODEC_SAMPLES names.
TEST_CASE("every instruction of the external samples equals its ChampSim record") {
  const char* folder = std::getenv("TRACECODEC_SAMPLES");
  if (folder == nullptr) return;
  const std::string at = std::string(folder) + "/";
  check(compare(at + "sed64.trace64.xz", at + "sed64.champsimtrace.xz"), 50000, 350);
}
