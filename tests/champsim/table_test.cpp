// Tests of records that a table describes as instructions, of the named tables, and of
// recognising them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support.hpp"
#include "tracecodec/champsim/known_tables.hpp"
#include "tracecodec/champsim/record_of.hpp"
#include "tracecodec/champsim/record_regions.hpp"
#include "tracecodec/champsim/table_feed.hpp"
#include "tracecodec/trace/reader.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace file = tracecodec::file;
namespace io = tracecodec::io;
namespace trace = tracecodec::trace;
using bytes = std::vector<std::byte>;

namespace {

std::shared_ptr<const file::record_table> table_of(std::string_view text) {
  return std::make_shared<const file::record_table>(file::parse_record_table(text, "table"));
}
template <class T> void put(bytes& to, std::size_t at, T v) {
  for (std::size_t i = 0; i != sizeof v; ++i)
    to[at + i] = static_cast<std::byte>(std::uint64_t{v} >> 8 * i);
}

// Layout of records of 40 bytes: an ip, eight registers that are written, and eight registers that
// are read.
constexpr const char* wide = R"(
0   8  ip                     u64
8   8  destination_registers  u8[8]
16  8  source_registers       u8[8]
24  2  branch_taken           u16
26  2  asid                   u16
28  4  is_branch              u32
32  8  destination_memory     u64
)";
bytes wide_records(std::size_t n) {
  bytes all(n * 40);
  for (std::size_t i = 0; i != n; ++i) {
    const std::size_t at = i * 40;
    put(all, at, std::uint64_t{0x1000 + 4 * i});
    // The last registers of every thousandth record make it a taken branch. The other records write
    // seven registers.
    for (std::size_t k = 0; k != 7; ++k) put(all, at + 8 + k, static_cast<std::uint8_t>(k + 1));
    if (i % 1000 == 999) {
      put(all, at + 8 + 5, std::uint8_t{0});  // 6, the stack pointer
      put(all, at + 8 + 7, champsim::instruction_pointer);
      put(all, at + 16 + 7, champsim::instruction_pointer);
      put(all, at + 16 + 6, champsim::flags);
      put(all, at + 24, std::uint16_t{1});
    }
    put(all, at + 26, static_cast<std::uint16_t>(i / 100));
    put(all, at + 28, std::uint32_t{i % 1000 == 999 ? 0x300U : 0U});
    put(all, at + 32, std::uint64_t{i});
  }
  return all;
}

// Record of version 2 as its tracer writes it. The compiler's layout of the C struct is the
// reference.
struct version2_in_c {
  std::uint64_t ip;
  unsigned char is_branch, branch_taken, destination_registers[2], source_registers[4];
  std::uint64_t destination_memory[2], source_memory[4];
  std::uint64_t destination_memory_pa[2], source_memory_pa[4];
  unsigned char source_memory_size[4], destination_memory_size[2], privilege, instr_type;
  unsigned char reserved[8];
  unsigned char source_memory_value[4][64], destination_memory_value[2][64];
};
static_assert(sizeof(version2_in_c) == 512);
struct eight_written_in_c {
  std::uint64_t ip;
  unsigned char is_branch, branch_taken, destination_registers[8], source_registers[4];
  std::uint64_t destination_memory[2], source_memory[4];
};

bytes version2_records(std::size_t n) {
  bytes all(n * 512);
  for (std::size_t i = 0; i != n; ++i) {
    const std::size_t at = i * 512;
    put(all, at, std::uint64_t{0x7f0000401000} + 5 * i + i % 3);
    put(all, at + 12, std::uint8_t{5});
    if (i % 2 == 0) {  // a load of eight bytes
      put(all, at + 32, std::uint64_t{0x7ffc00001000} + 8 * i);
      put(all, at + 80, std::uint64_t{0x12345000 + 8 * i});
      put(all, at + 112, std::uint8_t{8});
      put(all, at + 128, ~std::uint64_t{i});
    }
    put(all, at + 118, std::uint8_t{1});
    put(all, at + 119, static_cast<std::uint8_t>(i % 3));
  }
  return all;
}

}  // namespace

