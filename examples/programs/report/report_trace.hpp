// What trace_report was asked for, and the report.
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

// Reads the trace and writes the page. Of a trace that is damaged, or in which the checker finds an error, it
// throws that when the page is written.
void report_trace(const options& o);

}  // namespace report
