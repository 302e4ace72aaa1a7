#include "view.hpp"

#include <tracecodec/rapidbin/descriptor.hpp>
#include <tracecodec/rapidbin/feed.hpp>

#include "../rows_of.hpp"
#include "../show_counts.hpp"
#include "rows.hpp"
#include "statistics.hpp"

namespace view {

namespace {

rapidbin::id_kind kind_of(id_of what) noexcept {
  switch (what) {
    case id_of::thread:
      return rapidbin::id_kind::thread;
    case id_of::lock:
      return rapidbin::id_kind::lock;
    case id_of::variable:
      return rapidbin::id_kind::variable;
    case id_of::location:
      break;
  }
  return rapidbin::id_kind::location;
}

std::string name_in(const rapidbin::trace_feed& trace, rapidbin::id_kind kind, std::uint64_t id) {
  const std::string* const name = trace.name_of(kind, id);
  return name != nullptr ? *name : std::string();
}

class event_rows final : public shown_rows {
 public:
  explicit event_rows(const made_columns<rapidbin::trace_feed>& from) : from_(from) {}

  void add(std::string& s, form f, std::uint64_t /*index*/, std::size_t row,
           const tracecodec::program_map& places) override {
    const auto i = from_.last_batch()[row];
    const event_names names(from_.feed(), places);
    if (f == form::json)
      add_json(s, i, names);
    else if (f == form::detail)
      add_detail(s, i, names);
    else
      add_compact(s, i, names);
  }
  [[nodiscard]] const rapidbin::metadata* metadata() const noexcept {
    const auto& names = from_.feed().trace_metadata();
    return names ? &*names : nullptr;
  }
  [[nodiscard]] std::string id_name(id_of what, std::uint64_t id) const override {
    return name_in(from_.feed(), kind_of(what), id);
  }
  [[nodiscard]] std::string_view lacks_for_places() const override {
    return metadata() == nullptr
               ? "metadata, which --symbols needs to find the modules of functions"
               : std::string_view();
  }

 private:
  const made_columns<rapidbin::trace_feed>& from_;
};

made_rows make_rapidbin_rows(const tracecodec::feed::column_source& from,
                             const std::string& /*path*/,
                             const tracecodec::format::open_options& /*as*/,
                             const shown_besides& /*besides*/) {
  const auto* const columns = columns_of<rapidbin::trace_feed>(from);
  return columns != nullptr ? std::make_unique<event_rows>(*columns) : nullptr;
}

void show_event_statistics(tracecodec::trace::reader& trace, const options& o) {
  const auto* const columns = columns_of<rapidbin::trace_feed>(trace.columns());
  show_counts(trace, o, event_statistics([columns](rapidbin::id_kind kind, std::uint64_t id) {
                return columns != nullptr ? name_in(columns->feed(), kind, id) : std::string();
              }));
}

}  // namespace

constexpr format_view rapidbin_view{.format = &rapidbin::descriptor::facts,
                                    .rows = make_rapidbin_rows,
                                    .show_statistics = show_event_statistics};
constexpr format_view std_view{.format = &rapidbin::std_descriptor::facts,
                               .rows = make_rapidbin_rows,
                               .show_statistics = show_event_statistics};

const rapidbin::metadata* metadata_of(const shown_rows& rows) noexcept {
  const auto* const events = dynamic_cast<const event_rows*>(&rows);
  return events != nullptr ? events->metadata() : nullptr;
}

}  // namespace view
