#include <tracecodec/rapidbin/feed.hpp>

#include "rapidbin_rows.hpp"
#include "rows_of.hpp"

namespace view {

namespace {
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
  [[nodiscard]] const rapidbin::metadata* metadata() const override {
    const auto& names = from_.feed().names();
    return names ? &*names : nullptr;
  }
  [[nodiscard]] std::string id_name(rapidbin::id_kind kind, std::uint64_t id) const override {
    const std::string* const name = from_.feed().name_of(kind, id);
    return name != nullptr ? *name : std::string();
  }

 private:
  const made_columns<rapidbin::trace_feed>& from_;
};
}  // namespace

made_rows rapidbin_shown(const tracecodec::feed::column_source& from) {
  const auto* const columns = columns_of<rapidbin::trace_feed>(from);
  return columns != nullptr ? std::make_unique<event_rows>(*columns) : nullptr;
}

}  // namespace view
