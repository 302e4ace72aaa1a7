// trace_query: answers questions about a trace, with its index or by reading it.
#include <string>
#include <vector>

#include "../common/address.hpp"
#include "../common/command_line.hpp"
#include "../common/open_trace.hpp"
#include "../common/places.hpp"
#include "ask.hpp"

namespace {

using namespace examples;

int start(int argc, char** argv) {
  ask::options o;
  std::string question;
  std::vector<std::string> operands;
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
  std::string questions;
  for (const ask::question& q : ask::all_questions)
    questions += std::string(questions.empty() ? "" : "\n") + std::string(q.name) + ' ' +
                 std::string(q.operand) + ": " + std::string(q.text);
  app.add_note("Questions", questions);
  add_trace(app, o.trace).required();
  app.add_argument("QUESTION", question, "The question; see Questions below").required();
  app.add_argument("OPERAND", operands, "What the question is about");
  app.begin_group("Part of the trace");
  add_count(app, "--before", o.before, "Only instructions before number N");
  add_count(app, "--after", o.after, "Only instructions from number N on");
  add_count(app, "--at", o.at, "The state before instruction N, for memory")
      .excludes("--before")
      .excludes("--after");
  app.begin_group("Output");
  add_most(app, "-m,--most", o.most, "Print at most N answers (default all)");
  bool detail = false, as_json = false;
  app.add_flag("--detail", detail, "Print each instruction in detail, as trace_view without -c");
  app.add_flag("--json", as_json, "Print each answer as a JSON object").excludes("--detail");
  add_count(app, "--depth", o.depth, "Print the tree of calls down to N levels (default all)", 1);
  add_value(
      app, "-o,--output", "FILE",
      [&o](const std::string& s) {
        o.output = s;
        return !s.empty();
      },
      "Write what export makes to FILE (default -, standard output)", "a file");
  app.begin_group("Index");
  add_value(
      app, "--index", "FILE",
      [&o](const std::string& s) {
        o.index = s;
        return !s.empty();
      },
      "Use this index (default: TRACE.tcidx, if it exists)", "a file");
  app.add_flag("--no-index", o.no_index, "Read the trace, even if it has an index")
      .excludes("--index");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  if (!app.parse(arguments(argc, argv))) return 0;
  o.what = ask::question_named(question);
  if (operands.size() != (o.what->operand.empty() ? 0 : 1))
    throw usage_error(question + (o.what->operand.empty()
                                      ? " takes no operand"
                                      : " needs one operand: " + std::string(o.what->operand)));
  if (o.what->what == ask::answers::stacks) {
    const choices forms{{"folded"}, {"speedscope"}};
    const auto form = choose(forms, operands[0]);
    if (!form)
      throw usage_error("export: expected " + one_of(forms) + ", got '" + operands[0] + "'");
    o.form_of_export = *form;
  } else if (!o.what->operand.empty()) {
    const auto span = span_of(operands[0]);
    if (!span)
      throw usage_error(question + ": expected " + address_type + address_hint + ", got '" +
                        operands[0] + "'");
    o.bytes = *span;
  }
  const bool is_stacks = o.what->what == ask::answers::stacks;
  if (is_stacks && (o.most || detail || as_json))
    throw usage_error("export: leave out --most, --detail and --json");
  if (detail && (ask::is_about_calls(*o.what) || o.what->what == ask::answers::memory ||
                 o.what->what == ask::answers::values))
    throw usage_error("--detail is for questions whose answers are instructions");
  if (ask::is_about_calls(*o.what) && o.index)
    throw usage_error("--index: questions about calls always read the trace");
  if (o.output != "-" && o.what->what != ask::answers::stacks)
    throw usage_error("-o is for the question export");
  if (o.depth && o.what->what != ask::answers::call_tree)
    throw usage_error("--depth is for the question calls");
  const bool is_memory = o.what->what == ask::answers::memory;
  if (is_memory != o.at.has_value())
    throw usage_error(is_memory ? "memory needs --at N, the number of an instruction"
                                : "--at is for the question memory: choose --before or --after");
  if (is_memory && o.bytes.last - o.bytes.first >= ask::most_memory)
    throw usage_error("memory: at most " + std::to_string(ask::most_memory) + " bytes");
  o.form = as_json ? view::form::json : detail ? view::form::detail : view::form::compact;
  return ask::ask(o) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_query", [&] { return start(argc, argv); }, 2);
}
