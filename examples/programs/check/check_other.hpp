// Checks of files that are not traces of a known format: files of records that a record table
// describes, and tracepacks with other content.
#pragma once
#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/format/check.hpp>
#include <tracecodec/io/findings.hpp>
#include <tracecodec/trace/check.hpp>
#include <tracecodec/trace/source.hpp>

#include <optional>
#include <string>

namespace check {

namespace trace = tracecodec::trace;

using report_function = tracecodec::format::on_finding;
using summary = tracecodec::format::check_summary;

// Checks a file whose records a record table (--record) describes.
summary check_records(tracecodec::file::table_reader from, const report_function& report,
                      const tracecodec::check_options& how);

// Checks a tracepack that does not contain a trace of a known format, by reading its whole content.
// Returns nullopt if `path` is not such a tracepack or cannot be read twice.
std::optional<summary> check_bytes(const std::string& path,
                                   const tracecodec::format::open_options& as,
                                   const report_function& report,
                                   const tracecodec::check_options& how);

}  // namespace check
