// Minimal simulator: counts a ChampSim trace's instructions.
#include <cstdio>
#include <exception>
#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/version.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    unsigned long instructions = 0, returns = 0;
    for (const auto& i : tracecodec::champsim::trace_feed<>(argv[1])) {
      ++instructions;
      returns += i.branch() == tracecodec::feed::branch_class::return_;
    }
    std::printf("%lu instructions, %lu returns, by %s\n", instructions, returns,
                TRACECODEC_VERSION);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
