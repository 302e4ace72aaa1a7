// Registers and memory at a record, accesses, executions and filters, in hand-made traces.
#include <doctest/doctest.h>

#include <ranges>
#include <string>
#include <vector>

#include "tracecodec/umtracer/query.hpp"
#include "umtracer/composed_trace.hpp"

using namespace test;
namespace kinds = umtracer::access_kinds;
using umtracer::moment;
using umtracer::registers_at;

namespace {
constexpr std::uint8_t off = exec_flags::code64 | exec_flags::instrumentation_off;
constexpr std::uint16_t mem0 = umtracer::name_mem0;

// Returns an instruction that writes a register of `size` bytes.
composed_trace::instruction sets(std::uint16_t name, std::uint16_t size, std::uint8_t flags = 0) {
  return {.after = {{name, size}}, .flags = flags};
}
bytes full_context(unsigned first = 0) {
  bytes b(tiny_dump);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::byte(first + i);
  return b;
}
// Formats bytes in hexadecimal, with ".." for unknown ones: "..22 05".
std::string shown_bytes(std::span<const umtracer::known_byte> all) {
  std::string out;
  for (const auto b : all) {
    constexpr const char* digits = "0123456789abcdef";
    const auto v = std::to_integer<unsigned>(b.value);
    out += b.known ? std::string{digits[v >> 4], digits[v & 15]} : "..";
  }
  return out;
}
std::string at(const umtracer::reader& t, std::uint64_t n, const char* name,
               moment when = moment::before) {
  auto s = registers_at(t, n, when);
  return shown_bytes(s.get(name).bytes);
}
std::string memory(const umtracer::reader& t, std::uint64_t n, std::uint64_t address,
                   std::uint64_t size, moment when = moment::before) {
  return shown_bytes(umtracer::memory_at(t, n, {address, size}, when).bytes);
}
}  // namespace

TEST_CASE("combines parts of a register from different records") {
  composed_trace tiny;
  const auto rax = tiny.add(sets(regs::rax, 8)), ax = tiny.add(sets(regs::ax, 2)),
             ah = tiny.add(sets(regs::ah, 1)), eax = tiny.add(sets(regs::eax, 4, 8)),
             plain_eax = tiny.add(sets(regs::eax, 4)), flags = tiny.add(sets(regs::eflags, 4)),
             rflags = tiny.add(sets(regs::rflags, 8));
  tiny.run(1, rax, "1111111111111111");
  tiny.run(1, ax, "2222");
  tiny.run(2, rax, "9999999999999999");  // another thread
  tiny.run(1, ah, "33");
  tiny.run(1, eax, "44444444");
  tiny.run(1, plain_eax, "55555555");
  tiny.run(1, rflags, "6666666666666666");
  tiny.run(1, flags, "77777777");
  const auto t = tiny.open();
  CHECK(at(t, 0, "rax") == "................");
  CHECK(at(t, 1, "rax") == "1111111111111111");
  CHECK(at(t, 2, "rax") == "................");
  CHECK(at(t, 3, "rax") == "2222111111111111");
  CHECK(at(t, 4, "rax") == "2233111111111111");
  CHECK(at(t, 4, "ah") == "33");
  CHECK(at(t, 4, "AL") == "22");
  CHECK(at(t, 5, "rax") == "4444444400000000");
  CHECK(at(t, 5, "rax", moment::after) == "55555555........");
  CHECK(at(t, 7, "rflags", moment::after) == "7777777766666666");
  CHECK(at(t, 7, "rcx", moment::after) == "................");
  CHECK(at(t, 7, "r8").empty());

  auto s = registers_at(t, 4);
  const auto r = s.get("RAX");
  CHECK(r.known());
  CHECK(r.id == regs::rax);
  CHECK(r.number() == 0x1111111111113322);
  std::vector<std::uint64_t> from;
  for (const auto b : r.bytes) from.push_back(b.record);
  CHECK(from == std::vector<std::uint64_t>{1, 3, 0, 0, 0, 0, 0, 0});
  CHECK(s.earliest() == 0);
  CHECK(s.records_read() == 4);
  auto far = registers_at(t, 5);
  CHECK(far.get("eax").known());
  CHECK(far.earliest() == 4);  // no further than needed
  CHECK(far.records_read() == 2);
  auto unknown = registers_at(t, 5, moment::after);
  CHECK(unknown.get("rax").known_mask() == 0x0F);
  CHECK(!unknown.get("rax").number());
  CHECK(!unknown.get("none").number());
}

