// Selects the emulator for a program, and the emulator's arguments. The recorder uses these
// functions to start a program. The plugin uses them when a program calls exec.
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
#include <tracecodec/tracepack/properties.hpp>
#include <vector>

namespace record::qemu {

namespace tracepack = tracecodec::tracepack;

// Returns the processor with QEMU's name `processor`, or `unknown`.
inline tracepack::processor named(std::string_view processor) {
  if (processor == "x86_64") return tracepack::processor::x86_64;
  if (processor == "i386") return tracepack::processor::x86_32;
  if (processor == "aarch64") return tracepack::processor::aarch64;
  return processor == "riscv64" ? tracepack::processor::riscv64 : tracepack::processor::unknown;
}

// Executable that the kernel would use to run a file. It is the file itself, or the interpreter in
// the file's first line (#!).
struct runnable {
  // QEMU's name for the processor, such as "x86_64".
  std::string_view processor = {};
  // Path of the executable, an ELF file.
  std::string file = {};
  // Arguments of the executable, starting with argument 0.
  std::vector<std::string> arguments = {};
};

namespace detail {
// Returns QEMU's name for the processor in an ELF header. Returns an empty view if no supported
// emulator runs programs for that processor.
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

// Finds the executable that runs `file`. `arguments` are the arguments of the program, starting
// with argument 0. If the file does not exist or cannot be executed, sets errno and returns
// nullopt. The errno ENOEXEC means that no supported emulator runs the file.
inline std::optional<runnable> resolve(std::string file, std::vector<std::string> arguments) {
  // Maximum nesting depth of interpreters, the same as in Linux.
  constexpr int deepest = 5;
  for (int depth = 0; depth != deepest; ++depth) {
    if (::access(file.c_str(), X_OK) != 0) return std::nullopt;
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::nullopt;
    // Linux also examines 256 bytes of a file.
    std::array<unsigned char, 256> head{};
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

// Returns the folder of the running executable (trace_record or the emulator), or an empty string
// if the folder is unknown.
inline std::string own_folder() {
  std::array<char, PATH_MAX> self{};
  const ssize_t n = ::readlink("/proc/self/exe", self.data(), self.size());
  const std::string path(self.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  return path.substr(0, path.rfind('/'));
}
// Index of the program's path in the emulator's command line.
inline constexpr std::size_t place_of_file = 7;
// Returns the command line of the emulator. `folder` contains the emulators, and `plugin` is the
// path of the plugin.
inline std::vector<std::string> emulated(const runnable& r, const std::string& folder,
                                         const std::string& plugin, std::string_view socket) {
  // Use a fixed seed, so that the program receives the same random bytes in every run.
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