TEST_CASE("an instruction has all operands of its record") {
  const bytes all = wide_records(5000);
  champsim::table_feed from(io::open_bytes(all, "wide"), table_of(wide));
  std::size_t n = 0;
  for (const auto& i : from) {
    const bool branch = n % 1000 == 999;
    CHECK(i.ip() == 0x1000 + 4 * n);
    CHECK(i.branch() ==
          (branch ? champsim::branch_class::conditional : champsim::branch_class::not_branch));
    CHECK(i.taken() == branch);
    // The target must also be correct at the end of a batch of 4,096 records.
    CHECK(i.target() == (branch && n + 1 != 5000 ? 0x1000 + 4 * (n + 1) : 0));
    CHECK(i.destination_registers().size() == 7);
    CHECK(i.source_registers().size() == (branch ? 2 : 0));
    CHECK(i.asid() == n / 100);
    CHECK(i.record().is_branch == (branch ? 255 : 0));
    CHECK(i.destination_memory().empty() == (n == 0));
    ++n;
  }
  CHECK(n == 5000);
  CHECK(from.count() == 5000);
  from.rewind();
  CHECK(from.skip(4990) == 4990);
  CHECK(from.next()[0].ip() == 0x1000 + 4 * 4990);
}

TEST_CASE("counts operands that do not fit ChampSim's record") {
  const bytes all = wide_records(1);
  champsim::table_feed from(io::open_bytes(all, "wide"), table_of(wide));
  const auto batch = from.next();
  const auto standard = champsim::record_of(batch[0]);
  CHECK(standard.record.destination_registers == std::array<std::uint8_t, 2>{1, 2});
  CHECK(standard.dropped_operands == 5);
  const auto cloudsuite = champsim::record_of<champsim::cloudsuite_instruction>(batch[0]);
  CHECK(cloudsuite.record.destination_registers == std::array<std::uint8_t, 4>{1, 2, 3, 4});
  CHECK(cloudsuite.dropped_operands == 3);
}

TEST_CASE("columns contain all operands, and threads if the table does") {
  const bytes all = wide_records(5000);
  for (const bool threads : {false, true}) {
    tracecodec::format::open_options how;
    how.record = table_of(wide);
    if (!threads) how.format = trace::find_format("champsim");
    trace::reader from(trace::source(io::open_bytes(all, "wide"), how), how);
    using feed::column;
    CHECK(from.has().has(column::thread) == threads);
    from.want({column::destination_registers, column::thread, column::dropped_operands});
    std::uint64_t registers = 0, sum = 0, lost = 0;
    for (feed::columns batch; from.next(batch);)
      for (std::size_t row = 0; row != batch.size(); ++row) {
        registers += batch.destination_registers().count(row);
        sum += batch.thread()[row];
        lost += batch.dropped_operands()[row];
      }
    CHECK(registers == 7 * 5000);
    CHECK(sum == (threads ? 100 * 49 * 50 / 2 : 0));
    CHECK(lost == 0);
  }
}

