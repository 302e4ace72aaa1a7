// By whose rules ChampSim's records are branches.
#pragma once
#include <cstdint>

#include "../format/own_option.hpp"

namespace tracecodec::champsim {

// Whose rules derive branch classes from registers: ChampSim's of today, or those of its releases up
// to 2023-08, for which older traces were made.
enum class branch_rules : std::uint8_t { current, of_2022 };

}  // namespace tracecodec::champsim

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::champsim::branch_rules> = true;
