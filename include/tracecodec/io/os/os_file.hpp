// What os.hpp's files are on every system: descriptors, what is known of a path, and errors, which
// are trace_error(system) with the text of errno and the name the user knows the file by; truncated
// for EFAULT, when what was to be written lay in a mapped file and is gone; or interruption.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "../../config.hpp"
#include "../error.hpp"
#include "interruption.hpp"

namespace tracecodec::io::os {

// `error` is an errno.
[[noreturn]] TRACECODEC_FUNC void fail(const std::string& name, int error);

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
  int close() noexcept;

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

// Whether both are of one file or folder. (Of devices and pipes no one asks.)
constexpr bool same(const facts& a, const facts& b) noexcept {
  return (a.what == kind::regular || a.what == kind::directory) && a.what == b.what &&
         a.device == b.device && a.inode == b.inode;
}

}  // namespace tracecodec::io::os

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/os_file.ipp"
#endif
