// trace_report: writes a report on a trace to one HTML file. The report describes the activity in
// the trace, and lists the violations that the checker finds.
#include <string>

#include "../common/command_line.hpp"
#include "../common/interrupt.hpp"
#include "../common/pipeline.hpp"
#include "../common/places.hpp"
#include "report_trace.hpp"

namespace {

using namespace examples;

int start(int argc, char** argv) {
  report::options o;
  command_line app(
      "Writes one HTML page about a trace: summary, instruction and branch mix, mispredictions, "
      "hottest blocks, memory, threads and the findings of the checker. The page needs no other "
      "files. The whole records of a damaged trace are reported, too.",
      "trace_report");
  app.add_example("trace.champsimtrace.xz report.html", "Write the page of a whole trace.");
  app.add_example("--skip 1000000 -n 1000000 trace.tpack report.html",
                  "Write the page of the second million instructions.");
  app.exit_status(std::string(exit_statuses) +
                  "; 1 also if the checker finds an error, unless --repair is set");
  add_trace(app, o.trace).required();
  app.add_argument("OUT", o.out,
                   "The page, out.html, or out.html.xz, .gz, .zst; - is standard output")
      .required()
      .type_name("");
  app.begin_group("Output");
  app.add_flag("--no-check", o.no_check,
               "Do not run the checker, which reads the trace a second time");
  add_slice(app, o.part);
  add_shard(app, o.part);
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  add_own_options(app, o.as, option_use::choice);
  if (!app.parse(arguments(argc, argv))) return 0;
  on_interrupt(ending_signals);
  report::report_trace(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_report", [&] { return start(argc, argv); });
}
