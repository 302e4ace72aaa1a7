// Compares every instruction of the samples with the tracer's own log, and with ChampSim traces of
// the same programs. The ChampSim traces were made from the tracer's data with another
// disassembler.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "support.hpp"
#include "tracecodec/champsim/feed.hpp"
#include "tracecodec/x64dbg/feed.hpp"
#include "tracecodec/x86/operands.hpp"

using namespace test;
namespace champsim = tracecodec::champsim;

namespace {

template <class A> std::vector<std::uint64_t> set_of(const A& numbers) {
  std::vector<std::uint64_t> v;
  for (const auto e : numbers)
    if (e != 0) v.push_back(e);
  std::sort(v.begin(), v.end());
  return v;
}

std::vector<champsim::instruction> records_of(const std::string& path) {
  champsim::reader<champsim::instruction_codec> r(io::open_input(path));
  std::vector<champsim::instruction> all;
  for (auto b = r.next(); !b.records.empty(); b = r.next())
    all.insert(all.end(), b.records.begin(), b.records.end());
  return all;
}

// Returns the class that ChampSim would derive from the record that a converter would write.
template <class View> feed::branch_class derived(const View& i) {
  champsim::instruction r{};
  r.destination_registers = i.record().destination_registers;
  r.source_registers = i.record().source_registers;
  return champsim::branch_class_of(r);
}

struct differences {
  std::size_t instructions = 0, last = 0, estimated = 0;
  std::size_t ip = 0, branch = 0, derived = 0, is_branch = 0, taken = 0, target = 0;
  std::size_t reads = 0, writes = 0, length = 0, registers = 0;
};

template <class Feed>
differences compare(Feed f, const std::vector<champsim::instruction>& records) {
  differences d;
  std::vector<std::uint32_t> threads;
  feed::for_each(f, [&](const auto& i) { threads.push_back(i.asid()); });
  REQUIRE(threads.size() == records.size());
  // For each instruction, the next ip of its thread. Empty for a thread's last instruction.
  std::vector<std::optional<std::uint64_t>> next(records.size());
  std::unordered_map<std::uint32_t, std::uint64_t> ip_behind;
  for (std::size_t n = records.size(); n-- != 0;) {
    if (const auto found = ip_behind.find(threads[n]); found != ip_behind.end())
      next[n] = found->second;
    ip_behind[threads[n]] = records[n].ip;
  }
  f.rewind();
  feed::for_each(f, [&](const auto& i) {
    const champsim::instruction& r = records[d.instructions];
    d.ip += i.ip() != r.ip || i.index() != d.instructions;
    d.branch += i.branch() != champsim::branch_class_of(r);
    d.derived += derived(i) != champsim::branch_class_of(r);
    d.is_branch += i.is_branch() != (r.is_branch != 0);
    d.reads += set_of(i.source_memory()) != set_of(r.source_memory);
    d.writes += set_of(i.destination_memory()) != set_of(r.destination_memory);
    d.registers += set_of(i.source_registers()) != set_of(r.source_registers) ||
                   set_of(i.destination_registers()) != set_of(r.destination_registers);
    d.length += i.length() != i.code().size() || i.length() == 0;
    d.estimated += i.outcome() == x64dbg::outcome::estimated;
    if (next[d.instructions]) {
      d.taken += i.taken() != (r.branch_taken != 0);
      d.target += i.target() != (r.branch_taken != 0 ? *next[d.instructions] : 0);
    } else {
      ++d.last;
    }
    ++d.instructions;
  });
  return d;
}

void check(const differences& d, std::size_t instructions, std::size_t threads,
           std::size_t estimated) {
  CHECK(d.instructions == instructions);
  CHECK(d.last == threads);
  CHECK(d.estimated == estimated);
  CHECK(d.ip == 0);
  CHECK(d.branch == 0);
  CHECK(d.derived == 0);
  CHECK(d.is_branch == 0);
  CHECK(d.taken == 0);
  CHECK(d.target == 0);
  CHECK(d.reads == 0);
  CHECK(d.writes == 0);
  CHECK(d.length == 0);
  MESSAGE(d.registers << " of " << d.instructions << " register sets differ");
}

// Checks a sample as a stream and mapped.
template <target T> void check_sample(const std::string& trace, const std::string& champsim_trace,
                                      std::size_t instructions, std::size_t threads,
                                      std::size_t estimated) {
  CAPTURE(trace);
  const auto records = records_of(champsim_trace);
  check(compare(x64dbg::trace_feed<T>(trace), records), instructions, threads, estimated);
  const folder dir;
  const auto path = dir.file("t", content(trace));
  check(compare(x64dbg::trace_feed<T>(path), records), instructions, threads, estimated);
  check(compare(x64dbg::trace_feed<T>(path, {.registers = true}), records), instructions, threads,
        estimated);
}

// Returns the numbers of the value after `key` in a line of the tracer's log, which has the
// form {"ip":n,"op":"hex","reads":[[address,size],..],..}.
std::vector<std::uint64_t> numbers_behind(std::string_view line, std::string_view key) {
  std::vector<std::uint64_t> numbers;
  int depth = 0;
  bool inside = false;
  for (std::size_t at = line.find(key) + key.size(); at < line.size(); ++at) {
    const char c = line[at];
    const bool digit = c >= '0' && c <= '9';
    if (digit && !inside) numbers.push_back(0);
    if (digit) numbers.back() = 10 * numbers.back() + static_cast<unsigned>(c - '0');
    inside = digit;
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth == 0 && !digit) break;
  }
  return numbers;
}
using operand = std::pair<std::uint64_t, std::uint64_t>;
std::vector<operand> pairs_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<operand> pairs;
  for (std::size_t n = 0; n + 1 < numbers.size(); n += 2)
    pairs.emplace_back(numbers[n], numbers[n + 1]);
  return pairs;
}

