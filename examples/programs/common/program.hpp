// What every program does around its work: one clear line for an error, and the exit codes.
// 0: done; 1: the trace is damaged, or the work failed; 2: the command line was wrong.
// Programs that answer a question as grep and diff do: 0: yes; 1: no; 2: all else.
#pragma once
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include "arguments.hpp"

namespace examples {

// What --help says of them.
inline constexpr auto exit_statuses =
    "The exit status is 0 if all is done, 1 if the trace is damaged or the work failed, 2 if the "
    "command line is wrong";

// The command line asks for something that cannot be.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The options of the program that runs, as "--record".
inline std::set<std::string> own_options;

// The trace that a program is at: for errors that do not know it.
inline std::string working_on;

// What a program tells beside its work; another host of the same code tells it in its own way.
struct telling {
  std::function<void(const std::string& message)> note = {};  // instead of standard error
  bool progress = true;                                       // progress_line
};
inline telling told;

// For programs without options: "-" alone is a standard stream.
inline bool is_option(const std::string& argument) {
  return argument.starts_with('-') && argument.size() > 1;
}

// Adds to what the library says how this program's user does it: "(option record)" becomes "(--record)" in programs
// that have this option.
std::string with_options(std::string message);

// One line. Names of files and words of traces within it do not steer the terminal.
void complain(const std::string& program, const std::string& message);

// What went right, but should be known.
void note(const std::string& program, const std::string& message);

// Calls body(), which returns the exit code, and turns what it throws into a line on standard
// error; then the exit code is `failed`, or `misused` for wrong usage. Dies by a signal that on_interrupt()
// has handled.
int run(const std::string& program, const std::function<int()>& body, int failed = 1,
        int misused = 2);

}  // namespace examples
