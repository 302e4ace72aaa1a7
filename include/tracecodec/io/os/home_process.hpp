// Identity of the process that started threads. A child process made by fork() has a copy of
// the memory, but it does not have the threads.
#pragma once
#include <string>

#include "../error.hpp"
#include "os.hpp"

namespace tracecodec::io {

class home_process {
 public:
  [[nodiscard]] bool is_here() const noexcept { return os::process_id() == process_; }
  // Throws trace_error(refused) in another process, where waiting for the threads would never
  // end. `name` is the file that the threads work on.
  void require(const std::string& name) const {
    if (is_here()) return;
    throw trace_error(
        trace_errc::refused, {.file = name},
        "was opened before fork(), which does not copy its threads: open it again in this process");
  }

 private:
  unsigned process_ = os::process_id();
};

}  // namespace tracecodec::io
