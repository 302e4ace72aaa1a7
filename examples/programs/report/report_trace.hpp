// Options of trace_report, and the function that writes the report.
#pragma once
#include <string>

#include "../common/pipeline.hpp"
#include "../common/reading.hpp"

namespace report {

struct options {
  std::string trace = {}, out = {};
  examples::reading as = {};
  examples::pipeline part = {};
  bool no_check = false;
};

// Reads the trace and writes the page. If the trace is damaged, writes the page and then throws an
// exception. Also throws if the checker finds errors and the option repair is not set.
void report_trace(const options& o);

}  // namespace report
