// Messages of trace_record, and the signals that end trace_record.
#pragma once
#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "options.hpp"

namespace record {

// Exit status if trace_record itself fails. Otherwise, trace_record returns the program's exit
// status.
inline constexpr int exit_failed = 125;

// Prints a line on standard error that begins with the program's name.
void say(const std::string& message);

// Results of a recording that the report contains.
struct summary {
  std::uint64_t skipped = 0, instructions = 0, threads = 0;
  // Number of instructions whose list of memory operands is incomplete.
  std::uint64_t incomplete = 0;
  std::optional<int> status = {};  // wait status of the program, if it has ended
  // True if exec replaced the program with a program of a different width (32 or 64 bits).
  bool other_width = false;
  // Number of child processes that were created during the recording but not recorded.
  std::uint64_t children = 0;
};
// Prints a sentence about the recording, and notes on instructions and processes that were not
// recorded. Prints nothing with --quiet.
void report(const summary& r, const options& o);
// Throws an error that explains why nothing was recorded, so that no trace is written.
[[noreturn]] void refuse_empty(const summary& r, const options& o);

// Installs a handler for signals, except for signals that the parent process ignores.
void on_signals(std::initializer_list<int> these, void (*handler)(int, siginfo_t*, void*));
// Installs handlers for signals. The first signal ends the recording and the program. The second
// signal also ends the processing of the recorded instructions.
void end_on_signals();
void die_by(int signal);

// Recorded program. `status` is the program's wait status if the program has ended.
struct recorded_program {
  pid_t id = 0;
  std::optional<int> status = {};
};
// Waits until the program has ended. Ctrl-C from the terminal does not end trace_record, because
// the program decides how to react. Other signals do end trace_record. Returns the same exit status
// as a shell: if a signal ended the program, the status is 128 plus the number of the signal.
int exit_status_of(recorded_program p);

}  // namespace record
