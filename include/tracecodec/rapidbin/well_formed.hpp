// Part of a trace's events, adjusted to follow the rules of a complete trace
// (check/soundness.hpp).
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

// Event that was added to the part, or that was left out of the part.
struct changed_event {
  event what = {};
  // Index in the whole trace. For an added event, the index of the acquire that it repeats.
  std::uint64_t index = 0;
  // Rule that a left-out event would break. Nullopt for an added event.
  std::optional<rule> left_out_for = {};
};

// Part of a trace, and options for it.
struct well_formed_part {
  std::uint64_t skip = 0;  // number of events before the part
  // Maximum number of the trace's events in the part, not counting added events. Nullopt for no
  // limit.
  std::optional<std::uint64_t> limit = {};
  // Callback for each event that is added or left out. May be null.
  std::function<void(const changed_event&)> changed = {};
  // True for STD text, in which a forked or joined thread may exceed largest_thread.
  bool text = false;
};

// Event source that returns a part of another source's events as a complete trace:
// - The part begins with an acquire for each lock that is held at its start, in the order in which
//   the locks were taken. Each acquire has the thread that holds the lock, and the location where
//   the lock was taken. It is repeated as often as the thread holds the lock. A release whose
//   acquire is before the part therefore has a matching acquire, and the lock excludes other
//   threads until the release.
// - An event that breaks a rule of check/soundness.hpp with severity error is left out. A sound
//   trace that is only limited by `skip` and `limit` contains no such events. The selection of
//   selected_events may contain them.
// A lock that is held at the end stays held, which is not an error.
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
