// Tests of writer.hpp and symbolic_writer.hpp: counts, refused events, and when a file
// appears.
#include "tracecodec/rapidbin/writer.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/symbolic_writer.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/rapidbin/read_metadata.hpp"
#endif

using namespace test;
namespace fs = std::filesystem;

namespace {
rapidbin::header header_of(const events& all) {
  rapidbin::header h{};
  rapidbin::header_codec::decode(written(all), h);
  return h;
}
}  // namespace

TEST_CASE("the header counts distinct ids") {
  CHECK(header_of({make(0, op::read, 0, 0)}) == rapidbin::header{1, 0, 1, 1});
  // Threads that are only forked or joined are counted. Locks that are only requested are counted
  // too.
  CHECK(header_of({make(5, op::fork, 9, 0), make(5, op::join, 8, 0)}) ==
        rapidbin::header{3, 0, 0, 2});
  CHECK(header_of({make(0, op::request, 7, 0), make(0, op::acquire, 7, 0),
                   make(0, op::release, 3, 0)}) == rapidbin::header{1, 2, 0, 3});
  // A lock and a variable with one number are two objects. Large and sparse ids are counted.
  CHECK(header_of({make(0, op::acquire, 1, 0), make(0, op::write, 1, 0),
                   make(0, op::read, rapidbin::largest_decor, 0),
                   make(0, op::read, rapidbin::largest_decor, 0),
                   make(0, op::write, std::uint64_t{1} << 22, 0)}) == rapidbin::header{1, 1, 3, 5});
  // Operations without an operand add to no count, whatever their decor is.
  CHECK(header_of({make(0, op::begin, 77, 0), make(0, static_cast<op>(12), 78, 0)}) ==
        rapidbin::header{1, 0, 0, 2});
}

