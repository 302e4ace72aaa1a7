// The peak of this process's resident memory.
#pragma once
#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

// In KiB; 0 if the system does not tell. Not getrusage: its peak is inherited from whoever started
// this program.
inline long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

}  // namespace bench
