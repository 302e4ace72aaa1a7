// Feeds a trace to a simulator in two ways. First, the simulator requests one object of its own
// instruction type at a time, like ChampSim. Then it iterates over the feed.
// Usage: feed_your_simulator TRACE
#include <algorithm>
#include <boost/nowide/args.hpp>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tracecodec/champsim/tracereader.hpp>
#include <tracecodec/feed/adaptors.hpp>
#include <tracecodec/io/input/truncation.hpp>

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;

namespace {

// Instruction type of this simulator. model_reader constructs an instruction from (cpu, record). It
// also sets the member branch_target if the type has this member.
struct core_instruction {
  core_instruction(std::uint8_t, const champsim::instruction& r)
      : ip(r.ip), loads(std::ranges::count_if(r.source_memory, [](auto a) { return a != 0; })) {}
  std::uint64_t ip;
  std::ptrdiff_t loads;
  std::uint64_t branch_target = 0;
};

// Core that fetches four instructions per cycle, stops fetching after a taken branch, and waits
// three cycles for each load.
struct core {
  std::uint64_t instructions = 0, cycles = 0, slots = 0;
  void run(const core_instruction& i) {
    ++instructions;
    if (slots == 0) {
      ++cycles;
      slots = 4;
    }
    slots = i.branch_target != 0 ? 0 : slots - 1;
    cycles += 3 * static_cast<std::uint64_t>(i.loads);
  }
};

void run(const std::string& path) {
  // One object at a time, for 100,000 instructions. If the trace is shorter, it is repeated.
  auto next = champsim::model_reader<core_instruction>(
      0, champsim::trace_feed<>(path) | feed::repeat{} | feed::limit{100'000});
  core c;
  while (!next.eof()) c.run(next());
  std::cout << c.instructions << " instructions in " << c.cycles << " cycles\n";

  // Loop over the feed. Each `i` is a view of a record, and also provides the class and the target
  // of a branch.
  std::uint64_t taken = 0, farthest = 0;
  for (const auto& i : champsim::trace_feed<>(path)) {
    if (!i.taken()) continue;
    ++taken;
    const std::uint64_t a = i.ip(), b = i.target();
    if (b != 0) farthest = std::max(farthest, std::max(a, b) - std::min(a, b));
  }
  std::cout << taken << " branches taken, the farthest over " << farthest << " bytes\n";
}

}  // namespace

int main(int argc, char** argv) {
  // File names are UTF-8 on Windows, too.
  const boost::nowide::args utf8(argc, argv);
  if (argc != 2 || std::string_view(argv[1]).starts_with("--")) {
    std::cerr << "feed_your_simulator: usage: feed_your_simulator TRACE\n";
    return 2;
  }
  try {
    // If a file is truncated while it is read, the system raises SIGBUS. The handler turns the
    // signal into an error.
    tracecodec::io::install_sigbus_handler();
    run(argv[1]);
    if (!std::cout.flush()) throw std::runtime_error("<stdout>: cannot be written");
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "feed_your_simulator: " << e.what() << '\n';
    return 1;
  }
}
