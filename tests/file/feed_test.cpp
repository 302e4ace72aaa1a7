// Tests a feed made from a description and a mapping.
#include "tracecodec/feed/of.hpp"

#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/wire/items/varint.hpp"
#include "tracecodec/wire/rules/choice.hpp"

using namespace test;
namespace feed = tracecodec::feed;
namespace map = feed::map;
using feed::branch_class;

namespace {
// Jumps and calls to the address of the next record. Some are not taken.
struct move {
  std::uint64_t ip;
  std::uint8_t what;  // 0: none, 1: conditional, 2: call
  std::uint8_t taken;
  std::array<std::uint8_t, 3> writes;
  std::uint8_t reads;
  std::array<std::uint64_t, 2> stores;
};
constexpr bool was_taken(const move& m) { return m.taken == 1; }
using move_file = file::of<"moves", file::records<wire::record<move>>>;
using move_feed =
    feed::of<move_file, map::ip<&move::ip>,
             map::branch<branch_class::conditional, map::is<&move::what, 1>>,
             map::branch<branch_class::direct_call, map::is<&move::what, 2>>,
             map::taken<&was_taken>, map::destination_registers<&move::writes>,
             map::source_registers<&move::reads>, map::destination_memory<&move::stores>>;
static_assert(feed::stream<move_feed>);
static_assert(feed::has_branches<move_feed::batch_type::value_type>());
static_assert(!feed::has_threads<move_feed::batch_type::value_type>());

using line_feed = feed::of<line_file, map::ip<&line::mark>, map::asid<&line::length>,
                           map::branch<branch_class::other, map::is<&line::length, 5, 2>>>;
static_assert(feed::stream<line_feed>);

std::vector<move> moves(std::size_t n) {
  std::vector<move> all;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back({0x100 + i,
                   static_cast<std::uint8_t>(i % 3),
                   static_cast<std::uint8_t>(i % 2),
                   {0, 7, static_cast<std::uint8_t>(i % 4)},
                   9,
                   {i, 0}});
  return all;
}
template <class Range> std::vector<std::uint64_t> values(const Range& r) {
  std::vector<std::uint64_t> all;
  for (const auto v : r) all.push_back(v);
  return all;
}
using list = std::vector<std::uint64_t>;
}  // namespace

TEST_CASE("maps members to an instruction, and a taken branch leads to the next record") {
  const folder dir;
  const auto all = moves(9000);
  move_file::writer out(dir / "t");
  out.write(all);
  out.finish();
  for (const bool mapped : {true, false}) {
    move_feed from(io::open_input(dir / "t", {.map = mapped}));
    CHECK(from.count() == 9000);
    std::size_t n = 0;
    for (const auto& i : from) {
      const move& m = all[n++];
      REQUIRE(i.ip() == m.ip);
      CHECK(i.branch() == (m.what == 0   ? branch_class::not_branch
                           : m.what == 1 ? branch_class::conditional
                                         : branch_class::direct_call));
      CHECK(i.taken() == (m.what != 0 && m.taken == 1));
      CHECK(i.target() == (i.taken() && n < 9000 ? m.ip + 1 : 0));
      CHECK(values(i.destination_registers()) ==
            (m.writes[2] == 0 ? list{7} : list{7, m.writes[2]}));
      CHECK(values(i.source_registers()) == list{9});
      CHECK(values(i.destination_memory()) == (m.stores[0] == 0 ? list{} : list{m.stores[0]}));
      CHECK(i.source_memory().empty());
      CHECK(i.record().what == m.what);
      CHECK(i.asid() == 0);
    }
    CHECK(n == 9000);
    from.rewind();
    CHECK(from.skip(8999) == 8999);
    auto last = from.next();
    CHECK(last.size() == 1);
    CHECK(last.last_batch());
  }
}

