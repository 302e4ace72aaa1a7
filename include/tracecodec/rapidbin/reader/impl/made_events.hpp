// For sources that make their events: std_reader, selected_events, renumbered_events.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

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
