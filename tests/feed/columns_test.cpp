// Columns of every format against the instructions of the same feed; skipping, rewinding, adaptors,
// and what is damaged.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "champsim/support.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/feed/column_row.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/feed/open.hpp"
#include "tracecodec/rapidbin/values.hpp"
#if TRACECODEC_OPENS_UMTRACER
#include "tracecodec/umtracer/values.hpp"
#include "umtracer/writer_support.hpp"
#endif
#if TRACECODEC_OPENS_X64DBG
#include "tracecodec/x64dbg/values.hpp"
#endif

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
using feed::column;
using feed::column_set;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

constexpr column_set all_columns = [] {
  column_set all;
  for (std::size_t n = 0; n != feed::column_count; ++n) all |= {static_cast<column>(n)};
  return all;
}();

struct memory_entry {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes = {};
  bool after = false;
  friend bool operator==(const memory_entry&, const memory_entry&) = default;
};
// Of a register's byte: number, offset, behind the instruction.
using register_bytes = std::map<std::tuple<unsigned, std::size_t, bool>, unsigned>;

void keep_register(register_bytes& all, unsigned number, std::size_t offset, std::uint64_t value,
                   std::size_t size, bool after) {
  for (std::size_t n = 0; n != size; ++n)
    all[{number, offset + n, after}] = static_cast<unsigned>(value >> 8 * n & 0xFF);
}

template <class List> std::vector<std::uint64_t> numbers_of(const List& list) {
  std::vector<std::uint64_t> all;
  for (const auto v : list) all.push_back(v);
  return all;
}
std::vector<std::uint64_t> addresses_of(const feed::memory_column& m, std::size_t row, bool write) {
  std::vector<std::uint64_t> all;
  for (std::size_t k = m.begin(row); k != m.end(row); ++k)
    if ((m.write[k] != 0) == write && m.address[k] != 0) all.push_back(m.address[k]);
  return all;
}

// As REQUIRE, of what is asked some million times.
void must(bool holds) {
  if (!holds) REQUIRE(holds);
}

