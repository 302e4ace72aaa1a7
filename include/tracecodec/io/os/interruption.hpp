// Allows a signal to end a program that is waiting for a pipe to be opened, or for data from a
// pipe.
#pragma once
#include <atomic>
#include <exception>

#include "../../config.hpp"

namespace tracecodec::io {

// Exception that the functions for opening, reading, compressing and writing files throw once the
// program should stop waiting. The exception is not a trace_error, because the file has no error.
class interruption final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// Callback that returns true once a signal that should end the program has arrived. The callback
// may be called on any thread.
using interruption_check = bool (*)() noexcept;

namespace detail {
inline constinit std::atomic<interruption_check> is_interrupted{nullptr};
}  // namespace detail

// Sets a callback for the functions that open, read, compress and write files. These functions call
// the callback before each operation, and again after a signal has interrupted the operation. If
// the callback returns true, the functions throw interruption. If no callback is set or `check` is
// nullptr, an operation continues after a signal.
//
// The program must install its signal handler without SA_RESTART. A signal that arrives between the
// callback and the wait has no effect, so the program should repeat the signal, for example with
// alarm(2). On Windows, the callback is never called.
inline void stop_waiting_if(interruption_check check) noexcept { detail::is_interrupted = check; }

// Returns the result of the callback, or false if no callback is set.
inline bool interrupted() noexcept {
  const interruption_check check = detail::is_interrupted.load(std::memory_order_relaxed);
  return check != nullptr && check();
}

}  // namespace tracecodec::io
