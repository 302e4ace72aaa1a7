// trace_index: writes an index of a trace, with which trace_query answers questions at once.
#include <tracecodec/query/index.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include "../common/command_line.hpp"
#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"

namespace {

using namespace examples;
namespace query = tracecodec::query;

int start(int argc, char** argv) {
  std::string path, to;
  reading as;
  command_line app(
      "Writes an index of a trace, with which trace_query answers questions at once instead of "
      "reading the trace.",
      "trace_index");
  app.add_example("trace.trace64", "Write the index trace.trace64.tcidx.");
  app.exit_status(exit_statuses);
  app.add_note("Index",
               "The index has the memory accesses of the whole trace, and when each instruction "
               "was executed. It belongs to the trace: if "
               "the trace changes, make the index again. If a file has grown since its index "
               "was made, only the new part is read.");
  add_trace(app, path).required();
  app.begin_group("Output");
  add_value(
      app, "-o,--output", "FILE",
      [&to](const std::string& s) {
        to = s;
        return !s.empty();
      },
      "Write the index to FILE (default: TRACE.tcidx, where trace_query looks for it)", "a file");
  add_format(app, as);
  if (!app.parse(arguments(argc, argv))) return 0;
  if (path == "-")
    throw usage_error("standard input cannot have an index: store the trace in a file first");
  if (changes_reading(as))
    throw usage_error(
        "an index is of the whole trace, as it is read without options: leave them out");
  if (to.empty()) to = query::index_name(path);
  tracecodec::trace::reader trace(open_trace(path, as, to), as);
  progress_line progress(path);
  auto earlier = query::open_earlier_index(to, path);
  const query::index_totals totals = query::write_index(
      trace.columns(), path, to, [&] { progress.at(trace.progress()); }, std::move(earlier));
  std::string line = printable(to) + ": " + some(totals.instructions, "instruction");
  if (totals.read != totals.instructions)
    line += ", the last " + std::to_string(totals.read) + " of them with ";
  else
    line += ", ";
  print(line + some(totals.accesses, "memory operand") + '\n');
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_index", [&] { return start(argc, argv); });
}
