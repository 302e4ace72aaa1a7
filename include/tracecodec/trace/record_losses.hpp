// What instructions have that their ChampSim records do not tell.
#pragma once
#include <cstdint>
#include <optional>

namespace tracecodec::trace {

// Counts of instructions.
struct record_losses {
  std::uint64_t clipped = 0;  // have operands that are lost
  std::uint64_t incomplete =
      0;  // feed::doubt::address: have memory operands whose addresses cannot be known
  std::uint64_t undecoded = 0;  // feed::doubt::code: the disassembler does not know
  std::uint64_t estimated =
      0;  // feed::doubt::outcome: branches whose successor is not in the trace
  // Of formats that tell the thread of an instruction.
  std::uint64_t switches = 0;  // behind one of another thread
  std::uint64_t branches = 0;
  std::optional<std::uint32_t> thread = {};  // of the last one
  friend bool operator==(const record_losses&, const record_losses&) = default;
};

}  // namespace tracecodec::trace
