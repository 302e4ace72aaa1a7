#include <tracecodec/rapidbin/feed.hpp>

#include "rapidbin_rows.hpp"
#include "rows_of.hpp"

namespace view {

namespace {
class event_rows final : public rows_of<rapidbin::trace_feed> {
 public:
  using rows_of::rows_of;
  [[nodiscard]] const rapidbin::metadata* metadata() const override {
    const auto& names = feed().names();
    return names ? &*names : nullptr;
  }
};
}  // namespace

made_rows rapidbin_shown(const tracecodec::feed::column_source& from) {
  const auto* const columns = columns_of<rapidbin::trace_feed>(from);
  return columns != nullptr ? std::make_unique<event_rows>(*columns) : nullptr;
}

}  // namespace view
