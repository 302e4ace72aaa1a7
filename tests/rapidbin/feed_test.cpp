// Tests of feed.hpp, selection.hpp and renumber.hpp: events as instructions, parts of a trace,
// and opening a trace by its content.
#include "tracecodec/rapidbin/feed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rapidbin/support.hpp"
#include "tracecodec/champsim/record_of.hpp"
#include "tracecodec/feed/adaptors.hpp"
#include "tracecodec/feed/column_row.hpp"
#include "tracecodec/rapidbin/open.hpp"
#include "tracecodec/rapidbin/reader/renumber.hpp"
#include "tracecodec/rapidbin/std_writer.hpp"
#include "tracecodec/trace/open.hpp"

using namespace test;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace trace = tracecodec::trace;

static_assert(feed::stream<rapidbin::trace_feed>);
static_assert(feed::instruction<rapidbin::instruction_view>);
static_assert(!feed::has_branches<rapidbin::instruction_view>());
static_assert(feed::has_threads<rapidbin::instruction_view>());

namespace {

std::unique_ptr<rapidbin::event_source> source_of(const events& all,
                                                  rapidbin::open_options options = {}) {
  static std::vector<std::unique_ptr<bytes>> kept;
  kept.push_back(std::make_unique<bytes>(written(all)));
  return rapidbin::open_events(input_of(*kept.back()), std::move(options));
}

rapidbin::metadata names() {
  rapidbin::metadata m;
  m.threads.add(0, 0);
  m.memory.add({0x1000, 4}, 0);
  m.locks.add(0x2000, 0);
  m.locations.add({0, 0}, 0);
  m.locations.add({7, 5}, 1);
  return m;
}

std::string_view recognised(const bytes& raw) {
  auto in = input_of(raw);
  return trace::recognise(in).name;
}
std::string_view recognised(const std::string& path) {
  auto in = io::open_input(path);
  return trace::recognise(in).name;
}

}  // namespace

TEST_CASE("delivers each operation as an instruction") {
  rapidbin::trace_feed trace(source_of(every_operation()));
  const auto b = trace.next();
  REQUIRE(b.size() == 10);
  const auto sizes = [&b](std::size_t i) {
    return std::pair(b[i].source_memory().size(), b[i].destination_memory().size());
  };
  using sizes_t = std::pair<std::size_t, std::size_t>;
  for (std::size_t i = 0; i < 10; ++i) {
    const auto v = b[i];
    CHECK(v.event() == every_operation()[i]);
    CHECK(v.index() == i);
    CHECK(v.asid() == every_operation()[i].thread);
    CHECK(v.thread() == every_operation()[i].thread);
    CHECK_FALSE(v.is_branch());
    CHECK(v.branch() == feed::branch_class::not_branch);
    CHECK(v.target() == 0);
    const op o = v.event().operation;
    CHECK(v.is_thread_event() ==
          (o == op::fork || o == op::join || o == op::begin || o == op::end));
    if (o == op::acquire || o == op::release)
      CHECK(sizes(i) == sizes_t{1, 1});
    else if (o == op::read)
      CHECK(sizes(i) == sizes_t{1, 0});
    else if (o == op::write)
      CHECK(sizes(i) == sizes_t{0, 1});
    else
      CHECK(sizes(i) == sizes_t{0, 0});
  }
  CHECK(b.last_batch());
  CHECK(trace.next().size() == 0);
}

TEST_CASE("an address of 0 from metadata is dropped from records but kept in columns") {
  rapidbin::metadata m;
  m.memory.add({0, 4}, 0);
  m.locks.add(0, 0);
  const events all{make(0, op::read, 0, 1), make(0, op::acquire, 0, 1), make(0, op::write, 1, 1),
                   make(0, op::request, 0, 1)};
  rapidbin::trace_feed trace(source_of(all), rapidbin::address_map(m));
  const auto b = trace.next();
  CHECK(b[0].source_memory().empty());
  CHECK(b[0].dropped_operands() == 1);
  CHECK(b[1].dropped_operands() == 2);
  CHECK(b[2].destination_memory().size() == 1);
  CHECK(b[2].dropped_operands() == 0);
  CHECK(b[3].dropped_operands() == 0);
  CHECK(champsim::record_of(b[1]).dropped_operands == 2);
  const auto from = feed::make_column_source(
      rapidbin::trace_feed(source_of(all), rapidbin::address_map(m)),
      {feed::column::memory, feed::column::dropped_operands, feed::column::reads});
  feed::columns columns;
  REQUIRE(from->next(columns));
  CHECK(columns.memory().count(0) == 1);
  CHECK(columns.memory().size[0] == 4);
  CHECK(columns.memory().count(1) == 2);
  CHECK(columns.dropped_operands()[1] == 2);
  CHECK(columns.reads()[0] == 0);
  const feed::row_columns rows(columns);
  CHECK(feed::column_row(rows, 0).source_memory().empty());
  CHECK(feed::column_row(rows, 2).destination_memory().size() == 1);
}

