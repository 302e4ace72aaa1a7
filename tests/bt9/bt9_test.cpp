// Tests BT9 traces. make_bt9.py made the trace in tests/data/bt9, and lists its instructions without
// reading it.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "tracecodec/bt9.hpp"
#include "tracecodec/io/text/words.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/source.hpp"

namespace bt9 = tracecodec::bt9;
namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace trace = tracecodec::trace;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

// Two branches at 0x1000 and 0x100c, and a jump in Thumb code at 0x2006. The first edge of the sequence
// leads to the first branch. The last edge of the graph is not in the sequence.
constexpr std::string_view small_bt9 =
    "BT9_SPA_TRACE_FORMAT # comment\r\n"
    "bt9_minor_version: 0\n"
    "total_instruction_count: 16\n"
    "branch_instruction_count: 6\n"
    "BT9_NODES\n"
    "#NODE id virtual_address physical_address opcode size\n"
    "NODE 0 0x0 - 0 0\n"
    "NODE 1 0x1000 0x8000 0x0affffff 4 class: JMP+DIR+CND behavior: DYN+DIR taken_cnt: 1 "
    "not_taken_cnt: 1 tgt_cnt: 1 # mnemonic: \"BEQ\"\n"
    "NODE 2 0x100c - 0xeb000000 4 class: CALL+DIR+UCD behavior: AT+DIR\n"
    "NODE 7 0x2006 - 0x4770 2 class: RET+IND+UCD behavior: AT+IND unknown: 5\n"
    "NODE 9 0xffffffffffffffff - 0 0\n"
    "\n"
    "BT9_EDGES\n"
    "EDGE 0 0 1 T 0xff8 - 2 traverse_cnt: 1\n"
    "EDGE 3 1 2 N 0x1004 - 2 traverse_cnt: 1\n"
    "EDGE 4 2 7 T 0x2000 0xa000 2 traverse_cnt: 2 # calls\n"
    "EDGE 5 7 1 T 0x1000 - 0 traverse_cnt: 1\n"
    "EDGE 6 1 2 T 0x1008 - 1 traverse_cnt: 1\n"
    "EDGE 8 7 9 T 0x1010 - 1 traverse_cnt: 1\n"
    "BT9_EDGE_SEQUENCE\n"
    "0\n"
    "0x3 # in hexadecimal\n"
    "# comment\n"
    "4\n"
    "5\n"
    "\n"
    "6\n"
    "4\n"
    "EOF # end\n";

struct bt9_step {
  std::uint64_t ip;
  feed::branch_class branch = feed::branch_class::not_branch;
  std::uint64_t target = 0;
  friend bool operator==(const bt9_step&, const bt9_step&) = default;
};
std::vector<bt9_step> small_steps() {
  using enum feed::branch_class;
  return {{0xff8},
          {0xffc},
          {0x1000, conditional},
          {0x1004},
          {0x1008},
          {0x100c, direct_call, 0x2000},
          {0x2000},
          {0x2004},
          {0x2006, return_, 0x1000},
          {0x1000, conditional, 0x1008},
          {0x1008},
          {0x100c, direct_call, 0x2000},
          {0x2000},
          {0x2004}};
}

struct read_bt9 {
  std::vector<bt9_step> steps = {};
  std::optional<trace_error> error = {};
};
read_bt9 steps_of(std::string_view text, std::uint64_t skip = 0) {
  read_bt9 all;
  try {
    bt9::trace_feed from(io::open_bytes(std::as_bytes(std::span(text)), "t"));
    from.skip(skip);
    for (const auto& i : from) all.steps.push_back({i.ip(), i.branch(), i.target()});
  } catch (const trace_error& e) {
    all.error = e;
  }
  return all;
}
std::string with(std::string_view old, std::string_view now) {
  std::string s(small_bt9);
  s.replace(s.find(old), old.size(), now);
  return s;
}
std::vector<std::string> codes_of(const std::string& text) {
  std::vector<std::string> codes;
  const auto report = [&](const tracecodec::diagnostic& d) { codes.emplace_back(d.code); };
  bt9::checker<decltype(report)>(report).run(io::open_bytes(std::as_bytes(std::span(text)), "t"));
  return codes;
}

}  // namespace

