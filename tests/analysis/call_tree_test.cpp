// Tests of call_tree.hpp on traces of calls that are written by hand.
#include "tracecodec/analysis/call_tree.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/analysis/calling_convention.hpp"
#include "tracecodec/analysis/run.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/trace/reader.hpp"
#include "tracecodec/trace/source.hpp"

namespace champsim = tracecodec::champsim;
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

namespace {

// Instructions of ChampSim's records, whose registers are those of a class of branches.
test::instruction at(std::uint64_t ip) {
  test::instruction i{};
  i.ip = ip;
  return i;
}
test::instruction call(std::uint64_t ip) {
  test::instruction i = at(ip);
  i.is_branch = i.branch_taken = 1;
  i.destination_registers = {26, 6};
  i.source_registers = {26, 6, 0, 0};
  return i;
}
test::instruction ret(std::uint64_t ip) {
  test::instruction i = at(ip);
  i.is_branch = i.branch_taken = 1;
  i.destination_registers = {26, 6};
  i.source_registers = {6, 0, 0, 0};
  return i;
}

struct found {
  std::string tree = {};
  std::uint64_t unmatched = 0;
};
// Returns the nodes as "function calls instructions", indented by depth.
found tree_of(const std::vector<test::instruction>& all) {
  const auto bytes = test::bytes_of(all);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"), {.trust = true}));
  analysis::call_tree calls(from->has());
  analysis::run(*from, calls);
  found f;
  f.unmatched = calls.unmatched_returns();
  for (const analysis::call_node& n : calls.result())
    f.tree += std::string(n.depth, ' ') + std::to_string(n.function) + ' ' +
              std::to_string(n.calls) + ' ' + std::to_string(n.instructions) + '\n';
  return f;
}

}  // namespace

TEST_CASE("calls and returns are matched") {
  const found f = tree_of({at(100), call(104), at(200), call(204), at(300), ret(304), at(209),
                           ret(210), call(109), at(200), ret(204), at(114)});
  CHECK(f.tree == "100 1 4\n 200 2 6\n  300 1 2\n");
  CHECK(f.unmatched == 0);
}

TEST_CASE("recursion has a node for each level") {
  const found f =
      tree_of({call(100), call(200), call(200), at(200), ret(203), ret(205), ret(205), at(105)});
  CHECK(f.tree == "100 1 2\n 200 1 2\n  200 1 2\n   200 1 2\n");
}

TEST_CASE("a return past several calls ends all of them") {
  // 300 returns to the caller of its caller, as after longjmp.
  const found f = tree_of({call(100), call(200), ret(300), at(105), call(106), at(400)});
  CHECK(f.tree == "100 1 3\n 200 1 1\n  300 1 1\n 400 1 1\n");
}

TEST_CASE("a return to elsewhere is a jump") {
  const found f = tree_of({call(100), ret(200), at(900), at(904)});
  CHECK(f.tree == "100 1 1\n 200 1 3\n");
  CHECK(f.unmatched == 1);
}

TEST_CASE("the depth is limited") {
  std::vector<test::instruction> all;
  for (std::uint64_t i = 0; i != 2000; ++i) all.push_back(call(1000 * (i + 1)));
  all.push_back(at(3'000'000));
  const auto bytes = test::bytes_of(all);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"), {.trust = true}));
  analysis::call_tree calls(from->has());
  analysis::run(*from, calls);
  CHECK(calls.is_cut());
  CHECK(calls.result().size() == analysis::call_tree::most_depth);
  std::uint64_t sum = 0;
  for (const analysis::call_node& n : calls.result()) sum += n.instructions;
  CHECK(sum == all.size());
}

TEST_CASE("calls of another stack pointer are ended by it") {
  // Tenet's lines: 1000 calls 2000, which calls 3000. longjmp() goes to 1005 from there, and 1009
  // calls 4000, which drops its return address and jumps back.
  const std::string_view text =
      "rsp=0x9000,rip=0x1000\n"
      "rsp=0x8ff8,rip=0x2000,mw=0x8ff8:0510000000000000\n"
      "rsp=0x8ff0,rip=0x3000,mw=0x8ff0:0520000000000000\n"
      "rip=0x3004\n"
      "rsp=0x9000,rip=0x1500\n"
      "rip=0x1504\n"
      "rsp=0x8ff8,rip=0x4000,mw=0x8ff8:0915000000000000\n"
      "rsp=0x9000,rip=0x4004,mr=0x8ff8:0915000000000000\n"
      "rip=0x1509\n"
      "rip=0x150c\n";
  tracecodec::trace::reader from(tracecodec::trace::source(
      tracecodec::io::open_bytes(std::as_bytes(std::span(text)), "t.tenet.log")));
  analysis::call_tree calls(from.columns().has(), analysis::select_stack_pointer(from.columns()));
  analysis::run(from, calls);
  REQUIRE(calls.result().size() == 4);
  CHECK(calls.result()[0].instructions == 6);
  CHECK(calls.result()[1].function == 0x2000);
  CHECK(calls.result()[2].instructions == 2);
  CHECK(calls.result()[3].function == 0x4000);
  CHECK(calls.result()[3].parent == 0);
  CHECK(calls.result()[3].instructions == 1);
}
