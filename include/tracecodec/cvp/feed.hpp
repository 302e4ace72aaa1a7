// Instructions of CVP-1 and CBP2025 traces (feed/of.hpp), with ChampSim's numbers of registers.
#pragma once
#include <cstdint>

#include "../feed/of.hpp"
#include "access.hpp"
#include "operands.hpp"
#include "trace_file.hpp"
#include "values.hpp"

namespace tracecodec::cvp {

template <dialect D> using trace_feed = feed::of<
    trace_file<D>, feed::map::ip<&instruction<D>::pc>, feed::map::branch<&class_of<D>>,
    feed::map::taken<&instruction<D>::taken>, feed::map::target<&instruction<D>::target>,
    feed::map::destination_registers<&written_registers<D>>,
    feed::map::source_registers<&read_registers<D>>,
    feed::map::source_memory<&instruction<D>::address,
                             feed::map::is<&instruction<D>::what, instruction_class::load>>,
    feed::map::destination_memory<&instruction<D>::address,
                                  feed::map::is<&instruction<D>::what, instruction_class::store>>,
    feed::map::access_size<&bytes_of<D>>>;

}  // namespace tracecodec::cvp
