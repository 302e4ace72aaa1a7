// Tests of tracecodec.h: records, columns and parts of a trace equal those of the C++ headers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "c/support.hpp"
#include "champsim/support.hpp"
#include "tracecodec/trace/reader.hpp"
#include "tracecodec/trace/records.hpp"

namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;
namespace champsim = tracecodec::champsim;
using test::bit;

namespace {

std::vector<champsim::instruction> records_of(tracecodec_trace* t, std::size_t most = test::any) {
  std::vector<champsim::instruction> all;
  const tracecodec_record* records = nullptr;
  std::size_t n = 0;
  for (;;) {
    REQUIRE(tracecodec_next_records(t, most, &records, &n) == TRACECODEC_OK);
    if (n == 0) return all;
    const std::size_t before = all.size();
    all.resize(before + n);
    std::memcpy(all.data() + before, records, n * sizeof *records);
  }
}
std::vector<champsim::instruction> records_of(const std::string& path, std::uint64_t* lost) {
  trace::records from(path);
  std::vector<champsim::instruction> all;
  for (auto b = from.next(); !b.empty(); b = from.next()) all.insert(all.end(), b.begin(), b.end());
  *lost = from.dropped_operands();
  return all;
}

// Returns true if a part has the bytes of `values`.
template <class T> bool same(tracecodec_trace* t, int column, std::size_t part,
                             std::span<const T> values,
                             std::span<const std::int32_t> offsets = {}) {
  tracecodec_array a{};
  const auto c = static_cast<std::size_t>(column);
  if (tracecodec_values(t, c, part, &a) != TRACECODEC_OK || a.size != values.size()) return false;
  if ((a.offsets != nullptr) != !offsets.empty()) return false;
  return (values.empty() || std::memcmp(a.values, values.data(), values.size_bytes()) == 0) &&
         (offsets.empty() || std::equal(offsets.begin(), offsets.end(), a.offsets));
}

}  // namespace

TEST_CASE("reads records of whole traces and of parts") {
  for (const std::string& path : test::samples()) {
    CAPTURE(path);
    std::uint64_t lost = 0;
    const auto all = records_of(path, &lost);
    const auto t = test::open(path);
    REQUIRE(tracecodec_last_error(t.get()) == nullptr);
    CHECK(test::view(tracecodec_name(t.get())) == path);
    CHECK(tracecodec_format(t.get()) == trace::source(path).format().name);
    std::uint64_t n = 0;
    REQUIRE(tracecodec_count(t.get(), &n) == TRACECODEC_OK);
    CHECK(n == all.size());
    CHECK(records_of(t.get()) == all);
    CHECK(tracecodec_dropped_operands(t.get()) == lost);
    CHECK(tracecodec_position(t.get()) == all.size());
    REQUIRE(tracecodec_rewind(t.get()) == TRACECODEC_OK);
    CHECK(tracecodec_dropped_operands(t.get()) == 0);
    CHECK(records_of(t.get(), 7) == all);

    REQUIRE(tracecodec_shard(t.get(), 1, 3) == TRACECODEC_OK);
    CHECK(records_of(t.get()) == std::vector(all.begin() + static_cast<std::ptrdiff_t>(n / 3),
                                             all.begin() + static_cast<std::ptrdiff_t>(2 * n / 3)));
    REQUIRE(tracecodec_rewind(t.get()) == TRACECODEC_OK);
    REQUIRE(tracecodec_skip(t.get(), 10, &n) == TRACECODEC_OK);
    CHECK(n == 10);
    REQUIRE(tracecodec_limit(t.get(), 20) == TRACECODEC_OK);
    CHECK(records_of(t.get()).size() == 20);
    CHECK(tracecodec_progress(t.get()) == 1);

    auto o = test::options();
    o.threads = 2;
    const auto with_two = test::open(path, &o);
    REQUIRE(tracecodec_last_error(with_two.get()) == nullptr);
    CHECK(records_of(with_two.get()) == all);
  }
}

