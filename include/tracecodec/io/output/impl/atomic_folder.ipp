#pragma once
#include "../atomic_folder.hpp"

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "../../error.hpp"
#include "../../input/truncation.hpp"
#include "../../os/filesystem.hpp"
#include "../../os/os.hpp"
#include "../../os/path.hpp"
#include "../engine/temporary.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC atomic_folder::atomic_folder(const std::string& path, std::uint64_t most_bytes)
    : name_(path), limit_(most_bytes) {
  find_target();
  detail::remove_leftovers(target_);
  temporary_ = os::create_held_folder(detail::own_prefix(target_), name_);
}

TRACECODEC_FUNC atomic_folder::~atomic_folder() {
  if (!temporary_.path.empty()) os::remove_all(temporary_.path);
}

TRACECODEC_FUNC void atomic_folder::find_target() {
  std::string path = name_;
  while (path.size() > 1 && ends_with_separator(path)) path.pop_back();
  const os::facts there = os::facts_of(path);
  if (there.what == os::kind::missing) {
    target_ = detail::resolve_links(path, name_);
    if (file_name_at(target_) == target_.size()) os::fail(name_, ENOENT);
    return;
  }
  const auto refuse = [&](const char* why) {
    throw trace_error(trace_errc::refused, {.file = name_}, why);
  };
  if (there.what != os::kind::directory) refuse("exists and is not a folder");
  std::error_code error;
  if (!std::filesystem::is_empty(path_of(path), error) || error)
    refuse("exists and is not an empty folder");
  target_ = name_of(std::filesystem::canonical(path_of(path), error));
  if (error) os::fail(name_, error.default_error_condition().value());
  permissions_ = there.permissions;
}

TRACECODEC_FUNC std::string atomic_folder::path(const std::string& file) const {
  return joined(name_, file);
}

TRACECODEC_FUNC std::string atomic_folder::temporary_path(const std::string& file) const {
  return temporary_.path + '/' + file;
}

TRACECODEC_FUNC folder_file atomic_folder::create(const std::string& file,
                                                  std::size_t window) const {
  return {os::create(temporary_path(file), path(file)), path(file), window, &limit_};
}

TRACECODEC_FUNC void atomic_folder::remove(const std::string& file) const noexcept {
  os::remove(temporary_path(file));
}

TRACECODEC_FUNC void atomic_folder::finish() {
  check_mapped_files();
  // Ignore errors, because the file system may not support permissions.
  if (std::error_code ignored; permissions_ != 0)
    std::filesystem::permissions(path_of(temporary_.path), std::filesystem::perms(permissions_),
                                 ignored);
  os::sync_folder(temporary_.path);
  os::rename(temporary_.path, target_, name_);
  temporary_.path.clear();
  os::sync_folder(detail::folder_of(target_));
}

}  // namespace tracecodec::io
