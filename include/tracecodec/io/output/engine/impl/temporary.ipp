#pragma once
#include "../temporary.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "../../../hash.hpp"
#include "../../../os/filesystem.hpp"
#include "../../../os/path.hpp"

namespace tracecodec::io::detail {

// Returns `path` without its file name.
TRACECODEC_FUNC std::string up_to_name(const std::string& path) {
  return path.substr(0, file_name_at(path));
}

TRACECODEC_FUNC std::string resolve_links(const std::string& path, const std::string& name) {
  std::filesystem::path at = path_of(path);
  for (int hops = 0;;) {
    std::error_code no_link;
    const std::filesystem::path to = std::filesystem::read_symlink(at, no_link);
    if (no_link) return name_of(at);
    if (++hops > 40) os::fail(name, ELOOP);
    at = at.parent_path() / to;
  }
}

// Returns the prefix of the temporary names of `target`, without the folder.
TRACECODEC_FUNC std::string temporary_prefix(const std::string& target) {
  std::uint64_t h = 0;
  for (const char c : std::string_view(target).substr(file_name_at(target)))
    h = mixed(h ^ static_cast<unsigned char>(c));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), ".tracecodec-%08x-", static_cast<unsigned>(h));
  return text.data();
}

TRACECODEC_FUNC std::string folder_of(const std::string& target) {
  const std::string folder = up_to_name(target);
  return folder.empty() ? "." : folder;
}

TRACECODEC_FUNC void remove_leftovers(const std::string& target) noexcept {
  try {
    const std::string prefix = temporary_prefix(target);
    std::error_code error;
    std::filesystem::directory_iterator file(path_of(folder_of(target)), error);
    for (; !error && file != std::filesystem::directory_iterator(); file.increment(error)) {
      const std::string name = name_of(file->path().filename());
      if (!name.starts_with(prefix)) continue;
      unsigned process = 0;
      const char* const digits = name.data() + prefix.size();
      const auto end = std::from_chars(digits, name.data() + name.size(), process, 16);
      if (end.ec != std::errc{}) continue;
      const std::string path = up_to_name(target) + name;
      os::if_abandoned(path, process, [&path] { os::remove_all(path); });
    }
  } catch (const std::exception&) {
    // Memory is insufficient, so the leftovers remain.
  }
}

TRACECODEC_FUNC std::string own_prefix(const std::string& target) {
  std::array<char, 16> process{};
  std::snprintf(process.data(), process.size(), "%x-", os::process_id());
  return up_to_name(target) + temporary_prefix(target) + process.data();
}

TRACECODEC_FUNC temporary_file::temporary_file(std::string target, const os::facts& replaced,
                                               const std::string& name)
    : target_(std::move(target)) {
  remove_leftovers(target_);
  made_ = os::create_unnamed(folder_of(target_), replaced);
  if (!made_.file) made_ = os::create_temporary(own_prefix(target_), replaced, name);
}

TRACECODEC_FUNC temporary_file::~temporary_file() {
  if (!made_.path.empty()) os::remove(made_.path);
}

TRACECODEC_FUNC void temporary_file::appear(const std::string& name) {
  if (made_.path.empty()) {
    if (os::give_name(made_.held, target_)) return;
    // Only a rename can replace an existing file, so the file needs a temporary name first.
    if (errno != EEXIST) os::fail(name, errno);
    made_.path = os::give_temporary_name(made_.held, own_prefix(target_), name);
  }
  os::rename(made_.path, target_, name);
  made_.path.clear();
}

}  // namespace tracecodec::io::detail
