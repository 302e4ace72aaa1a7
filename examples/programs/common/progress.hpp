// Progress line on standard error, printed only on a terminal. The line appears after a second and
// is removed when the work is done.
#pragma once
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "program.hpp"
#include "text.hpp"

namespace examples {

class progress_line {
 public:
  // Creates a line that begins with `what`, such as the name of the trace. `rows_on_stdout` is true
  // if the program prints rows at the same time. In that case, the line is suppressed if standard
  // output is also a terminal.
  explicit progress_line(const std::string& what, bool rows_on_stdout = false)
      : what_(printable(what)),
        wanted_(output_hooks.progress && isatty(STDERR_FILENO) == 1 &&
                !(rows_on_stdout && isatty(STDOUT_FILENO) == 1)) {}
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

  // Updates the line; call it for each batch. `done` is the completed fraction, from 0 to 1, or
  // nullopt if the fraction is unknown.
  void at(std::optional<double> done) {
    if (!wanted_) return;
    const clock::time_point now = clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    if (done)
      std::fprintf(stderr, "\r%s: %.0f%%\033[K", what_.c_str(), *done * 100);
    else
      std::fprintf(stderr, "\r%s: working\033[K", what_.c_str());
  }

 private:
  using clock = std::chrono::steady_clock;
  std::string what_;
  bool wanted_;
  bool shown_ = false;
  clock::time_point next_ = clock::now() + std::chrono::seconds(1);
};

}  // namespace examples
