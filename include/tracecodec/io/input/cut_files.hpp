// What happens when another program shortens a file that is mapped here. Its last pages are gone:
// who touches them is ended by a signal, SIGBUS, and what is left of its last page reads as zeros.
// On Windows a file that is mapped cannot become shorter.
#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "../error.hpp"
#include "../os/os.hpp"
#include "impl/mapped_places.hpp"

namespace tracecodec::io {

// From now on the process survives it when a mapped file of this library becomes shorter: what is
// gone reads as zeros. Windows, feeds and checks throw where the file ends for them, if the zeros
// were no error before; who looks into mapped_file::bytes() or takes records of an UMTracer
// trace by their number (umtracer::reader, its queries, filters and merges) is told by
// check_mapped_files() alone. For a program to call when it starts: a signal handler is the whole
// process's. Other causes of SIGBUS are left to the handler that was there before. Throws
// trace_error(system) if the system takes no handler.
inline void survive_cut_files() { os::on_missing_page(detail::missing); }

// Throws trace_error(system) if a file that is mapped now has become shorter.
inline void check_mapped_files() {
  const auto error = [] {
    const detail::spin_guard guard(detail::places.lock);
    return detail::error_of_places();
  }();
  if (error) throw *error;
}

// What check_mapped_files() throws, or would have thrown before the file was closed; also of a file
// that is read and not mapped. So a program can tell the cause of an error that is only its
// consequence. It is told once: a file that is
// closed is forgotten then. What was read in full before the file became shorter is told, too: ask
// only after an error that zeros can have caused.
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
