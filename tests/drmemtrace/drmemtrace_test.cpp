// Tests drmemtrace traces. make_drmemtrace.py made the traces in tests/data/drmemtrace.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "tracecodec/drmemtrace.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/trace/check.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/source.hpp"
#include "tracecodec/x86/regdeps.hpp"

namespace drmemtrace = tracecodec::drmemtrace;
namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace trace = tracecodec::trace;
using drmemtrace::marker;
using drmemtrace::record_type;
using drmemtrace::target;
using test::bytes;
using tracecodec::trace_errc;
using tracecodec::trace_error;

#if defined(TRACECODEC_WITH_ZIP)
constexpr bool with_zip = true;
#else
constexpr bool with_zip = false;
#endif
#if defined(TRACECODEC_WITH_ZYDIS)
constexpr bool with_zydis = true;
#else
constexpr bool with_zydis = false;
#endif

namespace {

constexpr auto header = record_type::header, pid = record_type::pid, footer = record_type::footer,
               thread_exit = record_type::thread_exit, instr = record_type::instr,
               instr_direct_jump = record_type::instr_direct_jump,
               instr_indirect_jump = record_type::instr_indirect_jump,
               instr_conditional_jump = record_type::instr_conditional_jump,
               instr_direct_call = record_type::instr_direct_call,
               instr_indirect_call = record_type::instr_indirect_call,
               instr_return = record_type::instr_return, instr_bundle = record_type::instr_bundle,
               instr_no_fetch = record_type::instr_no_fetch,
               instr_taken_jump = record_type::instr_taken_jump,
               instr_untaken_jump = record_type::instr_untaken_jump, invalid = record_type::invalid;

// Record by hand.
struct hand {
  record_type type;
  std::uint64_t value = 0;
  unsigned size = 0;
};
hand mark(marker m, std::uint64_t value) {
  return {record_type::marker, value, static_cast<unsigned>(m)};
}
hand instruction(std::uint64_t pc, unsigned size = 4, record_type what = instr) {
  return {what, pc, size};
}
template <target T = target::x64> bytes encoded(const std::vector<hand>& all) {
  using codec = drmemtrace::codec<T>;
  bytes out(all.size() * codec::size);
  std::size_t at = 0;
  for (const hand& h : all) {
    codec::encode({h.type, static_cast<std::uint16_t>(h.size),
                   static_cast<tracecodec::wire::word_t<T>>(h.value)},
                  std::span(out).subspan(at));
    at += codec::size;
  }
  return out;
}
// Returns the first records of a file of thread `id`.
std::vector<hand> head(std::uint64_t version = 7, std::uint64_t type = 0, std::uint64_t id = 5) {
  return {{header, version},
          mark(marker::version, version),
          mark(marker::filetype, type),
          {record_type::thread, id, 4},
          {pid, 9, 4},
          mark(marker::cache_line_size, 64),
          mark(marker::page_size, 4096),
          mark(marker::timestamp, 100),
          mark(marker::cpu_id, 1)};
}
std::vector<hand> whole(std::vector<hand> first, const std::vector<hand>& records,
                        std::uint64_t id = 5) {
  first.insert(first.end(), records.begin(), records.end());
  first.push_back({thread_exit, id, 4});
  first.push_back({footer});
  return first;
}

struct seen {
  std::uint64_t ip, target;
  int branch;
  bool taken, fetched;
  std::uint32_t thread;
  std::vector<std::uint64_t> reads, writes;
  std::vector<int> to, from;
  std::size_t code;
  unsigned uncertainty;
};
std::vector<seen> decoded(const bytes& all, const drmemtrace::feed_options& options = {}) {
  std::vector<seen> list;
  for (const auto& i : drmemtrace::trace_feed(io::open_bytes(all, "t"), options)) {
    const auto reads = i.source_memory(), writes = i.destination_memory();
    const auto to = i.destination_registers(), from = i.source_registers();
    list.push_back({i.ip(),
                    i.target(),
                    static_cast<int>(i.branch()),
                    i.taken(),
                    i.fetched(),
                    i.asid(),
                    {reads.begin(), reads.end()},
                    {writes.begin(), writes.end()},
                    {to.begin(), to.end()},
                    {from.begin(), from.end()},
                    i.code().size(),
                    i.uncertainty()});
  }
  return list;
}

struct totals {
  std::uint64_t fetched = 0, others = 0, reads = 0, writes = 0;
  std::array<std::uint64_t, feed::branch_class_count> branches = {};
  friend bool operator==(const totals&, const totals&) = default;
};
totals totals_of(drmemtrace::trace_feed from) {
  totals t;
  feed::for_each(from, [&t](const auto& i) {
    i.fetched() ? ++t.fetched : ++t.others;
    t.reads += i.source_memory().size();
    t.writes += i.destination_memory().size();
    ++t.branches[static_cast<std::size_t>(i.branch())];
  });
  return t;
}

// Returns the numbers of findings of each rule.
std::map<std::string, int> found_in(const bytes& all) {
  std::map<std::string, int> found;
  format::open_options o;
  trace::source from(io::open_bytes(all, "t"), o);
  drmemtrace::descriptor::check(
      from.take(), [&](const tracecodec::diagnostic& d) { ++found[std::string(d.code)]; }, {}, o);
  return found;
}
using counts_by_rule = std::map<std::string, int>;

io::input open_folder(const std::string& path, drmemtrace::order by = drmemtrace::order::thread) {
  format::open_options o;
  o.own.set(by);
  auto in = drmemtrace::descriptor::open_folder(path, o);
  REQUIRE(in.has_value());
  return std::move(*in);
}

}  // namespace

TEST_SUITE_BEGIN("drmemtrace");

TEST_CASE("names of types and markers") {
  CHECK(name(record_type::read) == "read");
  CHECK(name(record_type::encoding) == "encoding");
  CHECK(name(invalid) == "invalid");
  CHECK(name(static_cast<record_type>(51)).empty());
  CHECK(name(marker::timestamp) == "timestamp");
  CHECK(name(marker::uncompleted_instruction) == "uncompleted_instruction");
  CHECK(name(static_cast<marker>(46)) == "skipped_memref");
  CHECK(name(static_cast<marker>(100)).empty());
}

TEST_CASE("reads the made traces" * doctest::skip(!with_zip || !test::with_gzip)) {
  // 24 rounds of 14 fetched instructions or 13 with a taken jump, and 2 further iterations.
  const totals made{328, 48, 336, 144, {24, 24, 24, 24, 24, 48, 0, 208}};
  for (const char* const name :
       {"made.x64.trace.zip", "made.regdeps.trace.zip", "made.v4.trace.gz", "made.x86.trace.gz"}) {
    const std::string path = test::data("drmemtrace/") + name;
    CAPTURE(path);
    CHECK(totals_of(drmemtrace::trace_feed(path)) == made);
    CHECK(trace::source(path).format().name == "drmemtrace");
    std::vector<std::string> found;
    const auto sum = trace::check(trace::source(path), [&](const tracecodec::diagnostic& d) {
      found.push_back(std::string(d.code) + ' ' + d.message);
    });
    if (std::string_view(name) != "made.x86.trace.gz" || !with_zydis)
      CHECK(found == std::vector<std::string>());
    CHECK(sum.records > 700);
  }
}

