// What every program does around its work: one clear line for an error, and the exit codes.
// 0: done; 1: the work failed; 2: the command line was wrong.
#pragma once
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace examples {

// The command line asks for something that cannot be.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// For programs without options: "-" alone is a standard stream.
inline bool is_option(const char* argument) { return argument[0] == '-' && argument[1] != '\0'; }

inline void complain(const std::string& program, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), message.c_str());
}

// What went right, but should be known.
inline void note(const std::string& program, const std::string& message) {
  complain(program, "note: " + message);
}

// Calls body(), which returns the exit code, and turns what it throws into a line on standard
// error.
template <class Body> int run(const std::string& program, Body body) {
  // A reader that has seen enough (| head) ends the program without a word, even if the parent
  // process ignores the signal.
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_DFL);
#endif
  try {
    const int code = body();
    // For what went by std::cout or printf: a full disk is an error.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    complain(program, "<stdout>: cannot be written");
    return 1;
  } catch (const usage_error& e) {
    complain(program, e.what());
    return 2;
  } catch (const std::bad_alloc&) {
    complain(program, "out of memory");
  } catch (const std::exception& e) {
    complain(program, e.what());
  }
  return 1;
}

}  // namespace examples
