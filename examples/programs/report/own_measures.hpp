// Interface for a format's own counts and sections. In a report, they replace the counts and
// sections for instructions.
#pragma once
#include <tracecodec/feed/column_source.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace view {
struct shown_trace;
}

namespace report {

struct measured;
struct document;
struct figure;
struct time_axis;

// Properties of a record in a batch.
struct own_row {
  // Kind of the record. It must be less than most_kinds.
  std::size_t kind = 0;
  // Page of the record, which selects the row in the heat map of add_page_heat().
  std::uint64_t page = 0;
};

class own_measures {
 public:
  own_measures() = default;
  own_measures(const own_measures&) = delete;
  own_measures& operator=(const own_measures&) = delete;
  virtual ~own_measures() = default;

  // Returns the columns that add() needs.
  [[nodiscard]] virtual tracecodec::feed::column_set columns() const = 0;
  // Adds a batch, and stores the properties of each record in `rows`.
  virtual void add(const tracecodec::feed::columns& batch, std::span<own_row> rows) = 0;

  // Returns the noun for the records in the plural, such as "events".
  [[nodiscard]] virtual std::string_view records() const = 0;
  // Returns the figures at the beginning of the summary.
  [[nodiscard]] virtual std::vector<figure> figures(const measured& m) const = 0;
  // Adds the sections between the summary and the section on memory. `trace` is the trace to which
  // the counts belong.
  virtual void add_sections(document& page, const measured& m, const time_axis& t,
                            const view::shown_trace& trace) const = 0;
  // Adds a heat map. The member own_row::page of a record selects the record's row in the map.
  virtual void add_page_heat(std::string& s, const measured& m, const time_axis& t) const = 0;
  // Returns the noun for a row of the heat map, with an article, such as "a location".
  [[nodiscard]] virtual std::string_view page() const = 0;
  // Returns a sentence about memory accesses that begins with a space. Returns an empty view if no
  // such sentence is needed.
  [[nodiscard]] virtual std::string_view memory_note() const { return {}; }
};

}  // namespace report
