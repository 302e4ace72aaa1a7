// Format-specific functions for trace_diff. All members are optional. Without these functions, only
// the instructions of the traces are compared.
#pragma once
#include <tracecodec/analysis/diff.hpp>
#include <tracecodec/format/facts.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compare.hpp"
#include "own_comparison.hpp"

namespace diff {

class input;

// Reading options for the first and the second trace.
struct readings {
  examples::reading a, b;
};

struct format_comparison {
  const tracecodec::format::facts* format = nullptr;
  // Sentence about the format for --help, or empty.
  std::string_view help = {};
  // Changes options that apply to only one of the traces, before the traces are opened. Prints a
  // note for each change. Called for every pair of traces, regardless of their formats.
  void (*fit)(const options& o, readings& to) = nullptr;
  // Changes how the traces are read, before the instructions are compared. At least one of the
  // traces has this format. Prints a note for each change.
  void (*prepare)(input& a, input& b) = nullptr;
  // Resets the options that select threads, except for reading::thread. The comparison opens each
  // thread by its id.
  void (*keep_one_thread)(examples::reading& as) = nullptr;
  // Adds the text of an event, such as "acquire". If null, the text consists of the event's
  // operation and operand.
  void (*add_event)(std::string& to, const analysis::diff_step& i) = nullptr;
  // Prints notes on differences that result from the format's way of storing records. At least one
  // of the traces has this format.
  void (*hint)(const input& a, const input& b, const analysis::diff_summary& found) = nullptr;
  // Returns a comparison of the records of o.a and o.b that are not instructions. Both traces have
  // this format. Throws trace_error like the reader.
  std::unique_ptr<own_comparison> (*compare_rest)(const options& o) = nullptr;
};

// Returns the functions of all formats that have any.
std::span<const format_comparison* const> all_comparisons() noexcept;
// Returns the functions of format `f`, or null if the format has none.
const format_comparison* comparison_of(const tracecodec::format::facts& f) noexcept;

}  // namespace diff
