#pragma once
#include "../open.hpp"

#include <utility>

#include "../reader.hpp"
#include "../reader/renumber.hpp"
#include "../reader/std_reader.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_LAZY_FUNC io::owned<event_source> open_events(io::input in, open_options options) {
  io::owned<event_source> events;
  if (options.text)
    events = io::make_owned<std_reader>(std::move(in), std_options{.renumber = options.renumber});
  else
    events = io::make_owned<reader>(std::move(in), reader_options{.lenient = options.lenient});
  if (!options.wanted.everything())
    events = io::make_owned<selected_events>(std::move(events), std::move(options.wanted));
  if (options.well_formed)
    events = io::make_owned<well_formed_events>(std::move(events), *std::move(options.well_formed));
  // Text too, which was numbered while it was read: of a part of it the ids have gaps.
  if (options.renumber) events = io::make_owned<renumbered_events>(std::move(events));
  return events;
}

}  // namespace tracecodec::rapidbin
