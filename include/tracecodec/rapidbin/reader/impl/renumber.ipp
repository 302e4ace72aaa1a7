#pragma once
#include "../renumber.hpp"

#include <utility>

#include "../numbers.hpp"
#include "made_events.hpp"
#include "with_ids.hpp"

namespace tracecodec::rapidbin {

struct renumbering::state {
  numbering<std::uint64_t> threads = {}, locks = {}, variables = {}, locations = {};
};

TRACECODEC_FUNC renumbering::renumbering() : state_(io::make_owned<state>()) {}
TRACECODEC_FUNC renumbering::renumbering(renumbering&&) noexcept = default;
TRACECODEC_FUNC renumbering& renumbering::operator=(renumbering&&) noexcept = default;
TRACECODEC_FUNC renumbering::~renumbering() = default;

TRACECODEC_FUNC event renumbering::operator()(event e) {
  state& s = *state_;
  e.thread = static_cast<std::uint16_t>(s.threads(e.thread));
  switch (operand_of(e.operation)) {
    case operand::lock:
      e.decor = s.locks(e.decor);
      break;
    case operand::variable:
      e.decor = s.variables(e.decor);
      break;
    case operand::thread:
      e.decor = s.threads(e.decor);
      break;
    case operand::none:
      break;
  }
  e.location = static_cast<std::uint16_t>(s.locations(e.location));
  return e;
}

TRACECODEC_FUNC metadata renumbering::operator()(const metadata& old) const {
  const auto ids = [](const numbering<std::uint64_t>& numbers) {
    return [&numbers](std::uint64_t id) { return numbers.find(id); };
  };
  return detail::with_ids(old, ids(state_->threads), ids(state_->variables), ids(state_->locks),
                          ids(state_->locations));
}

struct renumbered_events::buffer : detail::event_buffer {};

TRACECODEC_FUNC renumbered_events::renumbered_events(io::owned<event_source> from)
    : from_(std::move(from)), batch_(io::make_owned<buffer>()) {}
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
TRACECODEC_FUNC std::optional<trace_error> renumbered_events::complaint() {
  return from_->complaint();
}
TRACECODEC_FUNC const std::string& renumbered_events::name() const { return from_->name(); }

}  // namespace tracecodec::rapidbin
