// Signals that end a recording before its time. What was recorded is kept.
#pragma once
#include <csignal>

namespace record {

// The first one, else 0.
inline volatile std::sig_atomic_t ended_by = 0;
// The program while it is recorded, else 0. It ends with the recording: so ends the wait for what it
// does next.
inline volatile std::sig_atomic_t observed = 0;

inline volatile std::sig_atomic_t signals = 0;  // so many came
// So many end the wait for the other end of a pipe; 0: none does.
inline volatile std::sig_atomic_t enough_signals = 1;
inline bool stops_waiting() noexcept { return enough_signals != 0 && signals >= enough_signals; }

// To be called in a handler.
inline void end_recording(int signal) {
  if (ended_by == 0) ended_by = signal;
  signals = signals + 1;
  if (observed != 0) kill(static_cast<pid_t>(observed), SIGKILL);
}

}  // namespace record