TEST_CASE("columns equal those of trace::reader") {
  for (const std::string& path : test::samples()) {
    CAPTURE(path);
    trace::reader from(path);
    const auto t = test::open(path);
    std::uint64_t wanted = 0;
    feed::column_set set;
    for (std::size_t c = 0; c != feed::column_count; ++c) {
      const auto column = static_cast<feed::column>(c);
      REQUIRE(tracecodec_column(c) != nullptr);
      CHECK(tracecodec_column(c)->name == feed::name(column));
      CHECK((tracecodec_has(t.get()) >> c & 1) == (from.has(column) ? 1 : 0));
      if (from.has(column) && column != feed::column::register_value &&
          column != feed::column::mnemonic_matches) {
        wanted |= bit(static_cast<int>(c));
        set |= {column};
      }
    }
    from.want(set);
    REQUIRE(tracecodec_want(t.get(), wanted, 0) == TRACECODEC_OK);
    tracecodec_array a{};
    CHECK(tracecodec_values(t.get(), TRACECODEC_COLUMN_IP, 0, &a) == TRACECODEC_OK);
    CHECK(a.size == 0);
    std::size_t rows = 0;
    std::uint64_t before = 0;
    for (feed::columns b; from.next(b, 1000); before += rows) {
      REQUIRE(tracecodec_next_columns(t.get(), 1000, &rows) == TRACECODEC_OK);
      REQUIRE(rows == b.size());
      CHECK(tracecodec_first_row(t.get()) == before);
      CHECK(tracecodec_left_out(t.get()) == b.left_out());
      tracecodec_trace* const in = t.get();
      const auto fixed = [&](int c, auto values) {
        return !set.has(static_cast<feed::column>(c)) || same(in, c, 0, values);
      };
      CHECK(fixed(TRACECODEC_COLUMN_INDEX, b.index()));
      CHECK(fixed(TRACECODEC_COLUMN_IP, b.ip()));
      CHECK(fixed(TRACECODEC_COLUMN_BRANCH, b.branch()));
      CHECK(fixed(TRACECODEC_COLUMN_IS_BRANCH, b.is_branch()));
      CHECK(fixed(TRACECODEC_COLUMN_TAKEN, b.taken()));
      CHECK(fixed(TRACECODEC_COLUMN_TARGET, b.target()));
      CHECK(fixed(TRACECODEC_COLUMN_THREAD, b.thread()));
      CHECK(fixed(TRACECODEC_COLUMN_THREAD_KNOWN, b.thread_known()));
      CHECK(fixed(TRACECODEC_COLUMN_SIZE, b.code_size()));
      CHECK(fixed(TRACECODEC_COLUMN_OPERATION, b.operation()));
      CHECK(fixed(TRACECODEC_COLUMN_DECOR, b.decor()));
      CHECK(fixed(TRACECODEC_COLUMN_LOCATION, b.location()));
      CHECK(fixed(TRACECODEC_COLUMN_EVENT_OPERAND, b.event_operand()));
      CHECK(fixed(TRACECODEC_COLUMN_DROPPED_OPERANDS, b.dropped_operands()));
      CHECK(fixed(TRACECODEC_COLUMN_RECORDED_BRANCH, b.recorded_branch()));
      CHECK(fixed(TRACECODEC_COLUMN_RECORDED_TAKEN, b.recorded_taken()));
      CHECK(fixed(TRACECODEC_COLUMN_UNCERTAINTY, b.uncertainty()));
      CHECK(fixed(TRACECODEC_COLUMN_READS, b.reads()));
      CHECK(fixed(TRACECODEC_COLUMN_WRITES, b.writes()));
      CHECK(fixed(TRACECODEC_COLUMN_TIME, b.time()));
      CHECK(fixed(TRACECODEC_COLUMN_CPU, b.cpu()));
      CHECK(fixed(TRACECODEC_COLUMN_SYSTEM_EVENTS, b.system_events()));
      const auto list = [&](int c, std::size_t part, auto values, const auto& of) {
        return !set.has(static_cast<feed::column>(c)) || same(in, c, part, values, of.offsets);
      };
      const auto code = b.code(), text = b.text();
      CHECK(list(TRACECODEC_COLUMN_CODE, 0, code.values, code));
      CHECK(list(TRACECODEC_COLUMN_TEXT, 0, text.values, text));
      const auto written = b.destination_registers(), read = b.source_registers();
      CHECK(list(TRACECODEC_COLUMN_DESTINATION_REGISTERS, 0, written.values, written));
      CHECK(list(TRACECODEC_COLUMN_SOURCE_REGISTERS, 0, read.values, read));
      const auto m = b.memory();
      CHECK(list(TRACECODEC_COLUMN_MEMORY, 0, m.address, m));
      CHECK(list(TRACECODEC_COLUMN_MEMORY, 1, m.size, m));
      CHECK(list(TRACECODEC_COLUMN_MEMORY, 2, m.write, m));
      const auto v = b.memory_values();
      CHECK(list(TRACECODEC_COLUMN_MEMORY_VALUES, 0, v.address, v));
      CHECK(list(TRACECODEC_COLUMN_MEMORY_VALUES, 1, v.after, v));
      CHECK(list(TRACECODEC_COLUMN_MEMORY_VALUES, 2, v.trusted, v));
      CHECK(list(TRACECODEC_COLUMN_MEMORY_VALUES, 3, v.bytes.values, v.bytes));
      const auto r = b.register_values();
      CHECK(list(TRACECODEC_COLUMN_REGISTER_VALUES, 0, r.number, r));
      CHECK(list(TRACECODEC_COLUMN_REGISTER_VALUES, 1, r.offset, r));
      CHECK(list(TRACECODEC_COLUMN_REGISTER_VALUES, 2, r.size, r));
      CHECK(list(TRACECODEC_COLUMN_REGISTER_VALUES, 3, r.value, r));
      CHECK(list(TRACECODEC_COLUMN_REGISTER_VALUES, 4, r.after, r));
    }
    REQUIRE(tracecodec_next_columns(t.get(), 1000, &rows) == TRACECODEC_OK);
    CHECK(rows == 0);
  }
}

