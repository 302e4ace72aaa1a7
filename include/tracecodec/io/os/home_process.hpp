// Identity of the process that started threads. A child process created by fork() has a copy of the
// memory, but not the threads.
#pragma once
#include <string>

#include "../error.hpp"
#include "os.hpp"

namespace tracecodec::io {

class home_process {
 public:
  [[nodiscard]] bool is_here() const noexcept { return os::process_id() == process_; }
  // Throws trace_error(refused) in any other process, because a wait for the threads would never
  // end there. `name` is the name of the file that the threads process.
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