const char* other_samples() { return std::getenv("TRACECODEC_SAMPLES"); }

// Returns the number of instructions that write more than 2 registers, read more than 4, or store
// more than 2 operands. The lists that this function counts have room for all operands.
template <target T> std::uint64_t instructions_too_large(const std::string& trace) {
  x86_::zydis_disassembler disassembler(T);
  x64dbg::reader<T> r(io::open_input(trace));
  std::uint64_t n = 0;
  for (const auto& i : r) {
    const auto what = disassembler.decode(i.opcode());
    const auto lists = x86_::simulator_registers<16, 12>(what);
    const auto count = [](const auto& numbers) {
      return numbers.size() -
             static_cast<std::size_t>(std::count(numbers.begin(), numbers.end(), 0));
    };
    n += count(lists.destinations) > 2 || count(lists.sources) > 4 || what.frame_level > 1;
  }
  return n;
}

template <target T> void check_clipped(const std::string& trace) {
  x64dbg::trace_feed<T> f(trace);
  std::uint64_t clipped = 0, n = 0;
  for (int pass = 0; pass < 2; ++pass) {  // instructions that are read twice count once
    clipped = n = 0;
    feed::for_each(f, [&](const auto& i) {
      clipped += i.record().clipped();
      ++n;
    });
    CHECK(f.dropped_operands() == clipped);
    CHECK(f.counts().instructions == n);
    CHECK(f.counts().undecoded == 0);
    CHECK(f.counts().incomplete == 0);
    f.rewind();
  }
  CHECK(clipped == instructions_too_large<T>(trace));
  CHECK(clipped != 0);
  MESSAGE(trace << ": " << clipped << " of " << n << " clipped");
}

