// Counts the instructions or events in a trace, and prints the counts.
#pragma once
#include <tracecodec/analysis/run.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>

#include "../common/output.hpp"
#include "../common/progress.hpp"
#include "options.hpp"

namespace view {

// Runs `analysis` and prints its result with add_text() or add_json(). The result must have a
// member `instructions`. If an error occurs, prints the counts so far, then throws.
template <tracecodec::analysis::trace_analysis Analysis>
void show_counts(tracecodec::trace::reader& trace, const options& o, Analysis analysis) {
  examples::pipeline part = o.part;
  if (examples::has_shard(part)) examples::cut_out_shard(trace.count(), part);
  if (o.limit != examples::everything) part.limit = std::min(o.limit, part.limit.value_or(o.limit));
  examples::output out;
  std::exception_ptr failure;
  {
    examples::progress_line progress(o.trace);
    try {
      examples::go_to(trace, part);
      tracecodec::analysis::run(
          trace, [&] { progress.at(trace.progress()); }, analysis);
    } catch (const tracecodec::trace_error&) {
      failure = std::current_exception();
    }
  }
  const auto& n = analysis.result();
  if (failure && n.instructions == 0) std::rethrow_exception(failure);
  const std::string name = o.trace == "-" ? "<stdin>" : o.trace;
  if (o.as_json)
    add_json(out.text, name, n);
  else
    add_text(out.text, name, n);
  if (!failure && n.instructions == 0 && o.limit != 0)
    examples::require_something(trace.name(), o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace view
