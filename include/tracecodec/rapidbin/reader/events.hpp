// Where events come from: a RapidBin file, its text, or a part of either.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../io/error.hpp"
#include "../layout.hpp"

namespace tracecodec::rapidbin {

// Events that follow each other, valid until their source is asked for more.
struct event_batch {
  event_array events = {};
  std::uint64_t first = 0;                 // index in the trace of the first one
  const std::uint64_t* indexes = nullptr;  // of each, where some were left out between them
  bool last = false;                       // whether it is known that none follows

  [[nodiscard]] std::size_t size() const noexcept { return events.size(); }
  [[nodiscard]] std::uint64_t index(std::size_t i) const noexcept {
    return indexes != nullptr ? indexes[i] : first + i;
  }
  // Events [from, from + n), which must exist.
  [[nodiscard]] event_batch part(std::size_t from, std::size_t n) const noexcept {
    return {events.subview(from, n), first + from, indexes != nullptr ? indexes + from : nullptr,
            last && from + n == size()};
  }
};

// One virtual call for a batch, none for an event.
class event_source {
 public:
  static constexpr std::size_t batch_size = 4096;  // events, at most

  event_source() = default;
  event_source(const event_source&) = delete;
  event_source& operator=(const event_source&) = delete;
  virtual ~event_source() = default;

  // The next events; none at the end. Throws trace_error when everything whole is delivered.
  virtual event_batch next() = 0;
  // Moves `n` events on, or to the end or an error; returns how many.
  virtual std::uint64_t skip(std::uint64_t n) = 0;
  // Back to the first. Throws trace_error(refused) for standard input and pipes.
  virtual void rewind() = 0;
  // How many whole events there are. May read everything; throws trace_error(refused) for pipes.
  virtual std::uint64_t count() = 0;
  // How much was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] virtual std::optional<double> progress() const = 0;
  // At the end: what a lenient reader did not throw.
  [[nodiscard]] virtual std::optional<trace_error> complaint() { return std::nullopt; }
  // As errors name it.
  [[nodiscard]] virtual const std::string& name() const = 0;
};

}  // namespace tracecodec::rapidbin
