// Output that has no name, or a temporary one, until it is whole. A temporary name is
// ".tracecodec-TARGET-PROCESS-RANDOM", all in hex digits, TARGET being a hash of the later name: so
// the next writer of that name finds what one that was killed has left, and removes it.
#pragma once
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "filesystem.hpp"
#include "hash.hpp"
#include "os.hpp"

namespace tracecodec::io::detail {

// How the temporary names of `target` begin.
inline std::string temporary_prefix(const std::filesystem::path& target) {
  std::uint64_t h = 0;
  for (const char c : name_of(target.filename())) h = mixed(h ^ static_cast<unsigned char>(c));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), ".tracecodec-%08x-", static_cast<unsigned>(h));
  return text.data();
}

inline std::string folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? name_of(target.parent_path()) : ".";
}

// Removes what writers of `target` have left that are gone; never what one that lives still writes.
// Nothing is said of what cannot be removed: it harms nobody.
inline void remove_leftovers(const std::filesystem::path& target) noexcept {
  try {
    const std::string prefix = temporary_prefix(target);
    std::error_code error;
    std::filesystem::directory_iterator at(path_of(folder_of(target)), error);
    for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
      const std::string name = name_of(at->path().filename());
      if (!name.starts_with(prefix)) continue;
      unsigned process = 0;
      const char* const digits = name.data() + prefix.size();
      const auto end = std::from_chars(digits, name.data() + name.size(), process, 16);
      if (end.ec != std::errc{}) continue;
      os::if_abandoned(name_of(at->path()), process, [&at] {
        std::error_code ignored;
        std::filesystem::remove_all(at->path(), ignored);
      });
    }
  } catch (const std::exception&) {
    // There is no memory for it.
  }
}

// Where a process makes what has a temporary name.
inline std::string own_prefix(const std::filesystem::path& target) {
  std::array<char, 16> process{};
  std::snprintf(process.data(), process.size(), "%x-", os::process_id());
  return folder_of(target) + '/' + temporary_prefix(target) + process.data();
}

// A file that becomes `target`.
class temporary_file {
 public:
  // Made in the folder of `target`; `replaced` is what is there. Throws trace_error(system) with
  // `name`.
  temporary_file(std::filesystem::path target, const os::facts& replaced, const std::string& name)
      : target_(std::move(target)) {
    remove_leftovers(target_);
    made_ = os::create_unnamed(folder_of(target_), replaced);
    if (!made_.file) made_ = os::create_temporary(own_prefix(target_), replaced, name);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  // The file must be closed, wherever it was given.
  ~temporary_file() {
    if (!made_.path.empty()) os::remove(made_.path);
  }

  // Open for writing; to be taken once.
  [[nodiscard]] os::descriptor take() { return std::move(made_.file); }

  // Gives it its name: to be called when all is written and closed. Throws trace_error(system) with
  // `name`; then it vanishes.
  void appear(const std::string& name) {
    const std::string target = name_of(target_);
    if (made_.path.empty()) {
      if (os::give_name(made_.held, target)) return;
      // A name that is taken can only be replaced by another one.
      if (errno != EEXIST) os::fail(name, errno);
      made_.path = os::give_temporary_name(made_.held, own_prefix(target_), name);
    }
    os::rename(made_.path, target, name);
    made_.path.clear();
  }

 private:
  std::filesystem::path target_;
  os::temporary made_ = {};
};

}  // namespace tracecodec::io::detail
