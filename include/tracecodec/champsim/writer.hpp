// Writes records to a file or to a sink.
#pragma once
#include "../file/writer.hpp"
#include "trace_file.hpp"

namespace tracecodec::champsim {

// Writer of a stream of records of `Codec`. `Codec` is instruction_codec, cloudsuite_codec, or
// `codec_of<R>` for your own record R.
template <class Codec> using writer = file::writer<trace_file<Codec>>;

}  // namespace tracecodec::champsim
