// feed.hpp: instruction records as simulator instructions, in traces made for each test case.
// tests/tools compares the samples instruction by instruction.
#include "tracecodec/umtracer/feed.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tracecodec/champsim/record_of.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/umtracer/feed/branch_kind.hpp"
#include "tracecodec/umtracer/writer.hpp"
#include "umtracer/support.hpp"

using namespace test;
using tracecodec::feed::branch_class;
using umtracer::outcome;
namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;
namespace flags = umtracer::exec_flags;
namespace x86 = tracecodec::x86;

static_assert(feed::stream<umtracer::trace_feed>);
static_assert(feed::instruction<umtracer::instruction_view>);

namespace {

enum id : std::uint16_t {
  rax = 1,
  rcx,
  rsp,
  rflags,
  rip,
  stack_push,
  stack_pop,
  eax,
  gs_base,
  st7
};

std::vector<std::byte> map() {
  const auto reg = [](std::uint16_t n, std::string_view name, std::uint16_t common) {
    return umtracer::context_register{n, name, common, {0xFFFF, 0, 0}, {0xFFFF, 0, 0}};
  };
  const std::vector<umtracer::context_register> all{reg(rax, "RAX", eax),
                                                    reg(rcx, "RCX", rcx),
                                                    reg(rsp, "RSP", rsp),
                                                    reg(rflags, "RFLAGS", rflags),
                                                    reg(rip, "RIP", rip),
                                                    reg(stack_push, "STACKPUSH", stack_push),
                                                    reg(stack_pop, "STACKPOP", stack_pop),
                                                    reg(eax, "EAX", eax),
                                                    reg(gs_base, "GSBASE", gs_base),
                                                    reg(st7, "MMX0", st7)};
  return umtracer::make_context_map(8, all);
}

// Trace of instructions, each with its own row.
class traced_program {
 public:
  explicit traced_program(umtracer::writer_options options = {})
      : out_(folder_ / "t", map(), options) {
    first_ = out_.add_thread({});
    second_ = out_.add_thread({});
  }

  // Description of a row. Slots have no offsets yet.
  struct row {
    std::string code = "90";
    std::vector<umtracer::slot> in = {}, before = {}, after = {};
    std::optional<std::uint64_t> constant = {};  // first operand, 8 bytes
    std::uint16_t category = 0, mnemonic = 0;
    umtracer::instruction_type type = umtracer::instruction_type::normal;
    std::uint8_t decoded_flags = 0;
  };
  // Return slots for memory of 8 bytes and for a register of 8 bytes.
  static umtracer::slot memory(std::uint16_t name = umtracer::name_mem0, std::uint16_t size = 8) {
    return {name, name, size, 0, 8};
  }
  static umtracer::slot reg(std::uint16_t name) { return {name, name, 8, 0, 0}; }

  // Adds an instruction. `values` has 8 bytes for each register, and an address and a value
  // for memory, in slot order.
  traced_program& step(std::uint64_t ip, const row& r,
                       const std::vector<std::uint64_t>& values = {}, std::uint8_t f = 0,
                       bool second = false) {
    std::vector<umtracer::slot> slots;
    std::uint16_t at = 0;
    const auto add = [&](const std::vector<umtracer::slot>& part) {
      for (umtracer::slot s : part) {
        s.offset = at;
        at = static_cast<std::uint16_t>(s.end());
        slots.push_back(s);
      }
      return static_cast<std::uint8_t>(slots.size());
    };
    umtracer::decoded_instruction d;
    d.category = r.category;
    d.mnemonic = r.mnemonic;
    d.flags = r.decoded_flags;
    d.first_out_slot = add(r.in);
    d.first_after_slot = add(r.before);
    add(r.after);
    d.values_size = at;
    if (r.constant) {
      d.operand_count = 1;
      d.operands[0] = {0, 8, 1, umtracer::slot_constant0, umtracer::slot_none, 0, 0};
      d.constants[0] = *r.constant;
    } else if (!slots.empty()) {
      d.operand_count = 1;
      const std::uint8_t offset = slots[0].is_memory() ? 8 : 0;
      d.operands[0] = {slots[0].name, slots[0].value_size, 1, 0, umtracer::slot_none, offset, 0};
    }
    const bytes code = from_hex(r.code);
    const auto ins = out_.add_instruction({r.type, true, -1, ip, code, "instruction", d, slots});
    return record(ins, values, at, f, second);
  }
  // Executes the instruction of step `n`, counted from 0, again.
  traced_program& again(std::uint64_t n, const std::vector<std::uint64_t>& values) {
    const std::size_t size = out_.values_size(static_cast<std::int64_t>(n));
    return record(static_cast<std::int64_t>(n), values, size, 0, false);
  }
  traced_program& exception() {
    const bytes registers(8);
    out_.context_change(first_, umtracer::exec_type::exception, flags::code64, {registers, {}});
    return *this;
  }
  std::string finish() {
    out_.finish();
    return folder_ / "t";
  }