TEST_CASE("the operands of an array are its nonzero elements, in order") {
  struct operands {
    std::uint64_t ip;
    std::array<std::uint8_t, 8> eight;
    std::array<std::uint8_t, 9> nine;
    std::array<std::uint16_t, 5> words;
  };
  using operand_file =
      file::of<"operands", file::records<wire::record<operands, wire::order::big>>>;
  using operand_feed =
      feed::of<operand_file, map::ip<&operands::ip>, map::source_registers<&operands::eight>,
               map::destination_registers<&operands::nine, map::is<&operands::ip, 1, 3>>,
               map::source_memory<&operands::words>>;
  // struct.pack('>Q8B9B5H', ...)
  const bytes raw = from_hex(
      "0000000000000001 00017f80ff000002 000000000000000100 00000100000000010000"
      "0000000000000002 0000000000000000 010203040506070809 00000000000000000000"
      "0000000000000003 0102030405060708 ff00000000000000ff ffff0000000000008000");
  operand_feed from(mapped(raw));
  const auto b = from.next();
  REQUIRE(b.size() == 3);
  CHECK(values(b[0].source_registers()) == list{1, 0x7f, 0x80, 0xff, 2});
  CHECK(b[0].source_registers().size() == 5);
  CHECK(values(b[0].destination_registers()) == list{1});
  CHECK(values(b[0].source_memory()) == list{0x100, 1});
  CHECK(b[1].source_registers().empty());
  CHECK(b[1].destination_registers().empty());  // the mapping skips this ip
  CHECK(b[1].source_memory().empty());
  CHECK(values(b[2].source_registers()) == list{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(values(b[2].destination_registers()) == list{0xff, 0xff});
  CHECK(values(b[2].source_memory()) == list{0xffff, 0x8000});
}

TEST_CASE("adaptors select a part and repeat it") {
  const folder dir;
  move_file::writer out(dir / "t");
  out.write(moves(6));
  out.finish();
  list ips, targets;
  for (const auto& i : move_feed(dir / "t") | feed::skip{4} | feed::limit{1}) {
    ips.push_back(i.ip());
    targets.push_back(i.target());
  }
  CHECK(ips == list{0x104});
  auto forever = move_feed(dir / "t") | feed::repeat{} | feed::limit{13};
  std::size_t n = 0;
  for (const auto& i : forever) {
    CHECK(i.ip() == 0x100 + n % 6);
    if (i.taken()) CHECK(i.target() == 0x100 + (n + 1) % 6);
    ++n;
  }
  CHECK(n == 13);
}

TEST_CASE("records of varying size can be a feed") {
  const bytes raw = front_bytes(3) + three_lines();
  line_feed from(stream_of(raw));
  list ips, targets, asids;
  for (const auto& i : from) {
    ips.push_back(i.ip());
    targets.push_back(i.target());
    asids.push_back(i.asid());
  }
  CHECK(ips == list{1, 2, 3});
  CHECK(targets == list{2, 0, 0});
  CHECK(asids == list{5, 0, 2});
}

namespace {
// Records of which only some are instructions: others note a thread or an access.
enum class note : std::uint8_t { instruction, branch, comment };
struct noted {
  note what;
  std::uint32_t ip;
  std::uint32_t address;
  std::uint8_t bytes;
};
using noted_file = file::of<"notes", file::records<wire::record<noted>>>;
using noted_feed =
    feed::of<noted_file, map::only<map::is<&noted::what, note::instruction, note::branch>>,
             map::ip<&noted::ip>,
             map::branch<branch_class::direct_jump, map::is<&noted::what, note::branch>>,
             map::target<&noted::address>,
             map::source_memory<&noted::address, map::is<&noted::what, note::instruction>>,
             map::access_size<&noted::bytes>>;
static_assert(feed::stream<noted_feed>);

// Notes of varying size, of which only some are instructions.
struct varied {
  note what;
  std::uint32_t ip;
};
using varied_codec =
    wire::record<wire::fields<wire::field<&varied::what>,
                              wire::choice<&varied::what, wire::on<note::comment>,
                                           wire::otherwise<wire::leb128<&varied::ip>>>>>;
using varied_file = file::of<"varied notes", file::records<varied_codec>>;
using varied_feed = feed::of<varied_file, map::only<map::is<&varied::what, note::instruction>>,
                             map::ip<&varied::ip>>;
static_assert(feed::stream<varied_feed>);
}  // namespace

TEST_CASE("only<> selects the records that are instructions") {
  const folder dir;
  std::vector<noted> all;
  // 9000 records, of which the first 5000 and every third one after them are comments
  for (std::uint32_t i = 0; i < 9000; ++i)
    all.push_back({i < 5000 || i % 3 == 0 ? note::comment
                   : i % 3 == 1           ? note::instruction
                                          : note::branch,
                   i, i + 100, static_cast<std::uint8_t>(i % 8)});
  all.push_back({note::comment, 0, 0, 0});
  noted_file::write(dir / "t", all);
  std::vector<std::uint32_t> expected;
  for (const noted& n : all)
    if (n.what != note::comment) expected.push_back(n.ip);
  REQUIRE(expected.size() == 2667);
  for (const bool mapped : {true, false}) {
    noted_feed from(io::open_input(dir / "t", {.map = mapped}));
    CHECK(from.count() == expected.size());
    std::size_t n = 0;
    for (const auto& i : from) {
      REQUIRE(i.ip() == expected[n++]);
      CHECK(i.taken() == (i.ip() % 3 == 2));
      CHECK(i.target() == (i.taken() ? i.ip() + 100 : 0));
      std::size_t accesses = 0;
      feed::for_each_access(i, [&](std::uint64_t address, std::uint64_t size, bool write) {
        ++accesses;
        CHECK(address == i.ip() + 100);
        CHECK(size == i.ip() % 8);
        CHECK(!write);
      });
      CHECK(accesses == (i.taken() ? 0 : 1));
    }
    CHECK(n == expected.size());
    CHECK(from.next().size() == 0);
    from.rewind();
    CHECK(from.skip(10) == 10);
    CHECK(from.count() == expected.size());  // and stays at the current instruction
    CHECK(from.next()[0].ip() == expected[10]);
    CHECK(from.skip(5000) < 2667);
    CHECK(from.skip(1) == 0);
    from.rewind();
  }
}

TEST_CASE("only<>: adaptors work on the instructions") {
  const folder dir;
  std::vector<noted> all;
  for (std::uint32_t i = 0; i < 10; ++i)
    all.push_back({i % 2 == 0 ? note::comment : note::instruction, i, 0, 0});
  noted_file::write(dir / "t", all);
  auto part = noted_feed(dir / "t") | feed::skip{2} | feed::limit{2};
  std::vector<std::uint64_t> ips;
  for (const auto& i : part) ips.push_back(i.ip());
  CHECK(ips == std::vector<std::uint64_t>{5, 7});
}

TEST_CASE("only<> selects records of varying size") {
  const folder dir;
  std::vector<varied> all;
  for (std::uint32_t i = 0; i < 3000; ++i)
    all.push_back({i % 2 == 0 ? note::comment : note::instruction, i});
  varied_file::write(dir / "t", all);
  std::uint64_t n = 0;
  for (const auto& i : varied_feed(dir / "t")) CHECK(i.ip() == 2 * n++ + 1);
  CHECK(n == 1500);
}
