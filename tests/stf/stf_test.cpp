// Tests STF and ZSTF traces. make_stf.py made the traces in tests/data/stf, and printed the counts
// below.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "tracecodec/stf.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/reader.hpp"
#include "tracecodec/trace/source.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracecodec/io/compression/zstf.hpp"
#endif

namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace stf = tracecodec::stf;
namespace trace = tracecodec::trace;
namespace wire = tracecodec::wire;
using stf::record_kind;
using test::bytes;
using tracecodec::trace_errc;
using tracecodec::trace_error;

// The table of the specification, by record.
static_assert(wire::is_laid_out_as<stf::record_codec, R"(
Offset  Size               Field            Type   Byte order
------  -----------------  ---------------  -----  ----------
0       1                  descriptor       u8
1       0 or 4             opcode           u32    little      OPCODE32
1       0 or 2             opcode           u16    little      OPCODE16
1       0 or 2             reg              u16    little      INST_REG
3       0 or 4 bits        role             u8
3       0 or 4 bits        kind             u8
4       0 or 8             value            u64    little
4       0 or 8 x computed  values           u64    little      of a vector
1       0 or 8             address          u64    little      INST_MEM_ACCESS
9       0 or 2             size             u16    little
11      0 or 2             attributes       u16    little
13      0 or 1             direction        u8
1       0 or 8             value            u64    little      contents
1       0 or 8             pc               u64    little      FORCE_PC, targets
1       0 or u32 + 1 x it  text             i8     little      COMMENT, ISA_EXTENDED
1       0 or 2             isa              u16    little      ISA
1       0 or 2             encoding         u16    little      INST_IEM
1       0 or 1             generator        u8                 TRACE_INFO
2       0 or 3             version          u8[3]
5       0 or u16 + 1 x it  text             i8     little
1       0 or 8             features         u64    little      FEATURE
1       0 or 4             hardware_thread  u32    little      PROCESS_ID_EXT
5       0 or 4             process          u32    little
9       0 or 4             thread           u32    little
1       0 or 4             length           u32    little      VLEN_CONFIG
1       0 or 2             reg              u16    little      INST_READY_REG
1       0 or 8             address          u64    little      PAGE_TABLE_WALK
9       0 or 8             walk_index       u64    little
17      0 or 4             page_size        u32    little
21      0 or 1             levels           u8
22      0 or 8 x computed  entries          u64    little
1       0 or 8             address          u64    little      BUS_MASTER_ACCESS
9       0 or 2             size             u16    little
11      0 or 1             source_type      u8
12      0 or 1             source_index     u8
13      0 or 4             attributes       u32    little
17      0 or 1             direction        u8
1       0 or 8             cause            u64    little      EVENT with EVENT64
1       0 or 4             cause            u32    little      EVENT
varies  0 or u8 + 8 x it   arguments        u64    little
1       0 or 1             micro_size       u8                 MICROOP
2       0 or 4             opcode           u32    little
)">);

