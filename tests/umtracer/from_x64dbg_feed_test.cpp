// Traces converted from x64dbg: their feeds deliver the instructions of the original traces.
#include <algorithm>
#include <random>

#include "tracecodec/champsim/layout.hpp"
#include "tracecodec/champsim/record_of.hpp"
#include "tracecodec/umtracer/feed.hpp"
#include "tracecodec/x64dbg/feed.hpp"
#include "umtracer/from_x64dbg.hpp"

using namespace test;

namespace {

struct shown {
  tracecodec::champsim::instruction record;
  feed::branch_class branch;
  bool taken;
  std::uint64_t target;
  std::vector<x86_::memory_access> memory;
  std::uint32_t thread;
  x86_::outcome outcome;
  bool complete = true;

  friend bool operator==(const shown&, const shown&) = default;
};

// Compares two instructions. Ignores addresses of written memory that depend on unreliable outputs,
// because `have` cannot contain these addresses.
bool same(shown have, shown want) {
  if (!have.complete) {
    want.record.destination_memory = have.record.destination_memory = {};
    for (shown* s : {&have, &want})
      std::erase_if(s->memory, [](const x86_::memory_access& a) { return a.write; });
  }
  want.complete = have.complete;
  return have == want;
}

// Collects a feed's instructions. `thread_of` returns the thread's number in the source.
template <class Feed, class F> std::vector<shown> show_all(Feed&& f, F thread_of) {
  std::vector<shown> list;
  feed::for_each(f, [&](const auto& i) {
    shown s{tracecodec::champsim::record_of<tracecodec::champsim::instruction>(i).record,
            i.branch(),
            i.taken(),
            i.target(),
            {},
            thread_of(i.asid()),
            i.outcome(),
            i.record().complete};
    for (const auto& a : i.accesses()) s.memory.push_back(a);
    list.push_back(std::move(s));
  });
  return list;
}
template <target T> std::vector<shown> show_source(const std::string& path) {
  return show_all(x64dbg::trace_feed<T>(io::open_input(path)), [](std::uint32_t id) { return id; });
}
inline std::vector<shown> show_made(umtracer::trace_feed& f) {
  return show_all(f, [&](std::uint32_t id) { return f.trace().threads()[id].win_tid; });
}

// Creates random instructions with random registers, in three threads, without
// recorded memory words.
template <target T> program<T> random_program(std::size_t n, std::vector<std::string>& texts) {
  using word = typename program<T>::word;
  std::mt19937_64 random(7);  // NOLINT: the same in each run
  const x86_::zydis_disassembler d(T);
  program<T> p;
  while (texts.size() != n) {
    bytes code(15);
    for (std::byte& b : code) b = static_cast<std::byte>(random());
    const auto i = d.decode(code);
    if (!i.valid()) continue;
    std::string hex;
    for (const std::byte b : std::span(code).first(i.length))
      for (const unsigned shift : {4U, 0U})
        hex += "0123456789abcdef"[std::to_integer<unsigned>(b) >> shift & 15];
    for (std::size_t w = 0; w < (T == x64 ? 16 : 8); ++w)
      p.set(w, static_cast<word>(random() >> random() % 60));
    p.set(program<T>::flags_word, static_cast<word>(random() & 0xfff));
    p.step(static_cast<std::uint32_t>(1 + random() % 3), static_cast<word>(random()), hex);
    texts.push_back(d.text(code, 0));
  }
  return p;
}

// Returns true for instructions that the comparison skips. enter with a nesting level has more
// operands than the UMTracer feed reads. Registers that do not exist in 32-bit code are not in
// the map, but syscall and sysret use r11 there.
bool is_exempt(const std::string& text) {
  return text.starts_with("enter") || text.starts_with("sysc") || text.starts_with("sysr");
}

template <target T> void check_random() {
  std::vector<std::string> texts;
  auto p = random_program<T>(5000, texts);
  const folder dir;
  const std::string path = dir.file("p", p.trace());
  x64dbg::reader<T> from(io::open_input(path));
  convert_x64dbg(from, dir / "t");
  const auto want = show_source<T>(path);
  umtracer::trace_feed made(dir / "t");
  const auto have = show_made(made);
  REQUIRE(have.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(texts[i]);
    if (!is_exempt(texts[i])) REQUIRE(same(have[i], want[i]));
  }
  CHECK(made.counts().undecoded == 0);
  // No memory is known, so instructions with memory operands are marked as incomplete.
  CHECK(made.counts().incomplete > 1000);
}

}  // namespace

TEST_CASE("the converted trace's feed equals the original's") {
  const folder dir;
  for (const std::string name : x64dbg_samples) {
    CAPTURE(name);
    std::vector<shown> want;
    with_sample(name, [&]<target T>(x64dbg::reader<T>& from) {
      convert_x64dbg(from, dir / name);
      want = show_source<T>(data(name));
    });
    umtracer::trace_feed made(dir / name);
    const auto have = show_made(made);
    CHECK(have.size() == (name == x64dbg_samples[1] ? 30000 : 50000));
    REQUIRE(have.size() == want.size());
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      REQUIRE(same(have[i], want[i]));
      unknown += !have[i].complete;
    }
    CHECK(unknown <= made.trace().threads().size());  // the last instruction of each thread
    CHECK(made.counts().undecoded == 0);
  }
}

TEST_CASE("random instructions are equal in both feeds") {
  SUBCASE("32 bits") { check_random<target::x86>(); }
  SUBCASE("64 bits") { check_random<target::x64>(); }
}
