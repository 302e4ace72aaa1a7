#pragma once
#include "../os_file.hpp"

#include <sys/types.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace tracecodec::io::os {

[[noreturn, gnu::cold]] TRACECODEC_FUNC void fail(const std::string& name, int error) {
  if (error == EINTR && interrupted()) throw interruption();
  std::string text = std::generic_category().message(error);
  trace_errc code = trace_errc::system;
  if (error == EISDIR) text = "is a directory, expected a file";
  if (error == EFAULT) {
    // The bytes to write were in a mapped input that was truncated.
    code = trace_errc::truncated;
    text = "the bytes to write are gone: their file became shorter";
  }
  if (error == EOVERFLOW && sizeof(off_t) < 8)
    text = "over 2 GiB: rebuild the program with -D_FILE_OFFSET_BITS=64 to read it";
  throw trace_error(code, {.file = name}, text);
}

TRACECODEC_FUNC int descriptor::close() noexcept {
  const int fd = std::exchange(fd_, -1);
  return fd >= 0 && owned_ && ::close(fd) != 0 && errno != EINTR ? errno : 0;
}

}  // namespace tracecodec::io::os
