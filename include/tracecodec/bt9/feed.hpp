// Instructions of BT9 traces (feed/of.hpp). The format stores no registers and no memory accesses.
// Branches have the registers from which ChampSim derives their classes.
#pragma once
#include "../feed/of.hpp"
#include "../feed/operand_list.hpp"
#include "reader.hpp"

namespace tracecodec::bt9 {

constexpr auto written_registers(const instruction& i) noexcept {
  return feed::written_registers(i.branch());
}
constexpr auto read_registers(const instruction& i) noexcept {
  return feed::read_registers(i.branch());
}

using trace_feed =
    feed::over<instruction_reader, feed::map::ip<&instruction::ip>,
               feed::map::branch<&instruction::branch>, feed::map::taken<&instruction::taken>,
               feed::map::target<&instruction::target>,
               feed::map::destination_registers<&written_registers>,
               feed::map::source_registers<&read_registers>>;

}  // namespace tracecodec::bt9
