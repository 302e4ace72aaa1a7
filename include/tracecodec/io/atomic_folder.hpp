// A folder that appears under its name only when it is whole.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>

#include "atomic_file.hpp"
#include "cut_files.hpp"
#include "error.hpp"
#include "filesystem.hpp"
#include "folder_file.hpp"
#include "os.hpp"
#include "path.hpp"
#include "temporary.hpp"

namespace tracecodec::io {

// Files are written into a temporary folder beside the target; finish() gives it its name.
// Destroyed before, it removes everything; what a process that was killed has left, the next one that
// writes a folder of this name removes. Errors name the target, never the temporary folder.
class atomic_folder {
 public:
  // Throws trace_error: refused if `path` exists and is anything but an empty folder; system if no
  // folder can be made beside it.
  explicit atomic_folder(const std::string& path) : name_(path) {
    find_target();
    detail::remove_leftovers(target_);
    temporary_ = os::create_held_folder(detail::own_prefix(target_), name_);
  }
  atomic_folder(const atomic_folder&) = delete;
  atomic_folder& operator=(const atomic_folder&) = delete;
  ~atomic_folder() {
    std::error_code error;
    if (!temporary_.path.empty()) std::filesystem::remove_all(path_of(temporary_.path), error);
  }

  // As the caller gave it.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // The name that a file of the folder will have.
  [[nodiscard]] std::string path(const std::string& file) const { return joined(name_, file); }
  // Where it lies until then.
  [[nodiscard]] std::string temporary_path(const std::string& file) const {
    return temporary_.path + '/' + file;
  }

  // A new file in it. Throws trace_error(system).
  [[nodiscard]] folder_file create(const std::string& file,
                                   std::size_t window = folder_file::usual_window) const {
    return {os::create(temporary_path(file), path(file)), path(file), window};
  }
  // Removes a file again.
  void remove(const std::string& file) const noexcept { os::remove(temporary_path(file)); }

  // Gives the folder its name. Its files must be finished. Throws trace_error(system), also if the
  // target has got files in the meantime, or if a file that the process has mapped became shorter.
  void finish() {
    check_mapped_files();
    if (permissions_ != 0) os::set_permissions(temporary_.path, permissions_);
    os::sync_folder(temporary_.path);
    os::rename(temporary_.path, name_of(target_), name_);
    temporary_.path.clear();
    os::sync_folder(detail::folder_of(target_));
  }

 private:
  void find_target() {
    std::string path = name_;
    while (path.size() > 1 && ends_with_separator(path)) path.pop_back();
    const os::facts there = os::facts_of(path);
    std::error_code error;
    if (there.what == os::kind::missing) {
      target_ = detail::behind_links(path_of(path), name_);
      if (!target_.has_filename()) os::fail(name_, ENOENT);
      return;
    }
    const auto refuse = [&](const char* why) {
      throw trace_error(trace_errc::refused, {.file = name_}, why);
    };
    if (there.what != os::kind::directory) refuse("exists, and is no folder");
    if (!std::filesystem::is_empty(path_of(path), error) || error)
      refuse("exists, and is not an empty folder");
    target_ = std::filesystem::canonical(path_of(path), error);
    if (error) os::fail(name_, error.value());
    permissions_ = there.permissions;
  }

  std::string name_;
  std::filesystem::path target_ = {};
  os::temporary temporary_ = {};  // without a path: nothing to remove or rename
  unsigned permissions_ = 0;      // of the empty folder that is replaced
};

}  // namespace tracecodec::io
