// Description of a ChampSim trace as a file: only records, from the first byte to the last.
#pragma once
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// Description of a trace; `Codec` is instruction_codec, cloudsuite_codec, or `codec_of<R>` for a
// record R of yours.
template <class Codec> using trace_file = file::of<"ChampSim trace", file::records<Codec>>;

}  // namespace tracecodec::champsim
