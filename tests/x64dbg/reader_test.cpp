// Tests of the reader: handwritten blocks, samples compared with ChampSim traces of the same
// runs, and cuts at every byte.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <set>

#include "support.hpp"
#include "tracecodec/champsim/reader.hpp"

using namespace test;

namespace {
std::vector<tracecodec::champsim::instruction> champsim(const std::string& name) {
  tracecodec::champsim::reader<tracecodec::champsim::instruction_codec> r(
      io::open_input(data(name + ".champsimtrace.xz")));
  std::vector<tracecodec::champsim::instruction> all;
  for (auto b = r.next(); !b.records.empty(); b = r.next())
    all.insert(all.end(), b.records.begin(), b.records.end());
  return all;
}
}  // namespace

TEST_CASE("reads registers, threads, accesses and a user block of handwritten blocks") {
  const folder dir;
  const auto path = dir.file("t", small_trace());
  for (const bool map : {true, false}) {
    x64dbg::reader<x64> r(io::open_input(path, {.map = map}));
    std::vector<std::string> user;
    r.on_user_block([&](x64dbg::user_block_data<x64>& u) {
      CHECK(u.type() == 0x80);
      CHECK(u.instruction() == 3);
      CHECK(u.size() == 3);
      const auto piece = u.next();
      CHECK(bytes(piece.begin(), piece.end()) == from_hex("aabbcc"));
      CHECK(u.next().empty());
      user.push_back("seen");
    });
    x64dbg::instruction<x64> i;
    REQUIRE(r.next(i));
    CHECK(i.index == 0);
    CHECK(i.offset == header(x64).size());
    CHECK(i.thread == 0x1234);
    CHECK(i.block.snapshot());
    CHECK(i.before->get("rax") == 0x1000);
    CHECK(i.ip() == 0x1010);
    CHECK(i.before->get("last_error") == 0);  // the high half of word 171
    REQUIRE(r.next(i));
    CHECK(i.thread == 0x1234);
    CHECK(i.ip() == 0x401000);
    CHECK(i.before->get("rax") == 0x55);
    CHECK(i.before->get("rcx") == 0x1001);
    CHECK(bytes(i.opcode().begin(), i.opcode().end()) == from_hex("8b00"));
    REQUIRE(i.accesses().size() == 1);
    CHECK(*i.accesses().begin() == x64dbg::memory_access{0x2000, 7, std::nullopt, 0});
    REQUIRE(r.next(i));
    CHECK(i.thread == 0x5678);
    std::vector<x64dbg::memory_access> a;
    for (const auto& one : i.accesses()) a.push_back(one);
    REQUIRE(a.size() == 2);
    CHECK(a[0] == x64dbg::memory_access{0x2000, 7, 9, 0});
    CHECK(a[1] == x64dbg::memory_access{0x3000, 1, std::nullopt, 0});
    CHECK(user.empty());
    REQUIRE(r.next(i));
    CHECK(i.index == 3);
    CHECK(user.size() == 1);
    CHECK(i.thread == 0x5678);
    CHECK(!r.next(i));
    CHECK(!r.next(i));
  }
}

TEST_CASE("derives the effects of an instruction from the next block") {
  const folder dir;
  x64dbg::reader<x64> r(io::open_input(dir.file("t", small_trace())));
  x64dbg::instruction<x64> i;
  REQUIRE(r.next(i));
  const x64dbg::register_state<x64> before = *i.before;
  REQUIRE(r.next(i));
  std::map<std::size_t, std::uint64_t> changed, again;
  CHECK(x64dbg::for_each_change(before, i.block,
                                [&](std::size_t w, auto, auto v) { changed[w] = v; }));
  x64dbg::for_each_change(before, *i.before, [&](std::size_t w, auto, auto v) { again[w] = v; });
  CHECK(changed == std::map<std::size_t, std::uint64_t>{{0, 0x55}, {16, 0x401000}});
  CHECK(again == changed);
}

