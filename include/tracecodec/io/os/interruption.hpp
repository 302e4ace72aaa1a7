// How a program that a signal shall end gets out of waiting: for the other end of a pipe, or for
// what comes through it.
#pragma once
#include <atomic>
#include <exception>

namespace tracecodec::io {

// Thrown by what opens, reads, compresses and writes files, once the program is to stop waiting. No trace_error:
// nothing is wrong with the file.
class interruption final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// Whether a signal has come that shall end the program; called on any thread.
using interruption_check = bool (*)() noexcept;

namespace detail {
inline constinit std::atomic<interruption_check> is_interrupted{nullptr};
}  // namespace detail

// From now on all that opens, reads, compresses and writes files asks `check` before it does, and again when a
// signal has woken it up: if it says true, that throws interruption. Without it, or with nullptr,
// what a signal has woken up goes on. For a program, with a signal handler that is installed without
// SA_RESTART. A signal that comes between the question and the waiting wakes nobody up: let it come
// again, as alarm(2) does. POSIX only: on Windows nothing is asked.
inline void stop_waiting_if(interruption_check check) noexcept { detail::is_interrupted = check; }

// What `check` says.
inline bool interrupted() noexcept {
  const interruption_check check = detail::is_interrupted.load(std::memory_order_relaxed);
  return check != nullptr && check();
}

}  // namespace tracecodec::io
