// Tests Tenet's traces. make_tenet.py made the traces in tests/data/tenet, and lists their instructions
// without reading them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "files.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/tenet.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/reader.hpp"
#include "tracecodec/trace/source.hpp"

namespace feed = tracecodec::feed;
namespace io = tracecodec::io;
namespace tenet = tracecodec::tenet;
namespace trace = tracecodec::trace;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

io::input input_of(std::string_view text) {
  return io::open_bytes(std::as_bytes(std::span(text)), "t");
}

// The first lines of the sample, as the format's page explains them: sub rsp, 28h; call; mov [rsp+20h],
// rbx; and a line for a return.
constexpr std::string_view small_tenet =
    "rdi=0x7ff5ffffe000,rsp=0x13ff58,rbx=0x14000419c,rip=0x14000419c,mr=0x13ff58:f21327a6fb7f0000\n"
    "rsp=0x13ff30,rip=0x1400041a0\n"
    "rsp=0x13ff28,rip=0x1400045dc,mw=0x13ff28:a541004001000000\n"
    "rip=0x1400045e1,mw=0x13ff48:9c41004001000000\n"
    "RAX=0X5,rip=1400045e5,mrw=0x13ff48:9d41\n"
    "rsp=0x13ff30,rip=0x1400041a5,mr=0x13ff28:a541004001000000\n"
    "rip=0x1400041a5,mr=0x13ff30:01,mw=0x13ff31:02\n";

struct step {
  std::uint64_t ip;
  feed::branch_class branch = feed::branch_class::not_branch;
  std::uint64_t target = 0;
  friend bool operator==(const step&, const step&) = default;
};
std::vector<step> small_steps() {
  using enum feed::branch_class;
  return {{0x14000419c}, {0x1400041a0, direct_call, 0x1400045dc}, {0x1400045dc},
          {0x1400045e1}, {0x1400045e5, return_, 0x1400041a5},     {0x1400041a5},
          {0x1400041a5}};
}

struct read_tenet {
  std::vector<step> steps = {};
  std::optional<trace_error> error = {};
};
read_tenet steps_of(std::string_view text, std::uint64_t skip = 0) {
  read_tenet all;
  try {
    tenet::trace_feed from(input_of(text));
    from.skip(skip);
    for (const auto& i : from) all.steps.push_back({i.ip(), i.branch(), i.target()});
  } catch (const trace_error& e) {
    all.error = e;
  }
  return all;
}
std::string with(std::string_view old, std::string_view now) {
  std::string s(small_tenet);
  s.replace(s.find(old), old.size(), now);
  return s;
}
std::vector<std::string> codes_of(std::string_view text) {
  std::vector<std::string> codes;
  const auto report = [&](const tracecodec::diagnostic& d) { codes.emplace_back(d.code); };
  tenet::checker<decltype(report)>(report).run(input_of(text));
  return codes;
}

// Values of one register or of memory in a row.
struct value {
  std::uint64_t place, number;
  bool after;
  friend bool operator==(const value&, const value&) = default;
};
std::vector<value> registers_of(const feed::columns& b, std::size_t row) {
  std::vector<value> all;
  const auto r = b.register_values();
  for (std::size_t k = r.begin(row); k != r.end(row); ++k)
    all.push_back({r.number[k], r.value[k], r.after[k] != 0});
  return all;
}

struct totals {
  std::array<std::uint64_t, feed::branch_class_count> classes = {};
  std::uint64_t reads = 0, writes = 0, bytes = 0, changes = 0, sum = 0;
};
totals totals_of(tenet::trace_feed from) {
  totals t;
  for (const auto& i : from) {
    ++t.classes[static_cast<std::size_t>(i.branch())];
    t.sum += i.ip() + i.target();
    for (const feed::recorded_access& a : i.accesses()) {
      ++(a.write ? t.writes : t.reads);
      t.bytes += a.size;
    }
    for_each_register_value(
        i, [&t](auto, std::size_t, std::uint64_t, std::size_t, bool after) { t.changes += after; });
  }
  return t;
}

}  // namespace