// Checks that code, recorded words and registers are those of the reader.
template <target T> void check_values(const std::string& path, x64dbg::feed_options o) {
  o.registers = true;
  x64dbg::trace_feed<T> f(path, o);
  x64dbg::reader<T> r(io::open_input(path), {.repair = o.repair});
  x64dbg::instruction<T> want;
  std::size_t n = 0, wrong_code = 0, wrong_words = 0, wrong_registers = 0, wrong_block = 0;
  feed::for_each(f, [&](const auto& i) {
    do REQUIRE(r.next(want));
    while (o.thread && want.thread != o.thread);
    ++n;
    REQUIRE(i.index() == want.index);
    REQUIRE(i.thread() == want.thread);
    const auto code = i.code();
    wrong_code += !std::equal(code.begin(), code.end(), want.opcode().begin(), want.opcode().end());
    const auto words = i.recorded_accesses();
    auto at = words.begin();
    for (const auto& a : want.accesses()) {
      wrong_words += at == words.end() || !(*at == a);
      ++at;
    }
    wrong_words += !(at == words.end());
    wrong_block += i.block().registers != want.block.registers ||
                   i.block().has_thread != want.block.has_thread;
    const auto values = want.before->values();
    wrong_registers += !std::equal(values.begin(), values.end(), i.registers()->begin());
  });
  CHECK(n == f.count());
  CHECK(wrong_code == 0);
  CHECK(wrong_words == 0);
  CHECK(wrong_block == 0);
  CHECK(wrong_registers == 0);
}

}  // namespace

TEST_CASE("every instruction of a 32-bit program equals its ChampSim record") {
  check_sample<x86>(data("work32.trace32.xz"), data("work32.champsimtrace.xz"), 50000, 1, 0);
}

TEST_CASE("every instruction of a 64-bit program with three threads equals its ChampSim record") {
  check_sample<x64>(data("threads3_64.trace64.xz"), data("threads3_64.champsimtrace.xz"), 30000, 3,
                    0);
}

TEST_CASE("the repaired trace has the same instructions as the sound trace") {
  const auto sound = see_all(x64dbg::trace_feed<x64>(data("threads3_64.trace64.xz")));
  const folder dir;
  const auto bad = data("threads3_64_legacybug.trace64.xz");
  const auto mapped = dir.file("t", content(bad));
  CHECK(see_all(x64dbg::trace_feed<x64>(bad, {.repair = true})) == sound);
  CHECK(see_all(x64dbg::trace_feed<x64>(mapped, {.repair = true})) == sound);
  check_values<x64>(bad, {.repair = true});
  check_values<x64>(mapped, {.repair = true});
  // Without repair, an error follows the whole instructions.
  x64dbg::trace_feed<x64> f(bad);
  std::size_t n = 0;
  const auto e = error_of([&] { feed::for_each(f, [&n](const auto&) { ++n; }); });
  REQUIRE(e);
  CHECK(e->record() == n);
  CHECK(n > 0);
}

TEST_CASE("code, recorded words and registers of an instruction are available") {
  const folder dir;
  for (const bool map : {true, false}) {
    const auto place = [&](const std::string& name) {
      return map ? dir.file(name, content(data(name))) : data(name);
    };
    check_values<x86>(place("work32.trace32.xz"), {});
    check_values<x64>(place("threads3_64.trace64.xz"), {});
    for (const std::uint32_t thread : {6700U, 6704U, 6708U})
      check_values<x64>(place("threads3_64.trace64.xz"), {.thread = thread});
  }
}

TEST_CASE("a single thread's feed equals its part of the whole feed") {
  const auto path = data("threads3_64.trace64.xz");
  const auto all = see_all(x64dbg::trace_feed<x64>(path));
  std::size_t sum = 0;
  for (const std::uint32_t thread : {6700U, 6704U, 6708U}) {
    std::vector<seen> wanted;
    std::copy_if(all.begin(), all.end(), std::back_inserter(wanted),
                 [thread](const seen& s) { return s.asid == thread; });
    x64dbg::trace_feed<x64> f(path, {.thread = thread});
    CHECK(f.count() == wanted.size());
    CHECK(see_all(f) == wanted);
    sum += wanted.size();
  }
  CHECK(sum == 30000);
  CHECK(see_all(x64dbg::trace_feed<x64>(path, {.thread = 5})).empty());
}

TEST_CASE("counts clipped instructions") {
  check_clipped<x86>(data("work32.trace32.xz"));
  check_clipped<x64>(data("threads3_64.trace64.xz"));
}

