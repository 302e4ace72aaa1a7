// Signals that end a program: it notices them where it can stop, or waits for a file, so that no
// half-written temporary file stays behind; then it dies by the signal, which ends a shell's loop.
#pragma once
#include <tracecodec/io/os/interruption.hpp>

#include <csignal>
#include <initializer_list>
#ifndef _WIN32
#include <unistd.h>
#endif

namespace examples {

// The first signal that came, else 0; a second one ends the program at once.
inline volatile std::sig_atomic_t interrupted = 0;
inline void interrupt(int signal) {
  interrupted = signal;
  std::signal(signal, SIG_DFL);
}

// Those that end a program unless it handles them.
#ifdef SIGHUP
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM, SIGHUP};
#else
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM};
#endif

#ifdef _WIN32

// Handles these signals but for those that the parent process ignores.
inline void on_interrupt(std::initializer_list<int> signals) {
  for (const int s : signals)
    if (std::signal(s, interrupt) == SIG_IGN) std::signal(s, SIG_IGN);
}
inline void end_by_interruption() {}

#else

inline volatile std::sig_atomic_t dies_interrupted = 0;  // whether the program dies by the signal

// It wakes up what waits for a file. One that comes just before the wait wakes nobody up: so an
// alarm follows it, each second.
inline void interrupt_waiting(int signal) {
  if (signal != SIGALRM) {
    if (interrupted != 0) {
      std::signal(signal, SIG_DFL);
      std::raise(signal);  // comes when this handler returns
    }
    interrupt(signal);
  }
  ::alarm(1);
}

// Handles them so that stop_if_interrupted(), and what opens, reads or writes a file, throws; run()
// then ends the program by the signal. Those that the parent process ignores stay ignored.
inline void on_interrupt(std::initializer_list<int> signals) {
  struct sigaction action {};
  action.sa_handler = interrupt_waiting;  // without SA_RESTART
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

// Does not return if on_interrupt() has handled a signal: all is cleaned up.
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
