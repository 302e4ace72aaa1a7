// Improvements of a conversion to ChampSim, which "Rebasing Microarchitectural Research with
// Industry Traces" (IISWC 2023) proposes and names.
#pragma once
#include "../format/own_option.hpp"

namespace tracecodec::cvp {

struct improvements {
  bool mem_regs = true;       // all registers that an instruction writes, and no other
  bool base_update = true;    // a separate instruction that updates the register of an address
  bool mem_footprint = true;  // both cache lines that an access touches
  bool call_stack = true;     // returns only write nothing, and calls write x30
  bool branch_regs = true;    // registers that branches read
  bool flag_reg = true;       // instructions that write the flags
  // True to write what ChampSim's first converter writes. Requires that the other members are
  // false.
  bool as_original = false;
};
inline constexpr improvements no_improvements{false, false, false, false, false, false};

}  // namespace tracecodec::cvp

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::cvp::improvements> = true;