TEST_CASE("a short reach changes only the branches that it estimates") {
  const auto path = data("threads3_64.trace64.xz");
  const auto all = see_all(x64dbg::trace_feed<x64>(path));
  for (const std::size_t reach : {2U, 3U, 64U, 512U, 4096U}) {
    CAPTURE(reach);
    x64dbg::trace_feed<x64> f(path, {.reach = reach});
    const auto some = see_all(f);
    REQUIRE(some.size() == all.size());
    std::size_t estimated = 0, other = 0, wrong = 0;
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (some[n].outcome == x64dbg::outcome::estimated) {
        ++estimated;
        wrong += some[n].taken != all[n].taken || some[n].target != all[n].target;
      } else {
        other += !(some[n] == all[n]);
      }
    }
    CHECK(other == 0);
    CHECK(estimated == f.counts().estimated);
    // The tracer's path sometimes contradicts the flags: see tests/x86/sample_test.cpp.
    CHECK(wrong <= 1);
    CHECK((estimated > 0) == (reach <= 512));
    MESSAGE("reach " << reach << ": " << estimated << " estimated, " << wrong << " wrong");
  }
}

TEST_CASE("damaged traces deliver readable instructions, then perhaps an error") {
  bytes whole = content(data("threads3_64.trace64.xz"));
  whole.resize(24000);
  const folder dir;
  std::uint32_t random = 1;
  const auto below = [&random](std::size_t n) {
    random = random * 1664525 + 1013904223;
    return (random >> 8U) % n;
  };
  std::size_t errors = 0, instructions = 0;
  for (int n = 0; n < 300; ++n) {
    bytes damaged = whole;
    for (std::size_t k = below(8); k != 0; --k)
      damaged[200 + below(damaged.size() - 200)] = static_cast<std::byte>(below(256));
    const auto path = dir.file("t", damaged);
    const x64dbg::feed_options o{
        .repair = n % 2 != 0, .registers = n % 3 == 0, .reach = std::size_t{1} << below(12)};
    x64dbg::trace_feed<x64> f(io::open_input(path, {.map = n % 4 < 2}), o);
    errors += error_of([&] {
                feed::for_each(
                    f, [&](const auto& i) { instructions += see(i).code.size() == i.length(); });
              }).has_value();
  }
  CHECK(errors > 100);
  CHECK(instructions > 1000);
}

// Traces that may not be part of the project, from the folder that TRACECODEC_SAMPLES names.
TEST_CASE("every instruction of the external samples equals its ChampSim record") {
  if (other_samples() == nullptr) return;
  const std::string at = std::string(other_samples()) + "/";
  check_sample<x64>(at + "sed64.trace64.xz", at + "sed64.champsimtrace.xz", 50000, 1, 1);
  check_clipped<x64>(at + "sed64.trace64.xz");
  check_values<x64>(at + "sed64.trace64.xz", {});
  check_clipped<x64>(at + "gzip64.trace64.xz");
  check_values<x64>(at + "gzip64.trace64.xz", {});
}

TEST_CASE("addresses and sizes equal the tracer's log") {
  if (other_samples() == nullptr) return;
  const std::string at = std::string(other_samples()) + "/";
  const bytes text = content(at + "sed64.truth.jsonl.xz");
  const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
  x64dbg::trace_feed<x64> f(at + "sed64.trace64.xz");
  std::size_t from = 0, n = 0, wrong = 0, wrong_next = 0;
  feed::for_each(f, [&](const auto& i) {
    const std::size_t end = all.find('\n', from);
    REQUIRE(end != all.npos);
    const std::string_view line = all.substr(from, end - from);
    from = end + 1;
    std::vector<operand> reads, writes;
    for (const auto& a : i.accesses()) (a.write ? writes : reads).emplace_back(a.address, a.size);
    auto want_reads = pairs_of(numbers_behind(line, "\"reads\":"));
    auto want_writes = pairs_of(numbers_behind(line, "\"writes\":"));
    const auto next = numbers_behind(line, "\"next\":");
    const bool last = line.find("\"last\"") != line.npos;
    for (auto* list : {&reads, &writes, &want_reads, &want_writes})
      std::sort(list->begin(), list->end());
    wrong += reads != want_reads || writes != want_writes;
    if (!last && i.taken()) wrong_next += i.target() != next.at(0);
    ++n;
  });
  CHECK(n == 50000);
  CHECK(wrong == 0);
  CHECK(wrong_next == 0);
}
