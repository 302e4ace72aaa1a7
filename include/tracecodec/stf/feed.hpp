// Instructions of STF traces (feed/of.hpp).
#pragma once
#include "../feed/of.hpp"
#include "operands.hpp"
#include "values.hpp"

namespace tracecodec::stf {

using trace_feed =
    feed::of<trace_file, feed::map::ip<&instruction::pc>, feed::map::branch<&class_of>,
             feed::map::taken<&is_taken>, feed::map::target<&target_of>,
             feed::map::destination_registers<&written_registers>,
             feed::map::source_registers<&read_registers>,
             feed::map::source_memory<&accesses<is_read>>,
             feed::map::destination_memory<&accesses<is_write>>,
             feed::map::access_size<&access_size>, feed::map::code<&instruction::code>>;

}  // namespace tracecodec::stf
