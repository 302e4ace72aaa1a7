// Tests of each format when memory runs out: reading, checking and writing.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "io/goldens.hpp"
#include "out_of_memory/each_allocation.hpp"
#include "tracecodec/champsim/check.hpp"
#include "tracecodec/champsim/writer.hpp"
#include "tracecodec/io/compression/codecs.hpp"
#include "tracecodec/program/read_map.hpp"
#include "tracecodec/program/read_symbols.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/read_metadata.hpp"
#include "tracecodec/trace/instruction_source.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/umtracer/query.hpp"
#include "tracecodec/x64dbg/opens.hpp"
#if defined(TRACECODEC_WITH_PUGIXML)
#include "tracecodec/umtracer/read_metadata.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracecodec/tracepack/reader.hpp"
#include "tracecodec/tracepack/writer.hpp"
#endif
#if TRACECODEC_OPENS_X64DBG
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/memory.hpp"
#include "tracecodec/x64dbg/repair.hpp"
#endif

using namespace test;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace rapidbin = tracecodec::rapidbin;
namespace trace = tracecodec::trace;
namespace umtracer = tracecodec::umtracer;

namespace {

// Returns a checksum of a trace's columns and records, read in several ways.
std::uint64_t read(trace::source from, const format::open_options& how) {
  sum_of sum;
  const auto all = trace::open_instructions(std::move(from), how);
  all->want(all->has(), all->has());
  feed::columns batch;
  for (int i = 0; i != 3 && all->next(batch, 100); ++i)
    for (std::size_t row = 0; row != batch.size(); ++row) sum.add(batch.ip()[row]);
  for (int i = 0; i != 3; ++i)
    for (const champsim::instruction& r : all->next_records(100).records) {
      sum.add(r.ip);
      sum.add(r.source_memory[0]);
    }
  sum.add(all->skip(20));
  all->rewind();
  for (const champsim::instruction& r : all->next_records(10).records) sum.add(r.ip);
  return sum.value();
}
std::uint64_t read(const std::string& path, const format::open_options& how = {}) {
  return read(trace::source(path, how), how);
}
bytes front_of(const std::string& name, std::size_t most) {
  bytes all = content(data(name));
  all.resize(std::min(all.size(), most));
  return all;
}
io::input open(const bytes& file) {
  return io::open_bytes(file, "memory", {.compression = io::codec::none});
}
std::uint64_t sum_of_bytes(const bytes& all) {
  sum_of sum;
  for (const std::byte b : all) sum.add(std::to_integer<unsigned>(b));
  return sum.value();
}

bytes decompressed(const bytes& packed, std::size_t most) {
  io::input in = io::open_bytes(packed, "t");
  bytes all(most + 1);
  std::size_t n = 0;
  while (const std::size_t got = in.read(std::span(all).subspan(n))) n += got;
  all.resize(n);
  return all;
}

}  // namespace

TEST_CASE("reading each format survives lack of memory") {
  for (const char* name : {"rapidbin/r250.data", "rapidbin/r250.std"}) {
    CAPTURE(name);
    fail_each_allocation([&] { return read(data(name)); });
  }
  const bytes records = front_of("sed64.champsimtrace.xz", 64 * 96 * 10);
  for (const auto* const f : {trace::find_format("champsim"), trace::find_format("cloudsuite")})
    fail_each_allocation([&] {
      const format::open_options how{.format = f};
      return read(trace::source(open(records), how), how);
    });
}

TEST_CASE("reading compressed traces survives lack of memory" * doctest::skip(!with_xz)) {
  fail_each_allocation([] { return read(data("sed64.champsimtrace.xz")); }, 60);
  fail_each_allocation(
      [] { return read(data("sed64.champsimtrace.xz"), {.input = {.xz = {.threads = 1}}}); }, 60);
}

