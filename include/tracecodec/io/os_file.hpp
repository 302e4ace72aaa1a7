// What os.hpp's files are on every system: descriptors, what is known of a path, and errors, which
// are trace_error(system) with the text of errno and the name the user knows the file by; truncated
// for EFAULT, when what was to be written lay in a mapped file and is gone; or interruption.
#pragma once
#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include "error.hpp"
#include "interruption.hpp"

namespace tracecodec::io::os {

[[noreturn]] inline void fail(const std::string& name, int error) {
  if (error == EINTR && interrupted()) throw interruption();
  std::string text = std::generic_category().message(error);
  trace_errc code = trace_errc::system;
  if (error == EISDIR) text = "is a directory, expected a file";
  if (error == EFAULT) {
    code = trace_errc::truncated;  // the fault is the input's
    text = "what was to be written is gone: it lay in a file that became shorter";
  }
  if (error == EOVERFLOW && sizeof(off_t) < 8)
    text =
        "over 2 GiB: a program whose off_t has 32 bits reads it if built with "
        "-D_FILE_OFFSET_BITS=64";
  throw trace_error(code, {.file = name}, text);
}

// Owns a file descriptor, except the borrowed ones of the standard streams. Closes it, unchecked.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd, bool owned = true) : fd_(fd), owned_(owned) {}
  descriptor(descriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), owned_(other.owned_) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~descriptor() { close(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  // Closes now; returns errno, 0 for success. A full disk may show only here (NFS, quotas).
  int close() noexcept {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && owned_ && ::close(fd) != 0 && errno != EINTR ? errno : 0;
  }

 private:
  int fd_ = -1;
  bool owned_ = true;
};

// Runs f, and closes the file if that fails: after an error nothing more is written, as the file
// would have a hole.
template <class F> void or_close(descriptor& file, F f) {
  try {
    f();
  } catch (...) {
    file.close();
    throw;
  }
}

enum class kind : std::uint8_t { missing, regular, directory, other };

struct facts {
  kind what = kind::missing;
  std::uint64_t size = 0;               // bytes, of a regular file
  unsigned permissions = 0;             // rwxrwxrwx
  std::uint64_t device = 0, inode = 0;  // together the file's identity
  std::int64_t modified = 0;            // when its content last changed: nanoseconds since 1970
};

}  // namespace tracecodec::io::os
