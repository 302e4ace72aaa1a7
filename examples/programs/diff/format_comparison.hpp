// Format-specific parts of a comparison. All parts are optional. Without them, traces of a format
// are compared only by their instructions.
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
  // Sentence for --help, or empty.
  std::string_view help = {};
  // Changes options that apply to only one of the traces, before the traces are opened. Prints a
  // note for each change. Called whatever the formats of the traces are.
  void (*fit)(const options& o, readings& to) = nullptr;
  // Changes how the traces are read. At least one of the traces has the format. Prints a note for
  // each change. Called before the instructions are compared.
  void (*prepare)(input& a, input& b) = nullptr;
  // Resets options that select threads, other than reading::thread. Called because each thread is
  // opened by its id.
  void (*keep_one_thread)(examples::reading& as) = nullptr;
  // Adds the text of an event, such as "acquire". If null, the text consists of the name of the
  // event's operation and of its operand.
  void (*add_event)(std::string& to, const analysis::diff_step& i) = nullptr;
  // Prints notes on differences that result from how the format stores records. At least one of the
  // traces has the format.
  void (*hint)(const input& a, const input& b, const analysis::diff_summary& found) = nullptr;
  // Returns a comparison of the records of o.a and o.b that are not instructions. Both traces have
  // the format. Throws trace_error like the reader.
  std::unique_ptr<own_comparison> (*compare_rest)(const options& o) = nullptr;
};

// Returns the parts of all formats that have parts.
std::span<const format_comparison* const> all_comparisons() noexcept;
// Returns the parts of format `f`, or null if the format has no parts.
const format_comparison* comparison_of(const tracecodec::format::facts& f) noexcept;

}  // namespace diff
