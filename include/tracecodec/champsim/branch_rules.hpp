// Sets of rules by which ChampSim's records are classified as branches.
#pragma once
#include <cstdint>

#include "../format/own_option.hpp"

namespace tracecodec::champsim {

// Rules that derive branch classes from registers: the rules of ChampSim today, or the rules of
// its releases up to 2023-08, for which older traces were made.
enum class branch_rules : std::uint8_t { current, of_2022 };

}  // namespace tracecodec::champsim

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::champsim::branch_rules> = true;
