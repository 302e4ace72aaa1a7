// Tests the rows of each format by example, with values from the tables of their
// specifications.
#include <doctest/doctest.h>

#include <set>

#include "support.hpp"
#include "tracecodec/champsim/rows.hpp"
#include "tracecodec/rapidbin/rows.hpp"
#include "tracecodec/umtracer/rows.hpp"
#include "tracecodec/umtracer/rows/tables.hpp"
#include "tracecodec/x64dbg/rows.hpp"
#include "umtracer/composed_trace.hpp"

using namespace test;
namespace champsim = tracecodec::champsim;
namespace rapidbin = tracecodec::rapidbin;
namespace umtracer = tracecodec::umtracer;
namespace x64dbg = tracecodec::x64dbg;
using x64dbg::target;

namespace {
TEST_CASE("writes a ChampSim record") {
  champsim::instruction r{};
  r.ip = 0x3f000c;
  r.is_branch = 1;
  r.branch_taken = 1;
  r.destination_registers = {26, 0};
  r.source_registers = {26, 25, 0, 0};
  r.destination_memory = {0x33fca08, 0};
  r.source_memory = {0, 0xFFFFFFFFFFFFFFF8, 0, 0};
  const champsim::instruction_view<champsim::instruction> i(r, 0x400000);
  CHECK(json_of(champsim::row_of(7, i)) ==
        "{\"index\":7,\"ip\":\"0x3f000c\",\"is_branch\":1,\"branch_taken\":1,"
        "\"destination_registers\":[26,0],\"source_registers\":[26,25,0,0],"
        "\"destination_memory\":[\"0x33fca08\",\"0x0\"],"
        "\"source_memory\":[\"0x0\",\"0xfffffffffffffff8\",\"0x0\",\"0x0\"],"
        "\"branch\":\"conditional\",\"target\":\"0x400000\"}\n");
  CHECK(csv_of(champsim::row_of(7, i)) ==
        "index,ip,is_branch,branch_taken,destination_registers_0,destination_registers_1,"
        "source_registers_0,source_registers_1,source_registers_2,source_registers_3,"
        "destination_memory_0,destination_memory_1,source_memory_0,source_memory_1,"
        "source_memory_2,source_memory_3,branch,target\n"
        "7,4128780,1,1,26,0,26,25,0,0,54512136,0,0,18446744073709551608,0,0,conditional,4194304\n");
}

TEST_CASE("writes a CloudSuite record with its asid") {
  champsim::cloudsuite_instruction r{};
  r.asid = {3, 1};
  const champsim::instruction_view<champsim::cloudsuite_instruction> i(r, 0);
  const auto lines = parse_csv(csv_of(champsim::row_of(0, i)));
  REQUIRE(lines.size() == 2);
  REQUIRE(lines[0].size() == 24);  // index, 21 columns of the record, branch, target
  CHECK(lines[0][20] == "asid_0");
  CHECK(lines[0][21] == "asid_1");
  CHECK(lines[1][20] == "3");
  CHECK(lines[1][21] == "1");
}

// True if an event of type `E` can be made into a row. An rvalue cannot, because it would be
// destroyed before the row is written.
template <class E>
concept makes_row = requires(E&& e, const rapidbin::metadata& names) {
  rapidbin::row_of(0, std::forward<E>(e));
  rapidbin::row_of(0, std::forward<E>(e), names);
};
static_assert(makes_row<const rapidbin::event&> && makes_row<rapidbin::event&>);
static_assert(!makes_row<rapidbin::event> && !makes_row<const rapidbin::event>);

TEST_CASE("writes RapidBin events") {
  using rapidbin::operation;
  const auto json = [](const rapidbin::event& e) { return json_of(rapidbin::row_of(2, e)); };
  CHECK(json({false, 32767, rapidbin::largest_decor, operation::request, 1023}) ==
        "{\"index\":2,\"sign\":false,\"location\":32767,\"decor\":17179869183,"
        "\"operation\":\"request\",\"thread\":1023}\n");
  CHECK(json({true, 0, 0, static_cast<operation>(15), 0}) ==
        "{\"index\":2,\"sign\":true,\"location\":0,\"decor\":0,\"operation\":\"15\","
        "\"thread\":0}\n");
  const rapidbin::event e{true, 1, 2, operation::write, 3};
  CHECK(csv_of(rapidbin::row_of(0, e)) ==
        "index,sign,location,decor,operation,thread\n0,1,1,2,write,3\n");
}

TEST_CASE("writes RapidBin events with names from the metadata") {
  rapidbin::metadata names;
  names.locations.add({4, 5}, 1);
  names.memory.add({0x1000, 8}, 2);
  names.locks.add(0x2000, 2);
  const auto csv = [&](rapidbin::operation o, std::uint16_t location) {
    const rapidbin::event e{false, location, 2, o, 0};
    return parse_csv(csv_of(rapidbin::row_of(0, e, names))).at(1);
  };
  using cells = std::vector<std::string>;
  CHECK(csv(rapidbin::operation::read, 1) ==
        cells{"0", "0", "1", "2", "read", "0", "4", "5", "4096", "8", ""});
  CHECK(csv(rapidbin::operation::acquire, 9) ==
        cells{"0", "0", "9", "2", "acquire", "0", "", "", "", "", "8192"});
  CHECK(csv(rapidbin::operation::join, 9) ==
        cells{"0", "0", "9", "2", "join", "0", "", "", "", "", ""});
}

template <target T> void check_word_names() {
  std::set<std::string_view> all;
  for (const wire::text& name : x64dbg::word_names<T>()) all.insert(name.view());
  CHECK(all.size() == x64dbg::register_words<T>);
}

// Word order of x64dbg's struct REGDUMP: general registers, cip, eflags, six selectors of 16
// bits, debug registers, 80 bytes of x87 registers ...
TEST_CASE("the words of REGDUMP have distinct names") {
  check_word_names<target::x86>();
  check_word_names<target::x64>();
  const auto narrow = x64dbg::word_names<target::x86>();
  const auto wide = x64dbg::word_names<target::x64>();
  CHECK(narrow[0].view() == "eax");
  CHECK(narrow[8].view() == "eip");
  CHECK(narrow[9].view() == "eflags");
  CHECK(narrow[10].view() == "word_10");  // gs and fs
  CHECK(narrow[13].view() == "dr0");
  CHECK(wide[0].view() == "rax");
  CHECK(wide[15].view() == "r15");
  CHECK(wide[16].view() == "rip");
  CHECK(wide[17].view() == "rflags");
  CHECK(wide[18].view() == "word_18");  // gs, fs, es, ds
  CHECK(wide[25].view() == "dr7");
  const auto has = [](const auto& names, std::string_view wanted) {
    for (const wire::text& n : names)
      if (n.view() == wanted) return true;
    return false;
  };
  CHECK(has(wide, "xmm15_1"));
  CHECK(!has(wide, "xmm15_2"));
  CHECK(has(wide, "ymm0_3"));
  CHECK(has(narrow, "xmm7_3"));
  CHECK(!has(narrow, "xmm8_0"));
}

TEST_CASE("writes an x64dbg instruction") {
  // Two registers: eax, and eip 8 words after eax. Two accesses; only the first changes memory.
  const auto raw = from_hex(
      "00 02 02 82 2c1a0000 9090"
      "00 07 0d00000010204000"
      "00 01 0010000000200000 01000000 02000000 ff000000");
  x64dbg::instruction<target::x86> i;
  REQUIRE(x64dbg::block_codec<target::x86>::decode(raw, i.block));
  x64dbg::register_state<target::x86> before;
  before.apply(i.block);
  i.before = &before;
  i.index = 12;
  i.thread = i.block.thread;
  const std::string registers = R"({"eax":"0xd","eip":"0x402010"})",
                    memory = R"([{"address":"0x1000","old":"0x1","new":"0xff"},)"
                             R"({"address":"0x2000","old":"0x2","new":null}])";
  CHECK(json_of(x64dbg::row_of(i)) ==
        "{\"index\":12,\"thread\":6700,\"ip\":\"0x402010\",\"opcode\":\"9090\",\"registers\":" +
            registers + ",\"memory\":" + memory + "}\n");
  i.thread.reset();
  const auto csv = csv_of(x64dbg::row_of<target::x86>(i, std::string_view("mov eax, [ebx]")));
  CHECK(parse_csv(csv) ==
        std::vector<std::vector<std::string>>{
            {"index", "thread", "ip", "opcode", "disassembly", "registers", "memory"},
            {"12", "", "4202512", "9090", "mov eax, [ebx]", registers, memory}});
}

TEST_CASE("writes a UMTracer record, also with an operand without a name") {
  composed_trace tiny;
  const auto row = tiny.add({.in = {{regs::al, 1}, {regs::none, 1}}});
  tiny.run(1, row, "0a 0b");
  const auto trace = tiny.open();
  const std::string all = json_of(umtracer::exec_rows<>(trace)(0));
  CHECK(all.find(R"("registers":[{"name":"AL","when":"before","value":"0a"},)"
                 R"({"name":null,"when":"before","value":"0b"}],"memory":[])") !=
        std::string::npos);
}

TEST_CASE("writes names for UMTracer's enumerations") {
  CHECK(name(umtracer::instruction_type::fast_syscall64) == "fast system call 64");
  CHECK(name(umtracer::instruction_type::prefetch) == "prefetch");
  CHECK(name(static_cast<umtracer::instruction_type>(7)).empty());
  CHECK(name(static_cast<umtracer::instruction_type>(10)).empty());
  CHECK(name(umtracer::syscall_convention::unknown) == "unknown");
  CHECK(name(umtracer::syscall_convention::interrupt) == "interrupt");
  CHECK(name(static_cast<umtracer::syscall_convention>(6)).empty());
}
}  // namespace
