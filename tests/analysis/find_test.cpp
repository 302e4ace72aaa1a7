// Tests of find.hpp: every criterion that all formats support, on handmade records.
#include "tracecodec/analysis/find.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "champsim/support.hpp"

namespace champsim = tracecodec::champsim;
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
using analysis::address_span;

static_assert(feed::has_branches<champsim::instruction_view<test::instruction>>());
static_assert(!feed::has_threads<champsim::instruction_view<test::instruction>>());
static_assert(feed::has_threads<champsim::instruction_view<test::cloudsuite_instruction>>());

namespace {

using list = std::vector<std::size_t>;

template <class Feed> list found_in(Feed trace, analysis::find_criteria c) {
  const auto from = feed::make_column_source(std::move(trace));
  analysis::finder wanted(std::move(c), *from);
  from->want(wanted.columns());
  list all;
  for (feed::columns batch; from->next(batch, 4);)
    for (std::size_t row = 0; (row = wanted.next(batch, row)) != batch.size(); ++row)
      all.push_back(static_cast<std::size_t>(batch.first()) + row);
  return all;
}
template <class Feed> bool keeps_state(Feed trace, analysis::find_criteria c) {
  const auto from = feed::make_column_source(std::move(trace));
  return analysis::finder(std::move(c), *from).keeps_state();
}

champsim::trace_feed<> trace_of(const std::vector<std::byte>& bytes) {
  return champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"));
}

// Returns six records. 0: a load; 1: a store; 2: both; 3: a taken branch; 4: a branch not
// taken; 5: a return.
std::vector<std::byte> some_records() {
  std::vector<test::instruction> all(6);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].ip = 0x1000 + 4 * i;
  all[0].source_memory = {0x8000, 0x9000, 0, 0};
  all[1].destination_memory = {0x8000, 0};
  all[2].source_memory[3] = 0x8004;
  all[2].destination_memory[1] = 0xFFFF'FFFF'FFFF'FFFF;
  for (const std::size_t i : {3U, 4U}) {
    all[i].is_branch = 1;
    all[i].branch_taken = i == 3;
    all[i].destination_registers = {26, 0};
    all[i].source_registers = {26, 25, 0, 0};
  }
  all[5].is_branch = all[5].branch_taken = 1;
  all[5].destination_registers = {26, 6};
  all[5].source_registers = {6, 0, 0, 0};
  return test::bytes_of(all);
}

}  // namespace

TEST_CASE("address spans may extend to the last address") {
  constexpr std::uint64_t last = ~std::uint64_t{0};
  const address_span some{0x1000, 0x1007};
  CHECK(some.meets(0x1007, 1));
  CHECK(!some.meets(0x1008, 1));
  CHECK(some.meets(0xFFF, 2));
  CHECK(!some.meets(0xFFF, 1));
  CHECK(!some.meets(0xFFF, 0));  // the size is unknown, so only the first byte counts
  CHECK(some.meets(0x1003, 0));
  CHECK(address_span{last, last}.meets(last - 3, 8));
  CHECK(!address_span{0, 1}.meets(last - 3, 2));
  CHECK(address_span{0, last}.meets(last, 8));
}

TEST_CASE("finds instructions that match all criteria") {
  const auto bytes = some_records();
  const auto found = [&](analysis::find_criteria c) {
    return found_in(trace_of(bytes), std::move(c));
  };
  CHECK(found({}) == list{0, 1, 2, 3, 4, 5});
  CHECK(found({.ip = address_span{0x1004, 0x1008}}) == list{1, 2});
  CHECK(found({.ip = address_span{0x1005, 0x1007}}).empty());
  CHECK(found({.branch = feed::branch_class::conditional}) == list{3, 4});
  CHECK(found({.branch = feed::branch_class::not_branch}) == list{0, 1, 2});
  CHECK(found({.taken = true}) == list{3, 5});
  CHECK(found({.taken = false}) == list{4});
  CHECK(found({.branch = feed::branch_class::return_, .taken = false}).empty());
  CHECK(found({.memory = address_span{0x8000, 0x8003}}) == list{0, 1});
  CHECK(found({.memory = address_span{0x8000, 0x8004}, .writes = false}) == list{0, 2});
  CHECK(found({.memory = address_span{0x8000, 0x8004}, .reads = false}) == list{1});
  CHECK(found({.memory = address_span{0x9000, ~std::uint64_t{0}}}) == list{0, 2});
  CHECK(found({.ip = address_span{0, 0x1000}, .memory = address_span{0x9000, 0x9000}}) == list{0});
}

