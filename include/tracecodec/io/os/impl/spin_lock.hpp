// Lock that a thread holds for only a few instructions. lock() spins until the lock is free, so a
// signal handler may call lock().
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

// Guard that holds a spin_lock during its lifetime.
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