TEST_CASE("the samples execute the instructions of their ChampSim traces") {
  for (const std::string name : {"work32", "threads3_64"}) {
    CAPTURE(name);
    const auto records = champsim(name);
    const std::string file = name == "work32" ? name + ".trace32.xz" : name + ".trace64.xz";
    x64dbg::with_reader(io::open_input(data(file)), {}, [&]<target T>(x64dbg::reader<T>& trace) {
      std::size_t n = 0, wrong_ip = 0, wrong_memory = 0, switches = 0;
      std::set<std::uint32_t> threads;
      std::optional<std::uint32_t> last;
      for (const auto& i : trace) {
        REQUIRE(n < records.size());
        const auto& c = records[n++];
        wrong_ip += c.ip != i.ip();
        switches += last && last != i.thread;
        last = i.thread;
        threads.insert(i.thread.value_or(0));
        // Every address of the record is the address of an access.
        std::set<std::uint64_t> addresses;
        for (const auto& a : i.accesses()) addresses.insert(a.address);
        for (const auto a : c.source_memory) wrong_memory += a != 0 && !addresses.count(a);
        for (const auto a : c.destination_memory) wrong_memory += a != 0 && !addresses.count(a);
      }
      CHECK(n == (name == "work32" ? 50000 : 30000));
      CHECK(n == records.size());
      CHECK(wrong_ip == 0);
      CHECK(wrong_memory == 0);
      CHECK(switches == (name == "work32" ? 0 : 178));
      if (name == "threads3_64") CHECK(threads == std::set<std::uint32_t>{6700, 6704, 6708});
    });
  }
}

TEST_CASE("a trace truncated at every byte delivers its whole blocks, then reports the place") {
  const folder dir;
  const auto all = small_trace();
  const std::size_t start = header(x64).size();
  // Offsets at which the four instruction blocks end.
  const std::size_t b0 = start + 9 + 172 * 9, b1 = b0 + 4 + 2 + 2 * 9 + 17,
                    b2 = b1 + 8 + 3 + 9 + 2 * 17 + 8, user = b2 + 8, b3 = user + 4 + 1 + 9;
  REQUIRE(b3 == all.size());
  const std::array<std::size_t, 4> ends{b0, b1, b2, b3};
  for (std::size_t n = start; n <= all.size(); ++n) {
    const auto path = dir.file("cut", std::span(all).first(n));
    for (const bool map : {true, false}) {
      x64dbg::reader<x64> r(io::open_input(path, {.map = map}));
      std::size_t whole = 0;
      const auto e = error_of([&] {
        for (const auto& i : r) whole += i.index == whole;
      });
      std::size_t expected = 0;
      for (const std::size_t end : ends) expected += end <= n;
      CHECK(whole == expected);
      const bool sound = n == start || n == b0 || n == b1 || n == b2 || n == user || n == b3;
      CHECK(e.has_value() == !sound);
      if (!e) continue;
      CHECK(e->code() == trace_errc::truncated);
      CHECK(e->record() == expected);
      CHECK(e->file() == path);
      CHECK(e->offset().value_or(n + 1) <= n);
      x64dbg::instruction<x64> i;
      // The error repeats, and no garbage is delivered.
      CHECK(error_of([&] { r.next(i); }).has_value());
    }
  }
  // Field and offset of the error at some of the cuts.
  const auto field = [&](std::size_t n) {
    x64dbg::reader<x64> r(io::open_input(dir.file("cut", std::span(all).first(n))));
    const auto e = error_of([&] {
      for ([[maybe_unused]] const auto& i : r) continue;
    });
    return e ? e->field() + '@' + std::to_string(*e->offset() - start) : std::string();
  };
  const auto at = [start](std::size_t n) { return std::to_string(n - start); };
  CHECK(field(start + 2) == "accesses@2");
  CHECK(field(start + 6) == "thread@4");
  CHECK(field(start + 8) == "opcode@8");
  CHECK(field(start + 100) == "positions@9");
  CHECK(field(start + 9 + 172 + 7) == "values@181");
  CHECK(field(b1 - 1) == "old_values@" + at(b1 - 8));
  CHECK(field(b2 - 3) == "new_values@" + at(b2 - 8));
  CHECK(field(b2 + 3) == "size@" + at(b2 + 1));
  CHECK(field(b2 + 7) == "data@" + at(b2 + 7));
}

