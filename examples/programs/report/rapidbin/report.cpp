#include "report.hpp"

#include <tracecodec/rapidbin/descriptor.hpp>

#include "measures.hpp"
#include "sections.hpp"

namespace report {

namespace {

class own_events final : public own_measures {
 public:
  [[nodiscard]] feed::column_set columns() const override {
    using feed::column;
    return {column::operation, column::decor, column::location};
  }
  void add(const feed::columns& batch, std::span<own_row> rows) override {
    const auto operation = batch.operation();
    const auto decor = batch.decor();
    const auto location = batch.location();
    for (std::size_t row = 0; row != rows.size(); ++row)
      rows[row] = {
          events_.add(static_cast<rapidbin::operation>(operation[row]), decor[row], location[row]),
          location[row]};
  }

  [[nodiscard]] std::string_view records() const override { return "events"; }
  [[nodiscard]] std::vector<figure> figures(const measured& m) const override {
    return {{"Events", grouped(m.instructions()), {}},
            {"Locations", different(m.ips), {}},
            {"Variables", different(events_.all_variables), "read or written"},
            {"Locks", different(events_.all_locks), {}}};
  }
  void add_sections(document& page, const measured& m, const time_axis& t,
                    const view::shown_trace& trace) const override {
    add_operation_mix(page, m, t);
    add_places(page, m, events_, {view::metadata_of(*trace.rows), *trace.rows, trace.places});
  }
  void add_page_heat(std::string& s, const measured& m, const time_axis& t) const override {
    report::add_page_heat(
        s, "Locations (rows) over time", m.code, t, std::string(t.what),
        [](std::uint64_t first) { return std::to_string(first); },
        [](std::uint64_t first, std::uint64_t last) {
          return "locations " + std::to_string(first) + " to " + std::to_string(last);
        });
  }
  [[nodiscard]] std::string_view page() const override { return "a location"; }
  [[nodiscard]] std::string_view memory_note() const override {
    return " Acquiring and releasing read and write a lock; addresses that are not in the trace's "
           "metadata are made up by tracecodec.";
  }

 private:
  event_measures events_ = {};
};

std::unique_ptr<own_measures> measure() { return std::make_unique<own_events>(); }

}  // namespace

constexpr format_report rapidbin_report{.format = &rapidbin::descriptor::facts, .measure = measure};
constexpr format_report std_report{.format = &rapidbin::std_descriptor::facts, .measure = measure};

}  // namespace report
