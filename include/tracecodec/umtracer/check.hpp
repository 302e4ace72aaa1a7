// Checks a whole UMTracer trace without stopping at the first problem.
#pragma once
#include <functional>
#include <string>

#include "../config.hpp"
#include "check/rules.hpp"
#include "files.hpp"
#include "metadata.hpp"

namespace tracecodec::umtracer {

// Callback that reads trace.xml. read_metadata() of read_metadata.hpp fits, but needs pugixml.
using read_xml = std::function<metadata(const trace_files&)>;

// Checks the trace in a folder: first the tables, then the records in order. Calls
// report(const diagnostic&) at most options.each times for each rule, then once more with the
// number of further violations. A message begins with the file's name, `offset` is an offset
// in that file, and `record` is a row of that file. Errors that the reader throws are
// reported; exceptions from `report` propagate. Without `xml`, only the existence of trace.xml
// is checked. Memory grows with the threads and instructions, not with the records.
TRACECODEC_FUNC check_summary check(const std::string& folder, on_finding report,
                                    check_options options = {}, read_xml xml = {});
// Checks a trace whose files are already open, in the same way.
TRACECODEC_FUNC check_summary check(const trace_files& files, on_finding report,
                                    check_options options = {}, read_xml xml = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/check.ipp"
#endif
