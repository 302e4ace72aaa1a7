// Output that has no name, or a temporary one, until it is whole. A temporary name is
// ".tracecodec-TARGET-PROCESS-RANDOM", all in hex digits, TARGET being a hash of the later name: so
// the next writer of that name finds what one that was killed has left, and removes it.
#pragma once
#include <string>
#include <utility>

#include "../../../config.hpp"
#include "../../os/os.hpp"

namespace tracecodec::io::detail {

// Where the symbolic links of `path`'s last component lead, also if nothing is there yet.
TRACECODEC_FUNC std::string behind_links(const std::string& path, const std::string& name);

// The folder that `target` lies in.
TRACECODEC_FUNC std::string folder_of(const std::string& target);

// Removes what writers of `target` have left that are gone; never what one that lives still writes.
// Nothing is said of what cannot be removed: it harms nobody.
TRACECODEC_FUNC void remove_leftovers(const std::string& target) noexcept;

// Where a process makes what has a temporary name.
TRACECODEC_FUNC std::string own_prefix(const std::string& target);

// A file that becomes `target`.
class temporary_file {
 public:
  // Made in the folder of `target`; `replaced` is what is there. Throws trace_error(system) with
  // `name`.
  temporary_file(std::string target, const os::facts& replaced, const std::string& name);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  // The file must be closed, wherever it was given.
  ~temporary_file();

  // Open for writing; to be taken once.
  [[nodiscard]] os::descriptor take() { return std::move(made_.file); }

  // Gives it its name: to be called when all is written and closed. Throws trace_error(system) with
  // `name`; then it vanishes.
  void appear(const std::string& name);

 private:
  std::string target_;
  os::temporary made_ = {};
};

}  // namespace tracecodec::io::detail

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/temporary.ipp"
#endif
