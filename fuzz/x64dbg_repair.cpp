// Tests the repair of x64dbg traces. Bit 0 of the first byte selects a mapped input.
#include "input.hpp"
#include "tracecodec/x64dbg/reader.hpp"
#include "tracecodec/x64dbg/repair.hpp"

namespace fuzz::x64dbg_repair {
namespace {
namespace x64dbg = tracecodec::x64dbg;

struct repaired {
  bytes out = {};
  x64dbg::repair_summary sum = {};
  std::uint64_t reported = 0;
};
repaired repair(io::input in) {
  repaired r;
  r.sum = x64dbg::repair(std::move(in), sink_to(r.out), "out",
                         [&r](const x64dbg::mended_place&) { ++r.reported; });
  return r;
}

void run(view in) {
  const bool mapped = (take_byte(in) & 1U) != 0;
  repaired r;
  if (error_of([&] { r = repair(input_of(in, mapped)); })) return;
  require(r.reported == r.sum.mended, "each mended block is reported");
  require(r.out.size() <= in.size(), "nothing is added");
  std::uint64_t instructions = 0;
  x64dbg::with_reader(stream_of(r.out), {.without_snapshot = true}, [&](auto& from) {
    for ([[maybe_unused]] const auto& i : from) ++instructions;
  });
  require(instructions == r.sum.instructions, "a strict reader takes the repaired trace");
  repaired other;
  const auto error = error_of([&] { other = repair(input_of(in, !mapped)); });
  // The stream may be refused because of a large user block, which a mapped input can copy. See
  // copy_user_block().
  if (mapped && error && error->code() == tracecodec::trace_errc::refused) return;
  require(!error && same(other.out, r.out), "mapped or not, the same comes out");
}
const target registered("x64dbg_repair", run);
}  // namespace
}  // namespace fuzz::x64dbg_repair
