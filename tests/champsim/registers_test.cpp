// Tests of register_numbers.hpp (traces with other register numbers than ChampSim's) and of
// register_watch.hpp (their detection).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../bytes.hpp"
#include "support.hpp"
#include "tracecodec/champsim/register_numbers.hpp"
#include "tracecodec/champsim/register_watch.hpp"
#include "tracecodec/trace/open.hpp"

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
namespace trace = tracecodec::trace;
using champsim::register_numbers;
using test::cloudsuite_instruction;
using test::instruction;

namespace {

using test::bytes;

// Returns a call and a conditional branch with stack pointer 7, flags 34 and instruction
// pointer 35, between two instructions that use registers 6, 25 and 26.
std::vector<instruction> renumbered() {
  const auto make = [](std::uint64_t ip, bool branch, std::array<std::uint8_t, 2> to,
                       std::array<std::uint8_t, 4> from) {
    return instruction{ip, branch, branch, to, from, {}, {}};
  };
  return {make(0x1000, false, {34, 26}, {6, 25, 0, 0}), make(0x1004, true, {35, 0}, {35, 34, 0, 0}),
          make(0x2000, false, {25, 6}, {26, 255, 1, 0}),
          make(0x2004, true, {35, 7}, {35, 7, 0, 0})};
}

bytes all_of(io::input& in, std::size_t piece) {
  bytes out, part(piece);
  while (const std::size_t n = in.read(part))
    out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n));
  return out;
}

std::string warning_of(const std::vector<instruction>& all, bool note = false) {
  std::string said;
  tracecodec::format::open_options o;
  (note ? o.note : o.warn) = [&said](const std::string& line) { said += line + '\n'; };
  const bytes raw = test::bytes_of(all);
  o.format = &champsim::descriptor::facts;
  trace::visit(io::open_bytes(raw, "t"), o, [](auto feed) {
    while (feed.next().size() != 0) {
    }
  });
  return said;
}

}  // namespace

TEST_CASE("parses register numbers") {
  using champsim::parse_register_numbers;
  CHECK(parse_register_numbers("ip=35,sp=7,flags=34") == register_numbers{35, 7, 34});
  CHECK(parse_register_numbers("flags=34,ip=35") == register_numbers{35, 6, 34});
  CHECK(parse_register_numbers("sp=255") == register_numbers{26, 255, 25});
  CHECK(parse_register_numbers("ip=6,sp=26") == register_numbers{6, 26, 25});
  for (const char* bad :
       {"", "ip", "ip=", "ip=0", "ip=256", "ip=-1", "ip=+1", "ip=1 ", "ip=1,", ",ip=1", "ip=1,ip=2",
        "pc=1", "ip=5,sp=5", "ip=6", "flags=26", "ip=0x1a", "ip=1;sp=2"}) {
    CAPTURE(bad);
    CHECK(parse_register_numbers(bad) == std::nullopt);
  }
}

TEST_CASE("maps registers one to one, and special registers to ChampSim's numbers") {
  for (unsigned ip = 1; ip < 256; ip += 3)
    for (unsigned sp = 1; sp < 256; sp += 5)
      for (const unsigned flags : {6U, 7U, 25U, 26U, 34U, 35U}) {
        if (ip == sp || ip == flags || sp == flags) continue;
        const auto number = [](unsigned n) { return static_cast<std::uint8_t>(n); };
        auto table = register_numbers{number(ip), number(sp), number(flags)}.table();
        const bool right = table[ip] == 26 && table[sp] == 6 && table[flags] == 25 && table[0] == 0;
        const std::size_t moved = 256 - static_cast<std::size_t>(std::count_if(
                                            table.begin(), table.end(), [&table](std::uint8_t& to) {
                                              return &to - table.data() == to;
                                            }));
        std::sort(table.begin(), table.end());
        bool permutation = true;
        for (std::size_t i = 0; i < 256; ++i) permutation = permutation && table[i] == i;
        REQUIRE((right && permutation && moved <= 6));
      }
  CHECK(register_numbers{}.table()[26] == 26);
  const auto table = register_numbers{35, 7, 34}.table();
  CHECK(table[26] == 35);
  CHECK(table[6] == 7);
  CHECK(table[25] == 34);
}

