// Common framework of all programs: one line per error, and the exit codes.
// - 0: success; 1: the trace is damaged or the work failed; 2: the command line is wrong.
// - Programs that answer a question, such as grep and diff, use 0: yes; 1: no; 2: any failure.
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

// Name of the current trace, for error messages that contain no file name.
inline std::string working_on;

// Settings for notes and progress. Another host of this code can replace the settings.
struct telling {
  // Receives notes and errors instead of standard error, if set.
  std::function<void(const std::string& message)> note = {};
  // True if progress_line may print its line.
  bool progress = true;
};
inline telling told;

// Returns true if `argument` is an option, for programs that parse their command line themselves.
// "-" alone is not an option: it stands for standard input or output.
inline bool is_option(const std::string& argument) {
  return argument.starts_with('-') && argument.size() > 1;
}

// Replaces references to the library's options by references to the program's options. For example,
// "(option record)" becomes "(--record)" in programs that have the option.
std::string with_options(std::string message);

// Prints one line on standard error. Control characters in names and texts are escaped.
void complain(const std::string& program, const std::string& message);

// Prints a note: information about a run that succeeds.
void note(const std::string& program, const std::string& message);

// Calls body() and returns its exit code. If body() throws, prints the error and returns `misused`
// for a usage_error, otherwise `failed`. If on_interrupt() handled a signal, the signal kills the
// program instead.
int run(const std::string& program, const std::function<int()>& body, int failed = 1,
        int misused = 2);

}  // namespace examples
