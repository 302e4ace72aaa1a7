// A program of somebody who uses the library: counts a trace's instructions and their classes.
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <tracecodec.hpp>

int main(int argc, char** argv) {
  namespace feed = tracecodec::feed;
  if (argc != 2) return 2;
  try {
    std::uint64_t n = 0;
    std::array<std::uint64_t, feed::branch_class_count> mix = {};
    feed::visit(argv[1], [&](auto trace) {
      for (const auto& i : trace) {
        ++n;
        ++mix[static_cast<std::size_t>(i.branch())];
      }
    });
    std::printf("instructions %ju\n", static_cast<std::uintmax_t>(n));
    for (std::size_t c = 0; c < mix.size(); ++c) {
      const auto name = feed::name(static_cast<feed::branch_class>(c));
      std::printf("%.*s %ju\n", static_cast<int>(name.size()), name.data(),
                  static_cast<std::uintmax_t>(mix[c]));
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
