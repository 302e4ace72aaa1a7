// Reads events from a RapidBin trace or STD text, for all conversions of these formats.
#pragma once
#include <tracecodec/rapidbin/descriptor.hpp>
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/output_options.hpp>
#include <tracecodec/rapidbin/reader/renumber.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "../../common/progress.hpp"
#include "../conversion.hpp"

namespace convert {

namespace rapidbin = tracecodec::rapidbin;

inline bool is_text(const format& f) { return &f == &rapidbin::std_descriptor::facts; }
inline bool renumbers(const options& o) { return o.output.has<rapidbin::as_renumbered>(); }
inline bool mends(const options& o) { return o.output.has<rapidbin::as_well_formed>(); }

inline rapidbin::open_options how_to_open(const options& o, const format& from) {
  rapidbin::open_options how{.text = is_text(from),
                             .lenient = o.as.repair,
                             .renumber = renumbers(o),
                             .strict = o.as.own.has<rapidbin::strict_text>(),
                             .wanted = rapidbin::wanted_events(o.as)};
  how.remark = [](rapidbin::std_remark, const std::string& message) { say(message); };
  return how;
}

// Returns a function that looks up the name of an id, first in the text and then in the metadata
// `known`. The metadata contain the ids before renumbering, and may be null. `from` and `known`
// must outlive the result.
inline rapidbin::std_names names_of(const rapidbin::event_source& from,
                                    const rapidbin::id_names* known) {
  const auto* const anew = dynamic_cast<const rapidbin::renumbered_events*>(&from);
  return [&from, anew, known](rapidbin::id_kind kind, std::uint64_t id) -> const std::string* {
    if (const std::string* const name = from.name_of(kind, id)) return name;
    if (known == nullptr) return nullptr;
    if (anew == nullptr) return known->of(kind).find(id);
    const auto old = anew->numbers().old_id(kind, id);
    const std::string* const name = old ? known->of(kind).find(*old) : nullptr;
    return name != nullptr && !std_number(kind, *name) ? name : nullptr;
  };
}

// Returns true if the options may exclude events from the output.
inline bool is_part(const options& o) {
  return o.part.skip != 0 || o.part.limit || o.as.thread || examples::has_choices(o.as);
}

// Value for the limit of for_each_events() that includes all events.
inline constexpr auto all_events = static_cast<std::uint64_t>(-1);

// Calls take(batch) for up to `left` events. Returns the error that ended the trace early, or null.
template <class Take>
std::exception_ptr for_each_events(rapidbin::event_source& from, std::uint64_t left, Take take) {
  examples::progress_line progress(from.name());
  while (left != 0) {
    rapidbin::event_batch b;
    try {
      b = from.next();
    } catch (const tracecodec::io::interruption&) {
      throw;
    } catch (...) {
      return std::current_exception();
    }
    if (b.size() == 0) return nullptr;
    stop_if_interrupted();
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, b.size()));
    take(b.part(0, n));
    left -= n;
    progress.at(from.progress());
  }
  return nullptr;
}

// Prints the defects that a lenient reader has repaired. Does nothing with --limit, because in that
// case the reader has not reached the end of the trace.
inline void say_mended(rapidbin::event_source& events, const options& o) {
  if (o.part.limit) return;
  if (const auto mended = events.first_error(); mended && o.as.repair)
    say("mended: " + mended->message());
}

}  // namespace convert
