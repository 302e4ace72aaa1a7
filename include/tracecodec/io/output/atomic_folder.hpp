// Folder that appears under its name only once it is complete.
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

// Folder that appears only once all its files are complete. Files are written into a temporary
// folder next to the target, and finish() moves the temporary folder to its final name. Without
// finish(), the destructor removes everything. If the process is killed, its temporary folder
// remains until the next writer of the target removes it. Error messages contain the name of the
// target, not of the temporary folder.
class atomic_folder {
 public:
  // Creates the temporary folder for the target `path`. Throws trace_error(refused) if `path`
  // exists and is not an empty folder, and trace_error(system) if the temporary folder cannot be
  // created. `most_bytes` limits the total size of all files, including removed files. A write that
  // would exceed this limit throws trace_error(refused).
  explicit atomic_folder(const std::string& path, std::uint64_t most_bytes = no_size_limit);
  atomic_folder(const atomic_folder&) = delete;
  atomic_folder& operator=(const atomic_folder&) = delete;
  ~atomic_folder();

  // Returns the path that was passed to the constructor.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the path that `file` has after finish().
  [[nodiscard]] std::string path(const std::string& file) const;
  // Returns the path that `file` has before finish().
  [[nodiscard]] std::string temporary_path(const std::string& file) const;

  // Creates a file in the folder. Throws trace_error(system).
  [[nodiscard]] folder_file create(const std::string& file,
                                   std::size_t window = folder_file::usual_window) const;
  // Removes a file from the folder.
  void remove(const std::string& file) const noexcept;

  // Moves the folder to its final name. All files of the folder must be finished. Throws
  // trace_error(system), for example if the target has become a non-empty folder, or if a file that
  // the process has mapped has become shorter.
  void finish();

 private:
  void find_target();

  std::string name_;
  std::string target_ = {};
  os::temporary temporary_ = {};  // its path is empty once finish() has renamed the folder
  unsigned permissions_ = 0;      // permissions of the empty folder that is replaced
  mutable size_limit limit_;      // limit for the total size of all files
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/atomic_folder.ipp"
#endif
