// Messages of trace_record, and the signals that end it.
#pragma once
#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "options.hpp"

namespace record {

// Exit status if trace_record itself fails. Otherwise it returns the program's status.
inline constexpr int exit_failed = 125;

// Prints a line on standard error, after the program's name.
void say(const std::string& message);

// Results of a recording, for the report.
struct summary {
  std::uint64_t skipped = 0, instructions = 0, threads = 0;
  std::uint64_t incomplete = 0;    // instructions with unlisted memory operands
  std::optional<int> status = {};  // wait status of the program, if it has ended
  bool other_width = false;        // true: it called exec for a program of the other width
  std::uint64_t children = 0;      // unrecorded child processes made meanwhile
};
// Prints a sentence about the recording, and notes on what was not recorded. Prints nothing
// with --quiet.
void report(const summary& r, const options& o);
// Throws an error that explains why nothing was recorded; no trace is written then.
[[noreturn]] void refuse_empty(const summary& r, const options& o);

// Installs a handler for signals, except those that the parent process ignores.
void on_signals(std::initializer_list<int> these, void (*handler)(int, siginfo_t*, void*));
// Installs handlers: the first signal ends the recording and the program, the second one the
// processing of what was recorded.
void end_on_signals();
void die_by(int signal);

// Program after its recording; `status` is its wait status, if it has ended.
struct recorded_program {
  pid_t id = 0;
  std::optional<int> status = {};
};
// Waits until the program has ended. Ctrl-C from the terminal is left to the program; other
// signals end trace_record. Returns the exit status in the form of a shell: 128 plus the
// number of a signal that ended the program.
int exit_status_of(recorded_program p);

}  // namespace record
