// Checks that rows do not allocate: ten times as many records cause no more allocations.
#include <doctest/doctest.h>

#include "../bounds/memory_meter.hpp"
#include "support.hpp"
#include "tracecodec/champsim/rows.hpp"
#include "tracecodec/rapidbin/rows.hpp"
#include "tracecodec/umtracer/rows.hpp"
#include "tracecodec/x64dbg/rows.hpp"

using namespace test;
namespace champsim = tracecodec::champsim;
namespace rapidbin = tracecodec::rapidbin;
namespace umtracer = tracecodec::umtracer;
namespace x64dbg = tracecodec::x64dbg;

namespace {
class no_sink final : public io::sink {
 public:
  void write(std::span<const std::byte>) override {}
  void finish() override {}
};

// Returns the number of allocations while `n` rows of make(i) are written in both forms.
template <class Row, class Make> std::uint64_t counted(std::size_t n, Make make) {
  const std::uint64_t before = memory_meter.count;
  rows::json_lines<Row> json(std::make_unique<no_sink>());
  rows::csv<Row> csv(std::make_unique<no_sink>());
  for (std::size_t i = 0; i < n; ++i) {
    json.write(make(i));
    csv.write(make(i));
  }
  json.finish();
  csv.finish();
  return memory_meter.count - before;
}
template <class Row, class Make> void check(Make make) {
  const std::uint64_t few = counted<Row>(1'000, make);
  CHECK(few >= 2);  // the sinks and buffers allocate, which proves that allocations are counted
  CHECK(few < 20);
  CHECK(counted<Row>(10'000, make) == few);
}

TEST_CASE("rows cause no allocations") {
  const champsim::instruction record{};
  check<champsim::row<champsim::instruction>>(
      [&](std::size_t i) { return champsim::row_of(i, champsim::instruction_view(record, 0)); });
  const rapidbin::event event{};
  check<rapidbin::row>([&](std::size_t i) { return rapidbin::row_of(i, event); });
  const rapidbin::metadata names;
  check<rapidbin::row_with_metadata_names>(
      [&](std::size_t i) { return rapidbin::row_of(i, event, names); });

  constexpr auto target = x64dbg::target::x64;
  const auto raw = from_hex(
      "00 01 01 81 04000000 90"
      "10 0010400000000000 00 0020000000000000 0100000000000000 0200000000000000");
  x64dbg::instruction<target> i;
  REQUIRE(x64dbg::block_codec<target>::decode(raw, i.block));
  x64dbg::register_state<target> before;
  before.apply(i.block);
  i.before = &before;
  check<x64dbg::row<target>>([&](std::size_t) { return x64dbg::row_of(i); });

  const umtracer::reader trace(data("umtracer/plain64"));
  umtracer::exec_rows<std::optional<std::string_view>> make(trace);
  check<umtracer::exec_row<std::optional<std::string_view>>>(
      [&](std::size_t n) { return make(n % trace.size()); });
}
}  // namespace