TEST_CASE("uses the metadata's addresses, or documented addresses without metadata") {
  const rapidbin::address_map synthetic;
  CHECK(synthetic.ip(0) == 0x400000);
  CHECK(synthetic.ip(3) == 0x40000C);
  CHECK(synthetic.variable(2) == 0x100000000010);
  CHECK(synthetic.lock(2) == 0x200000000080);
  CHECK(synthetic.width(0) == 0);
  const rapidbin::address_map named(names());
  CHECK(named.ip(0) == 0x100000000);
  CHECK(named.ip(1) == 0x800000000 + 64 * 7 + 4 * 5);
  CHECK(named.ip(2) == 0x400008);  // not in the metadata
  CHECK(named.variable(0) == 0x1000);
  CHECK(named.width(0) == 4);
  CHECK(named.variable(1) == 0x100000000008);
  CHECK(named.lock(0) == 0x2000);
  CHECK(named.lock(1) == 0x200000000040);
  rapidbin::trace_feed trace(source_of({make(0, op::read, 0, 1), make(0, op::acquire, 0, 0)}),
                             named);
  const auto b = trace.next();
  CHECK(*b[0].source_memory().begin() == 0x1000);
  CHECK(b[0].access_width() == 4);
  CHECK(b[0].ip() == named.ip(1));
  CHECK(*b[1].destination_memory().begin() == 0x2000);
  CHECK(b[1].access_width() == 0);
  // A ChampSim record of the event, with the thread as asid if the record has one.
  const auto r = champsim::record_of<tracecodec::champsim::cloudsuite_instruction>(b[0]);
  CHECK(r.record.source_memory[0] == 0x1000);
  CHECK(r.dropped_operands == 0);
}