TEST_CASE("REGDEPS encodings have registers and flags") {
  using feed::branch_class;
  const auto numbers = [](std::string_view hex, branch_class c) {
    const auto all = tracecodec::x86::regdeps_operands(test::from_hex(hex), c);
    std::pair<std::vector<int>, std::vector<int>> lists;
    if (!all) return lists;
    lists.first.assign(all->written().begin(), all->written().end());
    lists.second.assign(all->read().begin(), all->read().end());
    return lists;
  };
  using lists = std::pair<std::vector<int>, std::vector<int>>;
  // Two destinations, one source, flags written and read.
  CHECK(numbers("12030000 06060718", branch_class::not_branch) == lists{{254, 7, 25}, {24, 25}});
  // Registers 6, 25 and 26 have other numbers, since ChampSim's are special.
  CHECK(numbers("30000000 0606191a", branch_class::not_branch) == lists{{}, {254, 255, 1}});
  CHECK(numbers("00020000", branch_class::conditional) == lists{{26}, {26, 25}});
  CHECK(numbers("20020000 06020300", branch_class::conditional) == lists{{26}, {26, 25, 2, 3}});
  CHECK(numbers("10000000 06050000", branch_class::indirect) == lists{{26}, {5}});
  CHECK(numbers("21000000 06040304", branch_class::indirect_call) ==
        lists{{26, 6, 4}, {26, 6, 3, 4}});
  CHECK(numbers("11000000 06040400", branch_class::direct_call) == lists{{26, 6, 4}, {26, 6}});
  CHECK(numbers("11000000 06040400", branch_class::return_) == lists{{26, 6, 4}, {6, 4}});
  // Invalid encodings: too short, nine operands, register 1.
  CHECK(numbers("100000", branch_class::indirect) == lists());
  CHECK(numbers("10000000 06", branch_class::indirect) == lists());
  CHECK(numbers("45000000 06020202 02020202 02020202", branch_class::indirect) == lists());
  CHECK(numbers("10000000 06010000", branch_class::indirect) == lists());
}

TEST_CASE("AArch64 code has registers and targets") {
  const auto code = [](std::uint64_t value) { return hand{record_type::encoding, value, 4}; };
  // Encodings of the Arm Architecture Reference Manual for A-profile. x0 has the number 67, because
  // 0 means no register, and the flags have ChampSim's number 25.
  const auto all = decoded(
      encoded(whole(head(7, drmemtrace::file_type::encodings | drmemtrace::file_type::aarch64),
                    {code(0x8b020020),
                     instruction(0x1000),  // add x0, x1, x2
                     code(0xf10004e6),
                     instruction(0x1004),  // subs x6, x7, #1
                     code(0x54000081),
                     instruction(0x1008, 4, instr_taken_jump),  // b.ne 0x1018
                     code(0xf9400083),
                     instruction(0x1018),
                     {record_type::read, 0x8000, 8},  // ldr x3, [x4]
                     code(0x94000010),
                     instruction(0x101c, 4, instr_direct_call),  // bl 0x105c
                     code(0xd65f03c0),
                     mark(marker::branch_target, 0x1020),
                     instruction(0x105c, 4, instr_return)})));
  using list = std::vector<int>;
  REQUIRE(all.size() == 6);
  CHECK(all[0].to == list{67});
  CHECK(all[0].from == list{1, 2});
  CHECK(all[1].to == list{65, 25});  // x6
  CHECK(all[1].from == list{7});
  CHECK(all[2].from == list{26, 25});
  CHECK(all[2].target == 0x1018);
  CHECK(all[3].to == list{3});
  CHECK(all[3].from == list{4});
  CHECK(all[4].to == list{26, 6, 30});
  CHECK(all[4].target == 0x105c);
  CHECK(all[5].from == list{6, 30});
  CHECK(all[5].target == 0x1020);
  for (const seen& i : all) CHECK((i.uncertainty & 2) == 0);
}

TEST_CASE("32-bit Arm code has registers and targets") {
  // Encodings of the Arm Architecture Reference Manual for A-profile, chapter F5. Addresses of T32 code
  // are odd.
  const auto code = [](std::uint64_t value, unsigned size = 4) {
    return hand{record_type::encoding, value, size};
  };
  const auto all = decoded(encoded<target::x86>(
      whole(head(7, drmemtrace::file_type::encodings | drmemtrace::file_type::arm32),
            {code(0xE0810002),
             instruction(0x1000),  // add r0, r1, r2
             code(0xE2566001),
             instruction(0x1004),                                         // subs r6, r6, #1
             code(0x1A000001), instruction(0x1008, 4, instr_taken_jump),  // bne 0x1014
             code(0xFA000006),
             instruction(0x1014, 4, instr_direct_call),  // blx 0x1034, which is T32 code
             code(0x4611, 2), instruction(0x1035, 2),    // mov r1, r2
             code(0xE001, 2), instruction(0x1037, 2, instr_direct_jump),  // b 0x103c
             code(0xE800F000),
             instruction(0x103D, 4, instr_direct_call),  // blx 0x1040, which is A32 code
             code(0xE12FFF1E), mark(marker::branch_target, 0x1041),
             instruction(0x1040, 4, instr_return)})));  // bx lr
  using list = std::vector<int>;
  REQUIRE(all.size() == 8);
  CHECK(all[0].to == list{67});  // r0
  CHECK(all[0].from == list{1, 2});
  CHECK(all[1].to == list{65, 25});  // r6 and the flags
  CHECK(all[1].from == list{65});
  CHECK(all[2].from == list{26, 25});
  CHECK(all[2].target == 0x1014);
  CHECK(all[3].to == list{26, 6, 14});
  CHECK(all[3].target == 0x1035);
  CHECK(all[4].to.empty());  // not decoded
  CHECK(all[4].code == 2);
  CHECK(all[5].target == 0x103D);
  CHECK(all[6].target == 0x1040);
  CHECK(all[7].target == 0x1041);
  CHECK(all[7].from == list{6, 14});
}

TEST_CASE("outcomes of branches without further data follow from the next instruction") {
  const auto all = decoded(encoded(whole(head(4), {instruction(0x10, 2, instr_conditional_jump),
                                                   instruction(0x12),
                                                   instruction(0x16, 2, instr_conditional_jump),
                                                   instruction(0x40, 4, instr_direct_call),
                                                   {record_type::write, 0x900, 8},
                                                   instruction(0x80, 1, instr_return),
                                                   instruction(0x44, 3, instr_indirect_jump),
                                                   mark(marker::kernel_event, 0x60),
                                                   instruction(0x1000),
                                                   instruction(0x60, 2, instr_conditional_jump)})));
  REQUIRE(all.size() == 8);
  const auto outcome_of = [&all](std::size_t n) { return std::pair(all[n].taken, all[n].target); };
  using result = std::pair<bool, std::uint64_t>;
  CHECK(outcome_of(0) == result(false, 0));
  CHECK(outcome_of(2) == result(true, 0x40));
  CHECK(outcome_of(3) == result(true, 0x80));
  CHECK(outcome_of(4) == result(true, 0x44));
  CHECK(outcome_of(5) == result(true, 0x60));
  CHECK(outcome_of(7) == result(false, 0));
  CHECK(all[7].uncertainty == static_cast<unsigned>(feed::uncertainty::estimated_outcome));
  CHECK(all[5].uncertainty == 0);
  CHECK(all[3].writes == std::vector<std::uint64_t>{0x900});
  // The registers from which ChampSim derives the classes.
  CHECK(all[0].to == std::vector<int>{26});
  CHECK(all[0].from == std::vector<int>{26, 25});
  CHECK(all[3].from == std::vector<int>{26, 6});
  CHECK(all[4].to == std::vector<int>{26, 6});
  CHECK(all[5].from == std::vector<int>{56});
}

