// Converts a CVP-1 or CBP2025 trace to ChampSim records.
#include <tracecodec/io/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../champsim/record_output.hpp"
#include "champsim_records.hpp"
#include "conversion.hpp"
#include "instructions.hpp"

namespace convert {

void cvp_to_champsim(tracecodec::trace::source in, const options& o, const format& /*to*/,
                     io::codec compression) {
  const auto how = o.output.value_or(cvp::improvements());
  if (how.as_original && how.selected)
    throw usage_error("--as-original makes no improvements: leave out --improvements");
  if (!in.rewindable())
    throw tracecodec::trace_error(
        tracecodec::trace_errc::refused, {.file = in.name()},
        "a pipe cannot be converted to ChampSim's records, because the conversion reads a trace "
        "twice: save the trace as a file first");
  const std::string name = in.name();
  auto about =
      about_packed<champsim::instruction>(in, o, tracepack::has_classes | tracepack::has_lengths);
  about.processor = tracepack::processor::aarch64;
  with_instructions(std::move(in), [&](auto& from, auto) {
    champsim_records records(how, name);
    // An error also ends the second pass, which reports the error.
    constexpr std::uint64_t all = ~std::uint64_t{0};
    static_cast<void>(for_each_in(
        from, o, 0, all, [&](std::uint64_t index, const auto& i) { records.look_at(index, i); }));
    from.rewind();
    record_output<champsim::instruction> out(o, compression, about);
    std::vector<champsim::instruction> batch;
    std::vector<tracepack::property> known;
    const auto write = [&] {
      out.write(batch, known);
      batch.clear();
      known.clear();
    };
    std::uint64_t clipped = 0;
    // The instructions before the part also determine the part's records.
    const auto failure =
        for_each_in(from, o, 0, end_of(o), [&](std::uint64_t index, const auto& i) {
          const std::size_t before = batch.size();
          const std::size_t dropped = records.convert(index, i, batch, known);
          if (index < o.part.skip) {
            batch.resize(before);
            known.resize(before);
            return;
          }
          clipped += dropped != 0;
          constexpr std::size_t few = 1024;
          if (batch.size() >= few) write();
        });
    write();
    if (clipped != 0)
      say(some(clipped, "instruction") + " with more registers than a ChampSim record can store");
    finish(out, out.written(), failure, o);
  });
}

}  // namespace convert
