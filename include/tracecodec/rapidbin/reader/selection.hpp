// A part of a trace's events: those of some threads, variables, locks or locations.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "events.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

// Which events are wanted: those of one of the threads, at one of the locations, on one of the
// variables or locks. A kind of which no id is given leaves out nothing; if variables or locks are
// given, events on neither are left out.
struct selection {
  id_set threads = {}, variables = {}, locks = {}, locations = {};

  [[nodiscard]] bool everything() const {
    return threads.size() + variables.size() + locks.size() + locations.size() == 0;
  }
  [[nodiscard]] bool wants(const event& e) const {
    if (threads.size() != 0 && !threads.contains(e.thread)) return false;
    if (locations.size() != 0 && !locations.contains(e.location)) return false;
    if (variables.size() + locks.size() == 0) return true;
    const operand kind = operand_of(e.operation);
    return (kind == operand::variable && variables.contains(e.decor)) ||
           (kind == operand::lock && locks.contains(e.decor));
  }
};

// The wanted events of another source, with their indexes in it.
class selected_events final : public event_source {
 public:
  selected_events(std::unique_ptr<event_source> from, selection wanted)
      : from_(std::move(from)), wanted_(std::move(wanted)), indexes_(batch_size) {}

  event_batch next() override {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    const event_batch b = rest_.size() != 0 ? std::exchange(rest_, {}) : fetch();
    position_ += b.size();
    return b;
  }

  std::uint64_t skip(std::uint64_t n) override {
    std::uint64_t done = 0;
    while (done < n && !failure_) {
      event_batch b = std::exchange(rest_, {});
      try {
        if (b.size() == 0) b = fetch();
      } catch (const trace_error&) {
        failure_ = std::current_exception();  // thrown by next()
      }
      if (b.size() == 0) break;
      const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, b.size()));
      rest_ = b.part(step, b.size() - step);
      done += step;
    }
    position_ += done;
    return done;
  }

  void rewind() override {
    from_->rewind();
    failure_ = nullptr;
    rest_ = {};
    position_ = 0;
  }
  std::uint64_t count() override { return detail::count_all(*this, position_); }
  [[nodiscard]] std::optional<double> progress() const override { return from_->progress(); }
  [[nodiscard]] std::optional<trace_error> complaint() override { return from_->complaint(); }
  [[nodiscard]] const std::string& name() const override { return from_->name(); }

 private:
  // The next batch with any wanted event in it.
  event_batch fetch() {
    for (;;) {
      batch_.clear();
      const event_batch all = from_->next();
      for (std::size_t i = 0; i < all.size(); ++i) {
        const event e = all.events[i];
        if (!wanted_.wants(e)) continue;
        indexes_[batch_.size()] = all.index(i);
        batch_.push(e);
      }
      if (batch_.size() != 0 || all.size() == 0)
        return {batch_.events(), 0, indexes_.data(), all.last};
    }
  }

  std::unique_ptr<event_source> from_;
  selection wanted_;
  detail::event_buffer batch_ = {};
  std::vector<std::uint64_t> indexes_;
  event_batch rest_ = {};
  std::uint64_t position_ = 0;
  std::exception_ptr failure_ = {};
};

}  // namespace tracecodec::rapidbin
