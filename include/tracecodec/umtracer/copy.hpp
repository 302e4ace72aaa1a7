// The tables of a trace, written into another one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../config.hpp"
#include "reader.hpp"
#include "writer.hpp"

namespace tracecodec::umtracer {

// The options that a trace was written with; rows as long as their known fields.
TRACECODEC_FUNC writer_options options_of(const reader& in);

// Row `i` of a table, to be written again; the views are into it, `slots` is overwritten and must
// outlive the result. Throws as the table.
TRACECODEC_FUNC instruction_info info_of(const instruction_table& table, std::size_t i,
                                         std::vector<slot>& slots);

namespace detail {

// Threads, instructions, the text of trace.xml: what a part of a trace has, too.
TRACECODEC_FUNC void copy_common_tables(const reader& in, writer& to);

}  // namespace detail

// Modules, threads, instructions, system calls, the text of trace.xml. `to` is new; then
// writer::copy() may take all records, from which the ranges follow. Throws as both.
TRACECODEC_FUNC void copy_tables(const reader& in, writer& to);

// A whole trace, with the ranges that it has; passed(records) is called now and then, what it throws
// ends the work. Throws as both.
TRACECODEC_FUNC void copy_trace(const reader& in, writer& to,
                                const std::function<void(std::uint64_t)>& passed = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/copy.ipp"
#endif