TEST_SUITE_BEGIN("tenet");

TEST_CASE("reads all instructions of the made Tenet traces" * doctest::skip(!test::with_gzip)) {
  struct made {
    const char* name;
    totals all;
  };
  for (const made& m : std::vector<made>{
           {"amd64", {{77, 0, 0, 97, 0, 63, 0, 763}, 295, 434, 7013, 584, 5227828213}},
           {"x86", {{26, 0, 0, 21, 0, 21, 0, 232}, 90, 119, 2088, 171, 1546397172}},
           {"aarch64", {{16, 0, 0, 17, 0, 15, 0, 252}, 86, 121, 2096, 166, 1465184180}}}) {
    CAPTURE(m.name);
    const std::string path = test::data(std::string("tenet/made_") + m.name + ".tenet.log.gz");
    CHECK(trace::source(path).format().name == "tenet");
    const totals t = totals_of(tenet::trace_feed(io::open_input(path)));
    CHECK(t.classes == m.all.classes);
    CHECK(t.reads == m.all.reads);
    CHECK(t.writes == m.all.writes);
    CHECK(t.bytes == m.all.bytes);
    CHECK(t.changes == m.all.changes);
    CHECK(t.sum == m.all.sum);
    tenet::trace_feed from(io::open_input(path));
    const std::uint64_t n =
        m.all.classes[7] + m.all.classes[0] + m.all.classes[3] + m.all.classes[5];
    CHECK(from.count() == n);
    CHECK(from.skip(n - 10) == n - 10);
    CHECK(from.skip(100) == 10);
  }
}

TEST_CASE("reads Tenet's sample") {
  const std::string sample = test::external_sample("tenet/boombox.trace.0.log");
  if (sample.empty()) return;
  const totals t = totals_of(tenet::trace_feed(io::open_input(sample)));
  std::uint64_t n = 0;
  for (const std::uint64_t one : t.classes) n += one;
  // The first line lists one access of each kind, which precedes the first instruction.
  CHECK(n == 2163);
  CHECK(t.reads == 968);
  CHECK(t.writes == 569);
  std::vector<std::string> codes;
  const auto report = [&](const tracecodec::diagnostic& d) { codes.emplace_back(d.code); };
  tenet::checker<decltype(report)>(report).run(io::open_input(sample));
  CHECK(codes == std::vector<std::string>{"first"});
}

