// Helpers for event sources that generate or change events: std_reader, selected_events,
// renumbered_events and well_formed_events.
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
#include <vector>

#include "../../../config.hpp"
#include "../events.hpp"

namespace tracecodec::rapidbin {

namespace detail {
// Buffer for a batch of events. The buffer stores events as encoded words, which take 32 KiB. If an
// event does not fit in a word, the buffer stores all events in decoded form instead.
class event_buffer {
 public:
  void clear() noexcept {
    size_ = 0;
    wide_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Adds an event. The buffer must contain fewer than event_source::batch_size events.
  void push(const event& e) {
    if (!wide_.empty() || !fits_word(e)) [[unlikely]]
      widen(e);
    else
      event_codec::store(e, words_.data() + size_ * event_codec::size);
    ++size_;
  }
  [[nodiscard]] event_list events() const noexcept {
    if (!wide_.empty()) return event_list(std::span<const event>(wide_));
    return event_array(words_.data(), size_);
  }

 private:
  // Adds `e` to the decoded events. The first call also decodes all events in the buffer.
  [[gnu::noinline]] void widen(const event& e) {
    wide_.reserve(event_source::batch_size);
    if (wide_.empty())
      for (const event before : event_array(words_.data(), size_)) wide_.push_back(before);
    wide_.push_back(e);
  }

  std::array<std::byte, event_source::batch_size* event_codec::size> words_ = {};
  std::vector<event> wide_ = {};
  std::size_t size_ = 0;
};

// State of an event source that fetches batches with a function `fetch`. If skip() stops inside a
// batch, the state stores the rest of the batch.
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
        failure_ = std::current_exception();  // the next call to next() throws the exception
      }
      if (b.size() == 0) break;
      const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, b.size()));
      rest_ = b.part(step, b.size() - step);
      done += step;
    }
    position_ += done;
    return done;
  }
  // Returns the number of events that were returned or skipped.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

 private:
  event_batch rest_ = {};
  std::uint64_t position_ = 0;
  std::exception_ptr failure_ = {};
};

// Returns the total number of events in `from`. `position` must be the current position of `from`,
// which is restored afterwards.
inline std::uint64_t count_all(event_source& from, std::uint64_t position) {
  from.rewind();
  const std::uint64_t n = from.skip(std::numeric_limits<std::uint64_t>::max());
  from.rewind();
  from.skip(position);
  return n;
}
}  // namespace detail

}  // namespace tracecodec::rapidbin
