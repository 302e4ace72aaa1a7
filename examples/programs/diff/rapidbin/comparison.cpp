#include "comparison.hpp"

#include <tracecodec/format/file_beside.hpp>
#include <tracecodec/rapidbin/descriptor.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

#include <string>
#include <utility>

#include "../../common/program.hpp"
#include "../../common/text.hpp"
#include "../input.hpp"

namespace diff::rapidbin {

namespace {

using tracecodec::rapidbin::metadata_file;

void say(const std::string& message) { examples::note("trace_diff", message); }

bool has_events(const input& i) { return i.format().family == tracecodec::rapidbin::family; }

// Returns true if the program reads metadata for a trace of events. The metadata come from the file
// that --metadata specifies, or from the file next to the trace.
bool has_metadata(const input& i) {
  if (const auto* const file = i.options().own.get<metadata_file>()) return !file->path.empty();
  const std::string beside = tracecodec::rapidbin::metadata_path(i.path());
  return i.path() != "-" && beside != i.path() &&
         tracecodec::format::is_file_beside(beside, "the metadata of a RapidBin trace");
}

// Ignores the metadata if only one of two traces has metadata. Metadata provide the addresses of
// one trace, but the addresses of the other trace are derived from numbers, so all addresses would
// differ.
void compare_by_numbers(input& a, input& b) {
  if (!has_events(a) || !has_events(b)) return;
  const bool first = has_metadata(a), second = has_metadata(b);
  if (first == second) return;
  say(std::string(first ? "the second trace" : "the first trace") +
      " has no metadata: that of the other is ignored, as with --no-metadata, and threads, locks, "
      "variables and locations are compared by number");
  for (input* const i : {&a, &b}) i->options().own.set(metadata_file{});
}

void keep_one_thread(examples::reading& as) {
  auto wanted = as.own.value_or(tracecodec::rapidbin::selection());
  if (wanted.everything()) return;
  wanted.threads = {}, wanted.names.threads = {};
  as.own.set(std::move(wanted));
}

// Adds the text of an event, such as "acquire", "request 0x200", "fork 3" or "undefined 11".
void add_event(std::string& s, const analysis::diff_step& i) {
  namespace rapidbin = tracecodec::rapidbin;
  const auto what = static_cast<rapidbin::operation>(i.operation);
  s += name(what);
  if (!defined(what)) examples::add_number(s += ' ', i.operation);
  if (what == rapidbin::operation::request)
    examples::add_hex(s += ' ', i.operand);
  else if (operand_of(what) == rapidbin::operand::thread)
    examples::add_number(s += ' ', i.operand);
}

// Prints a note if no locations match. Locations are not addresses, and the traces may number them
// differently.
void hint_of_locations(const input& a, const input& b, const analysis::diff_summary& found) {
  if (found.aligned != 0 || found.divergences == 0) return;
  if (has_events(a) && has_events(b)) {
    say("the traces have no location in common. If they number locations, variables and locks "
        "differently, trace_convert --renumber numbers both by first appearance");
    return;
  }
  const input& events = has_events(a) ? a : b;
  say("the addresses of " + std::string(events.format().name) + " events come from " +
      (has_metadata(events) ? "its metadata: --no-metadata uses only numbers"
                            : "numbers only, as it has no metadata (--metadata FILE)") +
      "; both traces need addresses of the same kind");
}

constexpr format_comparison parts_of(const tracecodec::format::facts& f) {
  return {.format = &f,
          .prepare = compare_by_numbers,
          .keep_one_thread = keep_one_thread,
          .add_event = add_event,
          .hint = hint_of_locations};
}

}  // namespace

constexpr format_comparison comparison = parts_of(tracecodec::rapidbin::descriptor::facts);
constexpr format_comparison std_comparison = parts_of(tracecodec::rapidbin::std_descriptor::facts);

}  // namespace diff::rapidbin
