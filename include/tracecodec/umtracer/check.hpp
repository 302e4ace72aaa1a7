// Checks a whole UMTracer trace without stopping at the first problem.
#pragma once
#include <functional>
#include <string>

#include "../config.hpp"
#include "check/rules.hpp"
#include "files.hpp"
#include "metadata.hpp"

namespace tracecodec::umtracer {

// Callback that reads trace.xml. An example is read_metadata() in read_metadata.hpp, which requires
// pugixml.
using read_xml = std::function<metadata(const trace_files&)>;

// Checks the trace in a folder: first the tables, and then the records in order. Calls `report` up
// to options.each times for each rule. If a rule has more violations, one further call reports the
// number of the remaining violations.
//
// Each message begins with a file name. The diagnostic's `offset` and `record` are an offset and a
// row number in this file. Errors from the reader become findings, but exceptions from `report`
// propagate. If `xml` is empty, the check only tests whether trace.xml exists. Memory use grows
// with the numbers of threads and instructions, but not with the number of records.
TRACECODEC_FUNC check_summary check(const std::string& folder, on_finding report,
                                    check_options options = {}, read_xml xml = {});
// Checks a trace with files that are already open. The other parameters have the same meaning as in
// the overload above.
TRACECODEC_FUNC check_summary check(const trace_files& files, on_finding report,
                                    check_options options = {}, read_xml xml = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/check.ipp"
#endif
