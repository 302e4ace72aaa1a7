// Writes records to a file or to a sink.
#pragma once
#include "../file/writer.hpp"
#include "trace_file.hpp"

namespace tracecodec::champsim {

// Writer of a stream of records of `Codec`: instruction_codec, cloudsuite_codec, or `codec_of<R>` for
// a record R of yours.
template <class Codec> using writer = file::writer<trace_file<Codec>>;

}  // namespace tracecodec::champsim
