// Creates a report as one HTML page.
#pragma once
#include <tracecodec/io/findings.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../check/check_other.hpp"

namespace view {
struct shown_trace;
}

namespace report {

struct measured;

// Properties of a trace that are not counts.
struct about {
  std::string name = {};
  const tracecodec::format::facts* format = nullptr;
  std::optional<std::string> program = {};  // path of the traced program
  // Phrases that describe the selected part of the trace, such as "only thread 3".
  std::vector<std::string> chosen = {};
  bool part = false;                        // true if the report covers only a part of the trace
  std::uint64_t first = 0;                  // number of the first instruction
  std::optional<std::string> failure = {};  // error that ended the reading of the trace early
};

// Findings of the checker, or the reason why the checker did not run.
struct checked {
  static constexpr std::size_t most = 200;  // maximum number of findings in the report
  std::vector<tracecodec::diagnostic> found = {};
  std::uint64_t left_out = 0;
  check::summary sum = {};
  // Error that ended the checker's run early.
  std::optional<std::string> failure = {};
  std::optional<std::string> not_done = {};
};

// Returns the whole page. `trace` is the trace to which the counts `m` belong.
std::string page(const about& a, const measured& m, const view::shown_trace& trace,
                 const checked& findings);

}  // namespace report
