// Batch of executed instructions that are adjacent in memory (feed::batch).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../config.hpp"
#include "../wire/types/bytes.hpp"

namespace tracecodec::feed {

// Source of the values `taken` and `target` of an instruction.
enum class outcome : std::uint8_t {
  no_branch,  // the instruction is not a branch, so it is not taken
  awaited,    // the values are not yet known; feeds never return such an instruction
  followed,   // the next instruction of the same thread, or the trace itself
  estimated   // the state that the trace recorded before the branch, or none
};

// Batch of consecutive instructions of type `Executed`. operator[] returns an instruction as
// View(executed, target, beside, front). `front` points to the first instruction of the original
// batch, and `beside` refers to the format's additional data for that instruction. A view finds the
// additional data for its instruction from the distance between that instruction and `front`.
template <class View, class Executed, class Beside> class executed_batch {
 public:
  using value_type = View;
  constexpr executed_batch() = default;
  // Creates a batch. `ends` is true if the trace has no further instructions. `one_thread` is true
  // if only one thread has occurred in the trace so far.
  constexpr executed_batch(std::span<const Executed> all, Beside beside, bool ends,
                           bool one_thread) noexcept
      : all_(all), front_(all.data()), beside_(beside), ends_(ends), one_thread_(one_thread) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return all_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    const Executed* const l = all_.data() + i;
    const bool redirected = l == redirected_ && l->taken;
    return View(l, redirected ? following_ip_ : l->target, beside_, front_);
  }
  [[nodiscard]] constexpr executed_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    executed_batch b = *this;
    b.all_ = all_.first(n);
    b.redirected_ = nullptr;
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] constexpr executed_batch drop(std::size_t n) const noexcept {
    executed_batch b = *this;
    b.all_ = all_.subspan(n);
    return b;
  }
  [[nodiscard]] constexpr bool last_batch() const noexcept { return ends_; }
  constexpr void mark_last() noexcept { ends_ = true; }
  // Returns true if only one thread has occurred in the trace so far. If there are several threads,
  // the next ip in the trace may belong to another thread.
  [[nodiscard]] constexpr bool uses_next_ip() const noexcept { return one_thread_; }
  constexpr void set_next_ip(std::uint64_t ip) noexcept {
    if (!one_thread_ || all_.empty()) return;
    redirected_ = &all_.back();
    following_ip_ = ip;
  }

 private:
  std::span<const Executed> all_ = {};
  const Executed* front_ = nullptr;
  Beside beside_ = {};
  const Executed* redirected_ = nullptr;
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
  bool one_thread_ = true;
};

}  // namespace tracecodec::feed