TEST_CASE("outcomes of branches that the trace stores") {
  const auto all = decoded(encoded(whole(
      head(7), {instruction(0x10, 2, instr_untaken_jump), instruction(0x12, 2, instr_taken_jump),
                instruction(0x30), mark(marker::branch_target, 0x99),
                instruction(0x34, 2, instr_indirect_call)})));
  REQUIRE(all.size() == 4);
  CHECK(!all[0].taken);
  CHECK(all[1].target == 0x30);
  CHECK(all[3].target == 0x99);
  CHECK(all[3].uncertainty == 0);
}

TEST_CASE("each thread has its own code") {
  // Thread 5 and 6 execute the same code; then thread 6 executes new code at the same address.
  const auto code = [](std::uint64_t value) { return hand{record_type::encoding, value, 1}; };
  const hand five{record_type::thread, 5, 4}, six{record_type::thread, 6, 4};
  const auto all = decoded(encoded(
      whole(head(7, drmemtrace::file_type::encodings),
            {code(0x90), instruction(0x10, 1), six, code(0x90), instruction(0x10, 1), code(0xF4),
             code(0xF4), instruction(0x10, 2), five, instruction(0x10, 1), six,
             instruction(0x10, 2), code(0x90), instruction(0x10, 1), five, instruction(0x10, 1)})));
  std::vector<std::size_t> sizes;
  for (const seen& s : all) sizes.push_back(s.code);
  CHECK(sizes == std::vector<std::size_t>{1, 1, 2, 1, 2, 1, 1});
}

TEST_CASE("accesses belong to their instruction") {
  const hand five{record_type::thread, 5, 4}, six{record_type::thread, 6, 4};
  const bytes in = encoded(whole(head(7), {instruction(0x10),
                                           {record_type::read, 0x100, 8},
                                           {static_cast<record_type>(27), 0x140, 0},
                                           {record_type::write, 0x108, 4},
                                           {instr_no_fetch, 0x10, 4},
                                           {record_type::read, 0x110, 8},
                                           six,
                                           instruction(0x20),
                                           five,
                                           {record_type::read, 0x118, 8},
                                           instruction(0x30, 0),
                                           {record_type::write, 0x120, 2},
                                           {instr_bundle, 0x0304, 2}}));
  const auto all = decoded(in);
  REQUIRE(all.size() == 7);
  CHECK(all[0].reads == std::vector<std::uint64_t>{0x100});
  CHECK(all[0].writes == std::vector<std::uint64_t>{0x108});
  CHECK(all[1].ip == 0x10);
  CHECK(!all[1].fetched);
  CHECK(all[1].reads == std::vector<std::uint64_t>{0x110});
  CHECK(all[2].thread == 6);
  CHECK(all[3].thread == 5);
  CHECK(!all[3].fetched);
  CHECK(all[3].reads == std::vector<std::uint64_t>{0x118});
  CHECK(all[4].ip == 0x30);
  CHECK(all[4].writes == std::vector<std::uint64_t>{0x120});
  CHECK(all[5].ip == 0x30);
  CHECK(all[6].ip == 0x34);
  // A single thread.
  CHECK(decoded(in, {.thread = 6}).size() == 1);
  CHECK(decoded(in, {.thread = 7}).empty());
}

TEST_CASE("a thread that does not continue does not hold back the others") {
  std::vector<hand> records{instruction(0x10, 2, instr_taken_jump), {record_type::thread, 6, 4}};
  for (std::uint64_t n = 0; n != 6000; ++n) records.push_back(instruction(0x1000 + 4 * n));
  records.push_back({record_type::thread, 5, 4});
  records.push_back(instruction(0x80));
  const bytes in = encoded(whole(head(7), records));
  CHECK(decoded(in)[0].target == 0x80);
  const auto all = decoded(in, {.reach = 10});
  CHECK(all.size() == 6002);
  CHECK(all[0].uncertainty == static_cast<unsigned>(feed::uncertainty::estimated_outcome));
}

TEST_CASE("accesses after another thread's instruction do not decide a branch") {
  const hand five{record_type::thread, 5, 4}, six{record_type::thread, 6, 4};
  const auto all = decoded(encoded(whole(head(4), {instruction(0x10, 4, instr_direct_call),
                                                   six,
                                                   instruction(0x20),
                                                   five,
                                                   {record_type::write, 0x900, 8},
                                                   instruction(0x80)})));
  REQUIRE(all.size() == 4);
  CHECK(all[0].target == 0x80);
}

TEST_CASE("a signal without address, and the end of a core's file, leave targets unknown") {
  constexpr unsigned estimated = static_cast<unsigned>(feed::uncertainty::estimated_outcome);
  const auto jump = instruction(0x10, 4, instr_direct_jump);
  const auto one =
      decoded(encoded(whole(head(2), {jump, mark(marker::kernel_event, 0), instruction(0x900)})));
  REQUIRE(one.size() == 2);
  CHECK(one[0].uncertainty == estimated);
  CHECK(one[0].target == 0);
  // Thread 5 was first on the second core.
  for (const std::uint64_t type : {std::uint64_t{0}, drmemtrace::file_type::core_sharded}) {
    auto records = head(7, type);
    records.push_back(jump);
    const auto second = whole(head(7, type), {instruction(0x900)});
    records.insert(records.end(), second.begin(), second.end());
    const auto all = decoded(encoded(records));
    REQUIRE(all.size() == 2);
    CHECK(all[0].target == (type == 0 ? 0x900 : 0));
    CHECK(all[0].uncertainty == (type == 0 ? 0 : estimated));
  }
}

TEST_CASE("a single thread of a core has the code that other threads executed first") {
  const hand five{record_type::thread, 5, 4}, six{record_type::thread, 6, 4};
  const hand code{record_type::encoding, 0x90, 1};
  using drmemtrace::file_type;
  {
    constexpr std::uint64_t type = file_type::encodings | file_type::core_sharded;
    const auto all = decoded(
        encoded(whole(head(7, type), {code, instruction(0x10, 1), six, instruction(0x10, 1), code,
                                      instruction(0x11, 1), five, instruction(0x11, 1)})),
        {.thread = 6});
    REQUIRE(all.size() == 2);
    CHECK(all[0].code == 1);
    CHECK(all[1].code == 1);
  }
}