namespace {

using stf_reader = tracecodec::file::reader<stf::trace_file>;
using stf_writer = tracecodec::file::writer<stf::trace_file>;

// A header and six instructions by hand, at the offsets below: addi a0, a0, 1; ld a1, (a0);
// beq a0, a1; vadd.vv v1, v2, v3 with vectors of 128 bits; ecall; ret.
constexpr std::array<std::size_t, 7> stf_offsets{37, 66, 94, 108, 153, 185, 197};
bytes stf_by_hand() {
  return test::from_hex(
      "01 535446  02 01000000 05000000"
      "07 2000080000000000  0a 80000000  09 0010000000000000  13"
      "28 0a00 21 0100000000000000  28 0a00 31 0200000000000000  f0 13051500"
      "3c 0020000000000000 0800 0000 01  3d efcdab8967452301  f0 83350500"
      "1f 4810000000000000  f0 6300b504"
      "28 0200 23 0300000000000000 0400000000000000"
      "28 0100 33 0500000000000000 0600000000000000  f0 d7802102"
      "64 0800000000000000 01 0700000000000000  65 0080000000000000  f0 73000000"
      "1f 0010000000000000  f1 8280");
}

struct stf_counts {
  std::uint64_t instructions = 0, loads = 0, stores = 0, targets = 0, unique = 0;
  friend bool operator==(const stf_counts&, const stf_counts&) = default;
};
stf_counts stf_counts_of(stf_reader from) {
  stf_counts all;
  std::set<std::uint64_t> pcs;
  for (auto b = from.next(); b.size() != 0; b = from.next())
    for (const stf::instruction& i : b) {
      ++all.instructions;
      all.targets += i.has_target;
      pcs.insert(i.pc);
      for (const stf::record& r : i.records) {
        all.loads += stf::is_read(r);
        all.stores += stf::is_write(r);
      }
    }
  all.unique = pcs.size();
  return all;
}

// Returns the rules and offsets of a check's findings.
std::vector<std::string> stf_findings(io::input in) {
  std::vector<std::string> found;
  stf::checker<format::on_finding>([&](const tracecodec::diagnostic& d) {
    found.push_back(std::string(d.code) + ' ' + std::to_string(d.offset.value_or(0)));
  }).run(std::move(in));
  return found;
}

// Reads a trace to its end. Returns the number of instructions, and the error.
std::pair<std::uint64_t, std::optional<trace_error>> stf_read(const bytes& all) {
  std::uint64_t n = 0;
  const auto error = test::error_of([&] {
    stf_reader from(io::open_bytes(all, "t"));
    for (auto b = from.next(); b.size() != 0; b = from.next()) n += b.size();
  });
  return {n, error};
}

#if defined(TRACECODEC_WITH_ZSTD)
// Writes a trace as a ZSTF file, and returns the file's bytes.
bytes stf_chunked(stf_reader from, std::uint64_t per_chunk) {
  const test::folder dir;
  stf_writer out(std::make_unique<io::zstf_sink>(io::open_output(dir / "t"), per_chunk), "t",
                 from.header());
  for (auto b = from.next(); b.size() != 0; b = from.next()) out.write(b.records);
  out.finish();
  const auto again = io::open_input(dir / "t", {.compression = io::codec::none});
  return bytes(again.bytes().begin(), again.bytes().end());
}
std::uint64_t stf_number(const bytes& all, std::size_t at) {
  return wire::u64le::load(all.data() + at);
}
#endif

}  // namespace

TEST_SUITE_BEGIN("stf");

TEST_CASE("reads all instructions of the made traces" *
          doctest::skip(!test::with_gzip || !test::with_zstd)) {
  const std::string stream = test::data("stf/made.stf.gz"), chunks = test::data("stf/made.zstf");
  std::map<record_kind, std::uint64_t> kinds;
  stf_reader from(stream);
  for (auto b = from.next(); b.size() != 0; b = from.next())
    for (const stf::instruction& i : b)
      for (const stf::record& r : i.records) ++kinds[r.descriptor];
  using enum record_kind;
  CHECK(kinds == std::map<record_kind, std::uint64_t>{{access, 482},
                                                      {content, 482},
                                                      {opcode16, 402},
                                                      {opcode32, 598},
                                                      {target, 317},
                                                      {reg, 611},
                                                      {event, 126},
                                                      {event_target, 63},
                                                      {bus_access, 25},
                                                      {bus_content, 25},
                                                      {ready_reg, 24},
                                                      {micro_op, 24},
                                                      {comment, 19},
                                                      {process, 17},
                                                      {force_pc, 10},
                                                      {page_table_walk, 33}});
  std::map<feed::branch_class, std::uint64_t> classes;
  for (const auto& i : stf::trace_feed(stream)) ++classes[i.branch()];
  using enum feed::branch_class;
  CHECK(classes == std::map<feed::branch_class, std::uint64_t>{{not_branch, 635},
                                                               {indirect, 43},
                                                               {direct_jump, 89},
                                                               {conditional, 95},
                                                               {indirect_call, 38},
                                                               {return_, 45},
                                                               {direct_call, 55}});
  CHECK(test::content(stream).size() == 35784);
  CHECK(test::content(chunks) == test::content(stream));
  CHECK(stf_findings(io::open_input(chunks)).empty());
}

TEST_CASE("writes the bytes that it read" * doctest::skip(!test::with_gzip)) {
  const test::folder dir;
  stf_reader from(test::data("stf/made.stf.gz"));
  stf_writer out(dir / "t", from.header());
  for (auto b = from.next(); b.size() != 0; b = from.next()) out.write(b.records);
  out.finish();
  CHECK(test::content(dir / "t") == test::content(test::data("stf/made.stf.gz")));
}

