// Lock that is held for a few instructions only. It spins while it is taken, so a signal
// handler may take it.
#pragma once
#include <atomic>

namespace tracecodec::io::detail {

class spin_lock {
 public:
  void lock() noexcept {
    while (taken_.test_and_set(std::memory_order_acquire)) continue;
  }
  void unlock() noexcept { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_ = {};
};

// Holds a spin_lock during its lifetime.
class spin_guard {
 public:
  explicit spin_guard(spin_lock& lock) noexcept : lock_(lock) { lock_.lock(); }
  spin_guard(const spin_guard&) = delete;
  spin_guard& operator=(const spin_guard&) = delete;
  ~spin_guard() { lock_.unlock(); }

 private:
  spin_lock& lock_;
};

}  // namespace tracecodec::io::detail
