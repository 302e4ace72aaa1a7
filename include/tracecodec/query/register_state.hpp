// Contents of registers at a point of a trace, and the instructions that write and read them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "data_flow.hpp"
#include "memory_state.hpp"

namespace tracecodec::query {

struct register_contents {
  std::uint8_t number = 0;
  std::vector<memory_byte> bytes = {};  // from the lowest byte on
};

// Returns the registers before instruction `at`, in the thread of that instruction: those of
// register_names::all(), and others with a known byte. A byte has the last value that the trace
// shows before, or the first one afterwards, unless an instruction between may have written the
// byte. Traces with all registers show them at `at` itself. Reads only as much of the trace as is
// needed. Throws the trace_error of the trace, and trace_error(refused) if the trace has no column
// `register_values`, or no instruction `at`.
TRACECODEC_FUNC std::vector<register_contents> registers_at(feed::column_source& trace,
                                                            std::uint64_t at);

// Returns the number of the last instruction of `thread` before `before` that writes any byte of
// `part`, or nullopt. Throws the trace_error of the trace.
TRACECODEC_FUNC std::optional<std::uint64_t> last_set(feed::column_source& trace, flow_rows& rows,
                                                      const place& part, std::uint32_t thread,
                                                      std::uint64_t before);

// Calls found(number, batch, row) for each instruction of `thread` from `at` on that reads a byte
// of `part` with the value that it has at `at`. found() returns false to stop. Stops when all bytes
// are overwritten. Throws the trace_error of the trace.
TRACECODEC_FUNC void each_use(
    feed::column_source& trace, flow_rows& rows, const place& part, std::uint32_t thread,
    std::uint64_t at,
    const std::function<bool(std::uint64_t, const feed::columns&, std::size_t)>& found);

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/register_state.ipp"
#endif
