// Checks a whole UMTracer trace without stopping at the first problem.
#pragma once
#include <functional>
#include <string>

#include "../config.hpp"
#include "check/rules.hpp"
#include "files.hpp"
#include "metadata.hpp"

namespace tracecodec::umtracer {

// Callback that reads trace.xml, for example read_metadata() in read_metadata.hpp, which requires
// pugixml.
using read_xml = std::function<metadata(const trace_files&)>;

// Checks the trace in a folder: first the tables, then the records in order. Calls `report` up to
// options.each times for each rule, then once more with the number of further violations. A message
// begins with the name of a file; the diagnostic's `offset` and `record` are an offset and a row in
// that file. Errors that the reader throws are reported; exceptions from `report` propagate. If
// `xml` is empty, the check only tests whether trace.xml exists. Memory grows with the number of
// threads and instructions, but not with the number of records.
TRACECODEC_FUNC check_summary check(const std::string& folder, on_finding report,
                                    check_options options = {}, read_xml xml = {});
// Checks a trace whose files are already open. The other parameters are those of the overload
// above.
TRACECODEC_FUNC check_summary check(const trace_files& files, on_finding report,
                                    check_options options = {}, read_xml xml = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/check.ipp"
#endif