TEST_CASE("maps records to instructions") {
  std::vector<std::uint64_t> ips, targets, lengths;
  std::vector<std::vector<int>> written, read;
  std::vector<std::array<std::uint64_t, 3>> accesses;
  std::vector<feed::branch_class> classes;
  const bytes all = stf_by_hand();
  REQUIRE(all.size() == stf_offsets.back());
  for (const auto& i : stf::trace_feed(io::open_bytes(all, "t"))) {
    ips.push_back(i.ip());
    targets.push_back(i.target());
    lengths.push_back(i.code().size());
    classes.push_back(i.branch());
    const auto to = i.destination_registers(), from = i.source_registers();
    written.emplace_back(to.begin(), to.end());
    read.emplace_back(from.begin(), from.end());
    feed::for_each_access(i, [&](std::uint64_t address, std::uint64_t size, bool write) {
      accesses.push_back({address, size, write});
    });
  }
  using enum feed::branch_class;
  CHECK(ips == std::vector<std::uint64_t>{0x1000, 0x1004, 0x1008, 0x1048, 0x104c, 0x8000});
  CHECK(targets == std::vector<std::uint64_t>{0, 0, 0x1048, 0, 0, 0x1000});
  CHECK(lengths == std::vector<std::uint64_t>{4, 4, 4, 4, 4, 2});
  CHECK(classes == std::vector<feed::branch_class>{not_branch, not_branch, conditional, not_branch,
                                                   not_branch, return_});
  // a0 is 42, a1 is 43 and ra is 33. Vectors begin at 64.
  CHECK(written == std::vector<std::vector<int>>{{42}, {43}, {26}, {65}, {}, {26, 6}});
  CHECK(read == std::vector<std::vector<int>>{{42}, {42}, {26, 42, 43}, {66}, {}, {6, 33}});
  CHECK(accesses == std::vector<std::array<std::uint64_t, 3>>{{0x2000, 8, 0}});
}

TEST_CASE("values of registers and memory are columns") {
  const test::folder dir;
  trace::reader from(dir.file("t", stf_by_hand()));
  CHECK(from.format().name == "stf");
  using feed::column;
  REQUIRE(from.has().has(column::register_values));
  REQUIRE(from.has().has(column::memory_values));
  REQUIRE(from.has().has(column::code));
  REQUIRE(from.columns().select_register("A0") == 8);
  from.want({column::register_values, column::register_value, column::memory_values});
  feed::columns batch;
  REQUIRE(from.next(batch));
  const auto& all = batch.register_values();
  CHECK(std::vector<int>(all.number.begin(), all.number.end()) ==
        std::vector<int>{42, 42, 66, 66, 65, 65});
  CHECK(std::vector<std::uint64_t>(all.value.begin(), all.value.end()) ==
        std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});
  CHECK(std::vector<int>(all.after.begin(), all.after.end()) == std::vector<int>{0, 1, 0, 0, 1, 1});
  const auto& a0 = batch.register_value();
  CHECK(std::vector<std::uint64_t>(a0.value.begin(), a0.value.end()) ==
        std::vector<std::uint64_t>{1, 2});
  CHECK(tracecodec::riscv::find_register("X31") == 63);
  CHECK(tracecodec::riscv::find_register("fp") == 40);
  CHECK(tracecodec::riscv::find_register("v31") == 95);
  for (const char* const name : {"x0", "zero", "x32", "x", "a8", "rax"})
    CHECK_FALSE(tracecodec::riscv::find_register(name));
}

TEST_CASE("traces are recognised") {
  const auto format_of = [](const bytes& all) {
    auto in = io::open_bytes(all, "t");
    return trace::recognise(in).name;
  };
  const bytes whole = stf_by_hand();
  // Headers that are cut or invalid, so that the reader reports what is wrong.
  for (const std::size_t size : {whole.size(), std::size_t{13}, std::size_t{20}, std::size_t{36}})
    CHECK(format_of({whole.begin(), whole.begin() + static_cast<long>(size)}) == "stf");
  bytes all = whole;
  all[13] = std::byte{200};
  CHECK(format_of(all) == "stf");
#if defined(TRACECODEC_WITH_ZSTD)
  CHECK(format_of(stf_chunked(stf_reader(io::open_bytes(whole, "t")), 2)) == "stf");
#endif
  all[1] = std::byte{'s'};
  CHECK_THROWS_AS(format_of(all), trace_error);
}

