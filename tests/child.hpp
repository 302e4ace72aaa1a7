// Runs work in a child process and measures it from outside (POSIX).
#pragma once
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

#include "sanitized.hpp"

namespace test {

// Returns the peak resident size of a child process in bytes, and its exit status from
// wait4().
template <class Work> std::pair<std::size_t, int> in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  int status = -1;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  return {static_cast<std::size_t>(usage.ru_maxrss) * 1024, status};
}

}  // namespace test
