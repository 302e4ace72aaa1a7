// Any trace as rows of text: JSON lines or CSV.
#include <tracecodec/x64dbg/opens.hpp>

#include <utility>

#include "champsim_records.hpp"
#include "write_rows.hpp"

namespace convert {

void to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  const format& from = in.format();
  require_row_options(o, from, tells_code(in));
  if (in.record() != nullptr)
    return described_to_rows({std::move(in.input()), in.record()}, o, compression);
  if (from.name == "umtracer") return umtracer_to_rows(in.name(), o, compression);
  if (is_of_events(from)) return rapidbin_to_rows(std::move(in.input()), o, from, compression);
#if TRACECODEC_OPENS_X64DBG
  if (from.name == "x64dbg") return x64dbg_to_rows(std::move(in.input()), o, compression);
#endif
  if (is_of_records(from)) return champsim_to_rows(std::move(in), o, compression);
  instructions_to_rows(std::move(in), o, compression);
}

}  // namespace convert
