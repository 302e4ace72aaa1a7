#pragma once
#include "../renumber.hpp"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "../numbers.hpp"
#include "../std_text.hpp"
#include "made_events.hpp"
#include "with_ids.hpp"

namespace tracecodec::rapidbin {

struct renumbering::state {
  // Numbering of the ids of one kind. `order` contains the old ids in the order of their new ids.
  struct ids {
    std::uint64_t operator()(std::uint64_t old) {
      const std::uint64_t n = numbers(old);
      if (n == order.size()) order.push_back(old);
      return n;
    }
    numbering<std::uint64_t> numbers = {};
    std::vector<std::uint64_t> order = {};
  };
  ids& operator[](id_kind k) { return kinds[static_cast<std::size_t>(k)]; }
  const ids& operator[](id_kind k) const { return kinds[static_cast<std::size_t>(k)]; }

  std::array<ids, id_kind_count> kinds = {};
};

TRACECODEC_FUNC renumbering::renumbering() : state_(std::make_unique<state>()) {}
TRACECODEC_FUNC renumbering::renumbering(renumbering&&) noexcept = default;
TRACECODEC_FUNC renumbering& renumbering::operator=(renumbering&&) noexcept = default;
TRACECODEC_FUNC renumbering::~renumbering() = default;

TRACECODEC_FUNC event renumbering::operator()(event e) {
  state& s = *state_;
  e.thread = static_cast<std::uint32_t>(s[id_kind::thread](e.thread));
  if (const operand kind = operand_of(e.operation); kind != operand::none)
    e.decor = s[kind_of(kind)](e.decor);
  e.location = static_cast<std::uint32_t>(s[id_kind::location](e.location));
  return e;
}

TRACECODEC_FUNC std::optional<std::uint64_t> renumbering::new_id(id_kind kind,
                                                                 std::uint64_t old) const {
  return (*state_)[kind].numbers.find(old);
}
TRACECODEC_FUNC std::optional<std::uint64_t> renumbering::old_id(id_kind kind,
                                                                 std::uint64_t id) const {
  const auto& order = (*state_)[kind].order;
  return id < order.size() ? std::optional(order[static_cast<std::size_t>(id)]) : std::nullopt;
}

TRACECODEC_FUNC metadata renumbering::operator()(const metadata& old) const {
  const auto ids = [this](id_kind kind) {
    return [this, kind](std::uint64_t id) { return new_id(kind, id); };
  };
  metadata now = detail::with_ids(old, ids(id_kind::thread), ids(id_kind::variable),
                                  ids(id_kind::lock), ids(id_kind::location));
  now.names = names_if(now.names, [](id_kind kind, const std::string& name, std::uint64_t) {
    return !std_number(kind, name);
  });
  return now;
}

struct renumbered_events::buffer : detail::event_buffer {};

TRACECODEC_FUNC renumbered_events::renumbered_events(std::unique_ptr<event_source> from)
    : from_(std::move(from)), batch_(std::make_unique<buffer>()) {}
TRACECODEC_FUNC renumbered_events::~renumbered_events() = default;

TRACECODEC_FUNC event_batch renumbered_events::next() {
  const event_batch b = from_->next();
  batch_->clear();
  for (const event e : b.events) batch_->push(numbers_(e));
  return {batch_->events(), b.first, b.indexes, b.last};
}
TRACECODEC_FUNC std::uint64_t renumbered_events::skip(std::uint64_t n) { return from_->skip(n); }
TRACECODEC_FUNC void renumbered_events::rewind() {
  from_->rewind();
  numbers_ = {};
}
TRACECODEC_FUNC std::uint64_t renumbered_events::count() { return from_->count(); }
TRACECODEC_FUNC std::optional<double> renumbered_events::progress() const {
  return from_->progress();
}
TRACECODEC_FUNC std::optional<trace_error> renumbered_events::first_error() {
  return from_->first_error();
}
TRACECODEC_FUNC const std::string& renumbered_events::name() const { return from_->name(); }
TRACECODEC_FUNC std::uint64_t renumbered_events::named() const { return from_->named(); }
TRACECODEC_FUNC const std::string* renumbered_events::name_of(id_kind kind,
                                                              std::uint64_t id) const {
  const auto old = numbers_.old_id(kind, id);
  const std::string* const name = old ? from_->name_of(kind, *old) : nullptr;
  return name != nullptr && !std_number(kind, *name) ? name : nullptr;
}
TRACECODEC_FUNC std::optional<std::uint64_t> renumbered_events::id_of(id_kind kind,
                                                                      std::string_view name) const {
  const auto old = from_->id_of(kind, name);
  return old ? numbers_.new_id(kind, *old) : std::nullopt;
}

}  // namespace tracecodec::rapidbin
