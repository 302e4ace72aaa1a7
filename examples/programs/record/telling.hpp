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

// Exit status if trace_record itself fails. Otherwise trace_record returns the program's status.
inline constexpr int exit_failed = 125;

// Prints a line on standard error, after the program's name.
void say(const std::string& message);

// Results of a recording, for the report.
struct summary {
  std::uint64_t skipped = 0, instructions = 0, threads = 0;
  std::uint64_t incomplete = 0;    // number of instructions with unlisted memory operands
  std::optional<int> status = {};  // wait status of the program, if it has ended
  // True if the program called exec for a program of the other width.
  bool other_width = false;
  // Number of child processes that were created during the recording and that were not recorded.
  std::uint64_t children = 0;
};
// Prints a sentence about the recording, and notes on what was not recorded. Prints nothing
// with --quiet.
void report(const summary& r, const options& o);
// Throws an error that explains why nothing was recorded. In this case, no trace is written.
[[noreturn]] void refuse_empty(const summary& r, const options& o);

// Installs a handler for signals, except for signals that the parent process ignores.
void on_signals(std::initializer_list<int> these, void (*handler)(int, siginfo_t*, void*));
// Installs handlers. The first signal ends the recording and the program; the second signal ends
// the processing of the recorded instructions.
void end_on_signals();
void die_by(int signal);

// Program after its recording. `status` is the program's wait status if the program has ended.
struct recorded_program {
  pid_t id = 0;
  std::optional<int> status = {};
};
// Waits until the program has ended. Ctrl-C from the terminal does not end trace_record, because
// the program decides how to react; other signals end trace_record. Returns the exit status as a
// shell would: 128 plus the number of the signal if a signal ended the program.
int exit_status_of(recorded_program p);

}  // namespace record
