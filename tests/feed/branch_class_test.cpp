// Tests of branch class, outcome and target, against ChampSim's rules and against real
// programs.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/trace/open.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;
using feed::branch_class;

namespace {
// Returns the class by ChampSim's seven rules, in the order of its documentation, without
// shortcuts.
branch_class by_the_rules(const test::instruction& r) {
  const auto has = [](const auto& a, unsigned v) { return std::count(a.begin(), a.end(), v) != 0; };
  const bool s_sp = has(r.source_registers, 6), s_flags = has(r.source_registers, 25);
  const bool s_ip = has(r.source_registers, 26), d_sp = has(r.destination_registers, 6);
  const bool d_ip = has(r.destination_registers, 26);
  bool other = false;
  for (const auto s : r.source_registers) other = other || (s && s != 6 && s != 25 && s != 26);
  if (!s_sp && !s_flags && d_ip && !other) return branch_class::direct_jump;
  if (!s_sp && !s_ip && !s_flags && d_ip && other) return branch_class::indirect;
  if (!s_sp && s_ip && !d_sp && d_ip && (s_flags || other)) return branch_class::conditional;
  if (s_sp && s_ip && d_sp && d_ip && !s_flags && !other) return branch_class::direct_call;
  if (s_sp && s_ip && d_sp && d_ip && !s_flags && other) return branch_class::indirect_call;
  if (s_sp && !s_ip && d_sp && d_ip) return branch_class::return_;
  if (d_ip) return branch_class::other;
  return branch_class::not_branch;
}
// Returns the class by the rules of ChampSim's releases up to 2023-08.
branch_class by_the_older_rules(const test::instruction& r) {
  const auto has = [](const auto& a, unsigned v) { return std::count(a.begin(), a.end(), v) != 0; };
  const bool s_sp = has(r.source_registers, 6), s_flags = has(r.source_registers, 25);
  const bool s_ip = has(r.source_registers, 26), d_sp = has(r.destination_registers, 6);
  const bool d_ip = has(r.destination_registers, 26);
  bool other = false;
  for (const auto s : r.source_registers) other = other || (s && s != 6 && s != 25 && s != 26);
  if (!s_sp && !s_flags && d_ip && !other) return branch_class::direct_jump;
  if (!s_sp && !s_flags && d_ip && other) return branch_class::indirect;
  if (!s_sp && s_ip && !d_sp && d_ip && s_flags && !other) return branch_class::conditional;
  if (s_sp && s_ip && d_sp && d_ip && !s_flags && !other) return branch_class::direct_call;
  if (s_sp && s_ip && d_sp && d_ip && !s_flags && other) return branch_class::indirect_call;
  if (s_sp && !s_ip && d_sp && d_ip) return branch_class::return_;
  if (d_ip) return branch_class::other;
  return branch_class::not_branch;
}
}  // namespace

