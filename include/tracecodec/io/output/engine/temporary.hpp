// Output files that have no name, or a temporary name, until they are complete. A temporary
// name is ".tracecodec-TARGET-PROCESS-RANDOM", with hexadecimal numbers, where TARGET is a hash
// of the final name. The hash lets the next writer of the same target find and remove leftovers
// of a killed process.
#pragma once
#include <string>
#include <utility>

#include "../../../config.hpp"
#include "../../os/os.hpp"

namespace tracecodec::io::detail {

// Follows symbolic links in the last component of `path`, and returns the resulting path, even if
// no file exists there. Throws trace_error(system) with `name`.
TRACECODEC_FUNC std::string resolve_links(const std::string& path, const std::string& name);

// Returns the folder that contains `target`.
TRACECODEC_FUNC std::string folder_of(const std::string& target);

// Removes temporary files that other writers of `target` have left, except the files of running
// processes. Files that cannot be removed are ignored, because they are harmless.
TRACECODEC_FUNC void remove_leftovers(const std::string& target) noexcept;

// Returns the path prefix of the temporary names of this process for `target`.
TRACECODEC_FUNC std::string own_prefix(const std::string& target);

// Temporary file that becomes `target`.
class temporary_file {
 public:
  // Creates the file in the folder of `target`. `replaced` describes the existing file. Throws
  // trace_error(system) with `name`.
  temporary_file(std::string target, const os::facts& replaced, const std::string& name);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  // Removes the file unless appear() has moved it. All descriptors of the file must be closed.
  ~temporary_file();

  // Returns the file, open for writing. Call this function only once.
  [[nodiscard]] os::descriptor take() { return std::move(made_.file); }

  // Moves the file to its final name. The file must be complete and closed. On failure, throws
  // trace_error(system) with `name`, and the file vanishes.
  void appear(const std::string& name);

 private:
  std::string target_;
  os::temporary made_ = {};
};

}  // namespace tracecodec::io::detail

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/temporary.ipp"
#endif
