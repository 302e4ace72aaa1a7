// A recording of a program, as an x64dbg trace, and where its modules lay. What makes it is compiled
// once, for programs of both widths.
#pragma once
#include <sys/types.h>
#include <tracecodec/x64dbg/layout.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace record {

class program_modules;
class tracee;

struct options {
  std::string out = {};
  std::uint64_t skip = 0, count = 1'000'000;
  std::optional<std::string> format = {};
  std::vector<std::string> command = {};
  bool no_maps = false;
};

struct recorded {
  std::uint64_t skipped = 0, instructions = 0;
  std::uint64_t incomplete = 0;    // with memory operands that are not listed
  std::set<pid_t> threads = {};    // of the instructions
  std::optional<int> status = {};  // wait status of the program, if it has ended
  bool other_width = false;        // it went on as a program of the other width
  std::uint64_t children = 0;      // that it made while it was recorded; they are not
};

// Records into `path`, as an x64dbg trace, a program of the width of `t`, and lets it run on; `modules` are
// those that it had. Throws std::runtime_error if it executed nothing; trace_error as x64dbg::writer.
recorded record_to(tracecodec::x64dbg::target t, const std::string& path, tracee& program,
                   program_modules& modules, const options& o);

// Beside the trace: where the program's modules lay, and their functions near what was recorded.
void write_maps(const program_modules& found, const options& o);

}  // namespace record
