// How a program is run under QEMU: by which emulator, with which arguments. The recorder starts it so, and
// the plugin what the program becomes.
#pragma once
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tracecodec/tracepack/layout.hpp>
#include <vector>

namespace record::qemu {

namespace tracepack = tracecodec::tracepack;

// By QEMU's name.
inline tracepack::processor named(std::string_view processor) {
  if (processor == "x86_64") return tracepack::processor::x86_64;
  if (processor == "i386") return tracepack::processor::x86_32;
  if (processor == "aarch64") return tracepack::processor::aarch64;
  return processor == "riscv64" ? tracepack::processor::riscv64 : tracepack::processor::unknown;
}

// What a file is run by, as the kernel does it: itself, or the interpreter that its first line names.
struct runnable {
  std::string_view processor = {};          // "x86_64", as QEMU calls it
  std::string file = {};                    // an ELF file of it
  std::vector<std::string> arguments = {};  // from argument 0 on
};

namespace detail {
// What its ELF header says; empty if no emulator of ours is for it.
inline std::string_view processor_of(const std::array<unsigned char, 256>& head, std::size_t n) {
  if (n < sizeof(Elf32_Ehdr) || std::memcmp(head.data(), ELFMAG, SELFMAG) != 0) return {};
  if (head[EI_DATA] != ELFDATA2LSB) return {};
  const unsigned machine = head[18] | static_cast<unsigned>(head[19]) << 8U;
  const bool wide = head[EI_CLASS] == ELFCLASS64;
  if (machine == EM_X86_64 && wide) return "x86_64";
  if (machine == EM_386 && !wide) return "i386";
  if (machine == EM_AARCH64 && wide) return "aarch64";
  if (machine == EM_RISCV && wide) return "riscv64";
  return {};
}
}  // namespace detail

// `arguments` are those of the program, from argument 0 on. nullopt if there is no such file, it may not be
// executed, or is none for an emulator; errno says which (ENOEXEC).
inline std::optional<runnable> resolve(std::string file, std::vector<std::string> arguments) {
  constexpr int deepest = 5;  // Linux: more interpreters of interpreters are refused
  for (int depth = 0; depth != deepest; ++depth) {
    if (::access(file.c_str(), X_OK) != 0) return std::nullopt;
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::nullopt;
    std::array<unsigned char, 256> head{};  // as much as Linux looks at
    const ssize_t got = ::read(fd, head.data(), head.size());
    ::close(fd);
    const auto n = static_cast<std::size_t>(got > 0 ? got : 0);
    if (const std::string_view p = detail::processor_of(head, n); !p.empty())
      return runnable{p, std::move(file), std::move(arguments)};
    std::string_view line(reinterpret_cast<const char*>(head.data()), n);
    if (!line.starts_with("#!")) break;
    line = line.substr(2, line.find('\n') == line.npos ? line.npos : line.find('\n') - 2);
    const auto trim = [](std::string_view s) {
      const std::size_t from = s.find_first_not_of(" \t"), to = s.find_last_not_of(" \t");
      return from == s.npos ? std::string_view() : s.substr(from, to - from + 1);
    };
    line = trim(line);
    const std::size_t end = line.find_first_of(" \t");
    std::vector<std::string> with{std::string(line.substr(0, end))};
    if (end != line.npos) with.emplace_back(trim(line.substr(end)));
    with.push_back(std::move(file));
    if (!arguments.empty()) with.insert(with.end(), arguments.begin() + 1, arguments.end());
    file = with[0];
    arguments = std::move(with);
  }
  errno = ENOEXEC;
  return std::nullopt;
}

// The folder of the program that runs here: trace_record, or the emulator. Empty if nobody knows.
inline std::string own_folder() {
  std::array<char, PATH_MAX> self{};
  const ssize_t n = ::readlink("/proc/self/exe", self.data(), self.size());
  const std::string path(self.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  return path.substr(0, path.rfind('/'));
}
// Where the emulator's command line has the program's file.
inline constexpr std::size_t place_of_file = 7;
// The emulator's command line. `folder` has the emulators, `plugin` is the file of this plugin.
inline std::vector<std::string> emulated(const runnable& r, const std::string& folder,
                                         const std::string& plugin, std::string_view socket) {
  // Each run of a program finds the same random bytes.
  std::vector<std::string> all{(folder + "/qemu-").append(r.processor),
                               "-seed",
                               "1",
                               "-plugin",
                               (plugin + ",socket=").append(socket),
                               "-0",
                               r.arguments.empty() ? std::string() : r.arguments[0],
                               r.file};
  if (!r.arguments.empty()) all.insert(all.end(), r.arguments.begin() + 1, r.arguments.end());
  return all;
}

}  // namespace record::qemu
