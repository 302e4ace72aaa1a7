// Tests Tarmac text. make_tarmac.py made the trace in tests/data/tarmac, and lists its instructions
// without reading it. The other texts have the forms of lines that docs/formats/tarmac.md describes.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "tracecodec/tarmac.hpp"

namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace tarmac = tracecodec::tarmac;
using tarmac::line_kind;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

std::string hex_of(std::span<const std::byte> bytes) {
  std::string s;
  for (const std::byte b : bytes)
    for (const unsigned shift : {4U, 0U})
      s += "0123456789abcdef"[std::to_integer<unsigned>(b) >> shift & 15U];
  return s;
}
io::input input_of(std::string_view text) {
  return io::open_bytes(std::as_bytes(std::span(text)), "t");
}

// Two processors, an instruction that is skipped, and state before the first instruction.
constexpr std::string_view small_it =
    "0 clk cpu0 R cpsr 000003cd\r\n"
    "0 clk cpu0 R X1 0000000000000010\n"
    "0 clk cpu1 R X1 0000000000000020\n"
    "0 clk cpu0 E 00008000 00000001 CoreEvent_RESET\n"
    "1 clk cpu0 IT (1) 00008000:000000008000_NS f9400020 O EL3h_s : LDR      x0,[x1,#0]\n"
    "1 clk cpu0 MR8 00000010:000000000010 01234567_89abcdef\n"
    "1 clk cpu0 R X0 0123456789abcdef\n"
    "2 clk cpu1 IT (1) 00009000 8b010021 O EL3h_s : ADD      x1,x1,x1\n"
    "2 clk cpu1 R X1 0000000000000040\n"
    "\n"
    "3 clk cpu0 IS (2) 00008004 35000040 O EL3h_s : CBNZ     w0,{pc}+8 ; 0x800c\n"
    "4 clk cpu0 IT (3) 00008008 d65f03c0 O EL3h_s : RET      \n"
    "5 clk cpu0 IT (4) 0000a000 b9000020 O EL3h_s : STR      w0,[x1,#0]\n"
    "5 clk cpu0 MW4 00000010 xxxxxxxx\n"
    "6 clk CADI E simulation_stopped\n";

struct step {
  std::uint64_t ip;
  feed::branch_class branch = feed::branch_class::not_branch;
  bool taken = false;
  std::uint64_t target = 0;
  std::uint32_t processor = 0;
  friend bool operator==(const step&, const step&) = default;
};
std::vector<step> small_steps() {
  using enum feed::branch_class;
  return {{0x8000},
          {0x9000, not_branch, false, 0, 1},
          {0x8004, conditional},
          {0x8008, return_, true, 0xa000},
          {0xa000}};
}
struct read_text {
  std::vector<step> steps = {};
  std::optional<trace_error> error = {};
};
read_text steps_of(std::string_view text, std::uint64_t skip = 0) {
  read_text all;
  try {
    tarmac::trace_feed from(input_of(text));
    from.skip(skip);
    for (const auto& i : from)
      all.steps.push_back({i.ip(), i.branch(), i.taken(), i.target(), i.asid()});
  } catch (const trace_error& e) {
    all.error = e;
  }
  return all;
}
std::vector<std::string> codes_of(std::string_view text) {
  std::vector<std::string> codes;
  const auto report = [&](const tracecodec::diagnostic& d) { codes.emplace_back(d.code); };
  tarmac::checker<decltype(report)>(report).run(input_of(text));
  return codes;
}
bool is_recognised(std::string_view text) {
  return tarmac::descriptor::probe({.bytes = std::as_bytes(std::span(text))}) ==
         format::match::marked;
}

// Parts of a line as text, such as "read 378 1 48".
std::string shown(const tarmac::line& l, const tarmac::content& all) {
  std::string s(name(l.kind));
  const auto hex = [](std::uint64_t v) { return tracecodec::hex(v).substr(2); };
  if (l.kind == line_kind::instruction)
    return s + ' ' + hex(l.address) + ' ' + static_cast<char>(l.state) +
           (l.executed ? "" : " skipped") + " '" + std::string(all.text.text(l.text)) + "' " +
           hex_of(all.text.bytes(l.bytes));
  if (l.kind == line_kind::event) return s + ' ' + std::string(all.text.text(l.text));
  s += ' ' + (l.kind == line_kind::reg
                  ? std::string(all.text.text(l.text)) + '+' + std::to_string(l.offset)
                  : hex(l.address) + ' ' + std::to_string(l.bytes.size));
  return s + ' ' + (l.known ? hex_of(all.text.bytes(l.bytes)) : "unknown");
}
std::string parsed(std::string_view text) {
  tarmac::line_parser parser;
  tarmac::content all;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('\n'));
    parser.parse(one, all, nullptr);
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  std::string s;
  for (const tarmac::line& l : all.lines) (s += s.empty() ? "" : "; ") += shown(l, all);
  return s;
}

