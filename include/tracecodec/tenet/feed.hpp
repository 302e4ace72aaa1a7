// Instructions of Tenet's traces (feed/of.hpp), with the values of registers and memory.
#pragma once
#include <algorithm>
#include <cstdint>

#include "../feed/of.hpp"
#include "../feed/operand_list.hpp"
#include "../feed/recorded_state.hpp"
#include "reader.hpp"

namespace tracecodec::tenet {

constexpr std::uint64_t ip_of(const instruction& i) noexcept { return i.ip; }
inline auto accesses(const instruction& i) noexcept { return i.accesses(); }
inline auto registers_before(const instruction& i) noexcept { return i.registers(); }
// Return the registers that an instruction writes and reads. Lines list no registers that are only
// read, so that the second function returns those from which ChampSim derives the branch class.
inline auto written_registers(const instruction& i) noexcept {
  return feed::written_registers(i.branch, i.written());
}
constexpr auto read_registers(const instruction& i) noexcept {
  return feed::read_registers(i.branch);
}

// Returns false for bytes that the instruction writes, because a line lists the bytes after it.
template <class... Words>
bool trusts_before(const feed::mapped_instruction<file::object_view<instruction>, Words...>& i,
                   std::uint64_t address) {
  for (const feed::recorded_access& a : i.record().accesses())
    if (a.write && address - a.address < a.size) return false;
  return true;
}
// Returns true if trusts_before() returns true for every address.
template <class... Words> bool trusts_all_before(
    const feed::mapped_instruction<file::object_view<instruction>, Words...>& i) {
  const auto all = i.record().accesses();
  return std::none_of(all.begin(), all.end(),
                      [](const feed::recorded_access& a) { return a.write; });
}

using trace_feed =
    feed::over<reader, feed::map::ip<&ip_of>, feed::map::branch<&instruction::branch>,
               feed::map::target<&instruction::target>,
               feed::map::destination_registers<&written_registers>,
               feed::map::source_registers<&read_registers>, feed::map::accesses<&accesses>,
               feed::map::all_registers<&registers_before>>;

}  // namespace tracecodec::tenet