TEST_CASE("operands are valid before a record, and results after it") {
  composed_trace tiny;
  const auto row = tiny.add({.in = {{regs::rcx, 8}},
                             .before = {{regs::eax, 4}},
                             .after = {{regs::eax, 4}},
                             .flags = 8,
                             .address = 0x1234});
  tiny.run(1, row, "0102030405060708 aaaaaaaa bbbbbbbb");
  const auto t = tiny.open();
  CHECK(at(t, 0, "rcx") == "0102030405060708");
  CHECK(at(t, 0, "rax") == "aaaaaaaa........");
  CHECK(at(t, 0, "rax", moment::after) == "bbbbbbbb00000000");
  CHECK(at(t, 0, "rcx", moment::after) == "0102030405060708");
  CHECK(at(t, 0, "rip") == "3412000000000000");
  CHECK(at(t, 0, "eip") == "34120000");
  CHECK(at(t, 0, "rip", moment::after) == "................");
}

TEST_CASE("a context is valid before a call, and after any other record") {
  for (const auto type :
       {exec_type::thread_begin, exec_type::syscall_exit, exec_type::apc, exec_type::exception,
        exec_type::callback, exec_type::unknown_context_change}) {
    composed_trace tiny;
    const bytes call = type == exec_type::syscall_exit ? composed_trace::number(0) : bytes{};
    tiny.add(1, type, 1, call + composed_trace::context(full_context(), 0x5000, from_hex("ab")));
    tiny.add(1, exec_type::skipped_syscall_exit, 1, composed_trace::number(0));
    tiny.add(1, exec_type::thread_end, 1, composed_trace::number(0));
    const auto t = tiny.open();
    CHECK(at(t, 0, "rax") == "................");
    CHECK(at(t, 0, "rax", moment::after) == "0001020304050607");
    CHECK(at(t, 2, "rip") == "1011121314151617");
    CHECK(at(t, 2, "ymm0").substr(0, 6) == "202122");
    CHECK(memory(t, 0, 0x5000, 1) == "..");
    CHECK(memory(t, 0, 0x5000, 1, moment::after) == "ab");
    CHECK(memory(t, 2, 0x4FFF, 3) == "..ab..");
  }
  composed_trace tiny;
  tiny.add(
      1, exec_type::syscall_entry, 1,
      composed_trace::number(0) + composed_trace::context(full_context(), 0x5000, from_hex("ab")));
  tiny.add(1, static_cast<exec_type>(7), 1);
  tiny.add(1, exec_type::thread_end, 1, composed_trace::number(0));
  const auto t = tiny.open();
  CHECK(at(t, 0, "rax") == "0001020304050607");
  CHECK(at(t, 1, "rax") == "0001020304050607");
  CHECK(at(t, 2, "rax") == "................");  // the effects of type 7 are unknown
  CHECK(memory(t, 0, 0x5000, 1) == "ab");
}

TEST_CASE("values before an uninstrumented record are unknown, but its own values are used") {
  composed_trace tiny;
  const auto rax = tiny.add(sets(regs::rax, 8)),
             store = tiny.add({.in = {{regs::rcx, 8}}, .after = {{mem0, 2, true}}});
  tiny.run(1, rax, "1111111111111111");
  tiny.run(2, store, "0000000000000000 0050000000000000 abcd");
  tiny.run(1, store, "2222222222222222 0150000000000000 ef00", off);
  tiny.run(1, rax, "3333333333333333");
  const auto t = tiny.open();
  CHECK(at(t, 2, "rcx") == "2222222222222222");
  CHECK(at(t, 2, "rax") == "................");
  CHECK(at(t, 3, "rcx") == "2222222222222222");
  CHECK(at(t, 3, "rax") == "................");
  CHECK(memory(t, 2, 0x5000, 3) == "......");
  CHECK(memory(t, 2, 0x5000, 3, moment::after) == "..ef00");
  CHECK(memory(t, 3, 0x5000, 3) == "..ef00");
  CHECK(memory(t, 1, 0x5000, 3, moment::after) == "abcd..");
}

