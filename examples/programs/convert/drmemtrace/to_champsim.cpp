// Converts a drmemtrace trace to ChampSim records.
#include <tracecodec/io/error.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "../../common/progress.hpp"
#include "../champsim/losses.hpp"
#include "../champsim/record_output.hpp"
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
  constexpr std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t left = o.part.limit.value_or(all);
  std::exception_ptr failure;
  {
    examples::progress_line progress(o.in);
    for (bool begun = false; left != 0;) {
      drmemtrace::trace_feed::batch_type b;
      try {
        if (!std::exchange(begun, true)) from.skip(o.part.skip);
        b = from.next();
      } catch (const io::interruption&) {
        throw;
      } catch (...) {
        failure = std::current_exception();
        break;
      }
      if (b.size() == 0) break;
      stop_if_interrupted();
      for (std::size_t n = 0; n != b.size() && left != 0; ++n, --left)
        records.add(b[n], batch, known);
      if (out.keeps_properties())
        out.write(batch, known);
      else
        out.write(batch);
      batch.clear();
      known.clear();
      progress.at(from.progress());
    }
  }
  report(records.losses(), false, say);
  if (const std::uint64_t n = records.extra_accesses(); n != 0)
    say(std::to_string(n) + (n == 1 ? " access" : " accesses") +
        " beyond four reads and two writes" +
        (records.extra_records() != 0 ? " in " + some(records.extra_records(), "further record")
                                      : " left out"));
  finish(out, out.written(), failure, o);
}

}  // namespace convert
