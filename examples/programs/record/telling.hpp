// What trace_record says, and the signals that end it.
#pragma once
#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "options.hpp"

namespace record {

// trace_record's own exit status if it fails; else it has the program's.
inline constexpr int exit_failed = 125;

// A line on standard error, after the program's name.
void say(const std::string& message);

// What was recorded, in a sentence, and notes on what was not.
struct summary {
  std::uint64_t skipped = 0, instructions = 0, threads = 0;
  std::uint64_t incomplete = 0;    // with memory operands that are not listed
  std::optional<int> status = {};  // wait status of the program, if it has ended
  bool other_width = false;        // it went on as a program of the other width
  std::uint64_t children = 0;      // that it made while it was recorded; they are not
};
// Nothing with --quiet.
void report(const summary& r, const options& o);
// Why there is no trace: of nothing none is written.
[[noreturn]] void refuse_empty(const summary& r, const options& o);

// Sets a handler for those signals that the parent process does not ignore.
void on_signals(std::initializer_list<int> these, void (*handler)(int, siginfo_t*, void*));
// The first signal ends the recording, and the program; the second what is made of it.
void end_on_signals();
void die_by(int signal);

// The program behind its recording: with its wait status, if it has ended.
struct recorded_program {
  pid_t id = 0;
  std::optional<int> status = {};
};
// Until it has ended; the signals are its own and trace_record's now. Returns its exit status as a shell tells it:
// 128 and the number, if a signal ended it.
int exit_status_of(recorded_program p);

}  // namespace record
