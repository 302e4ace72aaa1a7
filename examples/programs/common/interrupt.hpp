// Handles signals that end a program. The program stops at the next safe point, or while it waits
// for a file, and removes its temporary files. Then the signal kills the program, so a shell loop
// around the program also ends.
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

// Signals that end a program by default.
#ifdef SIGHUP
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM, SIGHUP};
#else
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM};
#endif

#ifdef _WIN32

// Installs the handler for `signals`, except for signals that the parent process ignores.
inline void on_interrupt(std::initializer_list<int> signals) {
  for (const int s : signals)
    if (std::signal(s, interrupt) == SIG_IGN) std::signal(s, SIG_IGN);
}
inline void end_by_interruption() {}

#else

// 1 if on_interrupt() was called, otherwise 0. If 1, a received signal kills the program once the
// cleanup is done.
inline volatile std::sig_atomic_t dies_interrupted = 0;

// Signal handler that interrupts blocking calls. A signal that arrives just before a blocking call
// does not interrupt that call. Therefore the handler schedules an alarm each second.
inline void interrupt_waiting(int signal) {
  if (signal != SIGALRM) {
    if (interrupted != 0) {
      std::signal(signal, SIG_DFL);
      // The raised signal is delivered after this handler returns.
      std::raise(signal);
    }
    interrupt(signal);
  }
  ::alarm(1);
}

// Handles `signals`. Once one of the signals has arrived, stop_if_interrupted() and all file
// operations throw io::interruption. run() then lets the signal kill the program. Signals that the
// parent process ignores remain ignored.
inline void on_interrupt(std::initializer_list<int> signals) {
  struct sigaction action {};
  // Do not set SA_RESTART, so a signal makes blocking calls fail.
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

// If on_interrupt() was called and a signal has arrived, raises the signal again and does not
// return. Call this function after all cleanup.
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
