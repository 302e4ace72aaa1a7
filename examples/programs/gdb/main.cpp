// trace_gdb: lets GDB and other debuggers run a recorded trace forward and backward.
#include <tracecodec/trace/places.hpp>
#include <tracecodec/trace/reader.hpp>

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/command_line.hpp"
#include "../common/index.hpp"
#include "../common/interrupt.hpp"
#include "../common/open_trace.hpp"
#include "../common/places.hpp"
#include "../common/program.hpp"
#include "connection.hpp"
#include "link.hpp"
#include "server.hpp"

namespace {

using namespace examples;
namespace feed = tracecodec::feed;

constexpr auto name = "trace_gdb";

struct options {
  std::string trace = {};
  bool stdio = false;
  std::optional<std::uint64_t> port = {};
  std::string address = "127.0.0.1";
  index_options index = {};
  reading as = {};
};

// Prints what a debugger cannot see of the trace.
void note_unknown(const feed::column_source& trace) {
  if (trace.has().has(feed::column::register_values)) return;
  note(name, std::string("traces of this format have no values: only the program counter") +
                 (trace.has().has(feed::column::code) ? " and the code are" : " is") +
                 " known, and awatch stops at accesses, but watch does not see a change");
}

void serve(debug::connection& with, debug::replay& of, const tracecodec::program_map& places) {
  debug::server answers(of, places, [](const std::string& message) { note(name, message); });
  of.on_batch([&] {
    if (with.is_interrupted()) throw debug::search_interrupted();
  });
  debug::link packets([&](const std::string& packet) { return answers.answer(packet); });
  while (!answers.is_done()) {
    const std::string bytes = with.read();
    if (bytes.empty() || !with.write(packets.receive(bytes))) return;
    if (answers.leaves_out_acknowledgements()) packets.leave_out_acknowledgements();
  }
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Lets GDB, and other debuggers that speak its remote protocol, run a recorded trace forward "
      "and backward.",
      name);
  app.add_example("--port 1234 trace.trace64",
                  "Wait for a debugger: gdb -ex 'target remote 127.0.0.1:1234'.");
  app.add_example("--stdio trace.trace64",
                  "Be started by GDB: gdb -ex 'target remote | trace_gdb --stdio trace.trace64'.");
  app.exit_status(exit_statuses);
  add_trace(app, o.trace).required();
  app.begin_group("Connection");
  app.add_flag("--stdio", o.stdio, "Talk to the debugger on standard input and output");
  add_count(app, "--port", o.port, "Wait for a debugger at this TCP port; 0 selects a free one", 0,
            65535)
      .excludes("--stdio");
  add_value(
      app, "--listen", "ADDRESS",
      [&o](const std::string& s) {
        o.address = s;
        return !s.empty();
      },
      "Wait at this numeric address (default 127.0.0.1, which only programs of this machine reach)",
      "an address")
      .excludes("--stdio");
  add_index(app, o.index);
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  if (!app.parse(arguments(argc, argv))) return 0;
  if (!o.stdio && !o.port) throw usage_error("expected --stdio or --port N");
  if (o.trace == "-")
    throw usage_error("a debugger also moves backward: store the trace in a file first");
  on_interrupt(ending_signals);
  std::signal(SIGPIPE, SIG_IGN);

  tracecodec::trace::source from = open_trace(o.trace, o.as);
  const tracecodec::format::facts& format = from.format();
  if (!format.has_addresses)
    throw usage_error(tracecodec::format::trace_of(format, format.title) +
                      " has no instructions that a debugger can show");
  const tracecodec::program_map places = tracecodec::trace::places_of(
      o.trace, format, o.as, tracecodec::trace::modules_of(open_trace(o.trace, o.as), o.as));
  reading as = o.as;
  as.registers = as.registers || format.has_values;
  tracecodec::trace::reader trace(std::move(from), as);
  const auto index = open_index(o.trace, o.index, o.as);
  if (!index && !o.index.none && trace.columns().has().has(feed::column::memory_values))
    note(name,
         "the trace has no index, so it is read for each question about memory; trace_index makes "
         "one");
  note_unknown(trace.columns());
  debug::replay replay(trace.columns(), index ? &index->memory() : nullptr);
  if (!replay.code().error().empty()) note(name, replay.code().error());
  if (o.stdio) {
    debug::connection with;
    serve(with, replay, places);
    return 0;
  }
  debug::connection with(o.address, static_cast<std::uint16_t>(*o.port), [&](std::uint16_t port) {
    const bool is_6 = o.address.find(':') != std::string::npos;
    note(name, "waiting for a debugger: target remote " +
                   (is_6 ? '[' + o.address + ']' : o.address) + ':' + std::to_string(port));
  });
  serve(with, replay, places);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(name, [&] { return start(argc, argv); });
}
