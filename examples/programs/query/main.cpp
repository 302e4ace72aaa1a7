// trace_query: answers questions about a trace, with its index or by reading it.
#include <string>
#include <vector>

#include "../common/address.hpp"
#include "../common/command_line.hpp"
#include "../common/open_trace.hpp"
#include "../common/places.hpp"
#include "question.hpp"

namespace {

using namespace examples;

// Throws usage_error if an option is given that the question does not accept.
void require_accepted(const ask::question& q, const std::string& option, bool is_given,
                      bool ask::accepted_options::*accepts) {
  if (!is_given || q.accepts.*accepts) return;
  choices others;
  for (const ask::question* other : ask::all_questions())
    if (other->accepts.*accepts) others.push_back({std::string(other->name)});
  throw usage_error(option + " is not for the question " + std::string(q.name) + ", but for " +
                    one_of(others));
}

int start(int argc, char** argv) {
  ask::options o;
  std::string question;
  command_line app(
      "Answers a question about a trace. With the index that trace_index writes, an answer is a "
      "few "
      "lookups; without it, the trace is read.",
      "trace_query");
  app.add_example("trace.trace64 last-write 0x1fff000440 --before 150000",
                  "Print the last instruction before number 150000 that writes to an address.");
  app.add_example("trace.champsimtrace.xz accesses 0x7ffc0+64 -m 10",
                  "Print the first ten instructions that access 64 bytes.");
  app.exit_status("0 if there is an answer, 1 if there is none, 2 if the trace cannot be read");
  for (const ask::question* q : ask::all_questions())
    app.add_to_list(
        "Questions",
        std::string(q->name) + (q->operand.empty() ? "" : ' ' + std::string(q->operand)),
        std::string(q->text));
  add_trace(app, o.trace).required();
  app.add_argument("QUESTION", question, "The question; see Questions below").required();
  app.add_argument("OPERAND", o.operands, "What the question is about");
  app.begin_group("Part of the trace");
  add_count(app, "--before", o.before, "Only instructions before number N");
  add_count(app, "--after", o.after, "Only instructions from number N on");
  add_count(app, "--at", o.at,
            "The state before instruction N, for memory, registers, uses and origin")
      .excludes("--before")
      .excludes("--after");
  app.begin_group("Output");
  add_most(app, "-m,--most", o.most, "Print at most N answers (default all)");
  bool detail = false, as_json = false;
  app.add_flag("--detail", detail, "Print each instruction in detail, as trace_view without -c");
  app.add_flag("--json", as_json, "Print each answer as a JSON object").excludes("--detail");
  add_count(app, "--depth", o.depth, "Print calls down to N levels (default all)", 1);
  add_count(app, "--interval", o.interval,
            "Write a vector of export simpoint for every N instructions (default 10000000)", 1);
  app.add_flag("--forward", o.forward, "For origin: print what the value reaches");
  app.add_flag("--graphviz", o.graphviz, "Print origin as a graph for Graphviz").excludes("--json");
  add_choice(
      app, "--branches", {{"list"}, {"follow"}}, [&o](const std::string& how) { o.branches = how; },
      "For origin: also print the branches that decided that its instructions were executed, and "
      "with follow, where their operands come from");
  add_count(app, "--length", o.length, "Print text of at least N characters (default 5)", 1, 1024);
  add_count(app, "--window", o.window, "Print the working set of each N instructions, too", 1);
  add_value(
      app, "--of", "FUNCTION",
      [&o](const std::string& s) {
        o.of = s;
        return !s.empty();
      },
      "List the calls of this function: an address, or a name of --symbols or --maps",
      "a function");
  add_choice(
      app, "--abi", ask::conventions(), [&o](const std::string& name) { o.abi = name; },
      "Calling convention for the arguments and the result of --of (default: the usual one for the "
      "trace's processor and format)");
  add_value(
      app, "-o,--output", "FILE",
      [&o](const std::string& s) {
        o.output = s;
        return !s.empty();
      },
      "Write what export makes to FILE (default -, standard output)", "a file");
  add_index(app, o.index);
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  if (!app.parse(arguments(argc, argv))) return 0;
  o.what = ask::question_named(question);
  if (o.operands.size() != (o.what->operand.empty() ? 0 : 1))
    throw usage_error(question + (o.what->operand.empty()
                                      ? " takes no operand"
                                      : " needs one operand: " + std::string(o.what->operand)));
  using accepts = ask::accepted_options;
  require_accepted(*o.what, "--before", o.before.has_value(), &accepts::range);
  require_accepted(*o.what, "--after", o.after.has_value(), &accepts::range);
  require_accepted(*o.what, "--at", o.at.has_value(), &accepts::at);
  require_accepted(*o.what, "--most", o.most.has_value(), &accepts::most);
  require_accepted(*o.what, "--detail", detail, &accepts::detail);
  require_accepted(*o.what, "--json", as_json, &accepts::json);
  require_accepted(*o.what, "--depth", o.depth.has_value(), &accepts::depth);
  require_accepted(*o.what, "--forward", o.forward, &accepts::forward);
  require_accepted(*o.what, "--graphviz", o.graphviz, &accepts::graphviz);
  require_accepted(*o.what, "--branches", !o.branches.empty(), &accepts::branches);
  require_accepted(*o.what, "--length", o.length.has_value(), &accepts::length);
  require_accepted(*o.what, "--window", o.window.has_value(), &accepts::window);
  require_accepted(*o.what, "--of", o.of.has_value(), &accepts::of);
  require_accepted(*o.what, "--abi", !o.abi.empty(), &accepts::of);
  require_accepted(*o.what, "--output", o.output != "-", &accepts::output);
  require_accepted(*o.what, "--interval", o.interval.has_value(), &accepts::interval);
  require_accepted(*o.what, "--index", o.index.file.has_value(), &accepts::index);
  require_accepted(*o.what, "--no-index", o.index.none, &accepts::index);
  if (o.what->accepts.at && !o.at)
    throw usage_error(question + " needs --at N, the number of an instruction");
  if (!o.abi.empty() && !o.of) throw usage_error("--abi needs --of FUNCTION");
  if (o.of && o.depth) throw usage_error("--depth is for the tree of calls, without --of");
  o.form = as_json ? view::form::json : detail ? view::form::detail : view::form::compact;
  return o.what->answer(o) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_query", [&] { return start(argc, argv); }, 2);
}