TEST_CASE("opcodes decide the sizes of accesses") {
  const auto bytes_of = [](const char* code) {
    const bytes b = test::from_hex(code);
    return tracecodec::riscv::access_bytes(b);
  };
  // lb, lhu, lw, ld; sb, sd; flw, fsd; amoadd.w, lr.d; vle64.v, addi, c.lw, c.fsdsp, c.mv, and code
  // of no instruction.
  const std::pair<const char*, unsigned> known[] = {
      {"03050500", 1}, {"03550500", 2}, {"03250500", 4}, {"03350500", 8},
      {"2300b500", 1}, {"2330b500", 8}, {"07250500", 4}, {"2730b500", 8},
      {"2f26b500", 4}, {"2f350510", 8}, {"87700502", 0}, {"13051500", 0},
      {"0c41", 4},     {"2aa0", 8},     {"2e85", 0},     {"00", 0}};
  for (const auto& one : known) CHECK_MESSAGE(bytes_of(one.first) == one.second, one.first);
}

TEST_CASE("a file that is cut has its whole instructions, at every byte") {
  const bytes whole = stf_by_hand();
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    CAPTURE(size);
    const auto [n, error] = stf_read({whole.begin(), whole.begin() + static_cast<long>(size)});
    const auto end = std::upper_bound(stf_offsets.begin(), stf_offsets.end(), size);
    const auto whole_ones = std::max<std::ptrdiff_t>(end - stf_offsets.begin() - 1, 0);
    CHECK(n == static_cast<std::uint64_t>(whole_ones));
    CHECK(error.has_value() ==
          (std::find(stf_offsets.begin(), stf_offsets.end(), size) == stf_offsets.end()));
    if (error) CHECK(error->code() == trace_errc::truncated);
  }
}

TEST_CASE("refuses what is not a record") {
  bytes all = stf_by_hand();
  all[stf_offsets[1]] = std::byte{77};
  auto [n, error] = stf_read(all);
  REQUIRE(error);
  CHECK(n == 1);
  CHECK(error->code() == trace_errc::bad_value);
  CHECK(error->record() == 1);
  CHECK(error->offset() == stf_offsets[1]);
  CHECK(error->field() == "descriptor");
  CHECK(std::string(error->what()).find("0x4d") != std::string::npos);
  all = stf_by_hand();
  all[5] = std::byte{2};  // the major version
  error = stf_read(all).second;
  REQUIRE(error);
  CHECK(error->field() == "major");
  all = stf_by_hand();
  all.erase(all.begin() + 36);  // END_HEADER
  error = stf_read(all).second;
  REQUIRE(error);
  CHECK(error->code() == trace_errc::bad_value);
}

TEST_CASE("the features and the size of vectors decide the layout of later records") {
  bytes all = stf_by_hand();
  all[16] = std::byte{0};  // EVENT64, so that the cause has 32 bits
  all.erase(all.begin() + static_cast<long>(stf_offsets[4] + 5),
            all.begin() + static_cast<long>(stf_offsets[4] + 9));
  CHECK(stf_read(all).first == 6);
  CHECK_FALSE(stf_read(all).second);
  all = stf_by_hand();
  all[23] = std::byte{65};  // vectors of 65 bits also have two words
  CHECK_FALSE(stf_read(all).second);
  all[23] = std::byte{64};
  CHECK(stf_read(all).second);
}

TEST_CASE("a check finds what breaks the rules") {
  using found = std::vector<std::string>;
  const auto of = [](const bytes& all) { return stf_findings(io::open_bytes(all, "t")); };
  CHECK(of(stf_by_hand()) == found{});
  bytes all = stf_by_hand();
  all[stf_offsets[2] + 1] = std::byte{0x4a};  // the target of the branch
  CHECK(of(all) == found{"target 94"});
  all = stf_by_hand();
  all[stf_offsets[1]] = std::byte{63};  // a content without an access, and an access without one
  all.erase(all.begin() + static_cast<long>(stf_offsets[1] + 9),
            all.begin() + static_cast<long>(stf_offsets[1] + 14));
  CHECK(of(all) == found{"content 66", "content 66"});
  all = stf_by_hand();
  all.insert(all.begin() + static_cast<long>(stf_offsets[1]), std::byte{19});
  CHECK(of(all) == found{"order 66"});
  all.pop_back();
  CHECK(of(all) == found{"order 66", "cut 196"});
}