TEST_CASE("every combination of relevant registers has ChampSim's branch class") {
  constexpr std::array<std::uint8_t, 6> kinds{0, 6, 25, 26, 10, 255};
  constexpr auto of_2022 = champsim::branch_rules::of_2022;
  unsigned tried = 0;
  // Number of changes, by class today and class before.
  std::array<std::array<unsigned, 8>, 8> changed{};
  for (const auto d0 : kinds)
    for (const auto d1 : kinds)
      for (const auto s0 : kinds)
        for (const auto s1 : kinds)
          for (const auto s2 : kinds)
            for (const auto s3 : kinds) {
              ++tried;
              test::instruction r{};
              r.destination_registers = {d0, d1};
              r.source_registers = {s0, s1, s2, s3};
              const auto now = champsim::branch_class_of(r);
              const auto then = champsim::branch_class_of<of_2022>(r);
              if (now != then)
                ++changed[static_cast<std::size_t>(now)][static_cast<std::size_t>(then)];
              if (now != by_the_rules(r) || then != by_the_older_rules(r))
                FAIL("d " << int(d0) << ' ' << int(d1) << " s " << int(s0) << ' ' << int(s1) << ' '
                          << int(s2) << ' ' << int(s3));
            }
  CHECK(tried == 46'656);
  // Numbers that ChampSim's own inc/instruction.h counted, in release 2023-08 and in May 2025. On
  // these records and on 300,000 random ones, ChampSim derives the classes above.
  using kind = branch_class;
  const auto were = [&](kind now, kind then) {
    return changed[static_cast<std::size_t>(now)][static_cast<std::size_t>(then)];
  };
  CHECK(were(kind::conditional, kind::indirect) == 1440);
  CHECK(were(kind::conditional, kind::other) == 1296);
  CHECK(were(kind::other, kind::indirect) == 320);
  unsigned all = 0;
  for (const auto& row : changed)
    for (const unsigned n : row) all += n;
  CHECK(all == 1440 + 1296 + 320);
}

TEST_CASE("a branch on a counter is conditional now, and indirect by the older rules") {
  test::instruction r{};
  r.ip = 0x1000;
  r.is_branch = 1;
  r.destination_registers = {26, 0};
  r.source_registers = {26, 3, 0, 0};  // jrcxz
  const champsim::instruction_view now(r, 0x2000);
  const champsim::instruction_view<test::instruction, champsim::branch_rules::of_2022> then(r,
                                                                                            0x2000);
  CHECK(now.branch() == branch_class::conditional);
  CHECK(!now.taken());
  CHECK(now.target() == 0);
  CHECK(then.branch() == branch_class::indirect);
  CHECK(then.taken());
  CHECK(then.target() == 0x2000);
}

TEST_CASE("visit uses the selected branch rules") {
  const test::folder dir;
  auto all = test::records(20);
  all[9].source_registers = {26, 3, 0, 0};
  all[19].branch_taken = 0;
  const std::string path = dir.file("t", test::bytes_of(all));
  const auto classes = [](const std::string& trace, const tracecodec::format::open_options& o) {
    std::array<unsigned, 8> n{};
    trace::visit(trace, o, [&n](auto from) {
      for (const auto& i : from) ++n[static_cast<std::size_t>(i.branch())];
    });
    return n;
  };
  using array = std::array<unsigned, 8>;
  CHECK(classes(path, {}) == array{0, 0, 2, 0, 0, 0, 0, 18});
  CHECK(classes(path, {.own = {champsim::branch_rules::of_2022}}) ==
        array{0, 1, 1, 0, 0, 0, 0, 18});
  try {
    (void)classes(test::data("rapidbin/r250.data"), {.own = {champsim::branch_rules::of_2022}});
    FAIL("RapidBin has no registers");
  } catch (const tracecodec::trace_error& e) {
    CHECK(e.code() == tracecodec::trace_errc::refused);
  }
}

TEST_CASE("the class determines outcome and target") {
  test::instruction r{};
  r.ip = 0x1000;
  const auto view = [&] { return champsim::instruction_view<test::instruction>(r, 0x2000); };
  r.branch_taken = 1;
  r.is_branch = 1;  // not a branch by its registers: is_branch is kept, but taken is false
  CHECK(view().branch() == branch_class::not_branch);
  CHECK(view().is_branch());
  CHECK(!view().taken());
  CHECK(view().target() == 0);
  r.branch_taken = r.is_branch = 0;
  CHECK(!view().is_branch());
  r.destination_registers = {26, 0};
  r.source_registers = {26, 0, 0, 0};  // a direct jump is taken, whatever its flag is
  CHECK(view().is_branch());
  CHECK(view().taken());
  CHECK(view().target() == 0x2000);
  r.source_registers = {26, 25, 0,
                        0};  // a conditional branch is taken if its record is marked as taken
  CHECK(!view().taken());
  CHECK(view().target() == 0);
  r.branch_taken = 1;
  CHECK(view().target() == 0x2000);
}

TEST_CASE("operands exclude zeros, and the address space is reported") {
  test::instruction r{};
  r.source_registers = {0, 3, 0, 9};
  r.destination_memory = {0, 0x80};
  const champsim::instruction_view v(r, 0);
  std::vector<unsigned> sources(v.source_registers().begin(), v.source_registers().end());
  CHECK(sources == std::vector<unsigned>{3, 9});
  CHECK(v.source_registers().size() == 2);
  CHECK(v.destination_registers().empty());
  CHECK(*v.destination_memory().begin() == 0x80);
  CHECK(v.asid() == 0);
  test::cloudsuite_instruction c{};
  c.asid = {2, 1};
  CHECK(champsim::instruction_view(c, 0).asid() == 0x102);
}

TEST_CASE("real programs have the executed number of branches of each class") {
  // Expected counts from the opcode bytes and the executed path: direct jump, indirect,
  // conditional, direct call, indirect call, return, other, not a branch; then taken
  // conditional branches.
  struct expected {
    const char* file;
    std::array<std::uint64_t, 8> count;
    std::uint64_t conditional_taken;
  };
  const expected table[] = {
      {"sed64", {709, 757, 8059, 842, 120, 968, 0, 38545}, 3040},
      {"work32", {346, 368, 5326, 1529, 387, 1911, 0, 40133}, 1858},
      {"threads3_64", {358, 216, 3703, 294, 15, 316, 0, 25098}, 1533},
  };
  for (const auto& e : table) {
    std::array<std::uint64_t, 8> count{};
    std::uint64_t taken = 0, all_taken = 0, targets = 0;
    bool last_taken = false;
    champsim::trace_feed<> trace(test::data(std::string(e.file) + ".champsimtrace.xz"));
    for (const auto& i : trace) {
      ++count[static_cast<std::size_t>(i.branch())];
      taken += i.branch() == branch_class::conditional && i.taken();
      if (i.taken()) targets += i.target() != 0;
      all_taken += i.taken();
      last_taken = i.taken();
    }
    CHECK(count == e.count);
    CHECK(taken == e.conditional_taken);
    // All unconditional branches and the counted conditional branches are taken. Each has a target.
    CHECK(all_taken ==
          e.conditional_taken + e.count[0] + e.count[1] + e.count[3] + e.count[4] + e.count[5]);
    CHECK(targets + (last_taken ? 1 : 0) == all_taken);  // no record follows the last one
  }
}
