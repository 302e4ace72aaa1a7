// Counts of instructions that ChampSim records cannot represent completely.
#pragma once
#include <cstdint>
#include <optional>

#include "../config.hpp"

namespace tracecodec::trace {

// Numbers of instructions whose records lack information, one for each kind of missing information.
struct record_losses {
  std::uint64_t clipped = 0;  // number of instructions with operands that do not fit
  // Number of instructions with memory operands at unknown addresses
  // (feed::uncertainty::unknown_address).
  std::uint64_t incomplete = 0;
  // Number of instructions that the disassembler does not recognise (feed::uncertainty::undecoded).
  std::uint64_t undecoded = 0;
  // Number of branches whose successor is missing from the trace
  // (feed::uncertainty::estimated_outcome).
  std::uint64_t estimated = 0;
  // The members below are set only for formats whose instructions have a known thread.
  std::uint64_t switches = 0;  // number of context switches
  std::uint64_t branches = 0;
  std::optional<std::uint32_t> thread = {};  // thread of the last instruction
  friend bool operator==(const record_losses&, const record_losses&) = default;
};

}  // namespace tracecodec::trace