TEST_CASE("ignores values of unreliable records, and treats what they write as unknown") {
  for (const int bit : {0x10, 0x20, 0x40, 0x80}) {
    composed_trace tiny;
    const auto both = tiny.add({.in = {{regs::rcx, 8}, {mem0, 1, true}},
                                .after = {{regs::eax, 4}, {mem0, 2, true}},
                                .flags = 8});
    tiny.add(1, exec_type::thread_begin, 1,
             composed_trace::context(full_context(), 0x5000, from_hex("a0a1a2a3a4a5")));
    tiny.run(1, both, "2222222222222222 0050000000000000 99 33333333 0350000000000000 9999",
             static_cast<std::uint8_t>(exec_flags::code64 | bit));
    tiny.add(1, exec_type::apc, static_cast<std::uint8_t>(exec_flags::code64 | bit),
             composed_trace::context(full_context(), 0x5000, from_hex("ff")));
    tiny.add(1, exec_type::thread_end, 1, composed_trace::number(0));
    const auto t = tiny.open();
    CHECK(at(t, 1, "rcx") == "08090a0b0c0d0e0f");
    CHECK(at(t, 2, "rcx") == "08090a0b0c0d0e0f");
    CHECK(at(t, 2, "rax") == "................");
    CHECK(memory(t, 2, 0x5000, 6) == "a0a1a2....a5");
    CHECK(at(t, 3, "rcx") == "................");
    CHECK(memory(t, 3, 0x5000, 3) == "..a1a2");
    const auto a = umtracer::last_write(t, 3, {0x5004, 1});
    REQUIRE(a);
    CHECK(!a->reliable);
  }
}

TEST_CASE("prefetches and instructions that were not executed write no memory") {
  composed_trace tiny;
  const auto copy = tiny.add(
      {.in = {{mem0, 1, true}}, .after = {{mem0, 1, true}, {regs::ecx, 4}}, .flags = 8 | 1});
  const auto prefetch =
      tiny.add({.in = {{mem0, 1, true}}, .type = umtracer::instruction_type::prefetch});
  tiny.add(1, exec_type::thread_begin, 1, composed_trace::context(full_context()));
  tiny.run(1, copy, "0050000000000000 11 0060000000000000 22 08090a0b",
           exec_flags::code64 | exec_flags::not_executed);
  tiny.run(1, prefetch, "0070000000000000 33");
  tiny.add(1, exec_type::thread_end, 1, composed_trace::number(0));
  const auto t = tiny.open();
  CHECK(at(t, 2, "rcx") == "08090a0b........");
  CHECK(memory(t, 2, 0x6000, 1) == "22");
  CHECK(!umtracer::last_write(t, 3, {0x6000, 1}));
  CHECK(umtracer::last_access(t, 3, {0x6000, 1}, kinds::shown)->record == 1);
  CHECK(umtracer::next_access(t, 0, {0x5000, 1})->record == 1);
  CHECK(memory(t, 3, 0x7000, 1) == "..");
  CHECK(!umtracer::next_access(t, 0, {0x7000, 1}, kinds::any));
}

TEST_CASE("handles partly written vector registers and the x87 stack") {
  composed_trace tiny;
  const auto xmm = tiny.add(sets(regs::xmm0, 16)), st0 = tiny.add(sets(regs::st0, 10)),
             mmx = tiny.add(sets(regs::mmx1, 8)), push = tiny.add(sets(regs::push, 0));
  tiny.add(1, exec_type::thread_begin, 1, composed_trace::context(full_context()));
  tiny.run(1, xmm, "ffffffffffffffff ffffffffffffffff");
  tiny.run(1, st0, "eeeeeeeeeeeeeeeeeeee");
  tiny.run(1, mmx, "dddddddddddddddd");
  tiny.run(1, push, "");
  const auto t = tiny.open();
  CHECK(at(t, 1, "st1") == "50515253545556575859");
  CHECK(at(t, 2, "xmm0") == std::string(32, 'f'));
  CHECK(at(t, 2, "ymm0") == std::string(32, 'f') + std::string(32, '.'));
  CHECK(at(t, 3, "st0") == std::string(20, 'e'));
  CHECK(at(t, 3, "st1") == std::string(20, '.'));
  CHECK(at(t, 4, "st0") == std::string(16, 'd') + "....");
  CHECK(at(t, 4, "st0", moment::after) == std::string(20, '.'));
}

TEST_CASE("a switch between 32-bit and 64-bit code makes registers unknown") {
  composed_trace tiny;
  const auto rax = tiny.add(sets(regs::rax, 8));
  tiny.run(1, rax, "1111111111111111");
  tiny.run(1, rax, "2222222222222222", 0);
  tiny.run(1, rax, "3333333333333333");
  const auto t = tiny.open();
  CHECK(at(t, 1, "rax") == "................");
  CHECK(at(t, 2, "rax") == "................");
}

