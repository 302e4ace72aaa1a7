// Signals that end a program: it notices them where it can stop, so that no half-written temporary
// file stays behind.
#pragma once
#include <csignal>
#include <initializer_list>
#include <stdexcept>

namespace examples {

// Set by the first signal; the second ends the program at once.
inline volatile std::sig_atomic_t interrupted = 0;
inline void interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

// Those that end a program unless it handles them.
#ifdef SIGHUP
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM, SIGHUP};
#else
inline constexpr std::initializer_list<int> ending_signals = {SIGINT, SIGTERM};
#endif

// Handles these signals but for those that the parent process ignores, as nohup does.
inline void on_interrupt(std::initializer_list<int> signals, void (*handler)(int) = interrupt) {
  for (const int s : signals)
    if (std::signal(s, handler) == SIG_IGN) std::signal(s, SIG_IGN);
}

inline void stop_if_interrupted() {
  if (interrupted != 0) throw std::runtime_error("interrupted");
}

}  // namespace examples
