// Writes the output of a conversion as a tracepack.
#pragma once
#include <tracecodec/io/open.hpp>
#include <tracecodec/tracepack/about.hpp>
#include <tracecodec/tracepack/properties.hpp>
#include <tracecodec/version.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../common/output_name.hpp"
#include "../common/pack.hpp"
#include "conversion.hpp"

namespace convert {

namespace tracepack = tracecodec::tracepack;

inline constexpr const char* recorder = "trace_convert " TRACECODEC_VERSION;

// Returns true if the output is a tracepack.
inline bool is_packed(const options& o) {
  return o.pack || (!o.content && examples::output_name(o.out).says(examples::form::pack));
}

// Adapts the metadata of the whole trace to the part that is converted.
inline void take_over(tracepack::about& about, const options& o) {
  if (about.recorder.empty()) about.recorder = recorder;
  const bool part = o.part.skip != 0 || o.part.limit;
  if (!part && !o.as.thread) return;
  about.region += (about.region.empty() ? "" : "; of these ");
  if (o.as.thread) about.region += "thread " + std::to_string(*o.as.thread) + (part ? ", " : "");
  if (!part) return;
  about.region += "records from " + std::to_string(o.part.skip) + " on";
  if (o.part.limit) about.region += ", " + std::to_string(*o.part.limit) + " at most";
  if (o.keep_whole || o.as.repair) about.region += ", of those that could be read";
}

// Opens the output tracepack.
inline std::unique_ptr<io::sink> open_pack(const options& o, tracepack::about about) {
  if (o.block_size)
    about.frame_records = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(*o.block_size / about.shape.size, 1, tracepack::most_records));
  return examples::pack(io::open_output(o.out, io::codec::none, o.packing), o.out, std::move(about),
                        o.packed_as);
}

}  // namespace convert
