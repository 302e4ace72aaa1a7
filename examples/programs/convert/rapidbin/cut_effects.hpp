// Effects of extracting a part of a RapidBin trace: rules that the part breaks, or events that
// --well-formed adds or omits.
#pragma once
#include <tracecodec/rapidbin/check/rules.hpp>
#include <tracecodec/rapidbin/check/soundness.hpp>
#include <tracecodec/rapidbin/reader/events.hpp>
#include <tracecodec/rapidbin/well_formed.hpp>

#include <array>
#include <cstdint>
#include <string>

#include "../conversion.hpp"

namespace convert {

class cut_effects {
 public:
  explicit cut_effects(const options& o);

  // Returns the settings for writing the part as a well-formed trace. The callback in the settings
  // counts the events that are added and omitted.
  [[nodiscard]] tracecodec::rapidbin::well_formed_part well_formed();
  // Checks written events against the soundness rules. Does nothing if the whole trace is written
  // or --well-formed is set.
  void add(const tracecodec::rapidbin::event_batch& written);
  // Returns the number of `written` events that come from the input. The other events were added by
  // --well-formed.
  [[nodiscard]] std::uint64_t of_the_trace(std::uint64_t written) const { return written - added_; }
  // Prints the effects as notes. Call it after the last event.
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