TEST_SUITE_BEGIN("bt9");

TEST_CASE("reads all instructions of the made BT9 trace" * doctest::skip(!test::with_gzip)) {
  bt9::trace_feed from(io::open_input(test::data("bt9/made.bt9.gz")));
  std::array<std::uint64_t, feed::branch_class_count> classes{};
  std::uint64_t taken = 0, sum = 0;
  std::set<std::uint64_t> ips;
  for (const auto& i : from) {
    ++classes[static_cast<std::size_t>(i.branch())];
    taken += i.taken();
    sum += i.ip() + i.target();
    ips.insert(i.ip());
  }
  CHECK(classes == std::array<std::uint64_t, 8>{412, 46, 1731, 136, 380, 295, 0, 16776});
  CHECK(taken == 2353);
  CHECK(ips.size() == 250);
  CHECK(sum == 1461208808);
  CHECK(from.count() == 19776);
  from.rewind();
  CHECK(from.skip(19700) == 19700);
  CHECK(from.skip(100) == 76);
}

TEST_CASE("reads a trace of the championship" * doctest::skip(!test::with_gzip)) {
  const std::string sample = test::external_sample("bt9/SHORT_MOBILE-27.bt9.trace.gz");
  if (sample.empty()) return;
  bt9::trace_feed from(io::open_input(sample));
  std::uint64_t instructions = 0, branches = 0, conditional = 0, taken = 0;
  for (const auto& i : from) {
    ++instructions;
    branches += i.is_branch();
    conditional += i.branch() == feed::branch_class::conditional;
    taken += i.taken();
  }
  // The header states 220,814 instructions and 4,005 branches, with the last edge of the graph.
  CHECK(instructions == 220809);
  CHECK(branches == 4004);
  CHECK(conditional == 3701);
  CHECK(taken == 3503);
  std::size_t found = 0;
  const auto report = [&found](const tracecodec::diagnostic&) { ++found; };
  const auto sum = bt9::checker<decltype(report)>(report).run(io::open_input(sample));
  CHECK(sum.records == 4005);
  CHECK(found == 0);
}

TEST_CASE("reads every form of a BT9 line") {
  const auto all = steps_of(small_bt9);
  CHECK_FALSE(all.error);
  CHECK(all.steps == small_steps());
  for (std::size_t n = 0; n <= all.steps.size() + 1; ++n) {
    const auto rest = steps_of(small_bt9, n);
    CHECK(rest.steps == std::vector(all.steps.begin() +
                                        static_cast<std::ptrdiff_t>(std::min(n, all.steps.size())),
                                    all.steps.end()));
  }
  CHECK(codes_of(std::string(small_bt9)).empty());
  auto in = io::open_bytes(std::as_bytes(std::span(small_bt9)), "t");
  CHECK(trace::recognise(in).name == "bt9");
}

TEST_CASE("a BT9 trace that ends early is truncated at every byte") {
  const auto whole = small_steps();
  const std::size_t end = small_bt9.rfind("EOF");
  for (std::size_t n = 0; n != small_bt9.size(); ++n) {
    CAPTURE(n);
    const auto part = steps_of(small_bt9.substr(0, n));
    if (n >= end + 3) {
      CHECK_FALSE(part.error);
      continue;
    }
    REQUIRE(part.error);
    CHECK(part.error->code() ==
          (n < bt9::signature.size() ? trace_errc::not_a_trace : trace_errc::truncated));
    CHECK(part.steps.size() <= whole.size());
    CHECK(std::equal(part.steps.begin(), part.steps.end(), whole.begin()));
  }
  CHECK(steps_of(small_bt9.substr(0, end)).steps == whole);
  CHECK(codes_of(std::string(small_bt9.substr(0, end))) == std::vector<std::string>{"cut"});
}