 private:
  traced_program& record(std::int64_t id, const std::vector<std::uint64_t>& values,
                         std::size_t size, std::uint8_t f, bool second) {
    bytes all;
    for (const std::uint64_t v : values) {
      bytes eight(8);
      tracecodec::wire::u64le::store(v, eight.data());
      all += eight;
    }
    all.resize(size);
    out_.instruction(second ? second_ : first_, static_cast<std::uint8_t>(f | flags::code64), id,
                     all);
    return *this;
  }

  folder folder_;
  umtracer::writer out_;
  std::uint32_t first_ = 0, second_ = 0;
};

std::vector<x86::executed_instruction> all_of(umtracer::trace_feed& f) {
  std::vector<x86::executed_instruction> all;
  for (const auto& i : f) {
    all.push_back(i.record());
    all.back().target = i.target();
  }
  return all;
}

const traced_program::row jz{.code = "7410",
                             .in = {traced_program::reg(rflags), traced_program::reg(rip)},
                             .after = {traced_program::reg(rip)},
                             .constant = 0x1012};
const traced_program::row jump{
    .code = "eb10", .after = {traced_program::reg(rip)}, .constant = 0x1012};
const traced_program::row call_register{
    .code = "ffd0",
    .in = {traced_program::reg(rax), traced_program::reg(rsp)},
    .after = {traced_program::memory(stack_push), traced_program::reg(rsp)}};
const traced_program::row ret{.code = "c3",
                              .in = {traced_program::memory(stack_pop), traced_program::reg(rsp)},
                              .after = {traced_program::reg(rsp)}};
const traced_program::row load{.code = "488b01",
                               .in = {traced_program::memory(), traced_program::reg(rcx)},
                               .before = {traced_program::reg(rax)},
                               .after = {traced_program::reg(rax)}};

}  // namespace

TEST_CASE("the record's flag states the outcome, and the thread's next record the target") {
  traced_program p;
  p.step(0x1000, jz, {}, flags::not_executed);
  p.step(0x1002, load, {0x9000, 7, 0x9000}, 0);
  p.step(0x8000, load, {}, 0, true);  // in another thread
  p.step(0x1000, jz);
  p.step(0x8003, load, {}, 0, true);
  p.step(0x1012, call_register, {0x2000, 0x7000, 0x6FF8});
  p.step(0x2000, ret, {0x6FF8, 0x1014, 0x6FF8});
  p.step(0x1014, jump);
  p.step(0x1016, jz);  // a jump to the fall-through address
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  REQUIRE(all.size() == 9);
  const auto check = [&](std::size_t i, x86::kind k, bool taken, std::uint64_t target, outcome o) {
    CHECK(all[i].kind == k);
    CHECK(all[i].taken == taken);
    CHECK(all[i].target == target);
    CHECK(all[i].outcome == o);
  };
  check(0, x86::kind::conditional, false, 0, outcome::followed);
  check(1, x86::kind::not_branch, false, 0, outcome::no_branch);
  check(3, x86::kind::conditional, true, 0x1012, outcome::followed);
  check(5, x86::kind::indirect_call, true, 0x2000, outcome::followed);
  check(6, x86::kind::return_, true, 0x1014, outcome::followed);
  check(7, x86::kind::direct_jump, true, 0x1016, outcome::followed);
  check(8, x86::kind::conditional, true, 0x1012, outcome::estimated);  // the trace ends
  CHECK(all[2].thread == 1);
  CHECK(all[1].source_memory[0] == 0x9000);
  CHECK(all[1].source_sizes[0] == 8);
  CHECK(all[5].destination_memory[0] == 0x6FF8);
  CHECK(all[6].source_memory[0] == 0x6FF8);
  CHECK(f.counts().estimated == 1);
  CHECK(f.counts().undecoded == 0);
}

