// What is told of a damaged frame that is left out.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "../format/own_option.hpp"
#include "../io/error.hpp"

namespace tracecodec::tracepack {

// The error: its offset is the frame's in the file, its record the frame's first.
struct lost_records : trace_error {
  lost_records(trace_error e, std::uint64_t first_lost, std::uint64_t next_found)
      : trace_error(std::move(e)), first(first_lost), next(next_found) {}
  // One line for who goes on behind it.
  [[nodiscard]] std::string warning() const { return std::string(what()) + ", and left out"; }
  // Numbers of records in the whole trace: these from `first` on are not delivered, `next` is tried next.
  std::uint64_t first, next;
};

// Called for each damaged frame, which is then skipped. Also an option in format::open_options::own.
using on_lost = std::function<void(const lost_records&)>;

}  // namespace tracecodec::tracepack

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::tracepack::on_lost> = true;
