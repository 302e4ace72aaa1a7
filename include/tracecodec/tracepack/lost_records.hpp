// Error that describes a damaged frame whose records are left out.
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
  // Returns a one-line warning, for callers that continue after the frame.
  [[nodiscard]] std::string warning() const { return std::string(what()) + ", and skipped"; }
  // Numbers of records in the whole trace: records from `first` on are lost, and reading
  // continues at record `next`.
  std::uint64_t first, next;
};

// Callback for each damaged frame, which is then skipped. Also an option in
// format::open_options::own.
using on_lost = std::function<void(const lost_records&)>;

}  // namespace tracecodec::tracepack

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::tracepack::on_lost> = true;