#if defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("reading tracepacks survives lack of memory, with and without threads") {
  for (const char* name : {"champsim_fast", "cloudsuite_high", "properties"})
    for (const unsigned threads : {1U, 2U, 3U}) {
      CAPTURE(name);
      CAPTURE(threads);
      const std::string path = data("tracepack/" + std::string(name) + ".tracepack");
      fail_each_allocation([&] { return read(path, {.threads = threads}); }, 80);
    }
}
#endif

#if TRACECODEC_OPENS_X64DBG
TEST_CASE(
    "reading, indexing, querying, checking and repairing x64dbg traces survive lack of memory" *
    doctest::skip(!with_xz)) {
  namespace x64dbg = tracecodec::x64dbg;
  const bytes file = front_of("threads3_64_legacybug.trace64.xz", 60000);
  const format::open_options how{.repair = true, .registers = true};
  fail_each_allocation([&] { return read(trace::source(open(file), how), how); });
  fail_each_allocation([&] {
    sum_of sum;
    x64dbg::reader<x64dbg::target::x64> r(open(file), {.repair = true});
    try {
      const auto index = x64dbg::index_of(r, 64);
      x64dbg::memory_queries<x64dbg::target::x64> queries(r, index);
      for (const auto& byte : queries.at(index.instructions() / 2, 0x30000, 16))
        sum.add(byte.value);
    } catch (const trace_error& e) {
      sum.add(e.offset().value_or(0));  // the trace is cut
    }
    return sum.value();
  });
  fail_each_allocation([&] {
    sum_of sum;
    x64dbg::check(open(file), [&](const auto& d) { sum.add(d.offset.value_or(0)); });
    return sum.value();
  });
  fail_each_allocation([&] {
    bytes out;
    x64dbg::repair(open(file), std::make_unique<vector_sink>(out), "out", [](const auto&) {});
    return sum_of_bytes(out);
  });
}
#endif

TEST_CASE("checks, metadata, maps and symbols survive lack of memory") {
  const bytes events = content(data("rapidbin/r250.data")),
              text = content(data("rapidbin/r250.std"));
  fail_each_allocation([&] {
    sum_of sum;
    rapidbin::check(open(events), [&](const auto& d) { sum.add(d.offset.value_or(0)); });
    rapidbin::check_std(open(text), [&](const auto& d) { sum.add(d.record.value_or(0)); });
    champsim::check<champsim::instruction>(open(events),
                                           [&](const auto& d) { sum.add(d.offset.value_or(0)); });
    return sum.value();
  });
#if defined(TRACECODEC_WITH_SIMDJSON)
  const bytes metadata = content(data("rapidbin/r250.json"));
  fail_each_allocation([&] {
    const auto m = rapidbin::read_metadata(open(metadata));
    return std::uint64_t{m.threads.size()} * 1000 + m.locations.size();
  });
  const std::string map =
      R"({"version":1,"from":3,"modules":[{"base":"0x1000","size":"0x100","path":"a/long/path/of/a/module"}],)"
      R"("symbols":[{"address":"0x1010","name":"a_function_with_a_long_name"}]})";
  const bytes json = bytes(reinterpret_cast<const std::byte*>(map.data()),
                           reinterpret_cast<const std::byte*>(map.data()) + map.size());
  fail_each_allocation([&] {
    const auto m = tracecodec::read_program_map(open(json));
    return m.from() + m.modules().size() + m.symbols().size();
  });
#endif
  const std::string nm = "0000000000001010 T a_function_with_a_long_name\n0000000000001020 t b\n";
  const bytes symbols = bytes(reinterpret_cast<const std::byte*>(nm.data()),
                              reinterpret_cast<const std::byte*>(nm.data()) + nm.size());
  fail_each_allocation(
      [&] { return std::uint64_t{tracecodec::read_symbols(open(symbols)).size()}; });
}

