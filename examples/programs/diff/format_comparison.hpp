// Format-specific parts of a comparison. Every part is optional. Without parts, traces of a
// format are compared by their instructions only.
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

// Options for the first and the second trace.
struct readings {
  examples::reading a, b;
};

struct format_comparison {
  const tracecodec::format::facts* format = nullptr;
  // Sentence for --help, or empty.
  std::string_view help = {};
  // Changes options that apply to only one of the traces, before the traces are opened. Prints
  // a note for each change. Called regardless of the formats of the traces.
  void (*fit)(const options& o, readings& to) = nullptr;
  // Changes how the traces are read, at least one of which has the format. Prints a note for
  // each change. Called before the instructions are compared.
  void (*prepare)(input& a, input& b) = nullptr;
  // Resets options that select threads, other than reading::thread, because one thread is
  // opened by its id.
  void (*keep_one_thread)(examples::reading& as) = nullptr;
  // Adds the text of an event, such as "acquire". If null, the text is the name of the event's
  // operation, and its operand.
  void (*add_event)(std::string& to, const analysis::diff_step& i) = nullptr;
  // Prints notes on differences that are due to how the format stores something. At least one
  // of the traces has the format.
  void (*hint)(const input& a, const input& b, const analysis::diff_summary& found) = nullptr;
  // Returns a comparison of those records of o.a and o.b that are not instructions. Both
  // traces have the format. Throws trace_error as the reader does.
  std::unique_ptr<own_comparison> (*compare_rest)(const options& o) = nullptr;
};

// Returns the parts of all formats that have any.
std::span<const format_comparison* const> all_comparisons() noexcept;
// Returns the parts of the format `f`, or null if it has none.
const format_comparison* comparison_of(const tracecodec::format::facts& f) noexcept;

}  // namespace diff
