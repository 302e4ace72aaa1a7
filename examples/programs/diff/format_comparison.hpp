// The parts of a comparison that only one format has. Every part is optional: without it traces of the format are
// compared by their instructions alone.
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

// The options for the first trace, and for the second.
struct readings {
  examples::reading a, b;
};

struct format_comparison {
  const tracecodec::format::facts* format = nullptr;
  // A sentence for --help. Empty: none.
  std::string_view help = {};
  // Changes options that are for one of the traces alone, before the traces are opened; prints a note for each change.
  // Called whatever the formats of the traces are.
  void (*fit)(const options& o, readings& to) = nullptr;
  // Changes how the traces are read, one of which at least has the format; prints a note for each change. Called before
  // their instructions are compared.
  void (*prepare)(input& a, input& b) = nullptr;
  // Resets options that choose threads, besides reading::thread, because one thread is opened by its id.
  void (*keep_one_thread)(examples::reading& as) = nullptr;
  // Adds an event: "acquire". Null: the name of its operation, and its operand.
  void (*add_event)(std::string& to, const analysis::diff_step& i) = nullptr;
  // Prints notes on differences that come from how the format stores something. One of the traces at least has it.
  void (*hint)(const input& a, const input& b, const analysis::diff_summary& found) = nullptr;
  // Returns a comparison of the records of the traces o.a and o.b that are not instructions; both have the format.
  // Throws trace_error as the reader.
  std::unique_ptr<own_comparison> (*compare_rest)(const options& o) = nullptr;
};

// Returns the parts of all formats that have some.
std::span<const format_comparison* const> all_comparisons() noexcept;
// Returns the parts of the format `f`; null if it has none.
const format_comparison* comparison_of(const tracecodec::format::facts& f) noexcept;

}  // namespace diff
