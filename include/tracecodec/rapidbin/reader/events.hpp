// Where events come from: a RapidBin file, its text, or a part of either.
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

// Events that follow each other: words where they lie, or, as only text has them, events with
// numbers that no word holds.
class event_list {
 public:
  using value_type = event;

  constexpr event_list() = default;
  constexpr event_list(const event_array& words) noexcept : words_(words) {}
  constexpr explicit event_list(std::span<const event> wide) noexcept
      : words_(nullptr, wide.size()), wide_(wide.data()) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return words_.empty(); }
  // Event `i`, which must be below size().
  TRACECODEC_INLINE constexpr event operator[](std::size_t i) const noexcept {
    if (wide_ != nullptr) [[unlikely]]
      return wide_[i];
    return words_[i];
  }
  // Events [from, from + n), which must exist.
  [[nodiscard]] constexpr event_list part(std::size_t from, std::size_t n) const noexcept {
    if (wide_ != nullptr) return event_list(std::span(wide_ + from, n));
    return words_.subview(from, n);
  }
  // The words of a batch whose numbers all fit: always those of a RapidBin file.
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
  // Valid as long as this list, not only its events.
  [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {*this, size()}; }

 private:
  event_array words_ = {};       // of wide events only their number
  const event* wide_ = nullptr;  // null where all fit
};

// Events that follow each other, valid until their source is asked for more.
struct event_batch {
  event_list events = {};
  std::uint64_t first = 0;                 // index in the trace of the first one
  const std::uint64_t* indexes = nullptr;  // of each, where some were left out between them
  bool last = false;                       // whether it is known that none follows

  [[nodiscard]] std::size_t size() const noexcept { return events.size(); }
  [[nodiscard]] std::uint64_t index(std::size_t i) const noexcept {
    return indexes != nullptr ? indexes[i] : first + i;
  }
  // Events [from, from + n), which must exist.
  [[nodiscard]] event_batch part(std::size_t from, std::size_t n) const noexcept {
    return {events.part(from, n), first + from, indexes != nullptr ? indexes + from : nullptr,
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

  // Names that the text of the trace gives to ids, as far as it was read; a number needs none. How
  // many there are, the name of an id, or null, and the id of a name. Only sources of text have any.
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
