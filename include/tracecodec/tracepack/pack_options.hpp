// Options for a tracepack writer.
#pragma once
#include <cstdint>

#include "about.hpp"

namespace tracecodec::tracepack {

// Set of predictors. `fast` uses few predictors for fast reading, and `high` uses more predictors
// for smaller files.
enum class level : std::uint8_t { fast, high };

struct pack_options {
  tracepack::about about = about_champsim();
  tracepack::level level = level::fast;
  // Number of threads, at most five. 0 means the number of threads that the machine can run at
  // once. The output does not depend on the number of threads. Each additional thread keeps the
  // streams of a frame in memory.
  unsigned threads = 0;
};

// Maximum number of records in a frame if about::frame_records is 0.
inline constexpr std::uint32_t usual_frame_records = std::uint32_t{1} << 22;

}  // namespace tracecodec::tracepack
