// A whole report as one HTML page.
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

// What is known of a trace beside what is counted.
struct about {
  std::string name = {};
  const tracecodec::format::facts* format = nullptr;
  std::optional<std::string> program = {};  // that ran, by its path
  std::vector<std::string> chosen = {};     // what of the trace is reported, in words
  bool part = false;                        // not from its beginning to its end
  std::uint64_t first = 0;                  // number of the first instruction
  std::optional<std::string> failure = {};  // what ended the reading early
};

// What the checker says, or why it says nothing.
struct checked {
  static constexpr std::size_t most = 200;  // findings that are kept
  std::vector<tracecodec::diagnostic> found = {};
  std::uint64_t left_out = 0;
  check::summary sum = {};
  std::optional<std::string> failure = {};  // of the second reading, which ended early
  std::optional<std::string> not_done = {};
};

// `trace` is what was measured.
std::string page(const about& a, const measured& m, const view::shown_trace& trace,
                 const checked& findings);

}  // namespace report
