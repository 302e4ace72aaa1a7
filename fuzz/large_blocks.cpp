// Memory for large blocks, in fuzzing programs only. The address sanitizer maps each block of
// 256 KiB or more anew, and the readers' buffers of 1 MiB then cost more than all they do. Here
// they are used again, poisoned while they are free and behind their ends, so that it still sees
// misuse.
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {
constexpr std::size_t small = std::size_t{128} << 10, large = std::size_t{2} << 20;
constexpr std::size_t slot_size = large + 4096;  // with room behind the end
constexpr std::size_t slot_count = 16;

struct pool {
  std::byte* begin = nullptr;
  std::array<bool, slot_count> used = {};
};
pool& blocks() {
  static pool p = [] {
    void* const at = ::mmap(nullptr, slot_count * slot_size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) std::abort();
    __asan_poison_memory_region(at, slot_count * slot_size);
    __lsan_register_root_region(at, slot_count * slot_size);
    return pool{static_cast<std::byte*>(at)};
  }();
  return p;
}

// One thread at a time: liblzma's have their own malloc().
void* take(std::size_t size) {
  if (size >= small && size <= large) {
    pool& p = blocks();
    for (std::size_t i = 0; i < slot_count; ++i) {
      if (p.used[i]) continue;
      p.used[i] = true;
      std::byte* const at = p.begin + i * slot_size;
      __asan_unpoison_memory_region(at, size);
      return at;
    }
  }
  void* const at = std::malloc(size == 0 ? 1 : size);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}

void give_back(void* at) noexcept {
  pool& p = blocks();
  const auto place = reinterpret_cast<std::uintptr_t>(at);
  const auto begin = reinterpret_cast<std::uintptr_t>(p.begin);
  if (place < begin || place >= begin + slot_count * slot_size) return std::free(at);
  __asan_poison_memory_region(at, slot_size);
  p.used[(place - begin) / slot_size] = false;
}
}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* at) noexcept { give_back(at); }
void operator delete[](void* at) noexcept { give_back(at); }
void operator delete(void* at, std::size_t) noexcept { give_back(at); }
void operator delete[](void* at, std::size_t) noexcept { give_back(at); }

// Other forms of new are the sanitizer's own, and so are the blocks that they give.
extern "C" const char* __asan_default_options() {
  return "alloc_dealloc_mismatch=0:quarantine_size_mb=16";
}
