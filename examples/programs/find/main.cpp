// trace_find: finds instructions in a trace by address, code, memory, register, branch or thread.
#include <cstdint>
#include <string>

#include "../common/command_line.hpp"
#include "../common/open_trace.hpp"
#include "../common/pipeline.hpp"
#include "../common/places.hpp"
#include "criteria.hpp"
#include "find_in.hpp"

namespace {

using namespace examples;

// Maximum value of --last. The program keeps that many rows in memory.
constexpr std::uint64_t most_last = 1'000'000;

int start(int argc, char** argv) {
  find::options o;
  command_line app(
      "Finds instructions or events in a trace and prints each as trace_view does. A match meets "
      "all criteria; without criteria, every instruction matches.",
      "trace_find");
  app.add_example("--writes 0x4cb3a9c --last trace.trace32",
                  "Print the last instruction that writes to an address.");
  app.add_example("--branch conditional --not-taken --count-by ip -m 10 trace.champsimtrace.xz",
                  "Print the ten branches that are not taken most often.");
  app.exit_status("0 if something is found, 1 if not, 2 if the trace cannot be read");
  add_trace(app, o.trace).required();
  app.begin_group("Criteria");
  find::add_criteria(app, o.criteria);
  add_value(
      app, "--symbol", "NAME",
      [&o](const std::string& s) {
        o.symbol = s;
        return !s.empty();
      },
      "Executes in this function, which the map next to the trace or --symbols names", "a name")
      .excludes("--ip");
  add_slice(app, o.part);
  add_shard(app, o.part);
  app.begin_group("Output");
  add_most(app, "-m,--most", o.most,
           "Stop after N matches; with --count-by print N values; 0 means none (default all)");
  add_count(app, "--last", o.last, "Print only the last N matches; without a number the last one",
            1, most_last)
      .type_name("[N]");
  app.add_flag("--count", o.count, "Print only the number of matches");
  add_choice(
      app, "--count-by", find::field_choices(),
      [&o](const std::string& s) { o.by = find::field_of(s); },
      "Print the number of matches for each value of this field, the most frequent first; for "
      "address, every address read or written counts");
  bool compact = false, detail = false, as_json = false;
  app.add_flag("-c,--compact", compact,
               "Print a compact row for each match, as trace_view -c (default)");
  app.add_flag("--detail", detail, "Print each match in detail, as trace_view without -c");
  app.add_flag("--json", as_json, "Print each match as a JSON object, as trace_view --json");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  add_own_options(app, o.as, option_use::choice);
  if (!app.parse(with_numbers(arguments(argc, argv), "--last", "1"))) return 0;
  if (compact + detail + as_json > 1)
    throw usage_error("-c, --detail and --json are different views: choose one");
  if ((o.last ? 1 : 0) + (o.by ? 1 : 0) + o.count > 1 || (o.last && o.most))
    throw usage_error("--most, --last, --count and --count-by exclude each other: choose one");
  if ((o.count || o.by) && (compact || detail))
    throw usage_error("-c and --detail print matches: leave out --count and --count-by");
  if (detail) o.form = view::form::detail;
  if (as_json) o.form = view::form::json;
  o.as.registers = o.criteria.register_value.has_value();
  o.as.effects = detail || as_json || o.criteria.value || !o.criteria.changed_register.empty();
  const std::uint64_t found = find::find_in(open_trace(o.trace, o.as), o);
  return found != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_find", [&] { return start(argc, argv); }, 2);
}
