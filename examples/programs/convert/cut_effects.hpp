// What a cut did to the order of a RapidBin trace's events: rules that the part breaks, or what --well-formed mended.
#pragma once
#include <tracecodec/rapidbin/check/rules.hpp>
#include <tracecodec/rapidbin/check/soundness.hpp>
#include <tracecodec/rapidbin/reader/events.hpp>
#include <tracecodec/rapidbin/well_formed.hpp>

#include <array>
#include <cstdint>

#include "conversion.hpp"

namespace convert {

class cut_effects {
 public:
  explicit cut_effects(const options& o);

  // The part to be written as a trace of its own; what is changed is counted here.
  [[nodiscard]] tracecodec::rapidbin::well_formed_part well_formed();
  // What is written. Nothing is looked at unless it is a part that stays as it is.
  void add(const tracecodec::rapidbin::event_batch& written);
  // How many of the events that were written the trace has.
  [[nodiscard]] std::uint64_t of_the_trace(std::uint64_t written) const { return written - added_; }
  // Prints what is known in the end, as a note.
  void report() const;

 private:
  [[nodiscard]] std::string broken_rules() const;

  const options& options_;
  bool looks_;
  tracecodec::rapidbin::soundness rules_ = {};
  std::uint64_t added_ = 0, index_ = 0;
  std::array<std::uint64_t, tracecodec::rapidbin::check_rules.size()> broken_ = {};
};

}  // namespace convert