TEST_CASE("an instruction changes what the next line of a Tenet trace lists") {
  const auto all = steps_of(small_tenet);
  CHECK_FALSE(all.error);
  CHECK(all.steps == small_steps());
  for (std::size_t n = 0; n <= all.steps.size() + 1; ++n) {
    const auto rest = steps_of(small_tenet, n);
    CHECK(rest.steps == std::vector(all.steps.begin() +
                                        static_cast<std::ptrdiff_t>(std::min(n, all.steps.size())),
                                    all.steps.end()));
  }
  auto in = input_of(small_tenet);
  CHECK(trace::recognise(in).name == "tenet");

  auto from = feed::make_column_source(tenet::trace_feed(input_of(small_tenet)));
  from->want(from->has());
  CHECK(from->has_all_registers());
  CHECK(from->select_register("SPL") == 1);
  CHECK(from->select_register("esp") == 4);
  CHECK(from->select_register("rsp") == 8);
  CHECK_FALSE(from->select_register("x0"));
  CHECK(from->register_name(6) == "rsp");
  feed::columns b;
  REQUIRE(from->next(b));
  REQUIRE(b.size() == 7);
  // The numbers of rbx, rsp, rdi and rax are those of Pin: 7, 6, 3 and 10.
  CHECK(registers_of(b, 0) == std::vector<value>{{7, 0x14000419c, false},
                                                 {6, 0x13ff58, false},
                                                 {3, 0x7ff5ffffe000, false},
                                                 {6, 0x13ff30, true}});
  CHECK(registers_of(b, 1) == std::vector<value>{{6, 0x13ff30, false}, {6, 0x13ff28, true}});
  CHECK(registers_of(b, 3) == std::vector<value>{{10, 5, true}});
  CHECK(registers_of(b, 6).empty());
  const auto m = b.memory();
  CHECK(m.count(0) == 0);
  REQUIRE(m.count(1) == 1);
  CHECK(m.address[m.begin(1)] == 0x13ff28);
  CHECK(m.size[m.begin(1)] == 8);
  CHECK(m.write[m.begin(1)] == 1);
  CHECK(m.count(3) == 2);
  CHECK(m.count(6) == 0);
  const auto v = b.memory_values();
  REQUIRE(v.count(3) == 1);
  CHECK(v.after[v.begin(3)] == 1);
  CHECK(v.bytes[v.begin(3)].size() == 2);
  REQUIRE(v.count(4) == 1);
  CHECK(v.after[v.begin(4)] == 0);
  CHECK(v.trusted[v.begin(4)] == 1);
  // The value of rsp before and after each instruction.
  const auto w = b.register_value();
  CHECK(w.value[w.begin(1)] == 0x13ff30);
  CHECK(w.value[w.begin(1) + 1] == 0x13ff28);
  CHECK(w.count(2) == 1);
  // Registers that an instruction writes are operands. The call has those of ChampSim's calls.
  const auto d = b.destination_registers();
  CHECK(d[0].size() == 1);
  CHECK(d[0][0] == 6);
  CHECK(d[1].size() == 2);
  CHECK(b.source_registers()[0].empty());
}

TEST_CASE("a Tenet trace that ends early is truncated at every byte") {
  const auto whole = small_steps();
  for (std::size_t n = 0; n != small_tenet.size(); ++n) {
    CAPTURE(n);
    const std::string_view text = small_tenet.substr(0, n);
    const auto part = steps_of(text);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    CHECK(part.steps.size() == lines);
    // The class of the last instruction is unknown.
    for (std::size_t k = 0; k + 1 < lines; ++k) CHECK(part.steps[k] == whole[k]);
    if (lines != 0 && text.ends_with('\n')) {
      CHECK_FALSE(part.error);
      continue;
    }
    REQUIRE(part.error);
    CHECK(part.error->code() ==
          (text.find("rip=") == text.npos ? trace_errc::not_a_trace : trace_errc::truncated));
  }
  CHECK(codes_of(small_tenet.substr(0, small_tenet.size() - 1)).back() == "cut");
}

TEST_CASE("errors in Tenet text name the line and the item") {
  struct wrong {
    std::string_view old, now, field, line;
  };
  for (const auto& w :
       std::vector<wrong>{{"rsp=0x13ff30", "eflags=0x2", "eflags", "(line 2)"},
                          {"rsp=0x13ff30", "eax=0x2", "eax", "(line 2)"},
                          {"rsp=0x13ff30", "x0=0x2", "x0", "(line 2)"},
                          {"rsp=0x13ff30", "rsp", "rsp", "(line 2)"},
                          {"rsp=0x13ff30", "rsp=", "rsp", "(line 2)"},
                          {"rsp=0x13ff30", "rsp=0x13g", "rsp", "(line 2)"},
                          {"rsp=0x13ff30", "rsp=0x12345678123456781", "rsp", "(line 2)"},
                          {"rsp=0x13ff30,", ",", "", "(line 2)"},
                          {",rip=0x1400041a0", "", "rip", "(line 2)"},
                          {"rip=0x1400041a0", "rip=0x1400041a0,", "", "(line 2)"},
                          {"28:a5", "28:a", "mw", "(line 3)"},
                          {"28:a5", "28:ag", "mw", "(line 3)"},
                          {"28:a5", "28,a5", "mw", "(line 3)"},
                          {"mw=0x13ff28:", "mw=:", "mw", "(line 3)"},
                          {"mrw", "rmw", "rmw", "(line 5)"},
                          {"rip=0x1400045e1", "\nrip=0x1400045e1", "rip", "(line 4)"}}) {
    CAPTURE(w.now);
    const auto all = steps_of(with(w.old, w.now));
    REQUIRE(all.error);
    CHECK(all.error->code() == trace_errc::bad_value);
    CHECK(all.error->field() == w.field);
    CHECK(all.error->message().find(w.line) != std::string::npos);
    // All instructions before the line are read.
    CHECK(all.steps.size() == static_cast<std::size_t>(w.line[6] - '1'));
    CHECK(codes_of(with(w.old, w.now)).back() == "refused");
  }
  CHECK(steps_of("rip=0x1\n" + std::string(70000, 'x')).error);
  std::string many = "rip=0x1\nrip=0x2";
  for (int n = 0; n != 1024; ++n) many += ",mr=0x1:00";
  CHECK_FALSE(steps_of(many + "\n").error);
  CHECK(steps_of(many + ",mr=0x1:00\n").error);
}