TEST_CASE("reads columns and records alternately") {
  for (const std::string& path : test::samples()) {
    CAPTURE(path);
    std::uint64_t lost = 0;
    const auto all = records_of(path, &lost);
    const auto t = test::open(path);
    REQUIRE(tracecodec_want(t.get(), bit(TRACECODEC_COLUMN_IP), 0) == TRACECODEC_OK);
    for (std::size_t at = 0; at != all.size();) {
      std::size_t n = 0;
      REQUIRE(tracecodec_next_columns(t.get(), 10, &n) == TRACECODEC_OK);
      tracecodec_array a{};
      REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_IP, 0, &a) == TRACECODEC_OK);
      REQUIRE(a.size == n);
      const auto* const ips = static_cast<const std::uint64_t*>(a.values);
      for (std::size_t i = 0; i != n; ++i) REQUIRE(ips[i] == all[at + i].ip);
      at += n;
      const tracecodec_record* records = nullptr;
      REQUIRE(tracecodec_next_records(t.get(), 13, &records, &n) == TRACECODEC_OK);
      for (std::size_t i = 0; i != n; ++i) REQUIRE(records[i].ip == all[at + i].ip);
      at += n;
    }
  }
}

TEST_CASE("does not copy the records of a ChampSim trace in memory") {
  const auto all = test::records(9000);
  auto bytes = test::bytes_of(all);
  tracecodec_trace* opened = nullptr;
  auto o = test::options();
  o.format = "champsim";
  REQUIRE(tracecodec_open_memory(bytes.data(), bytes.size(), "mine", &o, &opened) == TRACECODEC_OK);
  const test::c_trace t(opened);
  CHECK(test::view(tracecodec_name(t.get())) == "mine");
  const tracecodec_record* records = nullptr;
  std::size_t n = 0, at = 0;
  for (;; at += n) {
    REQUIRE(tracecodec_next_records(t.get(), test::any, &records, &n) == TRACECODEC_OK);
    if (n == 0) break;
    CHECK(reinterpret_cast<const std::byte*>(records) == bytes.data() + 64 * at);
  }
  CHECK(at == all.size());
}