TEST_CASE("writes ids up to their limits and refuses larger ids") {
  struct limit {
    const char* field;
    event largest, above;
  };
  const auto wide = [](event e, auto set) {
    set(e);
    return e;
  };
  const event e = make(0, op::read, 0, 0);
  const limit limits[] = {
      {"location", wide(e, [](event& x) { x.location = 32767; }),
       wide(e, [](event& x) { x.location = 32768; })},
      {"decor", wide(e, [](event& x) { x.decor = 0x3FFFFFFFF; }),
       wide(e, [](event& x) { x.decor = 0x400000000; })},
      {"thread", wide(e, [](event& x) { x.thread = 1023; }),
       wide(e, [](event& x) { x.thread = 1024; })},
      {"decor", make(0, op::fork, 1023, 0), make(0, op::fork, 1024, 0)},
      {"decor", make(0, op::join, 1023, 0), make(0, op::join, 1024, 0)},
      {"operation", make(0, static_cast<op>(15), 0, 0), make(0, static_cast<op>(16), 0, 0)},
  };
  const folder dir;
  for (const limit& l : limits) {
    rapidbin::writer out(dir / "t");
    out.write(l.largest);
    const auto error = error_of([&] { out.write(l.above); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::refused);
    CHECK(error->field() == l.field);
    CHECK(error->record() == 1);
    CHECK(error->offset() == 26);
    CHECK(error->file() == dir / "t");
    CHECK(out.written() == 1);
  }
  // The sign bit is preserved.
  event signed_event = e;
  signed_event.sign = true;
  CHECK(written({signed_event}).at(18) == std::byte{0x80});
}

TEST_CASE("a trace appears only when it is complete") {
  const folder dir;
  {
    rapidbin::writer out(dir / "t");
    for (unsigned i = 0; i < 50'000; ++i) out.write(make(0, op::read, i, 0));
    CHECK_FALSE(fs::exists(dir / "t"));
  }
  CHECK_FALSE(fs::exists(dir / "t"));
  CHECK(fs::is_empty(fs::path(dir / "t").parent_path()));
}

TEST_CASE("if the header cannot be patched, the trace is spooled in a temporary file") {
  const events all = every_operation();
  bytes got;
  {
    rapidbin::writer out(std::make_unique<vector_sink>(got), "memory");
    for (const event& e : all) out.write(e);
    CHECK(got.empty());
    out.finish();
  }
  CHECK(got == every_operation_bytes());
  const folder dir;
  for (const auto& [name, there] :
       {std::pair("t.xz", with_xz), std::pair("t.gz", with_gzip), std::pair("t.zst", with_zstd)}) {
    if (!there) continue;
    rapidbin::writer out(dir / name);
    for (const event& e : all) out.write(e);
    out.finish();
    CHECK(content(dir / name) == every_operation_bytes());
  }
  // If the writer is destroyed before finish(), it writes nothing at all.
  got.clear();
  {
    rapidbin::writer out(std::make_unique<vector_sink>(got), "memory");
    out.write(all[0]);
  }
  CHECK(got.empty());
}

TEST_CASE("numbers a program's objects by first appearance and writes their metadata") {
  const folder dir;
  rapidbin::symbolic_writer out(dir / "t.data");
  out.write(70, {4096, 4}, {3, 9});  // thread 0, variable 0, location 0
  out.fork(70, 90, {3, 10});         // thread 1, location 1
  out.request(90, 65536, {4, 0});    // lock 0, location 2
  out.acquire(90, 65536, {4, 0});
  out.read(90, {4096, 4}, {4, 1});  // variable 0 is now shared; location 3
  out.read(90, {4096, 8}, {4, 1});  // variable 1, because the width differs
  out.release(90, 65536, {4, 2});   // location 4
  out.join(70, 90, {3, 11});        // location 5
  CHECK_FALSE(fs::exists(dir / "t.data"));
  CHECK_FALSE(fs::exists(dir / "t.json"));
  out.finish();
  rapidbin::reader in(dir / "t.data");
  CHECK(in.declared() == rapidbin::header{2, 1, 2, 8});
  CHECK(all_of(in) == events{make(0, op::write, 0, 0), make(0, op::fork, 1, 1),
                             make(1, op::request, 0, 2), make(1, op::acquire, 0, 2),
                             make(1, op::read, 0, 3), make(1, op::read, 1, 3),
                             make(1, op::release, 0, 4), make(0, op::join, 1, 5)});
#if defined(TRACECODEC_WITH_SIMDJSON)
  const rapidbin::metadata m = rapidbin::read_metadata(dir / "t.json");
  CHECK(text_in(dir / "t.json") == rapidbin::metadata_text(m));
  CHECK(*m.threads.find(1) == 90);
  CHECK(*m.memory.find(1) == rapidbin::memory_location{4096, 8});
  CHECK(*m.locks.find(0) == 65536);
  CHECK(*m.locations.find(5) == rapidbin::code_location{3, 11});
  CHECK(m.locations.size() == 6);
  CHECK(m.shared_variables == std::map<std::uint64_t, std::set<std::uint64_t>>{{0, {0, 1}}});
#endif
}

TEST_CASE("refuses a trace with the name of its metadata") {
  const folder dir;
  const auto error = error_of([&] { rapidbin::symbolic_writer out(dir / "t.json"); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::refused);
  CHECK(fs::is_empty(dir / ""));
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("rewrites a sample from its program's objects without a difference") {
  for (const std::string name : {"r250", "r6000"}) {
    const rapidbin::metadata m = rapidbin::read_metadata(data("rapidbin/" + name + ".json"));
    const folder dir;
    rapidbin::symbolic_writer out(dir / "t.data");
    rapidbin::reader in(data("rapidbin/" + name + ".data"));
    for (const event& e : all_of(in)) {
      const std::uint64_t thread = *m.threads.find(e.thread);
      const rapidbin::code_location where = *m.locations.find(e.location);
      switch (e.operation) {
        case op::acquire:
          out.acquire(thread, *m.locks.find(e.decor), where);
          break;
        case op::release:
          out.release(thread, *m.locks.find(e.decor), where);
          break;
        case op::request:
          out.request(thread, *m.locks.find(e.decor), where);
          break;
        case op::read:
          out.read(thread, *m.memory.find(e.decor), where);
          break;
        case op::write:
          out.write(thread, *m.memory.find(e.decor), where);
          break;
        case op::fork:
          out.fork(thread, *m.threads.find(e.decor), where);
          break;
        case op::join:
          out.join(thread, *m.threads.find(e.decor), where);
          break;
        default:
          FAIL("not in the samples");
      }
    }
    out.finish();
    CHECK(content(dir / "t.data") == content(data("rapidbin/" + name + ".data")));
    CHECK(text_in(dir / "t.json") == text_in(data("rapidbin/" + name + ".json")));
  }
}
#endif

TEST_CASE("refuses the 32,769th location and the 1,025th thread") {
  const folder dir;
  rapidbin::symbolic_writer out(dir / "t.data");
  for (std::uint32_t i = 0; i < 32768; ++i) out.begin(0, {0, i});
  auto error = error_of([&] { out.begin(0, {1, 0}); });
  REQUIRE(error);
  CHECK(error->field() == "location");
  rapidbin::symbolic_writer forks(dir / "u.data");
  for (std::uint64_t i = 0; i < 1023; ++i) forks.fork(0, i + 1, {0, 0});
  error = error_of([&] { forks.fork(0, 5000, {0, 0}); });
  REQUIRE(error);
  CHECK(error->field() == "decor");
  error = error_of([&] { forks.end(6000, {0, 0}); });
  REQUIRE(error);
  CHECK(error->field() == "thread");
}
