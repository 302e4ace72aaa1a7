#pragma once
#include "../open.hpp"

#include <string>
#include <utility>
#include <vector>

#include "../reader.hpp"
#include "../reader/renumber.hpp"

namespace tracecodec::rapidbin {

namespace detail {
// Makes ids of the names that the metadata has.
TRACECODEC_FUNC void find_ids(selection& wanted, const id_names& known) {
  wanted.for_each_kind([&](id_kind kind, id_set& ids, std::vector<std::string>& names) {
    std::erase_if(names, [&](const std::string& name) {
      const auto id = known.of(kind).find_trace_id(name);
      if (id) ids.insert(*id);
      return id.has_value();
    });
  });
}
TRACECODEC_FUNC void refuse_names(selection& wanted, const std::string& file) {
  wanted.for_each_kind([&](id_kind kind, id_set&, const std::vector<std::string>& names) {
    if (!names.empty())
      throw trace_error(trace_errc::refused, {.file = file},
                        "has no " + std::string(name(kind)) + " of the name '" + names[0] + "'");
  });
}
}  // namespace detail

TRACECODEC_LAZY_FUNC io::owned<event_source> open_events(io::input in, open_options options) {
  io::owned<event_source> events;
  if (options.names != nullptr) detail::find_ids(options.wanted, options.names->names);
  if (!options.text) detail::refuse_names(options.wanted, in.name());
  if (options.text)
    events = io::make_owned<std_reader>(std::move(in),
                                        std_options{.fitting = options.fitting && !options.renumber,
                                                    .strict = options.strict,
                                                    .remark = std::move(options.remark)});
  else
    events = io::make_owned<reader>(std::move(in), reader_options{.lenient = options.lenient});
  if (!options.wanted.everything())
    events = io::make_owned<selected_events>(std::move(events), std::move(options.wanted));
  if (options.well_formed) {
    options.well_formed->text = options.text;
    events = io::make_owned<well_formed_events>(std::move(events), *std::move(options.well_formed));
  }
  if (options.renumber) events = io::make_owned<renumbered_events>(std::move(events));
  return events;
}

}  // namespace tracecodec::rapidbin
