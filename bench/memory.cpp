// Writes a large trace, or reads one and prints its peak of resident memory: memory.py runs it once
// for each file, so that one run's memory does not count for the next.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "front_end.hpp"
#include "peak.hpp"
#include "trace.hpp"

int main(int argc, char** argv) {
  const std::string_view what = argc == 4 ? argv[1] : "";
  if (what == "write") {  // N PATH
    bench::write_trace(argv[3], std::strtoul(argv[2], nullptr, 10), 1000, {.level = 1});
    return 0;
  }
  if (what != "read") {
    std::fprintf(stderr, "memory write|read N PATH\n");
    return 2;
  }
  bench::champsim::trace_feed<> feed{std::string(argv[3])};
  std::uint64_t n = 0;
  bench::front_end f;
  tracecodec::feed::for_each(feed, [&](const auto& i) {
    f(i);
    ++n;
  });
  std::printf("%ld\n", bench::peak_memory());
  return n == std::strtoul(argv[2], nullptr, 10) ? 0 : 1;
}
