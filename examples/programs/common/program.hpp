// Framework of all programs: one-line error messages, and exit codes.
// - 0: success; 1: the trace is damaged or the work failed; 2: the command line is wrong.
// - A program with a yes-or-no result returns 0 for yes, 1 for no and 2 for any failure, like grep.
#pragma once
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include "arguments.hpp"

namespace examples {

// Description of the exit codes for --help.
inline constexpr auto exit_statuses =
    "0 on success, 1 if the trace is damaged or the work failed, 2 if the command line is wrong";

// Error in the command line, which causes exit code 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Long options of the running program, such as "--record".
inline std::set<std::string> own_options;

// Name of the current trace, for error messages that do not contain a file name.
inline std::string working_on;

// Hooks for notes and progress. The Python module, which runs trace_convert as a function, replaces
// them.
struct hooks {
  // If set, receives notes and errors, which are then not printed on standard error.
  std::function<void(const std::string& message)> note = {};
  // True if progress_line may print its line.
  bool progress = true;
};
inline hooks output_hooks;

// Returns true if `argument` is an option, for programs that parse their command line themselves.
// "-" is not an option, because it means standard input or output.
inline bool is_option(const std::string& argument) {
  return argument.starts_with('-') && argument.size() > 1;
}

// Replaces the names of library options in a message with the names of the program's options. For
// example, "(option record)" becomes "(--record)" if the program has an option --record.
std::string with_options(std::string message);

// Prints one line on standard error. Escapes control characters in the message.
void print_message(const std::string& program, const std::string& message);

// Prints a note that does not affect the exit code.
void note(const std::string& program, const std::string& message);

// Calls body() and returns its exit code. If body() throws, prints the error, and returns `misused`
// for a usage_error or `failed` for any other error. If on_interrupt() has handled a signal, the
// signal kills the program instead.
int run(const std::string& program, const std::function<int()>& body, int failed = 1,
        int misused = 2);

}  // namespace examples