TEST_CASE("the first line of a Tenet trace determines the processor") {
  CHECK(steps_of("rip=0x1\neip=0x2\n").error);
  CHECK(steps_of("rip=0x100000000\n").steps.size() == 1);
  CHECK(steps_of("eip=0x100000000\n").error);
  CHECK(steps_of("eip=0x1,mr=0x100000000:00\n").error);
  CHECK(steps_of("eip=0x1,rax=0x1\n").error);
  CHECK(steps_of("pc=0x1,x30=0x1\n").error);
  CHECK(steps_of("\xEF\xBB\xBFpc=0x1,x29=0x1,LR=0x5,sp=0x8\r\npc=0x5\r\n").steps.size() == 2);
  auto from = feed::make_column_source(
      tenet::trace_feed(input_of("x0=0x1122334455667788,x6=0x7,lr=0x9,sp=0x8,pc=0x4\npc=0x8\n")));
  from->want({feed::column::register_values});
  feed::columns b;
  REQUIRE(from->next(b));
  // x0 and x6 have numbers of their own, because those of their indices have a meaning in ChampSim.
  CHECK(registers_of(b, 0) ==
        std::vector<value>{
            {67, 0x1122334455667788, false}, {65, 7, false}, {30, 9, false}, {31, 8, false}});
  CHECK(from->register_name(67) == "x0");
  CHECK(from->register_name(65) == "x6");
  CHECK(from->register_name(30) == "x30");
  CHECK(from->select_register("w0") == 4);
  CHECK(from->select_register("pc") == 8);
  CHECK_FALSE(from->select_register("v0"));
  // Lines that list only addresses.
  using enum feed::branch_class;
  CHECK(steps_of("rip=0x10\nrip=0x1f\nrip=0x1f\nrip=0x1e\nrip=0x2e\n").steps ==
        std::vector<step>{
            {0x10}, {0x1f}, {0x1f, direct_jump, 0x1e}, {0x1e, direct_jump, 0x2e}, {0x2e}});
}

// Tenet keeps the registers of a line in a dictionary.
TEST_CASE("the last value of a register on a Tenet line counts") {
  tenet::trace_feed from(
      input_of("rax=0x1,rip=0x10,rax=0x2\nrax=0x3,rip=0x11,RAX=0x4,rip=0x12\nrip=0x13\n"));
  CHECK(from.source().initial_registers() == 1);
  CHECK(from.source().initially_repeated() == "rax");
  const auto b = from.next();
  REQUIRE(b.size() == 3);
  std::vector<std::pair<std::uint64_t, bool>> values;
  for (std::size_t n = 0; n != b.size(); ++n)
    for_each_value_of(b[n], feed::register_part{10, 0, 8},
                      [&values](std::uint64_t v, bool after) { values.emplace_back(v, after); });
  CHECK(values ==
        std::vector<std::pair<std::uint64_t, bool>>{{2, false}, {4, true}, {4, false}, {4, false}});
  CHECK(b[0].record().changes().size() == 2);
  CHECK(b[0].record().repeated == "rip");
  CHECK(b[1].ip() == 0x12);
  CHECK(b[1].record().repeated.empty());
}

