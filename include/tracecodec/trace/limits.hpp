// Limits of values that a caller may set.
#pragma once
#include "../config.hpp"

namespace tracecodec::trace {

// Maximum number of threads that decode one trace, including the caller's thread. Each thread
// needs its own memory.
inline constexpr unsigned most_threads = 64;

}  // namespace tracecodec::trace
