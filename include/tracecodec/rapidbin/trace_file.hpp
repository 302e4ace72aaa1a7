// Structure of a RapidBin file: a header, followed by the number of events that the header
// declares.
#pragma once
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::rapidbin {

using trace_file = file::of<
    "RapidBin trace",
    file::header<header_codec, file::counts<&header::threads, &header::locks, &header::variables>>,
    file::records<event_codec, file::counted_by<&header::events>, file::each<"event">>>;

}  // namespace tracecodec::rapidbin
