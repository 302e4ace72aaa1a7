// Normalises a program's initial state. Without normalisation, the state would depend on chance and
// on the length of the arguments, so recordings could not be compared.
#pragma once
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "machine.hpp"

namespace record {

// Normalises the initial stack of a process that is stopped before its first instruction. The stack
// begins with the number of arguments, the addresses of the arguments and of the environment, and
// the auxiliary vector (System V ABI, x86-64, 3.4.1). The strings are at higher addresses, so their
// length shifts the stack.
//
// This function moves the lower part of the stack down to a multiple of 64 KiB. It also clears the
// 16 random bytes from which glibc makes stack canaries. The auxiliary vector contains the address
// of these bytes. Memory that cannot be read or written is left unchanged.
inline void settle_first_state(pid_t process) {
  constexpr std::uint64_t unit = std::uint64_t{1}
                                 << 16;  // Linux maps twice this size below the stack
  registers r;
  if (!r.read(process)) return;
  const std::size_t word_size = r.narrow() ? 4 : 8;

  std::vector<std::byte> all;
  for (std::array<std::byte, 4096> part; all.size() < unit;) {
    const std::size_t n = read_memory(process, r.general.rsp + all.size(), part);
    all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n));
    if (n != part.size()) break;
  }
  const std::size_t words = all.size() / word_size;
  const auto word = [&](std::size_t n) {
    std::uint64_t w = 0;
    std::memcpy(&w, all.data() + n * word_size, word_size);
    return w;
  };
  std::size_t n = 1;  // index of the next word; the first word is the number of arguments
  // Skip the addresses of the arguments and of the environment. Each list ends with 0.
  for (int lists = 0; lists != 2 && n < words;) lists += word(n++) == 0;
  std::uint64_t random = 0;
  for (; n + 1 < words && word(n) != AT_NULL; n += 2)
    if (word(n) == AT_RANDOM) random = word(n + 1);
  if (n + 1 >= words) return;
  all.resize((n + 2) * word_size);

  const auto write = [&](std::uint64_t at, std::span<std::byte> bytes) {
    const iovec from{bytes.data(), bytes.size()}, to{reinterpret_cast<void*>(at), bytes.size()};
    return process_vm_writev(process, &from, 1, &to, 1, 0) == static_cast<ssize_t>(bytes.size());
  };
  std::array<std::byte, 16> zeros{};
  if (random != 0) write(random, zeros);
  const std::uint64_t place = (r.general.rsp - all.size()) & ~(unit - 1);
  if (!write(place, all)) return;
  r.general.rsp = place;
  ptrace(PTRACE_SETREGS, process, nullptr, &r.general);
}

}  // namespace record