TEST_CASE("renumbers registers in pieces of any size, from any place, and after rewind") {
  const register_numbers numbers{35, 7, 34};
  const bytes raw = test::bytes_of(renumbered());
  // Expected values, derived by hand from the comment of renumbered().
  std::vector<instruction> want = renumbered();
  want[0].destination_registers = {25, 35};
  want[0].source_registers = {7, 34, 0, 0};
  want[1].destination_registers = {26, 0};
  want[1].source_registers = {26, 25, 0, 0};
  want[2].destination_registers = {34, 7};
  want[2].source_registers = {35, 255, 1, 0};
  want[3].destination_registers = {26, 6};
  want[3].source_registers = {26, 6, 0, 0};
  const bytes right = test::bytes_of(want);
  for (const std::size_t piece : {1U, 7U, 11U, 64U, 100U, 4096U}) {
    io::input in = champsim::renumber_registers(io::open_bytes(raw, "t"), numbers, false);
    CHECK(all_of(in, piece) == right);
    REQUIRE(in.rewindable());
    in.rewind();
    CHECK(in.skip(75) == 75);
    CHECK(all_of(in, piece) == bytes(right.begin() + 75, right.end()));
    CHECK(in.content_size() == raw.size());
  }
  io::input once = champsim::renumber_registers(
      io::open_source(std::make_unique<io::memory_source>(raw), "t"), numbers, false);
  CHECK_FALSE(once.rewindable());
  CHECK(all_of(once, 64) == right);

  cloudsuite_instruction wide{};
  wide.destination_registers = {35, 7, 34, 26};
  wide.source_registers = {6, 25, 26, 35};
  wide.asid = {35, 7};
  bytes one(96);
  champsim::cloudsuite_codec::encode(wide, one);
  io::input in = champsim::renumber_registers(io::open_bytes(one, "t"), numbers, true);
  const bytes got = all_of(in, 5);
  champsim::cloudsuite_codec::decode(std::span<const std::byte, 96>(got), wide);
  CHECK(wide.destination_registers == std::array<std::uint8_t, 4>{26, 6, 25, 35});
  CHECK(wide.source_registers == std::array<std::uint8_t, 4>{7, 34, 35, 26});
  CHECK(wide.asid == std::array<std::uint8_t, 2>{35, 7});
}

TEST_CASE("a feed derives classes from the mapped numbers") {
  const bytes raw = test::bytes_of(renumbered());
  std::vector<tracecodec::feed::branch_class> classes;
  tracecodec::format::open_options o;
  o.format = &champsim::descriptor::facts;
  o.own.set(register_numbers{35, 7, 34});
  trace::visit(io::open_bytes(raw, "t"), o, [&classes](auto feed) {
    for (const auto& i : feed) classes.push_back(i.branch());
  });
  using enum tracecodec::feed::branch_class;
  CHECK(classes == std::vector{not_branch, conditional, not_branch, direct_call});
  o.format = &tracecodec::rapidbin::std_descriptor::facts;
  const std::string text = "T0|w(V0)|0\n";
  const auto error = test::error_of(
      [&] { trace::visit(io::open_bytes(std::as_bytes(std::span(text)), "t"), o, [](auto) {}); });
  REQUIRE(error);
  CHECK(error->code() == tracecodec::trace_errc::refused);
}