TEST_CASE("finds the memory accesses of each record") {
  std::mt19937 random(7);
  std::vector<test::instruction> all(300);
  for (std::size_t k = 0; k != all.size(); ++k) {
    all[k].ip = 0x1000 + k % 7;
    for (auto& a : all[k].source_memory) a = random() % 3 == 0 ? 1 + random() % 16 : 0;
    for (auto& a : all[k].destination_memory) a = random() % 9 == 0 ? 1 + random() % 16 : 0;
  }
  const std::vector<std::byte> bytes = test::bytes_of(all);
  for (std::uint64_t first = 1; first != 18; ++first)
    for (const std::uint64_t last : {first, first + 3})
      for (const bool reads : {true, false})
        for (const bool one_ip : {true, false}) {
          analysis::find_criteria c{
              .memory = address_span{first, last}, .reads = reads, .writes = !reads};
          if (one_ip) c.ip = address_span{0x1003, 0x1003};
          list expected;
          const auto has = [&](const auto& slots) {
            return std::any_of(slots.begin(), slots.end(),
                               [&](std::uint64_t a) { return a >= first && a <= last; });
          };
          for (std::size_t k = 0; k != all.size(); ++k)
            if ((!one_ip || all[k].ip == 0x1003) &&
                (reads ? has(all[k].source_memory) : has(all[k].destination_memory)))
              expected.push_back(k);
          // The feed is trusted, because the operands are not those of a real program.
          champsim::trace_feed<> made(tracecodec::io::open_bytes(bytes, "t"), {.trust = true});
          CHECK(found_in(std::move(made), c) == expected);
        }
}

TEST_CASE("finds thread switches, and reports which criteria keep state") {
  std::vector<std::byte> bytes;
  for (const unsigned asid : {7U, 7U, 8U, 8U, 7U, 9U}) {
    test::cloudsuite_instruction r{};
    r.ip = 0x1000;
    r.asid = {static_cast<std::uint8_t>(asid), 0};
    std::vector<std::byte> one(champsim::cloudsuite_codec::size);
    champsim::cloudsuite_codec::encode(r, one);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  using trace = champsim::trace_feed<champsim::cloudsuite_instruction>;
  const auto open = [&] { return trace(tracecodec::io::open_bytes(bytes, "t"), {.trust = true}); };
  CHECK(found_in(open(), {.thread_switch = true}) == list{2, 4, 5});
  CHECK(found_in(open(), {.ip = address_span{0x1000, 0x1000}, .thread_switch = true}) ==
        list{2, 4, 5});
  CHECK(keeps_state(open(), {.thread_switch = true}));
  CHECK(!keeps_state(open(), {.taken = true}));
}

TEST_CASE("refuses criteria that a format does not support, and names the trace") {
  const auto bytes = some_records();
  for (const analysis::find_criteria& c : std::vector<analysis::find_criteria>{
           {.code = {std::byte{0x90}}},
           {.mnemonic = "mov"},
           {.bytes = {std::byte{0}}},
           {.thread_switch = true},
           {.register_value = std::pair(std::string("eax"), std::uint64_t{0})}}) {
    try {
      found_in(trace_of(bytes), c);
      FAIL("accepted");
    } catch (const tracecodec::trace_error& e) {
      CHECK(e.code() == tracecodec::trace_errc::refused);
      CHECK(std::string(e.what()).starts_with("t: a trace of this format has no "));
    }
  }
}
