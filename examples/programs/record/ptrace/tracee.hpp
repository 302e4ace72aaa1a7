// Program under ptrace (Linux). It is started in a stopped state and single-stepped thread by
// thread.
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

// Stop of a thread, and the reason for it.
struct event {
  enum class kind : std::uint8_t {
    // One instruction was executed.
    stepped,
    // A system call begins or ends.
    system_call,
    // Signal `number` is about to be delivered; the instruction was not executed.
    signal,
    // The program's own SIGTRAP: it was sent, or raised by an executed instruction (int3).
    trap,
    // A signal was delivered; no instruction was executed.
    entered_handler,
    // A thread with id `number` was created; the instruction is not complete yet.
    cloned,
    // The process called exec; the instruction is not complete yet.
    executed,
    // The thread ended with wait status `number`.
    ended
  };
  pid_t thread = 0;
  kind what = kind::stepped;
  unsigned long number = 0;
  siginfo_t info = {};  // further information about a SIGTRAP
};

class tracee {
 public:
  // Starts `command`, a program (searched in PATH) and its arguments, and stops the program before
  // its first instruction. Throws std::runtime_error if the program cannot be started or traced.
  explicit tracee(const std::vector<std::string>& command) {
    std::array<int, 2> failure{};  // the child's errno; negative if ptrace failed
    if (pipe2(failure.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
    // If SIGCHLD is ignored, waitpid() cannot return the exit status, so the default is
    // restored. The program itself inherits the original setting.
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

  // Lets a stopped thread execute one instruction, after delivering `signal`. If `signal` is 0, no
  // signal is delivered.
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
  // Detaches from a stopped thread, which then runs on without being observed.
  static void release(pid_t thread, int signal) {
    ptrace(PTRACE_DETACH, thread, nullptr, static_cast<long>(signal));
  }
  // Lets the program outlive this object.
  void keep() { alive_ = false; }

  // Returns the next event of `thread`, or of any thread if `thread` is -1. Returns nullopt if
  // there is no event yet and `block` is false, or if no thread is left. A thread that vanished
  // without an event is reported as ended.
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
    // Disables address randomization, so that recordings can be compared. If the system does not
    // permit this, addresses vary.
    personality(static_cast<unsigned long>(personality(0xFFFFFFFF)) | ADDR_NO_RANDOMIZE);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) {
      why = -errno;
    } else {
      // execvp() is unsuitable, because it would run a file that the kernel rejects as a shell
      // script.
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
