// Reads the part of a trace that a question is about, once, for analyses.
#pragma once
#include <tracecodec/analysis/run.hpp>

#include <algorithm>

#include "../common/open_trace.hpp"
#include "../common/pipeline.hpp"
#include "../common/progress.hpp"
#include "question.hpp"

namespace ask {

// Opens the trace, and moves to the part that --after and --before select. `as` are the options of
// `o` for reading, and those that the question adds. If `is_mapped` is true, leaves out the
// instructions for which the map of the program is not valid.
inline view::shown_trace open_part(const options& o, const examples::reading& as,
                                   bool is_mapped = false) {
  view::shown_trace shown = view::show(examples::open_trace(o.trace, as, o.output), o.trace, as);
  examples::pipeline part;
  part.skip = std::max(o.after.value_or(0), is_mapped ? shown.places.from() : 0);
  if (o.before) part.limit = *o.before - std::min(*o.before, part.skip);
  examples::go_to(shown.columns, part);
  return shown;
}
inline view::shown_trace open_part(const options& o) { return open_part(o, o.as); }

// Reads the trace to the end of the part.
template <class... A> void read_part(const options& o, view::shown_trace& from, A&... all) {
  examples::progress_line progress(o.trace);
  tracecodec::analysis::run(
      from.columns, [&] { progress.at(from.columns.progress()); }, all...);
}

}  // namespace ask
