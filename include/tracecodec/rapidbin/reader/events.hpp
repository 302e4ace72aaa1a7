// Where events come from: a RapidBin file, its text, or a part of either.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
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

namespace detail {
// What sources that make their events have in common: they fill a batch of 32 KiB.
class event_buffer {
 public:
  void clear() noexcept { used_ = 0; }
  [[nodiscard]] bool full() const noexcept { return used_ == bytes_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return used_ / event_codec::size; }
  // `e` must fit its fields.
  void push(const event& e) noexcept {
    event_codec::store(e, bytes_.data() + used_);
    used_ += event_codec::size;
  }
  void push(std::span<const std::byte, event_codec::size> encoded) noexcept {
    std::memcpy(bytes_.data() + used_, encoded.data(), event_codec::size);
    used_ += event_codec::size;
  }
  [[nodiscard]] event_array events() const noexcept { return {bytes_.data(), size()}; }

 private:
  std::array<std::byte, event_source::batch_size* event_codec::size> bytes_ = {};
  std::size_t used_ = 0;
};

// Counts what is left of `from`, which is then where it was before.
inline std::uint64_t count_all(event_source& from, std::uint64_t position) {
  from.rewind();
  const std::uint64_t n = from.skip(std::numeric_limits<std::uint64_t>::max());
  from.rewind();
  from.skip(position);
  return n;
}
}  // namespace detail

}  // namespace tracecodec::rapidbin
