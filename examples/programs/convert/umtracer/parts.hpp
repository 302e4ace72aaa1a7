// Counts the table rows that a conversion of a UMTracer trace selects.
#pragma once
#include <tracecodec/io/error.hpp>

#include <cstdint>

#include "../conversion.hpp"

namespace convert {

// Returns the number of rows for which wanted(i) is true, in a table with `size` rows. Counting
// stops at the first unreadable row.
template <class Wanted> std::uint64_t count_rows(std::uint64_t size, Wanted wanted) {
  std::uint64_t n = 0;
  try {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (i % 4096 == 0) stop_if_interrupted();
      if (wanted(i)) ++n;
    }
  } catch (const tracecodec::trace_error& e) {
    // Ignore damage here, because the conversion of the last shard reaches the damage and reports
    // it. Rethrow a system error, because a later attempt might succeed and the error would not be
    // reported.
    if (e.code() == tracecodec::trace_errc::system) throw;
  }
  return n;
}

}  // namespace convert
