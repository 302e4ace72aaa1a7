// A lock that is held for moments only. Whoever finds it taken tries again, so a signal handler may take it.
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

// Holds it.
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
