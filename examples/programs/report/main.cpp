// Reports on a trace in one HTML file: what the trace does, where, and which violations the checker
// finds.
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
      "Reports a trace as one HTML file without external resources: summary, instruction and "
      "branch mix, hottest blocks, mispredictions, memory, threads, the checker's findings. The "
      "whole records of a damaged trace are reported, too. " +
          std::string(exit_statuses) +
          "; 1 also if the checker finds an error, unless --repair is set.",
      "trace_report");
  add_trace(app, o.trace).required();
  app.add_argument("OUT", o.out,
                   "The report, out.html, or out.html.xz, .gz, .zst; - is standard output")
      .required()
      .type_name("");
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
