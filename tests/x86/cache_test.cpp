// Tests of the cache: results equal those of the disassembler, for random bytes and for a
// user's own disassembler.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "support.hpp"
#include "tracecodec/x86/cache.hpp"
#include "tracecodec/x86/operands.hpp"

namespace {
using namespace test;
using tracecodec::x86::cached_disassembler;
using tracecodec::x86::disassembler;
using tracecodec::x86::zydis_disassembler;

bool same(const instruction& a, const instruction& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  const auto memory = [](const auto& x, const auto& y) {
    return x.displacement == y.displacement && x.size == y.size && x.base == y.base &&
           x.index == y.index && x.segment == y.segment && x.scale == y.scale &&
           x.address_bytes == y.address_bytes && x.kind == y.kind && x.reads == y.reads &&
           x.writes == y.writes && x.conditional == y.conditional;
  };
  return a.length == b.length && a.kind == b.kind && a.condition == b.condition &&
         a.branch_offset == b.branch_offset && a.operand == b.operand && a.repeated == b.repeated &&
         a.absolute == b.absolute && a.frame_level == b.frame_level &&
         a.address_bytes == b.address_bytes && a.target_bytes == b.target_bytes &&
         a.pointer_bytes == b.pointer_bytes && equal(a.registers_read(), b.registers_read()) &&
         equal(a.registers_written(), b.registers_written()) &&
         std::equal(a.memory_operands().begin(), a.memory_operands().end(),
                    b.memory_operands().begin(), b.memory_operands().end(), memory);
}

// Returns opcodes that often share their beginning or their end, or differ only in length.
std::vector<std::byte> random_code(std::mt19937& random) {
  constexpr std::array<unsigned char, 12> often{0x00, 0x48, 0x66, 0xf3, 0x0f, 0x8b,
                                                0x89, 0xc3, 0xc5, 0x62, 0x04, 0x90};
  std::vector<std::byte> code(random() % 17);
  for (std::byte& b : code)
    b = static_cast<std::byte>(random() % 3 != 0 ? often[random() % often.size()] : random());
  return code;
}

// Toy disassembler that decodes nop (90) and short jumps (eb).
struct own_disassembler {
  int* asked;
  instruction decode(std::span<const std::byte> code) noexcept {
    ++*asked;
    instruction i;
    if (code.empty()) return i;
    if (code[0] == std::byte{0x90}) i.length = 1;
    if (code[0] == std::byte{0xeb} && code.size() > 1) {
      i.length = 2;
      i.kind = kind::direct_jump;
      i.branch_offset = static_cast<std::int8_t>(code[1]);
    }
    return i;
  }
  [[nodiscard]] target mode() const { return target::x64; }
};
static_assert(disassembler<own_disassembler>);
static_assert(disassembler<cached_disassembler<own_disassembler>>);
static_assert(!disassembler<int>);
}  // namespace

TEST_CASE("the cache returns the disassembler's results") {
  for (const target t : {target::x64, target::x86}) {
    const zydis_disassembler z(t);
    cached_disassembler<zydis_disassembler, instruction, 64> small(z);  // nearly always replaced
    cached_disassembler<zydis_disassembler> large(z);
    CHECK(large.mode() == t);
    std::mt19937 random(1);
    for (int n = 0; n < 200000; ++n) {
      const auto code = random_code(random);
      const instruction expected =
          z.decode(std::span(code).first(std::min<std::size_t>(code.size(), 15)));
      REQUIRE(same(small.decode(code), expected));
      REQUIRE(same(large.decode(code), expected));
    }
  }
}

TEST_CASE("every query works for instructions from random bytes") {
  std::mt19937 random(2);
  for (const target t : {target::x64, target::x86}) {
    const zydis_disassembler z(t);
    std::size_t valid = 0;
    for (int n = 0; n < 300000; ++n) {
      state s;
      for (auto& value : s.values) value = random() * std::uint64_t{0x100000001};
      const auto code = random_code(random);
      const instruction i = z.decode(code);
      valid += i.valid();
      REQUIRE(i.length <= code.size());
      const std::uint64_t mask = t == target::x64 ? ~std::uint64_t{0} : 0xffffffff;
      tracecodec::x86::accesses(i, s, [&](const memory_access& a) {
        REQUIRE(a.size != 0);
        REQUIRE((a.address & ~mask) == 0);
      });
      const auto lists = tracecodec::x86::simulator_registers<2, 4>(i);
      REQUIRE((i.kind == kind::not_branch || i.kind == kind::system) ==
              (lists.destinations[0] != 26 && lists.destinations[1] != 26));
      (void)tracecodec::x86::taken(i, s);
      (void)tracecodec::x86::taken(i, s, random());
    }
    CHECK(valid > 10000);
  }
}

TEST_CASE("rejects invalid, truncated and empty opcodes") {
  for (const char* bad : {"", "ff", "0f ff", "48", "e8 00 00", "66 66 66", "06"})
    CHECK_FALSE(decode64(bad).valid());
  CHECK_FALSE(decode32("0f 04").valid());
  CHECK(decode32("06").valid());                         // push es
  CHECK(decode64(std::string(28, '6') + "90").valid());  // 14 prefixes: 15 bytes
  CHECK_FALSE(decode64(std::string(30, '6') + "90").valid());
  const instruction nothing;
  CHECK(
      tracecodec::x86::accesses(nothing, state(), [](const memory_access&) { FAIL("an access"); }));
  CHECK(tracecodec::x86::taken(nothing, state()) == false);
}

TEST_CASE("ignores bytes after the instruction") {
  const auto i = decode64("90 90 90");
  CHECK(i.length == 1);
}

TEST_CASE("calls a user's disassembler once for each opcode, and stores derived entries") {
  int asked = 0;
  struct executed_instruction {
    std::uint8_t length;
    tracecodec::x86::register_lists<2, 4> registers;
    explicit executed_instruction(const instruction& i)
        : length(i.length), registers(tracecodec::x86::simulator_registers<2, 4>(i)) {}
  };
  cached_disassembler<own_disassembler, executed_instruction> cached{own_disassembler{&asked}};
  const auto jump = code("eb fe"), nop = code("90"), longer = code("90 00");
  for (int n = 0; n < 3; ++n) {
    CHECK(cached.decode(jump).length == 2);
    CHECK(cached.decode(jump).registers.destinations[0] == 26);
    CHECK(cached.decode(nop).length == 1);
    CHECK(cached.decode(longer).length == 1);  // another cache key, because the size differs
    CHECK(cached.decode({}).length == 0);
  }
  CHECK(asked == 3);
  CHECK(cached.misses() == 3);
}
