// Handling of signals that end a program. The program stops at the next safe point or while it
// waits for a file, so that no temporary file is left over. Then the signal kills the program, so
// that a shell loop that runs the program also ends.
#pragma once
#include <tracecodec/io/os/interruption.hpp>

#include <csignal>
#include <initializer_list>
#ifndef _WIN32
#include <unistd.h>
#endif

namespace examples {

// First signal received, or 0. A second signal ends the program at once.
inline volatile std::sig_atomic_t interrupted = 0;
inline void interrupt(int signal) {
  interrupted = signal;
  std::signal(signal, SIG_DFL);
}

// Signals that end a program unless it handles them.
#ifdef SIGHUP
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM, SIGHUP};
#else
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM};
#endif

#ifdef _WIN32

// Installs the handler for `signals`, except those that the parent process ignores.
inline void on_interrupt(std::initializer_list<int> signals) {
  for (const int s : signals)
    if (std::signal(s, interrupt) == SIG_IGN) std::signal(s, SIG_IGN);
}
inline void end_by_interruption() {}

#else

// True if on_interrupt() was called: the signal kills the program after the cleanup.
inline volatile std::sig_atomic_t dies_interrupted = 0;

// Signal handler that interrupts blocking calls. A signal just before a blocking call does not
// interrupt that call, so the handler schedules an alarm each second.
inline void interrupt_waiting(int signal) {
  if (signal != SIGALRM) {
    if (interrupted != 0) {
      std::signal(signal, SIG_DFL);
      // The raised signal is delivered once this handler returns.
      std::raise(signal);
    }
    interrupt(signal);
  }
  ::alarm(1);
}

// Handles `signals`. After one of the signals, stop_if_interrupted() and all file operations throw
// io::interruption, and run() ends the program by the signal. Signals that the parent process
// ignores remain ignored.
inline void on_interrupt(std::initializer_list<int> signals) {
  struct sigaction action {};
  // SA_RESTART is not set, so that blocking calls fail.
  action.sa_handler = interrupt_waiting;
  sigemptyset(&action.sa_mask);
  tracecodec::io::stop_waiting_if([]() noexcept { return interrupted != 0; });
  dies_interrupted = 1;
  ::sigaction(SIGALRM, &action, nullptr);
  for (const int s : signals) {
    struct sigaction former {};
    if (::sigaction(s, nullptr, &former) == 0 && former.sa_handler != SIG_IGN)
      ::sigaction(s, &action, nullptr);
  }
}

// Raises the received signal, and does not return, if on_interrupt() was called and a signal has
// arrived. Call it after all cleanup.
inline void end_by_interruption() {
  if (dies_interrupted == 0 || interrupted == 0) return;
  std::signal(interrupted, SIG_DFL);
  std::raise(interrupted);
}

#endif

inline void stop_if_interrupted() {
  if (interrupted != 0) throw tracecodec::io::interruption();
}

}  // namespace examples
