// Tests of converting a feed's instruction to a ChampSim record: flags, operands, and operands
// that do not fit.
#include "tracecodec/champsim/record_of.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/champsim/feed.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
using feed::branch_class;

namespace {
// Instruction of a rich format, with any number of operands.
struct rich {
  branch_class kind = branch_class::not_branch;
  std::vector<std::uint8_t> written = {}, read = {};
  std::vector<std::uint64_t> stores = {}, loads = {};
  std::uint64_t lost = 0;
  [[nodiscard]] std::uint64_t ip() const { return 0x401000; }
  [[nodiscard]] branch_class branch() const { return kind; }
  [[nodiscard]] bool is_branch() const { return kind != branch_class::not_branch; }
  [[nodiscard]] bool taken() const { return is_branch(); }
  [[nodiscard]] std::uint64_t target() const { return 0; }
  [[nodiscard]] std::uint32_t asid() const { return 0x1A2B; }
  [[nodiscard]] const auto& destination_registers() const { return written; }
  [[nodiscard]] const auto& source_registers() const { return read; }
  [[nodiscard]] const auto& destination_memory() const { return stores; }
  [[nodiscard]] const auto& source_memory() const { return loads; }
  [[nodiscard]] std::uint64_t dropped_operands() const { return lost; }
};
static_assert(feed::instruction<rich>);
}  // namespace

TEST_CASE("stores operands in order and counts dropped operands") {
  rich i{branch_class::return_, {6, 26, 10}, {6, 1, 2, 3, 4, 5}, {0x10, 0x20, 0x30}, {0x40}, 2};
  const auto r = champsim::record_of(i);
  CHECK(r.dropped_operands == 2 + 1 + 2 + 1);
  CHECK(r.record == champsim::instruction{
                        0x401000, 1, 1, {6, 26}, {6, 1, 2, 3}, {0x10, 0x20}, {0x40, 0, 0, 0}});
  // CloudSuite's record has 4 destinations, and 16 bits for the address space.
  const auto wide = champsim::record_of<champsim::cloudsuite_instruction>(i);
  CHECK(wide.dropped_operands == 2 + 2);
  CHECK(wide.record.destination_registers == std::array<std::uint8_t, 4>{6, 26, 10, 0});
  CHECK(wide.record.asid == std::array<std::uint8_t, 2>{0x2B, 0x1A});
}

TEST_CASE("counts an address of 0 as dropped, because it marks an unused slot") {
  rich i;
  i.loads = {0, 0x40};
  const auto r = champsim::record_of(i);
  CHECK(r.dropped_operands == 1);
  CHECK(r.record.source_memory == std::array<std::uint64_t, 4>{0x40, 0, 0, 0});
}

TEST_CASE("absent operands leave their slots empty") {
  const auto r = champsim::record_of(rich{});
  CHECK(r.dropped_operands == 0);
  CHECK(r.record == champsim::instruction{0x401000, 0, 0, {}, {}, {}, {}});
}

TEST_CASE("converts a ChampSim trace to its own records, with unused slots at the end") {
  champsim::trace_feed<> trace(test::data("work32.champsimtrace.xz"));
  std::uint64_t n = 0, lost = 0, different = 0;
  feed::for_each(trace, [&](const auto& i) {
    const auto r = champsim::record_of(i);
    ++n;
    lost += r.dropped_operands;
    champsim::instruction want = i.record();
    want.branch_taken = i.taken() ? 1 : 0;
    different += !(r.record == want);
  });
  CHECK(n == 50000);
  CHECK(lost == 0);
  CHECK(different == 0);
}