#if defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("a ZSTF file has chunks with an index") {
  const bytes whole = stf_by_hand();
  const bytes made = stf_chunked(stf_reader(io::open_bytes(whole, "t")), 2);
  CHECK(std::string(reinterpret_cast<const char*>(made.data()), 4) == "ZSTF");
  CHECK(stf_number(made, 4) == 2);
  const auto index = static_cast<std::size_t>(stf_number(made, 12));
  REQUIRE(made.size() == index + 8 + 3 * 24);
  CHECK(stf_number(made, index) == 3);
  CHECK(stf_number(made, index + 8) == 20);
  CHECK(stf_number(made, index + 16) == 0);
  CHECK(stf_number(made, index + 24) == stf_offsets[2]);
  CHECK(stf_number(made, index + 40) == 0x1008);
  CHECK(stf_number(made, index + 48) == stf_offsets[4] - stf_offsets[2]);
  CHECK(stf_number(made, index + 64) == 0x104c);
  CHECK(io::open_bytes(made, "t").compression() == io::codec::zstf);
  const test::folder dir;
  CHECK(test::content(dir.file("t", made)) == whole);
  CHECK(stf_findings(io::open_bytes(made, "t")).empty());
}

TEST_CASE("skips by the index of a ZSTF file") {
  const std::string path = test::data("stf/made.zstf");
  stf_reader from(path);
  CHECK(from.count() == 1000);
  // The addresses that make_stf.py printed.
  const std::array<std::pair<std::uint64_t, std::uint64_t>, 4> known{
      {{299, 0x800007a4}, {300, 0x800007a6}, {500, 0x80000c4e}, {999, 0x80000ccc}}};
  for (const auto& one : known) {
    CAPTURE(one.first);
    stf_reader skipped(path);
    REQUIRE(skipped.skip(one.first) == one.first);
    CHECK(skipped.position() == one.first);
    CHECK(skipped.next()[0].pc == one.second);
    CHECK(skipped.seek(4));
    CHECK(skipped.skip(2000) == 996);
    CHECK(skipped.next().size() == 0);
  }
}

TEST_CASE("a ZSTF file that is cut reports the cut, at every byte") {
  const bytes whole = stf_chunked(stf_reader(io::open_bytes(stf_by_hand(), "t")), 2);
  for (std::size_t size = 24; size < whole.size(); ++size) {
    CAPTURE(size);
    const auto [n, error] = stf_read({whole.begin(), whole.begin() + static_cast<long>(size)});
    CHECK(n <= 6);
    REQUIRE(error);
    CHECK(error->code() == trace_errc::truncated);
  }
}

TEST_CASE("an index that differs from the chunks is an error") {
  const bytes whole = stf_chunked(stf_reader(io::open_bytes(stf_by_hand(), "t")), 2);
  const auto index = static_cast<std::size_t>(stf_number(whole, 12));
  const auto with = [&](std::size_t at, unsigned value) {
    bytes all = whole;
    all[at] = static_cast<std::byte>(value);
    return all;
  };
  // Number, offset and size of chunks: all instructions are read first.
  for (const std::size_t at : {index, index + 32, index + 24}) {
    const auto [n, error] = stf_read(with(at, 99));
    CHECK(n == 6);
    REQUIRE(error);
    CHECK(error->code() == trace_errc::corrupt);
  }
  // The offset of the index, and bytes after it.
  for (bytes all : {with(12, 21), with(12, 0), with(4, 0)}) CHECK(stf_read(all).second);
  bytes longer = whole;
  longer.push_back(std::byte{});
  const auto error = stf_read(longer).second;
  REQUIRE(error);
  CHECK(std::string(error->what()).find("bytes after the index") != std::string::npos);
  // Only a check finds a wrong address, and a wrong number of instructions.
  const auto found_in = [](const bytes& all) { return stf_findings(io::open_bytes(all, "t")); };
  CHECK(found_in(with(index + 40, 9)) == std::vector<std::string>{"index 94"});
  CHECK(found_in(with(4, 3)) == std::vector<std::string>{"index 108", "index 197"});
}
#endif

TEST_CASE("samples have the totals of the page" * doctest::skip(!test::with_zstd)) {
  using sample = std::tuple<std::string, stf_counts, std::uint64_t>;
  for (const auto& [name, totals, chunks] :
       {sample{"dhry_riscv", {2390026, 510007, 420008, 249999, 242}, 24},
        sample{"dhrystone", {287020, 57003, 52001, 40001, 280}, 3}}) {
    const std::string path = test::external_sample("industry/stf/" + name + ".zstf");
    if (path.empty()) continue;
    CHECK(stf_counts_of(stf_reader(path)) == totals);
    stf_reader from(path);
    const auto last = from.entry_of_record(~std::uint64_t{0});
    REQUIRE(last);
    CHECK(last->record == 100000 * (chunks - 1));
    CHECK(from.count() == totals.instructions);
  }
}

TEST_SUITE_END();
