// The checker of each format, by what the trace is. Compiled once: only check_trace.cpp knows the formats.
#pragma once
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/io/findings.hpp>
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

// Checks a whole file of records that a table describes.
summary check_records(tracecodec::file::table_reader from, const report_function& report,
                      const tracecodec::check_options& how);

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