TEST_CASE("describes all columns") {
  CHECK(tracecodec_columns() == feed::column_count);
  CHECK(tracecodec_column(feed::column_count) == nullptr);
  CHECK(tracecodec_part(feed::column_count, 0) == nullptr);
  std::size_t parts = 0;
  for (std::size_t c = 0; c != tracecodec_columns(); ++c) {
    const auto& info = *tracecodec_column(c);
    CHECK(info.is_nullable == 0);
    CHECK(tracecodec_part(c, info.parts) == nullptr);
    parts += info.parts;
    if (info.parts == 1) CHECK(std::string(tracecodec_part(c, 0)->name) == info.name);
  }
  CHECK(parts == feed::column_count + 2 + 3 + 4 + 1);
}

#if TRACECODEC_OPENS_X64DBG && defined(TRACECODEC_WITH_XZ)
TEST_CASE("selects one register, one mnemonic and one thread") {
  auto o = test::options();
  o.flags = TRACECODEC_ONE_THREAD | TRACECODEC_REGISTERS;
  const std::string path = test::data("threads3_64.trace64.xz");
  trace::reader by_hand(path);
  by_hand.want({feed::column::thread});
  feed::columns b;
  REQUIRE(by_hand.next(b));
  o.thread = b.thread()[0];
  const auto t = test::open(path, &o);
  REQUIRE(tracecodec_last_error(t.get()) == nullptr);
  std::size_t size = 0;
  CHECK(tracecodec_select_register(t.get(), "RAX", &size) == TRACECODEC_OK);
  CHECK(size == 8);
  CHECK(tracecodec_select_register(t.get(), "none", nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_match_mnemonic(t.get(), "call") == TRACECODEC_OK);
  CHECK(tracecodec_match_mnemonic(t.get(), "none") == TRACECODEC_REFUSED);
  REQUIRE(tracecodec_want(t.get(),
                          bit(TRACECODEC_COLUMN_REGISTER_VALUE) |
                              bit(TRACECODEC_COLUMN_MNEMONIC_MATCHES) |
                              bit(TRACECODEC_COLUMN_THREAD) | bit(TRACECODEC_COLUMN_BRANCH),
                          0) == TRACECODEC_OK);
  std::size_t rows = 0, calls = 0, values = 0;
  while (tracecodec_next_columns(t.get(), test::any, &rows) == TRACECODEC_OK && rows != 0) {
    tracecodec_array called{}, branch{}, thread{}, watched{};
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_MNEMONIC_MATCHES, 0, &called) ==
            TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_BRANCH, 0, &branch) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_THREAD, 0, &thread) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_REGISTER_VALUE, 0, &watched) ==
            TRACECODEC_OK);
    values += watched.size;
    for (std::size_t i = 0; i != rows; ++i) {
      const auto kind = static_cast<const std::uint8_t*>(branch.values)[i];
      const bool is_call = kind == 3 || kind == 4;
      REQUIRE(static_cast<const std::uint8_t*>(called.values)[i] == (is_call ? 1 : 0));
      REQUIRE(static_cast<const std::uint32_t*>(thread.values)[i] == o.thread);
      calls += is_call ? 1U : 0U;
    }
  }
  CHECK(tracecodec_last_error(t.get()) == nullptr);
  CHECK(calls > 100);
  CHECK(values > 100);
}
#endif