TEST_CASE("reading, checking and querying UMTracer traces survive lack of memory") {
  const std::string path = data("umtracer/plain32");
#if TRACECODEC_OPENS_UMTRACER
  fail_each_allocation([&] { return read(path); });
#endif
  fail_each_allocation(
      [&] {
        sum_of sum;
        umtracer::check(path, [&](const auto& d) { sum.add(d.offset.value_or(0)); });
        return sum.value();
      },
      40);
  fail_each_allocation(
      [&] {
        const umtracer::reader r(path);
        sum_of sum;
        const auto state = umtracer::memory_at(r, 200, {0x200020, 16}, umtracer::moment::before);
        for (const auto& b : state.bytes) sum.add(b.known ? std::to_integer<unsigned>(b.value) : 0);
        auto registers = umtracer::registers_at(r, 200, umtracer::moment::before);
        sum.add(registers.get("EAX").number().value_or(0));
        return sum.value();
      },
      40);
#if defined(TRACECODEC_WITH_PUGIXML)
  const std::string xml = "<Xed><Version>20150121</Version></Xed><CPU><Cores>4</Cores></CPU>";
  fail_each_allocation(
      [&] { return std::uint64_t{umtracer::parse_metadata(xml, "x").elements.size()}; });
#endif
}

#if defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("the tracepack reader survives lack of memory") {
  namespace tracepack = tracecodec::tracepack;
  for (const char* name : {"champsim_fast", "cloudsuite_high", "properties", "stored"})
    for (const unsigned threads : {1U, 3U}) {
      CAPTURE(name);
      CAPTURE(threads);
      const std::string path = data("tracepack/" + std::string(name) + ".tracepack");
      fail_each_allocation(
          [&] {
            std::size_t lost = 0;
            tracepack::reader r(
                io::open_input(path),
                {.lost = [&](const auto&) { ++lost; }, .statics = true, .threads = threads});
            sum_of sum;
            sum.add(r.content_size());
            sum.add(r.skip(64 * 7));
            for (auto b = r.next(); !b.bytes.empty(); b = r.next())
              for (const std::byte byte : b.bytes) sum.add(std::to_integer<unsigned>(byte));
            sum.add(lost);
            return sum.value();
          },
          60);
    }
}
#endif

TEST_CASE("compression and decompression survive lack of memory" * doctest::skip(!with_xz)) {
  const bytes records = front_of("sed64.champsimtrace.xz", 64 * 500);
  for (const io::codec c : {io::codec::xz, io::codec::gzip, io::codec::zstd}) {
    if ((c == io::codec::gzip && !with_gzip) || (c == io::codec::zstd && !with_zstd)) continue;
    CAPTURE(std::string(io::codec_name(c)));
    const auto pack = [&] {
      bytes packed;
      const auto out = io::compress(c, std::make_unique<vector_sink>(packed), "out", {});
      out->write(records);
      out->finish();
      return packed;
    };
    fail_each_allocation([&] { return sum_of_bytes(pack()); }, 40);
    const bytes packed = pack();
    REQUIRE(packed.size() > 100);
    fail_each_allocation([&] { return sum_of_bytes(decompressed(packed, records.size())); }, 40);
  }
}

TEST_CASE("decompressing each program's output survives lack of memory") {
  for (const io::test::golden& g : io::test::goldens()) {
    const bytes packed = from_hex(g.hex);
    if (error_of([&] { io::open_bytes(packed, "t"); })) continue;  // its codec is not in this build
    CAPTURE(std::string(g.command));
    CHECK(decompressed(packed, 1000).size() == 292);  // lines 1 to 100
    fail_each_allocation([&] { return sum_of_bytes(decompressed(packed, 1000)); }, 40);
  }
}

TEST_CASE("writers survive lack of memory") {
  const bytes records = front_of("sed64.champsimtrace.xz", 64 * 500);
#if defined(TRACECODEC_WITH_ZSTD)
  namespace tracepack = tracecodec::tracepack;
  for (const unsigned threads : {1U, 2U})
    fail_each_allocation(
        [&] {
          bytes out;
          tracepack::writer w(std::make_unique<vector_sink>(out), {.threads = threads});
          w.write(records);
          w.finish();
          return sum_of_bytes(out);
        },
        40);
#endif
}