// What is in each column of a format is what its instructions say. Fails at the first row that differs.
template <class Feed> class column_check {
  using I = typename Feed::batch_type::value_type;

 public:
  column_check(const feed::columns& batch, std::size_t row, const I& i, std::uint64_t number,
               register_bytes& registers)
      : b_(batch), row_(row), i_(i) {
    common(number);
    own();
    if constexpr (feed::with_memory_values<I>)
      if (asked(column::memory_values)) memory_values();
    if constexpr (feed::with_each_register<I>)
      if (asked(column::register_values)) register_values(registers);
  }

  // The registers and mnemonics that are watched.
  static inline std::string watched = {}, called = {};
  // Of which the names are known.
  static inline Feed* names = nullptr;

 private:
  [[nodiscard]] bool asked(column c) const { return b_.asked().has(c); }
  template <class Values, class Expected>
  void same(column c, const Values& values, const Expected& expected) const {
    if (!asked(c)) {
      must(values.empty());
      return;
    }
    must(values.size() == b_.size());
    must(values[row_] == expected);
  }
  void common(std::uint64_t number) const {
    same(column::ip, b_.ip(), i_.ip());
    same(column::branch, b_.branch(), i_.branch());
    same(column::is_branch, b_.is_branch(), std::uint8_t{i_.is_branch()});
    same(column::taken, b_.taken(), std::uint8_t{i_.taken()});
    same(column::target, b_.target(), i_.target());
    same(column::thread, b_.thread(), i_.asid());
    same(column::lost_operands, b_.lost_operands(), feed::lost_operands(i_));
    if constexpr (requires { i_.index(); })
      same(column::index, b_.index(), i_.index());
    else
      same(column::index, b_.index(), number);
    must(b_.first() + row_ == number);
    const auto written = b_.destination_registers(), read = b_.source_registers();
    must(written.offsets.empty() != asked(column::destination_registers));
    if (!written.offsets.empty())
      must(numbers_of(written[row_]) == numbers_of(i_.destination_registers()));
    must(read.offsets.empty() != asked(column::source_registers));
    if (!read.offsets.empty()) must(numbers_of(read[row_]) == numbers_of(i_.source_registers()));
    const auto memory = b_.memory();
    must(memory.offsets.empty() != asked(column::memory));
    if (!memory.offsets.empty()) operands(memory);
  }
  void operands(const feed::memory_column& m) const {
    must(addresses_of(m, row_, false) == numbers_of(i_.source_memory()));
    must(addresses_of(m, row_, true) == numbers_of(i_.destination_memory()));
    const feed::column_row view(b_, row_);
    if (asked(column::ip)) must(view.ip() == i_.ip());
    must(view.source_memory().size() + view.destination_memory().size() == m.count(row_));
    std::size_t k = m.begin(row_);
    if constexpr (requires { i_.accesses(); }) {
      for (const auto& a : i_.accesses()) {
        must(m.address[k] == a.address);
        must(m.size[k] == a.size);
        must((m.write[k++] != 0) == a.write);
      }
      must(k == m.end(row_));
    } else {
      std::uint64_t size = 0;
      if constexpr (requires { i_.access_width(); }) size = i_.access_width();
      for (; k != m.end(row_); ++k) must(m.size[k] == size);
    }
  }
  void own() const {
    if constexpr (requires { i_.length(); }) same(column::size, b_.code_size(), i_.length());
    if constexpr (requires { i_.thread().has_value(); })
      same(column::thread_known, b_.thread_known(), std::uint8_t{i_.thread().has_value()});
    if constexpr (requires { i_.record().is_branch; }) {
      same(column::recorded_branch, b_.recorded_branch(),
           static_cast<std::uint8_t>(i_.record().is_branch != 0));
      same(column::recorded_taken, b_.recorded_taken(),
           static_cast<std::uint8_t>(i_.record().branch_taken != 0));
    }
    if constexpr (requires { i_.event(); }) {
      same(column::operation, b_.operation(), static_cast<std::uint8_t>(i_.event().operation));
      same(column::decor, b_.decor(), i_.event().decor);
      same(column::location, b_.location(), i_.event().location);
      same(column::event_operand, b_.event_operand(), i_.event_operand());
    }
    if constexpr (feed::with_code<I>)
      if (asked(column::code)) must(std::ranges::equal(b_.code()[row_], i_.code()));
    if constexpr (feed::with_held_text<I>)
      if (asked(column::text)) {
        const auto text = b_.text()[row_];
        must(assembly(i_) ==
             std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
      }
    if constexpr (feed::with_mnemonics<Feed>)
      if (!called.empty())
        same(column::called, b_.called(),
             std::uint8_t{is_called(i_, *mnemonic_named(*names, called))});
    if constexpr (feed::with_named_registers<Feed>)
      if (asked(column::watched) && !watched.empty()) {
        std::vector<std::uint64_t> values;
        for_each_value_of(i_, *register_named(*names, watched),
                          [&](std::uint64_t v, bool after) { values.push_back(2 * v + after); });
        const auto w = b_.watched();
        must(w.count(row_) == values.size());
        for (std::size_t k = 0; k != values.size(); ++k)
          must(2 * w.value[w.begin(row_) + k] + w.after[w.begin(row_) + k] == values[k]);
      }
  }
  void memory_values() const {
    std::vector<memory_entry> expected, found;
    for_each_memory_value(i_, [&](std::uint64_t at, std::span<const std::byte> all, bool after) {
      expected.push_back({at, {all.begin(), all.end()}, after});
    });
    const auto m = b_.memory_values();
    bool joined = false;
    for (std::size_t k = m.begin(row_); k != m.end(row_); ++k) {
      const auto bytes = m.bytes[k];
      bool trusted = true;
      if constexpr (feed::with_trust<I>)
        for (std::size_t n = 0; n != bytes.size(); ++n) {
          trusted = m.after[k] != 0 || trusts_before(i_, m.address[k] + n);
          must(trusted == (m.trusted[k] != 0));
        }
      must(trusted == (m.trusted[k] != 0));
      // One piece where only some of it is trusted.
      joined = !found.empty() && found.back().after == (m.after[k] != 0) &&
               found.size() <= expected.size() && found.back() != expected[found.size() - 1];
      if (joined)
        found.back().bytes.insert(found.back().bytes.end(), bytes.begin(), bytes.end());
      else
        found.push_back({m.address[k], {bytes.begin(), bytes.end()}, m.after[k] != 0});
    }
    must(found == expected);
  }
  void register_values(register_bytes& known) const {
    if (!feed::with_all_registers<I> || row_ == 0) known.clear();
    const auto r = b_.register_values();
    for (std::size_t k = r.begin(row_); k != r.end(row_); ++k)
      keep_register(known, r.number[k], r.offset[k], r.value[k], r.size[k], r.after[k] != 0);
    register_bytes expected;
    for_each_register_value(
        i_, [&](auto which, std::size_t offset, std::uint64_t value, std::size_t size, bool after) {
          keep_register(expected, static_cast<unsigned>(which), offset, value, size, after);
        });
    must(known == expected);
  }

  const feed::columns& b_;
  std::size_t row_;
  const I& i_;
};

// Reads columns `wanted` in batches of `most`, beside the instructions, about `limit` of these; returns
// how many.
template <class Open> std::uint64_t check_columns(Open open, column_set wanted, std::size_t most,
                                                  std::uint64_t limit = ~std::uint64_t{0}) {
  using feed_type = decltype(open());
  using check = column_check<feed_type>;
  feed_type views = open();
  check::names = &views;
  const auto from = feed::make_column_source(open());
  from->want(wanted & (from->has() | feed::common_columns));
  if (!check::watched.empty()) CHECK(from->watch_register(check::watched));
  if (!check::called.empty()) CHECK(from->watch_mnemonic(check::called));
  typename feed_type::batch_type shown = views.next();
  std::size_t at = 0;
  std::uint64_t n = 0;
  register_bytes registers;
  for (feed::columns batch; n < limit && from->next(batch, most);) {
    CHECK(batch.size() <= most);
    CHECK(batch.left_out() == 0);
    for (std::size_t row = 0; row != batch.size(); ++row, ++n, ++at) {
      if (at == shown.size()) {
        shown = views.next();
        at = 0;
      }
      const auto i = shown[at];
      check(batch, row, i, n, registers);
    }
    CHECK(from->position() == n);
  }
  if (n < limit) CHECK((at == shown.size() && views.next().size() == 0));
  return n;
}
// All columns together, in batches of several sizes, and each alone.
template <class Open>
void check_format(Open open, const std::string& watched = {}, const std::string& called = {}) {
  using check = column_check<decltype(open())>;
  check::watched = watched;
  check::called = called;
  auto trace = open();
  const auto n = trace.count();
  CHECK(check_columns(open, all_columns, feed::columns::most_rows) == n);
  check_columns(open, all_columns, 7, 2000);
  for (std::size_t c = 0; c != feed::column_count; ++c)
    check_columns([&] { return open(); }, {static_cast<column>(c)}, 1000, 3000);
  check::watched = check::called = {};
}

std::vector<std::byte> jumps_of_cloudsuite(std::size_t n) {
  std::vector<std::byte> all;
  for (std::size_t i = 0; i != n; ++i) {
    test::cloudsuite_instruction r{};
    r.ip = 0x1000 + i;
    r.asid = {static_cast<std::uint8_t>(i), 1};
    r.is_branch = r.branch_taken = i % 3 == 0;
    r.destination_registers[2] = i % 3 == 0 ? 26 : 64;
    r.source_registers = {26, 25, 0, 0};
    r.destination_memory = {0, 0x8000 + i, 0, 0x9000};
    r.source_memory = {0, 0, 0xA000, 0};
    std::vector<std::byte> one(champsim::cloudsuite_codec::size);
    champsim::cloudsuite_codec::encode(r, one);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace

TEST_CASE("columns of ChampSim's records" * doctest::skip(!test::with_xz)) {
  check_format([] { return champsim::trace_feed<>(test::data("sed64.champsimtrace.xz")); });
}

TEST_CASE("columns of CloudSuite's records, of the rules of 2022, and of records by a mapping") {
  const auto bytes = jumps_of_cloudsuite(5000);
  const auto open = [&] { return tracecodec::io::open_bytes(bytes, "t"); };
  using cloudsuite = champsim::cloudsuite_instruction;
  check_format([&] { return champsim::trace_feed<cloudsuite>(open()); });
  check_format(
      [&] { return champsim::trace_feed<cloudsuite, champsim::branch_rules::of_2022>(open()); });
  namespace map = feed::map;
  using file =
      tracecodec::file::of<"records", tracecodec::file::records<champsim::cloudsuite_codec>>;
  using mapped =
      feed::of<file, map::ip<&cloudsuite::ip>, map::taken<&cloudsuite::branch_taken>,
               map::branch<feed::branch_class::other, map::is<&cloudsuite::is_branch, 1>>,
               map::destination_registers<&cloudsuite::destination_registers>,
               map::source_registers<&cloudsuite::source_registers>,
               map::destination_memory<&cloudsuite::destination_memory>,
               map::source_memory<&cloudsuite::source_memory>>;
  check_format([&] { return mapped(open()); });
}

TEST_CASE("columns of RapidBin's events, with and without metadata") {
  const std::string path = test::data("rapidbin/r6000.data");
  check_format([&] { return tracecodec::rapidbin::trace_feed(path); });
#if defined(TRACECODEC_WITH_SIMDJSON)
  check_format([&] {
    namespace rapidbin = tracecodec::rapidbin;
    return rapidbin::trace_feed(
        path, rapidbin::address_map(rapidbin::read_metadata(
                  tracecodec::io::open_input(test::data("rapidbin/r6000.json")))));
  });
#endif
  const auto from = feed::make_column_source(tracecodec::rapidbin::trace_feed(path));
  CHECK(from->has().has(column::operation));
  CHECK(!from->has().has_any(feed::branch_columns));
  CHECK(from->operation_named("Release") == 1);
  CHECK(!from->operation_named("let go"));
  CHECK(from->operation_name(8) == "request");
  CHECK(from->operation_name(10).empty());
  CHECK(from->name() == path);
}

#if TRACECODEC_OPENS_X64DBG
TEST_CASE("columns of x64dbg's instructions" * doctest::skip(!test::with_xz)) {
  namespace x64dbg = tracecodec::x64dbg;
  for (const bool registers : {false, true})
    check_format(
        [&] {
          return x64dbg::trace_feed<x64dbg::target::x86>(test::data("work32.trace32.xz"),
                                                         {.registers = registers});
        },
        "eax", "push");
  check_format(
      [] {
        return x64dbg::trace_feed<x64dbg::target::x64>(test::data("threads3_64.trace64.xz"),
                                                       {.registers = true});
      },
      "RCX", "mov");
  const auto from = feed::make_column_source(
      x64dbg::trace_feed<x64dbg::target::x86>(test::data("work32.trace32.xz")));
  CHECK(from->tells_all_registers());
  CHECK(from->has().has_any({column::code}));
  CHECK(!from->has().has(column::text));
  CHECK(from->watch_register("AX") == 2);
  CHECK(!from->watch_register("rax"));
  CHECK(!from->watch_mnemonic("je"));
  CHECK(from->watch_mnemonic("jz"));
  const auto code = test::from_hex("89c0");
  CHECK(from->assembly_of(code, 0x1000) == "mov eax, eax");
  CHECK(from->assembly_at(0).empty());
}
#endif

#if TRACECODEC_OPENS_UMTRACER
TEST_CASE("columns of UMTracer's instructions") {
  namespace umtracer = tracecodec::umtracer;
  for (const char* name : {"plain32", "plain64", "awkward32", "awkward64"}) {
    const std::string folder = test::data("umtracer/") + name;
    const umtracer::trace_feed trace(folder);
    check_format([&] { return umtracer::trace_feed(folder); },
                 trace.trace().registers().find("rax") ? "rax" : "eax", "mov");
  }
}
TEST_CASE("UMTracer: text that is held is told by the record's number, of instructions alone") {
  namespace umtracer = tracecodec::umtracer;
  const auto from = feed::make_column_source(umtracer::trace_feed(test::data("umtracer/plain64")),
                                             {column::index, column::text});
  CHECK(!from->tells_all_registers());
  std::uint64_t next = 0;
  for (feed::columns batch; from->next(batch);)
    for (std::size_t row = 0; row != batch.size(); ++row) {
      const std::uint64_t index = batch.index()[row];
      const auto text = batch.text()[row];
      REQUIRE(from->assembly_at(index) ==
              std::string(reinterpret_cast<const char*>(text.data()), text.size()));
      for (; next < index; ++next) REQUIRE(from->assembly_at(next).empty());
      next = index + 1;
    }
  CHECK(from->assembly_at(~std::uint64_t{0}).empty());
}
#endif

TEST_CASE("lists lie as Arrow has them") {
  std::vector<test::instruction> all(3);
  all[0].ip = 1;
  all[0].source_memory = {0, 0x10, 0, 0x20};
  all[0].destination_memory = {0x30, 0};
  all[1].ip = 2;
  all[2].ip = 3;
  all[2].destination_memory = {0, 0x40};
  all[2].destination_registers = {7, 8};
  const auto bytes = test::bytes_of(all);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")), feed::operand_columns);
  feed::columns batch;
  REQUIRE(from->next(batch));
  const auto m = batch.memory();
  CHECK(std::ranges::equal(m.offsets, std::vector<std::int32_t>{0, 3, 3, 4}));
  CHECK(std::ranges::equal(m.address, std::vector<std::uint64_t>{0x10, 0x20, 0x30, 0x40}));
  CHECK(std::ranges::equal(m.size, std::vector<std::uint64_t>(4, 0)));
  CHECK(std::ranges::equal(m.write, std::vector<std::uint8_t>{0, 0, 1, 1}));
  const auto r = batch.destination_registers();
  CHECK(std::ranges::equal(r.offsets, std::vector<std::int32_t>{0, 0, 0, 2}));
  CHECK(std::ranges::equal(r.values, std::vector<std::uint8_t>{7, 8}));
  CHECK(batch.source_registers().offsets.size() == 4);
  CHECK(batch.source_registers().values.empty());
  CHECK(batch.ends());
  CHECK(!from->next(batch));
  CHECK(batch.size() == 0);
}

TEST_CASE("skip and rewind, in the middle of the feed's batches and beyond the end") {
  const auto bytes = test::bytes_of(test::records(10000));
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")), {column::ip});
  feed::columns b;
  const auto ip = [](std::uint64_t n) { return 0x401000 + 4 * n; };
  REQUIRE(from->next(b, 3));
  CHECK(from->skip(4) == 4);
  CHECK(from->position() == 7);
  REQUIRE(from->next(b, 2));
  CHECK(b.first() == 7);
  CHECK(b.ip()[1] == ip(8));
  CHECK(from->skip(5000) == 5000);
  REQUIRE(from->next(b));
  CHECK(b.size() == feed::columns::most_rows);
  CHECK(b.ip()[0] == ip(5009));
  CHECK(from->skip(~std::uint64_t{0}) == 10000 - 5009 - b.size());
  CHECK(!from->next(b));
  CHECK(from->count() == 10000);
  from->rewind();
  REQUIRE(from->next(b, 1));
  CHECK(b.first() == 0);
  CHECK(b.ip()[0] == ip(0));
  CHECK(from->progress());
}

TEST_CASE("behind adaptors batches end with each pass") {
  const auto bytes = test::bytes_of(test::records(5000));
  const auto open = [&] {
    return champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")) | feed::skip{100} |
           feed::limit{4500} | feed::repeat{2};
  };
  auto trace = open();
  std::vector<std::uint64_t> expected, found;
  feed::for_each(trace, [&](const auto& i) { expected.push_back(i.ip() + i.target()); });
  const auto from = feed::make_column_source(open(), {column::ip, column::target});
  std::vector<std::size_t> sizes;
  for (feed::columns b; from->next(b);) {
    for (std::size_t row = 0; row != b.size(); ++row)
      found.push_back(b.ip()[row] + b.target()[row]);
    sizes.push_back(b.size());
    CHECK(b.ends() == (sizes.size() % 2 == 0));
  }
  CHECK(found == expected);
  CHECK(sizes == std::vector<std::size_t>{4096, 404, 4096, 404});
  CHECK(from->name().empty());
}

TEST_CASE("what is whole comes before the error, which comes again until the trace is rewound") {
  auto bytes = test::bytes_of(test::records(5000));
  bytes.resize(bytes.size() - 1);
  const auto from = feed::make_column_source(
      champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")), {column::ip, column::memory});
  for (int pass = 0; pass != 2; ++pass) {
    feed::columns b;
    std::uint64_t n = 0;
    const auto rest = [&] {
      while (from->next(b)) n += b.size();
    };
    CHECK(test::error_of(rest)->code() == trace_errc::truncated);
    CHECK(n == 4999);
    CHECK(b.size() == 0);
    CHECK(test::error_of(rest)->code() == trace_errc::truncated);
    CHECK(from->skip(1) == 0);
    from->rewind();
  }
}

TEST_CASE("columns that a format has not are refused, but for those that all have") {
  const auto bytes = test::bytes_of(test::records(10));
  const auto from =
      feed::make_column_source(champsim::trace_feed<>(tracecodec::io::open_bytes(bytes, "t")));
  CHECK(from->has() == (feed::common_columns - column_set{column::thread} |
                        column_set{column::recorded_branch, column::recorded_taken}));
  const auto e = test::error_of([&] { from->want({column::ip, column::code}); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
  CHECK(std::string(e->what()) == "t: a trace of this format has no column code");
  CHECK(from->wanted().empty());
  feed::columns b;
  REQUIRE(from->next(b));
  CHECK(b.size() == 10);
  CHECK(b.ip().empty());
  CHECK(b.memory().offsets.empty());
  from->rewind();
  from->want({column::thread});
  REQUIRE(from->next(b));
  CHECK(std::ranges::equal(b.thread(), std::vector<std::uint32_t>(10, 0)));
  CHECK(!from->watch_register("rax"));
  CHECK(!from->watch_mnemonic("mov"));
  CHECK(!from->operation_named("read"));
  CHECK(from->operation_name(0).empty());
  CHECK(from->assembly_of({}, 0).empty());
  for (std::size_t n = 0; n != feed::column_count; ++n)
    CHECK(!feed::name(static_cast<column>(n)).empty());
}
