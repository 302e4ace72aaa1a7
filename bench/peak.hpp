// Returns the peak of this process's resident memory.
#pragma once
#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

// Returns the peak in KiB, or 0 if the system does not report it. getrusage() is not suitable,
// because a process inherits the peak of its parent.
inline long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

}  // namespace bench
