// Converts a part of a trace to a complete trace that follows the rules of check/soundness.hpp.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "check/rules.hpp"
#include "reader/events.hpp"

namespace tracecodec::rapidbin {

// Event that well_formed_events has added to its part of a trace, or left out.
struct changed_event {
  event what = {};
  // Index of the event in the entire trace. The index of an added event is that of the acquire that
  // it repeats.
  std::uint64_t index = 0;
  // Rule that the event would break if it were not left out, or nullopt for an added event.
  std::optional<rule> left_out_for = {};
};

// Part of a trace to convert, and options for the conversion.
struct well_formed_part {
  std::uint64_t skip = 0;  // number of events before the part
  // Maximum number of events in the part, not counting added events, or nullopt for no limit.
  std::optional<std::uint64_t> limit = {};
  // Callback for each event that is added or left out. May be null.
  std::function<void(const changed_event&)> changed = {};
  // True for STD text, in which a forked or joined thread may have a number above largest_thread.
  bool text = false;
};

// Event source that returns a part of another source's events as a complete trace:
// - The part begins with acquires for the locks that are held at its start, in the order in which
//   the locks were taken. Each acquire repeats the thread and the location of the original acquire.
//   If a thread holds a lock several times, the acquire is added several times. Every release
//   therefore has a matching acquire, and the lock excludes other threads until the release.
// - An event is left out if it violates a rule of check/soundness.hpp with the severity `error`. In
//   a sound trace, `skip` and `limit` do not cause such violations, but selected_events may cause
//   them.
// A lock that is held at the end remains held, which is not an error.
class well_formed_events final : public event_source {
 public:
  well_formed_events(std::unique_ptr<event_source> from, well_formed_part part);
  TRACECODEC_FUNC ~well_formed_events() override;

  TRACECODEC_FUNC event_batch next() override;
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> first_error() override;
  [[nodiscard]] TRACECODEC_FUNC const std::string& name() const override;
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t named() const override;
  [[nodiscard]] TRACECODEC_FUNC const std::string* name_of(id_kind kind,
                                                           std::uint64_t id) const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> id_of(
      id_kind kind, std::string_view name) const override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/well_formed.ipp"
#endif
