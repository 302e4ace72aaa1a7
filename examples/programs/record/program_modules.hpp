// Modules of a running program, according to /proc. The modules are the files that the program
// executes, with their addresses.
#pragma once
#include <sys/types.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <tracecodec/program/map.hpp>
#include <utility>
#include <vector>

namespace record {

using tracecodec::program_module;

namespace detail {
// Parsed line of /proc/PID/maps, for example:
// "7ffff7dd5000-7ffff7dfb000 r-xp 00001000 08:01 1234   /usr/lib/libc.so.6"
struct mapping {
  std::uint64_t from = 0, to = 0, offset = 0;
  bool code = false;
  std::string path = {};  // empty for anonymous memory
};

inline bool read_mapping(std::string_view line, mapping& m) {
  const auto number = [&line](std::uint64_t& n, char separator) {
    const char* const end = line.data() + line.size();
    const auto [used, error] = std::from_chars(line.data(), end, n, 16);
    if (error != std::errc() || used == end || *used != separator) return false;
    line.remove_prefix(static_cast<std::size_t>(used - line.data()) + 1);
    return true;
  };
  if (!number(m.from, '-') || !number(m.to, ' ') || line.size() < 5) return false;
  m.code = line[2] == 'x';
  line.remove_prefix(5);
  if (!number(m.offset, ' ')) return false;
  const std::size_t path = line.find_first_of("/[");
  m.path = path == line.npos ? std::string_view() : line.substr(path);
  return m.from < m.to;
}
}  // namespace detail

// Returns the modules that contain code. A module extends from the first to the last mapping of a
// file, as long as no other file is mapped in between. If `all_files` is true, also returns files
// without mapped code.
inline std::vector<program_module> modules_of(std::istream& maps, bool all_files) {
  std::vector<program_module> all;
  program_module now;
  bool code = false;
  std::uint64_t offset = 0;
  const auto end = [&] {
    if (code) all.push_back(now);
    now = {};
    code = false;
  };
  detail::mapping m;
  for (std::string line; std::getline(maps, line);) {
    // Anonymous mappings, such as .bss, have no path.
    if (!detail::read_mapping(line, m) || m.path.empty()) continue;
    // A new module begins here if the file differs, or if the offset in the file decreases.
    if (m.path != now.path || m.offset < offset) {
      end();
      now.path = m.path;
      now.base = m.from;
    }
    now.size = m.to - now.base;
    offset = m.offset;
    code = code || m.code || all_files;
  }
  end();
  return all;
}

// Modules that were mapped while the program was recorded. If several modules used the same
// addresses one after another, only the first module is kept.
class program_modules {
 public:
  void look(pid_t process) { look(process, 0, false); }
  // Adds the modules of an emulated process. Emulated addresses are lower by `base` than the
  // addresses in the kernel's list. Adds all mapped files, because the host kernel does not mark
  // emulated code as executable.
  void look_inside(pid_t process, std::uint64_t base) { look(process, base, true); }
  // Copies the modules of the parent process.
  void inherit(const program_modules& parent) { now_.modules = parent.now_.modules; }
  // Removes the modules without recorded instructions, except for `file`. The removed modules
  // belong to the emulator or are unused.
  void keep_executed(const std::string& file) {
    for (program* p : {&now_, &before_})
      std::erase_if(p->modules, [&](const program_module& m) {
        return m.path != file && !p->near(m.base, m.size);
      });
  }
  // Begins a new program after exec. `instruction` is the number of the first instruction that is
  // recorded in the new program.
  void begin(std::uint64_t instruction) {
    if (!now_.pages.empty()) before_ = std::move(now_);
    now_ = {.from = instruction};
    last_ = none;
  }
  // Removes the modules of the current program. The program may have unmapped them.
  void forget() { now_.modules.clear(); }
  // Registers a recorded instruction by its number and address.
  void executed(std::uint64_t instruction, std::uint64_t ip) {
    if (ip >> page_bits == last_ || instruction < now_.from) return;
    now_.pages.insert(last_ = ip >> page_bits);
  }

  [[nodiscard]] const std::vector<program_module>& all() const { return current().modules; }
  // Returns the modules of the program that is currently running.
  [[nodiscard]] const std::vector<program_module>& now() const { return now_.modules; }
  // Returns the number of the first instruction that was recorded in the program. all() returns the
  // modules of the same program.
  [[nodiscard]] std::uint64_t from() const { return current().from; }
  // Returns true if an instruction was recorded on a page that contains any of the `size` bytes at
  // `address`. If so, a symbol for these bytes is worth storing.
  [[nodiscard]] bool near(std::uint64_t address, std::uint64_t size) const {
    return current().near(address, size);
  }

 private:
  void look(pid_t process, std::uint64_t base, bool all_files) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (program_module& m : modules_of(maps, all_files)) {
      m.base -= base;
      add(std::move(m));
    }
  }
  struct program {
    std::uint64_t from = 0;
    std::vector<program_module> modules = {};
    std::set<std::uint64_t> pages = {};  // pages with recorded instructions

    [[nodiscard]] bool near(std::uint64_t address, std::uint64_t size) const {
      const auto page = pages.lower_bound(address >> page_bits);
      const std::uint64_t more = size == 0 ? std::uint64_t{1} << page_bits : size - 1;
      return page != pages.end() && *page <= (address + more) >> page_bits;
    }
  };
  // Returns the program from which the last instruction was recorded.
  [[nodiscard]] const program& current() const {
    return now_.pages.empty() && !before_.pages.empty() ? before_ : now_;
  }
  void add(program_module m) {
    for (program_module& other : now_.modules) {
      if (!other.has(m.base) && !m.has(other.base)) continue;
      // The loader maps a module piece by piece, so update the size of a known module.
      if (other.path == m.path && other.base == m.base && other.size < m.size) other.size = m.size;
      return;
    }
    now_.modules.push_back(std::move(m));
  }

  static constexpr int page_bits = 12;
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  program now_ = {}, before_ = {};
  std::uint64_t last_ = none;
};

}  // namespace record
