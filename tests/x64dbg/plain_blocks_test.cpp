// Tests of blocks far from the trace's end, which the fast path reads. All ways of reading are
// compared with an independent walk over the bytes.
#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <string_view>

#include "support.hpp"
#include "tracecodec/x64dbg/reader/index.hpp"

using namespace test;

namespace {
struct place {
  std::uint64_t offset, instruction;
  std::optional<std::uint32_t> thread;
  unsigned registers;
  friend bool operator==(const place&, const place&) = default;
};

// Returns the blocks of a sound trace with words of `word` bytes, according to the
// format's description.
std::vector<place> walk(const bytes& t, std::size_t word) {
  const auto at = [&t](std::size_t i) { return std::to_integer<std::size_t>(t[i]); };
  const auto u32 = [&at](std::size_t i) {
    return static_cast<std::uint32_t>(at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24);
  };
  std::vector<place> all;
  std::optional<std::uint32_t> thread;
  for (std::size_t p = 8 + u32(4); p < t.size();) {
    if (at(p) >= 0x80) {
      p += 5 + u32(p + 1);
      continue;
    }
    const std::size_t regs = at(p + 1), mems = at(p + 2), flags = at(p + 3);
    if (flags >= 0x80) thread = u32(p + 4);
    all.push_back({p, all.size(), thread, static_cast<unsigned>(regs)});
    p += 4 + (flags >= 0x80 ? 4 : 0) + flags % 16 + regs * (1 + word);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < mems; ++i) changed += at(p + i) % 2 == 0;
    p += mems + (2 * mems + changed) * word;
  }
  return all;
}

struct outcome {
  std::vector<place> blocks;
  std::string field;  // field of the error; empty if there was none
  std::uint64_t offset = 0;
};
outcome until_error(const std::function<void(std::vector<place>&)>& read) {
  outcome o;
  if (const auto e = error_of([&] { read(o.blocks); })) {
    o.field = e->field();
    o.offset = e->offset().value_or(0);
  }
  return o;
}

template <target T> outcome blocks(io::input in) {
  return until_error([&](auto& all) {
    x64dbg::block_reader<T> r(std::move(in));
    x64dbg::block<T> b;
    while (r.next(b)) {
      const auto at = r.position_of(b);
      all.push_back({at.offset, at.instruction, r.thread(), b.registers});
    }
  });
}
// Reads only the blocks with an even number of registers.
template <target T> outcome wanted(io::input in) {
  return until_error([&](auto& all) {
    x64dbg::block_reader<T> r(std::move(in));
    x64dbg::block<T> b;
    while (r.next(b, [](const x64dbg::block<T>& next) { return next.registers % 2 == 0; })) {
      const auto at = r.position_of(b);
      all.push_back({at.offset, at.instruction, r.thread(), b.registers});
    }
  });
}
template <target T> outcome instructions(io::input in) {
  return until_error([&](auto& all) {
    x64dbg::reader<T> r(std::move(in));
    for (const auto& i : r) all.push_back({i.offset, i.index, i.thread, i.block.registers});
  });
}
template <target T> outcome snapshots(io::input in) {
  return until_error([&](auto& all) {
    x64dbg::block_reader<T> r(std::move(in));
    x64dbg::snapshot_index index(1);
    const auto note = [&] {
      for (const auto& s : index.snapshots())
        all.push_back({s.offset, s.instruction, s.thread, x64dbg::register_words<T>});
      all.push_back({index.end().offset, index.end().instruction, {}, 0});
    };
    try {
      index.add(r);
    } catch (const trace_error&) {
      note();
      throw;
    }
    note();
  });
}

// Reads a trace in all ways. `expected` are its blocks up to the error, which is in
// `field` at `offset`.
template <target T> void check(const std::string& path, const std::vector<place>& expected,
                               std::uint64_t end, const std::string& field = {},
                               std::uint64_t offset = 0) {
  std::vector<place> even, whole;
  for (const place& p : expected) {
    if (p.registers % 2 == 0) even.push_back(p);
    if (p.registers == x64dbg::register_words<T>) whole.push_back(p);
  }
  whole.push_back({end, expected.size(), {}, 0});
  for (const bool map : {true, false}) {
    const auto same = [&](const outcome& o, const std::vector<place>& of) {
      CHECK(o.blocks == of);
      CHECK(o.field == field);
      CHECK(o.offset == offset);
    };
    const auto open = [&] { return io::open_input(path, {.map = map}); };
    same(blocks<T>(open()), expected);
    same(wanted<T>(open()), even);
    same(instructions<T>(open()), expected);
    same(snapshots<T>(open()), whole);
  }
}

