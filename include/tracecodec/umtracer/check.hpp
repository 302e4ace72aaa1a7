// Checks a whole UMTracer trace; never stops at the first problem.
#pragma once
#include <functional>
#include <string>

#include "../config.hpp"
#include "check/rules.hpp"
#include "files.hpp"
#include "metadata.hpp"

namespace tracecodec::umtracer {

// What reads trace.xml, as read_metadata() of read_metadata.hpp does, which needs pugixml.
using read_xml = std::function<metadata(const trace_files&)>;

// Checks the trace of a folder. Calls report(const diagnostic&) table by table, then record by
// record, for each rule at most options.each times and then once with how many more there are. A
// message begins with the file; `offset` is in it, `record` counts its rows. What the reader throws
// is reported, what `report` throws is thrown. Of trace.xml only whether it is there is checked,
// unless `xml` reads it. Memory: that of the threads and the instructions, not of the records.
TRACECODEC_FUNC check_summary check(const std::string& folder, on_finding report,
                                    check_options options = {}, read_xml xml = {});
// The same of files that are open.
TRACECODEC_FUNC check_summary check(const trace_files& files, on_finding report,
                                    check_options options = {}, read_xml xml = {});

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/check.ipp"
#endif
