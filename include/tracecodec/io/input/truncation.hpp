// Handles mapped files that another program truncates. Pages after the new end no longer exist, so
// an access to such a page raises SIGBUS, which normally ends the process. The rest of the new last
// page reads as zeros. On Windows, a mapped file cannot become shorter.
#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "../error.hpp"
#include "../os/os.hpp"
#include "impl/mapped_places.hpp"

namespace tracecodec::io {

// Installs a handler for SIGBUS, so that the process survives the truncation of a file that the
// library has mapped. Missing bytes then read as zeros. io::window, feeds and checks throw at the
// end of such a file, unless the zeros caused an error before the end. Two kinds of code must call
// check_mapped_files(): code that reads mapped_file::bytes() directly, and code that reads the
// records of a UMTracer trace by number (umtracer::reader, its queries, filters and merges).
//
// A program should call install_sigbus_handler() at its start, because a signal handler belongs to
// the whole process. Any other SIGBUS is passed to the previous handler. Throws trace_error(system)
// if the handler cannot be installed.
inline void install_sigbus_handler() { os::on_missing_page(detail::missing); }

// Throws trace_error(system) if a currently mapped file has become shorter.
inline void check_mapped_files() {
  const auto error = [] {
    const detail::spin_guard guard(detail::places.lock);
    return detail::error_of_places();
  }();
  if (error) throw *error;
}

// Returns the error that check_mapped_files() throws, or would have thrown before the file was
// closed. Returns nullopt if no file was truncated. Also returns the error for a truncated file
// that is read instead of mapped. A program can call this function to find out whether a truncation
// caused another error.
//
// The error for a closed file is returned only once. A file that became shorter after it was read
// in full is reported, too. Therefore, call this function only after an error that zeros may have
// caused.
inline std::optional<trace_error> cut_file_error() {
  const auto before = [] {
    const detail::spin_guard guard(detail::places.lock);
    return std::unique_ptr<const trace_error>(std::exchange(detail::places.before, nullptr));
  }();
  if (before) return *before;
  try {
    check_mapped_files();
  } catch (const trace_error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace tracecodec::io
