#pragma once
#include "../register_watch.hpp"

namespace tracecodec::champsim {

TRACECODEC_FUNC std::string unseen_branches(const register_use& seen, bool mappable) {
  if (seen.ip_written || seen.flagged == 0) return {};
  std::string s = seen.flagged == 1
                      ? "a record is flagged as a branch but does not write"
                      : std::to_string(seen.flagged) +
                            " records are flagged as branches, but none of them writes";
  s += " register 26, the instruction pointer: ChampSim does not see these branches";
  if (mappable)
    s += ". If the trace numbers registers otherwise, map_registers (--map-registers "
         "ip=N,sp=N,flags=N) reads it";
  for (const std::uint8_t c : seen.in_common)
    if (c != 0) return s + "; register " + std::to_string(c) + " is written by each of them";
  return s;
}

TRACECODEC_FUNC std::string unwritten_flags(const register_use& seen) {
  constexpr std::uint64_t least = 8;  // a part of a trace may begin between the two
  if (seen.flags_written || seen.conditional < least) return {};
  return std::to_string(seen.conditional) +
         " conditional branches read the flags, register 25, but no record writes them: a "
         "simulator finds nothing "
         "that these branches wait for";
}

}  // namespace tracecodec::champsim
