#pragma once
#include "../well_formed.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "../check/soundness.hpp"
#include "../reader/impl/made_events.hpp"

namespace tracecodec::rapidbin {

struct well_formed_events::state {
  state(std::unique_ptr<event_source> source, well_formed_part of)
      : from(std::move(source)), part(std::move(of)), indexes(batch_size) {}

  void reset() {
    from->rewind();
    passed = 0;
    begun = false;
    now = {};
    delivered = {};
  }

  // Returns the next nonempty batch, or an empty batch at the end.
  event_batch fetch() {
    if (!begun) begin();
    batch.clear();
    add_held();
    if (batch.size() != 0) return {batch.events(), 0, indexes.data(), false};
    for (;;) {
      event_batch all = rest.size() != 0 ? std::exchange(rest, {}) : next_within();
      for (std::size_t i = 0; i < all.size(); ++i) add(all.events[i], all.index(i));
      if (batch.size() != 0 || all.size() == 0)
        return {batch.events(), 0, indexes.data(), all.last || left == 0};
    }
  }

  std::unique_ptr<event_source> from;
  well_formed_part part;
  detail::fetched_events delivered = {};

 private:
  // Moves to the beginning of the part, and finds the locks that are held there.
  void begin() {
    while (passed != part.skip) {
      const event_batch b = from->next();
      if (b.size() == 0) break;
      const auto n =
          static_cast<std::size_t>(std::min<std::uint64_t>(part.skip - passed, b.size()));
      for (std::size_t i = 0; i < n; ++i)
        before.add(b.events[i], b.index(i), [](rule, const std::string&) { return false; });
      passed += n;
      rest = b.part(n, b.size() - n);
    }
    left = part.limit.value_or(std::numeric_limits<std::uint64_t>::max());
    held.clear();
    rest = within(rest);
    // Add acquires for the held locks only if the part is not empty.
    if (rest.size() == 0) rest = next_within();
    if (rest.size() != 0) before.finish([this](const held_lock& l) { held.push_back(l); });
    before = {};
    held_at = 0;
    begun = true;
  }

  event_batch within(const event_batch& b) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, b.size()));
    left -= n;
    return b.part(0, n);
  }
  event_batch next_within() { return left == 0 ? event_batch{} : within(from->next()); }

  void add_held() {
    for (; held_at != held.size(); ++held_at)
      for (held_lock& l = held[held_at]; l.depth != 0; --l.depth) {
        if (batch.size() == batch_size) return;
        const event e{false, l.location, l.lock, operation::acquire, l.thread};
        if (part.changed) part.changed({e, l.index, std::nullopt});
        add(e, l.index);
      }
  }

  void add(const event& e, std::uint64_t index) {
    std::optional<rule> broken;
    const auto refuse = [&broken](rule r, const std::string&) {
      if (check_rules[static_cast<std::size_t>(r)].severity != severity::error) return false;
      broken = r;
      return true;
    };
    if (!defined(e.operation))
      broken = rule::undefined_operation;
    else if (!part.text && operand_of(e.operation) == operand::thread && e.decor > largest_thread)
      broken = rule::child_thread;
    else
      now.add(e, index, refuse);
    if (broken) {
      if (part.changed) part.changed({e, index, broken});
      return;
    }
    indexes[batch.size()] = index;
    batch.push(e);
  }

  detail::event_buffer batch = {};
  std::vector<std::uint64_t> indexes;
  soundness before = {}, now = {};  // states of threads and locks before the part and within it
  std::vector<held_lock> held = {};
  std::size_t held_at = 0;
  event_batch rest = {};
  std::uint64_t passed = 0, left = 0;
  bool begun = false;
};

TRACECODEC_FUNC well_formed_events::well_formed_events(std::unique_ptr<event_source> from,
                                                       well_formed_part part)
    : state_(std::make_unique<state>(std::move(from), std::move(part))) {}
TRACECODEC_FUNC well_formed_events::~well_formed_events() = default;

TRACECODEC_FUNC event_batch well_formed_events::next() {
  return state_->delivered.next([this] { return state_->fetch(); });
}
TRACECODEC_FUNC std::uint64_t well_formed_events::skip(std::uint64_t n) {
  return state_->delivered.skip(n, [this] { return state_->fetch(); });
}
TRACECODEC_FUNC void well_formed_events::rewind() { state_->reset(); }
TRACECODEC_FUNC std::uint64_t well_formed_events::count() {
  return detail::count_all(*this, state_->delivered.position());
}
TRACECODEC_FUNC std::optional<double> well_formed_events::progress() const {
  return state_->from->progress();
}
TRACECODEC_FUNC std::optional<trace_error> well_formed_events::first_error() {
  return state_->from->first_error();
}
TRACECODEC_FUNC const std::string& well_formed_events::name() const { return state_->from->name(); }
TRACECODEC_FUNC std::uint64_t well_formed_events::named() const { return state_->from->named(); }
TRACECODEC_FUNC const std::string* well_formed_events::name_of(id_kind kind,
                                                               std::uint64_t id) const {
  return state_->from->name_of(kind, id);
}
TRACECODEC_FUNC std::optional<std::uint64_t> well_formed_events::id_of(
    id_kind kind, std::string_view name) const {
  return state_->from->id_of(kind, name);
}

}  // namespace tracecodec::rapidbin
