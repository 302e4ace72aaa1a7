// The functions of trace/open.hpp.
#pragma once
#include <utility>

#include "../../rapidbin/open.hpp"
#include "../open.hpp"

namespace tracecodec::trace {

[[noreturn]] TRACECODEC_FUNC void refuse_umtracer(const std::string& name) {
  throw trace_error(trace_errc::unsupported, {.file = name},
                    "an UMTracer trace: this build reads none, as it lacks Zydis");
}

[[noreturn]] TRACECODEC_FUNC void refuse_x64dbg(const io::input& in) {
  throw trace_error(trace_errc::unsupported, {.file = in.name()},
                    "an x64dbg trace: this build reads none, as it lacks simdjson or Zydis");
}

namespace detail {
#if defined(TRACECODEC_WITH_ZSTD)
TRACECODEC_FUNC bool tells_more(const source& from, const visit_options& o) {
  return from.packed() != nullptr && from.packed()->properties != 0 && !o.record &&
         !o.map_registers && from.format() == format::champsim &&
         from.packed()->kind == tracepack::record_kind::champsim;
}
#endif

TRACECODEC_FUNC rapidbin::trace_feed open_events(io::input in, format f,
                                                 const visit_options& options) {
  auto names = metadata_of(in, f == format::std, options);
  rapidbin::open_options how{.text = f == format::std,
                             .lenient = options.repair,
                             .strict = options.strict,
                             .wanted = wanted_events(options),
                             .names = names ? &*names : nullptr};
  if (options.note)
    how.remark = [note = options.note, file = in.name()](rapidbin::std_remark,
                                                         const std::string& message) {
      note(file + ": " + message);
    };
  auto events = rapidbin::open_events(std::move(in), std::move(how));
  return rapidbin::trace_feed(std::move(events), names ? rapidbin::address_map(std::move(*names))
                                                       : rapidbin::address_map());
}
}  // namespace detail

}  // namespace tracecodec::trace
