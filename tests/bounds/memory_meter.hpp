// Measures the memory that operator new allocates while a function runs, in a program with
// memory_meter.cpp.
#pragma once
#include <cstddef>
#include <cstdint>

namespace test {

// Memory of the whole program, which must have only one thread while it is measured.
struct meter {
  std::size_t live = 0;  // bytes
  std::size_t peak = 0;
  std::uint64_t count = 0;
};
inline meter memory_meter;

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Returns the peak of allocated bytes while f() ran, minus the bytes allocated before.
template <class F> std::size_t peak_of(F&& f) {
  const std::size_t before = memory_meter.live;
  memory_meter.peak = before;
  f();
  return memory_meter.peak - before;
}

}  // namespace test
