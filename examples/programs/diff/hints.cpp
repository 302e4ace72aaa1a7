#include "hints.hpp"

#include <cstddef>
#include <string>

#include "../common/program.hpp"

namespace diff {

namespace {

void say(const std::string& message) { examples::note("trace_diff", message); }

std::string format_of(const input& i) { return std::string(i.format().name); }

// The threads of one, where the other has none.
void hint_of_threads(const input& a, const input& b, const analysis::diff_summary& found) {
  if (found.outcome == 0 || a.has_threads() == b.has_threads()) return;
  const bool first = a.has_threads();
  const std::size_t threads = (first ? a : b).threads().size();
  if (threads < 2) return;
  say(std::string(first ? "the first trace" : "the second trace") + " has " +
      std::to_string(threads) + " threads, which records of " + format_of(first ? b : a) +
      " cannot have: where the thread changes, their branches go to the other thread. Compare one "
      "thread, with "
      "--thread here and where it was converted; or leave outcomes aside with --ignore outcome");
}

// RapidBin's locations, which are not addresses.
void hint_of_locations(const input& a, const input& b, const analysis::diff_summary& found) {
  if (found.aligned != 0 || found.divergences == 0) return;
  if (a.has_events() && b.has_events()) {
    say("no location is the same in both traces. Where they number locations, variables and locks "
        "in other ways, "
        "trace_convert --renumber gives both the numbers in which these first occur");
  } else if (a.has_events() != b.has_events()) {
    const input& events = a.has_events() ? a : b;
    say("the addresses of " + format_of(events) + " events are made of " +
        (events.has_metadata() ? "its metadata: --no-metadata makes them of numbers alone"
                               : "numbers alone, as it has no metadata (--metadata FILE)") +
        "; both traces must be made in the same way");
  }
}

// One of two traces that --record is not for.
void hint_of_records(const input& a, const input& b, const analysis::diff_summary& found) {
  if (found.aligned != 0 || !a.is_described() || !b.is_described()) return;
  say("both traces are read with the records of --record. If one has others, convert the described "
      "one with "
      "trace_convert --record, and compare what that writes");
}

}  // namespace

void compare_by_numbers(input& a, input& b) {
  if (!a.has_events() || !b.has_events() || a.has_metadata() == b.has_metadata()) return;
  say(std::string(a.has_metadata() ? "the second trace" : "the first trace") +
      " has no metadata: that of the other is left aside, as with --no-metadata, and threads, "
      "locks, variables "
      "and locations are compared by their numbers");
  a.leave_metadata_aside();
  b.leave_metadata_aside();
}

void hint(const input& a, const input& b, const analysis::diff_summary& found) {
  hint_of_threads(a, b, found);
  hint_of_locations(a, b, found);
  hint_of_records(a, b, found);
}

}  // namespace diff
