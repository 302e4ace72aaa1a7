// Instructions of CVP-1 and CBP2025 traces (feed/of.hpp). Registers have ChampSim's numbers. Each
// record is an instruction.
#pragma once
#include <cstdint>

#include "../feed/of.hpp"
#include "access.hpp"
#include "operands.hpp"
#include "trace_file.hpp"
#include "values.hpp"

namespace tracecodec::cvp {

namespace detail {
template <dialect D> struct in_feed {
  using record = instruction<D>;
  static constexpr feed::branch_class branch(const record& i) noexcept { return class_of(i); }
  static constexpr operand_list<D> written(const record& i) noexcept {
    return written_registers(i);
  }
  static constexpr operand_list<D> read(const record& i) noexcept { return read_registers(i); }
  static constexpr std::uint32_t bytes(const record& i) noexcept { return mode_of(i).bytes; }
};
}  // namespace detail

template <dialect D> using trace_feed = feed::of<
    trace_file<D>, feed::map::ip<&instruction<D>::pc>,
    feed::map::branch<&detail::in_feed<D>::branch>, feed::map::taken<&instruction<D>::taken>,
    feed::map::target<&instruction<D>::target>,
    feed::map::destination_registers<&detail::in_feed<D>::written>,
    feed::map::source_registers<&detail::in_feed<D>::read>,
    feed::map::source_memory<&instruction<D>::address,
                             feed::map::is<&instruction<D>::what, instruction_class::load>>,
    feed::map::destination_memory<&instruction<D>::address,
                                  feed::map::is<&instruction<D>::what, instruction_class::store>>,
    feed::map::access_size<&detail::in_feed<D>::bytes>>;

}  // namespace tracecodec::cvp
