// SIGTRAP, which the tracer and the program share. If a single step ends while a thread blocks it,
// the kernel forgets the program's handler (force_sig). So a thread blocks it only in its system
// calls and where its handlers begin, where the kernel looks at it; not from step to step.
#pragma once
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace record {

inline constexpr std::uint64_t trap_bit = std::uint64_t{1} << (SIGTRAP - 1);

// A set of signals of a process, as /proc/PID/status has it: "SigIgn", "SigCgt". 0: unknown.
inline std::uint64_t signals_of(pid_t process, const std::string& which) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(which + ":"))
      return std::strtoull(line.c_str() + which.size() + 1, nullptr, 16);
  return 0;
}

// Of one thread.
class trap_mask {
 public:
  // The thread's mask may have changed: behind a system call, and where a handler begins.
  void changed() { state_ = state::unknown; }
  // Whether the program blocks it.
  [[nodiscard]] bool blocked() const { return state_ == state::lifted; }

  // Before a step.
  void lift(pid_t thread) {
    if (state_ != state::unknown) return;
    state_ = state::open;
    std::uint64_t mask = 0;
    if (!get(thread, mask) || (mask & trap_bit) == 0) return;
    set(thread, mask & ~trap_bit);
    state_ = state::lifted;
  }
  // Before the kernel looks at it.
  void restore(pid_t process, pid_t thread) {
    std::uint64_t mask = 0;
    if (state_ != state::lifted) return;
    if (get(thread, mask)) set(thread, mask | trap_bit);
    state_ = state::unknown;
    // What came in the meantime waits until the thread takes it.
    if (held_ && !sent_) {
      sent_ = true;
      syscall(SYS_tgkill, process, thread, SIGTRAP);
    }
  }

  // A SIGTRAP that was sent, of a thread that blocks it.
  void hold(const siginfo_t& info) {
    if (!held_) held_ = info;
    sent_ = false;
  }
  // One that is about to be delivered: it says who sent it first.
  void deliver(pid_t thread, const siginfo_t& info) {
    if (held_ && sent_ && info.si_pid == getpid())
      ptrace(PTRACE_SETSIGINFO, thread, nullptr, &*held_);
    held_.reset();
    sent_ = false;
  }

 private:
  enum class state : std::uint8_t { unknown, open, lifted };
  static bool get(pid_t thread, std::uint64_t& mask) {
    return ptrace(PTRACE_GETSIGMASK, thread, sizeof mask, &mask) == 0;
  }
  static void set(pid_t thread, std::uint64_t mask) {
    ptrace(PTRACE_SETSIGMASK, thread, sizeof mask, &mask);
  }

  state state_ = state::unknown;
  std::optional<siginfo_t> held_ = {};
  bool sent_ = false;
};

}  // namespace record
