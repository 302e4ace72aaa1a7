// The rows of an UMTracer trace's tables that a conversion takes.
#pragma once
#include <tracecodec/io/error.hpp>

#include <cstdint>

#include "../conversion.hpp"

namespace convert {

// Returns how many of the `size` rows of a table are wanted(i), before a row that cannot be read.
template <class Wanted> std::uint64_t count_rows(std::uint64_t size, Wanted wanted) {
  std::uint64_t n = 0;
  try {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i % 4096 == 0) stop_if_interrupted();
      if (wanted(i)) ++n;
    }
  } catch (const tracecodec::trace_error& e) {
    // The last part reads as far as the damage, and reports it. An error of the system may not come again.
    if (e.code() == tracecodec::trace_errc::system) throw;
  }
  return n;
}

}  // namespace convert
