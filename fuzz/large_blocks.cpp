// Allocator for large blocks, in fuzzing programs only. The address sanitizer maps each block
// of 128 KiB or more anew, which would cost more time than decompression itself. This
// allocator reuses blocks. Free blocks and the bytes after a block's end are poisoned, so that
// the sanitizer still detects misuse.
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

// The sanitizer's own functions. malloc() and the other functions are weak aliases of these.
extern "C" {
void* __interceptor_malloc(std::size_t);
void* __interceptor_calloc(std::size_t, std::size_t);
void* __interceptor_realloc(void*, std::size_t);
void __interceptor_free(void*);
std::size_t __interceptor_malloc_usable_size(void*);
}

// The following functions run before the sanitizers are ready, and are not under test.
#pragma clang attribute push(__attribute__((no_sanitize("address", "undefined", "coverage"))), \
                             apply_to = function)
namespace {
constexpr std::size_t small = std::size_t{128} << 10, large = std::size_t{4} << 20;
constexpr std::size_t slot_size = large + 4096;  // with unused bytes after the end
constexpr std::size_t slot_count = 16;

std::byte* pool = nullptr;
std::size_t used[slot_count] = {};  // size of the block, or 0 for a free slot

[[maybe_unused]] const bool ready = [] {
  void* const at = ::mmap(nullptr, slot_count * slot_size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) std::abort();
  __asan_poison_memory_region(at, slot_count * slot_size);
  __lsan_register_root_region(at, slot_count * slot_size);
  pool = static_cast<std::byte*>(at);
  return true;
}();

// Returns a block, or nullptr if the size does not suit the pool or no slot is free.
// Thread-safe, because liblzma has threads.
void* take(std::size_t size) {
  if (size < small || size > large || pool == nullptr) return nullptr;
  for (std::size_t i = 0; i < slot_count; ++i) {
    std::size_t none = 0;
    if (!__atomic_compare_exchange_n(&used[i], &none, size, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    __asan_unpoison_memory_region(pool + i * slot_size, size);
    return pool + i * slot_size;
  }
  return nullptr;
}

// Returns the slot of a block, or slot_count if the block is not in the pool.
std::size_t slot_of(const void* at) {
  const auto place = reinterpret_cast<std::uintptr_t>(at);
  const auto begin = reinterpret_cast<std::uintptr_t>(pool);
  const bool inside = begin != 0 && place >= begin && place < begin + slot_count * slot_size;
  return inside ? (place - begin) / slot_size : slot_count;
}
bool give_back(void* at) {
  const std::size_t i = slot_of(at);
  if (i == slot_count) return false;
  if (at != pool + i * slot_size || used[i] == 0) std::abort();
  __asan_poison_memory_region(at, used[i]);
  __atomic_store_n(&used[i], 0, __ATOMIC_RELEASE);
  return true;
}

void* take_or_throw(std::size_t size) {
  void* const at = std::malloc(size);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}
}  // namespace

extern "C" {
void* malloc(std::size_t size) noexcept {
  void* const at = take(size);
  return at != nullptr ? at : __interceptor_malloc(size);
}
void free(void* at) noexcept {
  if (!give_back(at)) __interceptor_free(at);
}
void* calloc(std::size_t n, std::size_t each) noexcept {
  std::size_t size = 0;
  void* const at = __builtin_mul_overflow(n, each, &size) ? nullptr : take(size);
  return at != nullptr ? std::memset(at, 0, size) : __interceptor_calloc(n, each);
}
std::size_t malloc_usable_size(void* at) noexcept {
  const std::size_t i = slot_of(at);
  return i == slot_count ? __interceptor_malloc_usable_size(at) : used[i];
}
void* realloc(void* at, std::size_t size) noexcept {
  if (slot_of(at) == slot_count) return __interceptor_realloc(at, size);
  void* const moved = size == 0 ? nullptr : malloc(size);
  const std::size_t before = malloc_usable_size(at);
  if (moved != nullptr) std::memcpy(moved, at, size < before ? size : before);
  if (moved != nullptr || size == 0) free(at);
  return moved;
}
}

void* operator new(std::size_t size) { return take_or_throw(size); }
void* operator new[](std::size_t size) { return take_or_throw(size); }
void operator delete(void* at) noexcept { std::free(at); }
void operator delete[](void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete[](void* at, std::size_t) noexcept { std::free(at); }

#pragma clang attribute pop

// The sanitizer provides the other forms of new, and owns their blocks. Shadow memory is cleared
// instead of mapped again, because mapping would take longer.
extern "C" const char* __asan_default_options() {
  return "alloc_dealloc_mismatch=0:quarantine_size_mb=16:clear_shadow_mmap_threshold=600000";
}
