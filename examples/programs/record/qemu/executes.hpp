// Emulates execve. If the kernel handled execve, the new program would run without the emulator and
// would not be recorded. Therefore the plugin executes the emulator with the new program as an
// argument.
#pragma once
#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator.hpp"
#include "recording.hpp"

namespace record::qemu {

// Memory of the emulated program. The program's address 0 is at `base` in this process. The class
// accepts invalid pointers, because they come from the program.
class guest_memory {
 public:
  guest_memory(std::uint64_t base, bool narrow) : base_(base), word_(narrow ? 4 : 8) {}

  [[nodiscard]] std::optional<std::string> text(std::uint64_t at) const {
    // Maximum length of a string. Linux has the same limit (MAX_ARG_STRLEN).
    constexpr std::size_t page = 4096, longest = 32 * page;
    std::string all;
    while (all.size() < longest) {
      std::array<char, page> part;
      const std::size_t n = page - (at + all.size()) % page;
      if (!read(at + all.size(), part.data(), n)) return std::nullopt;
      const std::string_view got(part.data(), n);
      all += got.substr(0, got.find('\0'));
      if (got.find('\0') != got.npos) return all;
    }
    return std::nullopt;
  }
  // Returns the strings that belong to the null-terminated array of pointers at `at`. Returns an
  // empty list if `at` is 0, and nullopt if the memory cannot be read.
  [[nodiscard]] std::optional<std::vector<std::string>> texts(std::uint64_t at) const {
    std::vector<std::string> all;
    for (; at != 0; at += word_) {
      std::uint64_t pointer = 0;
      if (!read(at, &pointer, word_)) return std::nullopt;
      if (pointer == 0) break;
      auto one = text(pointer);
      if (!one) return std::nullopt;
      all.push_back(std::move(*one));
    }
    return all;
  }

 private:
  bool read(std::uint64_t at, void* to, std::size_t n) const {
    const iovec into{to, n}, from{reinterpret_cast<void*>(base_ + at), n};
    return ::process_vm_readv(::getpid(), &into, 1, &from, 1, 0) == static_cast<ssize_t>(n);
  }
  std::uint64_t base_;
  std::size_t word_;
};

// Returns the path of the program that this process emulates. The path has a fixed index in the
// emulator's command line (see emulated()).
inline std::string emulated_file() {
  std::ifstream line("/proc/self/cmdline", std::ios::binary);
  std::string one;
  for (std::size_t n = 0; n <= place_of_file; ++n) std::getline(line, one, '\0');
  return one;
}

// Executes a program under the emulator. If this function returns, the original system call must
// proceed. The kernel then reports any error to the program.
inline void execute(const guest_memory& memory, const recording& all, std::uint64_t file,
                    std::uint64_t arguments, std::uint64_t environment) {
  const auto path = memory.text(file);
  auto with = memory.texts(arguments), in = memory.texts(environment);
  if (!path || !with || !in) return;
  const std::string own = "/proc/" + std::to_string(::getpid()) + "/exe";
  const bool itself = *path == "/proc/self/exe" || *path == "/proc/thread-self/exe" || *path == own;
  const auto found = resolve(itself ? emulated_file() : *path, std::move(*with));
  const std::string folder = own_folder();
  Dl_info plugin{};
  if (!found || folder.empty() || ::dladdr(reinterpret_cast<const void*>(&resolve), &plugin) == 0)
    return;
  // If the recording is over, a program for this processor can run without the emulator. The kernel
  // then handles execve.
  if (all.over() && found->processor == "x86_64") return;
  const std::vector<std::string> line =
      emulated(*found, folder, plugin.dli_fname, all.over() ? std::string_view() : all.name());
  if (::access(line[0].c_str(), X_OK) != 0) return;
  const auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> p;
    for (const std::string& t : texts) p.push_back(const_cast<char*>(t.c_str()));
    p.push_back(nullptr);
    return p;
  };
  ::execve(line[0].c_str(), pointers(line).data(), pointers(*in).data());
}

}  // namespace record::qemu
