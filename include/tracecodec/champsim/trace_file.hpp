// Structure of a ChampSim trace file, which contains only records from the first byte to the last.
#pragma once
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// Structure of a trace file. `Codec` is instruction_codec, cloudsuite_codec, or `codec_of<R>` for
// your own record R.
template <class Codec> using trace_file = file::of<"ChampSim trace", file::records<Codec>>;

}  // namespace tracecodec::champsim
