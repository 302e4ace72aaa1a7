// Dense ids: threads, locks, variables and locations numbered anew by first appearance, from 0 for
// each kind and within an event in Wasmgrind's order: thread, decor, location.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../metadata.hpp"
#include "events.hpp"
#include "numbers.hpp"

namespace tracecodec::rapidbin {

class renumbering {
 public:
  // `e` with its new ids, which fit: there are no more of them than there were.
  event operator()(event e) {
    e.thread = static_cast<std::uint16_t>(threads_(e.thread));
    switch (operand_of(e.operation)) {
      case operand::lock:
        e.decor = locks_(e.decor);
        break;
      case operand::variable:
        e.decor = variables_(e.decor);
        break;
      case operand::thread:
        e.decor = threads_(e.decor);
        break;
      case operand::none:
        break;
    }
    e.location = static_cast<std::uint16_t>(locations_(e.location));
    return e;
  }

  // Metadata of the old ids as that of the new ones, of those that appeared. A variable stays
  // shared if more than one of its threads appeared.
  [[nodiscard]] metadata operator()(const metadata& old) const {
    const auto ids = [](const numbering<std::uint64_t>& numbers) {
      return [&numbers](std::uint64_t id) { return numbers.find(id); };
    };
    return with_ids(old, ids(threads_), ids(variables_), ids(locks_), ids(locations_));
  }

 private:
  numbering<std::uint64_t> threads_ = {}, locks_ = {}, variables_ = {}, locations_ = {};
};

// The events of another source, renumbered.
class renumbered_events final : public event_source {
 public:
  explicit renumbered_events(std::unique_ptr<event_source> from) : from_(std::move(from)) {}

  event_batch next() override {
    const event_batch b = from_->next();
    batch_.clear();
    for (const event e : b.events) batch_.push(numbers_(e));
    return {batch_.events(), b.first, b.indexes, b.last};
  }
  // What is passed over gets no ids.
  std::uint64_t skip(std::uint64_t n) override { return from_->skip(n); }
  void rewind() override {
    from_->rewind();
    numbers_ = {};
  }
  std::uint64_t count() override { return from_->count(); }
  [[nodiscard]] std::optional<double> progress() const override { return from_->progress(); }
  [[nodiscard]] std::optional<trace_error> complaint() override { return from_->complaint(); }
  [[nodiscard]] const std::string& name() const override { return from_->name(); }

  [[nodiscard]] const renumbering& numbers() const { return numbers_; }

 private:
  std::unique_ptr<event_source> from_;
  renumbering numbers_ = {};
  detail::event_buffer batch_ = {};
};

}  // namespace tracecodec::rapidbin
