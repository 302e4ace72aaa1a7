// Part of os.hpp that is common to all systems: descriptors, properties of a path, and errors. On
// an error, the functions throw trace_error(system) with the message for errno, and with the name
// by which the user opened the file. For EFAULT, they throw trace_error(truncated), because the
// bytes to write were in a mapped file that was truncated. An interrupted call throws interruption.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "../../config.hpp"
#include "../error.hpp"
#include "interruption.hpp"

namespace tracecodec::io::os {

// Throws the exception for the errno value `error`.
[[noreturn]] TRACECODEC_FUNC void fail(const std::string& name, int error);

// Owner of a file descriptor. The destructor closes the descriptor and ignores errors. Descriptors
// of the standard streams are not owned.
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

  // Closes the descriptor now, and returns errno, or 0 for success. With NFS and quotas, a full
  // disk may cause an error only here.
  int close() noexcept;

 private:
  int fd_ = -1;
  bool owned_ = true;
};

// Calls f, and closes the file if f throws, because later writes would leave a hole in the file.
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
  std::uint64_t size = 0;               // size of a regular file in bytes
  unsigned permissions = 0;             // permission bits rwxrwxrwx
  std::uint64_t device = 0, inode = 0;  // numbers that together identify the file
  std::int64_t modified = 0;  // time of the last change of the content, in nanoseconds since 1970
};

// Returns true if `a` and `b` describe the same file or folder. Always returns false for devices
// and pipes.
constexpr bool same(const facts& a, const facts& b) noexcept {
  return (a.what == kind::regular || a.what == kind::directory) && a.what == b.what &&
         a.device == b.device && a.inode == b.inode;
}

}  // namespace tracecodec::io::os

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/os_file.ipp"
#endif