TEST_CASE("a trace with too many threads") {
  constexpr std::size_t most = drmemtrace::instruction_source::most_threads;
  const bytes first = encoded(head(7));
  bytes all(first.size() + 24 * (most + 1));
  std::ranges::copy(first, all.begin());
  for (std::size_t n = 0; n <= most; ++n) {
    std::byte* const at = &all[first.size() + 24 * n];
    at[0] = std::byte{22};
    for (std::size_t b = 0; b != 3; ++b) at[4 + b] = static_cast<std::byte>(n >> 8 * b);
    at[12] = std::byte{10};
    at[14] = std::byte{1};
  }
  drmemtrace::trace_feed from(io::open_bytes(all, "t"));
  from.skip(2 * most);
  const auto error = test::error_of([&] { from.next(); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::unsupported);
  // The checker reports it, and continues.
  CHECK(found_in(all)["file"] > 1);
}

TEST_CASE("skips, rewinds and counts") {
  std::vector<hand> records;
  for (std::uint64_t n = 0; n != 10000; ++n) records.push_back(instruction(4 * n));
  const bytes in = encoded(whole(head(7), records));
  drmemtrace::trace_feed from(io::open_bytes(in, "t"));
  CHECK(from.count() == 10000);
  CHECK(from.skip(7) == 7);
  CHECK(from.next()[0].ip() == 28);
  from.rewind();
  CHECK(from.skip(9990) == 9990);
  CHECK(from.next()[0].ip() == 4 * 9990);
  while (from.next().size() != 0) {
  }
  CHECK(from.skip(1) == 0);
  from.rewind();
  from.rewind();
  CHECK(from.next()[0].ip() == 0);
}

TEST_CASE("the check finds violations") {
  using namespace drmemtrace;
  const std::uint64_t type = file_type::encodings;
  CHECK(found_in(encoded(whole(head(7), {instruction(0x10), instruction(0x14)}))).empty());
  const auto one = [](const std::vector<hand>& records, std::uint64_t file = 0,
                      std::uint64_t version = 7) {
    return found_in(encoded(whole(head(version, file), records)));
  };
  CHECK(one({instruction(0x10), instruction(0x18)}) == counts_by_rule{{"flow", 1}});
  CHECK(one({instruction(0x10), instruction(0x18)}, file_type::instructions_filtered).empty());
  CHECK(one({instruction(0x10), mark(marker::kernel_event, 0x18)}) == counts_by_rule{{"flow", 1}});
  CHECK(one({instruction(0x10), mark(marker::kernel_event, 0x14), instruction(0x99)}).empty());
  CHECK(one({instruction(0x10), mark(marker::kernel_event, 0x10)}, 0, 6).empty());
  CHECK(one({instruction(0x10, 2, instr_indirect_jump)}) == counts_by_rule{{"target", 1}});
  CHECK(one({mark(marker::branch_target, 0x20), instruction(0x10, 2, instr_return),
             instruction(0x24)}) == counts_by_rule{{"target", 1}});
  CHECK(one({instruction(0x10, 2, instr_conditional_jump)}) == counts_by_rule{{"type", 1}});
  CHECK(one({instruction(0x10, 2, instr_conditional_jump)}, 0, 4).empty());
  CHECK(one({{static_cast<record_type>(77)}}) == counts_by_rule{{"type", 1}});
  CHECK(one({mark(marker::timestamp, 99), mark(marker::cpu_id, 0)}) == counts_by_rule{{"time", 1}});
  CHECK(one({mark(marker::timestamp, 101)}) == counts_by_rule{{"time", 1}});
  CHECK(one({instruction(0x10)}, type) == counts_by_rule{{"encoding", 1}});
  CHECK(one({{record_type::encoding, 0x90, 1}, instruction(0x10, 2)}, type) ==
        counts_by_rule{{"encoding", 1}});
  CHECK(one({{record_type::encoding, 0x90, 1}, instruction(0x10, 1), instruction(0x11, 1)}, type) ==
        counts_by_rule{{"encoding", 1}});
  CHECK(one({mark(marker::syscall_trace_start, 1), mark(marker::syscall_trace_end, 1)}).empty());
  CHECK(one({mark(marker::syscall_trace_start, 1), mark(marker::syscall_trace_end, 2)}) ==
        counts_by_rule{{"nesting", 1}});
  CHECK(one({mark(marker::context_switch_end, 1)}) == counts_by_rule{{"nesting", 1}});
  const hand begins = mark(marker::syscall_trace_start, 1),
             ends = mark(marker::syscall_trace_end, 1),
             switches = mark(marker::context_switch_start, 1),
             switched = mark(marker::context_switch_end, 1);
  CHECK(one({begins, ends, switches, switched}).empty());
  CHECK(one({begins, switches, switched, ends}) == counts_by_rule{{"nesting", 1}});
  CHECK(one({begins, begins, ends}) == counts_by_rule{{"nesting", 1}});
  CHECK(one({begins}) == counts_by_rule{{"nesting", 1}});
  const std::vector<hand> chunk{mark(marker::chunk_instr_count, 1), instruction(0x10)};
  auto good = chunk;
  good.insert(good.end(), {mark(marker::chunk_footer, 0), mark(marker::record_ordinal, 9),
                           mark(marker::timestamp, 100), mark(marker::cpu_id, 1)});
  CHECK(one(good).empty());
  auto bad = chunk;
  bad.insert(bad.end(), {mark(marker::chunk_footer, 1), mark(marker::timestamp, 100),
                         mark(marker::cpu_id, 1)});
  CHECK(one(bad) == counts_by_rule{{"chunk", 2}});
  CHECK(found_in(encoded(head(7))) == counts_by_rule{{"file", 1}});
  CHECK(one({}, 0, 8) == counts_by_rule{{"file", 2}});
  if (with_zydis) {
    const hand syscall{record_type::encoding, 0x050F, 2};
    const std::uint64_t numbers = type | file_type::x86_64 | file_type::syscall_numbers;
    CHECK(one({syscall, instruction(0x10, 2), mark(marker::syscall, 1)}, numbers).empty());
    CHECK(one({syscall, instruction(0x10, 2), instruction(0x10, 2)}, numbers) ==
          counts_by_rule{{"flow", 1}, {"syscall", 1}});
    CHECK(one({{record_type::encoding, 0x90, 1}, instruction(0x10, 1), mark(marker::syscall, 1)},
              numbers) == counts_by_rule{{"syscall", 1}});
    // A direct jump to the next instruction.
    CHECK(one({{record_type::encoding, 0x00EB, 2},
               instruction(0x10, 2, instr_direct_jump),
               {record_type::encoding, 0x90, 1},
               instruction(0x20, 1)},
              numbers) == counts_by_rule{{"target", 1}});
  }
}

// Counted records of head(): the markers of version, file type, sizes, time and cpu.
TEST_CASE("the check counts the records and instructions of chunks") {
  using namespace drmemtrace;
  const auto chunk = [](std::uint64_t n, std::uint64_t ordinal) {
    return std::vector<hand>{mark(marker::chunk_footer, n), mark(marker::record_ordinal, ordinal),
                             mark(marker::timestamp, 100), mark(marker::cpu_id, 1)};
  };
  const auto joined = [](std::initializer_list<std::vector<hand>> all) {
    std::vector<hand> to;
    for (const auto& one : all) to.insert(to.end(), one.begin(), one.end());
    return to;
  };
  const std::vector<hand> two{mark(marker::chunk_instr_count, 2),
                              instruction(0x10),
                              {record_type::read, 0x100, 8},
                              instruction(0x14)};
  // Records that no tool sees, and those with which the second chunk begins, are not counted.
  const std::vector<hand> more{mark(marker::branch_target, 0x20),
                               instruction(0x18, 2, instr_indirect_jump),
                               {instr, 0x50, 0},
                               {record_type::read, 0x100, 8},
                               instruction(0x20)};
  const auto found = [&](std::uint64_t first, std::uint64_t second) {
    return found_in(encoded(whole(head(), joined({two, chunk(0, first), more, chunk(1, second)}))));
  };
  CHECK(found(11, 15).empty());
  CHECK(found(10, 15) == counts_by_rule{{"chunk", 1}});
  CHECK(found(11, 16) == counts_by_rule{{"chunk", 1}});
  // The file of a core: a header for each thread, and footers of threads that end. Both files of a
  // folder begin with chunk 0.
  const std::uint64_t cores = file_type::core_sharded;
  const auto core = [&](std::uint64_t first, std::uint64_t second, std::uint64_t last,
                        std::vector<hand> further = {}) {
    const std::vector<hand> end{{thread_exit, 5, 4}, {footer}};
    return joined({head(7, cores),
                   two,
                   chunk(0, first),
                   {instruction(0x18)},
                   end,
                   head(7, cores, 6),
                   {instruction(0x40), mark(marker::core_idle, 0)},
                   chunk(1, second),
                   further,
                   {instruction(0x44), instruction(0x48)},
                   chunk(2, last),
                   {{thread_exit, 6, 4}, {footer}}});
  };
  // After the first chunk: an instruction, an exit, seven markers, an instruction, and two markers.
  constexpr std::uint64_t second = 11 + 1 + 1 + 6 + 1 + 2, last = second + 3;
  const auto found_of = [](const std::vector<hand>& all) { return found_in(encoded(all)); };
  CHECK(found_of(core(11, second, last)).empty());
  CHECK(found_of(core(11, second - 1, last)) == counts_by_rule{{"chunk", 1}});
  CHECK(found_of(core(12, second, last)) == counts_by_rule{{"chunk", 1}});
  CHECK(found_of(core(11, second, last, {instruction(0x44)}))["chunk"] == 2);
  CHECK(found_of(joined({core(11, second, last), core(11, second, last)})).empty());
  CHECK(found_of(joined({core(11, second, last), core(11, second, last + 1)})) ==
        counts_by_rule{{"chunk", 1}});
}

TEST_CASE("the check finds violations of signals, restartable sequences, functions and accesses") {
  using namespace drmemtrace;
  const auto one = [](const std::vector<hand>& records, std::uint64_t file = 0,
                      std::uint64_t version = 7) {
    return found_in(encoded(whole(head(version, file), records)));
  };
  const auto event = [](std::uint64_t pc) { return mark(marker::kernel_event, pc); };
  const hand transfer = mark(marker::kernel_xfer, 0x104);
  // A handler at 0x100 that interrupts the instruction at 0x14, and one that interrupts the handler.
  CHECK(one({instruction(0x10), event(0x14), instruction(0x100), transfer, instruction(0x14)})
            .empty());
  CHECK(one({instruction(0x10), event(0x14), instruction(0x100), transfer, instruction(0x18)}) ==
        counts_by_rule{{"signal", 1}});
  CHECK(one({instruction(0x10), event(0x14), instruction(0x100), event(0x104), instruction(0x200),
             transfer, instruction(0x104), transfer, instruction(0x14)})
            .empty());
  CHECK(one({instruction(0x10), event(0x14), instruction(0x100), transfer, event(0x14),
             instruction(0x100), transfer, instruction(0x14)})
            .empty());
  CHECK(one({instruction(0x10), event(0x14), instruction(0x100), transfer, event(0x18),
             instruction(0x100), transfer, instruction(0x18)}) == counts_by_rule{{"signal", 1}});
  // A sequence from 0x10 to 0x18, which is aborted before or after its last instruction.
  const hand enters = mark(marker::rseq_entry, 0x18);
  CHECK(one({enters, instruction(0x10), mark(marker::rseq_abort, 0x14), event(0x14),
             instruction(0x50)})
            .empty());
  CHECK(one({enters, instruction(0x10), instruction(0x14), mark(marker::rseq_abort, 0x18),
             event(0x18), instruction(0x50)}) == counts_by_rule{{"rseq", 1}});
  CHECK(one({enters, instruction(0x10), mark(marker::rseq_abort, 0x14), instruction(0x50)}) ==
        counts_by_rule{{"rseq", 1}});
  // A function that is called at 0x10.
  const hand call = instruction(0x10, 5, instr_direct_call);
  const auto id = mark(marker::func_id, 3);
  CHECK(one({call,
             {record_type::write, 0x80, 8},
             id,
             mark(marker::func_retaddr, 0x15),
             instruction(0x40)})
            .empty());
  CHECK(one({call, id, mark(marker::func_retaddr, 0x16), instruction(0x40)}) ==
        counts_by_rule{{"function", 1}});
  CHECK(one({call, id, {record_type::write, 0x80, 8}, instruction(0x40)}) ==
        counts_by_rule{{"function", 1}});
  CHECK(one({instruction(0x10), id}) == counts_by_rule{{"function", 1}});
  CHECK(one({instruction(0x10), mark(marker::func_id, first_syscall_id + 1)}).empty());
  // The sizes of cache lines and pages.
  const auto without = [](std::uint64_t version, int first, int n) {
    auto all = head(version);
    all.erase(all.begin() + first, all.begin() + first + n);
    return found_in(encoded(whole(all, {instruction(0x10)})));
  };
  CHECK(without(7, 5, 2) == counts_by_rule{{"file", 1}});
  CHECK(without(7, 5, 1) == counts_by_rule{{"file", 1}});
  CHECK(without(7, 6, 1) == counts_by_rule{{"file", 1}});
  CHECK(without(4, 5, 2).empty());
  if (!with_zydis) return;
  const std::uint64_t type = file_type::encodings | file_type::x86_64;
  const auto accesses = [&](std::uint64_t code, unsigned size, const std::vector<hand>& records,
                            std::uint64_t version = 7) {
    std::vector<hand> all{{record_type::encoding, code, size}, instruction(0x10, size)};
    all.insert(all.end(), records.begin(), records.end());
    return one(all, type, version);
  };
  const hand reads{record_type::read, 0x100, 8}, writes{record_type::write, 0x100, 8};
  CHECK(accesses(0x078B48, 3, {reads}).empty());  // mov rax, [rdi]
  CHECK(accesses(0x078B48, 3, {}) == counts_by_rule{{"access", 1}});
  CHECK(accesses(0x078B48, 3, {reads, reads}) == counts_by_rule{{"access", 1}});
  CHECK(accesses(0x078B48, 3, {reads, writes}) == counts_by_rule{{"access", 1}});
  CHECK(accesses(0x078B48, 3, {}, 6).empty());
  CHECK(accesses(0x070148, 3, {reads, writes}).empty());  // add [rdi], rax
  CHECK(accesses(0xA4F3, 2, {}).empty());                 // rep movsb
  CHECK(accesses(0x90, 1, {writes}) == counts_by_rule{{"access", 1}});
  const hand prefetch{static_cast<record_type>(3), 0x100, 0},
      by_processor{static_cast<record_type>(27), 0x100, 0};
  CHECK(accesses(0x0F180F, 3, {prefetch}).empty());  // prefetcht0 [rdi]
  CHECK(accesses(0x0F180F, 3, {}).empty());
  CHECK(accesses(0x0F180F, 3, {reads}) == counts_by_rule{{"access", 1}});
  CHECK(accesses(0x078B48, 3, {reads, prefetch}) == counts_by_rule{{"access", 1}});
  CHECK(accesses(0x90, 1, {prefetch}) == counts_by_rule{{"access", 1}});
  CHECK(accesses(0x90, 1, {by_processor}).empty());
}

TEST_CASE("a trace that is cut anywhere") {
  const bytes all = encoded(whole(head(7), {instruction(0x10),
                                            {record_type::read, 0x100, 8},
                                            instruction(0x14, 2, instr_taken_jump),
                                            instruction(0x40)}));
  for (std::size_t size = 24; size < all.size(); ++size) {
    CAPTURE(size);
    const bytes cut(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    std::size_t n = 0;
    const auto error = test::error_of([&] {
      for (const auto& i : drmemtrace::trace_feed(io::open_bytes(cut, "t"))) n += i.ip() != 0;
    });
    CHECK(error.has_value() == (size % 12 != 0));
    if (error) {
      CHECK(error->code() == trace_errc::truncated);
      CHECK(error->record() == size / 12);
    }
    const std::size_t whole_records = size / 12;
    CHECK(n == (whole_records > 9) + std::size_t{whole_records > 11} + (whole_records > 12));
    CHECK(found_in(cut)["file"] != 0);
    CHECK(found_in(cut)["cut"] == (size % 12 != 0));
  }
  for (std::size_t size = 0; size != 12; ++size) {
    CAPTURE(size);
    if (size == 8) continue;  // a whole header of a 32-bit trace
    const bytes cut(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    const auto error =
        test::error_of([&] { drmemtrace::trace_feed from(io::open_bytes(cut, "t")); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::not_a_trace);
  }
}

TEST_CASE("recognises 12-byte and 8-byte records") {
  using drmemtrace::target_of;
  CHECK(target_of(encoded(head(7))) == target::x64);
  CHECK(target_of(encoded<target::x86>(head(7))) == target::x86);
  CHECK(target_of(encoded({{header, 1}, {record_type::thread, 5, 4}})) == target::x64);
  CHECK(target_of(encoded({{header, 1}})) == target::x64);
  CHECK(target_of(encoded<target::x86>({{header, 1}})) == target::x86);
  CHECK_FALSE(target_of(encoded({{header, 1}, {pid, 5, 4}})));
  CHECK_FALSE(target_of(encoded({{header, 0}, mark(marker::version, 0)})));
  CHECK_FALSE(target_of(encoded({{header, 7}, mark(marker::version, 6)})));
  CHECK_FALSE(target_of({}));
}

TEST_CASE("a folder of files is one trace") {
  const test::folder dir;
  const auto file = [](std::uint64_t id, std::uint64_t pc, std::uint64_t first) {
    auto begin = head(7, 0, id);
    begin[5].value = first;
    return encoded(whole(std::move(begin),
                         {instruction(pc),
                          {record_type::read, pc, 4},
                          mark(marker::timestamp, first + 20),
                          mark(marker::cpu_id, 1),
                          instruction(pc + 4)},
                         id));
  };
  CHECK_FALSE(drmemtrace::descriptor::open_folder(dir / "none", {}));
  CHECK_FALSE(drmemtrace::descriptor::open_folder(dir / "", {}));
  std::filesystem::create_directory(dir / "trace");
  dir.file("trace/a.5.trace", file(5, 0x10, 100));
  dir.file("trace/a.6.memtrace", file(6, 0x20, 110));
  dir.file("trace/serial_schedule.bin", file(7, 0x30, 100));
  dir.file("trace/.a.8.trace", file(8, 0x40, 100));
  const auto ips = [&](drmemtrace::order by) {
    std::vector<std::uint64_t> all;
    for (const auto& i : drmemtrace::trace_feed(open_folder(dir / "", by))) {
      CHECK(i.asid() == (i.ip() < 0x20 ? 5 : 6));
      all.push_back(i.ip());
    }
    return all;
  };
  CHECK(ips(drmemtrace::order::thread) == std::vector<std::uint64_t>{0x10, 0x14, 0x20, 0x24});
  CHECK(ips(drmemtrace::order::time) == std::vector<std::uint64_t>{0x10, 0x20, 0x14, 0x24});
  for (const auto by : {drmemtrace::order::thread, drmemtrace::order::time}) {
    format::open_options o;
    o.own.set(by);
    const auto sum = trace::check(
        trace::source(dir / "", o), [](const tracecodec::diagnostic& d) { FAIL_CHECK(d.message); },
        {}, o);
    // Two files of 16 records. By time, two sections begin with an inserted thread.
    CHECK(sum.records == (by == drmemtrace::order::time ? 34 : 32));
  }
  CHECK(trace::source(dir / "").format().name == "drmemtrace");
  drmemtrace::trace_feed again(open_folder(dir / "", drmemtrace::order::time));
  again.skip(3);
  again.rewind();
  again.rewind();
  CHECK(again.count() == 4);
  CHECK(again.next()[0].ip() == 0x10);
  // A file of another kind.
  dir.file("trace/a.7.trace", encoded<target::x86>(head(7)));
  const auto other = test::error_of([&] { ips(drmemtrace::order::thread); });
  REQUIRE(other);
  CHECK(other->code() == trace_errc::not_a_trace);
  CHECK(other->file() == dir / "trace/a.7.trace");
  std::filesystem::remove(dir / "trace/a.7.trace");
  dir.file("trace/a.1.trace", bytes(64));
  CHECK_FALSE(drmemtrace::descriptor::open_folder(dir / "", {}));
  std::filesystem::remove(dir / "trace/a.1.trace");
  // A file that is cut.
  bytes cut = file(6, 0x20, 110);
  cut.pop_back();
  dir.file("trace/a.6.memtrace", cut);
  const auto error = test::error_of([&] { ips(drmemtrace::order::time); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::truncated);
  CHECK(error->file() == dir / "trace/a.6.memtrace");
}

TEST_CASE("a folder in the order of its schedule") {
  const test::folder dir;
  // Threads with the timestamps 100 and 110 at the instructions 0 and 2.
  const auto file = [](std::uint64_t id, std::uint64_t pc) {
    return encoded(whole(head(7, 0, id),
                         {instruction(pc), instruction(pc + 4), mark(marker::timestamp, 110),
                          mark(marker::cpu_id, 1), instruction(pc + 8)},
                         id));
  };
  dir.file("a.5.trace", file(5, 0x10));
  dir.file("b.6.trace", file(6, 0x20));
  struct entry {
    std::uint64_t thread, timestamp, start;
  };
  const auto schedule = [&dir](const std::vector<entry>& all, const char* name) {
    bytes out;
    for (const entry& e : all)
      for (const std::uint64_t n : {e.thread, e.timestamp, std::uint64_t{1}, e.start})
        for (int k = 0; k != 8; ++k) out.push_back(static_cast<std::byte>(n >> 8 * k & 0xFFU));
    dir.file(name, out);
  };
  const auto ips = [&dir] {
    std::vector<std::uint64_t> all;
    for (const auto& i : drmemtrace::trace_feed(open_folder(dir / "", drmemtrace::order::schedule)))
      all.push_back(i.ip());
    return all;
  };
  const auto code_of = [&] {
    const auto error = test::error_of([&] { ips(); });
    return error ? std::optional(error->code()) : std::nullopt;
  };
  CHECK(code_of() == trace_errc::refused);
  constexpr const char* cpus = "cpu_schedule.bin";
  schedule({{6, 110, 2}, {5, 100, 0}, {6, 100, 0}}, cpus);
  CHECK(ips() == std::vector<std::uint64_t>{0x10, 0x14, 0x18, 0x20, 0x24, 0x28});
  schedule({{6, 100, 0}, {5, 110, 2}, {5, 100, 0}}, cpus);
  CHECK(ips() == std::vector<std::uint64_t>{0x10, 0x14, 0x20, 0x24, 0x28, 0x18});
  // The serial schedule is preferred. Its order is that of the file.
  constexpr const char* serial = "serial_schedule.bin";
  schedule({{6, 100, 0}, {5, 100, 0}, {6, 110, 2}, {5, 110, 2}}, serial);
  CHECK(ips() == std::vector<std::uint64_t>{0x20, 0x24, 0x10, 0x14, 0x28, 0x18});
  // A thread that is missing, another timestamp, another start, and an entry too many.
  schedule({{6, 100, 0}}, serial);
  CHECK(code_of() == trace_errc::corrupt);
  schedule({{6, 100, 0}, {5, 100, 0}, {6, 111, 2}}, serial);
  CHECK(code_of() == trace_errc::corrupt);
  schedule({{6, 100, 0}, {5, 100, 0}, {6, 110, 1}}, serial);
  CHECK(code_of() == trace_errc::corrupt);
  schedule({{6, 100, 0}, {5, 100, 0}, {6, 110, 2}, {6, 120, 3}}, serial);
  CHECK(code_of() == trace_errc::corrupt);
  // A cut at every byte.
  schedule({{6, 100, 0}, {5, 100, 0}}, serial);
  const bytes all = test::content(dir / serial);
  for (std::size_t n = 0; n != all.size(); ++n) {
    dir.file(serial, bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)));
    CAPTURE(n);
    const auto code = code_of();
    CHECK(code.has_value());
    if (n != 0) CHECK(code == (n % 32 != 0 ? trace_errc::truncated : trace_errc::corrupt));
  }
}

TEST_CASE("synthetic encodings of all registers") {
  using feed::branch_class;
  using tracecodec::x86::regdeps_encoding;
  using tracecodec::x86::regdeps_operands;
  const auto operands = [](branch_class c, const std::vector<std::uint8_t>& written,
                           const std::vector<std::uint8_t>& read) {
    const auto made = regdeps_encoding(c, written, read, 0);
    CHECK(made.dropped == 0);
    const auto all = regdeps_operands(std::span(made.bytes.all).first(made.bytes.size), c);
    REQUIRE(all);
    return std::pair(std::vector<int>(all->written().begin(), all->written().end()),
                     std::vector<int>(all->read().begin(), all->read().end()));
  };
  using lists = std::pair<std::vector<int>, std::vector<int>>;
  for (int r = 1; r != 256; ++r) {
    const auto number = static_cast<std::uint8_t>(r);
    CHECK(operands(branch_class::not_branch, {number}, {number}) == lists{{r}, {r}});
  }
  CHECK(operands(branch_class::direct_jump, {26}, {}) == lists{{26}, {}});
  CHECK(operands(branch_class::direct_jump, {26}, {26}) == lists{{26}, {26}});
  CHECK(operands(branch_class::conditional, {26}, {26, 25}) == lists{{26}, {26, 25}});
  CHECK(operands(branch_class::conditional, {26}, {26, 9}) == lists{{26}, {26, 9}});
  CHECK(operands(branch_class::indirect, {26}, {56}) == lists{{26}, {56}});
  CHECK(operands(branch_class::indirect, {26}, {56, 9}) == lists{{26}, {56, 9}});
  CHECK(operands(branch_class::direct_call, {26, 6}, {26, 6}) == lists{{26, 6}, {26, 6}});
  CHECK(operands(branch_class::indirect_call, {26, 6}, {26, 6, 9}) == lists{{26, 6}, {26, 6, 9}});
  CHECK(operands(branch_class::return_, {26, 6}, {6}) == lists{{26, 6}, {6}});
  // Sizes: 4 bytes, and 8, 12 or 16 with registers.
  const std::vector<std::uint8_t> many{2, 3, 4, 5, 7, 8, 9, 10, 11};
  constexpr std::array<int, 9> sizes{4, 8, 8, 8, 12, 12, 12, 12, 16};
  for (std::size_t n = 0; n != sizes.size(); ++n)
    CHECK(regdeps_encoding(branch_class::not_branch, std::span(many).first(n), {}, 0).bytes.size ==
          sizes[n]);
  CHECK(regdeps_encoding(branch_class::not_branch, many, {}, 0).dropped == 1);
}

TEST_CASE("many files need few descriptors") {
  const test::folder dir;
  constexpr std::uint64_t files = 300;  // more than are open at a time
  for (std::uint64_t id = 0; id != files; ++id) {
    auto begin = head(7, 0, id + 1);
    std::vector<hand> records;
    for (std::uint64_t n = 0; n != 3; ++n) {
      records.push_back(instruction(0x1000 * (id + 1) + 4 * n));
      records.push_back(mark(marker::timestamp, 200 + n));
      records.push_back(mark(marker::cpu_id, 1));
    }
    dir.file("f" + std::to_string(1000 + id) + ".trace",
             encoded(whole(std::move(begin), records, id + 1)));
  }
  for (const auto by : {drmemtrace::order::thread, drmemtrace::order::time}) {
    std::uint64_t n = 0, switches = 0;
    std::uint32_t last = 0;
    for (const auto& i : drmemtrace::trace_feed(open_folder(dir / "", by))) {
      ++n;
      switches += i.asid() != std::exchange(last, i.asid());
    }
    CHECK(n == 3 * files);
    CHECK(switches == (by == drmemtrace::order::time ? 3 : 1) * files);
  }
}

TEST_CASE("rows contain the markers, without those that a chunk repeats" *
          doctest::skip(!with_zip)) {
  drmemtrace::row_reader from(io::open_input(test::data("drmemtrace/made.x64.trace.zip")));
  std::map<std::string, int> all;
  std::vector<drmemtrace::row> rows;
  for (from.next(rows); !rows.empty(); from.next(rows))
    for (const auto& r : rows) {
      CHECK((r.thread == 70 || r.index < 3));
      ++all[std::string(r.kind.empty() ? r.type : r.kind)];
    }
  // Two timestamps for each of the 24 system calls, and the first one.
  CHECK(all["timestamp"] == 49);
  CHECK(all["cpu_id"] == 49);
  CHECK(all["chunk_footer"] == 6);
  CHECK(all["record_ordinal"] == 6);
  CHECK(all["syscall"] == 24);
  CHECK(all["instr_no_fetch"] == 48);
  CHECK(all["footer"] == 1);
}

TEST_CASE("rows have the last time and cpu") {
  const bytes in =
      encoded(whole(head(7), {instruction(0x10), mark(marker::timestamp, 120),
                              mark(marker::cpu_id, ~std::uint64_t{0}), instruction(0x14)}));
  drmemtrace::row_reader from(io::open_bytes(in, "t"));
  std::vector<drmemtrace::row> all, rows;
  for (from.next(rows); !rows.empty(); from.next(rows))
    all.insert(all.end(), rows.begin(), rows.end());
  REQUIRE(all.size() == 15);
  CHECK(!all[6].time);
  CHECK(all[7].time == 100);
  CHECK(!all[7].cpu);
  CHECK(all[9].time == 100);
  CHECK(all[9].cpu == 1);
  CHECK(all[12].time == 120);
  CHECK(!all[12].cpu);
}

TEST_CASE("instructions have the time, the cpu and the events before them") {
  const hand six{record_type::thread, 6, 4};
  const hand unknown = mark(marker::cpu_id, ~std::uint64_t{0});
  const bytes in =
      encoded(whole(head(7), {instruction(0x10),
                              mark(marker::timestamp, 120),
                              unknown,
                              mark(marker::syscall, 3),
                              mark(marker::maybe_blocking_syscall, 0),
                              mark(marker::syscall_trace_start, 3),
                              six,
                              mark(marker::core_idle, 0),
                              instruction(0x10),
                              {record_type::thread, 5, 4},
                              instruction(0x900),
                              mark(marker::syscall_trace_end, 3),
                              instruction(0x14),
                              mark(marker::kernel_event, 0x18),
                              mark(marker::timestamp, 130),
                              mark(marker::cpu_id, 0x3002),
                              instruction(0x500),
                              mark(marker::kernel_xfer, 0x504),
                              mark(marker::context_switch_start, 1),
                              instruction(0x800),
                              mark(marker::context_switch_end, 1),
                              mark(marker::window_id, 0),
                              instruction(0x18),
                              mark(marker::window_id, 1),
                              mark(marker::func_id, drmemtrace::first_syscall_id + 202),
                              instruction(0x30),
                              mark(marker::window_id, 1),
                              mark(marker::func_id, 202),
                              instruction(0x34),
                              mark(marker::hardware_event, 0),
                              mark(marker::core_wait, 0),
                              instruction(0x900),
                              mark(marker::hardware_context_return, 0),
                              instruction(0x38)}));
  struct state {
    std::uint64_t time;
    std::uint32_t cpu;
    int events;
    bool operator==(const state&) const = default;
  };
  constexpr std::uint32_t none = feed::unknown_cpu;
  std::vector<state> found, of_columns;
  for (const auto& i : drmemtrace::trace_feed(io::open_bytes(in, "t")))
    found.push_back({i.time(), i.cpu(), i.system_events()});
  CHECK(found == std::vector<state>{{100, 1, 0},
                                    {120, none, 128},
                                    {120, none, 1 | 2 | 32},
                                    {120, none, 64},
                                    {130, 0x3002, 4},
                                    {130, 0x3002, 8 | 16 | 32},
                                    {130, 0x3002, 64},
                                    {130, 0x3002, 1 | 256},
                                    {130, 0x3002, 0},
                                    {130, 0x3002, 4 | 128},
                                    {130, 0x3002, 8}});
  const auto from = feed::make_column_source(
      drmemtrace::trace_feed(io::open_bytes(in, "t")),
      {feed::column::time, feed::column::cpu, feed::column::system_events});
  for (feed::columns b; from->next(b);)
    for (std::size_t n = 0; n != b.size(); ++n)
      of_columns.push_back({b.time()[n], b.cpu()[n], b.system_events()[n]});
  CHECK(of_columns == found);
  // A thread does not lose the time that the records of another thread contain.
  std::vector<std::uint64_t> times;
  for (const auto& i : drmemtrace::trace_feed(io::open_bytes(in, "t"), {.thread = 6}))
    times.push_back(i.time());
  CHECK(times == std::vector<std::uint64_t>{120});
}

// Classes in the order of feed::branch_class. An independent decoder counted the types of records.
TEST_CASE("totals of DynamoRIO's samples" * doctest::skip(!with_zip || !test::with_gzip)) {
  using classes = std::array<std::uint64_t, feed::branch_class_count>;
  const auto sample = [](const char* name) {
    return test::external_sample("industry/drmemtrace/" + std::string(name));
  };
  const auto same = [](drmemtrace::trace_feed from, std::array<std::uint64_t, 4> sums,
                       const classes& branches) {
    const totals t = totals_of(std::move(from));
    CHECK(std::array{t.fetched, t.others, t.reads, t.writes} == sums);
    CHECK(std::equal(branches.begin(), branches.begin() + 6, t.branches.begin()));
  };
  struct file {
    const char* name;
    std::array<std::uint64_t, 4> sums;  // fetched instructions, others, reads, writes
    classes branches;
  };
  for (const file& f : {
           file{"drmemtrace.small.x64.trace", {173, 0, 42, 14}, {0, 0, 14, 0, 0, 0}},
           file{"drmemtrace.allasm_x86_64.trace.zip", {133, 0, 0, 0}, {0, 0, 16, 0, 0, 0}},
           file{"drmemtrace.simple_app.trace.zip",
                {136051, 361, 31507, 12338},
                {1153, 191, 26297, 793, 92, 880}},
           file{"offline-legacy-trace.gz",
                {78753, 6317, 26381, 16308},
                {903, 320, 12377, 1094, 97, 1201}},
       }) {
    const std::string path = sample(f.name);
    if (path.empty()) continue;
    CAPTURE(path);
    same(drmemtrace::trace_feed(path), f.sums, f.branches);
    CHECK(trace::check(trace::source(path), [](const tracecodec::diagnostic&) {}).errors == 0);
  }
  const auto folder = [&](const char* name, std::initializer_list<drmemtrace::order> orders,
                          std::array<std::uint64_t, 4> sums, const classes& branches,
                          const std::map<std::string, int>& markers) {
    const std::string path = sample(name);
    if (path.empty()) return;
    CAPTURE(path);
    for (const auto by : orders) {
      same(drmemtrace::trace_feed(open_folder(path, by)), sums, branches);
      format::open_options o;
      o.own.set(by);
      CHECK(trace::check(
                trace::source(path, o), [](const tracecodec::diagnostic&) {}, {}, o)
                .errors == 0);
    }
    drmemtrace::row_reader from(open_folder(path));
    std::map<std::string, int> found;
    std::vector<drmemtrace::row> rows;
    for (from.next(rows); !rows.empty(); from.next(rows))
      for (const auto& r : rows) ++found[std::string(r.kind.empty() ? r.type : r.kind)];
    for (const auto& one : markers) {
      CAPTURE(one.first);
      CHECK(found[one.first] == one.second);
    }
  };
  using drmemtrace::order;
  const std::map<std::string, int> markers{
      {"timestamp", 1657},      {"cpu_id", 1657},
      {"kernel_event", 265},    {"kernel_xfer", 265},
      {"func_id", 49},          {"func_retaddr", 0},
      {"func_arg", 144},        {"func_retval", 25},
      {"syscall", 480},         {"syscall_failed", 5},
      {"signal_number", 265},   {"maybe_blocking_syscall", 183},
      {"branch_target", 24940}, {"uncompleted_instruction", 1}};
  auto of_threads = markers, of_cores = markers;
  of_threads.insert({{"encoding", 22246}, {"thread", 9}, {"thread_exit", 9}, {"core_idle", 0}});
  of_cores.insert({{"encoding", 13986}, {"core_idle", 3026416}, {"footer", 12}});
  const std::array<std::uint64_t, 4> sums{650576, 126, 172208, 100150};
  const classes branches{7859, 10155, 104835, 13554, 473, 14312};
  folder("drmemtrace.threadsig.x64.tracedir", {order::thread, order::time, order::schedule}, sums,
         branches, of_threads);
  folder("drmemtrace.threadsig-core-sharded.x64.tracedir", {order::thread, order::time}, sums,
         branches, of_cores);
  // Sums of the times and numbers of events, as an independent decoder counted them.
  const auto events = [&](const char* name, std::uint64_t time,
                          const std::array<std::uint64_t, 5>& counts) {
    const std::string path = sample(name);
    if (path.empty()) return;
    std::uint64_t sum = 0;
    std::array<std::uint64_t, 5> found{};
    drmemtrace::trace_feed all(open_folder(path));
    feed::for_each(all, [&](const auto& i) {
      sum += i.time();
      for (std::size_t n = 0; const unsigned bit : {1U, 2U, 4U, 8U, 128U})
        found[n++] += (i.system_events() & bit) != 0;
    });
    CHECK(sum == time);
    CHECK(found == counts);
  };
  events("drmemtrace.threadsig.x64.tracedir", 3684920235117474050, {472, 183, 265, 265, 0});
  events("drmemtrace.threadsig-core-sharded.x64.tracedir", 3684920130983728499,
         {472, 183, 265, 265, 13});
  folder("offline-func-trace", {order::thread, order::time}, {32140, 78, 8077, 3398},
         {805, 103, 5377, 386, 39, 429},
         {{"func_id", 116}, {"func_retaddr", 72}, {"func_arg", 86}, {"func_retval", 44}});
}

TEST_SUITE_END();
