// Compares the columns of every format with the instructions of the same feed.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "champsim/support.hpp"
#include "columns_check.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/rapidbin/values.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/x64dbg/opens.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/rapidbin/read_metadata.hpp"
#endif
#if TRACECODEC_OPENS_UMTRACER
#include "tracecodec/umtracer/values.hpp"
#endif
#if TRACECODEC_OPENS_X64DBG
#include "tracecodec/x64dbg/values.hpp"
#endif

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
using feed::column;
using test::check_format;

namespace {

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

TEST_CASE("columns equal ChampSim's records" * doctest::skip(!test::with_xz)) {
  check_format([] { return champsim::trace_feed<>(test::data("sed64.champsimtrace.xz")); });
}

TEST_CASE("columns equal CloudSuite's records, the rules of 2022, and records with a mapping") {
  const auto bytes = jumps_of_cloudsuite(5000);
  const auto open = [&] { return tracecodec::io::open_bytes(bytes, "t"); };
  using cloudsuite = champsim::cloudsuite_instruction;
  check_format([&] { return champsim::trace_feed<cloudsuite>(open(), {.trust = true}); });
  check_format([&] {
    return champsim::trace_feed<cloudsuite, champsim::branch_rules::of_2022>(open(),
                                                                             {.trust = true});
  });
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

TEST_CASE("columns equal RapidBin's events, with and without metadata") {
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
TEST_CASE("columns equal x64dbg's instructions" * doctest::skip(!test::with_xz)) {
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
  // Single threads are tested, too, because in the whole trace other threads change the registers
  // in between.
  std::set<std::uint32_t> threads;
  x64dbg::trace_feed<x64dbg::target::x64> all(test::data("threads3_64.trace64.xz"));
  for (auto batch = all.next(); batch.size() != 0; batch = all.next())
    for (std::size_t k = 0; k != batch.size(); ++k) threads.insert(batch[k].asid());
  CHECK(threads.size() > 2);
  for (const std::uint32_t thread : threads)
    test::check_columns(
        [thread] {
          return x64dbg::trace_feed<x64dbg::target::x64>(test::data("threads3_64.trace64.xz"),
                                                         {.thread = thread, .registers = true});
        },
        {column::register_values}, 500, 1500);
  const auto from = feed::make_column_source(
      x64dbg::trace_feed<x64dbg::target::x86>(test::data("work32.trace32.xz")));
  CHECK(from->has_all_registers());
  CHECK(from->has().has_any({column::code}));
  CHECK(!from->has().has(column::text));
  CHECK(from->select_register("AX") == 2);
  CHECK(!from->select_register("rax"));
  CHECK(!from->match_mnemonic("jq"));
  CHECK(from->match_mnemonic("je"));
  CHECK(from->match_mnemonic("jz"));
  const auto code = test::from_hex("89c0");
  CHECK(from->assembly_of(code, 0x1000) == "mov eax, eax");
  CHECK(from->assembly_at(0).empty());
}
#endif

#if TRACECODEC_OPENS_UMTRACER
TEST_CASE("columns equal UMTracer's instructions") {
  namespace umtracer = tracecodec::umtracer;
  for (const char* name : {"plain32", "plain64", "awkward32", "awkward64"}) {
    const std::string folder = test::data("umtracer/") + name;
    const umtracer::trace_feed trace(folder);
    check_format([&] { return umtracer::trace_feed(folder); },
                 trace.trace().registers().find("rax") ? "rax" : "eax", "mov");
  }
}
TEST_CASE("UMTracer: returns the text of an instruction by its record number") {
  namespace umtracer = tracecodec::umtracer;
  const auto from = feed::make_column_source(umtracer::trace_feed(test::data("umtracer/plain64")),
                                             {column::index, column::text});
  CHECK(!from->has_all_registers());
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
