#include "program.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/input/truncation.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "interrupt.hpp"
#include "text.hpp"

namespace examples {

namespace {

// Handles the signals that a failing write raises, so that the write returns an error instead. The
// program can then remove its temporary files.
volatile std::sig_atomic_t pipe_closed = 0;
void handle_signals_of_writes() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, [](int) { pipe_closed = 1; });
#endif
#ifdef SIGXFSZ
  // SIGXFSZ is raised if a file would exceed the size limit.
  std::signal(SIGXFSZ, [](int) {});
#endif
}

// Raises SIGPIPE if the reader has closed the pipe, for example in `| head`. The signal ends the
// program silently, even if the parent process ignores the signal.
void end_if_pipe_closed() {
#ifdef SIGPIPE
  if (pipe_closed == 0) return;
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
#endif
}

// If a file was truncated while it was read, replaces the message `why` with a message about the
// truncation. Any damage found in the file is then only a consequence.
void replace_by_cause(std::string& why) noexcept {
  try {
    if (const auto cut = tracecodec::io::cut_file_error()) why = cut->what();
  } catch (const std::exception&) {
    // No memory is left for another message, so keep the original message.
  }
}

}  // namespace

std::string with_options(std::string message) {
  constexpr std::string_view limit = tracecodec::io::raise_memory_limit, before = "option ";
  if (const std::size_t at = message.find(limit); at != message.npos)
    message.insert(at + limit.size(), " (--memory-limit)");
  for (std::size_t at = 0; (at = message.find("(option ", at)) != message.npos;) {
    const std::size_t name = ++at + before.size(), end = message.find(')', name);
    if (end == message.npos) break;
    const std::string option = "--" + message.substr(name, end - name);
    if (own_options.count(option) != 0) message.replace(at, end - at, option);
  }
  return message;
}

void print_message(const std::string& program, const std::string& message) {
  if (output_hooks.note) return output_hooks.note(message);
  std::fprintf(stderr, "%s: %s\n", program.c_str(), printable(with_options(message)).c_str());
}

void note(const std::string& program, const std::string& message) {
  if (output_hooks.note)
    output_hooks.note(message);
  else
    print_message(program, "note: " + message);
}

int run(const std::string& program, const std::function<int()>& body, int failed, int misused) {
  handle_signals_of_writes();
  int code = 1;
  std::string why;
  try {
    tracecodec::io::install_sigbus_handler();
    code = body();
    // Report output that std::cout or printf could not write, for example because the disk is full.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) why = "<stdout>: cannot be written";
  } catch (const usage_error& e) {
    print_message(program, e.what());
    return misused;
  } catch (const std::bad_alloc&) {
    why = "out of memory";
    try {
      if (!working_on.empty()) why = working_on + ": out of memory";
    } catch (const std::bad_alloc&) {
      // No memory is left for the name, so report the error without it.
    }
  } catch (const tracecodec::trace_error& e) {
    why = e.what();
    if (e.code() != tracecodec::trace_errc::system) replace_by_cause(why);
  } catch (const std::exception& e) {
    why = e.what();
  }
  if (why.empty() && code != 0) replace_by_cause(why);
  if (why.empty()) {
    end_by_interruption();
    return code;
  }
  end_if_pipe_closed();
  print_message(program, why);
  end_by_interruption();
  return failed;
}

}  // namespace examples