TEST_CASE("memory comes from the latest record of any thread") {
  composed_trace tiny;
  const auto load = tiny.add({.in = {{mem0, 4, true}}}),
             store = tiny.add({.before = {{mem0, 2, true}}, .after = {{mem0, 2, true}}});
  tiny.run(1, load, "fe0f000000000000 01020304");  // 0xFFE, across two pages
  tiny.run(2, store, "ff0f000000000000 0203 ff0f000000000000 aabb");
  tiny.run(1, load, "feffffffffffffff 0a0b0c0d");  // beyond the last address
  const auto t = tiny.open();
  CHECK(memory(t, 0, 0xFFE, 4) == "01020304");
  CHECK(memory(t, 1, 0xFFD, 6) == "..01020304..");
  CHECK(memory(t, 1, 0xFFD, 6, moment::after) == "..01aabb04..");
  CHECK(memory(t, 2, 0xFFFFFFFFFFFFFFFE, 2) == "0a0b");
  CHECK(memory(t, 2, 0, 2) == "....");
  CHECK(memory(t, 2, 0xFFE, 0).empty());
  const auto m = umtracer::memory_at(t, 2, {0xFFF, 2});
  CHECK(m.address == 0xFFF);
  CHECK(m.bytes[0].record == 1);
  CHECK(m.earliest == 1);
  CHECK(m.records_read == 2);

  const umtracer::memory_access stored{1, kinds::write, true, {0xFFF, 2}};
  CHECK(umtracer::last_write(t, 3, {0x1000, 1}) == stored);
  CHECK(!umtracer::last_write(t, 1, {0x1000, 1}));
  CHECK(!umtracer::last_write(t, 3, {0x1001, 1}));
  CHECK(!umtracer::last_write(t, 3, {0x1000, 0}));
  const umtracer::memory_access loaded{0, kinds::read, true, {0xFFE, 4}};
  CHECK(umtracer::last_access(t, 3, {0x1001, 9}, kinds::read) == loaded);
  CHECK(umtracer::next_access(t, 0, {0, 0x10000}) == loaded);
  CHECK(umtracer::next_access(t, 1, {0, 0x10000}) == stored);
  CHECK(umtracer::next_access(t, 1, {0, 0x10000}, kinds::shown)->kind == kinds::shown);
}

TEST_CASE("a long query calls the poll hook, and its exception ends the query") {
  composed_trace tiny;
  const auto rax = tiny.add(sets(regs::rax, 8)), store = tiny.add({.after = {{mem0, 2, true}}});
  tiny.run(1, rax, "1122334455667788");
  tiny.run(1, store, "0050000000000000 abcd");
  const auto other = tiny.add(sets(regs::rcx, 8));
  constexpr std::uint64_t n = 140'000;
  for (std::uint64_t i = 2; i != n; ++i) tiny.run(1, other, "0000000000000000");
  const auto t = tiny.open();
  int poll_counter = 0;
  const auto counted = [&poll_counter] { ++poll_counter; };
  const auto thrown = [] { throw 1; };
  CHECK(umtracer::last_write(t, n, {0x5000, 1}, counted)->record == 1);
  CHECK(poll_counter == 2);
  CHECK(!umtracer::next_access(t, 2, {0x5000, 1}, kinds::any, counted));
  CHECK(poll_counter == 4);
  CHECK(umtracer::memory_at(t, n - 1, {0x5000, 1}, moment::before, counted).bytes[0].record == 1);
  CHECK(poll_counter == 6);
  CHECK_THROWS_AS(umtracer::last_write(t, n, {0x5000, 1}, thrown), int);
  CHECK_THROWS_AS(umtracer::next_access(t, 2, {0x5000, 1}, kinds::any, thrown), int);
  CHECK_THROWS_AS(umtracer::memory_at(t, n - 1, {0x5000, 1}, moment::before, thrown), int);

  auto s = registers_at(t, n - 1);
  s.on_poll(thrown);
  CHECK_THROWS_AS(s.get("rax"), int);
  CHECK_THROWS_AS(s.get("rax"), int);
  CHECK(shown_bytes(s.get("rax").bytes) == "1122334455667788");  // resumes after each exception
}

