// Error that describes a damaged frame. Readers can leave out the records of a damaged frame.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "../format/own_option.hpp"
#include "../io/error.hpp"

namespace tracecodec::tracepack {

// Error with the offset of the damaged frame in the file, and the number of the frame's first
// record.
struct lost_records : trace_error {
  lost_records(trace_error e, std::uint64_t first_lost, std::uint64_t next_found)
      : trace_error(std::move(e)), first(first_lost), next(next_found) {}
  // Returns a one-line warning for callers that continue after the damaged frame.
  [[nodiscard]] std::string warning() const { return std::string(what()) + ", and skipped"; }
  // Record numbers in the entire trace. Records starting at `first` are lost, and reading continues at
  // record `next`.
  std::uint64_t first, next;
};

// Callback for each damaged frame that a reader skips. format::open_options::own can also store the
// callback.
using on_lost = std::function<void(const lost_records&)>;

}  // namespace tracecodec::tracepack

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::tracepack::on_lost> = true;
