// Tests of memory queries against a model that keeps every byte of a sample's whole run.
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <random>

#include "support.hpp"
#include "tracecodec/x64dbg/memory.hpp"

using namespace test;
using origin = x64dbg::memory_byte::origin;

namespace {
struct use {
  std::uint64_t instruction = 0;
  std::uint8_t before = 0, after = 0;
  bool push_store = false;
  bool changed_word = false;
};
struct model {
  std::map<std::uint64_t, std::vector<use>> uses;  // by address
  std::map<std::uint64_t, std::vector<std::uint64_t>> executed;
};
// Returns a model with every use of every byte. A push is recognised by the first byte of its
// opcode, and by a store just below esp. The sample's 32-bit compiler used no prefixes for pushes.
model model_of(const std::string& path) {
  model m;
  x64dbg::reader<x86> r(io::open_input(path));
  for (const auto& i : r) {
    m.executed[i.ip()].push_back(i.index);
    const auto op = std::to_integer<unsigned>(i.opcode()[0]);
    const auto next = i.opcode().size() > 1 ? std::to_integer<unsigned>(i.opcode()[1]) >> 3 & 7 : 0;
    const bool pushes = (op >= 0x50 && op <= 0x57) || op == 0x68 || op == 0x6a || op == 0xe8 ||
                        (op == 0xff && (next == 2 || next == 6));
    for (const auto& a : i.accesses())
      for (unsigned b = 0; b < 4; ++b) {
        use u{i.index, static_cast<std::uint8_t>(a.old_value >> 8 * b),
              static_cast<std::uint8_t>(a.value_after() >> 8 * b),
              pushes && a.address + 4 == *i.before->get("esp"), a.new_value.has_value()};
        m.uses[static_cast<std::uint32_t>(a.address + b)].push_back(u);
      }
  }
  return m;
}
}  // namespace

TEST_CASE("memory, last writes, next accesses and executions equal the model's") {
  const folder dir;
  const auto path = dir.file("t", content(data("work32.trace32.xz")));
  const model m = model_of(path);
  x64dbg::reader<x86> r(io::open_input(path));
  const auto index = x64dbg::index_of(r);
  x64dbg::memory_queries<x86> memory(r, index);
  std::vector<std::uint32_t> addresses;
  for (const auto& [a, u] : m.uses) addresses.push_back(static_cast<std::uint32_t>(a));
  std::mt19937 random(1);
  for (int n = 0; n < 150; ++n) {
    const std::uint64_t at = random() % 50001;
    const std::uint32_t address =
        addresses[random() % addresses.size()] + static_cast<std::uint32_t>(random() % 5) - 2;
    CAPTURE(at);
    CAPTURE(address);
    const auto got = memory.at(at, address, 6);
    REQUIRE(got.size() == 6);
    for (std::uint32_t k = 0; k < 6; ++k) {
      x64dbg::memory_byte expected;
      const auto found = m.uses.find(address + k);
      if (found != m.uses.end()) {
        const use *last = nullptr, *next = nullptr;
        for (const use& u : found->second) {
          if (u.instruction < at) last = &u;
          if (u.instruction >= at && !next) next = &u;
        }
        if (last)
          expected = {last->after, origin::earlier, last->instruction};
        else if (next && !next->push_store)
          expected = {next->before, origin::later, next->instruction};
      }
      CHECK(got[k] == expected);
    }
    // Last change and next use of one byte.
    std::optional<std::uint64_t> wrote, next;
    if (const auto found = m.uses.find(address); found != m.uses.end())
      for (const use& u : found->second) {
        if (u.instruction < at && u.changed_word && (u.push_store || u.before != u.after))
          wrote = u.instruction;
        if (u.instruction >= at && !next) next = u.instruction;
      }
    const auto w = memory.last_write(at, address);
    CHECK((w ? std::optional(w->instruction) : std::nullopt) == wrote);
    const auto x = memory.next_access(at, address);
    CHECK((x ? std::optional(x->instruction) : std::nullopt) == next);
  }
  int n = 0;
  for (const auto& [ip, when] : m.executed) {
    if (++n % 40 != 0) continue;
    std::vector<std::uint64_t> got;
    memory.executions(static_cast<std::uint32_t>(ip), [&](const x64dbg::instruction<x86>& i) {
      got.push_back(i.index);
      return true;
    });
    CHECK(got == when);
  }
}