// Returns `n` times `line`, in which # is the number of the line.
std::string repeated(std::string_view line, int n) {
  std::string s;
  for (int k = 0; k != n; ++k)
    for (const char c : line) c == '#' ? s += std::to_string(k) : s += c;
  return s;
}

// Returns the instructions of `text` as Tarmac text.
std::string written(std::string_view text, tarmac::style how) {
  test::folder folder;
  const std::string path = folder / "t";
  tarmac::trace_reader from(input_of(text));
  tarmac::writer out(io::open_output(path, io::codec::none, {}), how);
  for (auto b = from.next(); b.size() != 0; b = from.next())
    for (const tarmac::instruction& i : b.records) out.write(i);
  out.finish();
  const test::bytes bytes = test::content(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct counts {
  std::array<std::uint64_t, 6> lines{};
  std::array<std::uint64_t, 8> branches{};
  std::uint64_t taken = 0, skipped = 0, sum = 0;
};
counts counts_of(const std::string& path) {
  counts all;
  tarmac::trace_feed from(io::open_input(path));
  for (const auto& i : from) {
    for (const tarmac::line& l : i.record().lines()) ++all.lines[static_cast<std::size_t>(l.kind)];
    ++all.branches[static_cast<std::size_t>(i.branch())];
    all.taken += i.taken();
    all.skipped += !i.record().own().executed;
    all.sum += i.ip() + i.target();
    for (const std::uint64_t a : i.source_memory()) all.sum += a;
    for (const std::uint64_t a : i.destination_memory()) all.sum += a;
  }
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("tarmac");

TEST_CASE("reads all instructions of the made Tarmac trace" * doctest::skip(!test::with_gzip)) {
  const std::string path = test::data("tarmac/made.tarmac.gz");
  const counts all = counts_of(path);
  CHECK(all.lines == std::array<std::uint64_t, 6>{0, 400, 313, 111, 29, 5});
  CHECK(all.branches == std::array<std::uint64_t, 8>{28, 28, 27, 41, 0, 30, 0, 246});
  CHECK(all.taken == 145);
  CHECK(all.skipped == 9);
  CHECK(all.sum == 266413655948);
  tarmac::trace_feed from(io::open_input(path));
  CHECK(from.count() == 400);
  CHECK(from.skip(390) == 390);
  CHECK(from.skip(20) == 10);
  from.rewind();
  CHECK(from.next()[0].ip() == 0x8000);
  std::size_t found = 0;
  const auto report = [&found](const tracecodec::diagnostic&) { ++found; };
  CHECK(tarmac::checker<decltype(report)>(report).run(io::open_input(path)).records == 400);
  CHECK(found == 0);
}

TEST_CASE("reads the traces of Arm's tools") {
  // Instructions, registers, reads, writes and events, as grep counts them.
  struct sample {
    std::string name;
    std::array<std::uint64_t, 6> lines;
    std::uint64_t conditional, taken;
  };
  for (const sample& wanted :
       {sample{"quicksort", {0, 2044, 1474, 436, 352, 16}, 361, 309},
        {"calltest64", {0, 86, 216, 13, 6, 16}, 7, 26},
        {"calltest32", {0, 107, 138, 19, 12, 4}, 6, 37},
        {"calculator-aarch64-fastmodel", {0, 4783, 3929, 1846, 986, 16}, 484, 646},
        // 647 lines BR are those of 646 branches and the reset.
        {"calculator-aarch64-es-ld-st-style", {0, 4783, 3788, 1703, 841, 648}, 484, 646},
        {"indextest", {0, 4, 2, 1, 2, 0}, 0, 0}}) {
    const std::string path = test::external_sample("tarmac/" + wanted.name + ".tarmac");
    if (path.empty()) return;
    CAPTURE(wanted.name);
    const counts all = counts_of(path);
    CHECK(all.lines == wanted.lines);
    CHECK(all.branches[2] == wanted.conditional);
    CHECK(all.taken == wanted.taken);
    const auto report = [](const tracecodec::diagnostic& d) { FAIL(d.message); };
    tarmac::checker<decltype(report)>(report).run(io::open_input(path));
  }
}

TEST_CASE("reads instructions of two processors") {
  const auto all = steps_of(small_it);
  CHECK_FALSE(all.error);
  CHECK(all.steps == small_steps());
  for (std::size_t n = 0; n <= all.steps.size() + 1; ++n)
    CHECK(
        steps_of(small_it, n).steps ==
        std::vector(all.steps.begin() + static_cast<std::ptrdiff_t>(std::min(n, all.steps.size())),
                    all.steps.end()));
  CHECK(codes_of(small_it) == std::vector<std::string>{"processor"});
  CHECK(is_recognised(small_it));
}

TEST_CASE("registers and memory have the values of the lines") {
  tarmac::trace_feed from(input_of(small_it));
  const auto x1 = *register_named(from, "X1");
  CHECK(register_size(from, x1) == 8);
  CHECK_FALSE(register_named(from, "SCTLR_EL3"));
  CHECK(name_of_register(from, x1.number) == "x1");
  std::vector<std::string> found;
  for (const auto& i : from) {
    for_each_value_of(i, x1, [&](std::uint64_t v, bool after) {
      found.push_back((after ? "after " : "before ") + tracecodec::hex(v));
    });
    for_each_memory_value(i, [&](std::uint64_t at, std::span<const std::byte> bytes, bool written) {
      found.push_back((written ? "write " : "read ") + tracecodec::hex(at) + ' ' + hex_of(bytes));
    });
  }
  CHECK(found == std::vector<std::string>{"before 0x10", "read 0x10 efcdab8967452301",
                                          "before 0x20", "after 0x40", "before 0x10", "before 0x10",
                                          "before 0x10"});
  tarmac::trace_feed narrow(
      input_of("0 clk R d1 0000000000000005\n0 clk IT (1) 00001000 e1a00000 A svc : NOP\n"));
  const auto half = *narrow.source().registers().find("v0");
  for (int n = 0; n != 2; ++n, narrow.rewind())
    for (const auto& i : narrow)
      for_each_value_of(i, feed::register_part{half.number, 8, 8},
                        [](std::uint64_t v, bool after) { CHECK((v == 5 && !after)); });
  from.rewind();
  const auto first = from.next()[0];
  CHECK(assembly(first) == "LDR      x0,[x1,#0]");
  CHECK(has_mnemonic(first, *mnemonic_named(from, "ldr")));
  CHECK_FALSE(has_mnemonic(first, *mnemonic_named(from, "str")));
  CHECK(hex_of(first.code()) == "200040f9");
  // x0 comes from the trace, and x1 from the code.
  CHECK(std::ranges::equal(first.destination_registers(),
                           std::array{tracecodec::arm::renumbered_x0}));
  CHECK(std::ranges::equal(first.source_registers(), std::array{std::uint8_t{1}}));
}

TEST_CASE("reads every form of a line") {
  struct form {
    std::string_view line, parts;
  };
  for (const form& f :
       {form{"2696 clk IT (2696) 000096ea e8bd87f0 T svc_s : POP      {r4-r10,pc}",
             "instruction 96ea T 'POP      {r4-r10,pc}' bde8f087"},
        {"12 clk IS (12) 0000802c 1afb T svc_s : SUBNE    r3,r7,r3",
         "instruction 802c T skipped 'SUBNE    r3,r7,r3' fb1a"},
        {"3 clk IT (3) 0000800a:00000000800a,00000000800c e8900c00 T svc_s : LDM r0,{r10,r11}",
         "instruction 800a T 'LDM r0,{r10,r11}' 90e8000c"},
        {"6000000 cs IT (00000000004d6eb8) 54fffea1 O  ---_- :        b.ne\t0x4d6e8c",
         "instruction 4d6eb8 O 'b.ne\t0x4d6e8c' a1feff54"},
        {"3041 cyc IT (00022a7c:00000006) 00022a7c     48f6 T16 LDR      r0,[pc,#984]",
         "instruction 22a7c T 'LDR      r0,[pc,#984]' f648"},
        {"948756 ns IT (00000000:00000000) 00000000 ea000006 A :       B pc+0x18 ; 0x20",
         "instruction 0 A 'B pc+0x18 ; 0x20' 060000ea"},
        {"41000 ns  ES  (00000000:e59ff018) A svc:            LDR      pc,{pc}+0x20 ; 0x20",
         "instruction 0 A 'LDR      pc,{pc}+0x20 ; 0x20' 18f09fe5"},
        {"800000 ns  ES  (000001a4:03a06a01) A svc:     CCFAIL MOVEQ    r6,#0x1000",
         "instruction 1a4 A skipped 'MOVEQ    r6,#0x1000' 016aa003"},
        {"307754 tic ES  (0000aaaaabaf59f0:--------) O el0t_ns:", "instruction aaaaabaf59f0 O '' "},
        {"0 clk IT (1) 140001000 488b05aabbcc00 X64 : mov rax, [rip]",
         "instruction 140001000 X 'mov rax, [rip]' 488b05aabbcc00"},
        {"9 clk R r0 0000ab34", "register r0+0 34ab0000"},
        {"271ns R r13 20001fff (MSP)", "register r13+0 ff1f0020"},
        {"R R1 (USR) 00000800", "register R1+0 00080000"},
        {"6000017 cs R cpsr 20000000 __C_", "register cpsr+0 00000020"},
        {"8677000000 ps R cpsr 1220023cd", "register cpsr+0 cd23002201"},
        {"123 ns R Q0 -------- -------- 3ff6a09e 667f3bcd", "register Q0+0 cd3b7f669ea0f63f"},
        {"124 ns R Q0 3ff428a2 f98d728b -------- --------", "register Q0+8 8b728df9a228f43f"},
        {"R V0<127:64> ffeeddccbbaa9988", "register V0+8 8899aabbccddeeff"},
        {"R V5<63:0> 00000000", "register V5+0 0000000000000000"},
        {"R X1 --------", "register X1+0 unknown"},
        {"0 clk R X0 01234567_89abcdef", "register X0+0 efcdab8967452301"},
        {"40 clk R DC CISW 00000000:00000000", "event R DC CISW 00000000:00000000"},
        {"1 clk MR8 0000c7c8:00000000c7c8 00000000_0000ca68", "read c7c8 8 68ca000000000000"},
        {"763 clk MW1 0fffffb8 00", "write fffffb8 1 00"},
        {"72415 clk MR16 400171e0 400f731b40000000 3ff87cc460000000",
         "read 400171e0 16 00000060c47cf83f000000401b730f40"},
        {"5 clk MW16 400171e0 400f731b400000003ff87cc460000000",
         "write 400171e0 16 00000060c47cf83f000000401b730f40"},
        {"6379085 cs W04 X ffffffbdc3c15c30 010c010b", "write ffffffbdc3c15c30 4 0b010c01"},
        {"6000001 cs R08 0000007f99d14af4 4305000042ea0000", "read 7f99d14af4 8 0000ea4200000543"},
        {"3039 cyc MNW4___D 2002fa00 efbeefbe", "write 2002fa00 4 efbeefbe"},
        {"1340833 ns MNW4____ (00000050:000000a8) 05011000 00000003", "write 5011000 4 03000000"},
        {"109570 ns MSW4___D 201fffec xxxxxxxx", "write 201fffec 4 unknown"},
        {"3037 cyc MNR4O__I 00022ae4 f7ffffcb", "event MNR4O__I 00022ae4 f7ffffcb"},
        {"28491 clk MR4 dfdfdfcf (ABORTED)", "event MR4 dfdfdfcf (ABORTED)"},
        {"LD 00000370  ........ ......48 ........ ........     0000000370    NM ISH IWBRWA",
         "read 378 1 48"},
        {"ST b0000000  ........ ........ ........ ......##     00b0000000    SO ISH INC",
         "write b0000000 1 unknown"},
        {"LD 000000007ff80fe0 ........ 44444444 ........ 2222..11    S:007ff80fe0    nGnRnE OSH",
         "read 7ff80fe0 1 11; read 7ff80fe2 2 2222; read 7ff80fe8 4 44444444"},
        {"ST 000000009884cfb0  ........ ........ 00000000 000000fe  NS:000000009884cfb0   NM\n"
         "   000000009884cfa0  00000000 00000007 ........ ........  NS:000000009884cfa0   NM",
         "write 9884cfb0 8 fe00000000000000; write 9884cfa8 8 0700000000000000"},
        {"Tarmac Text Rev 3t\n          0 tic ES  EXC Reset\n     BR (0000000000000000) O",
         "event ES  EXC Reset; event BR (0000000000000000) O"},
        {"4541 clk CADI E simulation_stopped", "event CADI E simulation_stopped"}}) {
    CAPTURE(f.line);
    CHECK(parsed(f.line) == f.parts);
  }
  CHECK(parsed("") == "");
}

TEST_CASE("times have units and fractions") {
  const auto time_of = [](std::string_view text) {
    tarmac::line_parser parser;
    tarmac::content all;
    parser.parse(text, all, nullptr);
    return std::pair(all.lines[0].time, tarmac::units[all.lines[0].unit]);
  };
  CHECK(time_of("271ns E x") == std::pair(std::uint64_t{271}, std::string_view("ns")));
  CHECK(time_of("12 tic E x") == std::pair(std::uint64_t{12}, std::string_view("tic")));
  CHECK(time_of("1.25 us E x") == std::pair(std::uint64_t{1250000}, std::string_view("ps")));
}

TEST_CASE("names the bad line of Tarmac text") {
  struct wrong {
    std::string_view line, field;
  };
  const std::string front = "0 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n";
  for (const wrong& w : {wrong{"hello world", ""},
                         {"1 clk IT (2) 0000800g d503201f O EL3h_s : NOP", "address"},
                         {"1 clk IT (2) 00008004 d503201f Q EL3h_s : NOP", "state"},
                         {"1 clk IT (2) 00008004 d503201 O EL3h_s : NOP", "opcode"},
                         {"1 clk IT (2) 00008004 d503201f O EL3h_s NOP x", "mode"},
                         {"1 clk IT", "address"},
                         {"1 tic ES (00008004) O el3h_s: NOP", "opcode"},
                         {"1 clk R", "register"},
                         {"1 clk R X0", "value"},
                         {"1 clk R X0 hello", "value"},
                         {"1 clk R V0<128:64> 00", "register"},
                         {"1 clk R V0<7:0> 0123", "value"},
                         {"1 clk MR4 0000800x 00000000", "address"},
                         {"1 clk MR4 00008000 0123456789", "value"},
                         {"1 clk MW0 00008000 00", "value"},
                         {"1 clk MW999 00008000 00", "value"},
                         {"LD 00008000 00 11", "value"},
                         {"LD 00008000 0 00000000 00000000 00000000", "value"},
                         {"1.5 clk IT (2) 00008004 d503201f O EL3h_s : NOP", "time"}}) {
    CAPTURE(w.line);
    const std::string text = front + std::string(w.line) + '\n';
    const auto all = steps_of(text);
    REQUIRE(all.error);
    CHECK(all.error->code() == trace_errc::bad_value);
    CHECK(all.error->field() == w.field);
    CHECK(all.error->offset() == front.size());
    CHECK(all.error->message().find("(line 2)") != std::string::npos);
    CHECK(all.steps.size() == 1);
    CHECK(codes_of(text).back() == "refused");
    CHECK(is_recognised(text));
  }
}

TEST_CASE("the lines and the processors of Tarmac text are limited") {
  const std::string front = "0 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n";
  struct many {
    std::string lines, message;
    int last;  // number of the line with the error
  };
  for (const many& m :
       {many{repeated("0 clk E x\n", 65536), "more than 65536 lines", 65537},
        // Each line of 4,096 bytes has a text of 4,089.
        {repeated("0 clk E " + std::string(4087, 'x') + '\n', 5000), "16 MiB of text", 4105},
        {repeated("0 clk cpu# R X0 00\n", 5000), "more than 4096 processors", 4098}}) {
    CAPTURE(m.message);
    const auto all = steps_of(front + m.lines);
    REQUIRE(all.error);
    CHECK(all.error->code() == trace_errc::unsupported);
    CHECK(all.error->file() == "t");
    CHECK(all.error->message().find(m.message) != std::string::npos);
    CHECK(all.error->message().find("(line " + std::to_string(m.last) + ")") != std::string::npos);
    // The instruction before the error is whole.
    CHECK(all.steps == std::vector<step>{{0x8000}});
  }
}

TEST_CASE("instructions with many lines make short batches") {
  const std::string front = "0 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n";
  std::string text;
  for (int n = 0; n != 5; ++n) text += front + repeated("0 clk R X# 0000000000000001\n", 40000);
  tarmac::trace_reader from(input_of(text));
  std::vector<std::size_t> sizes;
  for (auto b = from.next(); b.size() != 0; b = from.next()) {
    sizes.push_back(b.size());
    for (const tarmac::instruction& i : b.records) {
      CHECK(i.lines().size() == 40001);
      // The registers are x0 to x30.
      CHECK(i.changes().size() == 31);
    }
  }
  std::size_t sum = 0;
  for (const std::size_t n : sizes) {
    CHECK(n <= 2);
    sum += n;
  }
  CHECK(sum == 5);
}

TEST_CASE("an instruction that writes a register many times has one change") {
  const std::string text = "0 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n" +
                           repeated("0 clk R V1<63:0> 00000000000000ff\n", 2) +
                           repeated("0 clk R X1 0000000000000#\n", 100) +
                           "0 clk R V1<31:0> 00000001\n" +
                           "1 clk IT (2) 00008004 d503201f O EL3h_s : NOP\n";
  tarmac::trace_feed from(input_of(text));
  const auto b = from.next();
  REQUIRE(b.size() == 2);
  std::vector<std::uint64_t> values;
  for (const auto& c : b[0].record().changes()) values.push_back(c.value);
  CHECK(values == std::vector<std::uint64_t>{1, 0x99});
}

TEST_CASE("Tarmac text that ends early is truncated inside a line") {
  const auto whole = small_steps();
  for (std::size_t n = 0; n != small_it.size(); ++n) {
    CAPTURE(n);
    const auto part = steps_of(small_it.substr(0, n));
    const bool inside = n != 0 && small_it[n - 1] != '\n';
    CHECK(part.error.has_value() == inside);
    if (part.error) CHECK(part.error->code() == trace_errc::truncated);
    REQUIRE(part.steps.size() <= whole.size());
    // The next instruction can decide the outcome and the target of the last one.
    for (std::size_t k = 0; k != part.steps.size(); ++k) CHECK(part.steps[k].ip == whole[k].ip);
  }
}

TEST_CASE("conditional branches follow the next instruction or the line") {
  const auto branch = [](std::string_view first, std::string_view next) {
    const std::string text =
        std::string(first) + " (1) 00001000 54000040 O EL0t : B.EQ {pc}+8\n" + std::string(next);
    return steps_of(text).steps.front().taken;
  };
  CHECK(branch("0 clk IT", "1 clk IT (2) 00001008 d503201f O EL0t : NOP\n"));
  // gem5 uses IT for all conditional branches.
  CHECK_FALSE(branch("0 clk IT", "1 clk IT (2) 00001004 d503201f O EL0t : NOP\n"));
  CHECK_FALSE(branch("0 clk IS", "1 clk IT (2) 00001004 d503201f O EL0t : NOP\n"));
  CHECK(branch("0 clk IT", ""));
  CHECK_FALSE(branch("0 clk IS", ""));
  // After an exception, the line decides.
  CHECK(branch("0 clk IT", "1 clk IT (2) 00000200 d503201f O EL1h : NOP\n"));
  // Branches in a T32 block of IT are conditional.
  const auto thumb = steps_of(
                         "0 clk IT (1) 00001000 bf18 T svc : IT NE\n"
                         "1 clk IT (2) 00001002 4770 T svc : BXNE lr\n"
                         "2 clk IT (3) 00002000 4770 T svc : BX lr\n"
                         "3 clk IT (4) 00001004 bf00 T svc : NOP\n")
                         .steps;
  CHECK(thumb[1] == step{0x1002, feed::branch_class::conditional, true, 0x2000});
  CHECK(thumb[2] == step{0x2000, feed::branch_class::return_, true, 0x1004});
}

// Instructions of several processors, which take turns after each one.
TEST_CASE("the next instruction of the same processor decides a branch") {
  using enum feed::branch_class;
  const auto line = [](int cpu, std::string_view kind, std::string_view address,
                       std::string_view code, std::string_view set) {
    return "0 clk cpu" + std::to_string(cpu) + ' ' + std::string(kind) + " (1) " +
           std::string(address) + ' ' + std::string(code) + ' ' + std::string(set) + " EL0t : x\n";
  };
  // b.eq {pc}+8, which gem5 lists as IT even if it is not taken; ret; nop.
  const std::string_view beq = "54000040", ret = "d65f03c0", nop = "d503201f";
  std::string text;
  for (int cpu = 0; cpu != 4; ++cpu) text += line(cpu, "IT", "00001000", beq, "O");
  for (int cpu = 0; cpu != 4; ++cpu)
    text += line(cpu, "IT", cpu % 2 == 0 ? "00001004" : "00001008", ret, "O");
  for (int cpu = 0; cpu != 3; ++cpu)
    text += line(cpu, "IT", "0000200" + std::to_string(4 * cpu), nop, "O");
  const std::vector<step> wanted{{0x1000, conditional, false, 0, 0},
                                 {0x1000, conditional, true, 0x1008, 1},
                                 {0x1000, conditional, false, 0, 2},
                                 {0x1000, conditional, true, 0x1008, 3},
                                 {0x1004, return_, true, 0x2000, 0},
                                 {0x1008, return_, true, 0x2004, 1},
                                 {0x1004, return_, true, 0x2008, 2},
                                 // The trace ends before the next instruction of processor 3.
                                 {0x1008, return_, true, 0, 3},
                                 {0x2000, not_branch, false, 0, 0},
                                 {0x2004, not_branch, false, 0, 1},
                                 {0x2008, not_branch, false, 0, 2}};
  CHECK(steps_of(text).steps == wanted);
  CHECK(codes_of(text).empty());
  // Up to 4,096 instructions of other processors can precede the one that decides.
  for (const auto& [others, target] :
       std::array{std::pair{1000, 0x3000U}, std::pair{4000, 0x3000U}, std::pair{6000, 0U}}) {
    std::string far = line(0, "IT", "00001000", ret, "O");
    for (int n = 0; n != others; ++n) far += line(1, "IT", "00002000", "14000000", "O");
    far += line(0, "IT", "00003000", nop, "O");
    const auto all = steps_of(far).steps;
    REQUIRE(all.size() == static_cast<std::size_t>(others) + 2);
    CHECK(all[0] == step{0x1000, return_, true, target, 0});
    for (const std::uint64_t n : {1U, 1023U, 1024U, 3000U})
      CHECK(steps_of(far, n).steps ==
            std::vector(
                all.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, all.size())),
                all.end()));
  }
}

TEST_CASE("each processor of Tarmac text has its own instruction set") {
  // Processor 0 executes A64 code, processor 1 A32 code and T32 code with a block of IT.
  constexpr std::string_view text =
      "0 clk cpu0 IT (1) 00001000 d503201f O EL3h_s : NOP\n"
      "0 clk cpu1 IT (1) 00002000 e1a00000 A svc : NOP\n"
      "0 clk cpu0 IT (2) 00001004 d503201f O EL3h_s : NOP\n"
      "0 clk cpu1 R d1 0000000000000005\n"
      "0 clk cpu1 R lr 00000009\n"
      "0 clk cpu0 R lr 0000000000000007\n"
      "0 clk cpu1 IT (2) 00003000 bf18 T svc : IT NE\n"
      "0 clk cpu0 IT (3) 00001008 d503201f O EL3h_s : NOP\n"
      "0 clk cpu1 IT (3) 00003002 4770 T svc : BXNE lr\n"
      "0 clk cpu0 IT (4) 0000100c d503201f O EL3h_s : NOP\n"
      "0 clk cpu1 IT (4) 00000008 bf00 T svc : NOP\n";
  tarmac::trace_feed from(input_of(text));
  const auto b = from.next();
  const auto value = [&from](const auto& i, std::string_view name, unsigned offset) {
    auto part = *from.source().registers().find(name);
    part.offset = static_cast<std::uint8_t>(offset);
    std::uint64_t found = 0;
    for_each_value_of(i, part, [&found](std::uint64_t v, bool) { found = v; });
    return found;
  };
  REQUIRE(b.size() == 8);
  // d1 of A32 code is the upper half of q0, and lr is r14.
  CHECK(value(b[3], "v0", 8) == 5);
  CHECK(value(b[3], "x14", 0) == 9);
  CHECK(value(b[3], "x30", 0) == 0);
  CHECK(value(b[2], "x30", 0) == 7);
  CHECK(value(b[2], "v0", 8) == 0);
  CHECK(steps_of(text).steps[5] == step{0x3002, feed::branch_class::conditional, true, 8, 1});
}

TEST_CASE("recognises Tarmac text, but not other text") {
  CHECK(is_recognised("Tarmac Text Rev 3t\n 0 tic ES (00000000:d503201f) O el3h_s: NOP\n 1 tic"));
  CHECK(is_recognised("0 ps R cpsr 000003cd\n"));
  for (const std::string_view other :
       {"", "Tarmac Text Rev 3t\n", "0 ps CACHE MAINTENANCE\n", "R is a language\n", "hello\n",
        "1 2 3\n4 5 6\n", "other\n0 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n",
        "I  04001000,3\n L 1ffeffe7e8,8\n", "2 400100\n0 7ffe1000\n"})
    CHECK_FALSE(is_recognised(other));
}

TEST_CASE("the check compares instructions with their successors") {
  using codes = std::vector<std::string>;
  const std::string nop = "5 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n";
  const std::string next = " clk IT (2) 00008008 d503201f O EL3h_s : NOP\n";
  CHECK(codes_of(nop + '5' + next) == codes{"flow"});
  CHECK(codes_of(nop + "5 clk E 00008004 00000084 CoreEvent_IRQ\n" + '5' + next) == codes{});
  CHECK(codes_of(nop + '4' + next) == codes{"time", "flow"});
  CHECK(codes_of("0 tic ES (00008000:--------) O el0t_ns:\n0" + next) == codes{"opcode"});
  CHECK(codes_of(nop + "5 clk") == codes{"cut"});
}

TEST_CASE("writes Tarmac text of both styles") {
  constexpr std::string_view it =
      "0 clk R X1 0000000000000010\n"
      "1 clk IT (1) 00008000 f9400020 O EL3h_s : LDR      x0,[x1,#0]\n"
      "1 clk MR8 00000018 01234567_89abcdef\n"
      "1 clk R X0 0123456789abcdef\n"
      "2 clk IS (2) 00008004 35000040 O EL3h_s : CBNZ     w0,{pc}+8 ; 0x800c\n"
      "3 clk IT (3) 00008008 3d800020 O EL3h_s : STR      q0,[x1,#0]\n"
      "3 clk MW16 0000001c 0706050403020100 1716151413121110\n"
      "3 clk R V0<63:0> 0706050403020100\n"
      "3 clk E 00008008 00000084 CoreEvent_Test\n";
  constexpr std::string_view es =
      "Tarmac Text Rev 3t\n"
      "                    R X1 0000000000000010\n"
      "          1 clk ES  (0000000000008000:f9400020) O EL3h_s: LDR      x0,[x1,#0]\n"
      "                    LD 0000000000000010 01234567 89abcdef ........ ........\n"
      "                    R X0 0123456789abcdef\n"
      "          2 clk ES  (0000000000008004:35000040) O EL3h_s: CCFAIL CBNZ     w0,{pc}+8 ; "
      "0x800c\n"
      "          3 clk ES  (0000000000008008:3d800020) O EL3h_s: STR      q0,[x1,#0]\n"
      "                    ST 0000000000000010 13121110 ........ ........ ........\n"
      "                    ST 0000000000000020 ........ 07060504 03020100 17161514\n"
      "                    R V0<63:0> 0706050403020100\n"
      "          3 clk E 00008008 00000084 CoreEvent_Test\n";
  CHECK(written(it, tarmac::style::it) == it);
  CHECK(written(it, tarmac::style::es) == es);
  // A diagram is an access of its own.
  CHECK(steps_of(es).steps == steps_of(it).steps);
  CHECK(codes_of(es).empty());
  CHECK(tarmac::style_of(it) == tarmac::style::it);
  CHECK(tarmac::style_of(es) == tarmac::style::es);
  // The notes of Arm's tools remain.
  constexpr std::string_view notes =
      "          0 tic ES  (00000358:e4d12001) A svc: LDRB     r2,[r1],#1\n"
      "                    LD 00000370 ........ ......48 ........ ......##    0000000370    NM "
      "ISH\n";
  CHECK(written(notes, tarmac::style::es) == "Tarmac Text Rev 3t\n" + std::string(notes));
}

TEST_CASE("diagrams of the style es show every byte of accesses that overlap") {
  // Accesses of an instruction, whose bytes differ where they overlap.
  constexpr std::string_view it =
      "1 clk IT (1) 00008000 d503201f O EL3h_s : NOP\n"
      "1 clk MR4 00000010 00000001\n"
      "1 clk MR4 00000014 00000002\n"
      "1 clk MR4 00000012 00000003\n"
      "1 clk MW16 0000001c 0706050403020100 1716151413121110\n"
      "1 clk MW4 0000001e 00000004\n"
      "1 clk MW1 0000002f 05\n"
      "1 clk MR1 0000003f 06\n"
      "1 clk MR1 0000003c 07\n";
  constexpr std::string_view es =
      "Tarmac Text Rev 3t\n"
      "          1 clk ES  (0000000000008000:d503201f) O EL3h_s: NOP\n"
      "                    LD 0000000000000010 ........ ........ 00000002 00000001\n"
      "                    LD 0000000000000010 ........ ........ ....0000 0003....\n"
      "                    ST 0000000000000010 13121110 ........ ........ ........\n"
      "                    ST 0000000000000020 ........ 07060504 03020100 17161514\n"
      "                    ST 0000000000000010 0004.... ........ ........ ........\n"
      "                    ST 0000000000000020 ........ ........ ........ ....0000\n"
      "                    ST 0000000000000020 05...... ........ ........ ........\n"
      "                    LD 0000000000000030 06...... ........ ........ ........\n"
      "                    LD 0000000000000030 ......07 ........ ........ ........\n";
  CHECK(written(it, tarmac::style::es) == es);
}

TEST_SUITE_END();
