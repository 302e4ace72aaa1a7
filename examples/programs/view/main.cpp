// trace_view: prints the records of a trace in detail, as compact rows or as JSON. It can also
// print statistics of the trace and the layout of its records.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../common/address.hpp"
#include "../common/command_line.hpp"
#include "../common/pipeline.hpp"
#include "../common/places.hpp"
#include "layouts.hpp"
#include "view_trace.hpp"

namespace {

using namespace examples;

constexpr auto register_groups = "general|segments|debug|x87|mm|xmm|ymm|all";

using view::options;

constexpr const char* legend = R"(
Rows of -c (empty parts are left out):
  BR(T) BR(N)   a branch by the record's own flag, taken or not taken
  D_R[] S_R[]   destination and source registers
  D_M[] S_M[]   destination and source memory
  ASID[]        address space (CloudSuite)
  T[]           thread (x64dbg, RapidBin); then the instruction in Intel's syntax, or the event,
                its operand (L lock, V variable, T thread) and its location
  IN[]          module and symbol, if known, each with the distance from its start
Members of the lines of --json:
ChampSim: index; the record's fields by name (arrays with unused slots as 0, addresses as "0x..."
text); branch and target as ChampSim derives them, target "0x0" if there is none.
x64dbg: index, thread (or null), ip, opcode, disassembly; the registers that the block stores, by
name, before the instruction (xmm0_1 is the second word of xmm0); memory, a list of words with
address, size (bytes of an operand), kind (read, write, read_write), old, and new (null if nothing
changed); branch (its class), taken, target; flags that are set, old (before) and new (after);
changes, the registers that the instruction changes, each with old and new, null if the thread does
not continue; offset of the block; state and state_after, the registers of --registers.
RapidBin: index, thread, operation, decor, location; sign if it is set; from the metadata function,
instruction, and address and access_width of a variable or the id of a lock.
UMTracer: the fields of the table's rows by the specification's names; ID is the number of the row
if the row has none itself. Also Address, Disasm and Module of an instruction record, StrName of a
register, the names of --names, and When, before or after. Values are the bytes in their order.
All formats: module, module_offset, symbol and symbol_offset of the ip, if known; memory_at, the
address and the bytes of --memory, with ?? for unknown bytes.)";

// Replaces --layout=FORM in the arguments with --layout, and stores FORM in `o`. The value of
// --layout is never a separate argument.
std::vector<std::string> take_form(std::vector<std::string> line, options& o) {
  const std::string option = "--layout=";
  for (std::string& s : line) {
    if (s == "--") break;
    if (s.compare(0, option.size(), option) != 0) continue;
    const auto form = choose(view::layout_forms(), s.substr(option.size()));
    if (!form)
      throw usage_error("--layout: expected " + one_of(view::layout_forms()) + ", got '" +
                        s.substr(option.size()) + "'");
    o.form = *form;
    s = "--layout";
  }
  return line;
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Prints the records of a trace, in detail or in rows, its statistics, its metadata or its "
      "layout.",
      "trace_view");
  app.add_example("-c -n 20 trace.trace64", "Print the first 20 records in compact rows.");
  app.add_example("-s trace.champsimtrace.xz", "Print statistics of the whole trace.");
  app.exit_status(exit_statuses);
  app.footer(legend);
  add_trace(app, o.trace);
  app.begin_group("Selection");
  const examples::option limit =
      add_most(app, "-n,--limit", o.limit,
               "Print N records, of the shard if there is one; 0 means none (default 10, or all "
               "with --json, -s and --table xml)");
  add_count(app, "--skip", o.part.skip, "Skip the first N records");
  add_shard(app, o.part);
  app.begin_group("Output");
  app.add_flag("-c,--compact", o.compact, "Print a compact row for each record");
  app.add_flag("-s,--statistics,--stats", o.statistics, "Print statistics of the trace");
  app.add_flag("--about", o.about,
               "Print the metadata of the trace, if its format has any: the program, the time of "
               "recording, the size");
  app.add_flag("--json", o.as_json,
               "Print a JSON object for each record, or for the statistics of -s");
  app.begin_group("x64dbg");
  add_values(
      app, "--registers", "NAME,...",
      [&o](const std::string& names) {
        for (std::size_t from = 0; from <= names.size();) {
          const std::size_t end = std::min(names.find(',', from), names.size());
          if (end == from) return false;
          o.besides.registers.push_back(names.substr(from, end - from));
          from = end + 1;
        }
        return true;
      },
      "Print these registers before each instruction: names such as rax, al, cs, xmm0, or " +
          std::string(register_groups) +
          "; with --json as \"state\", and after the instruction as \"state_after\"",
      "names with commas between them");
  app.add_flag("--effects", o.besides.effects,
               "Print compact rows with the registers, the flags and the memory that each "
               "instruction changes");
  app.begin_group("Output");
  add_value(
      app, "--memory", address_type,
      [&o](const std::string& s) { return (o.besides.memory = span_of(s)).has_value(); },
      "Print this memory as it was before each record, with ?? for unknown bytes (x64dbg and "
      "Tenet, whose files are read twice; UMTracer, where each record searches backwards)",
      address_type + std::string(address_hint));
  app.add_flag("--layout", o.layout,
               "Print the layout of a record; TRACE may also be the name of a format. "
               "--layout=FORM prints it as " +
                   one_of(view::layout_forms()));
  add_own_options(app, o.as, option_use::rows);
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  const auto line = take_form(arguments(argc, argv), o);
  if (!app.parse(line)) return 0;
  if (o.besides.effects && !o.as_json) o.compact = true;
  const bool own_rows = view::chooses_rows(o.as.own);
  const std::string names = view::row_options();
  const bool several = o.compact ? o.statistics || o.as_json : o.layout && o.statistics;
  if (o.about && (o.compact || o.statistics || o.layout || own_rows))
    throw usage_error("--about, -c, -s, --layout and " + names +
                      " are different views: choose one");
  if (several || (o.layout && (o.compact || o.as_json)))
    throw usage_error("-c, -s, --json and --layout are different views: choose one");
  const bool layout_of_trace = o.layout && !o.trace.empty();
  if (o.as.record &&
      (layout_of_trace || own_rows || o.besides.memory || !o.besides.registers.empty()))
    throw usage_error("--record cannot be combined with --layout, " + names +
                      ", --registers or --memory");
  if (o.layout && own_rows) throw usage_error("--layout shows all tables of the format");
  if (!o.layout && o.trace.empty()) throw usage_error("TRACE is required");
  o.has_limit = limit.count() != 0;
  if (!o.has_limit && (o.as_json || o.statistics)) o.limit = everything;
  const bool rows = !o.statistics && !o.layout;
  if (!rows && (o.besides.memory || !o.besides.registers.empty()))
    throw usage_error("--registers and --memory are for records: leave out -s and --layout");
  o.as.registers = rows && !o.besides.registers.empty();
  o.as.effects = rows && (!o.compact || o.besides.effects);
  if (o.layout)
    print_layout(o);
  else
    view_trace(o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_view", [&] { return start(argc, argv); });
}
