// Limits of what a caller may ask for.
#pragma once

namespace tracecodec::trace {

// Threads that decode one trace, the caller's among them. Each takes memory of its own.
inline constexpr unsigned most_threads = 64;

}  // namespace tracecodec::trace
