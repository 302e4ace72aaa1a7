// System calls after which the recorder looks at the program anew.
#pragma once
#include <sys/user.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <initializer_list>

#include "machine.hpp"

namespace record {

// One that has ended: its number, the first arguments and the result, of 64- and 32-bit programs.
class system_call {
 public:
  system_call() = default;
  // The registers where it begins.
  explicit system_call(const registers& r)
      : narrow_(r.narrow()),
        number_(r.general.orig_rax),
        first_(narrow_ ? r.general.rbx : r.general.rdi),
        second_(narrow_ ? r.general.rcx : r.general.rsi),
        third_(r.general.rdx),
        fourth_(narrow_ ? r.general.rsi : r.general.r10) {}
  // The registers where it ends.
  void ends(const registers& r) {
    ended_ = static_cast<std::int64_t>(r.general.orig_rax) != -1;
    result_ = narrow_ ? static_cast<std::int32_t>(r.general.rax)
                      : static_cast<std::int64_t>(r.general.rax);
  }

  // A signal cuts it short: the kernel begins it again, or tells the program so behind the handler.
  // Linux, include/linux/errno.h: ERESTARTSYS to ERESTART_RESTARTBLOCK. Not what sigreturn leaves.
  [[nodiscard]] bool restarts() const {
    return ended_ && result_ <= -512 && result_ >= -516 && result_ != -515;
  }
  [[nodiscard]] bool interrupted() const { return ended_ && result_ == -EINTR; }

  [[nodiscard]] bool makes_child() const {
    return result_ > 0 && is({56, 57, 58, 435}, {2, 120, 190, 435});
  }
  // Whether SIGTRAP is ignored may be another matter now.
  [[nodiscard]] bool handles_trap() const {
    if (first_ != SIGTRAP) return false;
    return is({}, {48}) || (second_ != 0 && is({13}, {67, 174}));
  }
  // Code of a file may be mapped now: mmap with PROT_EXEC, not MAP_ANONYMOUS.
  [[nodiscard]] bool maps_code() const {
    const bool failed = result_ < 0 && result_ >= -4095;
    return !failed && is({9}, {192}) && (third_ & 4) != 0 && (fourth_ & 0x20) == 0;
  }

 private:
  // arch/x86/entry/syscalls: syscall_64.tbl, syscall_32.tbl.
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
