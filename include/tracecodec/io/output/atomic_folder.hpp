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

// Writes files into a temporary folder next to the target; finish() moves the folder to its
// final name. If destroyed before, it removes everything. A killed process leaves its
// temporary folder, which the next writer of the target removes. Errors name the target, never
// the temporary folder.
class atomic_folder {
 public:
  // Throws trace_error: (refused) if `path` exists and is anything but an empty folder;
  // (system) if no folder can be created next to it. `most_bytes` limits the total size of all
  // files, including removed ones: if they exceed it, functions of create()'s files throw
  // trace_error(refused).
  explicit atomic_folder(const std::string& path, std::uint64_t most_bytes = no_size_limit);
  atomic_folder(const atomic_folder&) = delete;
  atomic_folder& operator=(const atomic_folder&) = delete;
  ~atomic_folder();

  // Returns the path that was passed to the constructor.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Returns the final path of a file of the folder.
  [[nodiscard]] std::string path(const std::string& file) const;
  // Returns the path that a file of the folder has before finish().
  [[nodiscard]] std::string temporary_path(const std::string& file) const;

  // Creates a file in the folder. Throws trace_error(system).
  [[nodiscard]] folder_file create(const std::string& file,
                                   std::size_t window = folder_file::usual_window) const;
  // Removes a file from the folder.
  void remove(const std::string& file) const noexcept;

  // Moves the folder to its final name. Its files must be finished. Throws
  // trace_error(system), also if the target has become a non-empty folder, or if a file that
  // the process has mapped has become shorter.
  void finish();

 private:
  void find_target();

  std::string name_;
  std::string target_ = {};
  os::temporary temporary_ = {};  // without a path, there is nothing to remove or rename
  unsigned permissions_ = 0;      // of the empty folder that is replaced
  mutable size_limit limit_;      // for all files together
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/atomic_folder.ipp"
#endif
