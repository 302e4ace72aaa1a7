// What a writer of tracepack is asked for.
#pragma once
#include <cstdint>

#include "about.hpp"

namespace tracecodec::tracepack {

// Predictors: few, which are fast to read; or more, for smaller files.
enum class level : std::uint8_t { fast, high };

struct pack_options {
  tracepack::about about = about_champsim();
  tracepack::level level = level::fast;
  // That work at once; 0: as many as the machine runs, up to five. What is written does not depend on it. Each above
  // one holds a frame's streams.
  unsigned threads = 0;
};

// Records of a frame at most, if about::frame_records is 0.
inline constexpr std::uint32_t usual_frame_records = std::uint32_t{1} << 22;

}  // namespace tracecodec::tracepack