TEST_CASE("renumbers registers of described records that are single bytes") {
  namespace file = tracecodec::file;
  const auto table = [](const std::string& text) {
    return std::make_shared<const file::record_table>(file::parse_record_table(text, "t.txt"));
  };
  // Sources before destinations, and fields between them that are not registers.
  const auto bytewise = table(
      "0 3 source_registers u8[3]\n3 1 is_branch u8\n4 8 ip u64 little\n"
      "12 1 destination_registers u8\n");
  const bytes raw = test::from_hex(
      "2322 00 01 23 22 07 0000000000 23"   // reads 35, 34; flagged; at 0x072223; writes 35
      "07 1a 06 00 24 22 07 0000000000 06"  // reads 7, 26, 6; writes 6
      "00 00 00 01 25 22 07 0000000000 23");
  tracecodec::format::open_options o;
  std::string said;
  o.warn = [&said](const std::string& line) { said += line + '\n'; };
  const auto registers = [&o, &said](const bytes& all) {
    said.clear();
    std::string s;
    trace::visit(io::open_bytes(all, "t"), o, [&s](auto feed) {
      for (const auto& i : feed) {
        s += tracecodec::feed::name(i.branch());
        for (const unsigned r : i.source_registers()) s += ' ' + std::to_string(r);
        for (const unsigned r : i.destination_registers()) s += " ->" + std::to_string(r);
        s += '\n';
      }
    });
    return s;
  };
  o.record = bytewise;
  CHECK(registers(raw) == "not_branch 35 34 ->35\nnot_branch 7 26 6 ->6\nnot_branch ->35\n");
  CHECK(said.starts_with("t: 2 records flagged as branches do not write"));
  CHECK(said.ends_with("flags=N); register 35 is written by all of them\n"));
  o.own.set(register_numbers{35, 7, 34});
  const std::string want = "conditional 26 25 ->26\nnot_branch 6 35 7 ->7\ndirect_jump ->26\n";
  CHECK(registers(raw) == want);
  CHECK(said.empty());
  // The header stays unchanged.
  o.record = std::make_shared<const file::record_table>(bytewise->with_header(5));
  bytes later(5, std::byte{35});
  later.insert(later.end(), raw.begin(), raw.end());
  CHECK(registers(later) == want);

  o.record = table("0 8 ip u64 little\n8 2 destination_registers u16 little\n");
  const auto error = test::error_of([&] { registers(bytes(10)); });
  REQUIRE(error);
  CHECK(error->code() == tracecodec::trace_errc::refused);
  o.own.reset<register_numbers>();
  bytes wide = test::from_hex("0010000000000000 2301 01");
  o.record = table("0 8 ip u64 little\n8 2 destination_registers u16 little\n10 1 is_branch u8\n");
  registers(wide);
  CHECK(said ==
        "t: a record flagged as a branch does not write register 26, the instruction pointer: "
        "ChampSim ignores these branches\n");
}

TEST_CASE("warns once of branches that ChampSim ignores") {
  const std::vector<instruction> all = renumbered();
  CHECK(warning_of(all) ==
        "t: 2 records flagged as branches do not write register 26, the instruction "
        "pointer: ChampSim ignores these branches. If the trace numbers registers differently, map "
        "them with map_registers (--map-registers ip=N,sp=N,flags=N); register 35 is written by "
        "all of them\n");
  std::vector<instruction> many;
  for (std::size_t i = 0; i < 5000; ++i) many.insert(many.end(), all.begin(), all.end());
  const std::string said = warning_of(many);
  CHECK(std::count(said.begin(), said.end(), '\n') == 1);
  // In records that are not flagged as branches, register 26 may be an ordinary register. A single
  // flagged record that writes register 26 suppresses the warning.
  many[1].destination_registers[1] = 26;
  CHECK(warning_of(many).empty());
  // No register is common to all.
  std::vector<instruction> none = renumbered();
  none[1].destination_registers = {};
  CHECK(warning_of(none).ends_with("flags=N)\n"));
}

TEST_CASE("warns if conditional branches read flags that nothing writes") {
  std::vector<instruction> all;
  for (int i = 0; i < 8; ++i) all.push_back({0x1000, 1, 1, {26, 0}, {26, 25, 0, 0}, {}, {}});
  CHECK(warning_of(all, true).starts_with(
      "t: 8 conditional branches read the flags, register 25, but no record writes them"));
  CHECK(warning_of(all).empty());
  std::vector<instruction> few(all.begin(), all.begin() + 7);
  CHECK(warning_of(few, true).empty());
  all[7].destination_registers[1] = 25;
  CHECK(warning_of(all, true).empty());
  CHECK(warning_of(renumbered(), true).empty());
}
