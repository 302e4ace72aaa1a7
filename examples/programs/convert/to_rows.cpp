// Any trace as rows of text: JSON lines or CSV.
#include <utility>

#include "champsim_records.hpp"
#include "write_rows.hpp"

namespace convert {

void to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  const format from = in.format();
  require_row_options(o, from, tells_code(in));
  if (in.record() != nullptr)
    return described_to_rows({std::move(in.input()), in.record()}, o, compression);
  if (from == format::umtracer) return umtracer_to_rows(in.name(), o, compression);
  if (tracecodec::trace::has_events(from))
    return rapidbin_to_rows(std::move(in.input()), o, from, compression);
#if TRACECODEC_OPENS_X64DBG
  if (from == format::x64dbg) return x64dbg_to_rows(std::move(in.input()), o, compression);
#endif
  champsim_to_rows(std::move(in), o, compression);
}

}  // namespace convert
