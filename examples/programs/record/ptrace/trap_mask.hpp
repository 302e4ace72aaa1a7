// Handles SIGTRAP, which both the tracer and the program use. If a single step ends while the
// thread blocks SIGTRAP, the kernel discards the program's handler (force_sig). Therefore a thread
// may block SIGTRAP only when the kernel examines the mask. The kernel does so in system calls and
// at the start of handlers.
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

// Returns a set of signals from /proc/PID/status, such as "SigIgn" or "SigCgt". Returns 0 if the
// set cannot be read.
inline std::uint64_t signals_of(pid_t process, const std::string& which) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(which + ":"))
      return std::strtoull(line.c_str() + which.size() + 1, nullptr, 16);
  return 0;
}

// State of SIGTRAP in the signal mask of one thread.
class trap_mask {
 public:
  // Marks the state as unknown. Call this function whenever the thread's mask may have changed:
  // after a system call or at the start of a handler.
  void changed() { state_ = state::unknown; }
  // Returns true if the program itself blocks SIGTRAP.
  [[nodiscard]] bool blocked() const { return state_ == state::lifted; }

  // Unblocks SIGTRAP before the thread is stepped.
  void lift(pid_t thread) {
    if (state_ != state::unknown) return;
    state_ = state::open;
    std::uint64_t mask = 0;
    if (!get(thread, mask) || (mask & trap_bit) == 0) return;
    set(thread, mask & ~trap_bit);
    state_ = state::lifted;
  }
  // Restores the program's own mask before the kernel examines it.
  void restore(pid_t process, pid_t thread) {
    std::uint64_t mask = 0;
    if (state_ != state::lifted) return;
    if (get(thread, mask)) set(thread, mask | trap_bit);
    state_ = state::unknown;
    // If a SIGTRAP was held back, send it again. It remains pending until the program unblocks it.
    if (held_ && !sent_) {
      sent_ = true;
      syscall(SYS_tgkill, process, thread, SIGTRAP);
    }
  }

  // Holds back a SIGTRAP that was sent while the thread blocks SIGTRAP.
  void hold(const siginfo_t& info) {
    if (!held_) held_ = info;
    sent_ = false;
  }
  // Restores the original sender of a SIGTRAP that was held back. Call this function when the
  // SIGTRAP is about to be delivered.
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
