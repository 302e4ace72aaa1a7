// For sources that make their events: std_reader, selected_events, renumbered_events, well_formed_events.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <utility>

#include "../../../config.hpp"
#include "../events.hpp"

namespace tracecodec::rapidbin {

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

// The batches that a source makes by fetch(), delivered whole or in parts.
class fetched_events {
 public:
  template <class Fetch> event_batch next(Fetch fetch) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    const event_batch b = rest_.size() != 0 ? std::exchange(rest_, {}) : fetch();
    position_ += b.size();
    return b;
  }
  template <class Fetch> std::uint64_t skip(std::uint64_t n, Fetch fetch) {
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
  // How many were delivered or passed over.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

 private:
  event_batch rest_ = {};
  std::uint64_t position_ = 0;
  std::exception_ptr failure_ = {};
};

// Counts what is left of `from`, which is then where it was before.
TRACECODEC_FUNC std::uint64_t count_all(event_source& from, std::uint64_t position) {
  from.rewind();
  const std::uint64_t n = from.skip(std::numeric_limits<std::uint64_t>::max());
  from.rewind();
  from.skip(position);
  return n;
}
}  // namespace detail

}  // namespace tracecodec::rapidbin
