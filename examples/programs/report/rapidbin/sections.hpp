// Report sections on the events in a RapidBin trace: operations, and the busiest locations,
// variables and locks.
#pragma once
#include <tracecodec/program/map.hpp>
#include <tracecodec/rapidbin/feed/address_map.hpp>
#include <tracecodec/rapidbin/metadata.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../view/rapidbin/view.hpp"
#include "../sections.hpp"
#include "measures.hpp"

namespace report {

inline void add_operation_mix(document& page, const measured& m, const time_axis& t) {
  page.begin_section("mix", "Operations");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < event_kinds; ++i)
    names.emplace_back(name(static_cast<rapidbin::operation>(i)));
  add_mix(page.html, m, t, names);
  page.end_section();
}

// Names of the ids in events.
struct event_words {
  const rapidbin::metadata* names;  // null if the trace has no metadata
  const view::shown_rows& rows;
  const tracecodec::program_map& functions;

  // Returns true if at least one of the ids in `top` has a name. The table then needs a column of
  // names.
  template <class Top> [[nodiscard]] bool any_named(view::id_of kind, const Top& top) const {
    return std::ranges::any_of(top,
                               [&](const auto* e) { return !rows.id_name(kind, e->key).empty(); });
  }
  [[nodiscard]] std::string named(view::id_of kind, std::uint64_t id) const {
    const std::string name = rows.id_name(kind, id);
    return name.empty() ? name : code(name);
  }
};

// Returns a location in the form "function: instruction". Examples are "288: 884" and, if the name
// of the function is known, "288 (compute): 884". Returns an empty string if the metadata do not
// contain the location.
inline std::string place_of(const event_words& w, std::uint64_t location) {
  const auto* at = w.names->locations.find(location);
  if (at == nullptr) return {};
  const auto* symbol =
      w.functions.empty() ? nullptr : w.functions.at(rapidbin::address_map::ip(*at)).symbol;
  return std::to_string(at->function) + (symbol != nullptr ? " (" + code(symbol->name) + ")" : "") +
         ": " + std::to_string(at->instruction);
}

inline void add_busiest_locations(std::string& s, const measured& m, const event_measures& events,
                                  const event_words& w, std::size_t shown) {
  s += "<h3>Locations</h3>\n";
  {
    const auto top = events.locations.top(shown);
    const bool records = w.names != nullptr && w.names->has_records();
    const bool named = w.any_named(view::id_of::location, top);
    std::vector<std::string_view> heads{"#location"};
    if (named) heads.push_back("name");
    heads.insert(heads.end(), {"#events", "%share"});
    if (records) heads.push_back("function: instruction");
    table rows(s, heads);
    for (const auto* e : top) {
      std::vector<std::string> line{std::to_string(e->key)};
      if (named) line.push_back(w.named(view::id_of::location, e->key));
      line.push_back(grouped(e->count));
      line.push_back(share_of(e->count, m.instructions()));
      if (records) line.push_back(place_of(w, e->key));
      rows.row(line);
    }
  }
  add_error(s, events.locations.error());
}
inline void add_busiest_variables(std::string& s, const event_measures& events,
                                  const event_words& w, std::size_t shown) {
  s += "<h3>Variables</h3>\n";
  {
    const auto top = events.variables.top(shown);
    const bool records = w.names != nullptr && w.names->has_records();
    const bool named = w.any_named(view::id_of::variable, top);
    std::vector<std::string_view> heads{"#variable"};
    if (named) heads.push_back("name");
    heads.insert(heads.end(), {"#accesses", "#reads", "#writes"});
    if (records) heads.push_back("address, bytes");
    table rows(s, heads);
    for (const auto* e : top) {
      std::vector<std::string> line{std::to_string(e->key)};
      if (named) line.push_back(w.named(view::id_of::variable, e->key));
      for (const std::uint64_t n : {e->count, e->data.reads, e->data.writes})
        line.push_back(grouped(n));
      if (records) {
        const auto* at = w.names->memory.find(e->key);
        line.push_back(
            at == nullptr ? "" : code(hex(at->address)) + ", " + std::to_string(at->access_width));
      }
      rows.row(line);
    }
  }
  add_error(s, events.variables.error());
}
inline void add_busiest_locks(std::string& s, const event_measures& events, const event_words& w,
                              std::size_t shown) {
  s += "<h3>Locks</h3>\n";
  {
    const auto top = events.locks.top(shown);
    const bool named = w.any_named(view::id_of::lock, top);
    std::vector<std::string_view> heads{"#lock"};
    if (named) heads.push_back("name");
    heads.insert(heads.end(), {"#events", "#acquired", "#released", "#requested"});
    table rows(s, heads);
    for (const auto* e : top) {
      std::vector<std::string> line{std::to_string(e->key)};
      if (named) line.push_back(w.named(view::id_of::lock, e->key));
      for (const std::uint64_t n :
           {e->count, e->data.acquired, e->data.released, e->data.requested})
        line.push_back(grouped(n));
      rows.row(line);
    }
  }
  add_error(s, events.locks.error());
}

// Adds tables of the busiest locations, variables and locks. Omits a table for which the trace has
// no entries.
inline void add_places(document& page, const measured& m, const event_measures& events,
                       const event_words& w) {
  constexpr std::size_t shown = 15;
  std::string& s = page.html;
  page.begin_section("places", "Busiest places");
  {
    side_by_side beside(s);
    beside.add([&] { add_busiest_locations(s, m, events, w, shown); });
    if (events.all_variables.count() != 0)
      beside.add([&] { add_busiest_variables(s, events, w, shown); });
    if (events.all_locks.count() != 0) beside.add([&] { add_busiest_locks(s, events, w, shown); });
  }
  page.end_section();
}

}  // namespace report
