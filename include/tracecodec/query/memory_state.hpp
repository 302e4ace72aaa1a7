// Contents of memory at a point of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "memory_questions.hpp"

namespace tracecodec::query {

// How the value of a byte is known.
enum class known_by : std::uint8_t {
  nothing,  // no access shows the value
  earlier,  // an earlier access, which is the last one of the byte
  later     // a later access, which is the first one of the byte, and finds the value there
};

struct memory_byte {
  std::byte value = {};
  known_by by = known_by::nothing;
  std::uint64_t at = 0;  // number of the instruction with that access
  // Thread and time of that instruction (instruction_time). Only for bytes of memory.
  std::uint32_t thread = 0;
  std::uint64_t time = 0;
};

// Returns the bytes of memory from `address` on, before instruction `at`. Values that the trace does
// not have, or that may be wrong (feed::memory_values_column::trusted), are unknown. `questions` ask
// `trace`. Throws like memory_questions, and trace_error(refused) if the trace has no column
// `memory_values` or `size` bytes would pass the highest address.
TRACECODEC_FUNC std::vector<memory_byte> memory_at(memory_questions& questions,
                                                   feed::column_source& trace,
                                                   std::uint64_t address, std::size_t size,
                                                   std::uint64_t at);

// Returns the bytes that a row has for memory from `address` on: those after the instruction, or
// before it. Bytes that it does not have are nullopt. The batch must contain column `memory_values`.
TRACECODEC_FUNC std::vector<std::optional<std::byte>> values_in(
    const feed::memory_values_column& values, std::size_t row, std::uint64_t address,
    std::size_t size, bool after);

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/memory_state.ipp"
#endif