TEST_CASE("errors in BT9 text name the line and the field") {
  struct wrong {
    std::string_view old, now, field, line;
  };
  for (const auto& w :
       std::vector<wrong>{{"NODE 1 0x1000", "NODE 1 4x1000", "virtual_address", "(line 8)"},
                          {"NODE 1 0x1000", "NODE 010 0x1000", "id", "(line 8)"},
                          {"NODE 1 0x1000", "NODE 99999999999999999999 0", "id", "(line 8)"},
                          {"NODE 2", "NODE 1", "id", "(line 9)"},
                          {"0x4770 2", "0x4770 17", "size", "(line 10)"},
                          {"RET+IND+UCD", "RET+UCD", "class", "(line 10)"},
                          {"NODE 9", "NODES 9", "", "(line 11)"},
                          {"EDGE 3 1 2", "EDGE 3 5 2", "src_id", "(line 15)"},
                          {"EDGE 3 1 2 N", "EDGE 3 1 2 X", "taken", "(line 15)"},
                          {"EDGE 4", "EDGE 3", "id", "(line 16)"},
                          {"- 0 traverse_cnt", "- 65537 traverse_cnt", "inst_cnt", "(line 17)"},
                          {"0x1008 - 1", "0x1008 1", "inst_cnt", "(line 18)"},
                          {"\n5\n", "\n1\n", "edge", "(line 25)"},
                          {"\n5\n", "\n5 6\n", "edge", "(line 25)"},
                          {"\n5\n", "\n-5\n", "edge", "(line 25)"}}) {
    CAPTURE(w.now);
    const auto all = steps_of(with(w.old, w.now));
    REQUIRE(all.error);
    CHECK(all.error->code() == trace_errc::bad_value);
    CHECK(all.error->field() == w.field);
    CHECK(all.error->message().find(w.line) != std::string::npos);
    CHECK(codes_of(with(w.old, w.now)).back() == "refused");
  }
  // Instructions before a bad line of the sequence are read.
  CHECK(steps_of(with("\n5\n", "\n1\n")).steps.size() == 8);
  CHECK(steps_of(std::string(70000, 'x')).error);
}

TEST_CASE("the check compares a BT9 trace with its graph") {
  using codes = std::vector<std::string>;
  CHECK(codes_of(with("\n5\n", "\n")) == codes{"flow", "uses", "total", "total"});
  CHECK(codes_of(with("2 7 T", "2 7 N")) == codes{"not-taken", "space"});
  CHECK(codes_of(with("0x1004 - 2", "0x1004 - 9")) == codes{"space", "total"});
  CHECK(codes_of(with("count: 16", "count: 17")) == codes{"total"});
  CHECK(codes_of(with("not_taken_cnt: 1", "not_taken_cnt: 2")) == codes{"uses"});
}

TEST_CASE("instructions of an edge that cannot be placed follow its start") {
  const auto all = steps_of(with("0x1004 - 2", "0x1004 - 3")).steps;
  REQUIRE(all.size() == 15);
  // Three instructions in 8 bytes: one of 4 bytes, then two of 2 bytes.
  CHECK(all[3].ip == 0x1004);
  CHECK(all[4].ip == 0x1008);
  CHECK(all[5].ip == 0x100a);
  CHECK(steps_of(with("0x1004 - 2", "0x1004 - 65536")).steps.size() == 65548);
}

TEST_CASE("numbers of BT9 text are decimal, or hexadecimal with 0x") {
  using tracecodec::io::number_of;
  CHECK(number_of("0") == 0);
  CHECK(number_of("10") == 10);
  CHECK(number_of("0x10") == 16);
  CHECK(number_of("0XffffFFFFffffFFFF") == ~std::uint64_t{0});
  // An octal number, and a hexadecimal one without 0x, are not numbers.
  for (const std::string_view bad : {"", "0x", "010", "1f", "-1", "0x0x1", "18446744073709551616"})
    CHECK_FALSE(number_of(bad));
}

TEST_SUITE_END();
