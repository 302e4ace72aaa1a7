// Copies a trace, or its tables, into a new trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../config.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace tracecodec::umtracer {

// Returns writer options for a copy of `in`: the versions of `in`, and rows that contain the known
// fields of its rows.
TRACECODEC_FUNC writer_options options_of(const reader& in);

// Returns row `i` of an instruction table as input for writer::add_instruction(). The result
// contains views into the table and into `slots`, which is overwritten and must outlive the result.
// Throws trace_error as `table` does.
TRACECODEC_FUNC instruction_info info_of(const instruction_table& table, std::size_t i,
                                         std::vector<slot>& slots);

namespace detail {

// Copies the parts that are the same in a copy and in an extract of a trace: the threads, the
// instructions and the text of trace.xml.
TRACECODEC_FUNC void copy_common_tables(const reader& in, writer& to);

}  // namespace detail

// Copies the modules, threads, instructions, system calls and the text of trace.xml into `to`,
// which must be new. Afterwards, writer::copy() can copy every record, and the writer derives the
// address ranges from the records. Throws what the reader and the writer throw.
TRACECODEC_FUNC void copy_tables(const reader& in, writer& to);

// Copies a whole trace, including its address ranges. Calls passed(records) every 65,536 records
// with the number of records copied so far; an exception from `passed` cancels the copy. Throws
// what the reader and the writer throw.
TRACECODEC_FUNC void copy_trace(const reader& in, writer& to,
                                const std::function<void(std::uint64_t)>& passed = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/copy.ipp"
#endif
