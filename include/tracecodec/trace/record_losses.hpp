// Information about instructions that ChampSim records cannot represent.
#pragma once
#include <cstdint>
#include <optional>

namespace tracecodec::trace {

// Numbers of instructions whose records lack information, by the kind of that information.
struct record_losses {
  std::uint64_t clipped = 0;  // instructions with operands that do not fit
  // Instructions with memory operands whose addresses are unknown (feed::uncertainty::unknown_address).
  std::uint64_t incomplete = 0;
  // Instructions unknown to the disassembler (feed::uncertainty::undecoded).
  std::uint64_t undecoded = 0;
  // Branches whose successor is not in the trace (feed::uncertainty::estimated_outcome).
  std::uint64_t estimated = 0;
  // The following members are used only for formats whose instructions have a known thread.
  std::uint64_t switches = 0;  // context switches: the previous instruction has another thread
  std::uint64_t branches = 0;
  std::optional<std::uint32_t> thread = {};  // thread of the last instruction
  friend bool operator==(const record_losses&, const record_losses&) = default;
};

}  // namespace tracecodec::trace
