// Implementation of format/file_beside.hpp, separate because it includes the operating
// system's headers.
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

#include "../../io/error.hpp"
#include "../../io/os/filesystem.hpp"
#include "../file_beside.hpp"

namespace tracecodec::format {

namespace detail {
// Returns a description of the object at `path`, such as "a file". Returns an empty string if
// `path` does not exist or is too long to exist, and the error's message if it cannot be
// examined.
TRACECODEC_FUNC std::string what_is_at(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path at = io::path_of(path);
  std::error_code error;
  switch (fs::status(at, error).type()) {
    case fs::file_type::regular:
      return "a file";
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::not_found:
      return fs::is_symlink(at, error) ? "a dangling link" : "";
    default:
      if (error == std::errc::filename_too_long) return "";
      return error ? error.message() : "a device";
  }
}
}  // namespace detail

TRACECODEC_FUNC bool is_file_beside(const std::string& path, const std::string& expected) {
  const std::string what = detail::what_is_at(path);
  if (what.empty() || what == "a file") return !what.empty();
  throw trace_error(trace_errc::system, {.file = path},
                    what + ", expected " + expected + " in a file");
}

}  // namespace tracecodec::format
