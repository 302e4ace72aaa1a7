// Common framework of all programs: one line per error, and the exit codes.
// - 0: success; 1: the trace is damaged or the work failed; 2: the command line is wrong.
// - Programs that answer a question, like grep and diff, use 0: yes; 1: no; 2: any failure.
#pragma once
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include "arguments.hpp"

namespace examples {

// Description of the exit codes for --help.
inline constexpr auto exit_statuses =
    "The exit status is 0 on success, 1 if the trace is damaged or the work failed, 2 if the "
    "command line is wrong";

// Error in the use of the command line.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Long options of the running program, such as "--record".
inline std::set<std::string> own_options;

// Name of the current trace, for error messages that would otherwise lack it.
inline std::string working_on;

// Settings for notes and progress; another host of this code can replace them.
struct telling {
  // Receives notes and errors instead of standard error, if set.
  std::function<void(const std::string& message)> note = {};
  // True if progress_line may print.
  bool progress = true;
};
inline telling told;

// Returns true if `argument` is an option, for programs that parse by hand. "-" alone is a
// standard stream.
inline bool is_option(const std::string& argument) {
  return argument.starts_with('-') && argument.size() > 1;
}

// Replaces references to the library's options by those of the program. "(option record)"
// becomes "(--record)" in programs that have the option.
std::string with_options(std::string message);

// Prints one line on standard error. Control characters in names and texts are escaped.
void complain(const std::string& program, const std::string& message);

// Prints a note: information about a successful run.
void note(const std::string& program, const std::string& message);

// Calls body() and returns its exit code. If body() throws, prints the error and returns
// `failed`, or `misused` for a usage_error. If on_interrupt() handled a signal, dies by that
// signal instead.
int run(const std::string& program, const std::function<int()>& body, int failed = 1,
        int misused = 2);

}  // namespace examples
