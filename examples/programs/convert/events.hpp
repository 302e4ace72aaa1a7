// The events of a RapidBin trace or its text, as every conversion of one reads them.
#pragma once
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/reader/renumber.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

namespace rapidbin = tracecodec::rapidbin;

inline rapidbin::open_options how_to_open(const options& o, const format& from) {
  rapidbin::open_options how{.text = from.name == "std",
                             .lenient = o.as.repair,
                             .renumber = o.renumber,
                             .strict = o.as.own.has<rapidbin::strict_text>(),
                             .wanted = rapidbin::wanted_events(o.as)};
  how.remark = [](rapidbin::std_remark, const std::string& message) { say(message); };
  return how;
}

// The names of ids: those of the text, then those that metadata has for the ids before renumbering.
// `from` must stay, and `known`, which may be null.
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

// True if events may be left out.
inline bool is_part(const options& o) {
  return o.part.skip != 0 || o.part.limit || o.as.thread || examples::chooses_events(o.as);
}

// Limit of for_each_events() that leaves out no event.
inline constexpr auto all_events = static_cast<std::uint64_t>(-1);

// Calls take(batch) for at most `left` events. Returns what ended the trace early.
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

// What a lenient reader mended, if it has seen the end.
inline void say_mended(rapidbin::event_source& events, const options& o) {
  if (o.part.limit) return;
  if (const auto mended = events.complaint(); mended && o.as.repair)
    say("mended: " + mended->message());
}

}  // namespace convert
