// Converts a drmemtrace trace to ChampSim records.
#include <tracecodec/io/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../champsim/losses.hpp"
#include "../champsim/record_output.hpp"
#include "../selected.hpp"
#include "champsim_records.hpp"
#include "conversion.hpp"

namespace convert {

void drmemtrace_to_champsim(tracecodec::trace::source in, const options& o, const format& /*to*/,
                            io::codec compression) {
  namespace drmemtrace = tracecodec::drmemtrace;
  tracecodec::trace::require_known_options(in, o.as);
  auto about =
      about_packed<champsim::instruction>(in, o, tracepack::has_classes | tracepack::has_lengths);
  about.processor = drmemtrace_conversion.processor(in);
  drmemtrace::trace_feed from(std::move(in.input()), {.thread = o.as.thread});
  if (!from.lacks().has(tracecodec::feed::column::code)) about.properties |= tracepack::has_code;
  drmemtrace_records records(o.output.value_or(drmemtrace::extra_accesses::records));
  record_output<champsim::instruction> out(o, compression, about);
  std::vector<champsim::instruction> batch;
  std::vector<tracepack::property> known;
  const auto failure =
      for_each_batch(from, o, o.part.skip, end_of(o), [&](const auto& b, std::size_t selected) {
        for (std::size_t n = 0; n != selected; ++n) records.add(b[n], batch, known);
        out.write(batch, known);
        batch.clear();
        known.clear();
      });
  report(records.losses(), false, say);
  if (const std::uint64_t n = records.extra_accesses(); n != 0)
    say(std::to_string(n) + (n == 1 ? " access" : " accesses") +
        " beyond four reads and two writes" +
        (records.extra_records() != 0 ? " in " + some(records.extra_records(), "further record")
                                      : " left out"));
  finish(out, out.written(), failure, o);
}

}  // namespace convert