template <target T> void check_sample(const std::string& name) {
  const folder dir;
  const auto sound = content(data(name));
  const auto all = walk(sound, sizeof(tracecodec::wire::word_t<T>));
  check<T>(dir.file("sound", sound), all, sound.size());

  // Insert a user block before every 97th block, and one of 70,000 bytes.
  bytes mixed(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(all[0].offset));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 97 == 0) mixed += from_hex("80 03000000 000102");
    if (i == 5000) {
      mixed += from_hex("FF 70110100");
      mixed.resize(mixed.size() + 70000);
    }
    const auto next = i + 1 < all.size() ? all[i + 1].offset : sound.size();
    mixed.insert(mixed.end(), sound.begin() + static_cast<std::ptrdiff_t>(all[i].offset),
                 sound.begin() + static_cast<std::ptrdiff_t>(next));
  }
  check<T>(dir.file("mixed", mixed), walk(mixed, sizeof(tracecodec::wire::word_t<T>)),
           mixed.size());

  // Damage blocks in the middle, with and without a thread id.
  for (const std::size_t n : {9999U, 10000U, 10240U, 10241U, 10752U}) {
    const std::vector<place> before(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    const auto at = static_cast<std::size_t>(all[n].offset);
    auto t = sound;
    t[at] = std::byte{0x7F};
    check<T>(dir.file("type", t), before, at, "type", at);
    t = sound;
    t[at + 3] &= std::byte{0xF0};
    check<T>(dir.file("opcode", t), before, at, "opcode_size", at + 3);
  }
}
}  // namespace

TEST_CASE("all ways of reading deliver the same blocks and errors") {
  check_sample<x64>("threads3_64.trace64.xz");
  check_sample<x86>("work32.trace32.xz");
}

TEST_CASE("reports a position outside REGDUMP, also in a second call") {
  const folder dir;
  auto t = content(data("threads3_64.trace64.xz"));
  const auto all = walk(t, 8);
  std::size_t tried = 0;
  for (const std::size_t n : {10001U, 12345U, 20480U, 25000U}) {
    const auto at = static_cast<std::size_t>(all[n].offset);
    const auto flags = std::to_integer<std::size_t>(t[at + 3]);
    const std::size_t positions = at + 4 + (flags >= 0x80 ? 4 : 0) + flags % 16;
    if (all[n].registers == 0) continue;
    ++tried;
    const std::byte was = std::exchange(t[positions], std::byte{172});
    x64dbg::reader<x64> r(io::open_input(dir.file("t", t)));
    x64dbg::instruction<x64> i;
    for (int twice = 0; twice < 2; ++twice) {
      const auto e = error_of([&] {
        while (r.next(i)) continue;
      });
      REQUIRE(e);
      CHECK(e->field() == "positions");
      CHECK(std::string_view(e->what()).find("; repair skips") != std::string_view::npos);
      CHECK(e->offset() == positions);
      CHECK(e->record() == n);
      CHECK(r.index() == n);
      CHECK(r.position().offset == at);
    }
    t[positions] = was;
  }
  CHECK(tried == 4);
}

TEST_CASE("with repair, the selected blocks equal those of the sound trace") {
  const auto sound = walk(content(data("threads3_64.trace64.xz")), 8);
  x64dbg::block_reader<x64> r(io::open_input(data("threads3_64_legacybug.trace64.xz")),
                              {.repair = true});
  x64dbg::block<x64> b;
  std::size_t n = 0, different = 0, mended = 0;
  for (const place& p : sound) {
    if (p.registers % 2 != 0) continue;
    REQUIRE(r.next(b, [](const x64dbg::block<x64>& next) { return next.registers % 2 == 0; }));
    ++n;
    mended += r.was_mended();
    different +=
        r.index() != p.instruction + 1 || r.thread() != p.thread || b.registers != p.registers;
  }
  CHECK(n > 1000);
  CHECK(mended > 10);
  CHECK(different == 0);
  CHECK(!r.next(b, [](const x64dbg::block<x64>& next) { return next.registers % 2 == 0; }));
}
