#include "hints.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../common/program.hpp"
#include "format_comparison.hpp"
#include "moved.hpp"

namespace diff {

namespace {

void say(const std::string& message) { examples::note("trace_diff", message); }

std::string format_of(const input& i) { return std::string(i.format().name); }

// Prints a note if branch outcomes differ and only one of the traces has threads.
void hint_of_threads(const input& a, const input& b, const analysis::diff_summary& found) {
  if (found.outcome == 0 || a.has_threads() == b.has_threads()) return;
  const bool first = a.has_threads();
  const std::size_t threads = (first ? a : b).threads().size();
  if (threads < 2) return;
  say(std::string(first ? "the first trace" : "the second trace") + " has " +
      std::to_string(threads) + " threads, which records of " + format_of(first ? b : a) +
      " cannot store: where the thread changes, their branches seem to go to the other thread. "
      "Compare one thread, with --thread here and in the conversion, or use --ignore outcome");
}

// Prints a note if no instructions are aligned, because --record may suit only one of the traces.
void hint_of_records(const input& a, const input& b, const analysis::diff_summary& found) {
  if (found.aligned != 0 || !a.is_described() || !b.is_described()) return;
  say("both traces are read with the records of --record. If only one has such records, convert it "
      "with trace_convert --record, and compare the result");
}

// Prints a note if fewer than one in a hundred instructions are aligned.
void hint_of_relocation(const input& a, const input& b, const analysis::diff_summary& found) {
  const std::uint64_t all = found.aligned + std::min(found.only_a, found.only_b);
  if (found.aligned > all / 100 || !can_find_moved(a, b)) return;
  say(std::string(found.aligned == 0 ? "no" : "almost no") +
      " instructions are at equal addresses. If the addresses were randomised, use --relocate auto "
      "to find where they moved");
}

}  // namespace

void hint(const input& a, const input& b, const analysis::diff_summary& found, bool relocated) {
  hint_of_threads(a, b, found);
  const auto *const first = comparison_of(a.format()), *const second = comparison_of(b.format());
  const auto own = first != nullptr ? first->hint : nullptr;
  const auto other = second != nullptr ? second->hint : nullptr;
  if (own != nullptr) own(a, b, found);
  if (other != nullptr && other != own) other(a, b, found);
  hint_of_records(a, b, found);
  if (!relocated) hint_of_relocation(a, b, found);
}

}  // namespace diff
