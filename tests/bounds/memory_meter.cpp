// Replaces operator new with one that counts.
#include "memory_meter.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t front = alignof(std::max_align_t);  // stores the size

void* try_to_allocate(std::size_t n) noexcept {
  // Requests that cannot succeed are not attempted and not counted.
  void* const p = n > SIZE_MAX / 4 ? nullptr : std::malloc(n + front);
  if (p == nullptr) return nullptr;
  std::memcpy(p, &n, sizeof n);
  test::memory_meter.live += n;
  test::memory_meter.peak = std::max(test::memory_meter.peak, test::memory_meter.live);
  ++test::memory_meter.count;
  return static_cast<std::byte*>(p) + front;
}
void* allocate(std::size_t n) {
  void* const p = try_to_allocate(n);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void release(void* p) noexcept {
  if (p == nullptr) return;
  void* const all = static_cast<std::byte*>(p) - front;
  std::size_t n = 0;
  std::memcpy(&n, all, sizeof n);
  test::memory_meter.live -= n;
  std::free(all);
}

}  // namespace

// The aligned forms are not replaced, because these tests allocate no over-aligned types.
void* operator new(std::size_t n) { return allocate(n); }
void* operator new[](std::size_t n) { return allocate(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return try_to_allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return try_to_allocate(n); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
