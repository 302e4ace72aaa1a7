// Registers and memory of a stopped thread, as provided by the kernel.
#pragma once
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tracecodec/x86/address.hpp>

namespace record {

namespace x86 = tracecodec::x86;

// General registers, and the XSAVE area in its standard format (Intel, volume 1, 13.4). The first
// 512 bytes of the area contain the x87 and SSE state. The header follows. The upper halves of the
// ymm registers begin at byte 576.
struct registers {
  user_regs_struct general = {};
  alignas(64) std::array<std::byte, 4096> extended = {};
  std::size_t extended_size = 0;

  // Reads the registers. Returns false if the thread has ended.
  bool read(pid_t thread) {
    if (ptrace(PTRACE_GETREGS, thread, nullptr, &general) != 0) return false;
    iovec area{extended.data(), extended.size()};
    const bool there = ptrace(PTRACE_GETREGSET, thread, NT_X86_XSTATE, &area) == 0;
    extended_size = there ? area.iov_len : 0;
    return true;
  }
  // Returns true if the thread executes 32-bit code. For such code, Linux sets cs to 0x23.
  [[nodiscard]] bool narrow() const { return general.cs == 0x23; }

  // Functions that the concept x86::machine_state requires.
  [[nodiscard]] std::uint64_t value(x86::reg r) const {
    using x86::reg;
    const user_regs_struct& g = general;
    switch (r) {
      case reg::rax:
        return g.rax;
      case reg::rbx:
        return g.rbx;
      case reg::rcx:
        return g.rcx;
      case reg::rdx:
        return g.rdx;
      case reg::rsi:
        return g.rsi;
      case reg::rdi:
        return g.rdi;
      case reg::rbp:
        return g.rbp;
      case reg::rsp:
        return g.rsp;
      case reg::r8:
        return g.r8;
      case reg::r9:
        return g.r9;
      case reg::r10:
        return g.r10;
      case reg::r11:
        return g.r11;
      case reg::r12:
        return g.r12;
      case reg::r13:
        return g.r13;
      case reg::r14:
        return g.r14;
      case reg::r15:
        return g.r15;
      case reg::flags:
        return g.eflags;
      case reg::ip:
        return g.rip;
      default:
        return 0;
    }
  }
  [[nodiscard]] std::uint64_t segment_base(x86::reg r) const {
    return r == x86::reg::fs ? general.fs_base : general.gs_base;
  }
};
static_assert(x86::machine_state<registers>);

// Reads up to three pages of a process's memory. Returns the number of bytes before the first byte
// that cannot be read.
inline std::size_t read_memory(pid_t process, std::uint64_t address, std::span<std::byte> to) {
  constexpr std::uint64_t page = 4096;
  std::array<iovec, 3> pieces{};
  std::size_t n = 0, left = to.size();
  for (std::uint64_t at = address; left != 0 && n < pieces.size(); ++n) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, page - at % page));
    pieces[n] = {reinterpret_cast<void*>(at), size};
    at += size;
    left -= size;
  }
  const iovec into{to.data(), to.size() - left};
  const ssize_t got = process_vm_readv(process, &into, 1, pieces.data(), n, 0);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

}  // namespace record