TEST_CASE("distinguishes unknown bytes from zero, respects the reach, and wraps addresses") {
  const folder dir;
  x64dbg::reader<x64> r(io::open_input(dir.file("t", small_trace())));
  const auto index = x64dbg::index_of(r);
  x64dbg::memory_queries<x64> memory(r, index);
  const auto one = [&](std::uint64_t n, std::uint64_t a, x64dbg::memory_reach reach = {}) {
    return memory.at(n, a, 1, reach)[0];
  };
  using byte = x64dbg::memory_byte;
  CHECK(one(0, 0x2000) == byte{7, origin::later, 1});
  CHECK(one(2, 0x2000) == byte{7, origin::earlier, 1});
  CHECK(one(3, 0x2000) == byte{9, origin::earlier, 2});
  CHECK(one(99, 0x2000) == byte{9, origin::earlier, 2});
  CHECK(one(3, 0x2008) == byte{});
  CHECK(one(0, 0x3000, {.forward = 2}) == byte{});
  CHECK(one(0, 0x3000, {.forward = 3}) == byte{1, origin::later, 2});
  CHECK(one(3, 0x2000, {.back = 0, .forward = 1}) == byte{});
  CHECK(memory.at(3, 0x1FFE, 12)[2] == byte{9, origin::earlier, 2});
  CHECK(memory.at(3, 0xFFFFFFFFFFFFFFFF, 3)[2] == byte{});
  CHECK(memory.last_write(4, 0x2000)->instruction == 2);
  CHECK(!memory.last_write(2, 0x2000));
  CHECK(!memory.last_write(4, 0x2001));  // the byte there stayed 0
  CHECK(memory.next_access(2, 0x2007)->access.new_value == 9);
}

