// A part of a trace's events, made to keep the rules that a whole trace keeps (check/soundness.hpp).
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

// An event that the whole trace does not have at this place, or that the part does not have.
struct changed_event {
  event what = {};
  std::uint64_t index = 0;  // in the whole trace; of one that is added that of its acquire
  std::optional<rule> left_out_for =
      {};  // the rule that it would break; nothing: the event is added
};

// Which part of a trace.
struct well_formed_part {
  std::uint64_t skip = 0;                   // events before it
  std::optional<std::uint64_t> limit = {};  // events of the trace in it; nothing: all
  std::function<void(const changed_event&)> changed =
      {};  // called for each event that is added or left out
  bool text =
      false;  // STD text: threads may be forked and joined that a RapidBin file has no room for
};

// The part of another source's events as a trace of its own:
// - It begins with acquires of the locks that are held where the part begins, in the order in which they were taken.
//   Each is of the thread that holds the lock, at the location where the lock was taken, and as often as it is held.
//   A release whose acquire was cut off therefore has one, and other threads stay excluded until then.
// - An event that breaks a rule of check/soundness.hpp whose findings are errors is left out. Where a sound trace is
//   cut by `skip` and `limit` alone, there are no such events; selected_events may leave some.
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
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> complaint() override;
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