TEST_CASE("a loop is not taken if the next record is at the fall-through address") {
  const traced_program::row loop{.code = "e2f0", .constant = 0xFF2};  // to 0x0FF2
  traced_program p;
  p.step(0x1000, loop).step(0x0FF2, load, {0x9000, 7, 0x9000}, 0);
  p.step(0x1000, loop).step(0x1002, load, {0x9000, 7, 0x9000}, 0);
  p.step(0x2000, {.code = "e200", .constant = 0x2002}).step(0x2002, jump);
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  REQUIRE(all.size() == 6);
  for (const std::size_t i : {0U, 2U, 4U}) CHECK(all[i].kind == x86::kind::conditional);
  CHECK(all[0].taken);
  CHECK(all[0].target == 0x0FF2);
  CHECK_FALSE(all[2].taken);
  CHECK(all[2].outcome == outcome::followed);
  CHECK(all[4].taken);  // both directions lead to this address
}

TEST_CASE("reads more rows than the cache contains") {
  traced_program p;
  constexpr std::size_t kept = std::size_t{1} << 18, n = kept + 3000;
  for (std::uint64_t i = 0; i < n; ++i) p.step(0x1000 + i, i % 2 == 0 ? load : jump, {i, 7, i});
  // These rows evict each other from the cache.
  std::vector<std::uint64_t> again;
  for (std::uint64_t i = 0; i < 3000; ++i) again.insert(again.end(), {i, i + kept, i});
  for (const std::uint64_t i : again) p.again(i, {i + 5, 7, i + 5});
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  REQUIRE(all.size() == n + again.size());
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::uint64_t row = k < n ? k : again[k - n];
    const bool loads = row % 2 == 0;
    wrong += all[k].ip != 0x1000 + row || (all[k].kind == x86::kind::not_branch) != loads ||
             (loads && all[k].source_memory[0] != (k < n ? row : row + 5));
  }
  CHECK(wrong == 0);
}

