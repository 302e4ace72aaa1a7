// Counts what operator new gives while a function runs. Included by one file of a program.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace test {

// Of the whole program, which has one thread while it is measured.
struct meter {
  std::size_t live = 0;  // bytes
  std::size_t peak = 0;
  std::uint64_t count = 0;
};
inline meter memory_meter;

// The most bytes that lived at once while f() ran, beyond those before.
template <class F> std::size_t peak_of(F&& f) {
  const std::size_t before = memory_meter.live;
  memory_meter.peak = before;
  f();
  return memory_meter.peak - before;
}

namespace detail {
inline constexpr std::size_t front = alignof(std::max_align_t);  // holds the size

inline void* try_to_allocate(std::size_t n) noexcept {
  // What cannot be had anyhow is not tried: it would only be counted.
  void* const p = n > SIZE_MAX / 16 ? nullptr : std::malloc(n + front);
  if (p == nullptr) return nullptr;
  std::memcpy(p, &n, sizeof n);
  memory_meter.live += n;
  memory_meter.peak = std::max(memory_meter.peak, memory_meter.live);
  ++memory_meter.count;
  return static_cast<std::byte*>(p) + front;
}
inline void* allocate(std::size_t n) {
  void* const p = try_to_allocate(n);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
inline void release(void* p) noexcept {
  if (p == nullptr) return;
  void* const all = static_cast<std::byte*>(p) - front;
  std::size_t n = 0;
  std::memcpy(&n, all, sizeof n);
  memory_meter.live -= n;
  std::free(all);
}
}  // namespace detail

}  // namespace test

// The aligned forms are left alone: nothing here is over-aligned.
void* operator new(std::size_t n) { return test::detail::allocate(n); }
void* operator new[](std::size_t n) { return test::detail::allocate(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return test::detail::try_to_allocate(n);
}
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return test::detail::try_to_allocate(n);
}
void operator delete(void* p) noexcept { test::detail::release(p); }
void operator delete[](void* p) noexcept { test::detail::release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { test::detail::release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { test::detail::release(p); }
void operator delete(void* p, std::size_t) noexcept { test::detail::release(p); }
void operator delete[](void* p, std::size_t) noexcept { test::detail::release(p); }