TEST_CASE("other text is not a Tenet trace") {
  const auto is_tenet = [](std::string_view text) {
    return tenet::descriptor::probe({.bytes = std::as_bytes(std::span(text)),
                                     .size = text.size()}) == tracecodec::format::match::marked;
  };
  for (const std::string_view yes :
       {"rip=0x1\n", "EIP=0x1\r\neax=0x5,eip=0x2\r\n", "x0=0x1,pc=0x10,mr=0x1:00\n",
        "rax=0x1,rip=0x2,mw=0x1:01", "\xEF\xBB\xBFrip=0x1\n", "rip=0x1\nrsp=0"})
    CHECK(is_tenet(yes));
  for (const std::string_view no :
       {"", "rip\n", "rip=5\n", "rip=0x1 rax=0x2\n", "rax=0x1\n", "rip=0x1,eflags=0x2\n",
        "pc=0x1\n\n", "pc=0x1\nname=x\n", "rip=0x1,mr=0x1\n", "rip=0xg\n", "rip=0x1\neip=0x2\n",
        "rip: 0x1\n", "pc=0x1,eax=0x2\n", "[section]\npc=0x1\n", "rip=0x1\nrax=0x2\n",
        "rip=0x1,,\n"})
    CHECK_FALSE(is_tenet(no));
}

TEST_CASE("the check of a Tenet trace reports what Tenet would show wrongly") {
  using codes = std::vector<std::string>;
  CHECK(codes_of(small_tenet) == codes{"first"});
  std::string all;
  for (const auto& name : tenet::amd64.names) all += std::string(name) + "=0x1,";
  all.back() = '\n';
  CHECK(codes_of(all).empty());
  CHECK(codes_of(all + "rip=0x2,mr=0x10:0102,mw=0x11:0203\n").empty());
  CHECK(codes_of(all + "rip=0x2,mr=0x10:0102,mw=0x11:0303\n") == codes{"conflict"});
  CHECK(codes_of(all + "rip=0x2,mw=0x11:03,mr=0x10:0102\n") == codes{"conflict"});
  CHECK(codes_of(all + "rax=0x2,rip=0x2,RAX=0x2\n") == codes{"repeated"});
  CHECK(codes_of(all + "rip=0x2,rip=0x3\nrip=0x4\n") == codes{"repeated"});
  CHECK(codes_of("rbx=0x1," + all) == codes{"repeated"});
  CHECK(codes_of("text\n") == codes{"refused"});
  CHECK(codes_of("") == codes{"refused"});
}

TEST_CASE("writes the lines of a Tenet trace") {
  test::bytes written;
  tenet::writer out(std::make_unique<test::vector_sink>(written), tenet::amd64);
  const std::array bytes{std::byte{0xa5}, std::byte{0x01}};
  out.add(5, 0x13ff58);
  out.end_line(0x401000);
  out.add(true, false, 0x10, bytes);
  out.add(false, true, 0x20, std::span(bytes).first(1));
  out.add(0, 0);
  out.end_line(0x401001);
  out.add(true, true, 0x30, bytes);
  out.end_line(0x401002);
  CHECK(out.written() == 3);
  out.finish();
  CHECK(std::string(reinterpret_cast<const char*>(written.data()), written.size()) ==
        "rsp=0x13ff58,rip=0x401000\n"
        "rax=0x0,rip=0x401001,mr=0x10:a501,mw=0x20:a5\n"
        "rip=0x401002,mrw=0x30:a501\n");
}

TEST_SUITE_END();
