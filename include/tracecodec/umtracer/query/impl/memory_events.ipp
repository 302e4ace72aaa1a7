// The functions of umtracer/query/memory_events.hpp.
#pragma once
#include <string>

#include "../memory_events.hpp"

namespace tracecodec::umtracer {

namespace detail {
TRACECODEC_FUNC void ends_before_slot(const record_view& r, std::size_t i) {
  r.fail(trace_errc::truncated, front_with<&execution::values>, "values",
         "the record ends before slot " + std::to_string(i) + " of its instruction");
}
}  // namespace detail

}  // namespace tracecodec::umtracer
