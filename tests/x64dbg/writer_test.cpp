// Tests of the writer: samples are rewritten unchanged, states survive each mode,
// and limits are refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "support.hpp"
#include "tracecodec/x64dbg/writer.hpp"

using namespace test;
using x64dbg::writer_mode;

namespace {
template <target T> bytes rewrite(const bytes& from, x64dbg::writer_options options) {
  const folder dir;
  x64dbg::reader<T> in(io::open_input(dir.file("in", from)));
  bytes out;
  x64dbg::writer<T> to(std::make_unique<vector_sink>(out), "out", in.header(), options);
  in.on_user_block([&](x64dbg::user_block_data<T>& u) {
    to.begin_user_block(u.type(), u.size());
    for (auto piece = u.next(); !piece.empty(); piece = u.next()) to.add_user_data(piece);
  });
  for (const auto& i : in) to.write(i);
  to.finish();
  return out;
}

// Checks that two traces agree on every instruction. `b` begins at instruction `from` of `a`.
template <target T> void check_same(const bytes& a, const bytes& b, std::uint64_t from = 0) {
  const folder dir;
  x64dbg::reader<T> x(io::open_input(dir.file("a", a))), y(io::open_input(dir.file("b", b)));
  x64dbg::instruction<T> i, j;
  for (std::uint64_t n = 0; n < from; ++n) REQUIRE(x.next(i));
  std::uint64_t different = 0;
  while (x.next(i)) {
    REQUIRE(y.next(j));
    different += i.thread != j.thread || !std::ranges::equal(i.opcode(), j.opcode()) ||
                 !std::ranges::equal(i.before->values(), j.before->values()) ||
                 i.accesses().size() != j.accesses().size();
    auto k = i.accesses().begin();
    for (const auto& access : j.accesses()) different += !(access == *k++);
  }
  CHECK(!y.next(j));
  CHECK(different == 0);
}
}  // namespace

TEST_CASE("rewrites the samples byte for byte in raw mode and in x64dbg's own mode") {
  const auto w = content(data("work32.trace32.xz"));
  const auto t = content(data("threads3_64.trace64.xz"));
  for (const auto mode : {writer_mode::raw, writer_mode::exact_union}) {
    CHECK(rewrite<x86>(w, {.mode = mode}) == w);
    CHECK(rewrite<x64>(t, {.mode = mode}) == t);
  }
  const auto small = small_trace();
  CHECK(rewrite<x64>(small, {.mode = writer_mode::raw}) == small);
}

TEST_CASE("minimal deltas are smaller and contain the same instructions") {
  const auto t = content(data("threads3_64.trace64.xz"));
  const auto m = rewrite<x64>(t, {});
  CHECK(m.size() < t.size());
  check_same<x64>(t, m);
  const auto w = content(data("work32.trace32.xz"));
  check_same<x86>(w, rewrite<x86>(w, {.snapshot_distance = 7}));
  // Converting minimal deltas back restores x64dbg's union. The last block is an exception, because
  // the file does not contain its effect.
  const auto u = rewrite<x64>(m, {.mode = writer_mode::exact_union});
  REQUIRE(u.size() <= t.size());
  CHECK(t.size() - u.size() < 64);
  check_same<x64>(t, u);
}

TEST_CASE(
    "in minimal mode every block has cip, and snapshots have a thread id and the set distance") {
  const folder dir;
  const auto m = rewrite<x64>(content(data("threads3_64.trace64.xz")), {.snapshot_distance = 100});
  x64dbg::block_reader<x64> in(io::open_input(dir.file("m", m)));
  x64dbg::block<x64> b;
  std::uint64_t ids = 0;
  while (in.next(b)) {
    bool cip = false;
    x64dbg::register_state<x64>::walk(b, [&](std::size_t w, auto) { cip |= w == 16; });
    CHECK(cip);
    CHECK(b.snapshot() == ((in.index() - 1) % 100 == 0));
    if (b.snapshot()) CHECK(b.has_thread);
    ids += b.has_thread && !b.snapshot();
  }
  CHECK(in.index() == 30000);
  CHECK(ids <= 178);
  CHECK(ids >= 170);  // a few of the 178 switches coincide with snapshots
}

TEST_CASE("a slice begins with a snapshot, and a gap is followed by a snapshot") {
  const auto t = content(data("threads3_64.trace64.xz"));
  const folder dir;
  for (const auto mode : {writer_mode::minimal, writer_mode::exact_union}) {
    x64dbg::reader<x64> in(io::open_input(dir.file("in", t)));
    bytes slice, holes;
    x64dbg::writer<x64> to(std::make_unique<vector_sink>(slice), "out", in.header(), {mode});
    x64dbg::writer<x64> gaps(std::make_unique<vector_sink>(holes), "out", in.header(), {mode});
    for (const auto& i : in) {
      if (i.index >= 29000) to.write(i);
      if (i.index < 10 || (i.index >= 700 && i.index < 710)) gaps.write(i);
    }
    to.finish();
    gaps.finish();
    check_same<x64>(t, slice, 29000);
    x64dbg::block_reader<x64> blocks(io::open_input(dir.file("holes", holes)));
    x64dbg::block<x64> b;
    for (int n = 0; n < 20; ++n) {
      REQUIRE(blocks.next(b));
      CHECK(b.snapshot() == (n == 0 || n == 10));
    }
    CHECK(!blocks.next(b));
  }
}

TEST_CASE("refuses an unknown thread after a known thread") {
  for (const auto mode : {writer_mode::minimal, writer_mode::exact_union}) {
    bytes out;
    x64dbg::writer<x64> w(std::make_unique<vector_sink>(out), "out", {}, {.mode = mode});
    w.write(std::nullopt, zeros(), nop, {});
    w.write(std::nullopt, zeros(), nop, {});
    w.write(8, zeros(), nop, {});
    const auto e = error_of([&] { w.write(std::nullopt, zeros(), nop, {}); });
    REQUIRE(e);
    CHECK(e->code() == trace_errc::refused);
    CHECK(e->field() == "thread");
    CHECK(e->record() == 3);
    w.gap();  // a reader keeps the thread across a gap
    CHECK(error_of([&] { w.write(std::nullopt, zeros(), nop, {}); })->field() == "thread");
    w.write(12, zeros(), nop, {});
    w.finish();
    const folder dir;
    x64dbg::reader<x64> r(io::open_input(dir.file("t", out)));
    std::vector<std::optional<std::uint32_t>> threads;
    for (const auto& i : r) threads.push_back(i.thread);
    CHECK(threads == std::vector<std::optional<std::uint32_t>>{{}, {}, 8, 12});
  }
}

TEST_CASE("a trace gets its final name only when it is complete") {
  const folder dir;
  {
    x64dbg::writer<x64> w(dir / "t.trace64", {});
    w.write(1, zeros(), nop, {});
  }
  CHECK(!std::filesystem::exists(dir / "t.trace64"));
  {
    x64dbg::writer<x64> w(dir / "t.trace64.xz", {});
    w.write(1, zeros(), nop, {});
    w.finish();
  }
  x64dbg::reader<x64> r(io::open_input(dir / "t.trace64.xz"));
  x64dbg::instruction<x64> i;
  CHECK(r.next(i));
  CHECK(!r.next(i));
}
