// Whether the cost of reading something grows with its size, and not with the square of it.
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

// Memory that was freed stays with the process, if its allocator can. Otherwise large blocks, and only
// those, cost the kernel's time for each of their pages in every run.
inline bool keeps_memory() {
#ifdef __GLIBC__
  return mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1;
#else
  return false;
#endif
}

// The processor time of f(), in seconds.
template <class F> double time_of(F&& f) {
  [[maybe_unused]] static const bool kept = keeps_memory();
  const std::clock_t start = std::clock();
  f();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// What a check finds does not matter.
inline constexpr auto no_report = [](const auto&) {};

struct growth_limits {
  double bytes = 20;                            // of memory for each byte of input
  std::size_t constant = std::size_t{8} << 20;  // and so many more
};

// Seconds that may be more: Windows' clock() is no processor's time, so that whatever else runs
// there counts too.
#ifdef _WIN32
inline constexpr double unmeasured = 0.5;
#else
inline constexpr double unmeasured = 0.02;
#endif

// make(n) makes an input of n parts, which is read by run(input): of n / 2, and of sixteen times as many.
// That may take six times as long as it should, since what outgrows a cache, which others use as well, takes
// three times as long, and more; a square takes sixteen times as long as it should. The least times of three
// rounds count, and of up to twelve while they are too long: another program's load passes, a square stays.
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

// Ids that std::unordered_set of `n` elements keeps in one list, as it divides by its size; below
// 2^32 for an `n` of 40,000.
inline std::vector<std::uint32_t> colliding_ids(std::size_t n) {
  std::unordered_set<std::uint32_t> some;
  std::vector<std::uint32_t> ids(n);
  for (std::uint32_t i = 0; i < n; ++i) some.insert(i);
  for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::uint32_t>(i * some.bucket_count());
  return ids;
}

}  // namespace test
