#include "report_trace.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/input/truncation.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/trace/check.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../common/interrupt.hpp"
#include "../common/open_trace.hpp"
#include "../common/output_name.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"
#include "../view/shown.hpp"
#include "format_report.hpp"
#include "html.hpp"
#include "measures.hpp"
#include "page.hpp"

namespace report {

namespace trace = tracecodec::trace;

namespace {

using namespace examples;

// Returns phrases that describe the selected part of the trace, such as "only thread 3".
std::vector<std::string> words_of(const options& o) {
  std::vector<std::string> all;
  if (o.as.thread) all.push_back("only thread " + chosen_thread(o.as));
  if (has_choices(o.as)) all.push_back("only the selected events");
  return all;
}

// Runs the checker and returns its findings. The checker reads the trace a second time. `again` is
// false if the trace can be read only once.
checked findings_of(const options& o, bool again) {
  checked c;
  if (!again) c.not_done = "The checker has not run: a pipe can be read only once.";
  if (o.no_check) c.not_done = "The checker has not run: --no-check.";
  if (c.not_done) return c;
  const auto take = [&c](const tracecodec::diagnostic& d) {
    if (c.found.size() == checked::most)
      ++c.left_out;
    else
      c.found.push_back(d);
    // Keep no more of a message than the page can show.
    if (c.found.back().message.size() > 2 * longest_text)
      c.found.back().message.resize(2 * longest_text);
  };
  progress_line progress(o.trace + ", checking");
  tracecodec::check_options how;
  how.progress = [&](std::optional<double> done) {
    stop_if_interrupted();
    progress.at(done);
  };
  try {
    c.sum = trace::check(trace::source(o.trace, o.as), take, how, o.as);
  } catch (const tracecodec::trace_error& e) {
    c.failure = e.what();
    c.not_done = "The checker could not read the trace: " + *c.failure;
  }
  return c;
}

}  // namespace

void report_trace(const options& o) {
  tracecodec::trace::source from = open_trace(o.trace, o.as, o.out);
  const bool again = from.rewindable();
  require_form(o.out, {form::html});
  const auto out = tracecodec::io::open_output(o.out, compression_by_name(o.out));
  view::shown_trace shown = view::show(std::move(from), o.trace, o.as);
  tracecodec::trace::reader& trace = shown.columns;
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  about about;
  about.name = trace.name();
  about.format = &trace.format();
  about.program = shown.rows->program();
  about.chosen = words_of(o);
  about.part = part.skip != 0 || part.limit;
  about.first = part.skip;

  const auto measure = report_of(trace.format()).measure;
  // Allocate the measures on the heap, because they are too large for the stack.
  const auto counted =
      std::make_unique<measures>(trace.columns(), measure != nullptr ? measure() : nullptr);
  const measured& counts = counted->result();
  {
    progress_line progress(o.trace);
    try {
      go_to(trace, part);
      analysis::run(
          trace,
          [&] {
            stop_if_interrupted();
            progress.at(trace.progress());
          },
          *counted);
    } catch (const tracecodec::trace_error& e) {
      if (counts.instructions() == 0) throw;
      about.failure = e.what();
    }
  }
  if (!about.failure && counts.instructions() == 0) require_something(about.name, o.as, o.part);
  const checked checked = findings_of(o, again);
  // If a file was truncated while it was read, other errors may be a consequence. Report the
  // truncation instead, and do not write a report.
  if (about.failure || checked.sum.errors != 0)
    if (const auto cut = tracecodec::io::cut_file_error()) throw *cut;
  const std::string text = page(about, counts, shown, checked);
  out->write(std::as_bytes(std::span(text)));
  out->finish();
  // Do not throw a trace_error. If a file were truncated later, the truncation would be reported as
  // the error's cause.
  if (about.failure) throw std::runtime_error(*about.failure);
  if (checked.failure) throw std::runtime_error(*checked.failure);
  if (checked.sum.errors != 0 && !o.as.repair)
    throw std::runtime_error(about.name + ": the checker found " +
                             some(checked.sum.errors, "error") + ": they are on the page");
}

}  // namespace report
