// trace_diff: compares two traces of the same format or of different formats, thread by thread and
// aligned by ip.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../common/address.hpp"
#include "../common/command_line.hpp"
#include "../common/output.hpp"
#include "../common/places.hpp"
#include "compare.hpp"
#include "format_comparison.hpp"

namespace {

using namespace examples;

// Adds notes to --help, including the notes of individual formats.
void add_notes(command_line& app) {
  app.add_note(
      "Compared data",
      "Registers, addresses and branch outcomes, and, if both traces have them, code, events "
      "and the values of registers and memory. Of the operands, two written and four read "
      "registers and addresses are compared. Two traces of one format with such records are "
      "also compared in system calls, contexts and ends of threads.");
  app.add_note("Output",
               "Numbers count the thread's instructions, in the first trace and in the second. The "
               "text of an instruction follows a semicolon, if a trace has it.");
  for (const diff::format_comparison* const f : diff::all_comparisons())
    if (!f->help.empty()) app.add_note(std::string(f->format->title), std::string(f->help));
}

int start(int argc, char** argv) {
  diff::options o;
  command_line app(
      "Compares two traces of the same format or of different formats, thread by thread, aligned "
      "by "
      "ip. Prints where they diverge and meet again, and how instructions at the same ip differ.",
      "trace_diff");
  app.add_example("before.trace64 after.trace64", "Print the first differences of two runs.");
  app.add_example("--relocate auto first.champsimtrace.xz second.champsimtrace.xz",
                  "Compare two runs whose addresses are randomised.");
  app.add_example("--ignore addresses --from main a.champsimtrace.xz b.tpack",
                  "Compare from main() on, whatever the addresses of modules are.");
  app.exit_status("0 if the traces are the same, 1 if they differ, 2 if they cannot be compared");
  add_notes(app);
  app.add_argument("A", o.a, "A trace; - is standard input. A pipe is compared as one thread")
      .required()
      .type_name("");
  app.add_argument("B", o.b, "The other trace").required().type_name("");
  app.begin_group("Comparison");
  add_values(
      app, "--ignore",
      "registers|memory|outcome|values|code|events|syscalls|contexts|addresses|MNEMONIC",
      [&o](const std::string& word) { return o.ignored.add(word); },
      "Ignore differences of this kind. addresses: addresses of memory, and values that are "
      "addresses: the stack pointer, and values that differ as much as the addresses of memory "
      "that "
      "an instruction accesses. A mnemonic: values that such instructions write, and values that "
      "are computed from them; clock (rdtsc, rdtscp, rdpmc), random (rdrand, rdseed) and syscall "
      "(syscall, sysenter, int) stand for several mnemonics. May be repeated",
      diff::ignored::expected());
  add_values(
      app, "--relocate", "auto|A=B[+SIZE]", [&o](const std::string& s) { return o.moved.add(s); },
      "Compare addresses of SIZE bytes at A in the first trace with those at B in the second "
      "(default: all up to the next B): they are equal if they are equally far after A and B. May "
      "be repeated. auto: find where the modules, the heap and the stack moved, from the code that "
      "both traces execute; reads both traces once more",
      "auto, A=B or A=B+SIZE" + std::string(address_hint));
  add_value(
      app, "--from", "ADDRESS|SYMBOL",
      [&o](const std::string& s) {
        o.how.from = number_of(s);
        if (!o.how.from) o.from_symbol = s;
        return o.how.from || (!s.empty() && (s[0] < '0' || s[0] > '9'));
      },
      "Begin where each thread executes this address or function of the first trace, whose map or "
      "--symbols lists the functions",
      "an address" + std::string(address_hint) + ", or a function's name");
  std::uint64_t window = o.how.window, context = o.how.context, retries = o.how.retries;
  add_count(
      app, "--window", window,
      "Search this many instructions of each trace for the place where they meet again (default "
      "65536)",
      o.how.run, std::uint64_t{1} << 28);
  add_count(app, "--retry", retries,
            "Skip up to this many windows in a row and search after them (default 1000)");
  app.begin_group("Output");
  add_count(app, "--context", context,
            "Print this many instructions before a divergence (default 3)");
  add_most(app, "-m,--most", o.most,
           "Print at most this many differences and divergences; 0 means none (default 10)");
  app.add_flag("--json", o.as_json, "Print only the summary, as one JSON object");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  if (!app.parse(arguments(argc, argv))) return 0;
  o.how.window = static_cast<std::size_t>(window);
  o.how.context = static_cast<std::size_t>(std::min<std::uint64_t>(context, 1000));
  o.how.retries = static_cast<std::size_t>(std::min<std::uint64_t>(retries, ~std::size_t{0}));
  o.how.values = o.ignored.wants("values");
  o.how.addresses_expected = o.ignored.addresses;
  o.how.moved = o.moved.relocation();
  if (o.a == "-" && o.b == "-") throw usage_error("only one of the traces can be standard input");
  working_on = o.a + " and " + o.b;
  output out;
  return diff::compare(o, out) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_diff", [&] { return start(argc, argv); }, 2);
}
