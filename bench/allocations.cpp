// Checks that a feed allocates nothing for each instruction. It must allocate as often for
// 1,000,000 instructions as for 100,000, and never after the first batch. Argument: a folder for
// the traces.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>

#include "front_end.hpp"
#include "trace.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/umtracer/feed.hpp>

#include "umtracer/trace.hpp"
#endif

namespace {
std::atomic<std::uint64_t> allocations = 0;

void* counted(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
}  // namespace

// The aligned overloads are not replaced, because this program allocates no over-aligned types.
void* operator new(std::size_t n) { return counted(n); }
void* operator new[](std::size_t n) { return counted(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace {

struct counts {
  std::uint64_t all = 0;      // including opening and closing
  std::uint64_t running = 0;  // after the first batch
  std::uint64_t instructions = 0;
};

template <class Feed> counts run(const std::string& path) {
  counts c;
  const std::uint64_t start = allocations;
  {
    Feed feed(path);
    bench::front_end f;
    std::uint64_t first = 0;
    for (const auto& i : feed) {
      if (c.instructions++ == 0) first = allocations;
      f(i);
    }
    c.running = allocations - first;
  }
  c.all = allocations - start;
  return c;
}

void print(const char* what, const counts& c) {
  std::printf("%-8s %8llu instructions: %llu allocations, %llu of them while it runs\n", what,
              static_cast<unsigned long long>(c.instructions),
              static_cast<unsigned long long>(c.all), static_cast<unsigned long long>(c.running));
}

#if defined(TRACECODEC_WITH_ZYDIS)
bool check_umtracer() {
  const auto one = [](std::uint64_t times) {
    const bench::umtracer_trace trace(times);
    const counts c = run<bench::umtracer::trace_feed>(trace.path());
    print("umtracer", c);
    return c;
  };
  const counts few = one(70), many = one(700);
  return few.instructions != 0 && many.instructions == 10 * few.instructions &&
         many.all == few.all && many.running == 0;
}
#endif

bool check(const std::string& folder, const std::string& suffix) {
  const auto one = [&](std::size_t n) {
    const std::string path = folder + "/allocations.champsimtrace" + suffix;
    bench::write_trace(path, n, 1000, {.level = 1});
    const counts c = run<bench::champsim::trace_feed<>>(path);
    std::filesystem::remove(path);
    print(suffix.empty() ? "plain" : suffix.c_str(), c);
    return c.instructions == n ? c : counts{~std::uint64_t{0}, ~std::uint64_t{0}, 0};
  };
  const counts few = one(100'000), many = one(1'000'000);
  return few.instructions != 0 && many.instructions != 0 && many.all == few.all &&
         many.running == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  bool good = check(argv[1], "");
#ifdef TRACECODEC_WITH_XZ
  good &= check(argv[1], ".xz");
#endif
#ifdef TRACECODEC_WITH_GZIP
  good &= check(argv[1], ".gz");
#endif
#ifdef TRACECODEC_WITH_ZSTD
  good &= check(argv[1], ".zst");
#endif
#ifdef TRACECODEC_WITH_ZYDIS
  good &= check_umtracer();
#endif
  return good ? 0 : 1;
}
