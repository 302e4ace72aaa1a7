#include "summary.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <tracecodec/io/os/interruption.hpp>

#include "../common/interrupt.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "ending.hpp"

namespace record {

using examples::some;

void say(const std::string& message) { examples::print_message("trace_record", message); }

void report(const summary& r, const options& o) {
  if (o.quiet) return;
  say(o.out + ": " + some(r.instructions, "instruction") + " of " + some(r.threads, "thread") +
      (r.skipped != 0 ? ", after " + std::to_string(r.skipped) + " that were skipped" : ""));
  if (!o.engine_reason.empty()) say("note: " + o.engine_reason);
  if (r.incomplete != 0)
    say("note: " + std::to_string(r.incomplete) + " of them access memory that is not recorded");
  if (r.other_width)
    say("note: the program switched to another address width: what followed is not recorded");
  if (r.children != 0)
    say("note: the program started " +
        (r.children == 1 ? "1 child process, which is"
                         : std::to_string(r.children) + " child processes, which are") +
        " not recorded");
  if (ended_by != 0)
    say("note: signal " + std::to_string(ended_by) + " ended the recording, and the program");
  else if (r.status && WIFSIGNALED(*r.status))
    say("note: the program was ended by signal " + std::to_string(WTERMSIG(*r.status)));
  else if (r.status && WEXITSTATUS(*r.status) != 0)
    say("note: the program's exit status was " + std::to_string(WEXITSTATUS(*r.status)));
}

void refuse_empty(const summary& r, const options& o) {
  std::string why = ended_by != 0 ? "signal " + std::to_string(ended_by) + " ended it"
                                  : std::string("the program ended");
  const bool begins =
      std::any_of(o.places.begin(), o.places.end(), [](const place& p) { return p.begins; });
  if (r.skipped != 0 || (!o.markers && o.places.empty()))
    why += " after " + some(r.skipped, "instruction");
  else if (o.markers)
    why += ", and no begin marker was executed";
  else if (begins)
    why += ", and no --start-at was reached (often enough, and before a --stop-at)";
  else
    why += ", and a --stop-at was reached at once";
  throw std::runtime_error(o.out + ": not written: " + why);
}

void on_signals(std::initializer_list<int> these, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  // Do not set SA_RESTART, so a signal makes blocking calls fail.
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (const int s : these) {
    struct sigaction before {};
    if (sigaction(s, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(s, &action, nullptr);
  }
}

// A signal that arrives just before a wait for a pipe does not interrupt the wait. Therefore the
// handler schedules an alarm each second.
void end_on_signals() {
  const auto handler = [](int signal, siginfo_t*, void*) {
    if (signal != SIGALRM) {
      if (ended_by != 0) examples::interrupted = signal;
      end_recording(signal);
    }
    alarm(1);
  };
  on_signals(examples::ending_signals, handler);
  on_signals({SIGALRM}, handler);
  tracecodec::io::stop_waiting_if(stops_waiting);
}

void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

int exit_status_of(recorded_program p) {
  // The terminal also sends Ctrl-C to the program, which decides how to react. Therefore ignore it
  // here.
  on_signals(examples::ending_signals, [](int signal, siginfo_t* info, void*) {
    if (signal != SIGINT || info->si_code != SI_KERNEL) die_by(signal);
  });
  int status = 0;
  for (pid_t who = 0;
       ended_by == 0 && ((who = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR);)
    if (who == p.id && !WIFSTOPPED(status)) p.status = status;
  if (!p.status) {
    if (ended_by == 0) say("the program's exit status is unknown");
    return exit_failed;
  }
  return WIFSIGNALED(*p.status) ? 128 + WTERMSIG(*p.status) : WEXITSTATUS(*p.status);
}

}  // namespace record
