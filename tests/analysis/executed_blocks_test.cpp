// Tests of executed_blocks.hpp on code that is written by hand, and of the files in export/.
#include "tracecodec/analysis/executed_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "champsim/support.hpp"
#include "tracecodec/analysis/call_tree.hpp"
#include "tracecodec/analysis/export/drcov.hpp"
#include "tracecodec/analysis/export/lcov.hpp"
#include "tracecodec/analysis/export/pprof.hpp"
#include "tracecodec/analysis/run.hpp"
#include "tracecodec/feed/column_source.hpp"

namespace analysis = tracecodec::analysis;

namespace {

test::instruction plain_at(std::uint64_t ip) {
  test::instruction i{};
  i.ip = ip;
  return i;
}
// Returns a taken branch with the registers of a direct jump, a call or a return.
test::instruction branch_at(std::uint64_t ip, std::array<std::uint8_t, 2> written = {26, 0},
                            std::array<std::uint8_t, 4> read = {}) {
  test::instruction i = plain_at(ip);
  i.is_branch = i.branch_taken = 1;
  i.destination_registers = written;
  i.source_registers = read;
  return i;
}

template <class Analysis> void run_over(const std::vector<test::instruction>& all, Analysis& a) {
  const auto bytes = test::bytes_of(all);
  const auto from = tracecodec::feed::make_column_source(
      tracecodec::champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"), {.trust = true}));
  analysis::run(*from, a);
}

struct blocks_and_instructions {
  std::string blocks = {}, instructions = {};
};
// Returns the blocks as "address+size*executions", and the instructions as "address*executions".
blocks_and_instructions executed(const std::vector<test::instruction>& all) {
  analysis::executed_blocks blocks({});
  run_over(all, blocks);
  blocks.finish();
  blocks_and_instructions found;
  for (const auto& b : blocks.result())
    found.blocks += std::to_string(b.address) + '+' + std::to_string(b.size) + '*' +
                    std::to_string(b.executions) + ' ';
  for (const auto& i : blocks.instructions())
    found.instructions += std::to_string(i.address) + '*' + std::to_string(i.executions) + ' ';
  return found;
}

std::string text_of(const test::bytes& all) {
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

tracecodec::program_map map_of(std::vector<tracecodec::program_module> modules) {
  return tracecodec::program_map(std::move(modules));
}

}  // namespace

TEST_CASE("blocks end with branches, gaps and the trace") {
  const auto found = executed({plain_at(100), plain_at(115), branch_at(117), plain_at(100),
                               plain_at(115), branch_at(117), plain_at(115), branch_at(117),
                               plain_at(200), plain_at(216), plain_at(10), plain_at(12)});
  CHECK(found.blocks == "100+18*2 115+3*1 200+1*1 216+1*1 10+3*1 ");
  CHECK(found.instructions == "10*1 12*1 100*2 115*3 117*3 200*1 216*1 ");
}

TEST_CASE("a repeated instruction counts once, and a loop of one branch each time") {
  const auto found = executed({plain_at(100), plain_at(102), plain_at(102), plain_at(102),
                               plain_at(104), branch_at(106), branch_at(106), branch_at(106)});
  CHECK(found.blocks == "100+7*1 106+1*2 ");
  CHECK(found.instructions == "100*1 102*1 104*1 106*3 ");
}

TEST_CASE("code without branches has blocks of 1,024 instructions") {
  std::vector<test::instruction> all;
  for (std::uint64_t i = 0; i != 1500; ++i) all.push_back(plain_at(4 * i));
  CHECK(executed(all).blocks == "0+4093*1 4096+1901*1 ");
}

TEST_CASE("drcov: a long block has several entries, and blocks outside the modules have none") {
  const std::vector<analysis::executed_block> blocks{
      {0x5010, 70000, 3}, {0x400, 5, 1}, {0x5000, 7, 1}, {0x20fff, 16, 1}};
  test::bytes out;
  test::vector_sink to(out);
  const auto map = map_of({{.base = 0x5000, .size = 0x1c000, .path = "/a, \nb"},
                           {.base = 0x900000, .size = 1, .path = "/unused"}});
  CHECK(analysis::write_drcov(to, map, blocks) == 1);
  // The last block ends with the module.
  const std::string head =
      "DRCOV VERSION: 2\nDRCOV FLAVOR: drcov\nModule Table: version 2, count 1\n"
      "Columns: id, base, end, entry, path\n"
      "  0, 0x0000000000005000, 0x0000000000021000, 0x0000000000000000, /a, \\x0ab\n"
      "BB Table: 4 bbs\n";
  REQUIRE(out.size() == head.size() + 32);
  CHECK(text_of(out).substr(0, head.size()) == head);
  CHECK(test::bytes(out.end() - 32, out.end()) ==
        test::from_hex("10000000ffff0000 0f00010071110000 0000000007000000 ffbf010001000000"));
}

TEST_CASE("drcov: a file has up to 65,535 modules, of which 4 GiB can be described") {
  std::vector<tracecodec::program_module> modules;
  std::vector<analysis::executed_block> blocks;
  for (std::uint64_t i = 0; i != 65536; ++i) {
    modules.push_back({.base = i << 8, .size = 16, .path = "m"});
    blocks.push_back({i << 8, 1, 1});
  }
  test::bytes out;
  test::vector_sink to(out);
  const auto map = map_of(modules);
  const auto error = test::error_of([&] { analysis::write_drcov(to, map, blocks); });
  REQUIRE(error);
  CHECK(error->code() == test::trace_errc::refused);
  blocks.pop_back();
  CHECK(analysis::write_drcov(to, map, blocks) == 0);

  const auto large = map_of({{.base = 0x10, .size = std::uint64_t{1} << 40, .path = "m"}});
  out.clear();
  const std::vector<analysis::executed_block> far{{0x10 + (std::uint64_t{1} << 32), 1, 1},
                                                  {0xf + (std::uint64_t{1} << 32), 9, 1}};
  CHECK(analysis::write_drcov(to, large, far) == 1);
  CHECK(test::bytes(out.end() - 8, out.end()) == test::from_hex("ffffffff01000000"));
}

TEST_CASE("pprof: the messages of a profile") {
  test::bytes out;
  test::vector_sink to(out);
  const std::array<analysis::pprof_writer::type, 1> types{{{"i", "n"}}};
  analysis::pprof_writer profile(to, types);
  const auto module = profile.add_mapping(0x1000, 0x2000, "/x", "ab");
  const auto inner = profile.add_location(module, 0x1136, profile.add_function("f"));
  const auto outer = profile.add_location(0, 0x80, profile.add_function("g"));
  profile.add_sample(std::array{inner, outer}, std::array<std::uint64_t, 1>{300});
  profile.finish();
  // Keys are 8 times the number of the field, plus 2 for a part after its size.
  CHECK(out == test::from_hex("3200 320169 32016e 0a0408011002 5a0408011002 6001 7001"
                              "32022f78 32026162 1a10 0801 108020 188040 2000 2803 3004 3801"
                              "320166 2a06 0801 1005 1805 220b 0801 1001 18b622 22020801"
                              "320167 2a06 0802 1006 1806 220b 0802 1000 188001 22020802"
                              "1208 0a020102 1202ac02"));
}

TEST_CASE("pprof: names and stacks that exceed the buffer") {
  test::bytes out;
  test::vector_sink to(out);
  analysis::pprof_writer profile(to, {});
  profile.add_function(std::string(100000, 'x'));
  profile.add_sample(std::vector<std::uint64_t>(100000, ~std::uint64_t{0}), {});
  profile.finish();
  CHECK(std::count(out.begin(), out.end(), std::byte{'x'}) == 100000);
  CHECK(std::count(out.begin(), out.end(), std::byte{0xff}) >= 900000);
}

TEST_CASE("LCOV: a line has the count of its most executed instruction") {
  const std::vector<analysis::executed_instruction> code{{10, 1}, {12, 4}, {20, 2}, {30, 9}};
  analysis::line_coverage lines;
  CHECK(lines.empty());
  lines.add({.files = {"b.c", "a.c"},
             .lines = {{10, 15, 0, 7}, {15, 20, 0, 8}, {20, 30, 1, 3}, {29, 31, 0, 8}},
             .functions = {{10, 0, 6, "f"}, {20, 1, 2, "g"}, {15, 0, 8, "h"}}},
            code);
  lines.add({.files = {"b.c"}, .lines = {{12, 13, 0, 9}}, .functions = {{12, 0, 6, "f"}}}, code);
  test::bytes out;
  tracecodec::io::text_output to(std::make_unique<test::vector_sink>(out));
  lines.write(to);
  to.finish();
  CHECK(text_of(out) ==
        "TN:\nSF:a.c\nFN:2,g\nFNDA:2,g\nFNF:1\nFNH:1\nDA:3,2\nLF:1\nLH:1\nend_of_record\n"
        "TN:\nSF:b.c\nFN:6,f\nFN:8,h\nFNDA:5,f\nFNDA:0,h\nFNF:2\nFNH:1\nDA:7,4\nDA:8,9\nDA:9,4\n"
        "LF:3\nLH:3\nend_of_record\n");
}

TEST_CASE("events of calls: each call that begins ends, except at the end of the trace") {
  const auto call = [](std::uint64_t ip) { return branch_at(ip, {26, 6}, {26, 6, 0, 0}); };
  const auto ret = [](std::uint64_t ip) { return branch_at(ip, {26, 6}, {6, 0, 0, 0}); };
  analysis::call_tree calls({});
  std::string events;
  calls.on_event([&](const analysis::call_event& e) {
    events += (e.begins ? '+' : '-') + std::to_string(calls.result()[e.node].function) + '@' +
              std::to_string(e.at) + ' ';
  });
  // 300 returns to 100, past 200. The last return leads to no call.
  run_over({call(100), call(200), ret(300), call(105), ret(400), ret(106), plain_at(900)}, calls);
  CHECK(events == "+100@0 +200@1 +300@2 -300@3 -200@3 +400@4 -400@5 ");
}
