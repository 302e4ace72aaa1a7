// Reports a trace as one HTML file: what it does, where, and what is wrong with it.
#include <tracecodec/io/open.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/interrupt.hpp"
#include "common/open_trace.hpp"
#include "common/output_name.hpp"
#include "common/pipeline.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "report/page.hpp"
#include "view/shown.hpp"

namespace trace = tracecodec::trace;

namespace {

using namespace examples;

struct options {
  std::string trace = {}, out = {};
  reading as = {};
  pipeline part = {};
  bool no_check = false;
};

// What of the trace the options choose, in words.
std::vector<std::string> words_of(const options& o) {
  std::vector<std::string> all;
  if (o.as.thread) all.push_back("only thread " + std::to_string(*o.as.thread));
  if (!o.as.wanted.everything()) all.push_back("only the chosen events");
  return all;
}

// The checker reads the trace a second time.
report::checked findings_of(const options& o, bool again) {
  report::checked c;
  if (!again) c.not_done = "The checker has not run: a pipe can be read only once.";
  if (o.no_check) c.not_done = "The checker has not run: --no-check.";
  if (c.not_done) return c;
  const auto take = [&c](const tracecodec::diagnostic& d) {
    if (c.found.size() == report::checked::most)
      ++c.left_out;
    else
      c.found.push_back(d);
    // It is shown no further.
    if (c.found.back().message.size() > 2 * report::longest_text)
      c.found.back().message.resize(2 * report::longest_text);
  };
  progress_line progress(o.trace + ", checking");
  tracecodec::check_options how;
  how.progress = [&](std::optional<double> done) {
    stop_if_interrupted();
    progress.at(done);
  };
  try {
    c.sum = check::check_trace(trace::source(o.trace, o.as), o.as, take, how);
  } catch (const tracecodec::trace_error& e) {
    c.not_done = std::string("The checker could not read the trace: ") + e.what();
  }
  return c;
}

void report_trace(const options& o) {
  tracecodec::trace::source from = open_trace(o.trace, o.as, o.out);
  const bool again =
      from.format() == tracecodec::trace::format::umtracer || from.input().rewindable();
  require_form(o.out, {form::html});
  const auto out = tracecodec::io::open_output(o.out, compression_by_name(o.out));
  view::shown_trace shown = view::show(std::move(from), o.trace, o.as);
  tracecodec::trace::reader& trace = shown.columns;
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  report::about about;
  about.name = trace.name();
  about.format = trace.format();
  about.program = shown.rows->program();
  about.chosen = words_of(o);
  about.part = part.skip != 0 || part.limit;
  about.first = part.skip;

  const auto counted = std::make_unique<report::measures>(
      trace.columns(), has_events(trace.format()));  // large for a stack
  trace.want(counted->columns());
  std::exception_ptr failure;
  {
    progress_line progress(o.trace);
    try {
      go_to(trace, part);
      // Few, so that they are still in the cache when they are counted.
      constexpr std::size_t most = 1024;
      for (tracecodec::feed::columns batch; trace.next(batch, most);) {
        counted->add(batch);
        stop_if_interrupted();
        progress.at(trace.progress());
      }
    } catch (const tracecodec::trace_error& e) {
      if (counted->instructions() == 0) throw;
      about.failure = e.what();
      failure = std::current_exception();
    }
  }
  if (!failure && counted->instructions() == 0) require_something(about.name, o.as, o.part);
  const report::checked checked = findings_of(o, again);
  const std::string text = report::page(about, *counted, shown, checked);
  out->write(std::as_bytes(std::span(text)));
  out->finish();
  if (failure) std::rethrow_exception(failure);
  if (checked.sum.errors != 0 && !o.as.repair)
    throw tracecodec::trace_error(
        tracecodec::trace_errc::bad_value, {about.name},
        "the checker found " + some(checked.sum.errors, "error") + ": they are on the page");
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Reports a trace as one HTML file that needs no network: summary, instruction "
      "and branch mix, hottest blocks, mispredictions, memory, threads, the checker's findings. "
      "What is whole of a damaged trace is reported all the same. " +
          std::string(exit_statuses) + "; 1 also if the checker finds an error, but with --repair.",
      "trace_report");
  add_trace(app, o.trace).required();
  app.add_argument("OUT", o.out,
                   "The report, out.html, or out.html.xz, .gz, .zst; - is standard output")
      .required()
      .type_name("");
  app.add_flag("--no-check", o.no_check, "Leave out the checker, which reads the trace once more");
  add_slice(app, o.part);
  add_shard(app, o.part);
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  add_events(app, o.as);
  if (!app.parse(arguments(argc, argv))) return 0;
  on_interrupt(ending_signals);
  report_trace(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_report", [&] { return start(argc, argv); });
}
