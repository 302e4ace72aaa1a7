// trace_sql: answers questions in SQL about traces.
#include <tracecodec/io/os/os.hpp>

#include <string>
#include <vector>
#ifndef _WIN32
#include <unistd.h>
#endif

#include "../common/command_line.hpp"
#include "../common/interrupt.hpp"
#include "../common/open_trace.hpp"
#include "../common/places.hpp"
#include "prompt.hpp"
#include "session.hpp"

namespace {

using namespace examples;

#ifndef _WIN32
bool reads_terminal() { return ::isatty(STDIN_FILENO) == 1; }
#else
bool reads_terminal() { return false; }
#endif

// Returns true if an argument is a query, and not the name of a trace.
bool is_query(const std::string& argument) {
  return (argument.find_first_of(" \t\n") != argument.npos || argument.starts_with('.')) &&
         tracecodec::io::os::facts_if_any(argument).what == tracecodec::io::os::kind::missing;
}

int start(int argc, char** argv) {
  std::vector<std::string> operands;
  reading as;
  sql::session session;
  std::optional<std::uint64_t> timeout;
  command_line app(
      "Answers questions in SQL about traces. The tables are the traces themselves: nothing is "
      "imported. If there is no QUERY, reads statements from standard input.",
      "trace_sql");
  app.add_example("x.trace64 \"SELECT branch, count(*) FROM branches GROUP BY branch\"",
                  "Count the branches of each class.");
  app.add_example(
      "old.trace64 new.trace64 \"SELECT count(*) FROM a.memory JOIN b.memory USING (n, address)\"",
      "Compare two traces, whose tables are in the schemas a and b.");
  app.add_example("x.trace64 \"SELECT * FROM last_write(0x1fff000440, 150000)\"",
                  "Find the last instruction before number 150000 that writes to an address.");
  app.exit_status(
      "0 on success, 1 if a statement failed or a trace is damaged, 2 if the command line is "
      "wrong");
  app.add_argument(
         "TRACE", operands,
         "Up to 10 traces, and a query: the last argument, if it contains a space or begins with a "
         "dot (.tables, .schema) and no file has that name")
      .required()
      .type_name("... [QUERY]");
  app.begin_group("Output");
  add_choice(
      app, "--mode", sql::modes(),
      [&session](const std::string& name) { session.set_mode(sql::mode_named(name)); },
      "Print rows in this form: json is a JSON object a line (default table)");
  add_count(app, "--timeout", timeout, "Stop a statement after N seconds", 1, 1000000);
  add_format(app, as);
  add_reading(app, as);
  add_places(app, as);
  if (!app.parse(arguments(argc, argv))) return 0;
  std::string query;
  if (operands.size() > 1 && is_query(operands.back())) {
    query = operands.back();
    operands.pop_back();
  }
  if (operands.size() > sql::session::most_traces)
    throw usage_error("at most " + std::to_string(sql::session::most_traces) + " traces");
  on_interrupt(ending_signals);
  session.set_timeout(timeout);
  for (const std::string& trace : operands) {
    working_on = trace;
    if (trace != "-") open_trace(trace, as);
    session.add(trace, as);
  }
  session.protect();
  if (query.empty()) return sql::read_statements(session, reads_terminal()) ? 0 : 1;
  if (query.starts_with('.'))
    sql::run_command(session, query);
  else
    session.run(query);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_sql", [&] { return start(argc, argv); });
}
