// Options of a tracepack writer.
#pragma once
#include <cstdint>

#include "about.hpp"

namespace tracecodec::tracepack {

// Sets of predictors: a few for fast reading, or more for smaller files.
enum class level : std::uint8_t { fast, high };

struct pack_options {
  tracepack::about about = about_champsim();
  tracepack::level level = level::fast;
  // Number of threads, up to five; 0: the number that the machine runs at once. The output does
  // not depend on the number of threads. Each additional thread holds the streams of a frame in
  // memory.
  unsigned threads = 0;
};

// Maximum number of records in a frame if about::frame_records is 0.
inline constexpr std::uint32_t usual_frame_records = std::uint32_t{1} << 22;

}  // namespace tracecodec::tracepack