TEST_CASE("maps registers to ChampSim's numbers") {
  // Two calls that use register 7 as the stack pointer and register 35 as the instruction pointer.
  std::vector<unsigned char> records(128);
  for (std::size_t at = 0; at != 128; at += 64) {
    records[at] = records[at + 1] = 0x40;
    records[at + 8] = records[at + 9] = 1;
    records[at + 10] = records[at + 12] = 35;
    records[at + 11] = records[at + 13] = 7;
  }
  std::string said;
  tracecodec_options o = test::options();
  o.format = "champsim";
  o.context = &said;
  o.warn = [](void* to, tracecodec_text line) {
    static_cast<std::string*>(to)->append(line.bytes, line.size);
  };
  const auto first_class = [&] {
    tracecodec_trace* t = nullptr;
    tracecodec_open_memory(records.data(), records.size(), "t", &o, &t);
    const test::c_trace held(t);
    CHECK(tracecodec_want(t, bit(TRACECODEC_COLUMN_BRANCH), 0) == TRACECODEC_OK);
    std::size_t rows = 0;
    tracecodec_array branch{};
    REQUIRE(tracecodec_next_columns(t, test::any, &rows) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t, TRACECODEC_COLUMN_BRANCH, 0, &branch) == TRACECODEC_OK);
    return static_cast<int>(*static_cast<const std::uint8_t*>(branch.values));
  };
  CHECK(first_class() == static_cast<int>(tracecodec::feed::branch_class::not_branch));
  CHECK(said.starts_with("t: 2 records flagged as branches do not write register 26"));
  said.clear();
  o.map_registers = "ip=35,sp=7";
  CHECK(first_class() == static_cast<int>(tracecodec::feed::branch_class::direct_call));
  CHECK(said.empty());
  for (const char* bad : {"", "ip=0", "ip=7,sp=7"}) {
    o.map_registers = bad;
    tracecodec_trace* t = nullptr;
    CHECK(tracecodec_open_memory(records.data(), records.size(), "t", &o, &t) ==
          TRACECODEC_REFUSED);
    tracecodec_close(t);
  }
}

TEST_CASE("returns the names of operations") {
  const auto t = test::open(test::data("rapidbin/r250.data"));
  tracecodec_text name{};
  CHECK(tracecodec_operation_name(t.get(), 0, &name) == TRACECODEC_OK);
  CHECK(name.size != 0);
  CHECK(tracecodec_operation_name(t.get(), 255, &name) == TRACECODEC_OK);
  CHECK(name.size == 0);
}

TEST_CASE("reads described records after a header, and counts dropped operands") {
  const test::folder dir;
  // Each record has 18 bytes: an ip, three registers that are written, and seven registers that are
  // read.
  constexpr std::string_view text =
      "0 8 ip u64\n8 3 destination_registers u8[3]\n11 7 source_registers u8[7]\n";
  const std::string table = dir.file("table", std::as_bytes(std::span(text)));
  std::vector<std::byte> bytes(5 + 18 * 100, std::byte{1});
  const std::string path = dir.file("t", bytes);
  tracecodec_options how = test::options();
  how.record = table.c_str();
  how.record_offset = 5;
  const auto t = test::open(path, &how);
  REQUIRE(tracecodec_last_error(t.get()) == nullptr);
  const auto all = records_of(t.get());
  REQUIRE(all.size() == 100);
  CHECK(all[99].ip == 0x0101010101010101);
  CHECK(tracecodec_dropped_operands(t.get()) == 100 * (1 + 3));
  // The columns contain all registers.
  REQUIRE(tracecodec_rewind(t.get()) == TRACECODEC_OK);
  constexpr int column = TRACECODEC_COLUMN_SOURCE_REGISTERS;
  REQUIRE(tracecodec_want(t.get(), bit(column), 0) == TRACECODEC_OK);
  std::size_t rows = 0;
  REQUIRE(tracecodec_next_columns(t.get(), test::any, &rows) == TRACECODEC_OK);
  REQUIRE(rows == 100);
  tracecodec_array values{};
  REQUIRE(tracecodec_values(t.get(), column, 0, &values) == TRACECODEC_OK);
  CHECK(values.offsets[100] == 700);
  // An offset without a table, an offset that is too large, and a table that is selected by its
  // name.
  const auto status = [&path](const char* record, std::uint64_t offset) {
    tracecodec_options o = test::options();
    o.record = record;
    o.record_offset = offset;
    tracecodec_trace* one = nullptr;
    const tracecodec_status s = tracecodec_open(path.c_str(), &o, &one);
    const test::c_trace owner(one);
    return s;
  };
  CHECK(status(nullptr, 5) == TRACECODEC_REFUSED);
  CHECK(status(table.c_str(), (std::uint64_t{1} << 30) + 1) == TRACECODEC_REFUSED);
  CHECK(status("champsim2", 0) == TRACECODEC_OK);
  CHECK(status("no such table", 0) == TRACECODEC_SYSTEM);
}
