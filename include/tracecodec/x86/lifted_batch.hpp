// Batch of executed instructions that are adjacent in memory (feed::batch).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "lifted.hpp"

namespace tracecodec::x86 {

// Consecutive instructions of type `Lifted`. Each is accessed as View(lifted, target, beside,
// front). `beside` is the format's additional data for the instruction at `front`, from which a
// view finds its own.
template <class View, class Lifted, class Beside> class lifted_batch {
 public:
  using value_type = View;
  constexpr lifted_batch() = default;
  // Creates a batch. `one_thread`: only one thread of the trace is known so far.
  constexpr lifted_batch(std::span<const Lifted> all, Beside beside, bool ends,
                         bool one_thread) noexcept
      : all_(all), front_(all.data()), beside_(beside), ends_(ends), one_thread_(one_thread) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return all_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    const Lifted* const l = all_.data() + i;
    const bool redirected = l == redirected_ && l->taken;
    return View(l, redirected ? following_ip_ : l->target, beside_, front_);
  }
  [[nodiscard]] constexpr lifted_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    lifted_batch b = *this;
    b.all_ = all_.first(n);
    b.redirected_ = nullptr;
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] constexpr lifted_batch drop(std::size_t n) const noexcept {
    lifted_batch b = *this;
    b.all_ = all_.subspan(n);
    return b;
  }
  [[nodiscard]] constexpr bool ends() const noexcept { return ends_; }
  constexpr void end_here() noexcept { ends_ = true; }
  // Returns false if there are several threads: the next ip may not belong to the last
  // instruction's.
  [[nodiscard]] constexpr bool can_be_followed() const noexcept { return one_thread_; }
  constexpr void follow_with(std::uint64_t ip) noexcept {
    if (!one_thread_ || all_.empty()) return;
    redirected_ = &all_.back();
    following_ip_ = ip;
  }

 private:
  std::span<const Lifted> all_ = {};
  const Lifted* front_ = nullptr;
  Beside beside_ = {};
  const Lifted* redirected_ = nullptr;
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
  bool one_thread_ = true;
};

}  // namespace tracecodec::x86
