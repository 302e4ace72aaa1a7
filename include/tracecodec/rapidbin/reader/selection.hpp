// A part of a trace's events: those of some threads, variables, locks or locations.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "../../config.hpp"
#include "../../io/owned.hpp"
#include "events.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

// Which events are wanted: those of one of the threads, at one of the locations, on one of the
// variables or locks. A kind of which no id is given leaves out nothing; if variables or locks are
// given, events on neither are left out.
struct selection {
  id_set threads = {}, variables = {}, locks = {}, locations = {};

  [[nodiscard]] bool everything() const {
    return threads.size() + variables.size() + locks.size() + locations.size() == 0;
  }
  [[nodiscard]] bool wants(const event& e) const {
    if (threads.size() != 0 && !threads.contains(e.thread)) return false;
    if (locations.size() != 0 && !locations.contains(e.location)) return false;
    if (variables.size() + locks.size() == 0) return true;
    const operand kind = operand_of(e.operation);
    return (kind == operand::variable && variables.contains(e.decor)) ||
           (kind == operand::lock && locks.contains(e.decor));
  }
};

// The wanted events of another source, with their indexes in it.
class selected_events final : public event_source {
 public:
  selected_events(io::owned<event_source> from, selection wanted);
  TRACECODEC_FUNC ~selected_events() override;

  TRACECODEC_FUNC event_batch next() override;
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> complaint() override;
  [[nodiscard]] TRACECODEC_FUNC const std::string& name() const override;

 private:
  struct state;
  io::owned<state> state_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/selection.ipp"
#endif