TEST_CASE("finds executions of an address, and filters by module") {
  composed_trace tiny;
  tiny.module(0x400000, 0x40FFFF);
  tiny.module(0x500000, 0x50FFFF);
  const auto a = tiny.add({.address = 0x400010, .module = 0}),
             b = tiny.add({.address = 0x20, .module = 1}),  // relative to its module
      again = tiny.add({.address = 0x400010, .module = 0}), free = tiny.add({.address = 0x600000}),
             odd = tiny.add({.address = 0x10000, .module = 1});  // neither inside nor relative
  tiny.run(1, a, "");
  tiny.run(2, b, "");
  tiny.run(1, again, "");
  tiny.run(2, free, "");
  tiny.add(1, exec_type::thread_end, 1, composed_trace::number(0));
  tiny.run(2, a, "");
  const auto t = tiny.open();
  CHECK(umtracer::instruction_address(t, a) == 0x400010);
  CHECK(umtracer::instruction_address(t, b) == 0x500020);
  CHECK(t.instructions()[b].address == 0x20);
  CHECK(umtracer::instruction_address(t, free) == 0x600000);
  CHECK(umtracer::instruction_address(t, odd) == 0x10000);
  using ids = std::vector<std::uint64_t>;
  const auto ids_of = [](const auto& range) {
    ids all;
    for (const auto r : range) all.push_back(r.id());
    return all;
  };
  static_assert(std::ranges::input_range<decltype(umtracer::filtered(t, {}))>);
  CHECK(ids_of(umtracer::executions(t, 0x400010)) == ids{0, 2, 5});
  CHECK(ids_of(umtracer::executions(t, 0x400010, 1)) == ids{2, 5});
  CHECK(ids_of(umtracer::executions(t, 0x400010, 3)) == ids{5});
  CHECK(ids_of(umtracer::executions(t, 0x500020)) == ids{1});
  CHECK(ids_of(umtracer::executions(t, 1)).empty());

  const auto wanted = [&](const umtracer::record_filter& f) {
    return ids_of(umtracer::filtered(t, f));
  };
  CHECK(wanted({}) == ids{0, 1, 2, 3, 4, 5});
  CHECK(wanted({.thread = 1}) == ids{0, 2, 4});
  CHECK(wanted({.module = 0}) == ids{0, 2, 5});
  CHECK(wanted({.thread = 2, .module = -1}) == ids{3});
  CHECK(wanted({.types = {exec_type::thread_end}}) == ids{4});
  CHECK(wanted({.thread = 1, .types = {exec_type::instruction}, .from = 1}) == ids{2});
  CHECK(wanted({.from = 4, .to = 5}) == ids{4});
  CHECK(wanted({.from = 9}).empty());
}

TEST_CASE("throws an error for queries that the trace cannot answer") {
  composed_trace tiny;
  const auto rax = tiny.add(sets(regs::rax, 8)), store = tiny.add({.after = {{mem0, 2, true}}});
  tiny.run(1, rax, "1111111111111111");
  tiny.run(2, rax, "1111111111111111");
  tiny.run(1, rax, "11");
  tiny.run(1, store, "0050000000000000 ab");
  tiny.run(1, 99, "");
  for (const std::int64_t previous : {-2, 1, 3, 4, 99}) {
    tiny.neighbours()[3].previous = previous;
    const auto t = tiny.open();
    const auto e = error_of([&] { at(t, 3, "rax"); });
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->file() == "tiny/exec.prev_next.column");
    CHECK(e->offset() == 48);
    CHECK(e->record() == 3);
    CHECK(e->field() == "previous");
  }
  const auto t = tiny.open();
  CHECK(error_of([&] { at(t, 2, "rax", moment::after); })->code() == trace_errc::truncated);
  CHECK(error_of([&] {
          umtracer::memory_at(t, 3, {0, 1}, moment::after);
        })->code() == trace_errc::truncated);
  CHECK(error_of([&] { at(t, 4, "rax"); })->code() == trace_errc::bad_value);
  CHECK(error_of([&] { at(t, 5, "rax"); })->code() == trace_errc::refused);
  CHECK(error_of([&] { umtracer::memory_at(t, 5, {0, 1}); })->code() == trace_errc::refused);
  CHECK(error_of([&] { umtracer::memory_at(t, 0, {~0ULL, 2}); })->code() == trace_errc::refused);
  const auto large = error_of([&] {
    umtracer::memory_at(t, 0, {0, umtracer::largest_memory + 1});
  });
  REQUIRE(large);
  CHECK(large->code() == trace_errc::refused);
  CHECK(large->record() == 0);
  CHECK(std::string(large->what()).find("67108865 bytes at once") != std::string::npos);
}

TEST_CASE("ignores a record that its neighbours' links skip") {
  composed_trace tiny;
  const auto rax = tiny.add(sets(regs::rax, 8));
  tiny.run(1, rax, "1111111111111111");
  tiny.run(1, rax, "2222222222222222");
  tiny.run(1, tiny.add({}), "");
  tiny.neighbours()[2].previous = 0;
  const auto t = tiny.open();
  CHECK(at(t, 2, "rax") == "1111111111111111");
}
