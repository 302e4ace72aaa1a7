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

// Returns the writer options for a copy of `in`: the same format versions, and rows that are large
// enough for the known fields of the original rows.
TRACECODEC_FUNC writer_options options_of(const reader& in);

// Returns row `i` of an instruction table as input for writer::add_instruction(). Overwrites
// `slots` with the row's slots. The result contains views into `table` and `slots`, so both must
// outlive the result. Throws the errors of the functions of `table`.
TRACECODEC_FUNC instruction_info info_of(const instruction_table& table, std::size_t i,
                                         std::vector<slot>& slots);

namespace detail {

// Copies the threads, the instructions and the text of trace.xml. None of these depends on the
// selection of records.
TRACECODEC_FUNC void copy_common_tables(const reader& in, writer& to);

}  // namespace detail

// Copies the modules, threads, instructions, system calls and the text of trace.xml into `to`,
// which must be new. Afterwards, writer::copy() can copy every record, and the writer derives the
// address ranges from the records. Throws the exceptions of the reader and the writer.
TRACECODEC_FUNC void copy_tables(const reader& in, writer& to);

// Copies a whole trace, including its address ranges. Calls passed(n) every 65,536 records, with
// the number of records copied so far. An exception from `passed` cancels the copy. Throws the
// exceptions of the reader and the writer.
TRACECODEC_FUNC void copy_trace(const reader& in, writer& to,
                                const std::function<void(std::uint64_t)>& passed = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/copy.ipp"
#endif
