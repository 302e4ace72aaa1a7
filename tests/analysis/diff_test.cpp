// Tests of diff.hpp with sequences whose differences are known.
#include "tracecodec/analysis/diff.hpp"
#include "tracecodec/analysis/diff/impl/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "champsim/support.hpp"

namespace champsim = tracecodec::champsim;
namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;

namespace {

using ips = std::vector<std::uint64_t>;

// Returns records at the given addresses.
std::vector<test::instruction> records_at(const ips& all) {
  std::vector<test::instruction> records;
  for (const std::uint64_t ip : all) {
    test::instruction r{};
    r.ip = ip;
    records.push_back(r);
  }
  return records;
}
ips numbers(std::uint64_t first, std::size_t n) {
  ips all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(first + 4 * i);
  return all;
}
ips operator+(ips a, const ips& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct part {
  std::size_t before, only_a, only_b;
  bool found;  // false if lost
  friend bool operator==(const part&, const part&) = default;
};
struct reported {
  analysis::diff_summary sum = {};
  std::vector<part> parts = {};
  // Index in a, and the kinds of differences.
  std::vector<std::pair<std::uint64_t, std::string>> steps = {};
  std::size_t meet = 0;  // number of divergences after which the traces meet again
  bool failed = false;
};

reported compare_bytes(std::span<const std::byte> a, std::span<const std::byte> b,
                       analysis::diff_options o = {}) {
  const auto open = [](std::span<const std::byte> bytes) {
    return analysis::diff_source(
        champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t"), {.trust = true}));
  };
  reported t;
  try {
    analysis::diff(
        open(a), open(b), o, t.sum,
        [&](const auto& p, const auto& q, analysis::differences d) {
          CHECK(p.record.ip == q.record.ip);
          t.steps.emplace_back(p.index, std::string(d.registers ? "r" : "") +
                                            (d.memory ? "m" : "") + (d.outcome ? "o" : ""));
        },
        [&](const analysis::divergence& d) {
          CHECK(d.before_a.size() == d.before_b.size());
          CHECK((d.meets_a == nullptr) == (d.meets_b == nullptr));
          if (d.meets_a != nullptr) CHECK(d.meets_a->record.ip == d.meets_b->record.ip);
          t.parts.push_back({d.before_a.size(), d.only_a.size(), d.only_b.size(), !d.lost});
          t.meet += d.meets_a != nullptr;
        });
  } catch (const tracecodec::trace_error& e) {
    CHECK(e.code() == tracecodec::trace_errc::truncated);
    t.failed = true;
  }
  return t;
}
reported compare(const std::vector<test::instruction>& a, const std::vector<test::instruction>& b,
                 analysis::diff_options o = {}) {
  return compare_bytes(test::bytes_of(a), test::bytes_of(b), o);
}
reported compare(const ips& a, const ips& b, analysis::diff_options o = {}) {
  return compare(records_at(a), records_at(b), o);
}

}  // namespace

TEST_CASE("a trace equals itself") {
  const reported t = compare(numbers(0x1000, 5000), numbers(0x1000, 5000));
  CHECK(t.sum.same());
  CHECK(t.sum.aligned == 5000);
  CHECK(t.parts.empty());
}

TEST_CASE("reports instructions that only one trace has") {
  const ips front = numbers(0x1000, 100), extra = numbers(0x9000, 5), rest = numbers(0x2000, 100);
  const reported more = compare(front + rest, front + extra + rest);
  CHECK(more.parts == std::vector<part>{{3, 0, 5, true}});
  CHECK(more.meet == 1);
  CHECK(more.sum.aligned == 200);
  CHECK(!more.sum.same());
  const reported less = compare(front + extra + rest, front + rest);
  CHECK(less.parts == std::vector<part>{{3, 5, 0, true}});
  const reported other = compare(front + extra + rest, front + numbers(0x8000, 9) + rest);
  CHECK(other.parts == std::vector<part>{{3, 5, 9, true}});
  // At the beginning there is no context.
  CHECK(compare(extra + rest, rest).parts == std::vector<part>{{0, 5, 0, true}});
}

TEST_CASE("reports additional iterations of a loop") {
  ips a = numbers(0x1000, 30), b = a;
  for (int i = 0; i < 100; ++i) a = a + numbers(0x5000, 3);
  for (int i = 0; i < 103; ++i) b = b + numbers(0x5000, 3);
  const ips rest = numbers(0x2000, 100);
  const reported t = compare(a + rest, b + rest);
  CHECK(t.parts == std::vector<part>{{3, 0, 9, true}});
  CHECK(t.sum.aligned == 430);
}

TEST_CASE("reports different registers, memory and outcomes at the same ip") {
  const auto a = records_at(numbers(0x1000, 50));
  auto b = a;
  b[3].source_registers[1] = 7;
  b[5].destination_memory[0] = 0x7000;
  b[7].source_memory[3] = 1;
  b[9].destination_registers = {26, 0};
  b[9].source_registers = {26, 0, 0, 0};
  b[9].is_branch = b[9].branch_taken = 1;
  b[11].is_branch = 1;  // a branch by its flag only
  const reported t = compare(a, b);
  CHECK(t.steps == std::vector<std::pair<std::uint64_t, std::string>>{
                       {3, "r"}, {5, "m"}, {7, "m"}, {9, "ro"}, {11, "o"}});
  CHECK(t.sum.registers == 2);
  CHECK(t.sum.memory == 2);
  CHECK(t.sum.outcome == 2);
  CHECK(t.sum.divergences == 0);
  CHECK(t.sum.aligned == 50);
  CHECK(!t.sum.same());
}

TEST_CASE("reports the rest of a longer trace as one divergence") {
  const reported t = compare(numbers(0x1000, 100), numbers(0x1000, 1000), {.window = 64});
  CHECK(t.parts == std::vector<part>{{3, 0, 64, true}});
  CHECK(t.sum.only_b == 900);
  CHECK(t.meet == 0);
  CHECK(t.sum.divergences == 1);
  CHECK(!t.sum.lost);
  // Fewer instructions than a run are left, but the two traces are equal up to their ends.
  const ips end = numbers(0x3000, 4), front = numbers(0x1000, 40);
  CHECK(compare(front + ips{0x9000} + end, front + end).parts ==
        std::vector<part>{{3, 1, 0, true}});
}

TEST_CASE("does not compare instructions after a window without a meeting point") {
  const ips front = numbers(0x1000, 10);
  const reported t = compare(front + numbers(0x10000, 3000), front + numbers(0x80000, 3000),
                             {.window = 1000, .context = 2});
  CHECK(t.parts.size() == 1);
  CHECK(t.parts[0].before == 2);
  CHECK(!t.parts[0].found);
  CHECK(t.sum.lost);
  CHECK(t.sum.aligned == 10);
  // If both traces end within the window, everything is compared, even if their ends differ.
  CHECK(compare(front + numbers(0x10000, 300), front + numbers(0x80000, 300), {.window = 300})
            .parts == std::vector<part>{{3, 300, 300, true}});
  const reported whole = compare(front + numbers(0x10000, 300), front + numbers(0x80000, 200));
  CHECK(whole.parts == std::vector<part>{{3, 300, 200, true}});
}

TEST_CASE("retries after a window without a meeting point") {
  const ips front = numbers(0x1000, 10), rest = numbers(0x2000, 100);
  const ips a = front + numbers(0x10000, 1000) + rest, b = front + numbers(0x80000, 1000) + rest;
  const reported t = compare(a, b, {.window = 300, .retries = 3});
  CHECK(t.parts == std::vector<part>{{3, 300, 300, true}});
  CHECK(t.meet == 1);
  CHECK(t.sum.retries == 3);
  CHECK(t.sum.only_a == 1000);
  CHECK(t.sum.only_b == 1000);
  CHECK(t.sum.aligned == 110);
  CHECK(!t.sum.lost);
  const reported few = compare(a, b, {.window = 300, .retries = 2});
  CHECK(few.parts == std::vector<part>{{3, 300, 300, false}});
  CHECK(few.sum.lost);
  CHECK(few.sum.retries == 2);
  CHECK(few.sum.only_a == 900);
  CHECK(few.sum.aligned == 10);
  CHECK(compare(a, b, {.window = 300}).sum.retries == 0);
  // Retries count per divergence.
  const reported twice = compare(a + numbers(0x20000, 400) + rest, b + numbers(0x90000, 400) + rest,
                                 {.window = 300, .retries = 3});
  CHECK(twice.parts == std::vector<part>{{3, 300, 300, true}, {3, 300, 300, true}});
  CHECK(twice.sum.retries == 4);
  CHECK(twice.sum.aligned == 210);
}

TEST_CASE("counts the rest if one trace ends after a window without a meeting point") {
  const ips front = numbers(0x1000, 10);
  const ips a = front + numbers(0x10000, 400), b = front + numbers(0x80000, 2000);
  const reported t = compare(a, b, {.window = 300, .retries = 50});
  CHECK(t.parts == std::vector<part>{{3, 300, 300, true}});
  CHECK(t.meet == 0);
  CHECK(t.sum.only_a == 400);
  CHECK(t.sum.only_b == 2000);
  CHECK(compare(b, a, {.window = 300, .retries = 50}).sum.only_a == 2000);
  // One of the traces may also be truncated after the window.
  auto cut = test::bytes_of(records_at(a));
  cut.resize(cut.size() - 1);
  const reported failed =
      compare_bytes(cut, test::bytes_of(records_at(b)), {.window = 300, .retries = 50});
  CHECK(failed.failed);
  CHECK(failed.parts == std::vector<part>{{3, 300, 300, true}});
  CHECK(failed.sum.only_a == 399);
  CHECK(!failed.sum.lost);
}

TEST_CASE(
    "compares a truncated trace up to its last whole record, and its end is not a difference") {
  const auto a = test::bytes_of(records_at(numbers(0x1000, 100)));
  auto b = a;
  b.resize(64 * 60 + 10);
  b[64 * 20 + 40] = std::byte{1};  // address of a source operand
  const reported t = compare_bytes(a, b);
  CHECK(t.failed);
  CHECK(t.parts.empty());
  CHECK(t.steps == std::vector<std::pair<std::uint64_t, std::string>>{{20, "m"}});
}

TEST_CASE("compares a truncated trace that ends in a divergence") {
  const auto a = test::bytes_of(records_at(numbers(0x1000, 10) + numbers(0x2000, 100)));
  auto b = test::bytes_of(records_at(numbers(0x1000, 10) + numbers(0x8000, 100)));
  b.resize(b.size() - 1);
  const reported t = compare_bytes(a, b);
  CHECK(t.failed);
  CHECK(t.parts == std::vector<part>{{3, 100, 99, true}});
  CHECK(!t.sum.lost);
  CHECK(compare_bytes(a, b, {.window = 300, .retries = 5}).sum.retries == 0);
}

TEST_CASE("compares a longer trace that is truncated after the other trace's end") {
  const auto a = test::bytes_of(records_at(numbers(0x1000, 100)));
  auto b = test::bytes_of(records_at(numbers(0x1000, 150)));
  b.resize(b.size() - 1);
  const reported t = compare_bytes(a, b);
  CHECK(t.failed);
  CHECK(t.parts == std::vector<part>{{3, 0, 49, true}});
  CHECK(t.sum.aligned == 100);
}

TEST_CASE("an unknown target is not a difference") {
  auto a = records_at(numbers(0x1000, 20));
  a[9].destination_registers = {26, 0};
  a[9].source_registers = {26, 0, 0, 0};
  a[9].is_branch = a[9].branch_taken = 1;
  auto b = a;
  b.resize(10);  // no instruction follows
  const reported t = compare(a, b);
  CHECK(t.steps.empty());
  CHECK(t.parts == std::vector<part>{{3, 10, 0, true}});
}

TEST_CASE("refuses invalid options") {
  const auto refused = [](analysis::diff_options o) {
    const auto empty = [] {
      return analysis::diff_source(
          champsim::trace_feed<>(tracecodec::io::open_bytes(std::span<const std::byte>{}, "t")));
    };
    analysis::diff_summary sum;
    try {
      analysis::diff(
          empty(), empty(), o, sum, [](auto&&...) {}, [](auto&&) {});
    } catch (const tracecodec::trace_error& e) {
      return e.code() == tracecodec::trace_errc::refused;
    }
    return false;
  };
  CHECK(refused({.run = 0}));
  CHECK(refused({.run = 16, .window = 15}));
}

TEST_CASE("finds the same nearest meeting point as an exhaustive search") {
  std::mt19937 random(4);  // NOLINT: the same in each run
  for (int round = 0; round < 2000; ++round) {
    const std::size_t run = 1 + random() % 4;
    const auto some = [&] {
      std::vector<analysis::diff_step> all(random() % 24);
      for (auto& s : all) s.record.ip = random() % 3;
      return all;
    };
    const auto a = some(), b = some();
    const auto equal = [&](std::size_t i, std::size_t j, std::size_t n) {
      for (std::size_t k = 0; k < n; ++k)
        if (a[i + k].record.ip != b[j + k].record.ip) return false;
      return true;
    };
    std::optional<analysis::detail::meeting_point> expected;
    for (std::size_t i = 0; i + run <= a.size(); ++i)
      for (std::size_t j = 0; j + run <= b.size(); ++j)
        if (equal(i, j, run) && (!expected || i + j < expected->a + expected->b)) expected = {i, j};
    CHECK(analysis::detail::meeting(a, b, run, false) == expected);
    if (expected) continue;
    for (std::size_t n = std::min(a.size(), b.size()); n != 0 && !expected; --n)
      if (equal(a.size() - n, b.size() - n, n)) expected = {a.size() - n, b.size() - n};
    CHECK(analysis::detail::meeting(a, b, run, true) == expected);
  }
}

TEST_CASE("finds random edits") {
  std::mt19937 random(3);  // NOLINT: the same in each run
  for (int round = 0; round < 50; ++round) {
    ips a, b;
    std::vector<part> expected;
    std::uint64_t fresh = 0x100000;
    const auto some = [&](std::size_t n) {
      const ips all = numbers(fresh, n);
      fresh += 4 * n + 400;
      return all;
    };
    std::uint64_t aligned = 0;
    for (int i = 0; i < 20; ++i) {
      const ips common = some(16 + random() % 50);
      a = a + common;
      b = b + common;
      aligned += common.size();
      const std::size_t x = random() % 40, y = random() % 40;
      if (x + y == 0 || i == 19) continue;
      a = a + some(x);
      b = b + some(y);
      expected.push_back({3, x, y, true});
    }
    const reported t = compare(a, b);
    CHECK(t.parts == expected);
    CHECK(t.sum.aligned == aligned);
  }
}
