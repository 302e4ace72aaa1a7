// Interrupts the waiting for the other end of a pipe or its data, in programs that a signal
// should end.
#pragma once
#include <atomic>
#include <exception>

namespace tracecodec::io {

// Exception of the functions that open, read, compress and write files, thrown once the
// program should stop waiting. Not a trace_error, because the file has no error.
class interruption final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// Callback that returns true once a signal that should end the program has come; called on any
// thread.
using interruption_check = bool (*)() noexcept;

namespace detail {
inline constinit std::atomic<interruption_check> is_interrupted{nullptr};
}  // namespace detail

// Sets a callback for the functions that open, read, compress and write files. They call it
// before an operation, and again when a signal has woken them up. If it returns true, they
// throw interruption. Without a callback, or with nullptr, an operation continues after a
// signal. The program must install its signal handler without SA_RESTART. A signal between the
// callback and the waiting has no effect, so let it repeat, for example by alarm(2). POSIX
// only: on Windows the callback is never called.
inline void stop_waiting_if(interruption_check check) noexcept { detail::is_interrupted = check; }

// Returns the result of the callback, or false if there is none.
inline bool interrupted() noexcept {
  const interruption_check check = detail::is_interrupted.load(std::memory_order_relaxed);
  return check != nullptr && check();
}

}  // namespace tracecodec::io
