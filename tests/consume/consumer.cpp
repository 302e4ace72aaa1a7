// Small simulator of a user of the library: counts a trace's instructions, their branch classes,
// and the conditional branches that a predictor misses. With --process, prints the id of the
// process that a UMTracer trace recorded.
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <tracecodec.hpp>

namespace {
// Two-bit counters, each shared by the branches with the same remainder of their address.
class predictor {
 public:
  // Predicts the branch at `ip`, updates its counter, and returns true if the prediction was
  // wrong.
  bool misses(std::uint64_t ip, bool taken) {
    int& counter = counters_[ip % counters_.size()];
    const bool wrong = (counter >= 2) != taken;
    if (taken && counter < 3) ++counter;
    if (!taken && counter > 0) --counter;
    return wrong;
  }

 private:
  std::array<int, 1024> counters_ = {};
};

// Prints the process id from trace.xml.
void print_process(const std::string& folder) {
#if defined(TRACECODEC_WITH_PUGIXML)
  namespace umtracer = tracecodec::umtracer;
  const umtracer::metadata about = umtracer::read_metadata(umtracer::trace_files(folder));
  std::printf("process %s\n", about.app_process_id.value_or("unknown").c_str());
#else
  throw std::runtime_error(folder + ": this build does not read trace.xml");
#endif
}
}  // namespace

int main(int argc, char** argv) {
  namespace feed = tracecodec::feed;
  namespace trace = tracecodec::trace;
  const bool process = argc == 3 && std::string(argv[1]) == "--process";
  if (argc != 2 && !process) return 2;
  try {
    if (process) {
      print_process(argv[2]);
      return 0;
    }
    predictor branches;
    std::uint64_t n = 0, misses = 0;
    std::array<std::uint64_t, feed::branch_class_count> mix = {};
    trace::visit(argv[1], [&](auto trace) {
      for (const auto& i : trace) {
        ++n;
        ++mix[static_cast<std::size_t>(i.branch())];
        if (i.branch() == feed::branch_class::conditional && branches.misses(i.ip(), i.taken()))
          ++misses;
      }
    });
    std::printf("instructions %ju\n", static_cast<std::uintmax_t>(n));
    for (std::size_t c = 0; c < mix.size(); ++c) {
      const auto name = feed::name(static_cast<feed::branch_class>(c));
      std::printf("%.*s %ju\n", static_cast<int>(name.size()), name.data(),
                  static_cast<std::uintmax_t>(mix[c]));
    }
    std::printf("misses %ju\n", static_cast<std::uintmax_t>(misses));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
