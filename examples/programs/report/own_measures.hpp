// Interface for a format's own counts and sections. They replace the counts and sections for
// instructions in a report.
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

// Properties of one record in a batch.
struct own_row {
  // Kind of the record, less than most_kinds.
  std::size_t kind = 0;
  // Row in the heat map of add_page_heat().
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

  // Returns the plural noun for the records, such as "events".
  [[nodiscard]] virtual std::string_view records() const = 0;
  // Returns the figures with which the summary begins.
  [[nodiscard]] virtual std::vector<figure> figures(const measured& m) const = 0;
  // Adds the sections between the summary and the section on memory. `trace` is the trace that was
  // measured.
  virtual void add_sections(document& page, const measured& m, const time_axis& t,
                            const view::shown_trace& trace) const = 0;
  // Adds a heat map of the records by own_row::page.
  virtual void add_page_heat(std::string& s, const measured& m, const time_axis& t) const = 0;
  // Returns the noun for a row of the heat map of add_page_heat(), with its article, such as "a
  // location".
  [[nodiscard]] virtual std::string_view page() const = 0;
  // Returns a sentence about memory accesses with a leading space, or an empty view if there is
  // nothing to say.
  [[nodiscard]] virtual std::string_view memory_note() const { return {}; }
};

}  // namespace report
