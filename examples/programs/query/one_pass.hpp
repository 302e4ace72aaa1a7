// Reads the part of a trace that a question is about, once, for analyses.
#pragma once
#include <tracecodec/analysis/run.hpp>

#include <algorithm>
#include <exception>
#include <utility>

#include "../common/open_trace.hpp"
#include "../common/pipeline.hpp"
#include "../common/progress.hpp"
#include "question.hpp"

namespace ask {

// Moves to the part that --after and --before select. If `is_mapped` is true, leaves out the
// instructions for which the map of the program is not valid.
inline view::shown_trace part_of(const options& o, view::shown_trace shown,
                                 bool is_mapped = false) {
  examples::pipeline part;
  part.skip = std::max(o.after.value_or(0), is_mapped ? shown.places.from() : 0);
  if (o.before) part.limit = *o.before - std::min(*o.before, part.skip);
  examples::go_to(shown.columns, part);
  return shown;
}
// Opens the trace, and moves to the part. `as` are the options of `o` for reading, and those that the
// question adds.
inline view::shown_trace open_part(const options& o, const examples::reading& as,
                                   bool is_mapped = false) {
  return part_of(o, view::show(examples::open_trace(o.trace, as, o.output), o.trace, as),
                 is_mapped);
}
inline view::shown_trace open_part(const options& o) { return open_part(o, o.as); }

// Reads the trace to the end of the part.
template <class... A> void read_part(const options& o, view::shown_trace& from, A&... all) {
  examples::progress_line progress(o.trace);
  tracecodec::analysis::run(
      from.columns, [&] { progress.at(from.columns.progress()); }, all...);
}

// Opens the trace like open_part(), with the values of registers if the format has them.
inline view::shown_trace open_with_values(const options& o) {
  tracecodec::trace::source from = examples::open_trace(o.trace, o.as, o.output);
  examples::reading as = o.as;
  as.registers = as.registers || from.format().has_values;
  return part_of(o, view::show(std::move(from), o.trace, as));
}

// Adds the trace to `to`, up to the end of the part or until is_done() returns true. Returns the error
// that ended the trace, or null. The caller uses what was found before the error, and then throws it.
template <class Analysis, class Done>
std::exception_ptr read_until_error(const options& o, view::shown_trace& from, Analysis& to,
                                    Done is_done) {
  examples::progress_line progress(o.trace);
  from.columns.want(to.columns());
  try {
    for (tracecodec::feed::columns batch; !is_done() && from.columns.next(batch, 1024);) {
      to.add(batch);
      progress.at(from.columns.progress());
    }
  } catch (const tracecodec::trace_error&) {
    return std::current_exception();
  }
  return nullptr;
}
template <class Analysis>
std::exception_ptr read_until_error(const options& o, view::shown_trace& from, Analysis& to) {
  return read_until_error(o, from, to, [] { return false; });
}

}  // namespace ask
