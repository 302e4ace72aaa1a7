// Sets of rules that classify ChampSim's records as branches.
#pragma once
#include <cstdint>

#include "../format/own_option.hpp"

namespace tracecodec::champsim {

// Set of rules that derive branch classes from registers. `current` selects ChampSim's current
// rules. `of_2022` selects the rules of ChampSim's releases up to 2023-08, for which older traces
// were made.
enum class branch_rules : std::uint8_t { current, of_2022 };

}  // namespace tracecodec::champsim

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::champsim::branch_rules> = true;