TEST_CASE("skips a file's header that the table or the caller specifies") {
  bytes all(16);
  std::memcpy(all.data(), "STEPS 1", 7);
  const bytes records = wide_records(100);
  all.insert(all.end(), records.begin(), records.end());
  const auto ips = [](const bytes& from, const std::shared_ptr<const file::record_table>& table) {
    champsim::table_feed f(io::open_bytes(from, "f"), table);
    std::vector<std::uint64_t> found;
    for (const auto& i : f) found.push_back(i.ip());
    CHECK(f.count() == found.size());
    f.rewind();
    CHECK(f.skip(found.size() + 1) == found.size());
    return found;
  };
  const auto expected = ips(records, table_of(wide));
  CHECK(expected.size() == 100);
  const std::string with_magic = std::string("header: 16 5354455053\n") + wide;
  CHECK(ips(all, table_of(with_magic)) == expected);
  CHECK(ips(all, table_of(std::string("header: 16\n") + wide)) == expected);
  CHECK(ips(all, std::make_shared<const file::record_table>(table_of(wide)->with_header(16))) ==
        expected);
  const auto error = [](const bytes& from, std::string_view text) {
    champsim::table_feed f(io::open_bytes(from, "f"), table_of(text));
    try {
      while (f.next().size() != 0) {
      }
    } catch (const tracecodec::trace_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(error(records, with_magic) ==
        "f: offset 0: does not begin with the header of its record table");
  CHECK(error(bytes(all.begin(), all.begin() + 9), with_magic) ==
        "f: offset 9: the file ends inside its header of 16 bytes");
  CHECK(error(bytes(all.begin(), all.begin() + 16), with_magic) ==
        "f: offset 16: ends after its header, expected records of 40 bytes");
  CHECK(error(bytes(all.begin(), all.begin() + 16 + 40 + 3), with_magic) ==
        "f: offset 56, record 1, field ip: the trace ends inside the record, after 3 of 40 bytes");
}

TEST_CASE("the known tables equal the structs that tracers write") {
  REQUIRE(champsim::known_tables().size() == 2);
  const auto table = champsim::read_table("champsim2");
  CHECK(table.size() == 512);
  CHECK(table.header().size == 0);
  const auto at = [&table](const char* name) {
    const auto* const c = table.find(name);
    REQUIRE(c != nullptr);
    return c->offset;
  };
  CHECK(at("source_memory") == offsetof(version2_in_c, source_memory));
  CHECK(at("destination_memory_pa") == offsetof(version2_in_c, destination_memory_pa));
  CHECK(at("source_memory_pa") == offsetof(version2_in_c, source_memory_pa));
  CHECK(at("source_memory_size") == offsetof(version2_in_c, source_memory_size));
  CHECK(at("destination_memory_size") == offsetof(version2_in_c, destination_memory_size));
  CHECK(at("privilege") == offsetof(version2_in_c, privilege));
  CHECK(at("instr_type") == offsetof(version2_in_c, instr_type));
  CHECK(at("source_memory_value") == offsetof(version2_in_c, source_memory_value));
  CHECK(at("destination_memory_value") == offsetof(version2_in_c, destination_memory_value));
  const auto eight = champsim::read_table("chtrcv2");
  CHECK(eight.size() == 72);
  CHECK(eight.header().size == 16);
  CHECK(eight.header().magic.substr(0, 8) == std::string("CHTRCV2\0", 8));
#ifdef __x86_64__
  CHECK(sizeof(eight_written_in_c) == 72);
  CHECK(eight.find("source_registers")->offset == offsetof(eight_written_in_c, source_registers));
  CHECK(eight.find("destination_memory")->offset ==
        offsetof(eight_written_in_c, destination_memory));
  CHECK(eight.find("source_memory")->offset == offsetof(eight_written_in_c, source_memory));
#endif
}

TEST_CASE("recognises records of version 2 by their fields, and reads them") {
  const bytes all = version2_records(1000);
  const auto* const t = champsim::recognise_table(all);
  REQUIRE(t != nullptr);
  CHECK(t->name == "champsim2");
  trace::reader from(trace::source(io::open_bytes(all, "x")));
  from.want({feed::column::ip, feed::column::memory});
  std::size_t n = 0, loads = 0;
  for (feed::columns batch; from.next(batch);)
    for (std::size_t row = 0; row != batch.size(); ++row, ++n) {
      CHECK(batch.ip()[row] == 0x7f0000401000 + 5 * n + n % 3);
      loads += batch.memory().count(row);
    }
  CHECK(n == 1000);
  CHECK(loads == 500);
  // The records are not recognised if one field is wrong, or if there are only a few.
  for (const std::size_t field : {8U, 9U, 113U, 117U, 118U, 119U}) {
    bytes other = all;
    put(other, 3 * 512 + field, std::uint8_t{0x60});
    CHECK(champsim::recognise_table(other) == nullptr);
  }
  CHECK(champsim::recognise_table(std::span(all).first(1023)) == nullptr);
  CHECK(champsim::recognise_table(std::span(all).first(1024)) != nullptr);
  // Neither the usual records nor random bytes match.
  CHECK(champsim::recognise_table(test::bytes_of(test::records(4000))) == nullptr);
  std::mt19937_64 random(5);
  bytes noise(64 * 1024);
  for (int i = 0; i != 200; ++i) {
    for (std::size_t k = 0; k != noise.size(); k += 8) put(noise, k, std::uint64_t{random()});
    CHECK(champsim::recognise_table(noise) == nullptr);
  }
}

TEST_CASE("recognises records after the header CHTRCV2") {
  bytes all(16 + 72 * 3);
  std::memcpy(all.data(), "CHTRCV2\0\2\0\0\0\x48\0\0\0", 16);
  for (std::size_t i = 0; i != 3; ++i) {
    put(all, 16 + 72 * i, std::uint64_t{0x400000 + i});
    for (std::size_t k = 0; k != 8; ++k) put(all, 16 + 72 * i + 10 + k, std::uint8_t{40});
    put(all, 16 + 72 * i + 40, std::uint64_t{0x1000});
  }
  const auto* const t = champsim::recognise_table(all);
  REQUIRE(t != nullptr);
  CHECK(t->name == "chtrcv2");
  trace::reader from(trace::source(io::open_bytes(all, "x")));
  from.want({feed::column::ip, feed::column::destination_registers, feed::column::memory});
  feed::columns batch;
  REQUIRE(from.next(batch));
  REQUIRE(batch.size() == 3);
  CHECK(batch.ip()[2] == 0x400002);
  CHECK(batch.destination_registers().count(1) == 8);
  CHECK(batch.memory().address[0] == 0x1000);
  all[8] = std::byte{3};  // another version
  CHECK(champsim::recognise_table(all) == nullptr);
}

namespace {
// Returns `n` records of `size` bytes with an ip at `ip_at`, of instructions of 1 to 7 bytes,
// and noise elsewhere.
bytes forks(std::size_t n, std::size_t size, std::size_t ip_at) {
  std::mt19937_64 random(size);
  bytes all(n * size);
  for (std::size_t i = 0; i != all.size(); i += 8) put(all, i, std::uint64_t{random()});
  std::uint64_t ip = 0x400000;
  for (std::size_t i = 0; i != n; ++i, ip += 1 + random() % 7) put(all, i * size + ip_at, ip);
  return all;
}
}  // namespace

TEST_CASE("guesses a record size that divides the file") {
  // Ten records of 88 bytes: a counter, a slowly increasing value, the ip.
  bytes all = forks(10, 88, 16);
  for (std::size_t i = 0; i != 10; ++i) put(all, i * 88, std::uint64_t{100'000 + i});
  auto g = champsim::guess_record_size_of_file(all, all.size());
  CHECK(g.size == 88);
  CHECK(g.ip_at == 16);
  for (const std::size_t size : {24U, 72U, 88U, 232U, 264U, 512U, 1000U, 2048U, 6232U, 8192U}) {
    all = forks(9, size, 16);
    g = champsim::guess_record_size_of_file(all, all.size());
    CHECK(g.size == size);
    CHECK(g.ip_at == 16);
    // Also for files of unknown size, and for truncated files.
    CHECK(champsim::guess_record_size_of_file(all, std::nullopt).size == size);
    CHECK(champsim::guess_record_size_of_file(std::span(all).first(all.size() - 9), all.size() - 9)
              .size == size);
  }
}

TEST_CASE("guesses the smallest record size that explains a program's ips, at any offset") {
  io::input in = io::open_input(test::data("work32.champsimtrace.xz"));
  bytes trace(12000 * 64);
  REQUIRE(in.read(trace) == trace.size());
  for (const std::size_t from : {0U, 11000U})
    for (const std::size_t n : {20U, 50U})
      for (const std::size_t size : {20U, 36U, 44U, 60U, 76U, 80U, 88U, 100U, 101U, 136U, 300U})
        for (const std::size_t ip_at : {0U, 4U, 11U, 24U}) {
          if (ip_at + 8 > size) continue;
          for (const bool noise : {false, true}) {
            std::mt19937_64 random(size + ip_at);
            bytes all(n * size);
            if (noise)
              for (auto& b : all) b = static_cast<std::byte>(random());
            for (std::size_t i = 0; i != n; ++i)
              std::copy_n(&trace[(from + i) * 64], 8, &all[i * size + ip_at]);
            const auto head = std::span(all).first(std::min(all.size(), io::input::peek_limit));
            const auto g = champsim::guess_layout_of_file(head, all.size());
            CAPTURE(from);
            CAPTURE(n);
            CAPTURE(size);
            CAPTURE(ip_at);
            CAPTURE(noise);
            REQUIRE(g);
            CHECK(g->size == size);
            CHECK(g->ip_at == ip_at);
          }
        }
}
