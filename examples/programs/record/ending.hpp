// Signals that end a recording early. The instructions recorded before the signal are kept.
#pragma once
#include <csignal>

namespace record {

// First signal received, or 0.
inline volatile std::sig_atomic_t ended_by = 0;
// Process id of the program while it is recorded, otherwise 0. end_recording() kills this process,
// so that a wait for the process's next event also ends.
inline volatile std::sig_atomic_t observed = 0;

inline volatile std::sig_atomic_t signals = 0;  // number of signals received
// Number of signals that end a wait for the other end of a pipe. If 0, signals never end the wait.
inline volatile std::sig_atomic_t enough_signals = 1;
inline bool stops_waiting() noexcept { return enough_signals != 0 && signals >= enough_signals; }

// Ends the recording. Call this function in a signal handler.
inline void end_recording(int signal) {
  if (ended_by == 0) ended_by = signal;
  signals = signals + 1;
  if (observed != 0) kill(static_cast<pid_t>(observed), SIGKILL);
}

}  // namespace record
