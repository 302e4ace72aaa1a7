// Program under ptrace (Linux). It starts in a stopped state, and its threads are single-stepped
// one at a time.
#pragma once
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../program_path.hpp"
#include "engine.hpp"

namespace record {

// Stop of a thread, and the cause of the stop.
struct event {
  enum class kind : std::uint8_t {
    // One instruction was executed.
    stepped,
    // A system call begins or has ended.
    system_call,
    // Signal `number` is about to be delivered. The current instruction was not executed.
    signal,
    // The program's own SIGTRAP is about to be delivered. It was sent by a process, or an executed
    // instruction (int3) raised it.
    trap,
    // A signal was delivered and its handler begins. No instruction was executed.
    entered_handler,
    // The thread created a thread with id `number`. The current instruction is not complete.
    cloned,
    // The process called exec. The current instruction is not complete.
    executed,
    // The thread has ended with wait status `number`.
    ended
  };
  pid_t thread = 0;
  kind what = kind::stepped;
  unsigned long number = 0;
  siginfo_t info = {};  // further details if the event is a SIGTRAP
};

class tracee {
 public:
  // Starts a program and stops it before its first instruction. `command` contains the program and
  // its arguments. A program without a slash in its name is looked up in PATH. Throws
  // std::runtime_error if the program cannot be started or traced.
  explicit tracee(const std::vector<std::string>& command) {
    std::array<int, 2> failure{};  // pipe for the child's errno; negated if ptrace failed
    if (pipe2(failure.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
    // Restore the default, because waitpid() cannot return the exit status if SIGCHLD is ignored.
    // The program itself inherits the original setting.
    const auto at_child_end = std::signal(SIGCHLD, SIG_DFL);
    pid_ = fork();
    if (pid_ == 0) {
      std::signal(SIGCHLD, at_child_end);
      run(command, failure[1]);
    }
    const int fork_error = errno;
    close(failure[1]);
    int why = 0;
    const bool failed = read(failure[0], &why, sizeof why) == sizeof why;
    close(failure[0]);
    if (pid_ < 0) throw std::runtime_error(std::strerror(fork_error));
    int status = 0;
    waitpid(pid_, &status, __WALL);
    if (failed && why < 0)
      throw std::runtime_error(std::string("this system does not permit ptrace: ") +
                               std::strerror(-why));
    if (failed) throw std::runtime_error(command[0] + ": " + std::strerror(why));
    constexpr long options =
        PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;
    if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, pid_, nullptr, options) != 0)
      throw std::runtime_error("this system does not permit ptrace");
  }
  tracee(const tracee&) = delete;
  tracee& operator=(const tracee&) = delete;
  ~tracee() {
    if (alive_) kill(pid_, SIGKILL);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Lets a stopped thread execute one instruction. If `signal` is not 0, first delivers that
  // signal.
  static void step(pid_t thread, int signal) {
    ptrace(PTRACE_SINGLESTEP, thread, nullptr, static_cast<long>(signal));
  }
  // Lets a stopped thread run to the beginning or end of its next system call.
  static void to_system_call(pid_t thread, int signal) {
    ptrace(PTRACE_SYSCALL, thread, nullptr, static_cast<long>(signal));
  }
  // Lets a stopped thread run to its next stop.
  static void go_on(pid_t thread, int signal) {
    ptrace(PTRACE_CONT, thread, nullptr, static_cast<long>(signal));
  }
  // Detaches from a stopped thread, which then continues without being traced.
  static void release(pid_t thread, int signal) {
    ptrace(PTRACE_DETACH, thread, nullptr, static_cast<long>(signal));
  }
  // Lets the program continue after this object is destroyed.
  void keep() { alive_ = false; }

  // Returns the next event of `thread`, or of any thread if `thread` is -1. Returns nullopt if no
  // thread is left, or if no event is available and `block` is false. If a thread has vanished
  // without an event, reports that the thread has ended.
  static std::optional<event> wait(pid_t thread, bool block) {
    int status = 0;
    pid_t who = 0;
    do who = waitpid(thread, &status, __WALL | (block ? 0 : WNOHANG));
    while (who < 0 && errno == EINTR);
    if (who == 0) return std::nullopt;
    if (who < 0)
      return thread < 0 ? std::nullopt : std::optional(event{thread, event::kind::ended, 0, {}});
    if (!WIFSTOPPED(status))
      return event{who, event::kind::ended, static_cast<unsigned long>(status), {}};
    const int signal = WSTOPSIG(status);
    switch (status >> 16) {
      case PTRACE_EVENT_CLONE: {
        unsigned long made = 0;
        ptrace(PTRACE_GETEVENTMSG, who, nullptr, &made);
        return event{who, event::kind::cloned, made, {}};
      }
      case PTRACE_EVENT_EXEC:
        return event{who, event::kind::executed, 0, {}};
      default:
        break;
    }
    if (signal == (SIGTRAP | 0x80)) return event{who, event::kind::system_call, 0, {}};
    if (signal == SIGTRAP) {
      event e{who, event::kind::trap, SIGTRAP, {}};
      ptrace(PTRACE_GETSIGINFO, who, nullptr, &e.info);
      // TRAP_BRKPT has two causes: a step over a system call, and the instruction F1 (int1).
      if (e.info.si_code == TRAP_TRACE || e.info.si_code == TRAP_BRKPT)
        e.what = event::kind::stepped;
      if (e.info.si_code == SIGTRAP) e.what = event::kind::entered_handler;
      return e;
    }
    return event{who, event::kind::signal, static_cast<unsigned long>(signal), {}};
  }

 private:
  [[noreturn]] static void run(const std::vector<std::string>& command, int failure) {
    std::vector<char*> arguments;
    for (const std::string& s : command) arguments.push_back(const_cast<char*>(s.c_str()));
    arguments.push_back(nullptr);
    int why = 0;
    // Disable address randomisation, so that recordings can be compared. If the system does not
    // permit the change, the addresses vary between runs.
    personality(static_cast<unsigned long>(personality(0xFFFFFFFF)) | ADDR_NO_RANDOMIZE);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) {
      why = -errno;
    } else {
      // Do not use execvp(). It would run a file as a shell script if the kernel rejects the file.
      execv(in_path(command[0]).c_str(), arguments.data());
      why = errno;
    }
    const ssize_t ignored = write(failure, &why, sizeof why);
    static_cast<void>(ignored);
    _exit(127);
  }

  pid_t pid_ = 0;
  bool alive_ = true;
};

}  // namespace record