TEST_CASE("a long query calls the poll hook, and its exception ends the query") {
  bytes raw = small_trace();
  const bytes nops = from_hex("00 01 00 01 90 10 0510400000000000");
  for (int i = 0; i < 200'000; ++i) raw += nops;
  const folder dir;
  x64dbg::reader<x64> r(io::open_input(dir.file("t", raw)));
  const auto index = x64dbg::index_of(r);
  x64dbg::memory_queries<x64> memory(r, index);
  int poll_counter = 0;
  memory.on_poll([&poll_counter] { ++poll_counter; });
  CHECK(memory.last_write(200'000, 0x2000)->instruction == 2);
  CHECK(poll_counter == 3);
  CHECK(!memory.next_access(4, 0x2000));
  CHECK(poll_counter == 6);
  memory.at(100'000, 0x9000, 1);
  CHECK(poll_counter == 9);
  memory.on_poll([] { throw 1; });
  CHECK_THROWS_AS(memory.at(100'000, 0x9000, 1), int);
  CHECK_THROWS_AS(memory.next_access(4, 0x2000), int);
  CHECK(memory.at(3, 0x2000, 1, {.forward = 0})[0].value == 9);
}

TEST_CASE("recognises pushes, and the old values that they make untrustworthy") {
  const auto x64p = [](const char* hex) { return x64dbg::pushes<x64>(from_hex(hex)); };
  const auto x86p = [](const char* hex) { return x64dbg::pushes<x86>(from_hex(hex)); };
  for (const char* op : {"50", "57", "4157", "68 00000000", "6a00", "9c", "e8 00000000", "ffd0",
                         "ff30", "41ff d0", "666a00", "0fa0", "0fa8", "c8 000000", "48ff10"})
    CHECK(x64p(op));
  for (const char* op : {"58", "c3", "8b00", "ffe0", "ff00", "0f05", "90", "", "60", "66"})
    CHECK(!x64p(op));
  for (const char* op : {"60", "06", "0e", "16", "1e", "9a", "40", "50"})
    CHECK(x86p(op) == (std::string(op) != "40"));
  const auto op = from_hex("ff30");  // push [rax]: reads [rax], stores below rsp
  const auto trusts = [&](std::uint64_t address) {
    return x64dbg::trusts_old_value<x64>({address, 0, 1, 0}, op, 0x8000);
  };
  CHECK(!trusts(0x7FF8));
  CHECK(!trusts(0x7FFE));
  CHECK(trusts(0x8000));
  CHECK(trusts(0x1000));
  CHECK(!x64dbg::trusts_old_value<x64>({0x1000, 0, 1, 0}, op, std::nullopt));
}

namespace {

// Source that counts the bytes read from it. Reading can begin at multiples of `block`, as in an xz
// file with several blocks. If `block` is 0, reading can begin only at the first byte, as in a file
// that is compressed as a whole.
class counting_source final : public io::source {
 public:
  counting_source(std::span<const std::byte> all, std::uint64_t block, std::uint64_t& count)
      : from_(all), block_(block), count_(count) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = from_.read(out);
    at_ += n;
    count_ += n;
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override {
    const std::uint64_t to = entry_before(at_ + n);
    return to <= at_ ? 0 : from_.skip(to - std::exchange(at_, to));
  }
  std::uint64_t entry_before(std::uint64_t offset) override {
    return block_ == 0 ? 0 : offset - offset % block_;
  }

 private:
  io::memory_source from_;
  std::uint64_t block_, at_ = 0;
  std::uint64_t& count_;
};

}  // namespace

TEST_CASE("a query reads each block once, and a file without entry points once") {
  bytes raw = small_trace();
  for (int i = 0; i < 100; ++i) {
    raw += snapshot<x64>();
    for (int n = 0; n < 4096; ++n) raw += from_hex("00 01 00 01 90 10 0510400000000000");
  }
  const folder dir;
  x64dbg::reader<x64> whole(io::open_input(dir.file("t", raw)));
  const auto index = x64dbg::index_of(whole);
  REQUIRE(index.snapshots().size() >= 50);
  const std::uint64_t all = index.instructions(), content = raw.size();  // about 6 MB
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  using queries = x64dbg::memory_queries<x64>;
  const auto count_of = [&](std::uint64_t block, auto question) {
    std::uint64_t count = 0;
    x64dbg::reader<x64> r(io::open_sources(
        [&] { return std::unique_ptr<io::source>(new counting_source(raw, block, count)); }, "t",
        {.compression = io::codec::none}));
    queries memory(r, index);
    question(memory);
    return count;
  };
  const auto unknown = [&](queries& memory) {
    CHECK(memory.at(all, 0x9000, 1, {.forward = 0})[0] == x64dbg::memory_byte{});
  };
  const auto two = [&](queries& memory) {
    CHECK(memory.at(all, 0x2000, 1)[0] == x64dbg::memory_byte{9, origin::earlier, 2});
    CHECK(memory.last_write(all - 1, 0x2000)->instruction == 2);
  };
  CHECK(count_of(0, unknown) <= content);
  CHECK(count_of(0, two) <= 2 * content);
  // A window reads ahead up to 1 MiB for each block.
  CHECK(count_of(mebibyte, unknown) <= 3 * content);
  CHECK(count_of(mebibyte, two) <= 6 * content);
  // A nearby write is found without reading the rest.
  CHECK(count_of(mebibyte, [&](queries& memory) {
          CHECK_FALSE(memory.last_write(all, 0x9000, 1, 60'000));
        }) <= 4 * mebibyte);
}
