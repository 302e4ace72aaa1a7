// Replaces operator new. With glibc and without a sanitizer, also replaces malloc, which
// compression libraries use. Sanitizers have their own allocators. Programs for an emulator are
// linked statically, with glibc's malloc.
#include "failing_allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(_WIN32)
#include <malloc.h>
#endif

#include "sanitized.hpp"

#if defined(__SANITIZE_THREAD__)
#define TEST_REPLACES_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(address_sanitizer)
#define TEST_REPLACES_MALLOC 0
#endif
#endif
#if !defined(TEST_REPLACES_MALLOC)
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(TRACECODEC_TEST_EMULATED)
#define TEST_REPLACES_MALLOC 1
#else
#define TEST_REPLACES_MALLOC 0
#endif
#endif

namespace {

// Atomic because the library's threads allocate too.
std::atomic<std::size_t> made{0}, failing{test::allocations::none}, not_freed{0};

bool fails() noexcept { return made.fetch_add(1) == failing.load(); }

}  // namespace

namespace test::allocations {

void fail(std::size_t number) noexcept {
  made = 0;
  failing = number;
}
std::size_t stop() noexcept {
  failing = none;
  return made;
}
std::size_t live() noexcept { return not_freed; }

}  // namespace test::allocations

#if TEST_REPLACES_MALLOC
extern "C" {
void* __libc_malloc(std::size_t n);                    // NOLINT: glibc's names
void* __libc_calloc(std::size_t n, std::size_t each);  // NOLINT
void* __libc_realloc(void* p, std::size_t n);          // NOLINT

void* malloc(std::size_t n) {
  if (!fails()) return __libc_malloc(n);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(std::size_t n, std::size_t each) {
  if (!fails()) return __libc_calloc(n, each);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* p, std::size_t n) {
  if (!fails()) return __libc_realloc(p, n);
  errno = ENOMEM;
  return nullptr;
}
}
#endif

namespace {

void* try_to_allocate(std::size_t n) noexcept {
#if TEST_REPLACES_MALLOC
  void* const p = fails() ? nullptr : __libc_malloc(n == 0 ? 1 : n);
#else
  void* const p = fails() ? nullptr : std::malloc(n == 0 ? 1 : n);
#endif
  if (p != nullptr) ++not_freed;
  return p;
}
void* allocate(std::size_t n) {
  void* const p = try_to_allocate(n);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
// Windows has functions of its own for aligned blocks.
void* aligned_block(std::size_t n, std::size_t alignment) noexcept {
#if defined(_WIN32)
  return _aligned_malloc(n, alignment);
#else
  return std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment);
#endif
}
void* allocate(std::size_t n, std::align_val_t alignment) {
  void* const p = fails() ? nullptr : aligned_block(n, static_cast<std::size_t>(alignment));
  if (p == nullptr) throw std::bad_alloc();
  ++not_freed;
  return p;
}
void release(void* p) noexcept {
  if (p != nullptr) --not_freed;
  std::free(p);
}
void release_aligned(void* p) noexcept {
#if defined(_WIN32)
  if (p != nullptr) --not_freed;
  _aligned_free(p);
#else
  release(p);
#endif
}

}  // namespace

void* operator new(std::size_t n) { return allocate(n); }
void* operator new[](std::size_t n) { return allocate(n); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate(n, a); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate(n, a); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return try_to_allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return try_to_allocate(n); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release_aligned(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release_aligned(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release_aligned(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release_aligned(p); }
