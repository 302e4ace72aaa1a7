// System calls that require the recorder to examine the program again.
#pragma once
#include <sys/user.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <initializer_list>

#include "machine.hpp"

namespace record {

// System call of a 64-bit or 32-bit program: its number, first four arguments and result.
class system_call {
 public:
  system_call() = default;
  // Captures a system call that begins. `r` contains the registers at that time.
  explicit system_call(const registers& r)
      : narrow_(r.narrow()),
        number_(r.general.orig_rax),
        first_(narrow_ ? r.general.rbx : r.general.rdi),
        second_(narrow_ ? r.general.rcx : r.general.rsi),
        third_(r.general.rdx),
        fourth_(narrow_ ? r.general.rsi : r.general.r10) {}
  // Stores the result of the system call. `r` contains the registers at the end of the call.
  void ends(const registers& r) {
    ended_ = static_cast<std::int64_t>(r.general.orig_rax) != -1;
    result_ = narrow_ ? static_cast<std::int32_t>(r.general.rax)
                      : static_cast<std::int64_t>(r.general.rax);
  }

  // Returns true if a signal interrupted the call. After an interruption, the kernel restarts the
  // call, or returns an error after the signal handler. The result of such a call is between
  // ERESTARTSYS and ERESTART_RESTARTBLOCK (Linux, include/linux/errno.h). sigreturn is excluded,
  // because the registers that it restores can contain any value.
  [[nodiscard]] bool restarts() const {
    return ended_ && result_ <= -512 && result_ >= -516 && result_ != -515;
  }
  [[nodiscard]] bool interrupted() const { return ended_ && result_ == -EINTR; }

  [[nodiscard]] bool makes_child() const {
    return result_ > 0 && is({56, 57, 58, 435}, {2, 120, 190, 435});
  }
  // Returns true if the call may have changed whether the program ignores SIGTRAP.
  [[nodiscard]] bool handles_trap() const {
    if (first_ != SIGTRAP) return false;
    return is({}, {48}) || (second_ != 0 && is({13}, {67, 174}));
  }
  // Returns true if the call may have mapped code from a file. Such a call is mmap with PROT_EXEC
  // and without MAP_ANONYMOUS.
  [[nodiscard]] bool maps_code() const {
    const bool failed = result_ < 0 && result_ >= -4095;
    return !failed && is({9}, {192}) && (third_ & 4) != 0 && (fourth_ & 0x20) == 0;
  }

 private:
  // Returns true if the call's number is in the list for the program's width. The numbers come from
  // Linux's files syscall_64.tbl and syscall_32.tbl in arch/x86/entry/syscalls.
  [[nodiscard]] bool is(std::initializer_list<std::uint64_t> wide,
                        std::initializer_list<std::uint64_t> narrow) const {
    const auto& numbers = narrow_ ? narrow : wide;
    return std::find(numbers.begin(), numbers.end(), number_) != numbers.end();
  }

  bool narrow_ = false;
  std::uint64_t number_ = 0, first_ = 0, second_ = 0, third_ = 0, fourth_ = 0;
  bool ended_ = false;
  std::int64_t result_ = 0;
};

}  // namespace record
