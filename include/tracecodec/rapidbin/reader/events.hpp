// Interface for sources of events, such as a RapidBin file, STD text, or a part of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../io/error.hpp"
#include "../layout.hpp"

namespace tracecodec::rapidbin {

// List of consecutive events. The list is usually a view of encoded 64-bit words. In STD text, an
// event may have numbers that do not fit in a word. In this case, the list is a view of decoded
// events.
class event_list {
 public:
  using value_type = event;

  constexpr event_list() = default;
  constexpr event_list(const event_array& words) noexcept : words_(words) {}
  constexpr explicit event_list(std::span<const event> wide) noexcept
      : words_(nullptr, wide.size()), wide_(wide.data()) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return words_.empty(); }
  // Returns event `i`. `i` must be less than size().
  TRACECODEC_INLINE constexpr event operator[](std::size_t i) const noexcept {
    if (wide_ != nullptr) [[unlikely]]
      return wide_[i];
    return words_[i];
  }
  // Returns `n` events, starting with event `from`. The list must contain these events.
  [[nodiscard]] constexpr event_list part(std::size_t from, std::size_t n) const noexcept {
    if (wide_ != nullptr) return event_list(std::span(wide_ + from, n));
    return words_.subview(from, n);
  }
  // Returns the encoded words. May be called only if all numbers fit in words, which is always the
  // case for a RapidBin file.
  [[nodiscard]] constexpr const event_array& words() const noexcept { return words_; }

  class iterator {
   public:
    using value_type = event;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    constexpr iterator(const event_list& all, std::size_t at) noexcept : all_(&all), at_(at) {}
    constexpr event operator*() const noexcept { return (*all_)[at_]; }
    constexpr iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++at_;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.at_ == b.at_;
    }

   private:
    const event_list* all_ = nullptr;
    std::size_t at_ = 0;
  };
  // Returns an iterator. The iterator refers to this list object, and is invalid after the list is
  // destroyed.
  [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {*this, size()}; }

 private:
  event_array words_ = {};       // encoded events; if wide_ is set, only the size is valid
  const event* wide_ = nullptr;  // decoded events; null if all events fit in words
};

// Batch of events in trace order. The batch is valid until the next call to the event source.
struct event_batch {
  event_list events = {};
  std::uint64_t first = 0;  // index of the first event in the trace
  // Indexes of the events in the trace, or null if the events are consecutive, starting at `first`.
  const std::uint64_t* indexes = nullptr;
  bool last = false;  // true if no event is known to follow

  [[nodiscard]] std::size_t size() const noexcept { return events.size(); }
  [[nodiscard]] std::uint64_t index(std::size_t i) const noexcept {
    return indexes != nullptr ? indexes[i] : first + i;
  }
  // Returns `n` events, starting with event `from`. The batch must contain these events.
  [[nodiscard]] event_batch part(std::size_t from, std::size_t n) const noexcept {
    return {events.part(from, n), first + from, indexes != nullptr ? indexes + from : nullptr,
            last && from + n == size()};
  }
};

// Abstract source of events. Reading takes one virtual call per batch, not per event.
class event_source {
 public:
  static constexpr std::size_t batch_size = 4096;  // maximum number of events in a batch

  event_source() = default;
  event_source(const event_source&) = delete;
  event_source& operator=(const event_source&) = delete;
  virtual ~event_source() = default;

  // Returns the next events, or an empty batch at the end. If the trace has an error, first returns
  // all whole events before the error, and then throws trace_error.
  virtual event_batch next() = 0;
  // Skips `n` events, or fewer if the trace ends or an error occurs. Returns the number of skipped
  // events.
  virtual std::uint64_t skip(std::uint64_t n) = 0;
  // Moves back to the first event. Throws trace_error(refused) for standard input and pipes.
  virtual void rewind() = 0;
  // Returns the number of whole events in the trace. May read the entire input. Throws
  // trace_error(refused) for pipes.
  virtual std::uint64_t count() = 0;
  // Returns the fraction of the input that has been read, from 0 to 1. Returns nullopt for pipes.
  [[nodiscard]] virtual std::optional<double> progress() const = 0;
  // Returns the error that a lenient reader did not throw, or nullopt if no error was found. May
  // only be called at the end of the trace.
  [[nodiscard]] virtual std::optional<trace_error> first_error() { return std::nullopt; }
  // Returns the name of the source for error messages.
  [[nodiscard]] virtual const std::string& name() const = 0;

  // Functions for the names of ids in STD text. The functions use only the text that has been read
  // so far. An id that is written as a number has no name. Sources other than STD text have no
  // names.
  // - named() returns the number of ids with names.
  // - name_of() returns the name of an id, or null if the id has no name.
  // - id_of() returns the id of a name, or nullopt if the name has not occurred.
  [[nodiscard]] virtual std::uint64_t named() const { return 0; }
  [[nodiscard]] virtual const std::string* name_of(id_kind, std::uint64_t /*id*/) const {
    return nullptr;
  }
  [[nodiscard]] virtual std::optional<std::uint64_t> id_of(id_kind,
                                                           std::string_view /*name*/) const {
    return std::nullopt;
  }
};

}  // namespace tracecodec::rapidbin
