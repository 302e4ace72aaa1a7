// The sections on the events of a RapidBin trace: operations, and where and on what they are.
#pragma once
#include <tracecodec/rapidbin/metadata.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "sections.hpp"

namespace report {

inline void add_operation_mix(document& page, const measures& m, const time_axis& t) {
  page.begin_section("mix", "Operations");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < event_kinds; ++i)
    names.emplace_back(name(static_cast<rapidbin::operation>(i)));
  add_mix(page.html, m, t, names);
  page.end_section();
}

// `names` is the metadata, or nullptr.
inline void add_busiest_locations(std::string& s, const measures& m,
                                  const rapidbin::metadata* names, std::size_t shown) {
  s += "<h3>Locations</h3>\n";
  {
    std::vector<std::string_view> heads{"#location", "#events", "%share"};
    if (names != nullptr) heads.push_back("function: instruction");
    table rows(s, heads);
    for (const auto* e : m.events->locations.top(shown)) {
      std::vector<std::string> line{std::to_string(e->key), grouped(e->count),
                                    share_of(e->count, m.instructions())};
      if (names != nullptr) {
        const auto* at = names->locations.find(e->key);
        line.push_back(at == nullptr
                           ? ""
                           : std::to_string(at->function) + ": " + std::to_string(at->instruction));
      }
      rows.row(line);
    }
  }
  add_error(s, m.events->locations.error());
}
inline void add_busiest_variables(std::string& s, const measures& m,
                                  const rapidbin::metadata* names, std::size_t shown) {
  s += "<h3>Variables</h3>\n";
  {
    std::vector<std::string_view> heads{"#variable", "#accesses", "#reads", "#writes"};
    if (names != nullptr) heads.push_back("address, bytes");
    table rows(s, heads);
    for (const auto* e : m.events->variables.top(shown)) {
      std::vector<std::string> line{std::to_string(e->key), grouped(e->count),
                                    grouped(e->data.reads), grouped(e->data.writes)};
      if (names != nullptr) {
        const auto* at = names->memory.find(e->key);
        line.push_back(
            at == nullptr ? "" : code(hex(at->address)) + ", " + std::to_string(at->access_width));
      }
      rows.row(line);
    }
  }
  add_error(s, m.events->variables.error());
}
inline void add_busiest_locks(std::string& s, const measures& m, std::size_t shown) {
  s += "<h3>Locks</h3>\n";
  {
    table rows(s, {"#lock", "#events", "#acquired", "#released", "#requested"});
    for (const auto* e : m.events->locks.top(shown))
      rows.row({std::to_string(e->key), grouped(e->count), grouped(e->data.acquired),
                grouped(e->data.released), grouped(e->data.requested)});
  }
  add_error(s, m.events->locks.error());
}

// Only what the trace has.
inline void add_places(document& page, const measures& m, const rapidbin::metadata* names) {
  constexpr std::size_t shown = 15;
  std::string& s = page.html;
  page.begin_section("places", "Busiest places");
  {
    side_by_side beside(s);
    beside.add([&] { add_busiest_locations(s, m, names, shown); });
    if (m.events->all_variables.count() != 0)
      beside.add([&] { add_busiest_variables(s, m, names, shown); });
    if (m.events->all_locks.count() != 0) beside.add([&] { add_busiest_locks(s, m, shown); });
  }
  page.end_section();
}

}  // namespace report
