// Checks that the cost of reading something grows linearly with its size, not quadratically.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <unordered_set>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "memory_meter.hpp"

namespace test {

// Makes the allocator keep freed memory in the process. Otherwise each page of a large block would
// cost kernel time in every run. Returns false if the allocator does not support it.
inline bool keeps_memory() {
#ifdef __GLIBC__
  return mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1;
#else
  return false;
#endif
}

// Returns the processor time of f() in seconds.
template <class F> double time_of(F&& f) {
  [[maybe_unused]] static const bool kept = keeps_memory();
  const std::clock_t start = std::clock();
  f();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Callback that ignores the findings of a check.
inline constexpr auto no_report = [](const auto&) {};

struct growth_limits {
  double bytes = 20;                            // memory per byte of input
  std::size_t constant = std::size_t{8} << 20;  // constant memory in addition
};

// Tolerance in seconds. Windows' clock() does not return processor time, so other programs affect
// the measurement.
#ifdef _WIN32
inline constexpr double unmeasured = 0.5;
#else
inline constexpr double unmeasured = 0.02;
#endif

// Checks that the time and memory of run(input) grow linearly. make(n) makes an input of `n`
// parts.
// - Compares the time for n / 2 parts with that for 16 times as many.
// - The larger input may take six times as long as linear growth predicts. Input that exceeds a
// shared cache takes three times as long or more. Quadratic growth would take 16 times as long.
// - Uses the shortest times of three rounds, or of up to twelve while they are too long. Load from
// other programs is temporary, but quadratic growth is permanent.
template <class Make, class Run> void grows_with_size(const char* what, std::size_t n, Make&& make,
                                                      Run&& run, growth_limits limits = {}) {
  const std::string name = what;
  CAPTURE(name);
  const auto small = make(n / 2);
  const auto large = make(n / 2 * 16);
  double one = 1e9, sixteen = 1e9;
  const auto grows = [&] { return sixteen < 6 * 16 * one + unmeasured; };
  for (int round = 0; round < 3 || (round < 12 && !grows()); ++round) {
    one = std::min(one, time_of([&] { run(small); }));
    sixteen = std::min(sixteen, time_of([&] { run(large); }));
  }
  const std::size_t peak = peak_of([&] { run(large); });
  MESSAGE(name << ": " << sixteen * 1000 << " ms, " << sixteen / std::max(one, 1e-6) << " times of "
               << one * 1000 << "; " << large.size() << " bytes take " << peak);
  CHECK(grows());
  CHECK(static_cast<double>(peak) <
        static_cast<double>(limits.constant) + limits.bytes * static_cast<double>(large.size()));
}

// Returns ids that a std::unordered_set of `n` elements keeps in one bucket, because it
// reduces hashes modulo its number of buckets. They are below 2^32 for `n` = 40,000.
inline std::vector<std::uint32_t> colliding_ids(std::size_t n) {
  std::unordered_set<std::uint32_t> some;
  std::vector<std::uint32_t> ids(n);
  for (std::uint32_t i = 0; i < n; ++i) some.insert(i);
  for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::uint32_t>(i * some.bucket_count());
  return ids;
}

}  // namespace test
