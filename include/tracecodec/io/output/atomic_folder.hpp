// A folder that appears under its name only when it is whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "../../config.hpp"
#include "../os/os.hpp"
#include "atomic_file.hpp"
#include "folder_file.hpp"
#include "size_limit.hpp"

namespace tracecodec::io {

// Files are written into a temporary folder beside the target; finish() gives it its name.
// Destroyed before, it removes everything; what a process that was killed has left, the next one that
// writes a folder of this name removes. Errors name the target, never the temporary folder.
class atomic_folder {
 public:
  // Throws trace_error: refused if `path` exists and is anything but an empty folder; system if no
  // folder can be made beside it. All files together have `most_bytes` at most, those that are removed again among
  // them: the functions of create()'s files throw trace_error(refused) for more.
  explicit atomic_folder(const std::string& path, std::uint64_t most_bytes = no_size_limit);
  atomic_folder(const atomic_folder&) = delete;
  atomic_folder& operator=(const atomic_folder&) = delete;
  ~atomic_folder();

  // As the caller gave it.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // The name that a file of the folder will have.
  [[nodiscard]] std::string path(const std::string& file) const;
  // Where it lies until then.
  [[nodiscard]] std::string temporary_path(const std::string& file) const;

  // A new file in it. Throws trace_error(system).
  [[nodiscard]] folder_file create(const std::string& file,
                                   std::size_t window = folder_file::usual_window) const;
  // Removes a file again.
  void remove(const std::string& file) const noexcept;

  // Gives the folder its name. Its files must be finished. Throws trace_error(system), also if the
  // target has got files in the meantime, or if a file that the process has mapped became shorter.
  void finish();

 private:
  void find_target();

  std::string name_;
  std::string target_ = {};
  os::temporary temporary_ = {};  // without a path: nothing to remove or rename
  unsigned permissions_ = 0;      // of the empty folder that is replaced
  mutable size_limit limit_;      // of its files
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/atomic_folder.ipp"
#endif