TEST_CASE("adaptors work on a feed of one or many batches") {
  events many;
  for (unsigned i = 0; i < 10'000; ++i) many.push_back(make(i % 5, op::read, i % 100, i % 1000));
  const auto ips = [](auto f) {
    std::vector<std::uint64_t> out;
    for (const auto& i : f) out.push_back(i.index());
    return out;
  };
  CHECK(ips(rapidbin::trace_feed(source_of(many))).size() == 10'000);
  const auto part =
      ips(rapidbin::trace_feed(source_of(many)) | feed::skip{4000} | feed::limit{200});
  CHECK(part.size() == 200);
  CHECK(part.front() == 4000);
  CHECK(part.back() == 4199);
  const folder dir;
  const std::string path = dir.file("t.data", written(many));
  CHECK(ips(rapidbin::trace_feed(path) | feed::repeat{3}).size() == 30'000);
  std::size_t shards = 0;
  for (std::uint64_t i = 0; i < 3; ++i)
    shards += ips(rapidbin::trace_feed(path) | feed::shard(i, 3)).size();
  CHECK(shards == 10'000);
  CHECK(ips(rapidbin::trace_feed(path) | feed::as_champsim_reads{}).size() == 9'999);
}

TEST_CASE("a selection keeps the indexes of the whole trace") {
  const auto select = [](auto set) {
    rapidbin::open_options o;
    set(o.wanted);
    std::vector<std::uint64_t> indexes;
    rapidbin::trace_feed trace(source_of(every_operation(), std::move(o)));
    for (const auto& i : trace) indexes.push_back(i.index());
    return indexes;
  };
  using list = std::vector<std::uint64_t>;
  CHECK(select([](auto& s) { s.threads.insert(0); }) == list{0, 8, 9});
  CHECK(select([](auto& s) { s.locks.insert(0); }) == list{2, 3, 6});
  CHECK(select([](auto& s) { s.variables.insert(0); }) == list{4, 9});
  CHECK(select([](auto& s) { s.locations.insert(2); }) == list{2, 3});
  CHECK(select([](auto& s) {
          s.threads.insert(1);
          s.variables.insert(0);
        }) == list{4});
  CHECK(select([](auto& s) {
          s.variables.insert(0);
          s.locks.insert(0);
        }) == list{2, 3, 4, 6, 9});
  CHECK(select([](auto& s) { s.threads.insert(99); }).empty());
}

TEST_CASE("a selection can be skipped, counted and rewound") {
  events many;
  for (unsigned i = 0; i < 20'000; ++i) many.push_back(make(i % 3, op::read, i % 100, 0));
  const folder dir;
  rapidbin::selection wanted;
  wanted.threads.insert(1);
  const auto events_of_1 =
      rapidbin::open_events(io::open_input(dir.file("t", written(many))), {.wanted = wanted});
  CHECK(events_of_1->count() == 6667);
  CHECK(events_of_1->skip(6000) == 6000);
  CHECK(events_of_1->count() == 6667);
  CHECK(events_of_1->next().index(0) == 18'001);
  events_of_1->rewind();
  CHECK(all_of(*events_of_1).size() == 6667);
  CHECK(events_of_1->skip(1) == 0);
}

TEST_CASE("events skipped before an error stay skipped") {
  const bytes raw = written(every_operation());
  const bytes cut(raw.begin(), raw.end() - 3);
  rapidbin::selection wanted;
  wanted.threads.insert(1);
  const folder dir;
  const auto from = rapidbin::open_events(io::open_input(dir.file("t", cut)), {.wanted = wanted});
  CHECK(from->skip(3) == 3);
  CHECK(from->next().size() == 4);
  CHECK(error_of([&] { from->next(); }));
  from->rewind();
  CHECK(from->skip(100) == 7);
  CHECK(error_of([&] { from->next(); }));
}

TEST_CASE("renumbering makes every kind of id dense, also in the metadata") {
  const events sparse{make(700, op::write, 5000, 30), make(700, op::fork, 9, 31),
                      make(9, op::acquire, 77, 30),   make(9, op::read, 5000, 40),
                      make(9, op::release, 77, 30),   make(700, op::read, 12, 30)};
  const events dense{make(0, op::write, 0, 0),   make(0, op::fork, 1, 1),
                     make(1, op::acquire, 0, 0), make(1, op::read, 0, 2),
                     make(1, op::release, 0, 0), make(0, op::read, 1, 0)};
  const auto from = source_of(sparse, {.renumber = true});
  CHECK(all_of(*from) == dense);
  rapidbin::metadata old;
  old.threads.add(1, 700);
  old.threads.add(2, 9);
  old.threads.add(3, 8);
  old.memory.add({64, 4}, 5000);
  old.memory.add({68, 4}, 5001);
  old.locations.add({1, 2}, 40);
  old.shared_variables = {{5000, {8, 9, 700}}, {5001, {9, 700}}, {12, {8, 700}}};
  const auto* r = dynamic_cast<const rapidbin::renumbered_events*>(from.get());
  REQUIRE(r != nullptr);
  const rapidbin::metadata now = r->numbers()(old);
  CHECK(*now.threads.find(0) == 1);
  CHECK(*now.threads.find(1) == 2);
  CHECK(now.threads.size() == 2);
  CHECK(*now.memory.find(0) == rapidbin::memory_location{64, 4});
  CHECK(now.memory.size() == 1);
  CHECK(*now.locations.find(2) == rapidbin::code_location{1, 2});
  CHECK(now.shared_variables == std::map<std::uint64_t, std::set<std::uint64_t>>{{0, {0, 1}}});
}

TEST_CASE("recognises traces and texts by content") {
  for (const std::string name : {"r250", "r6000"}) {
    CHECK(recognised(data("rapidbin/" + name + ".data")) == "rapidbin");
    CHECK(recognised(data("rapidbin/" + name + ".std")) == "std");
    CHECK(recognised(data("rapidbin/" + name + ".rapid.std")) == "std");
    // Also from a stream, whose size is unknown.
    CHECK(recognised(content(data("rapidbin/" + name + ".data"))) == "rapidbin");
  }
  const bytes sample = content(data("rapidbin/r6000.data"));
  // A trace that is truncated, followed by other bytes or unfinished is still recognised.
  for (const std::size_t n : {26U, 1000U, 40'001U})
    CHECK(recognised(bytes(sample.begin(), sample.begin() + static_cast<long>(n))) == "rapidbin");
  CHECK(recognised(sample + bytes(3)) == "rapidbin");
  bytes unfinished = sample;
  std::fill_n(unfinished.begin(), 18, std::byte{0});
  CHECK(recognised(unfinished) == "rapidbin");
  // Readers ignore the sign bit. Recognition uses this bit only if the header's event count does
  // not identify the trace.
  bytes with_sign = sample;
  with_sign[18 + 8 * 7] |= std::byte{0x80};
  const folder dir;
  CHECK(recognised(dir.file("sign.data", with_sign)) == "rapidbin");
  with_sign.resize(1000);
  const std::string cut = dir.file("cut.data", with_sign);
  const auto no_trace = error_of([&] { recognised(cut); });
  REQUIRE(no_trace);
  CHECK(no_trace->code() == trace_errc::not_a_trace);
  with_sign[18 + 8 * 7] &= std::byte{0x7F};
  CHECK(recognised(dir.file("cut.data", with_sign)) == "rapidbin");
  // A trace without events, and text of another kind.
  CHECK(recognised(bytes(18)) == "rapidbin");
  const std::string text = "Dear reader,\nthis is a letter of some length, and no trace at all.\n";
  bytes letter(text.size());
  std::memcpy(letter.data(), text.data(), text.size());
  auto error = error_of([&] { recognised(letter); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::not_a_trace);
  CHECK(std::string(error->what()).find("without the lines of a trace") != std::string::npos);
  // ChampSim traces are still recognised as such, and zeros are not recognised at all.
  CHECK(recognised(data("work32.champsimtrace.xz")) == "champsim");
  error = error_of([] { recognised(bytes(100'000)); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::not_a_trace);
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("visit opens traces and texts, with the metadata next to the trace") {
  const auto first = [](const std::string& path, format::open_options o = {}) {
    std::uint64_t ip = 0;
    trace::visit(io::open_input(path), o, [&ip](auto trace) {
      for (const auto& i : trace) {
        ip = i.ip();
        break;
      }
    });
    return ip;
  };
  const std::string trace = data("rapidbin/r250.data");
  CHECK(first(trace) == (std::uint64_t{248} << 32 | (64 * 247 + 4 * 4944)));
  CHECK(first(data("rapidbin/r250.std")) == first(trace));
  CHECK(first(trace, {.own = {rapidbin::metadata_file{}}}) == 0x400000);
  CHECK(first(trace, {.own = {rapidbin::metadata_file{data("rapidbin/r6000.json")}}}) !=
        first(trace));
  const auto refused = [&first](const std::string& path, const format::open_options& o) {
    const auto error = error_of([&] { first(path, o); });
    REQUIRE(error);
    return error->code();
  };
  CHECK(refused(trace, {.own = {rapidbin::metadata_file{"/nowhere"}}}) == trace_errc::system);
  CHECK(refused(trace, {.own = {rapidbin::metadata_file{trace}}}) == trace_errc::bad_value);
  const std::string other = data("work32.champsimtrace.xz");
  CHECK(refused(other, {.own = {rapidbin::metadata_file{data("rapidbin/r250.json")}}}) ==
        trace_errc::refused);
  format::open_options some;
  some.own.edit<rapidbin::selection>().locks.insert(1);
  CHECK(refused(other, some) == trace_errc::refused);
  CHECK(refused(other, {.thread = 1}) == trace_errc::refused);
  std::size_t n = 0;
  trace::visit(io::open_input(trace), {.thread = 2}, [&n](auto t) {
    for (const auto& i : t) n += i.asid() == 2 ? 1 : 1000;
  });
  CHECK(n == 31);
}
#endif
