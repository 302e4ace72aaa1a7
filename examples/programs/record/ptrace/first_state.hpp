// What a program finds when it starts, as far as that is chance or the length of its arguments: the
// same for each recording, so that recordings can be compared.
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

// Of a process that is stopped before its first instruction. Its stack begins with the number of its
// arguments, the addresses of these and of its environment, and the auxiliary vector (System V ABI,
// x86-64, 3.4.1), below the texts: the longer those, the lower this. It is moved down to a multiple
// of 64 KiB. The 16 random bytes that the vector points to, of which glibc makes stack canaries,
// become zeros. What cannot be read or written stays as it is.
inline void settle_first_state(pid_t process) {
  constexpr std::uint64_t unit = std::uint64_t{1}
                                 << 16;  // Linux maps twice as much below the stack
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
  std::size_t n = 1;  // behind the number of arguments
  for (int lists = 0; lists != 2 && n < words;) lists += word(n++) == 0;  // each ends with 0
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