TEST_CASE("a branch before an exception has the target from its operands") {
  traced_program p;
  p.step(0x1000, call_register, {0x2000, 0x7000, 0x6FF8}).exception();
  p.step(0x3000, ret, {0x6FF8, 0x1014, 0x6FF8}).exception();
  p.step(0x4000, jump).exception();
  p.step(0x5000, load);
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  REQUIRE(all.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(all[i].outcome == outcome::estimated);
  CHECK(all[0].target == 0x2000);
  CHECK(all[1].target == 0x1014);
  CHECK(all[2].target == 0x1012);
}

TEST_CASE("a branch before a gap has an estimated outcome") {
  traced_program p;
  p.step(0x1000, call_register, {0x2000, 0x7000, 0x6FF8});
  p.step(0x5000, load, {}, flags::instrumentation_off);
  p.step(0x5003, jump, {}, flags::unreliable);
  p.step(0x6000, call_register, {0x2000, 0x7000, 0x6FF8}, flags::unreliable).exception();
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  REQUIRE(all.size() == 4);
  CHECK(all[0].outcome == outcome::estimated);
  CHECK(all[0].target == 0x2000);
  CHECK(all[2].target == 0x6000);
  CHECK(all[3].outcome == outcome::estimated);
  CHECK(all[3].target == 0);  // the loaded value may be garbage
}

TEST_CASE("addresses of written memory are unknown if outputs are unreliable") {
  traced_program p;
  const traced_program::row store{.code = "488901",
                                  .in = {traced_program::reg(rax)},
                                  .before = {traced_program::memory()},
                                  .after = {traced_program::memory()}};
  const std::vector<std::uint64_t> values{1, 0x9000, 0, 0xCDCD, 0};
  p.step(0x1000, store, values, 0x20).step(0x1003, call_register, {0, 0, 0xCDCD, 0}, 0x20);
  p.step(0x1006, call_register, {0, 0, 0x6FF8, 0});
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  CHECK(all[0].destination_memory[0] == 0x9000);  // the address was known before
  CHECK(all[0].complete);
  CHECK(all[1].destination_memory[0] == 0);
  CHECK_FALSE(all[1].complete);
  CHECK(all[2].destination_memory[0] == 0x6FF8);
}

TEST_CASE("maps registers to the simulators' numbers by common name") {
  traced_program p;
  p.step(
      0x1000,
      {.in = {traced_program::reg(rax), traced_program::reg(eax), traced_program::reg(gs_base)},
       .before = {traced_program::reg(rcx)},
       .after = {traced_program::reg(rcx), traced_program::reg(st7), traced_program::reg(rflags)}});
  p.step(0x1001,
         {.in = {traced_program::memory(), traced_program::memory(), traced_program::memory()},
          .after = {traced_program::memory(umtracer::name_mem1), traced_program::memory(7777),
                    traced_program::memory(stack_push)}},
         {0x100, 0, 0x200, 0, 0x300, 0, 0x400, 0, 0x500, 0, 0x600, 0});
  umtracer::trace_feed f(p.finish());
  const auto all = all_of(f);
  REQUIRE(all.size() == 2);
  CHECK(all[0].source_registers == std::array<std::uint8_t, 4>{10, 24, 0, 0});
  CHECK(all[0].destination_registers == std::array<std::uint8_t, 2>{9, 104});
  CHECK(all[0].dropped_destination_registers == 1);
  CHECK(all[1].source_memory == std::array<std::uint64_t, 4>{0x100, 0x200, 0x300, 0});
  CHECK(all[1].destination_memory == std::array<std::uint64_t, 2>{0x400, 0x500});
  CHECK(all[1].dropped_destination_memory == 1);
  CHECK(f.dropped_operands() == 2);
}

TEST_CASE("maps names of XED to registers") {
  using umtracer::register_of;
  CHECK(register_of("R9W") == x86::reg::r9);
  CHECK(register_of("DIL") == x86::reg::rdi);
  CHECK(register_of("BH") == x86::reg::rbx);
  CHECK(register_of("EIP") == x86::reg::ip);
  CHECK(register_of("ZMM31") == x86::row(x86::reg::vector0, 31));
  CHECK(register_of("K7") == x86::row(x86::reg::mask0, 7));
  CHECK(register_of("ST3") == x86::row(x86::reg::x87_0, 3));
  for (const char* none : {"", "INVALID", "R16", "XMM32", "TMP0", "STACKPUSH", "BHL", "SH", "EAL",
                           "RAXX", "XMM", "K8"})
    CHECK(register_of(none) == x86::reg::none);
}

TEST_CASE("nops, prefetches and repetitions that did nothing have no memory operands") {
  traced_program::row nop = load, prefetch = load, rep = load;
  nop.type = umtracer::instruction_type::nop;
  prefetch.type = umtracer::instruction_type::prefetch;
  rep.decoded_flags = umtracer::decoded_flags::rep;
  for (const std::uint32_t version : {0U, 1U}) {
    traced_program p({.exec_version = version});
    const std::vector<std::uint64_t> values{0x9000, 7, 0x9000};
    p.step(0x1000, nop, values).step(0x1001, prefetch, values);
    p.step(0x1002, rep, values, flags::not_executed).step(0x1003, rep, values);
    p.step(0x1004, load, values, flags::unreliable_inputs);
    umtracer::trace_feed f(p.finish());
    const auto all = all_of(f);
    REQUIRE(all.size() == 5);
    CHECK(all[0].source_registers[0] == 0);
    CHECK(all[0].source_memory[0] == 0);
    CHECK(all[1].source_registers[0] == 9);
    CHECK(all[1].source_memory[0] == 0);
    CHECK(all[2].source_memory[0] == 0);
    CHECK(all[3].source_memory[0] == 0x9000);
    CHECK(all[4].source_memory[0] == (version == 0 ? 0 : 0x9000));
    CHECK_FALSE(all[4].complete);
    CHECK(f.counts().incomplete == 1);
  }
}

TEST_CASE("derives the kind of an instruction from category and mnemonic") {
  using x86::kind;
  const auto of = [](std::string_view category, std::string_view mnemonic, bool direct = false) {
    return umtracer::kind_of(category, mnemonic, direct);
  };
  CHECK_FALSE(of("", ""));
  CHECK(of("COND_BR", "") == kind::conditional);
  CHECK(of("", "JRCXZ") == kind::conditional);
  CHECK(of("", "LOOPNE") == kind::conditional);
  CHECK(of("COND_BR", "XBEGIN") == kind::other);
  CHECK(of("UNCOND_BR", "", true) == kind::direct_jump);
  CHECK(of("", "JMP") == kind::indirect_jump);
  CHECK(of("CALL", "CALL_NEAR", true) == kind::direct_call);
  CHECK(of("", "CALL_FAR") == kind::indirect_call);
  CHECK(of("RET", "") == kind::return_);
  CHECK(of("", "IRETQ") == kind::return_);
  CHECK(of("SYSRET", "SYSRET") == kind::other);
  CHECK(of("SYSCALL", "") == kind::system);
  CHECK(of("", "INT3") == kind::system);
  CHECK(of("BINARY", "ADD") == kind::not_branch);
  CHECK(of("DATAXFER", "") == kind::not_branch);
}

TEST_CASE("names take precedence over the code") {
  traced_program p;
  traced_program::row named = load;
  named.mnemonic = 5;
  p.step(0x1000, named).step(0x2000, jump);
  traced_program::row unknown = load;
  unknown.code = "06";  // not an instruction in 64-bit code
  p.step(0x3000, unknown);
  const std::string path = p.finish();
  umtracer::names names;
  names.mnemonics = umtracer::name_table({{5, "RET_NEAR"}});
  umtracer::trace_feed f(path, {.names = std::make_shared<const umtracer::names>(names)});
  const auto all = all_of(f);
  REQUIRE(all.size() == 3);
  CHECK(all[0].kind == x86::kind::return_);
  CHECK(all[1].kind == x86::kind::direct_jump);
  CHECK(all[2].kind == x86::kind::not_branch);
  CHECK_FALSE(all[2].decoded);
  CHECK(f.counts().undecoded == 1);
  umtracer::trace_feed by_code(path);
  CHECK(all_of(by_code)[0].kind == x86::kind::not_branch);
}

TEST_CASE("reads one thread, skips and rewinds") {
  traced_program p;
  for (unsigned i = 0; i < 3000; ++i)
    p.step(0x1000 + i, i % 3 == 0 ? jump : load, {}, 0, i % 2 != 0);
  const std::string path = p.finish();
  umtracer::trace_feed f(path);
  CHECK(f.count() == 3000);
  CHECK(f.skip(1500) == 1500);
  auto b = f.next();
  REQUIRE(b.size() != 0);
  CHECK(b[0].index() == 1500);
  CHECK(b[0].ip() == 0x1000 + 1500);
  CHECK(b[0].execution().id() == 1500);
  CHECK(b[0].code().size() == b[0].length());
  CHECK(f.count() == 3000);
  CHECK(f.skip(9999) == 1500 - b.size());
  CHECK(f.next().size() == 0);
  CHECK(f.progress() == 1.0);
  f.rewind();
  CHECK(all_of(f).size() == 3000);
  umtracer::trace_feed twice(path);
  all_of(twice);
  twice.rewind();
  all_of(twice);
  CHECK(twice.counts().instructions == 3000);  // each counted once
  umtracer::trace_feed one(path, {.thread = 1});
  CHECK(one.count() == 1500);
  const auto all = all_of(one);
  REQUIRE(all.size() == 1500);
  CHECK(all[1].index == 3);
  CHECK(all[1].target == 0x1005);  // the thread's next instruction
  umtracer::trace_feed none(path, {.thread = 7});
  CHECK(all_of(none).empty());
  std::size_t n = 0;
  bool ends = false;
  f.rewind();
  for (auto part = f.next(); part.size() != 0; part = f.next()) {
    CHECK_FALSE(ends);
    ends = part.last_batch();
    n += part.size();
  }
  CHECK(ends);
  CHECK(n == 3000);
}

TEST_CASE("opens a folder and reports a damaged record after the preceding instructions") {
  traced_program p;
  p.step(0x1000, load).step(0x1003, jump).step(0x1012, load).step(0x1015, load);
  const std::string path = p.finish();
  std::vector<std::uint64_t> ips;
  const auto collect = [&](auto f) {
    ips.clear();
    feed::for_each(f, [&](const auto& i) { ips.push_back(i.ip()); });
  };
  trace::visit(path, collect);
  CHECK(ips == std::vector<std::uint64_t>{0x1000, 0x1003, 0x1012, 0x1015});
  const umtracer::reader whole(path);
  std::fstream file(path + "/exec.vtable", std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(whole[2].offset()) + 6);
  file.put(9).flush();
  const auto error = error_of([&] { trace::visit(path, collect); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::bad_value);
  CHECK(error->record() == 2);
  CHECK(error->field() == "instruction_id");
  CHECK(ips == std::vector<std::uint64_t>{0x1000, 0x1003});
  // Skipped instructions are not converted, but must exist.
  CHECK(umtracer::trace_feed(path).skip(9) == 4);
  std::fstream offsets(path + "/exec.offsets", std::ios::binary | std::ios::in | std::ios::out);
  offsets.seekp(3 * 8 + 2);
  offsets.put(1).flush();
  umtracer::trace_feed f(path);
  CHECK(f.skip(9) == 2);
  const auto behind = error_of([&] { f.next(); });
  REQUIRE(behind);
  CHECK(behind->record() == 2);
  CHECK(behind->file() == path + "/exec.offsets");
}