TEST_CASE("reports bad blocks with their offsets") {
  const folder dir;
  const auto front = header(x64) + snapshot<x64>();
  struct example {
    std::string hex, field;
    std::uint64_t at;
  };
  for (const example& x : {
           example{"01 00 00 01 90", "type", 0},
           {"7f", "type", 0},
           {"00 00 00 00", "opcode_size", 3},
           {"00 01 00 01 90 ac 0000000000000000", "positions", 5},
           {"00 02 00 01 90 0a a1 0000000000000000 0000000000000000", "positions", 6},
       }) {
    CAPTURE(x.hex);
    x64dbg::reader<x64> r(io::open_input(dir.file("bad", front + from_hex(x.hex))));
    std::size_t n = 0;
    const auto e = error_of([&] {
      for ([[maybe_unused]] const auto& i : r) ++n;
    });
    CHECK(n == 1);
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->field() == x.field);
    CHECK(e->offset() == front.size() + x.at);
    CHECK(e->record() == 1);
  }
  // The last valid position.
  x64dbg::reader<x64> r(
      io::open_input(dir.file("good", front + from_hex("00 01 00 01 90 ab 0700000000000000"))));
  x64dbg::instruction<x64> i;
  CHECK(r.next(i));
  CHECK(r.next(i));
  CHECK((*i.before)[171] == 7);
}

TEST_CASE("skips a huge user block without memory, and reports its missing end") {
  const folder dir;
  const auto path = dir.file("huge", header(x64) + snapshot<x64>() + from_hex("ff f0ffffff 0011"));
  for (const bool map : {true, false}) {
    x64dbg::reader<x64> r(io::open_input(path, {.map = map}));
    x64dbg::instruction<x64> i;
    CHECK(r.next(i));
    const auto e = error_of([&] { r.next(i); });
    REQUIRE(e);
    CHECK(e->code() == trace_errc::truncated);
    CHECK(e->field() == "data");
  }
}

TEST_CASE("requires a snapshot at the beginning, unless an option allows its absence") {
  const folder dir;
  const auto path = dir.file("t", header(x64) + from_hex("00 01 00 01 90 10 0010400000000000"));
  x64dbg::reader<x64> r(io::open_input(path));
  x64dbg::instruction<x64> i;
  const auto e = error_of([&] { r.next(i); });
  REQUIRE(e);
  CHECK(e->field() == "registers");
  CHECK(e->record() == 0);
  x64dbg::reader<x64> lenient(io::open_input(path), {.without_snapshot = true});
  REQUIRE(lenient.next(i));
  CHECK(i.ip() == 0x401000);
  CHECK(!i.before->known(0));
  CHECK(!i.before->get("rax"));
  CHECK(!i.thread);
  CHECK(!lenient.next(i));
}

TEST_CASE("testing for the end between blocks of a stream changes nothing") {
  // A stream's buffer has 1 MiB. These traces are longer, and end anywhere in the buffer.
  const auto all = content(data("threads3_64.trace64.xz"));
  const folder dir;
  for (const std::size_t size : {std::size_t{1} << 20, (std::size_t{1} << 20) + 5000, all.size()}) {
    const auto path = dir.file("t", std::span(all).first(size));
    x64dbg::reader<x64> asked(io::open_input(path, {.map = false}));
    x64dbg::reader<x64> plain(io::open_input(path));
    x64dbg::instruction<x64> i, j;
    std::uint64_t different = 0;
    bool more = true;
    const auto e = error_of([&] {
      while (more) {
        static_cast<void>(asked.at_end());
        more = asked.next(i);
        different += more != plain.next(j) || i.ip() != j.ip() || i.offset != j.offset;
      }
    });
    CHECK(different == 0);
    CHECK(e.has_value() == (size != all.size()));
  }
}
