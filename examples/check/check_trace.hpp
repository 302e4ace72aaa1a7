// The checker of each format, by what the trace is. Compiled once: only check_trace.cpp knows the formats.
#pragma once
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/io/findings.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/shared.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace check {

namespace trace = tracecodec::trace;

// How much was checked, and how many findings of each severity there are, reported or not.
struct summary {
  std::uint64_t records = 0, errors = 0, warnings = 0, notes = 0;
};

using report_function = std::function<void(const tracecodec::diagnostic&)>;

// Checks the whole file `in` of records that `table` describes.
summary check_records(tracecodec::io::input in,
                      tracecodec::io::shared<const tracecodec::file::record_table> table,
                      const report_function& report, const tracecodec::check_options& how);

// Reads a tracepack whose content is no trace of a known format: each of its bytes is checked. Nothing if `path` is none,
// or cannot be read again.
std::optional<summary> check_bytes(const std::string& path, const trace::visit_options& as,
                                   const report_function& report,
                                   const tracecodec::check_options& how);

// Checks the whole trace `from`, of whose options those count that say where its metadata is. Throws
// trace_error as the format's check().
summary check_trace(trace::source from, const trace::visit_options& as,
                    const report_function& report, const tracecodec::check_options& how);

}  // namespace check
