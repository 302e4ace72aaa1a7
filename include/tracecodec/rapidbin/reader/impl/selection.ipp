#pragma once
#include "../selection.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "made_events.hpp"

namespace tracecodec::rapidbin {

struct selected_events::state {
  state(std::unique_ptr<event_source> source, selection which)
      : from(std::move(source)), wanted(which), chosen(std::move(which)), indexes(batch_size) {
    find_named();
  }

  // Returns the next batch with at least one selected event, or an empty batch at the end.
  event_batch fetch() {
    for (;;) {
      batch.clear();
      const event_batch all = from->next();
      if (from->named() != known) find_named();
      for (std::size_t i = 0; i < all.size(); ++i) {
        const event e = all.events[i];
        if (!wanted.wants(e)) continue;
        indexes[batch.size()] = all.index(i);
        batch.push(e);
      }
      if (batch.size() != 0 || all.size() == 0)
        return {batch.events(), 0, indexes.data(), all.last};
    }
  }

  // Adds the ids of the names that have occurred in the STD text so far to `wanted`.
  void find_named() {
    known = from->named();
    selection now = chosen;
    now.for_each_kind([this](id_kind kind, id_set& ids, const std::vector<std::string>& names) {
      for (const std::string& name : names)
        if (const auto id = from->id_of(kind, name)) ids.insert(*id);
    });
    wanted = std::move(now);
  }

  std::unique_ptr<event_source> from;
  // `chosen` is the selection that the caller passed. `wanted` also contains the ids of all
  // selected names that have occurred so far.
  selection wanted, chosen;
  std::uint64_t known = 0;  // result of from->named() at the last call to find_named()
  detail::event_buffer batch = {};
  std::vector<std::uint64_t> indexes;
  detail::fetched_events delivered = {};
};

TRACECODEC_FUNC selected_events::selected_events(std::unique_ptr<event_source> from,
                                                 selection wanted)
    : state_(std::make_unique<state>(std::move(from), std::move(wanted))) {}
TRACECODEC_FUNC selected_events::~selected_events() = default;

TRACECODEC_FUNC event_batch selected_events::next() {
  return state_->delivered.next([this] { return state_->fetch(); });
}
TRACECODEC_FUNC std::uint64_t selected_events::skip(std::uint64_t n) {
  return state_->delivered.skip(n, [this] { return state_->fetch(); });
}
TRACECODEC_FUNC void selected_events::rewind() {
  state_->from->rewind();
  state_->delivered = {};
}
TRACECODEC_FUNC std::uint64_t selected_events::count() {
  return detail::count_all(*this, state_->delivered.position());
}
TRACECODEC_FUNC std::optional<double> selected_events::progress() const {
  return state_->from->progress();
}
TRACECODEC_FUNC std::optional<trace_error> selected_events::first_error() {
  return state_->from->first_error();
}
TRACECODEC_FUNC const std::string& selected_events::name() const { return state_->from->name(); }
TRACECODEC_FUNC std::uint64_t selected_events::named() const { return state_->from->named(); }
TRACECODEC_FUNC const std::string* selected_events::name_of(id_kind kind, std::uint64_t id) const {
  return state_->from->name_of(kind, id);
}
TRACECODEC_FUNC std::optional<std::uint64_t> selected_events::id_of(id_kind kind,
                                                                    std::string_view name) const {
  return state_->from->id_of(kind, name);
}

}  // namespace tracecodec::rapidbin
