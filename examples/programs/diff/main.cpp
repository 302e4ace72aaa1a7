// Comparison of two traces, of the same format or of two formats, thread by thread and aligned by
// ip.
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

// Returns the text for --help, including the sentences of individual formats.
std::string help() {
  std::string own;
  for (const diff::format_comparison* const f : diff::all_comparisons())
    if (!f->help.empty()) own += std::string(f->help) + ' ';
  return "Compares two traces of the same or of different formats: thread by thread, aligned by "
         "ip. Prints where they diverge and meet again, and how instructions at the same ip "
         "differ: in registers, addresses and branch outcomes, and, if both traces have them, in "
         "code, events and the values of registers and memory; two traces of one format with such "
         "records also in system calls, contexts and ends of threads. The text of the instruction "
         "follows after ;, if a trace has it. Of the operands, two written and four read registers "
         "and addresses are compared. " +
         own +
         "Numbers count the thread's instructions, in the first trace and in the second. The exit "
         "status is 0 if they are the same, 1 if they differ, 2 if they could not be compared.";
}

int start(int argc, char** argv) {
  diff::options o;
  command_line app(help(), "trace_diff");
  app.add_argument("A", o.a, "A trace; - is standard input. A pipe is compared as one thread")
      .required()
      .type_name("");
  app.add_argument("B", o.b, "The other trace").required().type_name("");
  add_values(
      app, "--ignore",
      "registers|memory|outcome|values|code|events|syscalls|contexts|addresses|MNEMONIC",
      [&o](const std::string& word) { return o.ignored.add(word); },
      "Ignore differences of this kind. addresses: those of memory and of values that are "
      "addresses, which are the stack pointer and values as far apart as memory that an "
      "instruction accesses in both. A mnemonic: what such instructions write and what is computed "
      "from it; clock (rdtsc, rdtscp, rdpmc), random (rdrand, rdseed) and syscall (syscall, "
      "sysenter, int) are several mnemonics. May be repeated",
      diff::ignored::expected());
  add_values(
      app, "--relocate", "A=B[+SIZE]", [&o](const std::string& s) { return o.moved.add(s); },
      "SIZE bytes at A in the first trace are at B in the second (default: all up to the next B): "
      "addresses there are equal if they are equally far after A and B; may be repeated",
      "A=B or A=B+SIZE" + std::string(address_hint));
  add_value(
      app, "--from", "ADDRESS|SYMBOL",
      [&o](const std::string& s) {
        o.how.from = number_of(s);
        if (!o.how.from) o.from_symbol = s;
        return o.how.from || (!s.empty() && (s[0] < '0' || s[0] > '9'));
      },
      "Begin where each trace executes this address or function of the first trace, thread by "
      "thread; the first trace's map or --symbols lists the functions",
      "an address" + std::string(address_hint) + ", or a function's name");
  std::uint64_t window = o.how.window, context = o.how.context, retries = o.how.retries;
  add_count(app, "--window", window,
            "Search this many instructions of each trace for where they meet again (default 65536)",
            o.how.run, std::uint64_t{1} << 28);
  add_count(app, "--retry", retries,
            "Skip up to this many windows in a row and search after them (default 1000)");
  add_count(app, "--context", context,
            "Show this many instructions before a divergence (default 3)");
  add_most(app, "-m,--most", o.most,
           "Print at most this many differences and divergences; 0 means none (default 10)");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  app.add_flag("--json", o.as_json, "Print only the summary, as one JSON object");
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
